//! How libgit2 fetches over HTTP(S): a small subtransport on the rustls stack.
//!
//! libgit2 sees URLs such as `rereview-fetch://7`. The number leads to the real URL and the token,
//! so that neither the repository's configuration nor a redirect can send the token elsewhere.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use git2::transport::{Service, SmartSubtransport, SmartSubtransportStream, Transport};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use url::Url;

use super::error::{FetchFailure, GitError};

/// The scheme that libgit2 knows this transport by.
pub(super) const SCHEME: &str = "rereview-fetch";

/// A silent server is given up after so long.
const SILENCE: Duration = Duration::from_secs(60);
/// A renamed repository redirects once; more than a few hops is a loop.
const MOST_REDIRECTS: usize = 3;

/// One remote for the time of one fetch.
pub(super) struct Endpoint {
    agent: ureq::Agent,
    base: Mutex<Url>,
    authorization: Option<String>,
    failure: Mutex<Option<FetchFailure>>,
}

impl Endpoint {
    /// Prepares for fetching from `base`, with the value of the `Authorization` header.
    pub(super) fn new(
        base: Url,
        authorization: Option<String>,
        certificates: Option<&Path>,
    ) -> Result<Arc<Self>, GitError> {
        let roots = certificates.map_or(Ok(RootCerts::WebPki), roots)?;
        let agent = ureq::Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("git/2.0 (rereview ", env!("CARGO_PKG_VERSION"), ")"))
            .timeout_connect(Some(SILENCE))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .timeout_per_write(Some(SILENCE))
            .build()
            .new_agent();
        Ok(Arc::new(Self {
            agent,
            base: Mutex::new(base),
            authorization,
            failure: Mutex::default(),
        }))
    }

    /// Why the last request failed, if one did.
    pub(super) fn failure(&self) -> Option<FetchFailure> {
        lock(&self.failure).take()
    }

    fn fail(&self, failure: FetchFailure) -> io::Error {
        let told = io::Error::other(failure.to_string());
        *lock(&self.failure) = Some(failure);
        told
    }

    /// The list of references; follows redirects within the host.
    fn references(&self) -> io::Result<Box<dyn Read + Send>> {
        const TAIL: &str = "/info/refs";
        for _ in 0..=MOST_REDIRECTS {
            let base = lock(&self.base).clone();
            let mut url = below(&base, TAIL);
            url.set_query(Some("service=git-upload-pack"));
            let request = self.authorized(self.agent.get(url.as_str()));
            let response = request.call().map_err(|error| self.broken(&error))?;
            if !response.status().is_redirection() {
                return self.body(response);
            }
            let place = response.headers().get("location").and_then(|value| value.to_str().ok());
            let target = place.and_then(|place| url.join(place).ok());
            let moved =
                target.filter(|target| target.origin() == base.origin()).and_then(|target| {
                    let path = target.path().strip_suffix(TAIL)?.to_owned();
                    let mut moved = target;
                    moved.set_path(&path);
                    moved.set_query(None);
                    Some(moved)
                });
            *lock(&self.base) = moved.ok_or_else(|| self.fail(FetchFailure::Redirected))?;
        }
        Err(self.fail(FetchFailure::Redirected))
    }

    /// One round of negotiation, or the pack.
    fn upload_pack(&self, request: &[u8]) -> io::Result<Box<dyn Read + Send>> {
        let url = below(&lock(&self.base), "/git-upload-pack");
        let post = self
            .authorized(self.agent.post(url.as_str()))
            .content_type("application/x-git-upload-pack-request");
        let response = post.send(request).map_err(|error| self.broken(&error))?;
        if response.status().is_redirection() {
            return Err(self.fail(FetchFailure::Redirected));
        }
        self.body(response)
    }

    fn authorized<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.authorization {
            Some(value) => request.header("authorization", value),
            None => request,
        }
    }

    fn body(&self, response: http::Response<ureq::Body>) -> io::Result<Box<dyn Read + Send>> {
        match response.status().as_u16() {
            200 => Ok(Box::new(response.into_body().into_reader())),
            status @ (401 | 403 | 404) => Err(self.fail(FetchFailure::Denied(status))),
            status => Err(self.fail(FetchFailure::Status(status))),
        }
    }

    fn broken(&self, error: &ureq::Error) -> io::Error {
        self.fail(FetchFailure::Connection(error.to_string()))
    }
}

fn below(base: &Url, tail: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{tail}", base.path().trim_end_matches('/')));
    url
}

/// The certificates of a PEM file, in place of the built-in ones, as other tools take
/// `SSL_CERT_FILE`.
fn roots(path: &Path) -> Result<RootCerts, GitError> {
    let bad = || GitError::BadCertificates { path: path.to_owned() };
    let pem = std::fs::read(path).map_err(|_| bad())?;
    let certificates: Vec<_> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            Ok(_) | Err(_) => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(bad());
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

/// The endpoints of the fetches that are under way, by the number in their URL.
static ENDPOINTS: Mutex<BTreeMap<u64, Arc<Endpoint>>> = Mutex::new(BTreeMap::new());

/// An endpoint's place in the list; leaves it when dropped.
pub(super) struct Registered(u64);

impl Registered {
    /// Puts an endpoint on the list.
    pub(super) fn new(endpoint: Arc<Endpoint>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        lock(&ENDPOINTS).insert(number, endpoint);
        Self(number)
    }

    /// The URL that libgit2 is given.
    pub(super) fn url(&self) -> String {
        format!("{SCHEME}://{}", self.0)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        lock(&ENDPOINTS).remove(&self.0);
    }
}

/// Makes the transport of a remote; libgit2 calls it.
pub(super) fn transport(remote: &git2::Remote<'_>) -> Result<Transport, git2::Error> {
    let number = remote.url()?.rsplit('/').next().and_then(|number| number.parse().ok());
    let endpoint = number.and_then(|number: u64| lock(&ENDPOINTS).get(&number).cloned());
    let endpoint = endpoint.ok_or_else(|| git2::Error::from_str("no such fetch is under way"))?;
    // One transport is one object inside libgit2, and its list is not synchronised.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = lock(&ONE_AT_A_TIME);
    Transport::smart(remote, true, Subtransport(endpoint))
}

struct Subtransport(Arc<Endpoint>);

impl SmartSubtransport for Subtransport {
    fn action(
        &self,
        _url: &str,
        service: Service,
    ) -> Result<Box<dyn SmartSubtransportStream>, git2::Error> {
        let state = match service {
            Service::UploadPackLs => State::References,
            Service::UploadPack => State::Request(Vec::new()),
            Service::ReceivePackLs | Service::ReceivePack => {
                return Err(git2::Error::from_str("rereview never pushes"));
            }
        };
        Ok(Box::new(Exchange { endpoint: Arc::clone(&self.0), state: Mutex::new(state) }))
    }

    fn close(&self) -> Result<(), git2::Error> {
        Ok(())
    }
}

/// One request and its answer; the request goes out when the answer is first read.
struct Exchange {
    endpoint: Arc<Endpoint>,
    state: Mutex<State>,
}

enum State {
    References,
    Request(Vec<u8>),
    Answer(Box<dyn Read + Send>),
}

impl Read for Exchange {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut answer = match std::mem::replace(state, State::Answer(Box::new(Cursor::new([])))) {
            State::References => self.endpoint.references()?,
            State::Request(request) => self.endpoint.upload_pack(&request)?,
            State::Answer(answer) => answer,
        };
        let read = answer
            .read(buffer)
            .map_err(|error| self.endpoint.fail(FetchFailure::Connection(error.to_string())));
        *state = State::Answer(answer);
        read
    }
}

impl Write for Exchange {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.state.get_mut().unwrap_or_else(PoisonError::into_inner) {
            State::Request(request) => request.write(bytes),
            State::References | State::Answer(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

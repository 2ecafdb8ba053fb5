//! One request to GitHub over octocrab: addressed, signed, sent, counted and logged. Never
//! repeated here, and not judged: what an answer means is for [`super::retry`] to say.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use octocrab::service::middleware::auth_header::AuthHeaderLayer;
use octocrab::service::middleware::extra_headers::ExtraHeadersLayer;
use octocrab::{AuthState, OctoBody, Octocrab, OctocrabBuilder};
use tokio::time::Instant;
use tower::Service;
use url::Url;

use super::config::{Config, SetupError, address, uri};
use super::tls;

/// JSON, as almost every request wants it.
pub(super) const JSON: &str = "application/vnd.github+json";
/// A file's bytes as they are.
pub(super) const RAW: &str = "application/vnd.github.raw+json";

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(45);
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
const MOST_BYTES: usize = 64 << 20;
const MOST_REDIRECTS: usize = 3;

type BoxError = Box<dyn Error + Send + Sync>;

/// Where a request goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'a> {
    /// A path below the REST API's address, beginning with `/`, percent-encoded.
    Rest(&'a str),
    /// The GraphQL address.
    GraphQl,
}

/// A request.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) method: Method,
    pub(super) target: Target<'a>,
    pub(super) accept: &'static str,
    /// JSON.
    pub(super) body: Option<String>,
}

/// An answer that came whole, whatever it says.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Broken {
    /// There was no connection: the forge knows nothing of the request.
    NotSent(String),
    /// The forge may have received it.
    MaybeSent(String),
}

/// octocrab with a transport, headers and credentials of our own, and no retries.
#[derive(Debug)]
pub(super) struct Client {
    octocrab: Octocrab,
    api: Url,
    graphql: Url,
    sent: AtomicU64,
}

impl Client {
    /// A client that speaks HTTP/1.1 over TLS (or in the clear, as the address says).
    pub(super) fn connect(config: &Config) -> Result<Self, SetupError> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls::client_config(config.ca_file.as_deref())?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let transport = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build(connector);
        Self::over(transport, config)
    }

    /// A client over any transport. Credentials go to the two configured authorities only.
    pub(super) fn over<S, B>(transport: S, config: &Config) -> Result<Self, SetupError>
    where
        S: Service<Request<OctoBody>, Response = Response<B>> + Send + 'static,
        S::Future: Send + 'static,
        S::Error: Into<BoxError>,
        B: http_body::Body<Data = bytes::Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        let (api, graphql) = (address(&config.api)?, address(&config.graphql_url())?);
        let credentials = config.token.credentials()?;
        let version = HeaderValue::from_static(concat!("rereview/", env!("CARGO_PKG_VERSION")));
        let headers = vec![
            (USER_AGENT, version),
            (
                HeaderName::from_static("x-github-api-version"),
                HeaderValue::from_static("2022-11-28"),
            ),
        ];
        let built = OctocrabBuilder::new_empty()
            .with_service(transport)
            .with_layer(&ExtraHeadersLayer::new(Arc::new(headers)))
            .with_layer(&AuthHeaderLayer::new(Some(credentials), uri(&api)?, uri(&graphql)?))
            .with_auth(AuthState::None)
            .build();
        let octocrab = match built {
            Ok(octocrab) => octocrab,
            Err(never) => match never {},
        };
        Ok(Self { octocrab, api, graphql, sent: AtomicU64::new(0) })
    }

    /// How many requests went out.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Sends one request and waits for the whole answer, `deadline` at the longest. Follows
    /// redirects (a renamed repository) that stay on the same server and do not change the
    /// method; any other comes back as the answer.
    pub(super) async fn send(&self, call: &Call<'_>, deadline: Instant) -> Result<Answer, Broken> {
        let mut url = match call.target {
            Target::Rest(path) => {
                let whole = format!("{}{path}", self.api.as_str().trim_end_matches('/'));
                Url::parse(&whole).map_err(|error| Broken::NotSent(error.to_string()))?
            }
            Target::GraphQl => self.graphql.clone(),
        };
        let mut hops = 0;
        loop {
            let answer = self.once(call, &url, deadline).await?;
            match next_hop(call, &url, &answer) {
                Some(next) if hops < MOST_REDIRECTS => {
                    hops += 1;
                    url = next;
                }
                Some(_) | None => return Ok(answer),
            }
        }
    }

    async fn once(&self, call: &Call<'_>, url: &Url, deadline: Instant) -> Result<Answer, Broken> {
        let not_sent = |error: http::Error| Broken::NotSent(error.to_string());
        let mut request =
            Request::builder().method(&call.method).uri(url.as_str()).header(ACCEPT, call.accept);
        if call.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = call.body.clone().map_or_else(OctoBody::empty, OctoBody::from);
        let request = request.body(body).map_err(not_sent)?;

        let start = Instant::now();
        if start >= deadline {
            return Err(Broken::NotSent("the run's time limit is reached".to_owned()));
        }
        self.sent.fetch_add(1, Ordering::Relaxed);
        let until = deadline.min(start + ANSWER_TIMEOUT);
        let result = tokio::time::timeout_at(until, self.exchange(request))
            .await
            .unwrap_or_else(|_| Err(Broken::MaybeSent("no answer in time".to_owned())));
        let (method, path, ms) = (&call.method, url.path(), start.elapsed().as_millis());
        match &result {
            Ok(answer) => {
                tracing::debug!(%method, path, status = answer.status.as_u16(), ms, "request");
            }
            Err(Broken::NotSent(cause) | Broken::MaybeSent(cause)) => {
                tracing::debug!(%method, path, cause, ms, "request without answer");
            }
        }
        result
    }

    async fn exchange(&self, request: Request<OctoBody>) -> Result<Answer, Broken> {
        let response = self.octocrab.execute(request).await.map_err(|e| broken(&e))?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, MOST_BYTES)
            .collect()
            .await
            .map_err(|error| {
                Broken::MaybeSent(format!("the answer broke off: {}", chain(&*error)))
            })?
            .to_bytes();
        Ok(Answer { status: parts.status, headers: parts.headers, body: body.into() })
    }
}

/// Where a redirect leads, if it may be followed.
fn next_hop(call: &Call<'_>, from: &Url, answer: &Answer) -> Option<Url> {
    let keeps_method = match answer.status {
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => call.method == Method::GET,
        _ => false,
    };
    let to = from.join(answer.headers.get(LOCATION)?.to_str().ok()?).ok()?;
    (keeps_method && to.origin() == from.origin()).then_some(to)
}

fn broken(error: &octocrab::Error) -> Broken {
    let unconnected = links(error)
        .filter_map(|link| link.downcast_ref::<legacy::Error>())
        .any(legacy::Error::is_connect);
    let mut cause = chain(error);
    if cause.contains("invalid peer certificate") {
        cause.push_str("; the root of a private certificate authority goes into SSL_CERT_FILE");
    }
    if unconnected { Broken::NotSent(cause) } else { Broken::MaybeSent(cause) }
}

fn links<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&link| link.source())
}

/// The texts of an error's causes; octocrab's own says nothing.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = String::new();
    let own = usize::from(error.is::<octocrab::Error>() && error.source().is_some());
    for link in links(error).skip(own).map(ToString::to_string) {
        if !text.contains(&link) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&link);
        }
    }
    text
}

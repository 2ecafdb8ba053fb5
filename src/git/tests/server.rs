//! A loopback server of git's smart protocol, one thread, `git upload-pack` behind it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::world::git_command;

/// How the server answers.
#[derive(Clone)]
pub(super) enum Manner {
    /// As a git server.
    Serve,
    /// With this status.
    Status(u16),
    /// The first path moved, to `/moved.git` here, or to another origin.
    Redirect(Option<String>),
}

/// A request as it was seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) target: String,
    pub(super) authorization: Option<String>,
    pub(super) body: Vec<u8>,
}

pub(super) struct Server {
    pub(super) origin: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(super) fn start(root: &Path, manner: Manner) -> Self {
        Self::listen(root, manner, None)
    }

    /// The same over TLS.
    pub(super) fn start_tls(root: &Path, tls: Arc<ServerConfig>) -> Self {
        Self::listen(root, Manner::Serve, Some(tls))
    }

    fn listen(root: &Path, manner: Manner, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = listener.local_addr().expect("an address");
        let scheme = if tls.is_some() { "https" } else { "http" };
        let origin = format!("{scheme}://{origin}");
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (log, root) = (Arc::clone(&seen), root.to_owned());
        // The thread ends with the test process.
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (log, root, manner) = (Arc::clone(&log), root.clone(), manner.clone());
                let tls = tls.clone().map(|tls| ServerConnection::new(tls).expect("a connection"));
                thread::spawn(move || match tls {
                    Some(tls) => {
                        let mut stream = StreamOwned::new(tls, stream);
                        while answer(&mut stream, &root, &manner, &log).is_some() {}
                    }
                    None => while answer(&mut stream, &root, &manner, &log).is_some() {},
                });
            }
        });
        Self { origin, seen }
    }

    pub(super) fn url(&self) -> String {
        format!("{}/origin.git", self.origin)
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("a log").clone()
    }
}

fn answer(
    stream: &mut (impl Read + Write),
    root: &Path,
    manner: &Manner,
    log: &Mutex<Vec<Seen>>,
) -> Option<()> {
    let mut reader = BufReader::new(&mut *stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let target = first.split(' ').nth(1)?.to_owned();
    let (mut authorization, mut length, mut chunked) = (None, 0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorization = Some(value.to_owned()),
            "content-length" => length = value.parse().ok()?,
            "transfer-encoding" => chunked = true,
            _ => {}
        }
    }
    assert!(!chunked, "requests have a length");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    log.lock().ok()?.push(Seen { target: target.clone(), authorization, body: body.clone() });

    let (status, more, bytes) = match manner {
        Manner::Status(status) => (*status, String::new(), Vec::new()),
        Manner::Redirect(to) if target.starts_with("/origin.git") => {
            let place = target.replacen("/origin.git", "/moved.git", 1);
            let place = format!("{}{place}", to.as_deref().unwrap_or_default());
            (301, format!("Location: {place}\r\n"), Vec::new())
        }
        Manner::Serve | Manner::Redirect(_) if target.contains("/info/refs?") => {
            let more = "Content-Type: application/x-git-upload-pack-advertisement\r\n".to_owned();
            let mut bytes = b"001e# service=git-upload-pack\n0000".to_vec();
            bytes.extend(upload_pack(root, &["--advertise-refs"], &[]));
            (200, more, bytes)
        }
        Manner::Serve | Manner::Redirect(_) => {
            let more = "Content-Type: application/x-git-upload-pack-result\r\n".to_owned();
            (200, more, upload_pack(root, &[], &body))
        }
    };
    let head = format!("HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n{more}\r\n", bytes.len());
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&bytes).ok()?;
    stream.flush().ok()
}

fn upload_pack(root: &Path, more: &[&str], input: &[u8]) -> Vec<u8> {
    let folder = root.to_str().expect("UTF-8");
    let arguments = [&["upload-pack", "--stateless-rpc"], more, &[folder]].concat();
    let mut child = git_command(root, &arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("git runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = thread::spawn(move || _ = stdin.write_all(&input));
    let output = child.wait_with_output().expect("git ends").stdout;
    writer.join().expect("written");
    output
}

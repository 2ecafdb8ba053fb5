//! What goes over a real socket, and what octocrab must not do there (spec 90 "Facts").

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rereview_core::ids::{PrNumber, RepoPath, Sha};
use tokio::net::TcpListener;

use super::writes::a_review;
use super::{TOKEN, config, sha, small};
use crate::forge::github::{Config, GitHub};
use crate::forge::{Forge, ForgeError};

const PULL: PrNumber = PrNumber(7);

/// A server with one rule; its address.
async fn serve<F>(rule: F) -> String
where
    F: Fn(&Request) -> Response + Clone + Send + Sync + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().fallback(move |request: Request| {
        let answer = rule(&request);
        async move { answer }
    });
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

fn authorized(headers: &HeaderMap) -> bool {
    headers.get("authorization").is_some_and(|it| it == format!("Bearer {TOKEN}").as_str())
}

async fn file(github: &GitHub) -> Result<Option<Vec<u8>>, ForgeError> {
    github.contents(&RepoPath::new("a").unwrap(), &Sha::new(&sha('a')).unwrap()).await
}

fn raw(text: &'static str) -> Response {
    ([("content-type", "application/vnd.github.raw+json")], text).into_response()
}

#[tokio::test]
async fn a_post_answered_with_502_is_posted_once() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let api = serve(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        StatusCode::BAD_GATEWAY.into_response()
    })
    .await;
    let github = GitHub::new(&config(&api)).unwrap();
    let error = github.submit_review(PULL, &a_review(vec![])).await.unwrap_err();
    assert!(matches!(error, ForgeError::Lost { .. }), "{error}");
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn each_header_is_sent_once() {
    let api = serve(|request| {
        let headers = request.headers();
        let version = concat!("rereview/", env!("CARGO_PKG_VERSION"));
        for (name, value) in [
            ("user-agent", version),
            ("x-github-api-version", "2022-11-28"),
            ("accept", "application/vnd.github.raw+json"),
            ("authorization", &format!("Bearer {TOKEN}")),
        ] {
            let all: Vec<_> = headers.get_all(name).iter().collect();
            if all != [value] {
                return (StatusCode::UNPROCESSABLE_ENTITY, name.to_owned()).into_response();
            }
        }
        raw("well")
    })
    .await;
    let read = file(&GitHub::new(&config(&api)).unwrap()).await;
    assert_eq!(read, Ok(Some(b"well".to_vec())));
}

#[tokio::test]
async fn graphql_goes_to_its_own_address_on_an_enterprise_server() {
    let api = serve(|request| match request.uri().path() {
        "/api/graphql" => small(&[]).to_string().into_response(),
        path if path.starts_with("/api/v3/repos/octo/demo/") => raw("rest"),
        _ => StatusCode::GONE.into_response(),
    })
    .await;
    let mut config = config(&format!("{api}/api/v3"));
    let github = GitHub::new(&config).unwrap();
    assert_eq!(file(&github).await, Ok(Some(b"rest".to_vec())));
    assert!(github.read(PULL).await.is_ok());
    config.graphql = Some(format!("{api}/elsewhere"));
    assert_eq!(config.graphql_url(), format!("{api}/elsewhere"));
    config.api = "https://api.github.com/".to_owned();
    config.graphql = None;
    assert_eq!(config.graphql_url(), "https://api.github.com/graphql");
}

#[tokio::test]
async fn redirects_are_followed_on_the_same_server_only() {
    let elsewhere = serve(|_| raw("stolen")).await;
    let (same, other) = ("/repositories/1/x".to_owned(), format!("{elsewhere}/x"));
    let check = async |status: StatusCode, to: String, reads: bool, writes: bool| {
        let api = serve(move |request| {
            if request.uri().path().starts_with("/repositories") {
                let seen = authorized(request.headers());
                return if seen { raw("{\"id\":1}") } else { StatusCode::GONE.into_response() };
            }
            (status, [("location", to.clone())]).into_response()
        })
        .await;
        let github = GitHub::new(&config(&api)).unwrap();
        let read = file(&github).await;
        assert_eq!(read.is_ok_and(|file| file == Some(b"{\"id\":1}".to_vec())), reads);
        assert_eq!(github.submit_review(PULL, &a_review(vec![])).await.is_ok(), writes);
    };
    check(StatusCode::MOVED_PERMANENTLY, same.clone(), true, false).await;
    check(StatusCode::TEMPORARY_REDIRECT, same, true, true).await;
    check(StatusCode::MOVED_PERMANENTLY, other.clone(), false, false).await;
    check(StatusCode::PERMANENT_REDIRECT, other, false, false).await;
}

#[tokio::test]
async fn a_refused_connection_means_that_nothing_was_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    // Too little for a second try.
    let time_limit = Duration::from_millis(200);
    let github = GitHub::new(&Config { time_limit, ..config(&api) }).unwrap();
    let error = github.submit_review(PULL, &a_review(vec![])).await.unwrap_err();
    let ForgeError::Unavailable { cause, .. } = &error else { panic!("{error}") };
    assert!(cause.contains("refused"), "the causes are told: {cause}");
}

#[tokio::test]
async fn a_connection_that_breaks_after_the_request_is_a_lost_write() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut some = [0; 64];
            let _ = tokio::io::AsyncReadExt::read(&mut socket, &mut some).await;
        }
    });
    let github = GitHub::new(&config(&api)).unwrap();
    let error = github.submit_review(PULL, &a_review(vec![])).await.unwrap_err();
    assert!(matches!(error, ForgeError::Lost { .. }), "{error}");
    assert_eq!(github.requests(), 1);
}

#[tokio::test]
async fn nobody_sees_the_token() {
    let api = serve(|_| (StatusCode::FORBIDDEN, "no").into_response()).await;
    let config = config(&api);
    let github = GitHub::new(&config).unwrap();
    let error = github.submit_review(PULL, &a_review(vec![])).await.unwrap_err();
    assert!(matches!(error, ForgeError::Forbidden { .. }));
    assert!(!format!("{config:?}{github:?}{error:?}{error}").contains(TOKEN));
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    for api in ["", "ftp://x", "api.github.com", "https://user:secret@x"] {
        assert!(GitHub::new(&config(api)).is_err(), "{api}");
    }
}

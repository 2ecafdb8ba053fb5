//! The log: one tame line an event, without secrets.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use super::commands::tame;

/// Writes events to stderr.
#[derive(Debug, Default)]
pub struct Log {
    secrets: Vec<String>,
    lock: Mutex<()>,
}

impl Log {
    /// A log that shows none of these.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let secrets = secrets.into_iter().filter(|secret| secret.len() > 3).collect();
        Self { secrets, lock: Mutex::new(()) }
    }

    /// A text as it may be shown.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            text = text.replace(secret, "***");
        }
        text
    }
}

impl<S: Subscriber> Layer<S> for Log {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut line = String::new();
        event.record(&mut Line(&mut line));
        let level = match *event.metadata().level() {
            Level::ERROR => "error: ",
            Level::WARN => "warning: ",
            Level::INFO => "",
            Level::DEBUG => "debug: ",
            Level::TRACE => "trace: ",
        };
        let line = tame(&self.redact(&format!("{level}{line}")));
        let guard = self.lock.lock();
        // A log that cannot be written has nowhere to say so.
        let _ = writeln!(std::io::stderr(), "{line}");
        drop(guard);
    }
}

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            let _ = write!(self.0, "{value:?}");
        } else {
            let _ = write!(self.0, " {}={value:?}", field.name());
        }
    }
}

//! Every text a person sees on GitHub (spec 10 §5, 50). Reviewers' words go through
//! [`crate::text`]; only `cc` lines ping.

pub mod comment;
pub mod reply;
pub mod summary;

use crate::footer::{Footer, HiddenLine, Marker};
use crate::ids::Mention;
use crate::text::{LIMIT, length};

/// A body with its hidden last lines, cut so that these always survive.
pub fn with_footer(
    visible: &str,
    hidden: Option<&HiddenLine>,
    footer: &Footer,
    marker: &Marker,
) -> String {
    let mut end = String::new();
    if let Some(hidden) = hidden {
        end.push_str("\n\n");
        end.push_str(&hidden.write());
        end.push('\n');
    } else {
        end.push_str("\n\n");
    }
    end.push_str(&footer.write(marker));
    let room = LIMIT.saturating_sub(length(&end));
    let mut body = String::with_capacity(visible.len() + end.len());
    let mut used = 0;
    for c in visible.chars() {
        used += c.len_utf16();
        if used > room {
            break;
        }
        body.push(c);
    }
    body + &end
}

/// `cc @m1 @m2 — why`, at most three; empty when there is nobody to call.
fn cc(ping: &[Mention], why: &str) -> Option<String> {
    if ping.is_empty() {
        return None;
    }
    let names: Vec<String> = ping.iter().take(3).map(|name| format!("@{name}")).collect();
    Some(format!("cc {} — {why}", names.join(" ")))
}

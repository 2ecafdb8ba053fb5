//! What stands on a pull request, as a person would see it, in a terminal.

use std::fmt::Write as _;

use rereview_core::decide::{Act, Decision};
use rereview_core::ids::{Account, RepoPath};
use rereview_core::model::{Snapshot, Tag, Thread, Verdict};
use rereview_core::summary::AgentStatus;
use rereview_core::text;

use super::agent::AgentOutcome;
use super::pull::PullReport;
use super::trees::Trees;

/// Whether the terminal takes colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// ANSI colours.
    Ansi,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Ansi => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }

    /// For headings.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// For what matters less.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn red(self, text: &str) -> String {
        self.paint("31", text)
    }

    fn green(self, text: &str) -> String {
        self.paint("32", text)
    }
}

/// Which threads are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// Those that are open.
    Open,
}

/// Every thread with its lines of code and its comments.
pub fn threads(snapshot: &Snapshot, trees: &Trees<'_>, which: Which, style: Style) -> String {
    let mut out = String::new();
    let wanted = snapshot.threads.iter().filter(|thread| match which {
        Which::All => true,
        Which::Open => !thread.resolved,
    });
    for thread in wanted {
        out.push_str(&one_thread(thread, trees, style));
        out.push('\n');
    }
    out
}

/// One thread.
pub fn one_thread(thread: &Thread, trees: &Trees<'_>, style: Style) -> String {
    let line = thread.line.or(thread.original_line);
    let place =
        line.map_or_else(|| thread.path.to_string(), |line| format!("{}:{line}", thread.path));
    let state = match (thread.resolved, &thread.resolved_by) {
        (false, _) => style.red("open"),
        (true, None) => style.green("resolved"),
        (true, Some(by)) => style.green(&format!("resolved by {by}")),
    };
    let orphaned = thread.commit.is_none() && thread.original_commit.is_none();
    let gone = if orphaned { style.dim(", its commit is gone") } else { String::new() };
    let mut out = format!(
        "{} {} {state}{gone}\n",
        style.bold(&text::one_line(&place, 200)),
        style.dim(&format!("({})", thread.id))
    );
    let current = thread.original_commit.as_ref() == Some(trees.head());
    if let (true, Some(line)) = (current, line) {
        out.push_str(&code(thread, line, trees, style));
    }
    for comment in &thread.comments {
        let author =
            comment.author.as_ref().map_or("(deleted account)".to_owned(), Account::to_string);
        for (at, line) in visible(&comment.body).into_iter().enumerate() {
            let who = if at == 0 { format!("{author}: ") } else { "  ".to_owned() };
            let _ = writeln!(out, "    {}{line}", style.dim(&who));
        }
    }
    out
}

fn code(thread: &Thread, line: u32, trees: &Trees<'_>, style: Style) -> String {
    let Ok(Some(source)) = trees.source(&thread.path) else { return String::new() };
    let mut out = String::new();
    for number in line.saturating_sub(1).max(1)..=line.saturating_add(1) {
        let Some(shown) = source.line(number) else { continue };
        let row = format!("{number:>6} | {}", text::shorten(&harmless(shown), 110));
        let row = if number == line { style.bold(&row) } else { style.dim(&row) };
        let _ = writeln!(out, "{row}");
    }
    out
}

/// The lines of a comment that GitHub would show: without the hidden ones.
pub fn visible(body: &str) -> Vec<String> {
    let mut lines: Vec<String> = body
        .lines()
        .filter(|line| !(line.trim().starts_with("<!--") && line.trim().ends_with("-->")))
        .map(|line| harmless(&text::plain(line)))
        .collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}

/// Without control characters: a terminal obeys them.
pub fn harmless(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if text::is_invisible(c) => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// What an agent decided and why, one line each; what nothing is done about only if asked.
pub fn decisions(outcome: &AgentOutcome, which: Which, style: Style) -> String {
    let mut out = String::new();
    for decision in &outcome.decisions {
        let idle = matches!(decision.act, Act::Leave | Act::Drop);
        if idle && which == Which::Open {
            continue;
        }
        let _ = writeln!(out, "{}", one_decision(outcome, decision, style));
    }
    out
}

fn one_decision(outcome: &AgentOutcome, decision: &Decision, style: Style) -> String {
    let finding = decision.finding.map(|at| &outcome.analysis.findings[at]);
    let prior = decision.prior.map(|at| &outcome.before.priors[at]);
    let (path, line, what) = match (finding, prior) {
        (Some(finding), _) => (
            finding.reported.path.as_str(),
            finding.reported.lines.map(|lines| lines.first),
            finding.reported.class.as_str().to_owned(),
        ),
        (None, Some(prior)) => (
            prior.last.path.as_str(),
            prior.last.line,
            prior.class.as_ref().map(|twin| twin.class().to_string()).unwrap_or_default(),
        ),
        (None, None) => ("", None, String::new()),
    };
    let place = line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
    let is_dropped = decision.act == Act::Drop;
    let act = if is_dropped { "outside the scope of this run" } else { decision.row.reason() };
    format!(
        "  row {:>2} {:<24} {} {}  {}",
        decision.row.number(),
        decision.row.name(),
        text::one_line(&place, 120),
        text::one_line(&what, 80),
        style.dim(act)
    )
}

/// The verdict and its numbers, in a few lines.
pub fn verdict(report: &PullReport, style: Style) -> String {
    let summary = &report.summary;
    let totals = summary.totals();
    let since = summary.since();
    let word = match summary.verdict() {
        Verdict::Go => style.green("Go"),
        Verdict::NoGo => style.red("No-Go"),
    };
    let mut out = format!(
        "{word}: {} must fix, {} outstanding; this run: {} new, {} resolved, {} still open",
        summary.must_fix.len(),
        totals.outstanding,
        since.newly_added,
        since.resolved,
        since.still_open
    );
    for agent in &summary.agents {
        if let AgentStatus::Failed { reason } | AgentStatus::DidNotRun { reason } = &agent.status {
            let reason = text::one_line(reason, 300);
            let _ = write!(out, "\n{}: {reason}", harmless(agent.label.as_str()));
        }
    }
    for line in &summary.notes {
        let note = &line.note;
        let path = note.path.as_ref().map_or("", RepoPath::as_str);
        let place = note.line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
        let tag = note.tag.map_or("", Tag::as_str);
        let (place, title) = (text::one_line(&place, 200), text::one_line(note.shown_title(), 200));
        let _ = write!(out, "\nnote: {tag} {place} {title}");
    }
    out
}

//! The summary's page (spec 50): marker, verdict, warnings, must-fix list, then what is collapsed.

use std::fmt::Write as _;

use crate::footer::Marker;
use crate::ids::RepoPath;
use crate::model::{Counts, SinceLastRun, Tag, Verdict};
use crate::summary::{AgentStatus, MustFix, NoteLine, Summary, Warning};
use crate::text::{LIMIT, code, inline, length};

/// Must-fix findings and notes that a page lists before it says "and N more".
const LISTED: [usize; 4] = [200, 60, 20, 5];

/// The page as a review body, under GitHub's limit. `previous` is the body that stands on the
/// pull request: when nothing happened in this run, it keeps its "since last run".
pub fn body(summary: &Summary, marker: &Marker, previous: Option<&str>) -> String {
    let since = match previous.and_then(since_of) {
        Some(kept) if !summary.something_happened() => format!("{kept}\n\n"),
        Some(_) | None => since_table(summary),
    };
    let fits = |text: &String| length(text) <= LIMIT;
    let pages = LISTED.into_iter().map(|most| page(summary, marker, &since, most));
    let mut last = String::new();
    for text in pages {
        if fits(&text) {
            return text;
        }
        last = text;
    }
    last.chars().take(LIMIT / 2).collect()
}

/// The page for the step summary: the same content, more of it.
pub fn step(summary: &Summary, marker: &Marker) -> String {
    let page = page(summary, marker, &since_table(summary), 2_000);
    format!("{page}\nReviewed at {}.\n", summary.head)
}

/// Whether a body is a summary, by its first line.
pub fn is_summary(body: &str, marker: &Marker) -> bool {
    let first = body.lines().next().unwrap_or_default().trim();
    let inside = first.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    let word = inside.and_then(|inside| inside.trim().strip_suffix("v1"));
    word.is_some_and(|word| marker.is_summary_word(word.trim()))
}

fn page(summary: &Summary, marker: &Marker, since: &str, most: usize) -> String {
    let mut out = format!("<!-- {} v1 -->\n", marker.summary_word());
    let _ = writeln!(out, "{}\n", verdict_line(summary));
    for warning in &summary.warnings {
        let _ = writeln!(out, "> ⚠️ {}\n>", warning_line(warning));
    }
    if !summary.warnings.is_empty() {
        out.push('\n');
    }
    if !summary.must_fix.is_empty() {
        out.push_str("**Must fix**\n\n");
        list(&mut out, &summary.must_fix, most, must_fix_line);
    }
    let ran = summary.agents.iter().filter(|agent| match agent.status {
        AgentStatus::Ran { .. } | AgentStatus::Failed { .. } => true,
        AgentStatus::DidNotRun { .. } => false,
    });
    details(&mut out, "Results per agent", ran.count(), &results_table(summary));
    out.push_str(since);
    if !summary.notes.is_empty() {
        let mut notes = String::new();
        list(&mut notes, &summary.notes, most, note_line);
        details(&mut out, "Notes without a thread", summary.notes.len(), &notes);
    }
    let idle: Vec<String> = summary
        .agents
        .iter()
        .filter_map(|agent| match &agent.status {
            AgentStatus::DidNotRun { reason } => {
                Some(format!("- {}: {}", inline(agent.label.as_str(), 40), inline(reason, 300)))
            }
            AgentStatus::Ran { .. } | AgentStatus::Failed { .. } => None,
        })
        .collect();
    if !idle.is_empty() {
        details(&mut out, "Agents that did not run", idle.len(), &idle.join("\n"));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn verdict_line(summary: &Summary) -> String {
    let verdict = summary.verdict();
    let mut reasons: Vec<String> = Vec::new();
    let per_agent: Vec<(String, usize)> = summary
        .agents
        .iter()
        .map(|agent| {
            let own = summary.must_fix.iter().filter(|finding| finding.label == agent.label);
            (inline(agent.label.as_str(), 40), own.count())
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    if !per_agent.is_empty() {
        let split: Vec<String> =
            per_agent.iter().map(|(label, count)| format!("{label} {count}")).collect();
        let count = summary.must_fix.len();
        reasons.push(format!("{count} must fix outstanding ({})", split.join(", ")));
    }
    for agent in &summary.agents {
        if let AgentStatus::Failed { reason } = &agent.status {
            let label = inline(agent.label.as_str(), 40);
            reasons.push(format!("{label} failed: {}", inline(reason, 300)));
        }
    }
    match (verdict, reasons.is_empty()) {
        (Verdict::Go, _) => "**Go**".to_owned(),
        (Verdict::NoGo, true) => "**No-Go**".to_owned(),
        (Verdict::NoGo, false) => format!("**No-Go** — {}", reasons.join("; ")),
    }
}

fn warning_line(warning: &Warning) -> String {
    match warning {
        Warning::Refused(what) | Warning::Other(what) => inline(what, 600),
        Warning::ForgedFooter { by, url } => format!(
            "{} wrote a [comment]({url}) that carries a marker of rereview; it was ignored.",
            code(by)
        ),
        Warning::BrokenMetadata { url, reason } => format!(
            "The [metadata review]({url}) cannot be read ({}); it was taken as absent.",
            inline(reason, 300)
        ),
        Warning::NewerHead(sha) => format!("A newer head exists: {sha}."),
    }
}

fn must_fix_line(must_fix: &MustFix) -> String {
    let MustFix { label, finding } = must_fix;
    let label = inline(label.as_str(), 40);
    let title = inline(&finding.title, 200);
    let place = place(finding.path.as_str(), finding.line);
    match &finding.url {
        Some(url) => format!("- {label}: [{title}]({url}) — {place}"),
        None => format!("- {label}: {title} — {place} (no thread)"),
    }
}

fn note_line(line: &NoteLine) -> String {
    let NoteLine { label, note } = line;
    let label = inline(label.as_str(), 40);
    let title = inline(note.shown_title(), 200);
    let tag = note.tag.map_or("", Tag::as_str);
    let path = note.path.as_ref().map_or("", RepoPath::as_str);
    format!("- {label}, {tag}: {title} — {}", place(path, note.line))
}

fn place(path: &str, line: Option<u32>) -> String {
    match line {
        Some(line) => code(&format!("{path}:{line}")),
        None => code(path),
    }
}

fn results_table(summary: &Summary) -> String {
    let mut out = String::from(
        "| agent | must fix | suggestion | could fix | future work | outstanding | verdict |\n\
         |---|--:|--:|--:|--:|--:|---|\n",
    );
    let row = |out: &mut String, name: &str, c: &Counts, verdict: &str| {
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} | {verdict} |",
            c.must_fix, c.suggestion, c.could_fix, c.future_work, c.outstanding
        );
    };
    for agent in &summary.agents {
        let label = inline(agent.label.as_str(), 40);
        match &agent.status {
            AgentStatus::Ran { counts, verdict, .. } => {
                row(&mut out, &label, counts, verdict.as_str());
            }
            AgentStatus::Failed { .. } => {
                let _ = writeln!(out, "| {label} |{}", " ERROR |".repeat(6));
            }
            AgentStatus::DidNotRun { .. } => {}
        }
    }
    row(&mut out, "**total**", &summary.totals(), summary.verdict().as_str());
    if let Some(verdict) = summary.ci_safety() {
        let _ = writeln!(out, "| CI safety | | | | | | {} |", verdict.as_str());
    }
    out
}

const SINCE: &str = "<details><summary>Since last run";

fn since_table(summary: &Summary) -> String {
    let mut table = String::from(
        "| agent | resolved | still open | newly added | incorrect fix | improperly resolved | \
         disagreements |\n|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for agent in &summary.agents {
        if let AgentStatus::Ran { since: s, .. } = &agent.status {
            let _ = writeln!(
                table,
                "| {} | {} | {} | {} | {} | {} | {} |",
                inline(agent.label.as_str(), 40),
                s.resolved,
                s.still_open,
                s.newly_added,
                s.incorrect_fix,
                s.improperly_resolved,
                s.disagreements
            );
        }
    }
    let SinceLastRun { resolved, newly_added, .. } = summary.since();
    let mut out = String::new();
    let _ = write!(
        out,
        "{SINCE} (run {}: {newly_added} new, {resolved} resolved)</summary>\n\n{table}\n</details>\n\n",
        summary.run()
    );
    out
}

/// The "since last run" section of a page that stands.
fn since_of(body: &str) -> Option<&str> {
    let start = body.find(SINCE)?;
    let end = start + body[start..].find("</details>")?;
    body.get(start..end + "</details>".len())
}

fn details(out: &mut String, title: &str, count: usize, content: &str) {
    let _ = write!(
        out,
        "<details><summary>{title} ({count})</summary>\n\n{}\n\n</details>\n\n",
        content.trim_end()
    );
}

fn list<T>(out: &mut String, items: &[T], most: usize, line: fn(&T) -> String) {
    for item in items.iter().take(most) {
        out.push_str(&line(item));
        out.push('\n');
    }
    if let Some(more) = items.len().checked_sub(most).filter(|more| *more > 0) {
        let _ = writeln!(out, "- … and {more} more");
    }
    out.push('\n');
}

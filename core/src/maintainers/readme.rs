//! Maintainers from a README's table.

use crate::ids::Mention;

/// The logins in a table's column "Core Maintainer" or "Core Maintainers": `@name`, or a link to
/// a profile, top to bottom.
pub fn from_readme(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut column: Option<usize> = None;
    for line in text.lines() {
        let line = line.trim();
        if !line.contains('|') {
            column = None;
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let header = cells.iter().position(|cell| {
            let cell = cell.trim_matches('*').to_ascii_lowercase();
            matches!(cell.as_str(), "core maintainer" | "core maintainers" | "core maintainer(s)")
        });
        if header.is_some() {
            column = header;
        } else if let Some(cell) = column.and_then(|at| cells.get(at)) {
            found.extend(names(cell));
        }
    }
    found
}

fn names(cell: &str) -> Vec<Mention> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut names = Vec::new();
    for (at, _) in cell.match_indices('@') {
        let name: String = cell[at + 1..].chars().take_while(|c| plain(*c)).collect();
        names.extend(Mention::new(&name).ok());
    }
    if names.is_empty() {
        for (at, mark) in cell.match_indices("github.com/") {
            let name: String = cell[at + mark.len()..].chars().take_while(|c| plain(*c)).collect();
            names.extend(Mention::new(&name).ok());
        }
    }
    names
}

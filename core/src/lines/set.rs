//! A set of lines of one file.

use std::ops::RangeInclusive;

/// 1-based lines as ranges: in order, disjoint, and never adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineSet {
    ranges: Vec<RangeInclusive<u32>>,
}

impl LineSet {
    /// Adds lines; an empty range adds none.
    pub fn insert(&mut self, lines: RangeInclusive<u32>) {
        let (mut start, mut end) = lines.into_inner();
        if start > end {
            return;
        }
        let from = self.ranges.partition_point(|have| have.end().saturating_add(1) < start);
        let to = self.ranges.partition_point(|have| *have.start() <= end.saturating_add(1));
        for have in &self.ranges[from..to] {
            start = start.min(*have.start());
            end = end.max(*have.end());
        }
        self.ranges.splice(from..to, [start..=end]);
    }

    /// Whether the line is in it.
    pub fn contains(&self, line: u32) -> bool {
        self.range_of(line).is_some()
    }

    /// The whole run of lines around a line that is in it.
    pub fn range_of(&self, line: u32) -> Option<RangeInclusive<u32>> {
        let at = self.ranges.partition_point(|have| *have.end() < line);
        self.ranges.get(at).filter(|have| have.contains(&line)).cloned()
    }

    /// What of `lines` is in it, for example the part of a hunk.
    pub fn within(&self, lines: &RangeInclusive<u32>) -> Self {
        let mut part = Self::default();
        for have in &self.ranges {
            part.insert(*have.start().max(lines.start())..=*have.end().min(lines.end()));
        }
        part
    }

    /// The runs of lines, in order.
    pub fn ranges(&self) -> &[RangeInclusive<u32>] {
        &self.ranges
    }

    /// Every line, in order.
    pub fn lines(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().cloned().flatten()
    }

    /// Whether no line is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl FromIterator<RangeInclusive<u32>> for LineSet {
    fn from_iter<I: IntoIterator<Item = RangeInclusive<u32>>>(ranges: I) -> Self {
        let mut set = Self::default();
        for range in ranges {
            set.insert(range);
        }
        set
    }
}

//! From decisions to writes: every text in full, before the first of them is sent.

use crate::decide::{Act, Case, Closer, Decision, Form, Said, Telling};
use crate::footer::{Footer, HiddenLine, Marker, ReplyKind, add_key};
use crate::ids::ThreadId;
use crate::inventory::{Home, Prior, ThreadRef};
use crate::key::{FindingKey, Twin};
use crate::model::{Finding, NoteReason, Place, Tag};
use crate::render;
use crate::writes::{CommentEdit, NewComment, Reply, ThreadChange, ThreadWrite};

/// A finding that is told for the first time (or afresh), as an inline comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFinding {
    /// The comment.
    pub comment: NewComment,
    /// Index into the decisions.
    pub decision: usize,
    /// Index into the analysis' findings.
    pub finding: usize,
    /// The thread it takes over from (row 5).
    pub replaces: Option<ThreadId>,
}

/// What becomes of the notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteChange {
    /// Index into the decisions.
    pub decision: usize,
    /// Index into the analysis' findings.
    pub finding: usize,
    /// Why it is one.
    pub reason: NoteReason,
}

/// Everything that is to be written, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// First: replies, resolves, un-resolves.
    pub threads: Vec<ThreadWrite>,
    /// Further names of findings, by editing own comments.
    pub edits: Vec<CommentEdit>,
    /// Then: one review with these.
    pub comments: Vec<NewFinding>,
    /// New notes, for the metadata.
    pub notes: Vec<NoteChange>,
}

impl Plan {
    /// Whether nothing is written but the metadata.
    pub fn is_quiet(&self) -> bool {
        self.threads.is_empty() && self.edits.is_empty() && self.comments.is_empty()
    }
}

/// Turns decisions into writes.
pub fn plan(case: &Case<'_>, decisions: &[Decision], marker: &Marker) -> Plan {
    let writer = Writer { case, marker };
    let mut plan = Plan::default();
    for (at, decision) in decisions.iter().enumerate() {
        writer.write(at, decision, &mut plan);
    }
    // The strictest first, then by position, as findings are sorted.
    plan.comments.sort_by_key(|new| (case.analysis.findings[new.finding].tag, new.finding));
    plan
}

/// The reply and resolve of row 5, for when the new thread exists.
pub fn point_to_newer(
    case: &Case<'_>,
    prior: &Prior,
    thread: &ThreadRef,
    to: &str,
    marker: &Marker,
) -> Option<ThreadWrite> {
    if prior.facts.superseded {
        // It says so already; somebody opened it again.
        let (thread, change) = (thread.id.clone(), ThreadChange::Resolve);
        return Some(ThreadWrite { thread, reply: None, change });
    }
    let key = whole_key(prior)?;
    let writer = Writer { case, marker };
    let body = render::reply::superseded(&case.agent.label, to);
    Some(writer.reply(prior, thread, ReplyKind::Superseded, key, &body, ThreadChange::Resolve))
}

struct Writer<'a> {
    case: &'a Case<'a>,
    marker: &'a Marker,
}

impl Writer<'_> {
    fn write(&self, at: usize, decision: &Decision, plan: &mut Plan) {
        let prior = decision.prior.map(|prior| &self.case.inventory.priors[prior]);
        let found = decision.finding.map(|at| (at, &self.case.analysis.findings[at]));
        let name = decision.name.as_ref();
        if let (true, Some(prior), Some((_, finding)), Some(name)) =
            (decision.rename, prior, found, name)
        {
            plan.edits.extend(self.rename(prior, finding, name));
        }
        match &decision.act {
            Act::Leave | Act::Drop | Act::SettleNote => {}
            Act::Post { form, telling } => {
                let (Some((index, finding)), Some(name)) = (found, name) else { return };
                match telling {
                    Telling::Comment => {
                        let comment = self.comment(finding, name, form);
                        let new =
                            NewFinding { comment, decision: at, finding: index, replaces: None };
                        plan.comments.push(new);
                    }
                    Telling::Note(reason) => plan.notes.push(NoteChange {
                        decision: at,
                        finding: index,
                        reason: *reason,
                    }),
                }
            }
            Act::Repost => {
                let (Some((index, finding)), Some(name)) = (found, name) else { return };
                let comment = self.comment(finding, name, &Form::Fresh);
                let replaces = prior.and_then(Prior::thread).map(|thread| thread.id.clone());
                plan.comments.push(NewFinding { comment, decision: at, finding: index, replaces });
            }
            Act::PointToNewer { to } => {
                if let Some((prior, thread)) = prior.and_then(|p| Some((p, p.thread()?))) {
                    plan.threads.extend(point_to_newer(self.case, prior, thread, to, self.marker));
                }
            }
            Act::Reopen { said } => {
                if let (Some(prior), Some((_, finding))) = (prior, found) {
                    plan.threads.extend(self.reopen(prior, finding, name, *said));
                }
            }
            Act::Escalate => {
                if let (Some(prior), Some((_, finding))) = (prior, found) {
                    plan.threads.extend(self.escalate(prior, finding, name));
                }
            }
            Act::Close { closer } => {
                plan.threads.extend(prior.and_then(|prior| self.close(prior, *closer)));
            }
            Act::CloseAgain { closer: Closer::NotLast } => {}
            Act::CloseAgain { closer: Closer::Last } => {
                plan.threads.extend(prior.and_then(Prior::thread).map(|thread| ThreadWrite {
                    thread: thread.id.clone(),
                    reply: None,
                    change: ThreadChange::Resolve,
                }));
            }
            Act::Concur { thread, their_tag } => {
                if let (Some((_, finding)), Some(name)) = (found, name) {
                    plan.threads.push(self.concur(thread, *their_tag, finding, name));
                }
            }
        }
    }

    fn comment(&self, finding: &Finding, name: &(FindingKey, Twin), form: &Form) -> NewComment {
        let (key, twin) = name;
        let (line, start_line) = match finding.place {
            Place::Inline(lines) => (lines.last, (lines.first < lines.last).then_some(lines.first)),
            Place::ReAnchored { line, .. } | Place::File { line } => (line, None),
            // Notes are not posted; a line must be given all the same.
            Place::Note(_) => (finding.reported.lines.map_or(1, |lines| lines.first), None),
        };
        let body = render::comment::body(&render::comment::Text {
            agent: &self.case.agent.name,
            label: &self.case.agent.label,
            finding,
            form,
            key: *key,
            twin,
            ping: &self.case.maintainers.to_call(&finding.reported.path),
            marker: self.marker,
        });
        NewComment { key: *key, path: finding.reported.path.clone(), line, start_line, body }
    }

    fn rename(
        &self,
        prior: &Prior,
        finding: &Finding,
        (key, _): &(FindingKey, Twin),
    ) -> Option<CommentEdit> {
        let thread = match &prior.home {
            Home::Own(thread) => thread,
            // The comment is another agent's: the concurrence keeps its name.
            Home::Shared(_) | Home::Note(_) => return None,
        };
        let body = thread.editable_body.as_deref()?;
        let footer = Footer::finding(self.case.agent.name.clone(), *key, finding.site);
        Some(CommentEdit {
            comment: thread.root,
            node: thread.root_node.clone(),
            body: add_key(body, &footer, self.marker),
        })
    }

    fn reopen(
        &self,
        prior: &Prior,
        finding: &Finding,
        name: Option<&(FindingKey, Twin)>,
        said: Said,
    ) -> Option<ThreadWrite> {
        let thread = prior.thread()?;
        match said {
            Said::Already => Some(ThreadWrite {
                thread: thread.id.clone(),
                reply: None,
                change: ThreadChange::Unresolve,
            }),
            Said::NotYet => {
                let key = whole_key(prior).or(name.map(|(key, _)| *key))?;
                let body = render::reply::improperly_resolved(
                    &self.case.agent.label,
                    &self.case.trees.head,
                    &finding.reported,
                    &self.case.maintainers.to_call(&finding.reported.path),
                );
                let kind = ReplyKind::ImproperResolution;
                let change = ThreadChange::Unresolve;
                Some(self.reply(prior, thread, kind, key, &body, change))
            }
        }
    }

    fn escalate(
        &self,
        prior: &Prior,
        finding: &Finding,
        name: Option<&(FindingKey, Twin)>,
    ) -> Option<ThreadWrite> {
        let thread = prior.thread()?;
        let key = whole_key(prior).or(name.map(|(key, _)| *key))?;
        let body = render::reply::disagreement(
            &self.case.agent.label,
            &self.case.trees.head,
            &finding.reported,
            &self.case.maintainers.to_call(&finding.reported.path),
        );
        let kind = ReplyKind::Disagreement;
        Some(self.reply(prior, thread, kind, key, &body, ThreadChange::Keep))
    }

    fn close(&self, prior: &Prior, closer: Closer) -> Option<ThreadWrite> {
        let thread = prior.thread()?;
        let key = whole_key(prior)?;
        let body = render::reply::fixed(&self.case.agent.label, &self.case.trees.head);
        let change = match closer {
            Closer::Last => ThreadChange::Resolve,
            Closer::NotLast => ThreadChange::Keep,
        };
        Some(self.reply(prior, thread, ReplyKind::Resolution, key, &body, change))
    }

    fn concur(
        &self,
        thread: &ThreadId,
        their_tag: Tag,
        finding: &Finding,
        (key, twin): &(FindingKey, Twin),
    ) -> ThreadWrite {
        let own_tag = (finding.tag < their_tag).then_some(finding.tag);
        let body = render::reply::concur(self.case.agent, &finding.reported, own_tag);
        let hidden = HiddenLine::of(finding, twin);
        let footer = Footer::reply(
            self.case.agent.name.clone(),
            *key,
            Some(finding.site),
            ReplyKind::Concurrence,
        );
        ThreadWrite {
            thread: thread.clone(),
            reply: Some(Reply {
                kind: ReplyKind::Concurrence,
                key: *key,
                body: render::with_footer(&body, Some(&hidden), &footer, self.marker),
            }),
            change: ThreadChange::Keep,
        }
    }

    fn reply(
        &self,
        prior: &Prior,
        thread: &ThreadRef,
        kind: ReplyKind,
        key: FindingKey,
        body: &str,
        change: ThreadChange,
    ) -> ThreadWrite {
        let footer = Footer::reply(self.case.agent.name.clone(), key, prior.site, kind);
        ThreadWrite {
            thread: thread.id.clone(),
            reply: Some(Reply {
                kind,
                key,
                body: render::with_footer(body, None, &footer, self.marker),
            }),
            change,
        }
    }
}

/// The oldest whole key: the name that the thread's comment has always had.
fn whole_key(prior: &Prior) -> Option<FindingKey> {
    prior.keys.iter().find_map(|known| match known {
        crate::inventory::KnownKey::Whole(key) => Some(*key),
        crate::inventory::KnownKey::Prefix(_) => None,
    })
}

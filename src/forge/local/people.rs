//! What people do on a branch without GitHub: answer, resolve, open again.

use rereview_core::ids::{Account, ThreadId};
use rereview_core::writes::ThreadChange;

use super::document::Document;
use super::store::{Home, LocalError};

impl Home {
    /// `who` answers in a thread, at `now` (RFC 3339, UTC).
    pub fn reply(
        &self,
        thread: &ThreadId,
        who: &Account,
        body: &str,
        now: &str,
    ) -> Result<(), LocalError> {
        if body.trim().is_empty() {
            return Err(LocalError::EmptyReply);
        }
        self.act(thread, |document| document.reply(thread, who, body, now))
    }

    /// `who` resolves a thread; one that is resolved stays with whoever did it first.
    pub fn resolve(&self, thread: &ThreadId, who: &Account) -> Result<(), LocalError> {
        self.act(thread, |document| document.change(thread, ThreadChange::Resolve, who))
    }

    /// `who` opens a thread again.
    pub fn unresolve(&self, thread: &ThreadId, who: &Account) -> Result<(), LocalError> {
        self.act(thread, |document| document.change(thread, ThreadChange::Unresolve, who))
    }

    fn act(
        &self,
        thread: &ThreadId,
        act: impl FnOnce(&mut Document) -> Option<()>,
    ) -> Result<(), LocalError> {
        let mut document = self.load()?;
        act(&mut document)
            .ok_or_else(|| LocalError::NoThread { thread: thread.as_str().to_owned() })?;
        self.save(&document)
    }
}

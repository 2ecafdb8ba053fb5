//! Which name a finding goes by: twins of one anchor get the next free number (spec 10 §2).

use std::collections::BTreeSet;

use crate::ids::AgentName;
use crate::inventory::{Inventory, Prior};
use crate::key::{FindingKey, KeyPrefix, Twin};
use crate::model::{Agent, Finding, IdentityRule};

/// The names of one agent on one pull request.
#[derive(Debug)]
pub struct Names {
    agent: AgentName,
    rule: IdentityRule,
    taken: BTreeSet<KeyPrefix>,
}

impl Names {
    /// Every name that a thread or note ever had stays taken.
    pub fn new(agent: &Agent, inventory: &Inventory) -> Self {
        let known = inventory.priors.iter().flat_map(|prior| &prior.keys);
        Self {
            agent: agent.name.clone(),
            rule: agent.identity,
            taken: known.map(crate::inventory::KnownKey::prefix).collect(),
        }
    }

    /// The name of a finding that a prior thread or note already tells: one of its own names, if
    /// that fits where the finding stands now; else the next free one there.
    pub(super) fn of_known(&mut self, prior: &Prior, finding: &Finding) -> (FindingKey, Twin) {
        let own = |(key, _): &(FindingKey, Twin)| prior.keys.iter().any(|known| known.names(key));
        // The number it has is nearly always the right one: looked at before all others.
        let number = prior.class.as_ref().map_or(1, Twin::ordinal);
        let fits = self
            .candidates(finding, number)
            .take(1)
            .chain(self.candidates(finding, 1).take(self.taken.len() + 1))
            .find(own);
        match fits {
            Some(name) => name,
            None => self.of_new(finding),
        }
    }

    /// The next free name where the finding stands.
    pub(super) fn of_new(&mut self, finding: &Finding) -> (FindingKey, Twin) {
        let plain = (finding.key, Twin::first(finding.reported.class.clone()));
        let name = match self.rule {
            IdentityRule::Strict => plain,
            IdentityRule::Lines => self
                .candidates(finding, 1)
                .find(|(key, _)| !self.taken.contains(&key.prefix()))
                .unwrap_or(plain),
        };
        self.taken.insert(name.0.prefix());
        name
    }

    fn candidates(
        &self,
        finding: &Finding,
        from: u32,
    ) -> impl Iterator<Item = (FindingKey, Twin)> + use<> {
        let agent = self.agent.clone();
        let (path, anchor) = (finding.reported.path.clone(), finding.anchor.clone());
        let class = finding.reported.class.clone();
        (from..).map(move |ordinal| {
            let twin = Twin::nth(class.clone(), ordinal);
            (FindingKey::new(&agent, &path, &anchor, &twin), twin)
        })
    }
}

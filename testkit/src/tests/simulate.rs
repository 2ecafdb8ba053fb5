//! Histories replay, shrink, and catch a reviewer that forgets.

use std::collections::{BTreeMap, BTreeSet};

use super::key;
use crate::footers::{footer, own_threads};
use crate::invariants::{Analysis, Truth};
use crate::simulate::{LINTER, Ran, Simulation, Step, history, shrink};

/// One thread per class, made and settled straight through GitHub: a rereview of ten lines.
fn naive(sim: &Simulation) -> Ran {
    let present: BTreeSet<String> = sim.report().iter().map(|f| key(&f.class[4..])).collect();
    let bot = "rereview[bot]";
    sim.forge.change(|github| {
        let me = rereview_core::ids::Account::from_login(bot);
        github.users.get_mut(&me).unwrap().role = rereview::forge::Permission::Write;
        let pull = github.pull(1).clone();
        let own = own_threads(&pull, &me);
        for it in own.iter().filter(|it| !it.resolved() && !present.contains(&it.key)) {
            github.act(bot, 1).resolve(&it.thread.id).unwrap();
        }
        let Some((path, range)) =
            pull.commits[&pull.head].iter().find_map(|(p, r)| Some((p.to_string(), r.first()?)))
        else {
            return;
        };
        for key in &present {
            let mut of_key = own.iter().filter(|it| it.key == *key);
            let ruled =
                |it: &crate::footers::OwnThread<'_>| it.thread.resolved_by != Some(me.clone());
            if !of_key.any(|it| !it.resolved() || ruled(it)) {
                let body = format!("bad\n\n{}", footer(LINTER, key, key, None));
                github.act(bot, 1).comment(&path, *range.start(), &body).unwrap();
            }
        }
    });
    let truth = Truth { present, analysis: Analysis::Complete };
    Ran::Ended(BTreeMap::from([(LINTER.to_owned(), truth)]))
}

/// Without the faults: they come over a wire, which the naive run does not use.
fn steps(seed: u64) -> Vec<Step> {
    let steps = history(seed, 40);
    steps.into_iter().filter(|step| !matches!(step, Step::Fault(..))).collect()
}

#[test]
fn a_seed_is_a_history() {
    assert_eq!(history(7, 50), history(7, 50));
    assert_ne!(history(7, 50), history(8, 50));
    let play = || {
        let mut sim = Simulation::new();
        sim.play(&steps(7), naive).unwrap();
        sim.forge.github()
    };
    assert_eq!(play(), play());
}

#[test]
fn what_holds_holds_on_every_history() {
    for seed in 0..30 {
        let mut sim = Simulation::new();
        sim.play(&steps(seed), naive).unwrap_or_else(|found| panic!("seed {seed}: {found:#?}"));
    }
}

#[test]
fn a_forgetful_run_is_caught_and_shrunk() {
    let forgetful = |sim: &Simulation| {
        let before = sim.forge.github();
        let ran = naive(sim);
        // Never resolves: whatever was open stays open.
        sim.forge.change(|github| {
            let old = &before.pull(1).threads;
            let pull = github.pulls.values_mut().next().unwrap();
            for thread in &mut pull.threads {
                if let Some(old) = old.iter().find(|t| t.id == thread.id) {
                    thread.resolved_by.clone_from(&old.resolved_by);
                }
            }
        });
        ran
    };
    let fails = |steps: &[Step]| Simulation::new().play(steps, forgetful).is_err();
    let seed = (0..30).find(|seed| fails(&steps(*seed))).expect("a failing history");
    let least = shrink(steps(seed), fails);
    assert!(fails(&least) && least.len() <= 4, "{least:#?}");
}

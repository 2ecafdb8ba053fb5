//! A few seeded histories in every test run; `cargo xtask simulate` plays thousands.

use rereview_testkit::play::rereview;
use rereview_testkit::simulate::{Simulation, history};

#[test]
fn what_must_hold_holds_on_seeded_histories() {
    for seed in 10_000..10_040 {
        let steps = history(seed, 14);
        if let Err(found) = Simulation::new().play(&steps, rereview) {
            panic!("seed {seed}: {found:#?}\n{steps:#?}");
        }
    }
}

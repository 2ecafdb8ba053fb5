//! Simulated histories, by the thousand: what must hold is checked after every run.

use std::time::Instant;

use rereview_testkit::play::rereview;
use rereview_testkit::simulate::{Simulation, Step, history, shrink};

/// Steps of a history.
const LENGTH: usize = 14;

/// Plays so many histories; the first that fails is shrunk and shown with its seed.
pub(crate) fn run(runs: &str) -> Result<String, String> {
    let runs: u64 = runs.parse().map_err(|_| format!("`{runs}` is not a number"))?;
    let began = Instant::now();
    let (mut steps, mut faults) = (0_usize, 0_usize);
    for seed in 0..runs {
        let plan = history(seed, LENGTH);
        steps += plan.len();
        faults += plan.iter().filter(|step| matches!(step, Step::Fault(..))).count();
        if let Err(found) = Simulation::new().play(&plan, rereview) {
            let fails = |steps: &[Step]| Simulation::new().play(steps, rereview).is_err();
            let least = shrink(plan, fails);
            let shown = Simulation::new().play(&least, rereview).err().unwrap_or(found);
            return Err(format!("seed {seed} fails:\n{}\n{least:#?}", shown.join("\n")));
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    Ok(format!(
        "{runs} histories, {steps} actions, {faults} faults in {seconds:.1} s \
         ({:.0} histories a second)",
        f64::from(u32::try_from(runs).unwrap_or(u32::MAX)) / seconds.max(0.001)
    ))
}

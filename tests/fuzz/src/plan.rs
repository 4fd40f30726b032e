//! The file of a plan: `assay collect PLAN.toml`.

use assay_merge::plan::{Plan, Survey};

use super::check::{bounded, names_a_place, with_file};

/// As of experiments.
const FACTOR: u64 = 1200;
const CONSTANT: u64 = 64 << 10;

/// Messages about a plan as a whole.
const WHOLE: &[&str] =
    &["without a [[block]]", "names no `anchor`", "no run can count both", "unknown event of stats:"];

/// Reads a plan, surveys it, and reads it again as it is written.
pub fn plan(input: &[u8]) {
    let read = |text: &[u8]| with_file(text, Plan::load);
    match bounded(input, FACTOR, CONSTANT, || read(input)) {
        Err(error) => names_a_place(&error.to_string(), WHOLE),
        Ok(plan) => {
            assert_eq!(read(plan.to_toml().as_bytes()).as_ref(), Ok(&plan));
            let events: Vec<String> = plan.events().into_iter().map(str::to_owned).collect();
            let survey = Survey::new(&plan, &events);
            let pairs =
                survey.times.values().sum::<usize>() + survey.uncovered.len() + survey.uncoverable.len();
            assert_eq!(pairs, events.len() * (events.len() - 1) / 2);
            assert!(survey.uncounted.is_empty() && plan.width() <= events.len());
        }
    }
}

//! Whether each general event opens by itself, and counts.

use assay_plugin_api::{Check, Verdict};

use super::super::cache::cache_events;
use super::super::general::GENERAL;
use super::super::machine::Machine;
use super::{Counted, absent, asked, broken, open};
use crate::work::Work;

/// Events that happen in every loop.
const ALWAYS: [&str; 6] = ["cycles", "instructions", "branches", "ref-cycles", "task-clock", "cpu-clock"];

/// Number of iterations, some 0.3 ms: enough for every event of [`ALWAYS`], and for a turn of a busy counter.
const SHORT: u64 = 1_000_000;

pub fn checks(machine: &Machine, work: &dyn Work) -> Vec<Check> {
    let general = GENERAL.iter().filter(|general| general.listed).map(|general| general.names[0].to_owned());
    general.chain(cache_events().map(|event| event.name)).map(|name| check(machine, work, &name)).collect()
}

fn check(machine: &Machine, work: &dyn Work, name: &str) -> Check {
    let asked = match asked(machine, name) {
        Ok(asked) => asked,
        Err(refusal) => return absent(name, &refusal),
    };
    let counted = open(machine, &[asked])
        .and_then(|mut group| Counted::during(&mut group, 1, || _ = work.count_down(SHORT)));
    let counted = match counted {
        Ok(counted) => counted,
        Err(error) => return broken(name, &error),
    };
    let check = match counted.incomplete(machine) {
        Some(fault) => Check::new(name, Verdict::Wrong, fault),
        None if counted.counts[0] == 0 && ALWAYS.contains(&name) => {
            Check::new(name, Verdict::Wrong, "it counted nothing while the thread worked")
        }
        None => Check::new(name, Verdict::Ok, "it opens and counts"),
    };
    Check { measured: Some(counted.counts[0] as f64), ..check }
}

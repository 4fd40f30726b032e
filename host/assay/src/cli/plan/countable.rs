//! Checks whether this machine can count the events of a plan.

use std::collections::BTreeMap;

use assay_base::error::Result;
use assay_base::io::console::counted;
use assay_experiment::counters::{grouped, together};
use assay_experiment::cpu;
use assay_experiment::definition::CpuPin;
use assay_load::plugin::{Kind, Registry};
use assay_measure::collect::{PlannedEvent, alike, find};
use assay_merge::plan::{OF_TWINS, Plan};

use crate::cli::{Outcome, Session};

/// Warns of events that this machine can't count. With `tries`, it looks at events of all backends and opens
/// each set of events; otherwise it looks only at events of installed backends, because the plan may be for
/// another machine.
///
/// # Errors
/// With `tries` if an event is unknown; if no process can be started.
pub(super) fn check(plan: &Plan, tries: bool, session: &Session) -> Result<Outcome> {
    let names: Vec<&str> = plan.events().into_iter().filter(|event| !event.starts_with(OF_TWINS)).collect();
    if names.is_empty() || !tries && names.iter().all(|name| !name.contains(':')) {
        return Ok(Outcome::Done);
    }
    let registry = session.registry()?;
    if !tries {
        let here: Vec<&str> = names.into_iter().filter(|name| has_backend(name, &registry)).collect();
        match find(&here, &registry) {
            Ok(found) => {
                warn_of_missing(&found, session);
                warn_of_alike(&found, session);
            }
            // The plan may be for another machine.
            Err(error) => session.console.warn(&error.to_string()),
        }
        return Ok(Outcome::Done);
    }
    let found = find(&names, &registry)?;
    warn_of_missing(&found, session);
    warn_of_alike(&found, session);
    // The CPU that a run takes by default.
    let cpu = cpu::choose(CpuPin::Last)?;
    let (mut failed, bar) = (0, session.console.progress(plan.blocks.len() as u64));
    for (number, block) in plan.blocks.iter().enumerate() {
        let events: Vec<&PlannedEvent> =
            found.iter().filter(|found| block.events.contains(&found.name)).collect();
        bar.inc(1);
        if events.iter().any(|found| found.missing().is_some()) {
            failed += 1;
            continue;
        }
        let known = events.into_iter().filter_map(|found| found.counter.clone());
        if let Err(error) = together(&grouped(known), cpu, &registry)? {
            failed += 1;
            bar.suspend(|| {
                session.console.warn(&error.after(&format!("block {}: ", number + 1)).to_string())
            });
        }
    }
    bar.finish_and_clear();
    if failed == 0 {
        session.console.note("each sub-experiment was tried here, and can be counted");
        return Ok(Outcome::Done);
    }
    let all = counted(plan.blocks.len(), "sub-experiment");
    session.console.warn(&format!("{failed} of {all} can't be counted here"));
    Ok(Outcome::SomethingFailed)
}

fn has_backend(name: &str, registry: &Registry) -> bool {
    name.split_once(':').is_some_and(|(backend, _)| registry.find(Kind::Counter, backend).is_ok())
}

/// Warns once of all events that have the same reason and remedy.
fn warn_of_missing(found: &[PlannedEvent], session: &Session) {
    let mut causes: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for found in found {
        if let Some(cause) = found.missing() {
            causes.entry(cause).or_default().push(&found.name);
        }
    }
    for ((reason, remedy), names) in causes {
        session.console.warn(&format!("can't be counted here: {}: {reason}. {remedy}", names.join(", ")));
    }
}

/// Warns of each event that seems to be planned under two names.
fn warn_of_alike(found: &[PlannedEvent], session: &Session) {
    for (one, other) in alike(found) {
        session.console.warn(&format!(
            "`{one}` and `{other}` seem to be one event under two names, since the backend says the same of both: plan without \
             one of them"
        ));
    }
}

//! Checks whether a machine is fit to measure. Each check is a function of a [`System`], a view of `/proc`
//! and `/sys`, so that tests use made-up machines; it returns a [`Finding`].
//!
//! There is a file for each subject: `virtualization`, `frequency`, `cores`, `activity`, `clocks`,
//! `counters`, `memory`, `plugin_folders`, `confinement`, `throttling` and `programs`. `script` turns the
//! remedies into commands. The findings that cost little are kept with each run.

#![warn(unreachable_pub)]

mod activity;
pub mod clocks;
mod confinement;
mod cores;
mod counters;
mod finding;
pub mod frequency;
pub mod memory;
mod plugin_folders;
mod programs;
mod script;
mod system;
#[cfg(test)]
mod testing;
mod throttling;
mod virtualization;

pub use finding::{CheckOutcome, CheckRecord, Finding, Remedy};
pub use plugin_folders::plugin_folders;
pub use programs::optional_programs;
pub use script::{FIX_HEADER, script};
pub use system::System;

use activity::Activity;
use assay_load::process::sandbox::Support;

/// The checks that only read files, so that each run can afford them: those that describe the machine, for
/// workers on this CPU (`None` if the system places them).
pub fn machine(system: &System, cpu: Option<usize>) -> Vec<Finding> {
    of_machine(system, cpu, None)
}

/// The checks of the machine, with what it did while it was watched.
fn of_machine(system: &System, cpu: Option<usize>, activity: Option<&Activity>) -> Vec<Finding> {
    vec![
        virtualization::machine(system),
        frequency::scaling(system, cpu),
        frequency::turbo(system),
        cores::hyper_threads(system, cpu, activity),
        cores::hybrid(system, cpu),
        cores::isolated(system, cpu),
        cores::pinning(system, cpu),
        cores::quota(system),
        activity::load(system, cpu, activity),
        clocks::source(system),
        clocks::stamp_counter(system),
        counters::hardware(system),
        counters::permission(system),
        counters::watchdog(system),
        memory::huge_pages(system),
        memory::swap(system),
        confinement::sandbox(&Support::here()),
    ]
}

/// All checks of the machine, after it was watched for half a second.
pub fn watched(system: &System, cpu: Option<usize>) -> Vec<Finding> {
    let throttling = throttling::ThrottleCount::read(system, cpu);
    let activity = Activity::watch(system, activity::WATCHED);
    let mut findings = of_machine(system, cpu, Some(&activity));
    findings.push(throttling.finding(system));
    findings
}

/// The checks of what will pass: whether others use the CPU of the workers or its siblings now (without a
/// CPU, any), and whether it was slowed down because it is hot. They watch the machine for half a second.
pub fn passing(system: &System, cpu: Option<usize>) -> Vec<Finding> {
    let throttling = throttling::ThrottleCount::read(system, cpu);
    let activity = Activity::watch(system, activity::WATCHED);
    vec![
        activity::load(system, cpu, Some(&activity)),
        cores::hyper_threads(system, cpu, Some(&activity)),
        throttling.finding(system),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{FakeSystem, MACHINES};

    #[test]
    fn each_check_has_a_name_of_its_own_and_says_what_to_do_about_what_is_not_in_order() {
        for machine in MACHINES {
            let machine = FakeSystem::new(machine);
            let findings = super::machine(machine.system(), Some(1));
            let names: HashSet<&str> = findings.iter().map(|finding| finding.name).collect();
            assert_eq!(names.len(), findings.len());
            for finding in findings {
                let wrong = matches!(finding.outcome, CheckOutcome::Warning | CheckOutcome::Problem);
                assert_eq!(wrong, finding.effect.is_some(), "{finding:?}");
                assert!(!wrong || finding.remedy.is_some(), "{finding:?}");
                assert!(!finding.found.is_empty(), "{finding:?}");
            }
        }
    }
}

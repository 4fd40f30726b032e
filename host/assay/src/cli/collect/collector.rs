//! Measures the parts of a collection, each with as many runs as it needs.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_experiment::Resolved;
use assay_experiment::definition::{Experiment, Stats};
use assay_load::plugin::Registry;
use assay_load::process::Interrupt;
use assay_measure::collect::{Manifest, PlannedEvent, PlannedRun, RUNS, SlowCell, slow_cells};
use assay_report::wording;
use assay_store::{Run, Status};

use super::nothing_measured;
use crate::cli::run::{RunProgress, failures};
use crate::run::{FinishedRun, execute};

/// How the measuring of a part has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartEnd {
    /// All repetitions are there.
    Completely,
    /// Searches that took too long are missing.
    WithoutSlowSearches,
    /// Another failure ended a cell, so the part does not count.
    Failed,
    /// The user interrupted it.
    Interrupted,
}

/// A collection that is being measured.
pub(super) struct Collector<'a> {
    out: &'a Path,
    pub(super) manifest: Manifest,
    found: &'a [PlannedEvent],
    registry: &'a Registry,
    console: &'a Console,
    /// The console for remarks on the text and the algorithms. They are the same for each run, so they are
    /// printed once.
    remarks: Console,
    /// The kinds of remarks on disturbances that were printed.
    printed: HashSet<String>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        out: &'a Path,
        manifest: Manifest,
        found: &'a [PlannedEvent],
        registry: &'a Registry,
        console: &'a Console,
    ) -> Self {
        Collector { out, manifest, found, registry, console, remarks: *console, printed: HashSet::new() }
    }

    /// Checks that the counters of all parts of a new collection can be counted, before the first is
    /// measured.
    ///
    /// # Errors
    /// If a part can't be measured.
    pub(super) fn check(&self, parts: &[PlannedRun]) -> Result<()> {
        let mut quiet = *self.console;
        quiet.quiet = true;
        for part in parts.iter().filter(|_| self.manifest.runs.is_empty()) {
            let experiment = self.experiment(*part);
            // All twins count the same, so the first part shows whether the others are possible.
            if experiment.stats == Stats::Perf {
                self.resolve(experiment, *part, &quiet)?;
            }
        }
        Ok(())
    }

    /// Measures what is missing of a part.
    ///
    /// # Errors
    /// If it can't be measured, or what it measured can't be kept.
    pub(super) fn measure(
        &mut self,
        part: PlannedRun,
        label: &str,
        interrupt: &Interrupt,
    ) -> Result<PartEnd> {
        loop {
            let runs = self.manifest.runs_of(self.out, part);
            let slow = slow_cells(&runs)?;
            let experiment = match slow.iter().find(|cell| cell.remaining() > 0) {
                _ if runs.is_empty() => self.experiment(part),
                Some(cell) => part.rest(self.experiment(part), cell, runs.len()),
                None => {
                    self.console.detail(&format!("{part} is complete"));
                    slow.iter().for_each(|cell| self.warn_of_slow(part, cell));
                    return Ok(if slow.is_empty() {
                        PartEnd::Completely
                    } else {
                        PartEnd::WithoutSlowSearches
                    });
                }
            };
            match self.measure_run(part, experiment, label, interrupt)? {
                PartEnd::Completely => {}
                ended => return Ok(ended),
            }
        }
    }

    /// Measures a run of a part, and notes it as complete unless it was interrupted or failed.
    fn measure_run(
        &mut self,
        part: PlannedRun,
        experiment: Experiment,
        label: &str,
        interrupt: &Interrupt,
    ) -> Result<PartEnd> {
        let resolved = self.resolve(experiment, part, &self.remarks)?;
        self.manifest.check_text(&resolved.text_of(0).facts(), self.out)?;
        self.remarks.quiet = true;
        let bar = RunProgress::new(self.console, &resolved, label);
        let runs = self.out.join(RUNS);
        let finished =
            execute(&resolved, self.registry, Some(&runs), interrupt.flag(), |step| bar.step(step));
        bar.finish();
        let Some(FinishedRun { run, saved, .. }) = finished? else { return Ok(PartEnd::Interrupted) };
        let saved = saved?.expect("it was to be saved");
        if run.experiment.interrupted {
            return Ok(PartEnd::Interrupted);
        }
        if self.manifest.runs.is_empty() && run.results.iter().all(|cell| cell.status == Status::CannotSearch)
        {
            // It has no rows, and would be in the way of the corrected command.
            let _ = fs::remove_dir_all(&saved);
            return Err(nothing_measured());
        }
        self.print_remarks(&run);
        let has_failed = |status: Status| status.is_failure() && status != Status::TimedOut;
        if run.results.iter().any(|cell| has_failed(cell.status)) {
            failures(&run).iter().for_each(|failure| self.console.warn(&format!("{part}: {failure}")));
            return Ok(PartEnd::Failed);
        }
        self.manifest.done(self.out, part, &saved)?;
        self.console.detail(&format!("{label}{part} is saved in {}", saved.display()));
        Ok(PartEnd::Completely)
    }

    /// The experiment of a part.
    fn experiment(&self, part: PlannedRun) -> Experiment {
        let Manifest { experiment, plan, same_patterns, .. } = &self.manifest;
        part.experiment(experiment, plan, self.found, *same_patterns)
    }

    /// Resolves an experiment, and checks that all of its counters can be counted.
    fn resolve(&self, experiment: Experiment, part: PlannedRun, remarks: &Console) -> Result<Resolved> {
        self.counting(experiment, part, remarks).map_err(|error| error.after(&format!("{part}: ")))
    }

    fn counting(&self, experiment: Experiment, part: PlannedRun, remarks: &Console) -> Result<Resolved> {
        let resolved = experiment.clone().resolve(self.registry, remarks)?;
        if resolved.experiment.stats == Stats::Algo {
            return Ok(resolved);
        }
        let missing = self.uncounted(&resolved, part);
        if missing.is_empty() {
            return Ok(resolved);
        }
        if remarks.quiet && !self.console.quiet {
            // The warnings have the reasons.
            experiment.resolve(self.registry, self.console)?;
        }
        Err(Error::new(format!("{} can't be counted in this set", missing.join(", ")))
            .remedy("see the warning above, or leave them out of the plan"))
    }

    /// The events of a part that an experiment does not count.
    fn uncounted(&self, resolved: &Resolved, part: PlannedRun) -> Vec<&str> {
        let (names, events) = (resolved.counter_names(), part.events(&self.manifest.plan));
        let of_part = self.found.iter().filter(|found| events.contains(&found.name.as_str()));
        of_part.filter(|found| !names.contains(&found.column)).map(|found| found.name.as_str()).collect()
    }

    /// Prints the remarks on a run. One of several that differ only in figures is enough: the saved runs have
    /// the others.
    fn print_remarks(&mut self, run: &Run) {
        for remark in remarks_of(run) {
            let kind = remark.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or_default();
            if self.printed.insert(kind.to_owned()) {
                self.console.warn(&remark);
            }
        }
    }

    fn warn_of_slow(&self, part: PlannedRun, cell: &SlowCell) {
        let SlowCell { algorithm, pattern_length, measured, slow, asked } = cell;
        let limit = self.manifest.experiment.time_limit_ms;
        let left = asked.saturating_sub(measured + slow);
        let given_up = match (left, measured) {
            (0, _) => String::new(),
            (_, 0) => "; there are no tables of it, because no search was in time".to_owned(),
            _ => format!(
                "; {} more were not tried, because too many were too slow",
                counted(left, "repetition")
            ),
        };
        self.console.warn(&format!(
            "{part}: {algorithm} m={pattern_length}: {} of {asked} took longer than the time limit ({limit} ms), and {} \
             missing{given_up}",
            counted(*slow, "repetition"),
            if *slow == 1 { "is" } else { "are" }
        ));
    }
}

/// Remarks on disturbances of the counts. Disturbances of times are left out if no event is a time.
fn remarks_of(run: &Run) -> Vec<String> {
    let facts = &run.experiment;
    let units = ["s", "ms", "us", "ns", "ticks", "cycles"];
    let timed = facts.counters.iter().any(|counter| units.contains(&counter.unit.as_str()));
    if timed { wording::remarks(facts) } else { wording::remarks_on_counts(&facts.noise) }
}

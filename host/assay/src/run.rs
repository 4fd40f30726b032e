//! A whole run: it measures a resolved experiment, computes the results, and saves them if that is wanted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assay_base::error::{Error, Result};
use assay_conformance::{Passes, Subject};
use assay_doctor::{CheckRecord, Finding, System, frequency};
use assay_experiment::Resolved;
use assay_experiment::former_ids;
use assay_experiment::points::TextGroup;
use assay_load::plugin::Registry;
use assay_measure::worker::{CounterSetup, counting_costs};
use assay_measure::{
    EarlierParts, Measurement, MeasurementStep, Outcomes, Pool, ReferenceCounts, counter_setups,
};
use assay_report::RangeAxis;
use assay_report::Report;
use assay_report::export::page::page;
use assay_store::folder::{SaveFolder, new_id};
use assay_store::journal::Journal;
use assay_store::parts::{PartDifferences, differences};
use assay_store::provenance::LibraryFacts;
use assay_store::{Cell, CountingCost, Run};

/// A run that has ended.
#[derive(Debug)]
pub struct FinishedRun {
    /// The facts of the run, and its results.
    pub run: Run,
    /// The report on its rows, from which all figures are computed.
    pub report: Report,
    /// The folder in which it was saved; `None` if it was not to be saved. It is an error if saving failed,
    /// while `run` still has the results.
    pub saved: Result<Option<PathBuf>>,
}

/// A step of a run, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub enum RunStep<'a> {
    /// Whether the machine is fit to measure was checked.
    Checked(&'a [CheckRecord]),
    /// This number of blocks of the journal has lost its rows, and is measured again.
    Lost(usize),
    /// The reference search counts the occurrences of a pattern.
    Counted,
    /// Repetitions were measured.
    Measured {
        /// Id of the algorithm.
        algorithm: &'a str,
        /// The range value: `m=8`.
        at: &'a str,
        /// The number of repetitions.
        repetitions: usize,
    },
}

/// Measures an experiment, and saves the run below the folder `out`, if there is one. `progress` gets each
/// step: [`Resolved::searches`] counts, and the same number of repetitions for each algorithm, or more if the
/// experiment decides itself when to stop. Setting `interrupted` ends the run early with the repetitions
/// measured so far; the result is `None` if there are none.
///
/// # Errors
/// If nothing could be measured, because there is too little memory, or `out` can't be written.
pub fn execute(
    resolved: &Resolved,
    registry: &Registry,
    out: Option<&Path>,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(RunStep<'_>),
) -> Result<Option<FinishedRun>> {
    let id = new_id();
    let folder = out.map(|out| SaveFolder::create(out, &id)).transpose()?;
    let findings = assay_doctor::machine(&System::here(), resolved.cpu);
    let mut checks: Vec<CheckRecord> = findings.iter().map(Finding::record).collect();
    progress(RunStep::Checked(&checks));
    let mut run = Run::new(resolved, id, resolved.since.elapsed().as_secs_f64());
    run.experiment.untested = Some(untested(resolved, registry));
    let ids = resolved.algorithms.iter().map(|chosen| chosen.id.as_str());
    run.experiment.changed_ids = former_ids::changed(ids, registry);
    if run.experiment.has_times() {
        let machine = &mut run.experiment.machine;
        machine.measure_clocks(resolved.cpu, registry)?;
        let frequency = frequency::reported(machine.core_hz, machine.core_reported.as_ref());
        checks.push(frequency.record());
    }
    run.experiment.checks = checks;
    let (setups, costs) = prepare_counters(resolved, registry)?;
    run.experiment.counters.iter_mut().zip(costs).for_each(|(facts, cost)| facts.cost = cost);
    let journal = match &folder {
        Some(folder) => folder.begin(resolved, &run)?,
        None => Journal::temporary(resolved)?,
    };
    let earlier = EarlierParts::default();
    ReadyRun { resolved, registry, folder, run, setups, journal, earlier, interrupted }.measure(progress)
}

/// Continues a run that was [taken again](SaveFolder::reopen), with the experiment that it was begun with. If
/// all is measured, it only gets its name. `progress` and `interrupted` are as for [`execute`].
///
/// # Errors
/// If the run was damaged; if it would be another experiment; if conditions differ from when it was begun,
/// unless `force` is set; or as for [`execute`].
pub(crate) fn resume(
    resolved: &Resolved,
    registry: &Registry,
    (folder, mut run): (SaveFolder, Run),
    force: bool,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(RunStep<'_>),
) -> Result<Option<FinishedRun>> {
    if !run.experiment.interrupted {
        return named(&folder).map(Some);
    }
    let conditions = differing_conditions(&run, resolved, force)?;
    let now = Run::new(resolved, run.experiment.id.clone(), 0.0).experiment;
    let earlier_set_up_s = run.experiment.elapsed.set_up_s;
    run.experiment.elapsed.set_up_s += resolved.since.elapsed().as_secs_f64();
    let (setups, _) = prepare_counters(resolved, registry)?;
    let new = now.libraries.into_iter().filter(|library| !run.experiment.libraries.contains(library));
    let new: Vec<LibraryFacts> = new.collect();
    run.experiment.libraries.extend(new);
    let (journal, blocks) = folder.resume(resolved, &mut run, conditions)?;
    if journal.lost_blocks() > 0 {
        progress(RunStep::Lost(journal.lost_blocks()));
    }
    let spent = Duration::try_from_secs_f64(earlier_set_up_s + run.experiment.parts_measuring_s());
    let earlier = EarlierParts::new(blocks, spent.unwrap_or_default());
    let folder = Some(folder);
    ReadyRun { resolved, registry, folder, run, setups, journal, earlier, interrupted }.measure(progress)
}

/// Ends a run that has measured all, and was killed or could not write before its folder had its name.
///
/// # Errors
/// If a file of it can't be read.
fn named(folder: &SaveFolder) -> Result<FinishedRun> {
    let report = Report::begun(folder.path())?;
    let run = report.results()?;
    let saved = folder.fill_derived(&run, &page(&run)).and_then(|()| folder.finish());
    Ok(FinishedRun { run, report, saved: saved.map(Some).map_err(|error| folder.explain(error)) })
}

/// Compares a run that was interrupted with what would be measured now. Returns the conditions that differ,
/// which are none unless `force` is set.
///
/// # Errors
/// If it would be another experiment; or if conditions differ, unless `force` is set.
pub(crate) fn differing_conditions(run: &Run, resolved: &Resolved, force: bool) -> Result<Vec<String>> {
    let now = Run::new(resolved, run.experiment.id.clone(), 0.0).experiment;
    let PartDifferences { work, conditions } = differences(&run.experiment, &now);
    if !work.is_empty() {
        return Err(changed_since(run, &work).remedy(
            "restore what has changed, or begin another run: rows of another experiment can't be in one run",
        ));
    }
    if !(conditions.is_empty() || force) {
        return Err(changed_since(run, &conditions).remedy(
            "--force continues it nevertheless: the new part is marked, and its figures are mixed with the others",
        ));
    }
    Ok(conditions)
}

/// The error that a run can't be continued because of these differences, a line each.
fn changed_since(run: &Run, lines: &[String]) -> Error {
    let lines = lines.iter().map(|line| format!("\n  {line}")).collect::<String>();
    let id = &run.experiment.id;
    Error::new(format!("run {id} can't be continued, because this has changed since it began:{lines}"))
}

/// What the workers count, and what counting costs.
///
/// # Errors
/// If the library of a counter backend can't be used.
fn prepare_counters(
    resolved: &Resolved,
    registry: &Registry,
) -> Result<(Vec<CounterSetup>, Vec<CountingCost>)> {
    let mut setups = counter_setups(resolved, registry)?;
    let costs = counting_costs(&mut setups, resolved.cpu, resolved.launch.as_ref())?;
    Ok((setups, costs))
}

/// A run that is ready to measure.
struct ReadyRun<'a> {
    resolved: &'a Resolved,
    registry: &'a Registry,
    folder: Option<SaveFolder>,
    run: Run,
    setups: Vec<CounterSetup>,
    journal: Journal,
    earlier: EarlierParts,
    interrupted: &'a AtomicBool,
}

impl ReadyRun<'_> {
    /// Measures, computes the results, and saves them if there is a folder.
    fn measure(self, mut progress: impl FnMut(RunStep<'_>)) -> Result<Option<FinishedRun>> {
        let ReadyRun { resolved, registry, folder, mut run, setups, mut journal, .. } = self;
        let (begun, mut counts) = (Instant::now(), ReferenceCounts::new(resolved));
        let mut pools = |round, group: &TextGroup| Pool::for_round(resolved, &setups, registry, round, group);
        let axis = RangeAxis::new(&run.experiment);
        let measurement = Measurement { resolved };
        let outcomes = measurement.measure(
            self.earlier,
            &mut counts,
            &mut pools,
            &mut journal,
            self.interrupted,
            |step| match step {
                MeasurementStep::Counted => progress(RunStep::Counted),
                MeasurementStep::Measured(cell, block) => progress(RunStep::Measured {
                    algorithm: &cell.algorithm.id,
                    at: &axis.at(cell.point.value),
                    repetitions: block.repetitions.len(),
                }),
            },
        );
        let elapsed = begun.elapsed();
        let Outcomes { cells, interrupted, noise, mut time, written } = outcomes;
        if interrupted && !cells.iter().any(Cell::was_begun) {
            return written.map(|()| None);
        }
        let folder = folder.map(SaveFolder::keep);
        let counting = Duration::from_nanos(time.spent().counting_ns);
        run.experiment.elapsed.set_up_s += counting.as_secs_f64();
        let measuring_s = elapsed.saturating_sub(counting).as_secs_f64();
        run.end(resolved, &cells, interrupted, noise, measuring_s, journal.written());
        let mut report =
            Report::of_journal(run, &journal).map_err(|error| explained(error, folder.as_ref()))?;
        let mut run = report.results().map_err(|error| explained(error, folder.as_ref()))?;
        // The files of the results are written later, because they hold these times.
        time.add(|spent| &mut spent.rest_ns);
        for parts in [&mut report.facts.parts, &mut run.experiment.parts] {
            parts.last_mut().expect("the run has a part").spent = Some(time.spent());
        }
        let occurrences = |set, repetition| counts.expected(set, repetition);
        let save = |folder: &SaveFolder| {
            journal.sync()?;
            folder.fill(resolved, &occurrences, &run, &page(&run))?;
            complete(folder)
        };
        let saved = written.and_then(|()| folder.as_ref().map(save).transpose());
        let saved = saved.map_err(|error| explained(error, folder.as_ref()));
        Ok(Some(FinishedRun { run, report, saved }))
    }
}

/// An error with the folder that keeps the rows, if there is one.
fn explained(error: Error, folder: Option<&SaveFolder>) -> Error {
    match folder {
        Some(folder) => folder.explain(error),
        None => error,
    }
}

/// Reads the folder of a run again, and then gives it its name, because a run that can't be read again must
/// not look complete.
///
/// # Errors
/// If it can't be read or renamed. The folder then keeps the name of an incomplete run.
fn complete(folder: &SaveFolder) -> Result<PathBuf> {
    Report::begun(folder.path())?;
    folder.finish()
}

/// The algorithms of an experiment that have not passed their test.
fn untested(resolved: &Resolved, registry: &Registry) -> BTreeSet<String> {
    let passes = Passes::open();
    let mut untested = BTreeSet::new();
    for chosen in &resolved.algorithms {
        let subject = Subject::of_listing(registry, &chosen.listing);
        if !subject.is_some_and(|subject| passes.has_passed(&subject)) {
            untested.insert(chosen.id.clone());
        }
    }
    untested
}

/// A report on an experiment before anything is measured, to check requests for figures.
///
/// # Errors
/// If a temporary file can't be written.
pub(crate) fn empty_report(resolved: &Resolved) -> Result<Report> {
    Report::of_journal(Run::new(resolved, String::new(), 0.0), &Journal::temporary(resolved)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_run_that_cannot_be_read_again_gets_no_name() {
        let out = tempfile::tempdir().unwrap();
        let folder = SaveFolder::create(out.path(), "1").unwrap();
        fs::write(folder.path().join("report.json"), "{\"schema\": 1, \"results\": [{\"low\": null}]}")
            .unwrap();
        fs::write(folder.path().join("measurements.csv"), "algorithm\n").unwrap();
        assert!(complete(&folder).is_err());
        let entries = fs::read_dir(out.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(entries.collect::<Vec<_>>(), [".1.partial"]);
    }
}

//! A whole run: an experiment with all that it names goes in, what came of it comes out, saved if that is
//! wanted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use assay_base::error::{Error, Result};
use assay_conformance::{Passes, Subject};
use assay_experiment::Resolved;
use assay_experiment::points::TextGroup;
use assay_experiment::selection::Chosen;
use assay_load::plugin::Registry;
use assay_measure::worker::counting_costs;
use assay_measure::{Campaign, Outcomes, Pool, ReferenceCounts, counter_setups};
use assay_report::RangeAxis;
use assay_report::Report;
use assay_report::export::page::page;
use assay_store::folder::{SaveFolder, new_id};
use assay_store::journal::Journal;
use assay_store::{Cell, Run};

/// What a run has done.
#[derive(Debug)]
pub struct Finished {
    /// What was measured where, and what came of it.
    pub run: Run,
    /// The rows, from which everything else is computed.
    pub report: Report,
    /// The folder in which it was saved, if that was wanted; or why it could not be: what was measured is in
    /// `run` all the same.
    pub saved: Result<Option<PathBuf>>,
}

/// A step of a run, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub enum RunStep<'a> {
    /// The occurrences of a pattern were counted by the reference search.
    Counted,
    /// Repetitions were measured.
    Measured {
        /// Id of the algorithm.
        algorithm: &'a str,
        /// Where in the range: `m=8`.
        at: &'a str,
        /// How many.
        repetitions: usize,
    },
}

/// Measures an experiment, and saves the run below the folder `out`, if there is one. `progress` gets every
/// step, of which there are [`Resolved::searches`] counts and as many repetitions for each algorithm, or more
/// where it goes on. Setting `interrupted` ends the run early, with what was measured until then; `None` if
/// that is nothing.
///
/// # Errors
/// If nothing could be measured: for lack of memory, or because `out` can't be written.
pub fn execute(
    resolved: &Resolved,
    registry: &Registry,
    out: Option<&Path>,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(RunStep<'_>),
) -> Result<Option<Finished>> {
    let id = new_id();
    let folder = out.map(|out| SaveFolder::create(out, &id)).transpose()?;
    let counted = ReferenceCounts::begin(resolved, interrupted, || progress(RunStep::Counted));
    let Some(mut counts) = counted else { return Ok(None) };
    let set_up_s = resolved.since.elapsed().as_secs_f64();
    let mut run = Run::new(resolved, id, set_up_s);
    run.experiment.untested = Some(untested(resolved, registry));
    if run.experiment.has_times() {
        run.experiment.machine.measure_clocks(resolved.cpu, registry)?;
    }
    let mut setups = counter_setups(resolved, registry)?;
    let costs = counting_costs(&mut setups, resolved.cpu, resolved.launch.as_ref())?;
    run.experiment.counters.iter_mut().zip(costs).for_each(|(facts, cost)| facts.cost = cost);
    let mut journal = match &folder {
        Some(folder) => folder.begin(resolved, &run)?,
        None => Journal::temporary(resolved)?,
    };
    let mut pools = |round, group: &TextGroup| Pool::for_round(resolved, &setups, registry, round, group);
    let axis = RangeAxis::new(&run.experiment);
    let campaign = Campaign { resolved };
    let outcomes = campaign.measure(&mut counts, &mut pools, &mut journal, interrupted, |cell, block| {
        progress(RunStep::Measured {
            algorithm: &cell.algorithm.id,
            at: &axis.at(cell.point.value),
            repetitions: block.repetitions.len(),
        });
    });
    let Outcomes { cells, interrupted, noise, written } = outcomes;
    if interrupted && !cells.iter().any(Cell::was_begun) {
        return written.map(|()| None);
    }
    let folder = folder.map(SaveFolder::keep);
    let explained = |error: Error| match &folder {
        Some(folder) => folder.explain(error),
        None => error,
    };
    let measuring_s = resolved.since.elapsed().as_secs_f64() - set_up_s;
    run.end(resolved, &cells, interrupted, noise, measuring_s, journal.written());
    let report = Report::of_journal(run, &journal).map_err(explained)?;
    let run = report.results().map_err(explained)?;
    let occurrences = |set, repetition| counts.expected(set, repetition);
    let save = |folder: &SaveFolder| {
        folder.fill(resolved, &occurrences, &run, &page(&run))?;
        complete(folder)
    };
    let saved = written.and_then(|()| folder.as_ref().map(save).transpose()).map_err(explained);
    Ok(Some(Finished { run, report, saved }))
}

/// Reads the folder of a run again and gives it its name: a run that can't be read again must not look
/// complete.
///
/// # Errors
/// If it can't be read or renamed; it is still there then, under the name of an incomplete one.
fn complete(folder: &SaveFolder) -> Result<PathBuf> {
    Report::begun(folder.path())?;
    folder.finish()
}

/// The algorithms of an experiment that have not passed their test.
fn untested(resolved: &Resolved, registry: &Registry) -> BTreeSet<String> {
    let passes = Passes::open();
    let is_untested = |chosen: &&Chosen| {
        !Subject::of_listing(registry, &chosen.listing).is_some_and(|subject| passes.has_passed(&subject))
    };
    resolved.algorithms.iter().filter(is_untested).map(|chosen| chosen.id.clone()).collect()
}

/// A report on an experiment of which nothing was measured yet: what can be asked of it.
///
/// # Errors
/// If there is no room for a temporary file.
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

//! The measurements of a crossover: one run of all algorithms for the points that share a text.

use std::collections::BTreeMap;

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_crossover::{GridPoint, PointStandings};
use assay_experiment::Resolved;
use assay_experiment::definition::Experiment;
use assay_experiment::size;
use assay_load::plugin::Registry;
use assay_load::process::Interrupt;
use assay_report::wording;
use assay_store::{ExperimentFacts, Run};
use indicatif::ProgressBar;

use crate::cli::Session;
use crate::cli::report::IncludedCalls;
use crate::cli::run::problems;
use crate::run::{FinishedRun, RunStep, execute};

/// Measures points.
pub(super) struct PointMeasurement<'a> {
    /// What all points have in common.
    pub(super) experiment: Experiment,
    /// The id of the corpus before the number of letters, if points have that number.
    pub(super) corpus: Option<String>,
    /// Whether points differ in the size of the text, so that each text must have its size.
    pub(super) has_sizes: bool,
    /// The algorithms.
    pub(super) ids: &'a [String],
    /// The calls whose times are compared.
    pub(super) call: IncludedCalls,
    pub(super) registry: &'a Registry,
    pub(super) session: &'a Session,
    pub(super) interrupt: &'a Interrupt,
    pub(super) bar: &'a ProgressBar,
    /// What the measurements have shown besides times.
    pub(super) notes: MeasurementNotes,
}

/// What measurements have shown besides times.
#[derive(Default)]
pub(super) struct MeasurementNotes {
    /// The facts of the first run.
    pub(super) facts: Option<ExperimentFacts>,
    /// The failures of each algorithm: a sentence on the first, and their number.
    failures: BTreeMap<String, (String, usize)>,
    /// A warning of what distorts times on this machine.
    problems: Option<String>,
    /// What disturbed the first run that was disturbed.
    remarks: Vec<String>,
    /// Number of points with times that are too short to be compared.
    short: usize,
}

impl PointMeasurement<'_> {
    /// Measures points with the same text, and returns the standings at each.
    ///
    /// # Errors
    /// An interruption, or if nothing can be measured.
    pub(super) fn measure(&mut self, points: &[GridPoint]) -> Result<Vec<PointStandings>> {
        let resolved = self.resolved(points)?;
        let mut found = None;
        let finished = execute(&resolved, self.registry, None, self.interrupt.flag(), |step| {
            if let RunStep::Checked(checks) = step {
                found = problems(checks);
            }
        })?;
        let Some(FinishedRun { run, .. }) = finished.filter(|finished| !finished.run.experiment.interrupted)
        else {
            return Err(Error::interruption("interrupted"));
        };
        let standings = points.iter().map(|point| self.standings(&run, point.pattern_length)).collect();
        self.notes.add(&run, points, self.call);
        self.notes.problems = self.notes.problems.take().or(found);
        self.notes.facts.get_or_insert(run.experiment);
        Ok(standings)
    }

    /// The experiment of points with the same text.
    fn resolved(&self, points: &[GridPoint]) -> Result<Resolved> {
        let first = points[0];
        let mut experiment = self.experiment.clone();
        experiment.patterns.lengths = points.iter().map(|point| point.pattern_length).collect();
        experiment.text.bytes = first.text_bytes;
        if let (Some(corpus), Some(letters)) = (&self.corpus, first.alphabet) {
            experiment.text.corpus = Some(format!("{corpus}{letters}"));
        }
        let mut console = self.session.console;
        if let Some(facts) = &self.notes.facts {
            // The first run has a seed by then, and has said what there is to say of libraries and texts.
            experiment.seed = Some(facts.seed);
            console = Console::new(false, true, self.session.common.color);
        }
        let resolved = self.bar.suspend(|| experiment.resolve(self.registry, &console))?;
        let bytes = resolved.texts[0].bytes.len();
        if self.has_sizes && bytes < first.text_bytes {
            return Err(Error::new(format!(
                "the text has {bytes} bytes, and the range goes to {}",
                size::words(first.text_bytes)
            ))
            .remedy("give a longer --text, --fill-buffer, or smaller sizes"));
        }
        Ok(resolved)
    }

    /// The standings at a pattern length of a run.
    fn standings(&self, run: &Run, length: usize) -> PointStandings {
        let standing = |id: &String| {
            let mut cells = run.results.iter();
            let cell = cells.find(|cell| cell.algorithm == *id && cell.pattern_length == length)?;
            cell.ranks.get(self.call).standing
        };
        PointStandings(self.ids.iter().map(standing).collect())
    }
}

impl MeasurementNotes {
    fn add(&mut self, run: &Run, points: &[GridPoint], call: IncludedCalls) {
        for cell in run.results.iter().filter(|cell| cell.status.is_failure()) {
            let place = place(&[GridPoint { pattern_length: cell.pattern_length, ..points[0] }]);
            let message = cell.message.as_deref().unwrap_or_default();
            let sentence = format!("{} {place} {}: {message}", cell.algorithm, cell.status.words());
            self.failures.entry(cell.algorithm.clone()).or_insert((sentence, 0)).1 += 1;
        }
        let is_short = |point: &&GridPoint| {
            let mut cells = run.results.iter().filter(|cell| cell.pattern_length == point.pattern_length);
            cells.any(|cell| cell.ranks.get(call).below_floor)
        };
        self.short += points.iter().filter(is_short).count();
        if self.remarks.is_empty() {
            self.remarks = wording::remarks(&run.experiment);
        }
    }

    /// Whether an algorithm failed.
    pub(super) fn has_failures(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Warns of what disturbed the measurements, and of algorithms that failed.
    pub(super) fn report(&self, console: &Console) {
        self.problems.iter().chain(&self.remarks).for_each(|warning| console.warn(warning));
        for (sentence, count) in self.failures.values() {
            let others = count - 1;
            let more = if others == 0 {
                String::new()
            } else {
                format!("; it failed at {} more", counted(others, "point"))
            };
            console.warn(&format!("{sentence}{more}"));
        }
        if self.short > 0 {
            console.warn(&format!(
                "at {} of the grid, times are less than ten times that of an empty call, and nothing is compared; search a \
                 longer text",
                counted(self.short, "point")
            ));
        }
    }
}

/// The points with the same text that are measured next, in short: "m=8,16 alphabet=4 64 KiB".
pub(super) fn place(points: &[GridPoint]) -> String {
    let lengths: Vec<String> = points.iter().map(|point| point.pattern_length.to_string()).collect();
    let first = points[0];
    let alphabet = first.alphabet.map_or_else(String::new, |letters| format!(" alphabet={letters}"));
    format!("m={}{alphabet} {}", lengths.join(","), size::words(first.text_bytes))
}

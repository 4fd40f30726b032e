//! The runs of an atlas, and which runs it takes.

use std::collections::HashMap;

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use assay_experiment::range::Over;
use assay_report::Report;
use assay_store::rank::Rank;
use assay_store::{CellResult, ExperimentFacts, Run};

/// A saved run, with the results of its cells.
#[derive(Debug)]
pub struct AtlasRun {
    /// Its measurements, from which the best of a part of the algorithms is computed.
    pub report: Report,
    /// Its results: figures and ranks.
    pub results: Run,
    /// `experiment.toml`, with which it can be repeated; `None` if the file is missing.
    pub experiment: Option<String>,
    /// The places of the results, by algorithm and pattern length.
    places: HashMap<(String, u64), usize>,
}

impl AtlasRun {
    /// The results of a run.
    ///
    /// # Errors
    /// If its measurements can't be read again.
    pub fn new(report: Report, experiment: Option<String>) -> Result<Self> {
        let results = report.results()?;
        let keys = results.results.iter().map(|cell| (cell.algorithm.clone(), cell.value()));
        let places = keys.zip(0..).collect();
        Ok(AtlasRun { report, results, experiment, places })
    }

    /// What the run is about.
    pub(crate) fn facts(&self) -> &ExperimentFacts {
        &self.results.experiment
    }

    /// The texts, by the names of their files.
    pub(crate) fn text(&self) -> String {
        self.facts().texts_by_name()
    }

    /// The pattern lengths, ascending.
    pub(crate) fn lengths(&self) -> Vec<u64> {
        self.report.range()
    }

    /// The result of an algorithm at a pattern length.
    pub(crate) fn cell(&self, id: &str, length: u64) -> Option<&CellResult> {
        self.places.get(&(id.to_owned(), length)).map(|place| &self.results.results[*place])
    }

    /// The algorithms with a standing at a pattern length, nearest to the best first.
    pub(crate) fn standings(&self, length: u64, call: Option<Call>) -> Vec<(&str, Rank)> {
        let cells = self.results.results.iter().filter(|cell| cell.value() == length);
        let ranks = cells.map(|cell| (cell.algorithm.as_str(), *cell.ranks.get(call)));
        let mut ranked: Vec<(&str, Rank)> = ranks.filter(|(_, rank)| rank.standing.is_some()).collect();
        ranked.sort_by(|(one, a), (other, b)| {
            let [a, b] =
                [a, b].map(|rank| rank.standing.map_or(f64::INFINITY, |standing| standing.to_best.ratio));
            a.total_cmp(&b).then_with(|| one.cmp(other))
        });
        ranked
    }
}

/// Checks that an atlas can be made from these runs.
///
/// # Errors
/// If a run varies something else than the pattern length, or was simulated, or if no run has times.
pub fn check_runs(runs: &[Report]) -> Result<()> {
    for Report { facts, .. } in runs {
        if facts.over() != Over::PatternLength {
            let varies = facts.over().plural();
            return Err(Error::new(format!(
                "the run {} is over {varies}, and the atlas shows pattern lengths",
                facts.id
            ))
            .remedy("leave it out, and name a run for each text"));
        }
        if !facts.instrumented() && !facts.has_times() {
            return Err(Error::new(format!("the run {} has simulated times, which rank nothing", facts.id))
                .remedy("leave it out, and name runs that were measured without `--simulate`"));
        }
    }
    if runs.iter().any(|report| report.facts.has_times()) {
        return Ok(());
    }
    let named: Vec<&str> = runs.iter().map(|report| report.facts.id.as_str()).collect();
    Err(Error::new(format!("an atlas needs times, and there are only counts: {}", named.join(", ")))
        .remedy("name a run that was measured without `--stats algo` as well: `assay run --all`"))
}

//! Whether several runs rank the same algorithms alike: runs of one text on several CPUs, or of several
//! texts. Times are never compared from run to run, only the ranks that each run gives.

mod agreeing_runs;
mod grouping;
mod not_compared;
mod ranked_run;
mod reversed_pair;

use std::collections::BTreeSet;

use assay_base::error::{Error, Result};
use assay_stats::kendall::{Concordance, PairOrder, concordance};
use assay_store::rank::Rank;

use self::agreeing_runs::largest_agreeing;
pub use self::grouping::RunsDifferBy;
use self::grouping::{by_text, names};
pub use self::not_compared::{NoAgreement, UnrankedRun};
use self::ranked_run::{RankedRun, RunRanks, have_common};
pub use self::reversed_pair::ReversedPair;
use self::reversed_pair::reversed_pairs;
use crate::{Call, Report};

/// What runs agree about.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The runs of each text.
    pub groups: Vec<RunsOfText>,
    /// The runs that are compared with no other.
    pub not_compared: Vec<UnrankedRun>,
}

/// The runs that are compared with each other, and what they agree about.
#[derive(Clone, Debug, PartialEq)]
pub struct RunsOfText {
    /// The text of all of them, with the group of algorithms if a campaign divided them; `None` if the texts
    /// differ.
    pub text: Option<String>,
    /// What distinguishes them.
    pub by: RunsDifferBy,
    /// What each run is called: its CPU or its text, with its id where that is not enough.
    pub names: Vec<String>,
    /// The places of these runs among those that were given.
    pub runs: Vec<usize>,
    /// One for each value of the range at which several of the runs rank the same algorithms.
    pub values: Vec<AgreementAtValue>,
    /// The other values that any of the runs has.
    pub not_compared: Vec<u64>,
}

/// What several runs say at one value of the range.
#[derive(Clone, Debug, PartialEq)]
pub struct AgreementAtValue {
    /// The value.
    pub value: u64,
    /// The runs that rank algorithms there, by their places in the group.
    pub ranking: Vec<usize>,
    /// The largest set of these without a reversed pair between any two.
    pub agreeing: Vec<usize>,
    /// The algorithms with the rank that each run of the group gives them.
    pub algorithms: Vec<(String, Vec<Rank>)>,
    /// Pairs of algorithms of which each is significantly faster in one of two runs.
    pub reversed: Vec<ReversedPair>,
    /// How alike the orders are; `None` if there are too few algorithms that all of these runs have.
    pub concordance: Option<Concordance>,
}

impl AgreementAtValue {
    /// The algorithms that are among the best in all runs that have ranks there.
    pub fn best_everywhere(&self) -> Vec<&str> {
        let is_best = |ranks: &&(String, Vec<Rank>)| self.ranking.iter().all(|run| ranks.1[*run].is_best());
        self.algorithms.iter().filter(is_best).map(|(id, _)| id.as_str()).collect()
    }

    /// The algorithms that all runs with ranks there rank: tau covers these.
    pub fn ranked_by_all(&self) -> Vec<&str> {
        self.ranked_by(|runs| runs == self.ranking.len())
    }

    /// The algorithms that at least two runs rank: only these can be in a reversed pair.
    pub fn ranked_by_several(&self) -> Vec<&str> {
        self.ranked_by(|runs| runs > 1)
    }

    /// The algorithms that one run alone ranks, so that nothing is compared.
    pub fn ranked_by_one(&self) -> Vec<&str> {
        self.ranked_by(|runs| runs == 1)
    }

    /// The algorithms that such a number of runs rank.
    fn ranked_by(&self, is_asked: impl Fn(usize) -> bool) -> Vec<&str> {
        let runs = |ranks: &[Rank]| ranks.iter().filter(|rank| rank.standing.is_some()).count();
        let asked = self.algorithms.iter().filter(|(_, ranks)| is_asked(runs(ranks)));
        asked.map(|(id, _)| id.as_str()).collect()
    }

    /// Whether all runs that have ranks there agree.
    pub fn is_agreed(&self) -> bool {
        self.agreeing.len() == self.ranking.len()
    }
}

/// Compares the ranks that runs give by the times of a call, or of all together. Runs of one text are
/// compared with each other; if each has a text of its own, all are.
///
/// # Errors
/// If a run has no times, the runs vary different things, or two of them have the same measurements.
pub fn agreement(reports: &[Report], call: Option<Call>) -> Result<Agreement> {
    check_together(reports)?;
    let mut groups = Vec::new();
    for (text, runs) in by_text(reports) {
        let (by, names) = names(reports, &runs, text.is_none());
        let of_group: Vec<&Report> = runs.iter().map(|run| &reports[*run]).collect();
        let (values, not_compared) = values(&of_group, call)?;
        groups.push(RunsOfText { text, by, names, runs, values, not_compared });
    }
    let not_compared = not_compared::not_compared(reports, &groups, call)?;
    groups.retain(|group| !group.values.is_empty());
    Ok(Agreement { groups, not_compared })
}

/// Checks that the ranks of several runs can be looked at together.
///
/// # Errors
/// If a run has no times, the runs vary different things, or two of them have the same measurements.
pub(crate) fn check_together(reports: &[Report]) -> Result<()> {
    for report in reports {
        report.needs_times()?;
        let (first, other) = (reports[0].facts.over(), report.facts.over());
        if first != other {
            return Err(Error::new(format!(
                "run {} varies the {}, and {} the {}",
                reports[0].facts.id,
                first.words(),
                report.facts.id,
                other.words()
            ))
            .remedy("compare the ranks of runs that vary the same"));
        }
    }
    for (number, report) in reports.iter().enumerate() {
        if let Some((other, shared)) =
            reports[..number].iter().find_map(|other| Some((other, common_source(other, report)?)))
        {
            return Err(Error::new(format!(
                "runs {} and {} both contain the measurements of run {shared}, so their agreement would mean nothing",
                other.facts.id, report.facts.id
            ))
            .remedy("name one of them"));
        }
    }
    Ok(())
}

/// A run whose measurements two reports have: one may be gathered from the other, or be a copy of it.
fn common_source<'a>(one: &'a Report, other: &'a Report) -> Option<&'a str> {
    let sources = |report: &'a Report| {
        let tasks = report.facts.parts.iter().filter_map(|part| part.task.as_ref());
        std::iter::once(report.facts.id.as_str()).chain(tasks.map(|task| task.run.as_str()))
    };
    // Tests make a second machine from a copy by changing its CPU.
    let is_same_cpu = one.facts.machine.cpu == other.facts.machine.cpu;
    sources(one).find(|run| is_same_cpu && sources(other).any(|other| other == *run))
}

/// What runs say at each value of the range at which several of them rank the same algorithms, at least two.
/// Also returns the other values.
fn values(reports: &[&Report], call: Option<Call>) -> Result<(Vec<AgreementAtValue>, Vec<u64>)> {
    let range: BTreeSet<u64> = reports.iter().flat_map(|report| report.range()).collect();
    let mut ranked = Vec::new();
    for report in reports {
        ranked.push(RankedRun::new(report, call)?);
    }
    let (mut values, mut not_compared) = (Vec::new(), Vec::new());
    for value in range {
        let at: Vec<Option<RunRanks<'_>>> = ranked.iter().map(|run| run.at(value)).collect::<Result<_>>()?;
        if have_common(&at) {
            values.push(at_value(value, &at));
        } else {
            not_compared.push(value);
        }
    }
    Ok((values, not_compared))
}

/// What runs say at a value.
fn at_value(value: u64, at: &[Option<RunRanks<'_>>]) -> AgreementAtValue {
    let ranking: Vec<usize> = (0..at.len()).filter(|run| at[*run].is_some()).collect();
    let mut ids: Vec<&str> = Vec::new();
    for (id, _) in at.iter().flatten().flat_map(|run| &run.algorithms) {
        if !ids.contains(id) {
            ids.push(id);
        }
    }
    let reversed = reversed_pairs(&ranking, at);
    let rank =
        |id: &str| at.iter().map(|run| run.as_ref().map(|run| run.rank(id)).unwrap_or_default()).collect();
    AgreementAtValue {
        value,
        agreeing: largest_agreeing(&ranking, &reversed),
        concordance: concordance_of(&ranking.iter().filter_map(|run| at[*run].as_ref()).collect::<Vec<_>>()),
        algorithms: ids.iter().map(|id| ((*id).to_owned(), rank(id))).collect(),
        ranking,
        reversed,
    }
}

/// How alike runs order the algorithms that all of them have.
fn concordance_of(runs: &[&RunRanks<'_>]) -> Option<Concordance> {
    let (first, others) = runs.split_first()?;
    let ids: Vec<&str> = first.algorithms.iter().map(|(id, _)| *id).collect();
    let common: Vec<&str> =
        ids.into_iter().filter(|id| others.iter().all(|run| run.place(id).is_some())).collect();
    concordance(&runs.iter().map(|run| pair_orders(run, &common)).collect::<Vec<_>>())
}

/// How a run orders each pair of these algorithms, each by the rounds that both have.
fn pair_orders(run: &RunRanks<'_>, ids: &[&str]) -> Vec<Option<PairOrder>> {
    let places: Vec<usize> = ids.iter().filter_map(|id| run.place(id)).collect();
    let earlier = places.iter().enumerate();
    earlier.flat_map(|(number, &a)| places[..number].iter().map(move |&b| run.order(a, b))).collect()
}

#[cfg(test)]
mod tests;

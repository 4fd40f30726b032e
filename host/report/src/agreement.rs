//! Whether several runs rank the same algorithms alike: runs of one text on several CPUs, or of several
//! texts. Times are never compared from run to run, only the ranks that each run gives.

mod not_compared;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use assay_base::error::{Error, Result};
use assay_experiment::selection::original;
use assay_stats::CONFIDENCE;
use assay_stats::kendall::{Concordance, PairOrder, concordance};
use assay_stats::rounds::{RoundValues, log_ratios};
use assay_stats::significance::{Difference, NullRange, holm};
use assay_store::null::floor;
use assay_store::rank::Rank;

pub use self::not_compared::{NoAgreement, UnrankedRun};
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

/// What distinguishes runs that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsDifferBy {
    /// The model of the CPU.
    Cpu,
    /// The text.
    Text,
    /// Neither: one CPU has measured one text more than once.
    Run,
}

impl RunsDifferBy {
    /// The word for one of them.
    pub fn singular(self) -> &'static str {
        match self {
            RunsDifferBy::Cpu => "CPU",
            RunsDifferBy::Text => "text",
            RunsDifferBy::Run => "run",
        }
    }

    /// The word for several of them.
    pub fn plural(self) -> &'static str {
        match self {
            RunsDifferBy::Cpu => "CPUs",
            RunsDifferBy::Text => "texts",
            RunsDifferBy::Run => "runs",
        }
    }
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

/// A pair of algorithms of which each is significantly faster in one of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ReversedPair {
    /// The algorithm that is faster in the first run.
    pub one: String,
    /// The algorithm that is faster in the second run.
    pub other: String,
    /// The two runs, by their places in the group.
    pub runs: [usize; 2],
    /// In each of the two runs, how many times as long the slower algorithm takes there.
    pub ratios: [f64; 2],
    /// The significance: the greater of those of the two differences, corrected by Holm's method.
    pub p: f64,
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

/// The runs of each text that several runs have, with its name; those of different groups of algorithms are
/// kept apart. If there is no such text, all runs, each of which has another one.
fn by_text(reports: &[Report]) -> Vec<(Option<String>, Vec<usize>)> {
    let group = |report: &Report| report.facts.gathered.as_ref().and_then(|gathered| gathered.group);
    let mut groups: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    for (number, report) in reports.iter().enumerate() {
        let same = |(_, runs): &&mut (Option<String>, Vec<usize>)| {
            let first = &reports[runs[0]];
            first.facts.has_the_texts_of(&report.facts) && group(first) == group(report)
        };
        match groups.iter_mut().find(same) {
            Some((_, runs)) => runs.push(number),
            None => {
                let text = report.facts.texts_in_words();
                let of_group =
                    group(report).map(|[number, of]| format!(" (algorithm group {number} of {of})"));
                groups.push((Some(text + &of_group.unwrap_or_default()), vec![number]));
            }
        }
    }
    let is_divided = reports.iter().any(|report| group(report).is_some());
    if groups.iter().all(|(_, runs)| runs.len() == 1) && !is_divided {
        return vec![(None, (0..reports.len()).collect())];
    }
    groups.retain(|(_, runs)| runs.len() > 1);
    groups
}

/// What distinguishes runs, and what they are called.
fn names(reports: &[Report], runs: &[usize], by_text: bool) -> (RunsDifferBy, Vec<String>) {
    let name = |run: &usize| {
        let facts = &reports[*run].facts;
        if by_text {
            facts.texts_in_words()
        } else {
            facts.machine.cpu.clone().unwrap_or_else(|| "unknown CPU".to_owned())
        }
    };
    let names: Vec<String> = runs.iter().map(name).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let by = match (by_text, names.iter().all(is_unique)) {
        (true, _) => RunsDifferBy::Text,
        (false, true) => RunsDifferBy::Cpu,
        (false, false) => RunsDifferBy::Run,
    };
    let with_id = |(name, run): (&String, &usize)| match is_unique(name) {
        true => name.clone(),
        false => format!("{name} ({})", reports[*run].facts.id),
    };
    (by, names.iter().zip(runs).map(with_id).collect())
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

/// The ranks of a run.
struct RankedRun<'a> {
    report: &'a Report,
    call: Option<Call>,
    /// `[range][algorithm]`.
    ranks: Vec<Vec<Rank>>,
    /// Differences up to this share are ties.
    floor: f64,
}

/// The ranks of a run at one value.
struct RunRanks<'a> {
    /// The algorithms with a rank. Of copies of an algorithm, only the first takes part: two would be one
    /// algorithm compared with itself.
    algorithms: Vec<(&'a str, Rank)>,
    /// The logarithms of their ratios to the algorithm that all are compared with, by round.
    log_ratios: Vec<RoundValues>,
    floor: f64,
}

impl<'a> RankedRun<'a> {
    fn new(report: &'a Report, call: Option<Call>) -> Result<Self> {
        let floor = floor(report.null(call)?.as_ref(), call);
        Ok(RankedRun { report, call, ranks: report.ranks(call)?, floor })
    }

    /// The ranks at a value; `None` if there are none.
    fn at(&self, value: u64) -> Result<Option<RunRanks<'a>>> {
        let Ok(place) = self.report.range().binary_search(&value) else { return Ok(None) };
        let ids = self.report.algorithms().zip(&self.ranks[place]);
        let ranked = ids.filter(|(id, rank)| rank.standing.is_some() && original(id) == *id);
        let algorithms: Vec<(&str, Rank)> = ranked.map(|(id, rank)| (id, *rank)).collect();
        let times = |id| self.report.times(id, value, self.call);
        let best = self.report.algorithms().zip(&self.ranks[place]).find(|(_, rank)| rank.is_compared_with());
        let Some((best, _)) = best else { return Ok(None) };
        let best = times(best)?;
        let ratios = algorithms.iter().map(|(id, _)| Ok(log_ratios(&times(id)?, &best)));
        let ratios = ratios.collect::<Result<_>>()?;
        Ok((!algorithms.is_empty()).then_some(RunRanks { algorithms, log_ratios: ratios, floor: self.floor }))
    }
}

impl RunRanks<'_> {
    /// The place of an algorithm among those with a rank.
    fn place(&self, id: &str) -> Option<usize> {
        self.algorithms.iter().position(|(other, _)| *other == id)
    }

    /// The rank of an algorithm; none if it has none.
    fn rank(&self, id: &str) -> Rank {
        self.place(id).map(|place| self.algorithms[place].1).unwrap_or_default()
    }

    /// The difference of two algorithms by the rounds that both have, from the ratios that the ranks rest on.
    fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let mut others = self.log_ratios[other].iter().peekable();
        let mut differences = Vec::new();
        for (round, value) in &self.log_ratios[one] {
            while others.next_if(|(number, _)| number < round).is_some() {}
            differences.extend(others.next_if(|(number, _)| number == round).map(|(_, other)| value - other));
        }
        Difference::paired(&differences)
    }

    /// How this run orders two algorithms, and how significant that is beyond its noise floor. Reversed pairs
    /// and the ends of tau follow this.
    fn order(&self, one: usize, other: usize) -> Option<PairOrder> {
        Some(PairOrder::new(&self.difference(one, other)?, NullRange::within(self.floor)))
    }

    /// How many times as long the slower of two algorithms takes.
    fn ratio(&self, one: usize, other: usize) -> f64 {
        self.difference(one, other).map_or(1.0, |difference| 1.0 + difference.distance())
    }
}

/// Whether several runs have ranks, and any two of them rank at least two algorithms in common.
fn have_common(at: &[Option<RunRanks<'_>>]) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, _) in at.iter().flatten().flat_map(|run| &run.algorithms) {
        *counts.entry(id).or_default() += 1;
    }
    counts.values().filter(|runs| **runs > 1).count() > 1
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

/// The pairs of algorithms of which each is significantly faster in one of two runs. The significance of a
/// pair is that of the less significant of the two differences, corrected for the number of such pairs, each
/// counted once for each two runs that have measured it in opposite orders at this value.
fn reversed_pairs(ranking: &[usize], at: &[Option<RunRanks<'_>>]) -> Vec<ReversedPair> {
    let (mut pairs, mut significances) = (Vec::new(), Vec::new());
    for (place, &first) in ranking.iter().enumerate() {
        for &second in &ranking[place + 1..] {
            let (Some(one), Some(other)) = (&at[first], &at[second]) else { continue };
            for (places, p) in opposite_orders(one, other) {
                pairs.push(([first, second], places));
                significances.push(p);
            }
        }
    }
    let corrected = pairs.into_iter().zip(holm(&significances));
    let significant = corrected.filter(|(_, p)| *p < 1.0 - CONFIDENCE);
    significant.filter_map(|((runs, places), p)| reversed_pair(runs, places, p, at)).collect()
}

/// A pair of which the first algorithm is faster in the first run; `places` are those in this run.
fn reversed_pair(
    runs: [usize; 2],
    places: [usize; 2],
    p: f64,
    at: &[Option<RunRanks<'_>>],
) -> Option<ReversedPair> {
    let (first, second) = (at[runs[0]].as_ref()?, at[runs[1]].as_ref()?);
    let [one, other] = places.map(|place| first.algorithms[place].0);
    let ratios = [first.ratio(places[0], places[1]), second.ratio(second.place(one)?, second.place(other)?)];
    Some(ReversedPair { one: one.to_owned(), other: other.to_owned(), runs, ratios, p })
}

/// The pairs of algorithms that two runs have measured in opposite orders, by their places in the first run,
/// the one that is faster there first; with the greater of the significances of the two differences.
fn opposite_orders(one: &RunRanks<'_>, other: &RunRanks<'_>) -> Vec<([usize; 2], f64)> {
    let both = one.algorithms.iter().enumerate();
    let both = both.filter_map(|(place, (id, _))| Some((place, other.place(id)?)));
    let both: Vec<(usize, usize)> = both.collect();
    let mut opposite = Vec::new();
    for (number, &(a, a_in_other)) in both.iter().enumerate() {
        for &(b, b_in_other) in &both[..number] {
            let Some(here) = one.order(a, b) else { continue };
            let Some(there) = other.order(a_in_other, b_in_other) else { continue };
            if here.measured != Ordering::Equal && here.measured == there.measured.reverse() {
                let faster_first = if here.measured == Ordering::Greater { [b, a] } else { [a, b] };
                opposite.push((faster_first, here.p.max(there.p)));
            }
        }
    }
    opposite
}

/// The largest set of runs without a reversed pair between any two of them; the first of several such sets.
/// Of more than 128 runs, only the first 128 are looked at.
fn largest_agreeing(ranking: &[usize], reversed: &[ReversedPair]) -> Vec<usize> {
    let ranking = &ranking[..ranking.len().min(128)];
    // The runs with which each agrees, as bits.
    let mut agrees = vec![u128::MAX; ranking.len()];
    let place = |run: usize| ranking.iter().position(|other| *other == run);
    for ReversedPair { runs: [one, other], .. } in reversed {
        if let (Some(one), Some(other)) = (place(*one), place(*other)) {
            agrees[one] &= !(1 << other);
            agrees[other] &= !(1 << one);
        }
    }
    let all = if ranking.len() == 128 { u128::MAX } else { (1 << ranking.len()) - 1 };
    let mut best = 0;
    extend_agreeing(0, all, &agrees, &mut best);
    (0..ranking.len()).filter(|place| best >> place & 1 == 1).map(|place| ranking[place]).collect()
}

/// Extends a set of runs that agree by those among `left`, which agree with all of them, and keeps the
/// largest set.
fn extend_agreeing(set: u128, left: u128, agrees: &[u128], best: &mut u128) {
    if (set | left).count_ones() <= best.count_ones() {
        return;
    }
    if left == 0 {
        *best = set;
        return;
    }
    let next = left.trailing_zeros() as usize;
    let without = left & !(1 << next);
    extend_agreeing(set | 1 << next, without & agrees[next], agrees, best);
    // Without it, a set is larger only if it has a run with which this one does not agree.
    if without & !agrees[next] != 0 {
        extend_agreeing(set, without, agrees, best);
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

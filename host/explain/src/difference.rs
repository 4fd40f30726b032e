//! Why one algorithm takes longer than another at a range value.

use assay_stats::significance::{Comparison, Ratio, Verdict};
use serde::Serialize;

use crate::costs::EventCosts;
use crate::quality::{ModelQuality, algorithms, costs_without};
use crate::work::{PerWork, WorkCell, WorkKind};

/// A figure of a fit, and the least and the greatest that it has if one algorithm more is left out of the fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Extent {
    /// The figure.
    pub value: f64,
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Extent {
    /// The extent of a figure and those of other fits.
    pub(crate) fn new(value: f64, others: impl IntoIterator<Item = f64>) -> Self {
        let ends = |(low, high): (f64, f64), other: f64| (low.min(other), high.max(other));
        let (low, high) = others.into_iter().fold((value, value), ends);
        Extent { value, low, high }
    }
}

/// Two algorithms at a range value that are to be explained, and how their times compare.
#[derive(Clone, Debug)]
pub struct AskedDifference {
    /// Ids of the algorithms.
    pub pair: [String; 2],
    /// The range value.
    pub value: u64,
    /// The range value in words.
    pub at: String,
    /// The time of the second over that of the first; none if their times can't be compared.
    pub judged: Option<Comparison>,
    /// Why the cost model leaves one of them out at this value, if it does: `a has no counts`.
    pub left_out: Option<String>,
}

/// The difference of two algorithms at a range value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedDifference {
    /// Id of the algorithm that takes less time.
    pub faster: String,
    /// Id of the other one.
    pub slower: String,
    /// The range value.
    pub value: u64,
    /// The range value in words.
    pub at: String,
    /// The time of the slower algorithm over that of the faster one, with its interval; none if it is unknown.
    pub ratio: Option<Ratio>,
    /// Whether no difference is shown: both may be equally fast.
    pub is_tied: bool,
    /// Why the cost model leaves one of them out here, if it does.
    pub left_out: Option<String>,
    /// What the model says; none if too little was measured, or there is no difference.
    pub model: Option<DifferenceModel>,
    /// Whether the model is good enough, for the run and for this difference, to give a reason.
    pub claims: bool,
}

/// What the model says of a difference. Both algorithms were left out of its fit. All shares are of the difference that
/// was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceModel {
    /// The share that the model predicts: 1 is right, a negative one predicts the contrary.
    pub predicted: Extent,
    /// The share that is due to each kind of work. It is negative where the faster algorithm does more of it.
    pub parts: PerWork<Extent>,
    /// The kinds of work by which the model has the greatest part, in any of the fits.
    pub leading: Vec<&'static str>,
}

/// A predicted share from here to as far above 1 is an explanation: otherwise more of the difference is missing than
/// explained.
const LEAST_SHARE: f64 = 0.5;

impl DifferenceModel {
    /// Whether the prediction is near what was measured, in each fit.
    fn suffices(&self) -> bool {
        self.predicted.low >= LEAST_SHARE && self.predicted.high <= 2.0 - LEAST_SHARE
    }

    /// The kinds of work with the greatest part in any of the fits.
    pub(crate) fn leading_kinds(&self) -> impl Iterator<Item = WorkKind> {
        WorkKind::ALL.into_iter().filter(|kind| self.leading.contains(&kind.name()))
    }

    /// What costs say of the difference between two cells: those of the first fit, and of the others.
    fn new(fits: &PairCosts, faster: &WorkCell, slower: &WorkCell) -> Self {
        let difference = slower.time_ns - faster.time_ns;
        let more = PerWork(WorkKind::ALL.map(|kind| slower.work.get(kind) - faster.work.get(kind)));
        let shares = |costs: &EventCosts| PerWork(costs.parts(&more).0.map(|part| part / difference));
        let (own, others) = (shares(&fits.costs), fits.others.iter().map(shares).collect::<Vec<_>>());
        let greatest = |shares: &PerWork<f64>| {
            WorkKind::ALL.into_iter().max_by(|one, other| shares.get(*one).total_cmp(&shares.get(*other)))
        };
        let leading: Vec<WorkKind> = others.iter().chain([&own]).filter_map(greatest).collect();
        DifferenceModel {
            predicted: Extent::new(own.sum(), others.iter().map(PerWork::sum)),
            parts: PerWork(
                WorkKind::ALL
                    .map(|kind| Extent::new(own.get(kind), others.iter().map(|shares| shares.get(kind)))),
            ),
            leading: WorkKind::ALL
                .into_iter()
                .filter(|kind| leading.contains(kind))
                .map(WorkKind::name)
                .collect(),
        }
    }
}

/// Costs that were fitted without two algorithms, and those of fits without one algorithm more.
struct PairCosts {
    costs: EventCosts,
    others: Vec<EventCosts>,
}

impl PairCosts {
    fn without(cells: &[WorkCell], pair: [&WorkCell; 2]) -> Self {
        let is_left = |cell: &&WorkCell| !pair.iter().any(|one| cell.is_of(&one.algorithm));
        let left: Vec<WorkCell> = cells.iter().filter(is_left).cloned().collect();
        let others = costs_without(&left, &algorithms(&left));
        PairCosts { costs: EventCosts::fit(&left), others }
    }
}

/// The fits for the differences of a run, with those of the last pair.
pub(crate) struct PairFits<'a> {
    cells: &'a [WorkCell],
    /// The ids of the pair, in the order of the alphabet.
    last: Option<([String; 2], PairCosts)>,
}

impl<'a> PairFits<'a> {
    pub(crate) fn new(cells: &'a [WorkCell]) -> Self {
        PairFits { cells, last: None }
    }

    /// The fits without a pair, which are the same at each range value.
    fn without(&mut self, pair: [&WorkCell; 2]) -> &PairCosts {
        let mut ids = pair.map(|cell| cell.algorithm.clone());
        ids.sort();
        let is_known = self.last.as_ref().is_some_and(|(known, _)| *known == ids);
        if !is_known {
            self.last = None;
        }
        let cells = self.cells;
        let fresh = || (ids, PairCosts::without(cells, pair));
        &self.last.get_or_insert_with(fresh).1
    }
}

impl ExplainedDifference {
    /// Explains a difference by the fits of a run whose model is this good; without a quality there is no model. If the
    /// model leaves one of the algorithms out there, only their times are compared. None if they can't be compared.
    pub(crate) fn new(
        asked: &AskedDifference,
        quality: Option<&ModelQuality>,
        fits: &mut PairFits<'_>,
    ) -> Option<Self> {
        let cells = fits.cells;
        let cell = |id: &String| cells.iter().find(|cell| cell.algorithm == *id && cell.value == asked.value);
        let cells = cell(&asked.pair[0]).zip(cell(&asked.pair[1]));
        let verdict = asked.judged.map(|judged| judged.verdict);
        let second_is_slower = match (verdict, cells) {
            (Some(Verdict::Slower), _) => true,
            (Some(Verdict::Faster), _) => false,
            (_, Some((first, second))) => second.time_ns > first.time_ns,
            (_, None) => asked.judged?.ratio.ratio > 1.0,
        };
        let [first, second] = &asked.pair;
        let (faster, slower) = faster_first((first, second), second_is_slower);
        let ratio = asked.judged.map(|judged| {
            let Ratio { ratio, low, high } = judged.ratio;
            if second_is_slower {
                judged.ratio
            } else {
                Ratio { ratio: 1.0 / ratio, low: 1.0 / high, high: 1.0 / low }
            }
        });
        let cells = cells.map(|cells| faster_first(cells, second_is_slower));
        // The ratio is that of pairs of searches, and times are means: where they contradict, neither is sure.
        let contradict = cells.is_some_and(|(faster, slower)| slower.time_ns <= faster.time_ns);
        let is_tied = verdict == Some(Verdict::Tied) || contradict;
        let modelled = cells.filter(|_| quality.is_some() && !is_tied);
        let model = modelled
            .map(|(faster, slower)| DifferenceModel::new(fits.without([faster, slower]), faster, slower));
        let is_good = quality.is_some_and(ModelQuality::suffices);
        Some(ExplainedDifference {
            faster: faster.clone(),
            slower: slower.clone(),
            value: asked.value,
            at: asked.at.clone(),
            ratio,
            is_tied,
            left_out: asked.left_out.clone(),
            claims: is_good && model.as_ref().is_some_and(DifferenceModel::suffices),
            model,
        })
    }
}

/// A pair with the faster one first.
fn faster_first<T>((first, second): (T, T), second_is_slower: bool) -> (T, T) {
    if second_is_slower { (first, second) } else { (second, first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_contains_the_figure_and_those_of_all_fits() {
        assert_eq!(Extent::new(2.0, [3.0, 1.0]), Extent { value: 2.0, low: 1.0, high: 3.0 });
        assert_eq!(Extent::new(2.0, []), Extent { value: 2.0, low: 2.0, high: 2.0 });
    }

    #[test]
    fn a_prediction_that_is_far_off_in_any_fit_is_no_explanation() {
        let model = |low, high| DifferenceModel {
            predicted: Extent { value: 1.0, low, high },
            parts: PerWork::default(),
            leading: Vec::new(),
        };
        assert!(model(0.9, 1.1).suffices() && model(0.5, 1.5).suffices());
        assert!(!model(0.4, 1.1).suffices() && !model(0.9, 1.6).suffices());
    }
}

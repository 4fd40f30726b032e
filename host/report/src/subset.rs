//! A report on a part of what was measured: some of the algorithms, range values, or repetitions. Whatever is
//! computed from such a report follows, because figures, ranks and comparisons know nothing else.

use std::sync::Arc;

use assay_base::error::{Error, Result};
use assay_store::null::floor;

use super::rawdata::RawCell;
use super::time_notes::clock_note;
use super::{Call, Report, places, with_own_clock};

/// The algorithms and range values that a report shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subset {
    /// The algorithms, in the order in which they are shown; `None` for all, in the order of the run. Those
    /// that the run has not measured are passed over.
    pub algorithms: Option<Vec<String>>,
    /// The range values; `None` for all.
    pub values: Option<Vec<u64>>,
    /// The options that chose them, for captions: `--top 12`.
    pub options: String,
}

impl Report {
    /// The report on a subset. Its ranks, its best and its comparisons are among the algorithms and range
    /// values of the subset alone, and significances are corrected for these comparisons only. The noise
    /// floor stays that of the whole run. Captions say what is left out.
    ///
    /// # Errors
    /// If the run has measured nothing of it.
    pub fn subset(&self, subset: &Subset) -> Result<Self> {
        let mut series = Vec::new();
        let ids = subset.algorithms.clone();
        for id in ids.unwrap_or_else(|| self.algorithms().map(str::to_owned).collect()) {
            let Some(&place) = self.places.get(&id) else { continue };
            let mut one = self.series[place].clone();
            one.points.retain(|point| is_shown(&subset.values, point.value));
            series.extend((!one.points.is_empty()).then_some(one));
        }
        if series.is_empty() {
            return Err(Error::new(format!(
                "the run {} has no measurements of what is asked for: {}",
                self.facts.id, subset.options
            ))
            .remedy("leave out one of these options"));
        }
        let places = places(&series);
        let mut facts = self.facts.clone();
        facts.untested.iter_mut().for_each(|ids| ids.retain(|id| places.contains_key(id)));
        facts.statuses.iter_mut().for_each(|statuses| statuses.retain(|id, _| places.contains_key(id)));
        if let Some(range) = &mut facts.range {
            range.values.retain(|value| is_shown(&subset.values, value.value));
        }
        let clock_note = clock_note(&facts, with_own_clock(&self.rawdata, &series));
        let whole = self.whole.clone().unwrap_or_else(|| Arc::new(self.clone()));
        let places = Arc::new(places);
        let mut report = Report { facts, clock_note, series, places, whole: Some(whole), ..self.clone() };
        report.facts.subset = report.in_words(&subset.options);
        Ok(report)
    }

    /// "12 of 357 algorithms: --top 12; ranks and the best are among these"; `None` if nothing is left out.
    fn in_words(&self, options: &str) -> Option<String> {
        let whole = self.whole();
        let values = self.facts.over().plural();
        let counts = [
            (self.algorithms().len(), whole.algorithms().len(), "algorithms"),
            (self.range().len(), whole.range().len(), values),
        ];
        let fewer = counts.iter().filter(|(shown, all, _)| shown < all);
        let fewer: Vec<String> = fewer.map(|(shown, all, what)| format!("{shown} of {all} {what}")).collect();
        let are_compared = (2..counts[0].1).contains(&counts[0].0) && self.facts.has_times();
        let among = if are_compared { "; ranks and the best are among these" } else { "" };
        (!fewer.is_empty()).then(|| format!("{}: {options}{among}", fewer.join(", ")))
    }

    /// The report on the whole run.
    pub(super) fn whole(&self) -> &Report {
        self.whole.as_deref().unwrap_or(self)
    }

    /// The rows of each cell that this report shows, in the order in which their measurement began.
    pub fn cells(&self) -> impl Iterator<Item = &RawCell> {
        self.rawdata.cells().iter().filter(|cell| self.place(&cell.algorithm, cell.range).is_some())
    }

    /// The algorithms with their ranks over all range values, best first, by the times of a call, or of all
    /// together. Those without a rank come last.
    ///
    /// # Errors
    /// If the run has no times, or the measurements can't be read again.
    pub fn by_rank(&self, call: Option<Call>) -> Result<Vec<(&str, Option<usize>)>> {
        self.needs_times()?;
        let floor = floor(self.null(call)?.as_ref(), call);
        let (overall, _) = self.overall(call, &self.ranks(call)?, floor)?;
        let mut all: Vec<_> = self.algorithms().zip(overall).collect();
        all.sort_by(|(_, a), (_, b)| {
            let ((a_rank, a_ratio), (b_rank, b_ratio)) = (a.order(), b.order());
            a_rank.cmp(&b_rank).then(a_ratio.total_cmp(&b_ratio))
        });
        Ok(all
            .into_iter()
            .map(|(id, overall)| (id, overall.standing.map(|standing| standing.rank)))
            .collect())
    }

    /// The algorithms with their median times at a range value, fastest first. Those without times come last.
    ///
    /// # Errors
    /// As [`by_rank`](Self::by_rank).
    pub fn by_time_at(&self, value: u64, call: Option<Call>) -> Result<Vec<(&str, Option<f64>)>> {
        self.needs_times()?;
        let typical_times = self.typical_times(value, call)?.into_iter();
        let mut all: Vec<_> = self.algorithms().zip(typical_times.map(|times| Some(times?.median))).collect();
        all.sort_by(|(_, a), (_, b)| a.unwrap_or(f64::INFINITY).total_cmp(&b.unwrap_or(f64::INFINITY)));
        Ok(all)
    }

    /// The report including the repetitions before a failure. Their statistics are biased, because they are
    /// over the repetitions that the algorithm happened to survive.
    #[must_use]
    pub fn include_failed_cells(&self) -> Self {
        let mut report = self.clone();
        for point in report.series.iter_mut().flat_map(|series| &mut series.points) {
            point.include_failed();
        }
        report.whole = self.whole.as_ref().map(|whole| Arc::new(whole.include_failed_cells()));
        report
    }

    /// The report without the first repetition of each cell, unless it is the only one.
    #[must_use]
    pub fn discard_first_repetitions(&self) -> Self {
        let mut report = self.clone();
        for point in report.series.iter_mut().flat_map(|series| &mut series.points) {
            point.discard_first();
        }
        report.whole = self.whole.as_ref().map(|whole| Arc::new(whole.discard_first_repetitions()));
        report
    }
}

/// Whether a value is among those that are shown.
fn is_shown(values: &Option<Vec<u64>>, value: u64) -> bool {
    values.as_ref().is_none_or(|values| values.contains(&value))
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_columns;
    use super::*;

    /// Four algorithms at two lengths in six rounds: `a` is best at 4, `b` at 8, `c` is slow, and `d` fails at
    /// 8. `c@2` is a copy of `c` that takes 5 % longer. Rounds differ by up to 2 %.
    fn report() -> Report {
        let times =
            [("a", 1000, 2000), ("b", 1500, 1000), ("c", 4000, 4000), ("c@2", 4200, 4200), ("d", 1600, 0)];
        let mut rows = String::new();
        for round in 0..6 {
            for ((id, at_4, at_8), number) in times.into_iter().zip(0..) {
                for (length, time) in [(4, at_4), (8, at_8)].into_iter().filter(|(_, time)| *time > 0) {
                    let time = time + (7 * round + 3 * number + length) % 5 * time / 200;
                    rows += &format!("{id},{length},{round},ok,3,10,{time},0,{round}\n");
                }
            }
        }
        rows += "d,8,0,crashed,,,,,0\n";
        with_columns(",round", &rows).unwrap()
    }

    fn some(algorithms: &[&str], values: &[u64]) -> Subset {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Subset {
            algorithms: (!algorithms.is_empty()).then(|| owned(algorithms)),
            values: (!values.is_empty()).then(|| values.to_vec()),
            options: "--only x".to_owned(),
        }
    }

    fn ids(report: &Report) -> Vec<&str> {
        report.algorithms().collect()
    }

    #[test]
    fn a_subset_has_its_own_order_and_says_what_is_left_out() {
        let whole = report();
        let words = |algorithms: &[&str], values: &[u64]| {
            whole.subset(&some(algorithms, values)).unwrap().facts.subset
        };
        let among = "; ranks and the best are among these";
        assert_eq!(words(&["c", "a"], &[]), Some(format!("2 of 5 algorithms: --only x{among}")));
        assert_eq!(words(&[], &[8]).unwrap(), "1 of 2 pattern lengths: --only x");
        assert_eq!(words(&["a"], &[4]).unwrap(), "1 of 5 algorithms, 1 of 2 pattern lengths: --only x");
        assert_eq!(words(&["d", "c@2", "c", "b", "a"], &[4, 8]), None, "all, in another order");
        let part = whole.subset(&some(&["c", "zz", "a"], &[8])).unwrap();
        assert_eq!((ids(&part), part.range()), (vec!["c", "a"], vec![8]));
        assert!(part.data("b").is_none() && part.data("a").unwrap().range().eq([8]));
        let less = part.subset(&some(&["a"], &[])).unwrap();
        assert!(less.facts.subset.unwrap().starts_with("1 of 5 algorithms, 1 of 2 pattern lengths"));
        let error = whole.subset(&some(&["zz"], &[])).unwrap_err().to_string();
        assert!(error.contains("no measurements of what is asked for: --only x"), "{error}");
    }

    #[test]
    fn ranks_and_comparisons_are_among_the_subset_alone() {
        let whole = report();
        let search = Some(Call::Search);
        let best = |report: &Report| {
            let ranks = report.ranks(search).unwrap();
            ranks.iter().map(|ranks| ranks.iter().position(|rank| rank.is_best())).collect::<Vec<_>>()
        };
        assert_eq!(best(&whole), [Some(0), Some(1)]);
        let part = whole.subset(&some(&["c", "b"], &[])).unwrap();
        assert_eq!(best(&part), [Some(1), Some(1)]);
        assert_eq!(whole.baseline("c", search).unwrap().comparisons, 7);
        assert_eq!(part.baseline("c", search).unwrap().comparisons, 2);
        let one = part.subset(&some(&[], &[8])).unwrap().baseline("c", search).unwrap();
        let p = |compared: &crate::baseline::Baseline, id: &str| {
            let mut cells = compared.cells.iter().filter(|cell| (cell.value, &*cell.algorithm) == (8, id));
            cells.next().unwrap().judged.unwrap().p
        };
        assert_eq!(one.comparisons, 1);
        let of_all = p(&whole.baseline("c", search).unwrap(), "b");
        assert!(p(&one, "b") < of_all, "Holm corrects one comparison by less than {of_all}");
    }

    #[test]
    fn the_noise_floor_is_that_of_the_whole_run() {
        let whole = report();
        let part = whole.subset(&some(&["a", "b"], &[4])).unwrap();
        let null = part.null(Some(Call::Search)).unwrap().unwrap();
        assert_eq!(null, whole.null(Some(Call::Search)).unwrap().unwrap());
        assert_eq!(part.baseline("a", Some(Call::Search)).unwrap().null, Some(null));
        let later = part.discard_first_repetitions();
        let all_later = whole.discard_first_repetitions();
        assert_eq!(later.null(None).unwrap(), all_later.null(None).unwrap());
        assert_eq!((later.repetitions(), part.repetitions()), (Some((5, 5)), Some((6, 6))));
    }

    #[test]
    fn failures_untested_algorithms_and_the_results_are_those_of_the_subset() {
        let mut whole = report();
        whole.facts.untested = Some(["a", "d"].map(str::to_owned).into());
        let failures = |report: &Report| report.cells().filter_map(RawCell::failure).count();
        let part = whole.subset(&some(&["b", "a"], &[])).unwrap();
        assert_eq!((failures(&whole), failures(&part)), (1, 0));
        assert_eq!(failures(&whole.subset(&some(&["d"], &[4])).unwrap()), 0, "it failed at 8");
        let run = part.results().unwrap();
        let cells = run.results.iter().map(|cell| (cell.algorithm.as_str(), cell.value()));
        assert_eq!(cells.collect::<Vec<_>>(), [("b", 4), ("a", 4), ("b", 8), ("a", 8)]);
        assert_eq!(run.experiment.untested, Some(["a".to_owned()].into()));
        assert_eq!(run.overall.len(), 2);
    }

    #[test]
    fn algorithms_are_ordered_by_rank_or_by_their_time_at_a_value() {
        let whole = report();
        let by_rank = whole.by_rank(Some(Call::Search)).unwrap();
        let expected = [("b", Some(1)), ("a", Some(2)), ("c", Some(3)), ("c@2", Some(3)), ("d", None)];
        assert_eq!(by_rank, expected, "the copies of c are as different as the noise floor is high");
        let at = |value| -> Vec<&str> {
            let times = whole.by_time_at(value, Some(Call::Search)).unwrap();
            times.into_iter().map(|(id, _)| id).collect()
        };
        assert_eq!((at(4), at(8)), (vec!["a", "b", "d", "c", "c@2"], vec!["b", "a", "c", "c@2", "d"]));
        assert_eq!(whole.by_time_at(8, Some(Call::Search)).unwrap()[4], ("d", None));
    }

    #[test]
    fn only_a_run_with_times_has_an_order_by_them() {
        let mut counted = report();
        counted.facts.stats = assay_experiment::definition::Stats::Algo;
        assert!(counted.by_rank(None).unwrap_err().to_string().contains("is instrumented"));
        assert!(counted.by_time_at(4, None).unwrap_err().to_string().contains("is instrumented"));
        let words = counted.subset(&some(&["a", "b"], &[])).unwrap().facts.subset.unwrap();
        assert_eq!(words, "2 of 5 algorithms: --only x", "there are no ranks");
    }
}

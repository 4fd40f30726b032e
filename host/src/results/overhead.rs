//! Counts less what counting itself adds to them.

use assay_plugin_api::Semantics;

use super::{CounterFacts, Figures, Run};

impl Run {
    /// The run with counts less what an empty call counts, where that is known, and what is to be said of it. Where an empty call
    /// counts more than the median, nothing is known of the rest, and it is missing. Metrics of event sets are left out: they are
    /// of the whole counts.
    #[must_use]
    pub fn without_overhead(mut self) -> (Self, Vec<String>) {
        let Run { experiment, results, .. } = &mut self;
        let empty = |name: &str| experiment.counters.iter().find(|facts| facts.name == name)?.cost.empty;
        let (mut swallowed, mut below) = (Vec::new(), Vec::new());
        for cell in results {
            for counters in [&mut cell.counters, &mut cell.prepare_counters] {
                let whole = std::mem::take(counters);
                *counters = whole.clone().less(empty);
                let known = whole.iter().filter(|(_, summary)| summary.is_some());
                swallowed.extend(
                    known.filter(|(name, _)| counters.get(name).is_none()).map(|(name, _)| name.to_owned()),
                );
                let negative = |name: &str| {
                    empty(name).is_some() && counters.get(name).is_some_and(|less| less.min < 0.0)
                };
                below.extend(
                    whole.iter().map(|(name, _)| name).filter(|name| negative(name)).map(str::to_owned),
                );
            }
            cell.set_metrics = Figures::default();
        }
        let notes = notes(&experiment.counters, swallowed, below);
        experiment.overhead_subtracted = true;
        (self, notes)
    }
}

/// What is to be said where the overhead of counting was subtracted from some counters: of which it was more than the median,
/// of which it was more than some count, and of which it is not known. Names may come more than once.
pub fn notes(counters: &[CounterFacts], swallowed: Vec<String>, below_zero: Vec<String>) -> Vec<String> {
    let once = |mut names: Vec<String>| {
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let unknown = |facts: &&CounterFacts| {
        facts.cost.empty.is_none() && facts.semantics != Semantics::Instant && !facts.per_round
    };
    let unknown = counters.iter().filter(unknown).map(|facts| facts.name.clone()).collect();
    let swallowed = once(swallowed).map(|names| {
        format!("{names}: an empty call counts more than the median of some counts, which are left out: nothing is known of the rest")
    });
    let below_zero = once(below_zero).map(|names| {
        format!(
            "{names}: some counts are below 0, since an empty call, whose median count was subtracted, counts now more and now \
             less; they are kept"
        )
    });
    let unknown = once(unknown).map(|names| {
        format!("{names}: nothing could be subtracted, since it is not known what an empty call counts")
    });
    [swallowed, below_zero, unknown].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use assay_stats::Summary;

    use super::super::{cell, schema};
    use super::*;
    use crate::results::CellResult;

    #[test]
    fn what_an_empty_call_counts_is_subtracted_where_it_is_known() {
        let mut run = schema::tests::example();
        run.experiment.counters[0].semantics = Semantics::Counter;
        let counts = |values: &[f64]| [("mem:level".to_owned(), Summary::new(values))].into_iter().collect();
        run.results = vec![CellResult {
            counters: counts(&[10.0, 14.0]),
            prepare_counters: counts(&[4.0, 5.0]),
            ..cell::tests::example()
        }];
        let less = |run: &Run, empty| {
            let mut run = run.clone();
            run.experiment.counters[0].cost.empty = empty;
            let (less, notes) = run.without_overhead();
            assert!(less.experiment.overhead_subtracted);
            let cell = &less.results[0];
            let told =
                [&cell.counters, &cell.prepare_counters].map(|figures| Some(figures.get("mem:level")?.med));
            (told, notes)
        };
        let (told, notes) = less(&run, None);
        assert_eq!(told, [Some(12.0), Some(4.5)]);
        assert!(
            notes[0].starts_with("mem:level: nothing could be subtracted") && notes.len() == 1,
            "{notes:?}"
        );
        assert_eq!(less(&run, Some(4.0)), ([Some(8.0), Some(0.5)], vec![]));
        let (told, notes) = less(&run, Some(4.25));
        assert_eq!(told, [Some(7.75), Some(0.25)]);
        assert!(notes[0].starts_with("mem:level: some counts are below 0") && notes.len() == 1, "{notes:?}");
        let (told, notes) = less(&run, Some(11.0));
        assert_eq!(told, [Some(1.0), None], "a median below 0 is none");
        assert!(notes[0].starts_with("mem:level: an empty call counts more than the median"), "{notes:?}");
        run.experiment.counters[0].semantics = Semantics::Instant;
        assert_eq!(less(&run, None).1, [""; 0], "there is nothing to subtract from a level");
    }
}

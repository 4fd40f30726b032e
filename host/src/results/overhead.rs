//! Counts less what counting itself adds to them.

use super::{CounterFacts, Figures, Run};

impl Run {
    /// The run with counts less what an empty call counts, where that is known. Metrics of event sets are left out: they
    /// are of the whole counts.
    #[must_use]
    pub fn without_overhead(mut self) -> Self {
        let empty = |name: &str| self.experiment.counters.iter().find(|facts| facts.name == name)?.cost.empty;
        for cell in &mut self.results {
            cell.counters = std::mem::take(&mut cell.counters).less(empty);
            cell.prepare_counters = std::mem::take(&mut cell.prepare_counters).less(empty);
            cell.set_metrics = Figures::default();
        }
        self.experiment.overhead_subtracted = true;
        self
    }

    /// What is to be said where the overhead of counting was subtracted: of which counters that was more than some count.
    pub fn subtraction_note(&self) -> Option<String> {
        let below = |facts: &&CounterFacts| {
            let of = |figures: &Figures| figures.get(&facts.name).is_some_and(|summary| summary.min < 0.0);
            self.results.iter().any(|cell| of(&cell.counters) || of(&cell.prepare_counters))
        };
        let counters = self.experiment.counters.iter();
        let names: Vec<&str> = counters.filter(below).map(|facts| facts.name.as_str()).collect();
        (self.experiment.overhead_subtracted && !names.is_empty()).then(|| below_zero(&names))
    }
}

/// Says of some counters that counts are below 0.
pub fn below_zero(names: &[&str]) -> String {
    format!(
        "{}: some counts are below 0, since an empty call, whose median count was subtracted, counts now more and now less; \
         they are kept",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::{cell, schema};
    use super::*;
    use crate::results::CellResult;
    use crate::summary::Summary;

    #[test]
    fn what_an_empty_call_counts_is_subtracted_where_it_is_known() {
        let mut run = schema::tests::example();
        let counts = |values: &[f64]| [("mem:level".to_owned(), Summary::of(values))].into_iter().collect();
        run.results = vec![CellResult {
            counters: counts(&[10.0, 14.0]),
            prepare_counters: counts(&[4.0]),
            ..cell::tests::example()
        }];
        let told = |run: &Run| {
            let cell = &run.results[0];
            [&cell.counters, &cell.prepare_counters].map(|figures| figures.get("mem:level").unwrap().med)
        };
        let unknown = run.clone().without_overhead();
        assert_eq!((told(&unknown), unknown.subtraction_note()), ([12.0, 4.0], None));
        run.experiment.counters[0].cost.empty = Some(4.0);
        assert_eq!(run.subtraction_note(), None, "nothing was asked for");
        let less = run.clone().without_overhead();
        assert!(less.experiment.overhead_subtracted);
        assert_eq!((told(&less), less.subtraction_note()), ([8.0, 0.0], None));
        run.experiment.counters[0].cost.empty = Some(5.0);
        let note = run.without_overhead().subtraction_note().unwrap();
        assert!(note.starts_with("mem:level: some counts are below 0"), "{note}");
    }
}

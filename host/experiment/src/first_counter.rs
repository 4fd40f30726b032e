//! The counter that reports show first, instead of the time.

use assay_base::error::{Error, Result};

use super::definition::Experiment;

/// Whether a counter, `backend:event`, has this name: its own, or that of its event.
pub fn has_name(counter: &str, name: &str) -> bool {
    counter == name || counter.split_once(':').is_some_and(|(_, event)| event == name)
}

impl Experiment {
    /// Counts the first counter, too, if its name has a backend: one option is then enough.
    pub(crate) fn count_first_counter(&mut self) {
        if let Some(first) = self.first_counter.clone().filter(|first| first.contains(':'))
            && !self.counters.contains(&first)
        {
            self.counters.push(first);
        }
    }

    /// Checks that the first counter is among the counters of the run, which have these names.
    ///
    /// # Errors
    /// If it is not.
    pub(crate) fn check_first_counter(&self, counters: &[String]) -> Result<()> {
        let Some(first) = &self.first_counter else { return Ok(()) };
        if counters.iter().any(|counter| has_name(counter, first)) {
            return Ok(());
        }
        let problem = if first.contains(':') { "can't be counted here" } else { "is not among the counters" };
        Err(Error::new(format!("`{first}` {problem}, so it can't be the first counter")).remedy(
            "leave out --first-counter, or name an event with its backend, for example tsc:cycles; `assay counters list` shows them",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(first: &str, counters: &[&str]) -> Experiment {
        let counters = counters.iter().map(|counter| (*counter).to_owned()).collect();
        Experiment { first_counter: Some(first.to_owned()), counters, ..Experiment::default() }
    }

    #[test]
    fn a_first_counter_with_a_backend_is_counted_once() {
        for (first, counters, expected) in [
            ("tsc:cycles", &[][..], &["tsc:cycles"][..]),
            ("tsc:cycles", &["clock:ns", "tsc:cycles"], &["clock:ns", "tsc:cycles"]),
            ("cycles", &["tsc"], &["tsc"]),
        ] {
            let mut experiment = experiment(first, counters);
            experiment.count_first_counter();
            assert_eq!(experiment.counters, expected);
        }
    }

    #[test]
    fn the_first_counter_is_one_of_those_that_are_counted() {
        let counted = ["perf:page-faults", "tsc:cycles"].map(str::to_owned);
        let message = |first: &str| {
            let checked = experiment(first, &[]).check_first_counter(&counted);
            checked.map_or_else(|error| error.to_string(), |()| String::new())
        };
        assert_eq!((message("cycles"), message("tsc:cycles")), (String::new(), String::new()));
        assert!(message("instructions").starts_with("`instructions` is not among the counters"));
        assert!(message("perf:cycles").starts_with("`perf:cycles` can't be counted here"));
    }
}

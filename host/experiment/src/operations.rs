//! Checks of the numbers of operations that an experiment declares for its searches.

use assay_base::columns::Call;
use assay_base::error::{Error, Result};

use super::by_length::ByLength;
use super::definition::Experiment;

impl Experiment {
    /// Checks that the declared numbers of operations are 0 or more for patterns of this length. `calls` are
    /// the calls of a repetition, each with the length of its text.
    ///
    /// # Errors
    /// If a number is not.
    pub(crate) fn check_operations(&self, calls: &[(Call, usize)], pattern_length: usize) -> Result<()> {
        let searches = calls.iter().filter(|(call, _)| *call == Call::Search).map(|(_, bytes)| *bytes);
        if let Some(formula) = &self.complexity {
            return check(formula, searches.sum(), pattern_length);
        }
        // Each value of a sum-range has the same calls again.
        let formulas =
            self.calls.iter().flat_map(|call| std::iter::repeat_n(&call.complexity, call.searches));
        let mut declared = searches.zip(formulas.cycle());
        declared.try_for_each(|(bytes, formula)| match formula {
            Some(formula) => check(formula, bytes, pattern_length),
            None => Ok(()),
        })
    }
}

/// Checks that a formula gives a number of operations for these lengths.
fn check(formula: &ByLength, text_length: usize, pattern_length: usize) -> Result<()> {
    let operations = match formula.value(text_length, pattern_length) {
        Some(operations) if operations >= 0.0 => return Ok(()),
        Some(operations) => format!("{operations} operations"),
        None => "no number of operations".to_owned(),
    };
    Err(Error::new(format!(
        "`{formula}` gives {operations} when {text_length} bytes are searched for patterns of {pattern_length} bytes"
    ))
    .remedy("give --complexity a formula that is 0 or more everywhere, for example 2 * text_length"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::CallSpec;

    const CALLS: [(Call, usize); 3] = [(Call::Prepare, 100), (Call::Search, 100), (Call::Search, 10)];

    /// The error of an experiment that declares these operations for its calls, or for all together.
    fn message(of_calls: &[&str], of_all: Option<&str>) -> String {
        let call = |formula: &&str| CallSpec { complexity: formula.parse().ok(), ..CallSpec::default() };
        let calls = of_calls.iter().map(call).collect();
        let complexity = of_all.map(|formula| formula.parse().unwrap());
        let experiment = Experiment { calls, complexity, ..Experiment::default() };
        experiment.check_operations(&CALLS, 8).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn a_formula_is_checked_for_what_its_calls_search() {
        assert_eq!(message(&[], Some("110 - text_length")), "", "both searches together");
        assert!(message(&[], Some("109 - text_length")).contains("gives -1 operations when 110 bytes"));
        assert_eq!(message(&["100 - text_length", "10 - text_length"], None), "");
        let wrong = message(&["100 - text_length", "9 - text_length"], None);
        assert!(wrong.contains("gives -1 operations when 10 bytes are searched"), "{wrong}");
    }
}

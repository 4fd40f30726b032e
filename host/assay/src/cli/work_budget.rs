//! The option `--budget`: a number of steps, or a time.

use assay_base::work_budget::WorkBudget;
use assay_experiment::how_long::Budget;

/// Reads a budget.
///
/// # Errors
/// What is `expected`, if the word is neither a number from 1 on nor a time.
pub(super) fn work_budget(word: &str, expected: &str) -> Result<WorkBudget, String> {
    match (word.parse::<usize>(), word.parse::<Budget>()) {
        (Ok(steps @ 1..), _) => Ok(WorkBudget::Steps(steps)),
        (_, Ok(time)) => Ok(WorkBudget::Time(time.duration())),
        _ => Err(expected.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_budget_is_a_number_or_a_time() {
        let read = |word| work_budget(word, "x is expected");
        assert_eq!(read("300"), Ok(WorkBudget::Steps(300)));
        assert_eq!(read("40"), Ok(WorkBudget::Steps(40)));
        assert_eq!(read("60s"), Ok(WorkBudget::Time(Duration::from_secs(60))));
        assert_eq!(read("90s"), Ok(WorkBudget::Time(Duration::from_secs(90))));
        for wrong in ["0", "-1", "soon", ""] {
            assert_eq!(read(wrong), Err("x is expected".to_owned()), "{wrong}");
        }
    }
}

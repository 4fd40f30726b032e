//! How many repetitions a point has: those that are asked for, by a formula if there is one, and how many at most where it goes on.

use super::definition::{Experiment, Order};
use super::rounds::Rounds;
use crate::error::{Error, Result};

/// The limit of what goes on, in ordinary runs, where none is given.
const GOES_ON_FOR: usize = 100;

impl Experiment {
    /// The rounds into which the repetitions are divided where there are most, and into which further ones would be.
    pub fn rounds(&self) -> Rounds {
        self.divided(self.runs)
    }

    /// Those of a point where a repetition searches so many bytes for a pattern of so many.
    ///
    /// # Errors
    /// If the formula for them gives no number.
    pub fn rounds_at(&self, text_length: usize, pattern_length: usize) -> Result<Rounds> {
        let Some(formula) = &self.runs_by else { return Ok(self.rounds()) };
        let runs = formula.value(text_length, pattern_length).ok_or_else(|| {
            Error::new(format!(
                "`{formula}` gives no number of repetitions where {text_length} bytes are searched for patterns of \
                 {pattern_length}"
            ))
            .remedy("give --runs-by a formula that has a value everywhere, as 100000000 / text_length")
        })?;
        // What is beyond a number is the least or the greatest one.
        Ok(self.divided((runs.round() as usize).clamp(1, self.runs)))
    }

    fn divided(&self, runs: usize) -> Rounds {
        let rounds = if self.order == Order::Sequential { 1 } else { self.rounds };
        Rounds::new(runs, rounds)
    }

    /// How many repetitions a point that has these may have: as many times more as others, in whole rounds.
    pub fn most_runs(&self, rounds: Rounds) -> usize {
        rounds.before(self.most(rounds))
    }

    /// How many rounds that are.
    fn most(&self, rounds: Rounds) -> usize {
        let most = match (self.goes_on(), self.most_runs) {
            (false, _) => return rounds.count(),
            (true, None) => self.runs.saturating_mul(GOES_ON_FOR),
            (true, Some(most)) => most,
        };
        let most = rounds.runs() as u128 * most as u128 / self.runs.max(1) as u128;
        rounds.of(usize::try_from(most).unwrap_or(usize::MAX)).max(rounds.count())
    }

    /// Behind which round no point goes on that has these. Further rounds begin when every point is done with what was asked for,
    /// so behind `asked_for` of them.
    pub fn most_rounds(&self, rounds: Rounds, asked_for: usize) -> usize {
        match self.most(rounds) - rounds.count() {
            0 => rounds.count(),
            further => asked_for.saturating_add(further),
        }
    }

    /// The number that no repetition of such a point reaches.
    pub fn most_repetitions(&self, rounds: Rounds, asked_for: usize) -> usize {
        rounds.before(self.most_rounds(rounds, asked_for))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_has_a_limit_of_whole_rounds() {
        let most = |until: Option<&str>, most_runs| {
            let until = until.map(|until| until.parse().unwrap());
            let experiment = Experiment { until, most_runs, runs: 507, ..Experiment::default() };
            (experiment.most_runs(experiment.rounds()), experiment.most_rounds(experiment.rounds(), 10))
        };
        assert_eq!(most(None, None), (507, 10));
        assert_eq!(most(Some("2%"), None), (50_700, 1000));
        assert_eq!(most(Some("2%"), Some(1521)), (1521, 30));
        // A round has 50 or 51.
        assert_eq!(
            [557, 558, 1521 + 50].map(|runs| most(Some("2%"), Some(runs))),
            [(507, 10), (558, 11), (1521, 30)]
        );
    }

    #[test]
    fn a_formula_decides_how_often_a_point_is_repeated() {
        let experiment = |formula: &str| Experiment {
            runs: 1000,
            runs_by: Some(formula.parse().unwrap()),
            ..Experiment::default()
        };
        let runs = |formula: &str, text_length| {
            experiment(formula).rounds_at(text_length, 8).ok().map(|rounds| (rounds.runs(), rounds.count()))
        };
        let by_text = |text_length| runs("100000 / text_length", text_length);
        assert_eq!([150, 1000, 15_000].map(|text| by_text(text).unwrap()), [(667, 10), (100, 10), (7, 7)]);
        assert_eq!([10, 1_000_000].map(|text| by_text(text).unwrap()), [(1000, 10), (1, 1)], "1 to --runs");
        assert_eq!(runs("-3", 5), Some((1, 1)));
        assert_eq!(runs("1 / (text_length - 5)", 5), None);
        let error = experiment("1 / (text_length - 5)").rounds_at(5, 8).unwrap_err().to_string();
        assert!(
            error.starts_with("`1 / (text_length - 5)` gives no number of repetitions where 5 bytes"),
            "{error}"
        );
    }

    #[test]
    fn who_has_fewer_rounds_goes_on_for_fewer() {
        let formula = Some("100000 / text_length".parse().unwrap());
        let until = Some("2%".parse().unwrap());
        let experiment = Experiment {
            runs: 1000,
            runs_by: formula,
            until,
            most_runs: Some(4000),
            ..Experiment::default()
        };
        let rounds = |text_length| experiment.rounds_at(text_length, 8).unwrap();
        let most = |text_length| {
            let rounds = rounds(text_length);
            (experiment.most_rounds(rounds, 10), experiment.most_repetitions(rounds, 10))
        };
        assert_eq!(most(1000), (40, 400));
        // Its rounds have one repetition each: 3, and then 9 more from round 10 on.
        assert_eq!(most(33_333), (19, 19));
    }
}

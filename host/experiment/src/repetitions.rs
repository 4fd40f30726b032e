//! How many repetitions a point has: those that are asked for, possibly by a formula, and the limit if the
//! run continues.

use assay_base::error::{Error, Result};

use super::definition::{Experiment, Order};
use super::rounds::Rounds;

/// Where a run continues and no limit is given, a point gets at most this many times the repetitions asked
/// for. Noise makes an interval narrower only by the square root of the repetitions, so 100 times as many
/// make it about a tenth as wide.
const GOES_ON_FOR: usize = 100;

impl Experiment {
    /// The rounds of a point with the greatest number of repetitions, `runs`.
    pub fn rounds(&self) -> Rounds {
        self.divided(self.runs)
    }

    /// The note that there are fewer rounds than were asked for; `None` if there are as many, or if it was
    /// not the user who asked.
    pub(crate) fn note_of_rounds(&self) -> Option<String> {
        let (asked, count) = (self.rounds, self.rounds().count());
        let is_asked_for = self.order != Order::Sequential && asked != Experiment::default().rounds;
        (is_asked_for && count < asked).then(|| {
            format!("{count} rounds instead of {asked}, because each has a repetition at least, and --runs is {count}")
        })
    }

    /// The rounds of a point at which a repetition searches `text_length` bytes for a pattern of
    /// `pattern_length` bytes.
    ///
    /// # Errors
    /// If the formula for the repetitions has no value there.
    pub fn rounds_at(&self, text_length: usize, pattern_length: usize) -> Result<Rounds> {
        let Some(formula) = &self.runs_by else { return Ok(self.rounds()) };
        let runs = formula.value(text_length, pattern_length).ok_or_else(|| {
            Error::new(format!(
                "`{formula}` gives no number of repetitions when {text_length} bytes are searched for patterns of \
                 {pattern_length} bytes"
            ))
            .remedy("give --runs-by a formula that has a value everywhere, for example 100000000 / text_length")
        })?;
        // The conversion of a value that is too small or too large saturates, so the limits hold for every
        // value.
        Ok(self.divided((runs.round() as usize).clamp(1, self.runs)))
    }

    /// This number of repetitions, divided into the rounds of the experiment.
    fn divided(&self, runs: usize) -> Rounds {
        let rounds = if self.order == Order::Sequential { 1 } else { self.rounds };
        Rounds::new(runs, rounds)
    }

    /// The greatest number of repetitions of a point with these rounds. It is the limit of the experiment, in
    /// proportion to the repetitions of the point, and in whole rounds.
    pub fn most_runs(&self, rounds: Rounds) -> usize {
        rounds.before(self.most_own_rounds(rounds))
    }

    /// The greatest number of rounds of a point with these rounds.
    fn most_own_rounds(&self, rounds: Rounds) -> usize {
        let most = match (self.goes_on(), self.most_runs) {
            (false, _) => return rounds.count(),
            (true, None) => self.runs.saturating_mul(GOES_ON_FOR),
            (true, Some(most)) => most,
        };
        let most = rounds.runs() as u128 * most as u128 / self.runs.max(1) as u128;
        rounds.round_of(usize::try_from(most).unwrap_or(usize::MAX)).max(rounds.count())
    }

    /// Number of the round after which a point with these `rounds` stops for good. Extra rounds start only
    /// when every point has finished the rounds that were asked for, hence the offset `asked_for`.
    pub fn most_rounds(&self, rounds: Rounds, asked_for: usize) -> usize {
        match self.most_own_rounds(rounds) - rounds.count() {
            0 => rounds.count(),
            further => asked_for.saturating_add(further),
        }
    }

    /// One more than the greatest number that a repetition of such a point can have. Numbers of rounds in
    /// which the point does not take part are skipped, so this can exceed [`most_runs`](Self::most_runs).
    pub fn most_repetitions(&self, rounds: Rounds, asked_for: usize) -> usize {
        rounds.before(self.most_rounds(rounds, asked_for))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_rounds_than_asked_for_are_noted() {
        let note =
            |rounds, order| Experiment { runs: 5, rounds, order, ..Experiment::default() }.note_of_rounds();
        assert!(note(1000, Order::Interleaved).unwrap().starts_with("5 rounds instead of 1000, because"));
        for (rounds, order) in [(5, Order::Interleaved), (10, Order::Interleaved), (1000, Order::Sequential)]
        {
            assert_eq!(note(rounds, order), None, "{rounds}");
        }
    }

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
            error.starts_with("`1 / (text_length - 5)` gives no number of repetitions when 5 bytes"),
            "{error}"
        );
    }

    #[test]
    fn a_point_with_fewer_rounds_continues_for_fewer() {
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

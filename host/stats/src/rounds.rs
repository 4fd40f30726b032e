//! From repetitions to rounds: one number for each round, on which intervals and significances rest.

/// The time of one repetition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of its round.
    pub round: u32,
    /// Number of the repetition. Repetitions with the same number searched for the same pattern.
    pub repetition: u32,
    /// The time, in any unit.
    pub time: f64,
}

/// One number for each round, with the number of the round, ascending: a logarithm of a time or of a ratio.
pub type RoundValues = Vec<(u32, f64)>;

/// The numbers alone, without those of the rounds.
pub fn values(rounds: &[(u32, f64)]) -> Vec<f64> {
    rounds.iter().map(|(_, value)| *value).collect()
}

/// For each round the median of its values.
pub fn medians(mut values: Vec<(u32, f64)>) -> RoundValues {
    // In a run that was resumed, repetitions of one round may lie between those of another.
    values.sort_by_key(|(round, _)| *round);
    let of_round = |round: &[(u32, f64)]| {
        let mut values: Vec<f64> = round.iter().map(|(_, value)| *value).collect();
        (round[0].0, crate::median(&mut values))
    };
    values.chunk_by(|a, b| a.0 == b.0).map(of_round).collect()
}

/// For each round the logarithm of its median time. Times of 0 are left out: they have no logarithm.
pub fn log_times(samples: &[Sample]) -> RoundValues {
    let times = samples.iter().filter(|sample| sample.time > 0.0);
    medians(times.map(|sample| (sample.round, sample.time.ln())).collect())
}

/// For each round the median of the logarithms of `times / baseline`, pattern by pattern: repetitions that
/// only one of the lists has in this round are left out, and so are times of 0. Both lists are of the same
/// run, and ascend by repetition.
pub fn log_ratios(times: &[Sample], baseline: &[Sample]) -> RoundValues {
    // In a run that was resumed, the same repetition may be of different rounds.
    log_ratios_where(times, baseline, |one, other| one.round == other.round)
}

/// As [`log_ratios`], for lists of two runs, whose rounds are numbered independently. The rounds are those of
/// `times`.
pub fn log_ratios_of_runs(times: &[Sample], baseline: &[Sample]) -> RoundValues {
    log_ratios_where(times, baseline, |_, _| true)
}

fn log_ratios_where(
    times: &[Sample],
    baseline: &[Sample],
    are_comparable: impl Fn(&Sample, &Sample) -> bool,
) -> RoundValues {
    let mut baseline = baseline.iter().peekable();
    let mut logarithms = Vec::with_capacity(times.len());
    for sample in times {
        while baseline.next_if(|other| other.repetition < sample.repetition).is_some() {}
        let pair = baseline.next_if(|other| other.repetition == sample.repetition);
        let pair = pair.filter(|other| are_comparable(sample, other));
        if let Some(other) = pair.filter(|other| sample.time > 0.0 && other.time > 0.0) {
            logarithms.push((sample.round, (sample.time / other.time).ln()));
        }
    }
    medians(logarithms)
}

/// The mean of several cells in each round that all of them have.
pub fn mean<'a>(cells: impl Iterator<Item = &'a RoundValues>) -> RoundValues {
    let mut count = 0.0;
    let sum = cells.inspect(|_| count += 1.0).cloned().reduce(|sum, cell| {
        let mut cell = cell.into_iter().peekable();
        let add = |(round, value): (u32, f64)| {
            while cell.next_if(|(other, _)| *other < round).is_some() {}
            cell.next_if(|(other, _)| *other == round).map(|(_, more)| (round, value + more))
        };
        sum.into_iter().filter_map(add).collect()
    });
    sum.unwrap_or_default().into_iter().map(|(round, value)| (round, value / count)).collect()
}

/// How many rounds several cells have in common; a [`mean`] over the cells uses only these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommonRounds {
    /// How many rounds all cells have.
    pub rounds: usize,
    /// How many rounds the cell with most rounds has.
    pub most: usize,
}

impl CommonRounds {
    /// Counts the rounds that all these cells have.
    pub fn among<'a>(cells: impl Iterator<Item = &'a RoundValues> + Clone) -> Self {
        let most = cells.clone().map(Vec::len).max().unwrap_or_default();
        CommonRounds { rounds: mean(cells).len(), most }
    }

    /// The one of the two with fewer rounds.
    #[must_use]
    pub fn fewer(self, other: Self) -> Self {
        if other.rounds < self.rounds { other } else { self }
    }

    /// "means use the rounds that all have: 2 of up to 3"; `None` if all cells have the same rounds.
    pub fn note(self) -> Option<String> {
        let CommonRounds { rounds, most } = self;
        (rounds < most).then(|| format!("means use the rounds that all have: {rounds} of up to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_round_has_its_own_median() {
        let values = [(0, 3.0), (0, 1.0), (0, 9.0), (2, 4.0), (2, 5.0)];
        assert_eq!(medians(values.to_vec()), [(0, 3.0), (2, 4.5)]);
        assert_eq!(medians(Vec::new()), []);
    }

    #[test]
    fn a_mean_uses_the_rounds_that_all_cells_have() {
        let cells = [vec![(0, 1.0), (1, 2.0), (3, 5.0)], vec![(1, 4.0), (2, 9.0), (3, 7.0)]];
        assert_eq!(mean(cells.iter()), [(1, 3.0), (3, 6.0)]);
        assert_eq!(mean([].iter()), []);
        let common = CommonRounds::among(cells.iter());
        assert_eq!(common, CommonRounds { rounds: 2, most: 3 });
        assert_eq!(common.note().unwrap(), "means use the rounds that all have: 2 of up to 3");
        assert_eq!(CommonRounds::among(cells[..1].iter()).note(), None);
    }

    proptest! {
        #[test]
        fn ratios_of_swapped_lists_have_the_opposite_sign(
            times in prop::collection::vec((0u32..4, 1.0..1e6f64, 1.0..1e6f64), 1..40)
        ) {
            let mut rounds: Vec<u32> = times.iter().map(|(round, ..)| *round).collect();
            rounds.sort_unstable();
            let list = |time: fn(&(u32, f64, f64)) -> f64| -> Vec<Sample> {
                let numbered = (0..).zip(rounds.iter().zip(&times));
                numbered
                    .map(|(repetition, (&round, row))| Sample { round, repetition, time: time(row) })
                    .collect()
            };
            let (a, b) = (list(|row| row.1), list(|row| row.2));
            for ((round, forth), (other, back)) in log_ratios(&a, &b).into_iter().zip(log_ratios(&b, &a)) {
                prop_assert_eq!(round, other);
                prop_assert!((forth + back).abs() < 1e-9);
            }
            prop_assert!(log_ratios(&a, &a).iter().all(|(_, value)| *value == 0.0));
        }
    }
}

//! One rank over all cells: by the geometric mean of the ratios to the best of each.

use super::{Difference, Ratio, Sample, Standing, standings};
use crate::interval::CONFIDENCE;

/// What each round tells of a cell: a logarithm.
pub type OfRounds = Vec<(u32, f64)>;

/// The rounds of some cells: a mean is of those that all of them have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// How many these are.
    pub rounds: usize,
    /// How many the cell has that has most.
    pub of: usize,
}

impl Common {
    /// Of these cells.
    pub fn of<'a>(cells: impl Iterator<Item = &'a OfRounds> + Clone) -> Self {
        Common { rounds: mean(cells.clone()).len(), of: cells.map(Vec::len).max().unwrap_or_default() }
    }

    /// The one with fewer rounds.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        if other.rounds < self.rounds { other } else { self }
    }

    /// What a mean leaves out, if it does.
    pub fn words(self) -> Option<String> {
        let Common { rounds, of } = self;
        (rounds < of)
            .then(|| format!("means are of the rounds that all of them have: {rounds} of up to {of}"))
    }
}

/// How an algorithm does over all cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overall {
    /// How many cells it did.
    pub cells: usize,
    /// The rounds of those cells.
    pub common: Common,
    /// The geometric mean of its ratios to the best of each cell that it did, with an interval of 95 %.
    pub to_best: Option<Ratio>,
    /// Where it stands among those that did all cells; `None` if it did not.
    pub standing: Option<Standing>,
}

/// How some algorithms do over all cells, by the logarithms of their ratios to the best of each cell: `[algorithm][cell]`, `None`
/// where one failed. No difference is known below the floor.
///
/// What is averaged are the cells of a round, since they share its processes and its moment; so the interval is that of the
/// rounds. It is about these cells and no others.
pub fn overall(of: &[Vec<Option<OfRounds>>], floor: f64) -> Vec<Overall> {
    let means: Vec<OfRounds> = of.iter().map(|cells| mean(cells.iter().flatten())).collect();
    let cells = |of: &Vec<Option<OfRounds>>| of.iter().flatten().count();
    let values = |i: usize| means[i].iter().map(|(_, value)| *value).collect::<Vec<_>>();
    let complete = |i: usize| cells(&of[i]) == of[i].len() && !means[i].is_empty();
    let average = |i: usize| {
        let values = values(i);
        complete(i).then(|| (values.iter().sum::<f64>() / values.len() as f64).exp())
    };
    let averages: Vec<Option<f64>> = (0..of.len()).map(average).collect();
    // A round is one observation here, as a repetition is elsewhere.
    let sample = |&(round, value): &(u32, f64)| Sample { round, repetition: round, time: value.exp() };
    let rounds =
        |i: usize| Ok::<_, std::convert::Infallible>(means[i].iter().map(sample).collect::<Vec<_>>());
    let Ok(standings) = standings(&averages, floor, rounds);
    let overall = |(i, standing): (usize, Option<Standing>)| Overall {
        cells: cells(&of[i]),
        common: Common::of(of[i].iter().flatten()),
        to_best: Difference::paired(&values(i)).map(|difference| difference.ratio(CONFIDENCE)),
        standing,
    };
    standings.into_iter().enumerate().map(overall).collect()
}

/// The mean of some cells in each round that all of them have.
pub fn mean<'a>(cells: impl Iterator<Item = &'a OfRounds>) -> OfRounds {
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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::super::simulated::{DRIFTING, Machine, percent};
    use super::super::{PLACEMENT_FLOOR, by_pattern};
    use super::*;

    fn rounds(values: &[f64]) -> Option<OfRounds> {
        Some((0..).zip(values.iter().map(|value| value.ln())).collect())
    }

    #[test]
    fn a_mean_is_that_of_the_rounds_that_all_cells_have() {
        let cells = [vec![(0, 1.0), (1, 2.0), (3, 5.0)], vec![(1, 4.0), (2, 9.0), (3, 7.0)]];
        assert_eq!(mean(cells.iter()), [(1, 3.0), (3, 6.0)]);
        assert_eq!(mean([].iter()), []);
        let common = Common::of(cells.iter());
        assert_eq!(common, Common { rounds: 2, of: 3 });
        assert_eq!(common.words().unwrap(), "means are of the rounds that all of them have: 2 of up to 3");
        assert_eq!(Common::of(cells[..1].iter()).words(), None);
    }

    #[test]
    fn who_failed_in_a_cell_has_a_mean_of_the_others_and_no_rank() {
        let best = rounds(&[1.0; 3]);
        let found = overall(
            &[
                vec![best.clone(), rounds(&[4.0, 4.01, 4.02])],
                vec![rounds(&[9.0, 9.01, 9.02]), best.clone()],
                vec![best.clone(), None],
            ],
            PLACEMENT_FLOOR,
        );
        let told: Vec<_> =
            found.iter().map(|o| (o.cells, o.standing.map(|standing| standing.rank))).collect();
        assert_eq!(told, [(2, Some(1)), (2, Some(2)), (1, None)]);
        let ratios: Vec<f64> = found.iter().map(|overall| overall.to_best.unwrap().ratio).collect();
        assert!((ratios[0] - 2.0).abs() < 0.01 && (ratios[1] - 3.0).abs() < 0.01 && ratios[2] == 1.0);
        let ratio = found[1].standing.unwrap().to_best.ratio;
        assert!((ratio - 1.5).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn without_rounds_nothing_is_known_overall() {
        let one = overall(&[vec![rounds(&[1.0])], vec![None]], 0.0);
        assert!(one.iter().all(|overall| overall.to_best.is_none() && overall.standing.is_none()), "{one:?}");
        assert_eq!(overall(&[], 0.0), []);
    }

    /// Truths of three algorithms at three lengths: the ratios of the third to the best are 2, 1.5 and 3.
    #[test]
    fn the_interval_of_an_overall_mean_covers_it_as_often_as_it_says() {
        let truths: [&[f64]; 3] = [&[1.0, 1.3, 2.0], &[1.2, 1.0, 1.5], &[1.0, 1.1, 3.0]];
        let best = [0, 1, 0];
        let truth = 9.0f64.cbrt();
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for placement in [0.01, 0.05] {
            let machine = Machine { placement, ..DRIFTING };
            let covered = percent(600, || {
                let cells = machine.cells(&truths, &mut rng);
                let to_best = |i: usize| {
                    let cell =
                        |(lists, best): (&Vec<Vec<Sample>>, usize)| Some(by_pattern(&lists[i], &lists[best]));
                    cells.iter().zip(best).map(cell).collect()
                };
                let found = overall(&(0..3).map(to_best).collect::<Vec<_>>(), PLACEMENT_FLOOR);
                let ratio = found[2].to_best.unwrap();
                ratio.low <= truth && truth <= ratio.high
            });
            assert!((93.0..=97.0).contains(&covered), "{covered} % with {placement}");
        }
    }
}

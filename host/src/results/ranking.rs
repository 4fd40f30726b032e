//! Who is best at a pattern length, as far as that is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cell, CellResult, Row, Status};
use crate::columns::Call;
use crate::comparison::{Sample, Standing, standings};
use crate::experiment::rounds::Rounds;

/// A time below so many empty calls is mostly that of the clock and the call.
const FLOORS: f64 = 10.0;

/// Where the times of a cell stand among those for the same patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Ranks {
    /// The preparation.
    pub prepare_ns: Rank,
    /// The search.
    pub search_ns: Rank,
    /// Both together.
    pub total_ns: Rank,
}

/// Where a time stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Rank {
    /// Whether its median is less than ten times what an empty call takes: too little to be compared.
    pub below_floor: bool,
    /// `None` where nothing can be told.
    pub standing: Option<Standing>,
}

impl Rank {
    /// Whether nobody is known to be better.
    pub fn is_best(&self) -> bool {
        self.standing.is_some_and(|standing| standing.rank == 1)
    }
}

impl Ranks {
    /// Of a call, or of all together.
    pub fn of(&self, call: Option<Call>) -> Rank {
        match call {
            Some(Call::Prepare) => self.prepare_ns,
            Some(Call::Search) => self.search_ns,
            None => self.total_ns,
        }
    }

    fn of_mut(&mut self, call: Option<Call>) -> &mut Rank {
        match call {
            Some(Call::Prepare) => &mut self.prepare_ns,
            Some(Call::Search) => &mut self.search_ns,
            None => &mut self.total_ns,
        }
    }
}

/// Ranks the results of one pattern length, each with the cell that it is of.
pub fn rank(results: &mut [(CellResult, &Cell<'_>)], rounds: Rounds, floor_ns: Option<f64>) {
    for call in [Some(Call::Prepare), Some(Call::Search), None] {
        let times: Vec<Vec<Sample>> = results.iter().map(|(_, cell)| times(cell, call, rounds)).collect();
        let medians = results.iter().map(|(result, _)| match call {
            Some(call) => result.time(call),
            None => result.total_ns,
        });
        // An instrumented algorithm has no times of its own.
        let medians: Vec<Option<f64>> = medians.map(|summary| Some(summary?.med)).collect();
        let lists: Vec<&[Sample]> = times
            .iter()
            .zip(&medians)
            .map(|(times, median)| if median.is_some() { times.as_slice() } else { &[] })
            .collect();
        for ((result, _), rank) in results.iter_mut().zip(ranks(&lists, &medians, floor_ns)) {
            *result.ranks.of_mut(call) = rank;
        }
    }
}

/// The ranks of times, and of their medians. Where one lies below the floor, nobody has a standing.
pub fn ranks(times: &[&[Sample]], medians: &[Option<f64>], floor_ns: Option<f64>) -> Vec<Rank> {
    let below =
        |median: &Option<f64>| median.zip(floor_ns).is_some_and(|(time, floor)| time < FLOORS * floor);
    let below: Vec<bool> = medians.iter().map(below).collect();
    let standings = if below.contains(&true) { vec![None; times.len()] } else { standings(times) };
    let rank = |(below_floor, standing)| Rank { below_floor, standing };
    below.into_iter().zip(standings).map(rank).collect()
}

/// The times of a cell; none where it is not to be compared.
fn times(cell: &Cell<'_>, call: Option<Call>, rounds: Rounds) -> Vec<Sample> {
    let ns = |row: &Row| call.map_or_else(|| row.total_ns(), |call| row.call(call).ns);
    let sample = |(repetition, row): &(usize, Row)| Sample {
        round: rounds.of(*repetition) as u32,
        repetition: *repetition as u32,
        time: ns(row) as f64,
    };
    if cell.status() == Status::Ok { cell.rows.iter().map(sample).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(times: &[f64], floor_ns: Option<f64>) -> Vec<(Option<usize>, bool)> {
        let sample = |time: f64, round: u32| Sample {
            round,
            repetition: round,
            time: time + 0.001 * f64::from(round),
        };
        let lists: Vec<Vec<Sample>> =
            times.iter().map(|&time| (0..5).map(|round| sample(time, round)).collect()).collect();
        let lists: Vec<&[Sample]> = lists.iter().map(Vec::as_slice).collect();
        let medians: Vec<Option<f64>> = times.iter().copied().map(Some).collect();
        let ranks = ranks(&lists, &medians, floor_ns);
        ranks.iter().map(|rank| (rank.standing.map(|standing| standing.rank), rank.below_floor)).collect()
    }

    #[test]
    fn nobody_is_ranked_where_a_time_is_below_ten_floors() {
        let times = [500.0, 502.0, 700.0];
        let ranked = [(Some(1), false), (Some(1), false), (Some(3), false)];
        assert_eq!(found(&times, Some(30.0)), ranked);
        assert_eq!(found(&times, None), ranked);
        assert_eq!(found(&times, Some(50.1)), [(None, true), (None, false), (None, false)]);
    }

    #[test]
    fn what_is_not_ok_or_instrumented_has_no_rank() {
        let rounds = Rounds::new(5, 5);
        let cost = |ns| super::super::Cost { ns, counts: Vec::new() };
        let rows: Vec<(usize, Row)> =
            (0..5).map(|i| (i, Row { calls: [cost(10), cost(700)], ..Row::default() })).collect();
        let hor = crate::experiment::selection::tests::hor();
        let good = Cell { rows, ..Cell::new(&hor, 8) };
        let failed = Cell { ended: Some(super::super::Ended::Wrong("x".to_owned())), ..good.clone() };
        let timed = super::super::cell::tests::example();
        let instrumented = CellResult {
            prepare_ns: None,
            search_ns: None,
            total_ns: None,
            ranks: Ranks::default(),
            ..timed.clone()
        };
        let mut results = [(timed.clone(), &good), (timed, &failed), (instrumented, &good)];
        rank(&mut results, rounds, None);
        let standing = |i: usize, call| results[i].0.ranks.of(call).standing.map(|standing| standing.rank);
        assert_eq!([0, 1, 2].map(|i| standing(i, Some(Call::Search))), [Some(1), None, None]);
        assert_eq!((standing(0, None), standing(0, Some(Call::Prepare))), (Some(1), Some(1)));
    }
}

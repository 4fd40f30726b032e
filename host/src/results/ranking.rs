//! Who is best at a pattern length, as far as that is known.

use super::noise::Noise;
use super::{Cell, CellResult, Status};
use crate::columns::Call;
use crate::comparison::{Sample, standings};
use crate::experiment::rounds::Rounds;

/// A time below so many floors is mostly the clock's and the call's.
const FLOORS: f64 = 10.0;

/// The times of a cell's searches; none where the cell is not to be compared.
pub fn search_times(cell: &Cell, rounds: Rounds) -> Vec<Sample> {
    let sample = |(repetition, row): &(usize, super::Row)| Sample {
        round: rounds.of(*repetition) as u32,
        repetition: *repetition as u32,
        time: row.call(Call::Search).ns as f64,
    };
    if cell.status == Status::Ok { cell.rows.iter().map(sample).collect() } else { Vec::new() }
}

/// Gives the cells of one pattern length their standing, by their times. Where one lies below ten floors, nobody has any.
pub fn rank(cells: &mut [CellResult], times: &[Vec<Sample>], noise: &Noise) {
    for cell in &mut *cells {
        let median = cell.search_ns.map(|summary| summary.med);
        cell.below_floor =
            median.zip(noise.floor_ns).is_some_and(|(median, floor)| median < FLOORS * floor);
    }
    if cells.iter().any(|cell| cell.below_floor) {
        return;
    }
    let times: Vec<&[Sample]> = cells
        .iter()
        .zip(times)
        .map(|(cell, times)| if cell.search_ns.is_some() { times.as_slice() } else { &[] })
        .collect();
    for (cell, standing) in cells.iter_mut().zip(standings(&times)) {
        cell.standing = standing;
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::example;
    use super::*;
    use crate::summary::Summary;

    fn cell(time: f64) -> (CellResult, Vec<Sample>) {
        let sample = |round: u32| Sample { round, repetition: round, time: time + 0.001 * f64::from(round) };
        let times: Vec<Sample> = (0..5).map(sample).collect();
        let search_ns = Summary::of(&times.iter().map(|sample| sample.time).collect::<Vec<_>>());
        (CellResult { search_ns, ..example() }, times)
    }

    fn ranks(times: &[f64], floor_ns: Option<f64>) -> Vec<(Option<usize>, bool)> {
        let (mut cells, times): (Vec<_>, Vec<_>) = times.iter().map(|&time| cell(time)).unzip();
        rank(&mut cells, &times, &Noise { floor_ns, ..Noise::default() });
        cells.iter().map(|cell| (cell.standing.map(|standing| standing.rank), cell.below_floor)).collect()
    }

    #[test]
    fn nobody_is_ranked_where_a_time_is_below_ten_floors() {
        let times = [500.0, 502.0, 700.0];
        let ranked = [(Some(1), false), (Some(1), false), (Some(3), false)];
        assert_eq!(ranks(&times, Some(30.0)), ranked);
        assert_eq!(ranks(&times, None), ranked);
        assert_eq!(ranks(&times, Some(50.1)), [(None, true), (None, false), (None, false)]);
    }

    #[test]
    fn what_is_not_ok_or_instrumented_has_no_standing() {
        let rounds = Rounds::new(5, 5);
        let row = (3, super::super::Row::default());
        let cell = Cell { rows: vec![row.clone()], ..Cell::default() };
        assert_eq!(search_times(&cell, rounds), [Sample { round: 3, repetition: 3, time: 0.0 }]);
        let failed = Cell { status: Status::Wrong, ..cell };
        assert!(search_times(&failed, rounds).is_empty());
        let (mut instrumented, times) = self::cell(500.0);
        instrumented.search_ns = None;
        let mut cells = [instrumented];
        rank(&mut cells, &[times], &Noise::default());
        assert_eq!(cells[0].standing, None);
    }
}

//! What the measured points show along each line of the grid: who leads where, and who overtakes whom.

use std::collections::BTreeSet;

use crate::grid::{CrossoverGrid, GridAxis, GridPoint};
use crate::search::{Crossover, on_line};
use crate::standing::PointStandings;

/// Neighbouring points at which the same algorithms lead.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaderRegion {
    /// The least value.
    pub from: usize,
    /// The greatest value.
    pub to: usize,
    /// Number of points that were measured.
    pub points: usize,
    /// The algorithms; several are tied, none if nothing could be compared.
    pub leaders: BTreeSet<usize>,
    /// If one algorithm leads alone: the least and the greatest number of times that the next one takes.
    pub lead: Option<(f64, f64)>,
}

/// A change of the lead: at `high`, none of the algorithms leads that could have been taken before.
#[derive(Clone, Debug, PartialEq)]
pub struct Overtaking {
    /// The algorithms that lead at all points since the last change.
    pub from: BTreeSet<usize>,
    /// The algorithms that lead at all points until the next change.
    pub to: BTreeSet<usize>,
    /// The last value at which none of those that overtake leads.
    pub low: usize,
    /// The first value at which none of those that are overtaken leads.
    pub high: usize,
    /// The least and the greatest value between both at which algorithms of both sides were measured as tied.
    pub tied: Option<(usize, usize)>,
    /// Whether those that are overtaken have no times at `high`: they can't search there, or fail.
    pub is_missing: bool,
}

/// What was found along a line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFindings {
    /// The axis of the line.
    pub axis: GridAxis,
    /// Its first point.
    pub begin: GridPoint,
    /// The regions in order.
    pub regions: Vec<LeaderRegion>,
    /// The values of the coarse grid that the budget left out.
    pub not_measured: Vec<usize>,
    /// The changes of the lead in order.
    pub overtakings: Vec<Overtaking>,
    /// The algorithms that lead at all points since the last change; none if nothing could be compared.
    pub last: BTreeSet<usize>,
}

/// A part of a line in which some algorithms always lead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stretch {
    /// The number of its first point on the line.
    pub(crate) begin: usize,
    /// The number after its last point.
    pub(crate) end: usize,
    /// The algorithms that lead at all its points.
    pub(crate) leaders: BTreeSet<usize>,
}

/// What was found along each line of a grid.
pub fn findings(grid: &CrossoverGrid, crossover: &Crossover) -> Vec<LineFindings> {
    let of_line = |(axis, begin): (GridAxis, GridPoint)| {
        let line = on_line(&crossover.points, axis, begin);
        let stretches = stretches(&line);
        LineFindings {
            axis,
            begin,
            regions: regions(&line),
            not_measured: not_measured(grid, axis, &line),
            overtakings: stretches.windows(2).map(|pair| overtaking(&line, &pair[0], &pair[1])).collect(),
            last: stretches.last().map(|stretch| stretch.leaders.clone()).unwrap_or_default(),
        }
    };
    grid.lines().into_iter().map(of_line).collect()
}

/// Divides a line into as few stretches as possible: each goes on as long as one of its algorithms leads.
/// Points at which nothing can be compared are in none.
pub(crate) fn stretches(line: &[(usize, &PointStandings)]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (number, (_, standings)) in line.iter().enumerate() {
        let leaders = standings.leaders();
        if leaders.is_empty() {
            continue;
        }
        let (begin, end) = (number, number + 1);
        match stretches.last_mut() {
            Some(last) if !last.leaders.is_disjoint(&leaders) => {
                last.leaders.retain(|algorithm| leaders.contains(algorithm));
                last.end = end;
            }
            _ => stretches.push(Stretch { begin, end, leaders }),
        }
    }
    stretches
}

fn overtaking(line: &[(usize, &PointStandings)], before: &Stretch, after: &Stretch) -> Overtaking {
    let (high, at_high) = line[after.begin];
    let known = line[before.begin..before.end].iter().map(|(value, standings)| (*value, standings.leaders()));
    let known: Vec<(usize, BTreeSet<usize>)> = known.filter(|(_, leaders)| !leaders.is_empty()).collect();
    let tied_since =
        known.iter().rposition(|(_, leaders)| leaders.is_disjoint(&after.leaders)).map_or(0, |last| last + 1);
    let ties = &known[tied_since..];
    Overtaking {
        from: before.leaders.clone(),
        to: after.leaders.clone(),
        low: known[tied_since.saturating_sub(1)].0,
        high,
        tied: ties.first().zip(ties.last()).map(|(first, last)| (first.0, last.0)),
        is_missing: before.leaders.iter().all(|algorithm| !at_high.has(*algorithm)),
    }
}

/// The values of the coarse grid that no point of the line has.
fn not_measured(grid: &CrossoverGrid, axis: GridAxis, line: &[(usize, &PointStandings)]) -> Vec<usize> {
    let is_missing = |value: &usize| line.iter().all(|(measured, _)| measured != value);
    grid.values(axis).iter().copied().filter(is_missing).collect()
}

fn regions(line: &[(usize, &PointStandings)]) -> Vec<LeaderRegion> {
    let mut regions: Vec<LeaderRegion> = Vec::new();
    for (value, standings) in line {
        let leaders = standings.leaders();
        let lead = standings.lead().map(|lead| (lead.ratio, lead.ratio));
        match regions.last_mut() {
            Some(region) if region.leaders == leaders => {
                region.to = *value;
                region.points += 1;
                region.lead = match (region.lead, lead) {
                    (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
                    (one, other) => one.or(other),
                };
            }
            _ => regions.push(LeaderRegion { from: *value, to: *value, points: 1, leaders, lead }),
        }
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{line_of, standings_of};

    fn set(algorithms: &[usize]) -> BTreeSet<usize> {
        algorithms.iter().copied().collect()
    }

    /// What is found on a line of these leaders at 1, 2, 3 ..
    fn found(leaders: &[&[usize]]) -> LineFindings {
        let values: Vec<usize> = (1..=leaders.len()).collect();
        let (grid, crossover) = line_of(&values, leaders.iter().map(|leaders| standings_of(leaders)));
        findings(&grid, &crossover).remove(0)
    }

    #[test]
    fn a_border_is_an_interval_where_both_are_tied() {
        let line = found(&[&[0], &[0], &[0, 1], &[0, 1], &[1], &[1]]);
        let expected = Overtaking {
            from: set(&[0]),
            to: set(&[1]),
            low: 2,
            high: 5,
            tied: Some((3, 4)),
            is_missing: false,
        };
        assert_eq!(line.overtakings, [expected]);
        let regions: Vec<_> =
            line.regions.iter().map(|region| (region.from, region.to, region.points)).collect();
        assert_eq!(regions, [(1, 2, 2), (3, 4, 2), (5, 6, 2)]);
    }

    #[test]
    fn neighbours_have_a_border_without_ties_and_several_borders_are_all_found() {
        let line = found(&[&[0], &[1], &[0, 1], &[1], &[0]]);
        let borders: Vec<_> = line.overtakings.iter().map(|one| (one.low, one.high, one.tied)).collect();
        assert_eq!(borders, [(1, 2, None), (4, 5, None)]);
    }

    #[test]
    fn a_tie_at_the_end_of_the_range_is_no_overtaking() {
        for leaders in [&[&[0][..], &[0], &[0, 1]][..], &[&[0, 1], &[0]]] {
            let line = found(leaders);
            assert_eq!((line.overtakings.len(), line.last), (0, set(&[0])));
        }
        assert_eq!(found(&[&[0, 1], &[0, 1]]).last, set(&[0, 1]));
    }

    #[test]
    fn of_three_algorithms_the_lead_changes_where_none_of_those_before_leads() {
        let line = found(&[&[0], &[0, 2], &[1, 2], &[1]]);
        assert_eq!(line.overtakings.len(), 1);
        let Overtaking { from, to, low, high, tied, .. } = &line.overtakings[0];
        assert_eq!((from, to), (&set(&[0]), &set(&[1])));
        assert_eq!((*low, *high, *tied), (2, 3, None));
    }

    #[test]
    fn where_nothing_can_be_compared_there_is_no_border() {
        let line = found(&[&[0], &[], &[0], &[]]);
        assert_eq!((line.overtakings.len(), line.regions.len()), (0, 4));
        assert_eq!(found(&[&[], &[]]).last, set(&[]));
    }
}

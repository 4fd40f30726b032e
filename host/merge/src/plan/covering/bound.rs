//! Lower bounds of the number of blocks.

use super::graph::{Graph, PairDemand};

/// Ratios of points to slots up to which 3, 4 .. blocks can be enough: beyond the ratio, one more is needed.
///
/// W. H. Mills, *Covering designs I: coverings by a small number of subsets*, Ars Combinatoria 8 (1979), and
/// its sequels.
const FEW: [(usize, usize, usize); 11] = [
    (3, 3, 2),
    (4, 5, 3),
    (5, 9, 5),
    (6, 2, 1),
    (7, 7, 3),
    (8, 12, 5),
    (9, 5, 2),
    (10, 8, 3),
    (11, 14, 5),
    (12, 3, 1),
    (13, 13, 4),
];

/// Numbers of points for which blocks of four need more than the bound, and by how many. For all other
/// numbers the bound is enough.
///
/// W. H. Mills, *On the covering of pairs by quadruples*, I and II, J. Combin. Theory A 13 (1972) and 15
/// (1973).
const QUADRUPLES: [(usize, usize); 4] = [(7, 1), (9, 1), (10, 1), (19, 2)];

/// No covering of these pairs by blocks of this many slots has fewer blocks: that of J. Schönheim (*On
/// coverings*, Pacific J. Math. 14, 1964), point by point; where all pairs are wanted, with H. Hanani's
/// addition and Mills' numbers for few blocks and for blocks of four.
pub(crate) fn least(graph: &Graph, slots: usize) -> usize {
    let points = graph.points();
    if points == 0 {
        return 0;
    }
    if slots < 2 {
        return points;
    }
    let needs = (0..points).map(|point| graph.degree(point).div_ceil(slots - 1).max(1));
    let schonheim = needs.sum::<usize>().div_ceil(slots);
    if !graph.is_complete() {
        let pairs = graph.asked(PairDemand::Wanted).count();
        return schonheim.max(pairs.div_ceil(slots * (slots - 1) / 2));
    }
    if points <= slots {
        return 1;
    }
    let exact = (points - 1).is_multiple_of(slots - 1);
    let hanani = exact && (points * ((points - 1) / (slots - 1)) + 1).is_multiple_of(slots);
    let few =
        FEW.iter().filter(|(_, up, down)| points * down > slots * up).map(|(blocks, ..)| blocks + 1).max();
    let mills = QUADRUPLES.iter().find(|(all, _)| slots == 4 && *all == points).map_or(0, |(_, more)| *more);
    (schonheim + mills.max(usize::from(hanani))).max(few.unwrap_or(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_literature() {
        let bound = |points, slots| least(&Graph::complete(points), slots);
        assert_eq!(
            [bound(10, 4), bound(16, 6), bound(20, 4), bound(30, 6), bound(50, 4)],
            [9, 10, 35, 30, 213]
        );
        assert_eq!(
            [bound(50, 6), bound(7, 3), bound(9, 3), bound(4, 4), bound(5, 4), bound(25, 8)],
            [84, 7, 12, 1, 3, 13]
        );
        assert_eq!([bound(7, 4), bound(9, 4), bound(19, 4), bound(22, 4)], [5, 8, 31, 39]);
        // 32 / 4 is whole, and 33 * 8 is -1 modulo 5: Schönheim's 53 are not enough.
        assert_eq!(bound(33, 5), 54);
    }

    #[test]
    fn unwanted_pairs_lower_the_bound_and_every_point_needs_a_block() {
        let mut graph = Graph::new(6, PairDemand::Free);
        assert_eq!(least(&graph, 2), 3);
        graph.set(0, 1, PairDemand::Wanted);
        graph.set(0, 2, PairDemand::Wanted);
        assert_eq!(least(&graph, 2), 4);
    }
}

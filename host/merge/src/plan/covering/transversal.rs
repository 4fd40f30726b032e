//! Transversal designs: points in groups, blocks with one point of each group, and each two points of
//! different groups in exactly one block.

use super::Blocks;
use super::field::Field;

/// The design with `groups` groups of `order` points, the order of a field, which is at least `groups - 1`:
/// point `i` of group `g` is `g * order + i`.
pub(super) fn design(groups: usize, order: usize) -> Option<Blocks> {
    let field = Field::new(order).filter(|_| groups <= order + 1)?;
    let point = |slope: usize, shift: usize, group: usize| {
        let within = match group {
            // The last group holds the slopes.
            _ if group == order => slope,
            x => field.sum(field.product(slope, x), shift),
        };
        group * order + within
    };
    let lines = (0..order).flat_map(|slope| (0..order).map(move |shift| (slope, shift)));
    Some(lines.map(|(slope, shift)| (0..groups).map(|group| point(slope, shift, group)).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_different_groups_meet_once() {
        for (groups, order) in [(4, 3), (5, 4), (6, 8), (3, 5)] {
            let blocks = design(groups, order).unwrap();
            let mut counts = vec![0; groups * order * groups * order];
            for block in &blocks {
                for a in block {
                    block.iter().for_each(|b| counts[a * groups * order + b] += 1);
                }
            }
            for a in 0..groups * order {
                for b in (0..groups * order).filter(|b| *b != a) {
                    let expected = usize::from(a / order != b / order);
                    assert_eq!(counts[a * groups * order + b], expected, "{groups} {order}: {a} {b}");
                }
            }
        }
        assert!(design(5, 3).is_none() && design(3, 6).is_none());
    }
}

//! Transversal designs: points in groups, blocks with one point of each group, and each two points of
//! different groups in exactly one block.

use super::Blocks;
use super::field::{Field, prime_powers};

/// The orders, the least first, for which [`design`] knows one with this number of groups.
pub(super) fn orders(groups: usize) -> impl Iterator<Item = usize> {
    let least = groups.saturating_sub(1).max(2);
    (least..=Field::GREATEST).filter(move |order| prime_powers(*order).iter().all(|power| *power >= least))
}

/// The design with `groups` groups of `order` points: point `i` of group `g` is `g * order + i`.
///
/// Over a field there is one with up to `order + 1` groups. The product of two designs with equally many
/// groups is a design of the product of their orders (H. F. MacNeish, *Euler squares*, Ann. of Math. 23,
/// 1922).
pub(super) fn design(groups: usize, order: usize) -> Option<Blocks> {
    let mut lines = vec![vec![0; groups]];
    for power in prime_powers(order) {
        let further = over_field(groups, power)?;
        let product = |line: &Vec<usize>| {
            let pairs = further.iter().map(|other| line.iter().zip(other));
            pairs.map(|pairs| pairs.map(|(one, other)| one * power + other).collect()).collect::<Blocks>()
        };
        lines = lines.iter().flat_map(product).collect();
    }
    for line in &mut lines {
        line.iter_mut().enumerate().for_each(|(group, point)| *point += group * order);
    }
    (order > 1).then_some(lines)
}

/// The design over a field: for each block the places of its points in their groups.
fn over_field(groups: usize, order: usize) -> Option<Blocks> {
    let field = Field::new(order).filter(|_| groups <= order + 1)?;
    let place = |slope: usize, shift: usize, group: usize| match group {
        // The last group holds the slopes.
        _ if group == order => slope,
        x => field.sum(field.product(slope, x), shift),
    };
    let lines = (0..order).flat_map(|slope| (0..order).map(move |shift| (slope, shift)));
    Some(lines.map(|(slope, shift)| (0..groups).map(|group| place(slope, shift, group)).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_different_groups_meet_once() {
        for (groups, order) in [(4, 3), (5, 4), (6, 8), (3, 5), (4, 15), (5, 20)] {
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
        assert!([(5, 3), (4, 6), (5, 12)].into_iter().all(|(groups, order)| design(groups, order).is_none()));
        assert_eq!(orders(5).take(7).collect::<Vec<_>>(), [4, 5, 7, 8, 9, 11, 13]);
        assert!(orders(4).any(|order| order == 15) && orders(4).all(|order| order % 4 != 2));
    }
}

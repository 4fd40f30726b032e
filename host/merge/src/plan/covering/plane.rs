//! Finite planes: each two points lie on exactly one line.

use super::Blocks;
use super::field::Field;

/// A covering of this many points by lines of a plane whose lines have `slots` points, if there is such a
/// plane. Further points of the plane are removed from its lines. A line with a single point is no block.
pub(super) fn lines(points: usize, slots: usize) -> Option<Blocks> {
    let projective =
        slots.checked_sub(1).filter(|order| points > order * order && points <= order * order + order + 1);
    let blocks = match projective.and_then(projective_plane) {
        Some(plane) => plane,
        None if points <= slots * slots => affine_plane(slots)?,
        None => return None,
    };
    Some(keep(blocks, points))
}

/// The affine plane over a field, with `order` points on each line.
fn affine_plane(order: usize) -> Option<Blocks> {
    let field = Field::new(order)?;
    let point = |x: usize, y: usize| x * order + y;
    let parallels = |slope: usize| {
        let field = &field;
        (0..order).map(move |shift| {
            (0..order).map(|x| point(x, field.sum(field.product(slope, x), shift))).collect::<Vec<_>>()
        })
    };
    let upright = (0..order).map(|x| (0..order).map(|y| point(x, y)).collect());
    Some(upright.chain((0..order).flat_map(parallels)).collect())
}

/// The projective plane: each line has another point, in which parallel lines meet, and these points form a
/// line.
fn projective_plane(order: usize) -> Option<Blocks> {
    let mut lines = affine_plane(order)?;
    for (number, line) in lines.iter_mut().enumerate() {
        line.push(order * order + number / order);
    }
    lines.push((order * order..=order * order + order).collect());
    Some(lines)
}

/// Keeps this many points, the first ones, and the lines that hold two of them or more.
pub(super) fn keep(blocks: Blocks, points: usize) -> Blocks {
    let kept = |block: Vec<usize>| block.into_iter().filter(|point| *point < points).collect::<Vec<_>>();
    blocks.into_iter().map(kept).filter(|block| block.len() > 1 || points == 1).collect()
}

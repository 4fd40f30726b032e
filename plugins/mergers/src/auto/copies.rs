//! Events that are copies: in every block that holds two of them, one is the other on another scale (cycles
//! and reference cycles of a fixed clock, hits and misses of a fixed number of accesses). The merge keeps
//! this exact relation: it merges one of them, the original, and the copies take their rows from it.

use std::collections::HashMap;

use super::standard::standardised;
use crate::pairs::Design;

/// Least number of rows in which two events must agree, because fewer rows may agree by chance.
const LEAST_ROWS: usize = 10;
/// Standardised values that differ by less are equal, apart from rounding.
const ROUNDING: f64 = 1e-9;

/// The relation of an event to its original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copy {
    /// The original: the first event of its kind, which is a copy of itself.
    pub original: usize,
    /// 1 if it rises with the original, -1 if it falls.
    pub sign: f64,
    /// Whether its values are those of the original.
    pub is_equal: bool,
}

/// For each event of a design, all of which change: its original.
pub fn copies(design: &Design<'_>) -> Vec<Copy> {
    let (mut copies, mut scaled): (Vec<Copy>, Scaled) = (Vec::new(), Scaled::new());
    for event in 0..design.events.len() {
        let mut originals = (0..event).filter(|&first| copies[first].original == first);
        let itself = Copy { original: event, sign: 1.0, is_equal: true };
        let copy = originals.find_map(|original| {
            let equals = (0..event).filter(|&of| copies[of].original == original && copies[of].is_equal);
            copy(design, event, original, &equals.collect::<Vec<_>>(), &mut scaled)
        });
        copies.push(copy.unwrap_or(itself));
    }
    copies
}

/// The relation of an event to an original, if it follows from it in all blocks that hold both. The original
/// may be measured as any of the events in `equals`. `None` if the event does not follow from it, or no block
/// holds both.
fn copy(
    design: &Design<'_>,
    event: usize,
    original: usize,
    equals: &[usize],
    scaled: &mut Scaled,
) -> Option<Copy> {
    let mut found = None;
    for (own, other) in equals.iter().flat_map(|equal| design.together(event, *equal)) {
        let (sign, is_equal) = relation(own, other, scaled)?;
        let copy = Copy { original, sign, is_equal };
        if found.is_some_and(|found| found != copy) {
            return None;
        }
        found = Some(copy);
    }
    // An event on another scale can't replace an original that is missing in a block.
    let there =
        |block: &usize| equals.iter().flat_map(|equal| design.holders(*equal)).any(|(held, _)| held == block);
    found.filter(|copy| copy.is_equal || design.holders(event).iter().all(|(block, _)| there(block)))
}

/// The standardised columns by their places in memory, because each is compared with many others. `None` for
/// a column that never changes.
type Scaled = HashMap<*const f64, Option<Vec<f64>>>;

/// The exact relation of two columns of a block, if there is one: its sign, and whether the columns are
/// equal.
fn relation(a: &[f64], b: &[f64], scaled: &mut Scaled) -> Option<(f64, bool)> {
    for column in [a, b] {
        scaled.entry(column.as_ptr()).or_insert_with(|| standardised(column));
    }
    let [one, other] = [a, b].map(|column| scaled[&column.as_ptr()].as_ref());
    let (one, other) = (one?, other?);
    let follows = |sign: &f64| one.iter().zip(other).all(|(a, b)| (a - sign * b).abs() < ROUNDING);
    let sign = [1.0, -1.0].into_iter().find(follows).filter(|_| a.len() >= LEAST_ROWS)?;
    Some((sign, a == b))
}

/// The note about copies.
pub fn note(copies: &[Copy], design: &Design<'_>) -> Option<String> {
    let others = copies.iter().enumerate().filter(|(event, copy)| *event != copy.original);
    let named: Vec<String> = others
        .map(|(event, copy)| format!("{} from {}", design.events[event], design.events[copy.original]))
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "rows taken from other events, from which these follow exactly wherever both were measured: {}",
            named.join(", ")
        )
    })
}

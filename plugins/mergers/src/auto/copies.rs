//! Events that tell nothing of their own: in every block that holds two of them, one is the other on another
//! scale (cycles and reference cycles of a fixed clock, hits and misses of a fixed number of accesses). What
//! holds exactly stays so: one of them is put together with all others, and the rest take their rows from it.

use super::standard::standardised;
use crate::pairs::Design;

/// Fewer rows may agree by chance.
const LEAST_ROWS: usize = 10;
/// Standardised values that are closer are equal, apart from rounding.
const ROUNDING: f64 = 1e-9;

/// What an event is to the one that it follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copy {
    /// That event: the first of its kind, which is a copy of itself.
    pub original: usize,
    /// 1 if it rises with the original, -1 if it falls.
    pub sign: f64,
    /// Whether its values are those of the original.
    pub is_equal: bool,
}

/// For each event of a design, which change, of what it is a copy.
pub fn copies(design: &Design<'_>) -> Vec<Copy> {
    let mut copies: Vec<Copy> = Vec::new();
    for event in 0..design.events.len() {
        let mut originals = (0..event).filter(|&first| copies[first].original == first);
        let itself = Copy { original: event, sign: 1.0, is_equal: true };
        let copy = originals.find_map(|original| {
            let equals = (0..event).filter(|&of| copies[of].original == original && copies[of].is_equal);
            copy(design, event, original, &equals.collect::<Vec<_>>())
        });
        copies.push(copy.unwrap_or(itself));
    }
    copies
}

/// Whether an event follows from another wherever both were measured, under whichever of the names that are
/// `equals`. `None` if it does not, or they were not measured together.
fn copy(design: &Design<'_>, event: usize, original: usize, equals: &[usize]) -> Option<Copy> {
    let mut found = None;
    for (own, other) in equals.iter().flat_map(|of| design.together(event, *of)) {
        let (sign, is_equal) = relation(own, other)?;
        let copy = Copy { original, sign, is_equal };
        if found.is_some_and(|found| found != copy) {
            return None;
        }
        found = Some(copy);
    }
    // On another scale it can't stand in for an original that is missing.
    let there =
        |block: &usize| equals.iter().flat_map(|of| design.holders(*of)).any(|(held, _)| held == block);
    found.filter(|copy| copy.is_equal || design.holders(event).iter().all(|(block, _)| there(block)))
}

/// How two columns of a block go together, if they do exactly: the sign, and whether they are equal.
fn relation(a: &[f64], b: &[f64]) -> Option<(f64, bool)> {
    let [one, other] = [standardised(a)?, standardised(b)?];
    let follows = |sign: &f64| one.iter().zip(&other).all(|(a, b)| (a - sign * b).abs() < ROUNDING);
    let sign = [1.0, -1.0].into_iter().find(follows).filter(|_| a.len() >= LEAST_ROWS)?;
    Some((sign, a == b))
}

/// What is said of copies.
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

//! The marks behind times in tables, and what is said of them.

use crate::comparison::PLACEMENT_FLOOR;
use crate::results::ranking::Rank;

/// Behind a time that nobody is known to beat.
const BEST: char = '*';
/// Behind a figure that is too small to be told.
pub const SMALL: char = '~';

/// The mark of a time; `alone` says that there is nobody to be better than.
pub fn mark(rank: Rank, alone: bool) -> char {
    match rank.below_floor {
        true => SMALL,
        false if rank.is_best() && !alone => BEST,
        false => ' ',
    }
}

/// What the marks of these ranks mean, a line each.
pub fn legend(ranks: &[Rank], alone: bool, floor_ns: Option<f64>) -> Vec<String> {
    let mut lines = Vec::new();
    if ranks.iter().any(|rank| mark(*rank, alone) == BEST) {
        let floor = 100.0 * PLACEMENT_FLOOR;
        lines.push(format!(
            "{BEST} best, or not to be told from the best ({floor:.0} % is the luck of placement)"
        ));
    } else if !alone && !ranks.is_empty() && ranks.iter().all(|rank| *rank == Rank::default()) {
        lines.push("no best is marked: one round tells no difference".to_owned());
    }
    if let (true, Some(floor)) = (ranks.iter().any(|rank| rank.below_floor), floor_ns) {
        lines.push(format!("{SMALL} less than ten empty calls (of {floor:.0} ns): not compared"));
    }
    lines
}

//! The marks that follow times in tables, and their legend.

use assay_base::columns::Call;
use assay_stats::significance::PLACEMENT_FLOOR;
use assay_store::counting::Impossible;
use assay_store::rank::Rank;
use assay_store::{CellResult, CounterFacts};

use crate::wording;

/// Follows a time that no algorithm is known to beat. (SMART has another mark, which follows an algorithm
/// that is not tested.)
pub const BEST: char = '+';
/// Follows a figure that is too small to compare.
pub const SMALL: char = '~';
/// Follows a time whose rounds are too few or too noisy to compare it with the best, because without a mark
/// it would seem to be slower.
pub const UNRANKED: char = '?';

/// The mark of a time. If there is one algorithm `alone`, it is not marked as the best.
pub fn mark(rank: Rank, alone: bool) -> char {
    if rank.below_floor {
        SMALL
    } else if rank.is_best() && !alone {
        BEST
    } else if rank.is_uncertain() && !alone {
        UNRANKED
    } else {
        ' '
    }
}

/// The meanings of the marks of these ranks, a line each. The ranks are those of cells that have times;
/// `floor` is the noise floor, as a share.
pub fn legend(ranks: &[Rank], alone: bool, floor_ns: Option<f64>, floor: f64) -> Vec<String> {
    let mut lines = Vec::new();
    if ranks.iter().any(|rank| mark(*rank, alone) == BEST) {
        let reason = if floor > PLACEMENT_FLOOR {
            format!("differences up to {:.1} % occur between copies of one algorithm", 100.0 * floor)
        } else {
            format!("differences up to {:.0} % can come from code placement", 100.0 * floor)
        };
        lines.push(format!(
            "{BEST} best, or not known to be slower than the best (paired by pattern; {reason})"
        ));
    } else if !alone && ranks.is_empty() {
        lines.push("no best is marked: there are no times to compare".to_owned());
    } else if !alone && ranks.iter().all(|rank| *rank == Rank::default()) {
        lines.push("no best is marked: too few rounds to detect a difference".to_owned());
    }
    if ranks.iter().any(|rank| mark(*rank, alone) == UNRANKED) {
        lines.push(format!("{UNRANKED} too few rounds, or too noisy ones, to compare it with the best"));
    }
    lines.extend(small(ranks.iter().any(|rank| rank.below_floor), floor_ns));
    lines
}

/// The meaning of the mark of times that are too short to compare; `None` if no time has it.
pub fn small(is_there: bool, floor_ns: Option<f64>) -> Option<String> {
    let floor = floor_ns.filter(|_| is_there)?;
    Some(format!("{SMALL} less than ten empty calls (of {floor:.0} ns each): too short to compare"))
}

/// A count around a time below this number of grains of its counter is marked, because a tenth of it or more
/// is rounding.
const GRAINS: f64 = 10.0;

/// The meaning of "per round" after a counter.
pub(crate) const PER_ROUND: &str = "per round: counted around all repetitions of a round, with what lies between them, and divided by their number";

/// Follows an impossible count.
pub(crate) const IMPOSSIBLE: char = '!';

/// The meaning of this mark, without the relation that does not hold.
pub(crate) const IMPOSSIBLE_COUNTS: &str = "! some of these counts can't be, beside others of the same search: see `noise.impossible` of report.json";

/// The meaning of this mark, with the relation that does not hold.
pub fn impossible(relation: &Impossible) -> String {
    format!("{IMPOSSIBLE} {}", wording::impossible(relation))
}

/// The mark of a count around a call.
pub(crate) fn of_count(cell: &CellResult, facts: &CounterFacts, call: Call) -> char {
    match call {
        _ if cell.impossible.contains(&facts.name) => IMPOSSIBLE,
        Call::Search if is_coarse(cell, facts) => SMALL,
        _ => ' ',
    }
}

/// Whether the search is so short that the counter moved only a few times or not at all.
pub(crate) fn is_coarse(cell: &CellResult, facts: &CounterFacts) -> bool {
    facts.grain_ns > 0
        && !facts.per_round
        && cell.search_ns.is_some_and(|time| time.med < GRAINS * facts.grain_ns as f64)
}

/// The meaning of the mark of such a count; `None` if no cell has it.
pub(crate) fn coarse<'a>(
    mut cells: impl Iterator<Item = &'a CellResult>,
    facts: &CounterFacts,
) -> Option<String> {
    let marked = cells.any(|cell| is_coarse(cell, facts) && cell.counters.get(&facts.name).is_some());
    let grain = facts.grain_ns as f64 / 1e6;
    marked.then(|| {
        format!("{SMALL} {} moves every {grain} ms: a search takes less than ten times that", facts.name)
    })
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::{Ratio, Standing};

    use super::*;

    #[test]
    fn a_time_with_too_few_rounds_has_a_mark_of_its_own() {
        let to_best = Ratio { ratio: 1.0, low: 1.0, high: 1.0 };
        let best = Rank { standing: Some(Standing { rank: 1, to_best }), ..Rank::default() };
        let unranked = Rank { has_too_few_rounds: true, ..Rank::default() };
        assert_eq!([best, unranked].map(|rank| mark(rank, false)), [BEST, UNRANKED]);
        let lines = legend(&[best, unranked], false, None, PLACEMENT_FLOOR);
        assert_eq!(lines[1..], ["? too few rounds, or too noisy ones, to compare it with the best"]);
    }

    #[test]
    fn the_legend_names_the_floor_that_was_used() {
        let to_best = Ratio { ratio: 1.0, low: 1.0, high: 1.0 };
        let best = Rank { standing: Some(Standing { rank: 1, to_best }), ..Rank::default() };
        let mark_legend = |floor| legend(&[best], false, None, floor).remove(0);
        assert!(
            mark_legend(PLACEMENT_FLOOR)
                .ends_with("(paired by pattern; differences up to 1 % can come from code placement)")
        );
        assert!(
            mark_legend(0.041).ends_with("differences up to 4.1 % occur between copies of one algorithm)")
        );
    }
}

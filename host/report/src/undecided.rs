//! Algorithms that may be as fast as the best, because the rounds of a run are too few to decide it.

use std::collections::BTreeMap;

use assay_base::columns::Call;
use assay_base::io::console::counted;
use assay_stats::significance::rounds_needed;
use assay_store::rank::{Rank, WIDEST_TIE};
use assay_store::{CellResult, Status};

/// The algorithms that a run does not tell from the best, and the rounds that would.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// Their number at the range value with the most of them.
    pub algorithms: usize,
    /// The rounds that were measured.
    pub rounds: usize,
    /// The rounds that are probably enough for three quarters of them; `None` if that is not known.
    pub needed: Option<usize>,
}

impl Undecided {
    /// Those of the ranks at some range values, from this number of rounds. Differences up to `floor`, a
    /// share of the time, are ties. `None` if each algorithm is known to be among the best or not to be.
    pub fn new<R: AsRef<[Rank]>>(values: &[R], rounds: usize, floor: f64) -> Option<Self> {
        let uncertain = |ranks: &R| ranks.as_ref().iter().filter(|rank| rank.is_uncertain()).count();
        let algorithms = values.iter().map(uncertain).max().filter(|count| *count > 0)?;
        let all = values.iter().flat_map(|ranks| ranks.as_ref());
        let mut shares: Vec<f64> = all.filter_map(|rank| share_to_decide(rank, floor)).collect();
        shares.sort_by(f64::total_cmp);
        let comparisons = values.iter().map(|ranks| compared(ranks.as_ref())).max().unwrap_or_default();
        // Three quarters need no narrower intervals than this one.
        let share = shares.get(shares.len() / 4);
        let needed = share.and_then(|share| rounds_needed(rounds, comparisons, *share));
        Some(Undecided { algorithms, rounds, needed })
    }

    /// Those of the results at all range values, by the time of a call or of all calls.
    pub fn of_results<'a>(
        results: impl Iterator<Item = &'a CellResult> + Clone,
        call: Option<Call>,
        floor: f64,
    ) -> Option<Self> {
        // Cells that failed have no rounds.
        let results = results.filter(|cell| cell.status == Status::Ok);
        let mut ranks: BTreeMap<u64, Vec<Rank>> = BTreeMap::new();
        for cell in results.clone() {
            ranks.entry(cell.value()).or_default().push(*cell.ranks.get(call));
        }
        let rounds = results.filter_map(|cell| cell.rounds).min()?;
        Undecided::new(&ranks.into_values().collect::<Vec<_>>(), rounds, floor)
    }

    /// "3 rounds are too few: up to 40 others may be as fast as the best; about 12 rounds would decide most".
    /// It is short enough for a line of a picture.
    pub fn sentence(&self) -> String {
        let (rounds, others) = (counted(self.rounds, "round"), counted(self.algorithms, "other"));
        let remedy = match self.needed {
            Some(needed) => format!("about {needed} rounds would decide most"),
            None => "more --rounds may decide it".to_owned(),
        };
        format!("{rounds} are too few: up to {others} may be as fast as the best; {remedy}")
    }
}

/// The number of comparisons with the best at a range value.
fn compared(ranks: &[Rank]) -> usize {
    ranks.iter().filter(|rank| rank.standing.is_some()).count().saturating_sub(1)
}

/// How many times as wide the interval of an uncertain rank may be, so that it shows whether the algorithm is
/// among the best: it must end below the widest tie, or begin above the floor. `None` if nothing is
/// uncertain, or the interval is not known.
fn share_to_decide(rank: &Rank, floor: f64) -> Option<f64> {
    let to_best = rank.standing.filter(|_| rank.is_uncertain())?.to_best;
    let half = (to_best.high / to_best.ratio).ln();
    let middle = to_best.ratio.ln();
    let wanted = (WIDEST_TIE.ln() - middle).max(middle - floor.ln_1p());
    (half > 0.0).then_some(wanted / half)
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::{Ratio, Standing};
    use assay_store::rank::Ranks;
    use assay_store::testing;

    use super::*;

    fn rank(rank: usize, ratio: f64, factor: f64) -> Rank {
        let to_best = Ratio { ratio, low: ratio / factor, high: ratio * factor };
        Rank { standing: Some(Standing { rank, to_best }), ..Rank::default() }
    }

    #[test]
    fn only_algorithms_that_may_be_among_the_best_are_undecided() {
        assert_eq!(Undecided::new(&[[rank(1, 1.0, 1.0), rank(2, 3.0, 1.1)]], 3, 0.01), None);
        let some = [[rank(1, 1.0, 1.0), rank(1, 1.2, 9.0)], [rank(1, 1.0, 1.0), rank(2, 3.0, 1.1)]];
        let found = Undecided::new(&some, 3, 0.01).unwrap();
        assert_eq!((found.algorithms, found.rounds), (1, 3));
        // The half-width must be ln(2 / 1.2) / ln 9 of that of 3 rounds, which is 2.48 standard deviations:
        // it is 0.60 with 13 rounds, and 0.577 with 14.
        assert_eq!(found.needed, Some(14));
        let words = found.sentence();
        assert!(words.starts_with("3 rounds are too few: up to 1 other may be as fast"), "{words}");
        assert!(words.ends_with("about 14 rounds would decide most"), "{words}");
    }

    #[test]
    fn rounds_that_are_not_known_are_not_named() {
        let without = Rank { has_too_few_rounds: true, ..Rank::default() };
        let found = Undecided::new(&[[rank(1, 1.0, 1.0), without]], 2, 0.01).unwrap();
        assert_eq!((found.algorithms, found.needed), (1, None));
        assert!(found.sentence().ends_with("the best; more --rounds may decide it"));
    }

    #[test]
    fn cells_that_failed_have_no_rounds_to_count() {
        let cell = |status, rounds, search_ns| CellResult {
            status,
            rounds: Some(rounds),
            ranks: Ranks { search_ns, ..Ranks::default() },
            ..testing::cell()
        };
        let cells = [
            cell(Status::Ok, 3, rank(1, 1.0, 1.0)),
            cell(Status::Ok, 3, rank(1, 1.2, 9.0)),
            cell(Status::CannotSearch, 0, Rank::default()),
        ];
        let found = Undecided::of_results(cells.iter(), Some(Call::Search), 0.01).unwrap();
        assert_eq!((found.algorithms, found.rounds), (1, 3));
    }
}

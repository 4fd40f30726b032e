//! Who is best where: what a map and a profile are drawn from, of one run or of several on different texts.

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use assay_store::rank::Rank;

use crate::RangeAxis;
use crate::Report;
use crate::wording;

/// Where the algorithms of some runs stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The time by which they are compared: `search time`.
    pub time: &'static str,
    /// What varies from column to column.
    pub axis: RangeAxis,
    /// Their ids.
    pub algorithms: Vec<String>,
    /// The texts, by their alphabets.
    pub texts: Vec<ContestText>,
}

/// A text, and who is best on it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestText {
    /// How it is called.
    pub name: String,
    /// Number of different bytes; `None` of several texts.
    pub alphabet: Option<usize>,
    /// The numbers of the algorithms that were measured on it.
    pub present: Vec<usize>,
    /// By value of the range, ascending.
    pub cells: Vec<ContestCell>,
}

/// One value of the range on one text, or on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestCell {
    /// The value: the pattern length in bytes, unless something else varies.
    pub value: u64,
    /// How many times as long each algorithm takes as the best one, for the same pattern; `None` where it has
    /// no time, or was not there.
    pub ratios: Vec<Option<f64>>,
    /// The numbers of the algorithms that are best or tied with the best; none where that is not known.
    pub best: Vec<usize>,
}

impl Contest {
    /// The contest in some runs, by the time of one call or of all calls, at all range values or only these.
    ///
    /// # Errors
    /// If the measurements of one can't be read again.
    pub fn new(reports: &[Report], call: Option<Call>, only: Option<&[u64]>) -> Result<Self> {
        let over = |report: &Report| report.facts.over();
        if let Some(other) = reports.iter().find(|report| over(report) != over(&reports[0])) {
            return Err(Error::new(format!(
                "one run varies the {}, and {} the {}",
                over(&reports[0]).words(),
                other.facts.id,
                over(other).words()
            ))
            .remedy("draw runs together that vary the same"));
        }
        let mut algorithms: Vec<String> = Vec::new();
        for algorithm in reports.iter().flat_map(Report::algorithms) {
            if !algorithms.iter().any(|known| known == algorithm) {
                algorithms.push(algorithm.to_owned());
            }
        }
        let text = |report: &Report| -> Result<ContestText> {
            let numbers: Vec<usize> = report
                .algorithms()
                .map(|id| algorithms.iter().position(|known| known == id).expect("all were gathered"))
                .collect();
            let cell = |(value, ranks): (u64, Vec<Rank>)| {
                let mut cell = ContestCell { value, ratios: vec![None; algorithms.len()], best: Vec::new() };
                for (&number, rank) in numbers.iter().zip(ranks) {
                    // Nobody beats the best: a ratio below 1 is within its interval.
                    cell.ratios[number] = rank.standing.map(|standing| standing.to_best.ratio.max(1.0));
                    cell.best.extend(rank.is_best().then_some(number));
                }
                cell
            };
            let wanted = |(value, _): &(u64, Vec<Rank>)| only.is_none_or(|only| only.contains(value));
            let cells = report.range().into_iter().zip(report.ranks(call)?);
            let facts = &report.facts.text;
            Ok(ContestText {
                name: wording::texts(&report.facts),
                alphabet: report.facts.has_one_text().then_some(facts.alphabet),
                cells: cells.filter(wanted).map(cell).collect(),
                present: numbers.clone(),
            })
        };
        let mut texts = reports.iter().map(text).collect::<Result<Vec<ContestText>>>()?;
        texts.sort_by(|a, b| (a.alphabet, &a.name).cmp(&(b.alphabet, &b.name)));
        let time = match call {
            None => "preparation and search time",
            Some(Call::Prepare) => "preparation time",
            Some(Call::Search) => "search time",
        };
        let axis = reports.first().map(|report| RangeAxis::new(&report.facts)).unwrap_or_default();
        Ok(Contest { time, axis, algorithms, texts })
    }

    /// The values of the range on any text, ascending.
    pub fn values(&self) -> Vec<u64> {
        let mut values: Vec<u64> = self.cells().map(|cell| cell.value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// All values of the range on all texts.
    pub fn cells(&self) -> impl Iterator<Item = &ContestCell> {
        self.texts.iter().flat_map(|text| &text.cells)
    }

    /// Whether anybody is known to be best anywhere.
    pub fn is_told(&self) -> bool {
        self.cells().any(|cell| !cell.best.is_empty())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tests::with_columns;

    /// `a` and `b` are alike, `c` takes 1.5 times as long and is alone at 8; 16 has one round, which tells
    /// nothing.
    pub(crate) fn example() -> Contest {
        let mut rows = String::new();
        for round in 0..5 {
            for (algorithm, search) in [("a", 1000 + round), ("b", 1002 - round), ("c", 1500)] {
                rows += &format!("{algorithm},4,{round},ok,3,1,{search},0,{round}\n");
            }
            rows += &format!("c,8,{round},ok,3,1,1500,0,{round}\n");
        }
        rows += "a,16,0,ok,3,1,1500,0,0\nb,16,0,ok,3,1,1500,0,0\n";
        Contest::new(&[with_columns(",round", &rows).unwrap()], Some(Call::Search), None).unwrap()
    }

    #[test]
    fn the_best_are_a_set_and_what_is_not_told_has_none() {
        let contest = example();
        assert_eq!(contest.values(), [4, 8, 16]);
        let best: Vec<&[usize]> = contest.cells().map(|cell| cell.best.as_slice()).collect();
        assert_eq!(best, [&[0, 1][..], &[2], &[]]);
        let slow = contest.texts[0].cells[0].ratios[2].unwrap();
        assert!((slow - 1.5).abs() < 0.01, "{slow}");
        assert_eq!(contest.texts[0].cells[1].ratios[..2], [None, None]);
    }
}

//! Algorithms that are not made for some range values. This is an answer of an algorithm, and no failure.

use assay_store::{Run, Status};

use super::{RangeAxis, Report};

/// An algorithm that is not made for some range values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotMadeFor {
    /// Its id.
    pub algorithm: String,
    /// The range values, in the order of the run.
    pub values: Vec<u64>,
    /// The reason that it gives, if it is known.
    pub reason: Option<String>,
}

impl NotMadeFor {
    /// Up to this number of algorithms are named in a line, because more would not be read.
    pub const NAMED: usize = 3;

    /// The algorithms of a run that are not made for some of its values; one twice if it gives two reasons.
    pub fn all(run: &Run) -> Vec<Self> {
        let refused = run.results.iter().filter(|cell| cell.status == Status::CannotSearch);
        grouped(refused.map(|cell| (cell.algorithm.as_str(), cell.value(), cell.message.as_deref())))
    }

    /// These cells by their algorithms, without reasons.
    pub fn grouped<'a>(cells: impl Iterator<Item = (&'a str, u64)>) -> Vec<Self> {
        grouped(cells.map(|(algorithm, value)| (algorithm, value, None::<String>)))
    }

    /// "so is not made for m=8, m=16: it takes patterns of 4 bytes or less".
    pub fn words(&self, axis: &RangeAxis) -> String {
        let values: Vec<String> = self.values.iter().map(|value| axis.at(*value)).collect();
        let reason = self.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        format!("{} is not made for {}{reason}", self.algorithm, values.join(", "))
    }

    /// All of them in a line, without their reasons; `None` if there are none.
    pub fn summary(all: &[Self], axis: &RangeAxis) -> Option<String> {
        let cells =
            all.iter().flat_map(|one| one.values.iter().map(|value| (one.algorithm.as_str(), *value)));
        let all = Self::grouped(cells);
        match all.len() {
            0 => None,
            1..=Self::NAMED => Some(all.iter().map(|one| one.words(axis)).collect::<Vec<_>>().join("; ")),
            many => Some(format!("{many} algorithms are not made for some {}", axis.over.plural())),
        }
    }

    /// The meaning of a dash in a table.
    pub fn dash(axis: &RangeAxis) -> String {
        format!("the algorithm is not made for this {}", axis.over.singular())
    }
}

impl Report {
    /// The algorithms that are not made for some range values.
    pub fn not_made_for(&self) -> Vec<NotMadeFor> {
        let refused = self.cells().filter(|cell| cell.failure() == Some(Status::CannotSearch.name()));
        grouped(refused.map(|cell| {
            let outcome = self.outcomes.of_cell(&cell.algorithm, cell.range, Status::CannotSearch);
            (cell.algorithm.as_str(), cell.range, outcome.message)
        }))
    }
}

/// Cells by their algorithm and their reason.
fn grouped<'a, T: Into<String>>(cells: impl Iterator<Item = (&'a str, u64, Option<T>)>) -> Vec<NotMadeFor> {
    let mut all: Vec<NotMadeFor> = Vec::new();
    for (algorithm, value, reason) in cells {
        let reason = reason.map(Into::into);
        match all.iter_mut().find(|one| one.algorithm == algorithm && one.reason == reason) {
            Some(one) => one.values.push(value),
            None => all.push(NotMadeFor { algorithm: algorithm.to_owned(), values: vec![value], reason }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use assay_store::{CellResult, testing};

    use super::*;
    use crate::tests::report;

    #[test]
    fn a_few_are_named_and_many_are_counted() {
        let axis = RangeAxis::default();
        let rows = |count: usize| {
            let rows =
                (0..count).map(|i| format!("a{i},4,0,cannot_search,,,,\na{i},8,0,cannot_search,,,,\n"));
            report(&("b,4,0,timed_out,,,,\nc,4,0,ok,3,1,2,3\n".to_owned() + &rows.collect::<String>()))
        };
        let summary = |count| NotMadeFor::summary(&rows(count).not_made_for(), &axis);
        assert_eq!(summary(0), None);
        assert_eq!(summary(1).unwrap(), "a0 is not made for m=4, m=8");
        assert_eq!(summary(2).unwrap(), "a0 is not made for m=4, m=8; a1 is not made for m=4, m=8");
        assert_eq!(summary(4).unwrap(), "4 algorithms are not made for some pattern lengths");
    }

    #[test]
    fn the_reasons_of_an_algorithm_are_separate_and_one_algorithm_in_the_summary() {
        let cell = |value, status, message: &str| CellResult {
            pattern_length: value,
            status,
            message: Some(message.to_owned()),
            ..testing::cell()
        };
        let mut run = testing::run();
        run.results = vec![
            cell(2, Status::CannotSearch, "too short"),
            cell(4, Status::CannotSearch, "too short"),
            cell(8, Status::Crashed, "SIGSEGV"),
            cell(16, Status::CannotSearch, "too long"),
        ];
        let (all, axis) = (NotMadeFor::all(&run), RangeAxis::default());
        let words: Vec<String> = all.iter().map(|one| one.words(&axis)).collect();
        assert_eq!(words, ["hor is not made for m=2, m=4: too short", "hor is not made for m=16: too long"]);
        assert_eq!(NotMadeFor::summary(&all, &axis).unwrap(), "hor is not made for m=2, m=4, m=16");
    }
}

//! The rules that the times of a row must follow.

use assay_base::columns::{Call, TOTAL_NS, of_one_call};

use super::{Column, position};

/// Columns of times that are sums of others, or must be at least as long as others.
#[derive(Debug)]
pub(crate) struct Sums {
    /// The time of a repetition, which is at least as long as those of each kind of call.
    total: Option<(usize, [usize; Call::ALL.len()])>,
    /// The time of a kind of call, and those of the single calls, whose sum it is.
    by_kind: Vec<(usize, Vec<usize>)>,
}

impl Sums {
    /// The rules of a file with these columns.
    pub(super) fn among(columns: &[Column]) -> Self {
        let [prepare, search] = Call::ALL.map(|call| position(columns, call.time()));
        let mut by_kind = Vec::new();
        for call in Call::ALL {
            let parts = single_calls(columns, call);
            if let (Some(all), false) = (position(columns, call.time()), parts.is_empty()) {
                by_kind.push((all, parts));
            }
        }
        let total = position(columns, TOTAL_NS).zip(prepare.zip(search));
        Sums { total: total.map(|(total, (prepare, search))| (total, [prepare, search])), by_kind }
    }

    /// Whether the numbers of a row contradict each other. Missing numbers contradict nothing. Times by an
    /// algorithm's own clock don't contradict the host's, because two clocks may differ.
    pub(crate) fn are_broken(&self, numbers: &[f64], is_own: bool) -> bool {
        let is_total_broken =
            self.total.is_some_and(|(total, parts)| parts.iter().any(|part| numbers[*part] > numbers[total]));
        !is_own && is_total_broken || self.by_kind.iter().any(|(all, parts)| differ(numbers, *all, parts))
    }

    /// The column whose number contradicts others of its row, and the contradiction in words.
    pub(super) fn broken_rule(&self, numbers: &[f64]) -> (usize, String) {
        if let Some((all, parts)) = self.by_kind.iter().find(|(all, parts)| differ(numbers, *all, parts)) {
            let (all_ns, sum) = (numbers[*all], sum(numbers, parts));
            return (*all, format!("`{all_ns}` is not the sum of its calls, {sum}"));
        }
        let (total, parts) = self.total.expect("it is broken");
        let longest = parts.iter().fold(f64::NAN, |longest, part| longest.max(numbers[*part]));
        (total, format!("`{}` is less than one of its calls took, {longest}", numbers[total]))
    }
}

/// The columns with the times of the single calls of a kind.
fn single_calls(columns: &[Column], kind: Call) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        if matches!(of_one_call(&column.name), Some((call, _, "")) if call == kind) {
            numbers.push(number);
        }
    }
    numbers
}

fn sum(numbers: &[f64], parts: &[usize]) -> f64 {
    parts.iter().map(|part| numbers[*part]).sum()
}

/// Whether a time is not the sum of these. Times are whole numbers, so a smaller difference is rounding.
fn differ(numbers: &[f64], all: usize, parts: &[usize]) -> bool {
    (numbers[all] - sum(numbers, parts)).abs() >= 1.0
}

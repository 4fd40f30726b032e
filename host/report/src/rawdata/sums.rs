//! What must hold between the times of a row.

use assay_base::columns::{Call, TOTAL_NS, of_one_call};

use super::Column;

/// Times that are a sum of others, or at least as long, by the numbers of their columns.
#[derive(Debug)]
pub(crate) struct Sums {
    /// The time of all calls, and of those of each kind.
    total: Option<(usize, [usize; Call::ALL.len()])>,
    /// The time of a kind of calls, and of each of these.
    of_calls: Vec<(usize, Vec<usize>)>,
}

impl Sums {
    /// Those of a file with these columns.
    pub(super) fn among(columns: &[Column]) -> Self {
        let find = |name: &str| columns.iter().position(|column| column.name == name);
        let [prepare, search] = Call::ALL.map(|call| find(call.time()));
        let parts = |call: Call| {
            let is_part =
                |column: &Column| matches!(of_one_call(&column.name), Some((of, _, "")) if of == call);
            (0..columns.len()).filter(|column| is_part(&columns[*column])).collect::<Vec<_>>()
        };
        let of_calls = Call::ALL.into_iter().filter_map(|call| Some((find(call.time())?, parts(call))));
        Sums {
            total: find(TOTAL_NS)
                .zip(prepare.zip(search))
                .map(|(total, (prepare, search))| (total, [prepare, search])),
            of_calls: of_calls.filter(|(_, parts)| !parts.is_empty()).collect(),
        }
    }

    /// Whether the numbers of a row contradict each other. What is missing contradicts nothing, nor do times
    /// by an algorithm's own clock contradict the host's.
    pub(crate) fn are_broken(&self, numbers: &[f64], is_own: bool) -> bool {
        let total =
            |(total, parts): (usize, [usize; 2])| parts.iter().any(|part| numbers[*part] > numbers[total]);
        !is_own && self.total.is_some_and(total)
            || self.of_calls.iter().any(|(all, parts)| differ(numbers, *all, parts))
    }

    /// The column whose number contradicts others of its row, and how.
    pub(super) fn broken_rule(&self, numbers: &[f64]) -> (usize, String) {
        if let Some((all, parts)) = self.of_calls.iter().find(|(all, parts)| differ(numbers, *all, parts)) {
            let (all_ns, sum) = (numbers[*all], sum(numbers, parts));
            return (*all, format!("`{all_ns}` is not the sum of its calls, {sum}"));
        }
        let (total, parts) = self.total.expect("it is broken");
        let longest = parts.iter().fold(f64::NAN, |longest, part| longest.max(numbers[*part]));
        (total, format!("`{}` is less than one of its calls took, {longest}", numbers[total]))
    }
}

fn sum(numbers: &[f64], parts: &[usize]) -> f64 {
    parts.iter().map(|part| numbers[*part]).sum()
}

/// Whether a time is not the sum of these. Times are whole numbers.
fn differ(numbers: &[f64], all: usize, parts: &[usize]) -> bool {
    (numbers[all] - sum(numbers, parts)).abs() >= 1.0
}

//! Doubtful times: those that the host's total contradicts, and those of a search whose preparation is much
//! longer.

use std::collections::BTreeMap;

use assay_base::io::console::Console;
use assay_store::Run;

use crate::RangeAxis;

/// Median times of an algorithm at one place of the table, in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct CellTimes {
    /// Id of the algorithm.
    pub algorithm: String,
    /// The place: "m=8".
    pub place: String,
    /// The preparation, by the host's clock or the algorithm's own.
    pub prepare_ns: f64,
    /// The search, by the same clock.
    pub search_ns: f64,
    /// Both together, by the host's clock.
    pub total_ns: f64,
}

/// Differences between the two clocks up to this one are not reported, because it takes time to call a
/// library and to read its clock.
const CALL_NS: f64 = 1000.0;
/// A preparation that takes this many times as long as the search is reported, because the time of the search
/// then misleads those who search once. Smaller ratios are ordinary: for example, for a table of 64 Ki
/// entries and a text of some KiB.
const FAR: f64 = 100.0;

impl CellTimes {
    /// The time that the host's clock leaves for the search.
    fn rest_ns(&self) -> f64 {
        self.total_ns - self.prepare_ns
    }

    /// Whether the algorithm's own clock shows less than half of what the host's clock leaves for the search.
    /// By the host's own clock, both are the same.
    fn has_short_own_time(&self) -> bool {
        self.search_ns < self.rest_ns() / 2.0 && self.rest_ns() - self.search_ns > CALL_NS
    }

    /// Whether part of the search may happen in the preparation.
    fn has_long_preparation(&self) -> bool {
        self.search_ns * FAR < self.prepare_ns
    }
}

/// The median times of all cells, except those with a missing time. A run without times of this machine has
/// none.
pub fn cell_times(run: &Run) -> Vec<CellTimes> {
    if !run.experiment.has_times() {
        return Vec::new();
    }
    let axis = RangeAxis::new(&run.experiment);
    let times = run.results.iter().map(|cell| {
        Some(CellTimes {
            algorithm: cell.algorithm.clone(),
            place: format!("{}={}", axis.symbol(), axis.label(cell.value())),
            prepare_ns: cell.prepare_ns?.med,
            search_ns: cell.search_ns?.med,
            total_ns: cell.total_ns?.med,
        })
    });
    times.flatten().collect()
}

/// Reports doubtful times on standard error.
pub fn report(cells: &[CellTimes], console: &Console) {
    for line in short_own_times(cells) {
        console.warn(&line);
    }
    if let Some(line) = long_preparations(cells) {
        console.note(&line);
    }
}

/// A sentence on each algorithm whose own clock shows too short times.
pub(crate) fn short_own_times(cells: &[CellTimes]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<&CellTimes>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.has_short_own_time()) {
        places.entry(&cell.algorithm).or_default().push(cell);
    }
    places.into_values().map(|cells| short_own_time(&cells)).collect()
}

/// The sentence on the cells of one algorithm.
fn short_own_time(cells: &[&CellTimes]) -> String {
    let worst =
        cells.iter().max_by(|a, b| (a.rest_ns() / a.search_ns).total_cmp(&(b.rest_ns() / b.search_ns)));
    let worst = worst.expect("an algorithm is named because of a cell");
    format!(
        "{} {}: its own clock shows {} us for a search, where the host's clock leaves {} us: compare `total_ns` instead, which \
         is always the host's",
        worst.algorithm,
        places(cells),
        microseconds(worst.search_ns),
        microseconds(worst.rest_ns())
    )
}

/// A sentence on all algorithms whose preparation takes far longer than their search; `None` if there are
/// none.
pub(crate) fn long_preparations(cells: &[CellTimes]) -> Option<String> {
    let mut places_of: BTreeMap<&str, Vec<&CellTimes>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.has_long_preparation()) {
        places_of.entry(&cell.algorithm).or_default().push(cell);
    }
    if places_of.is_empty() {
        return None;
    }
    let all: Vec<String> =
        places_of.into_iter().map(|(algorithm, cells)| format!("{algorithm} {}", places(&cells))).collect();
    Some(format!(
        "the preparation takes more than {FAR} times as long as the search ({}), so `search_ns` is the smaller part of the \
         work: compare `total_ns`",
        all.join("; ")
    ))
}

/// "m=8,16"
fn places(cells: &[&CellTimes]) -> String {
    let (first, rest) = cells.split_first().expect("an algorithm is named because of a cell");
    let values = rest.iter().map(|cell| cell.place.split_once('=').map_or(&*cell.place, |(_, value)| value));
    std::iter::once(&*first.place).chain(values).collect::<Vec<_>>().join(",")
}

/// A time in microseconds, with three digits, which are enough to see the difference.
fn microseconds(nanoseconds: f64) -> String {
    let microseconds = nanoseconds / 1000.0;
    let decimals = if microseconds < 10.0 { 2 } else { 0 };
    format!("{microseconds:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(place: &str, [prepare_ns, search_ns, total_ns]: [f64; 3]) -> CellTimes {
        CellTimes { algorithm: "lib:x".to_owned(), place: place.to_owned(), prepare_ns, search_ns, total_ns }
    }

    #[test]
    fn own_times_below_half_of_the_host_s_are_reported_with_both() {
        let cells = [
            cell("m=4", [0.0, 150_000.0, 200_000.0]),
            cell("m=8", [1000.0, 11_000.0, 201_000.0]),
            cell("m=16", [1000.0, 50_000.0, 201_000.0]),
        ];
        let lines = short_own_times(&cells);
        assert_eq!(lines.len(), 1, "{lines:?}");
        let begin =
            "lib:x m=8,16: its own clock shows 11 us for a search, where the host's clock leaves 200 us: ";
        assert!(lines[0].starts_with(begin), "{}", lines[0]);
        assert_eq!(long_preparations(&cells), None);
        // A call of the library costs something; and nothing is known of times that are missing.
        assert!(short_own_times(&[cell("m=4", [0.0, 100.0, 900.0])]).is_empty());
        assert!(short_own_times(&[cell("m=4", [0.0, f64::NAN, 9e9])]).is_empty());
        assert_eq!(short_own_times(&[cell("m=4", [0.0, 0.0, 5000.0])]).len(), 1, "no time at all");
    }

    #[test]
    fn a_search_far_below_its_preparation_is_reported() {
        let cells = [cell("m=8", [29_000.0, 30.0, 29_030.0]), cell("m=16", [9_000.0, 100.0, 9_100.0])];
        let line = long_preparations(&cells).unwrap();
        assert!(line.contains("(lib:x m=8)") && line.contains("compare `total_ns`"), "{line}");
        assert!(short_own_times(&cells).is_empty());
    }
}

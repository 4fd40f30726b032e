//! Range values as users type them.

use assay_report::{RangeAxis, Report};

/// The range value that is asked for by its number or its label: `64`, `m=64`, `4KiB`. The error lists the
/// values that were measured.
pub(super) fn range_value(asked: &str, reports: &[Report]) -> Result<u64, String> {
    let axis = RangeAxis::new(&reports[0].facts);
    let mut known: Vec<u64> = reports.iter().flat_map(Report::range).collect();
    known.sort_unstable();
    known.dedup();
    let asked = plain(asked);
    let bare = asked.strip_prefix(&format!("{}=", plain(axis.symbol()))).unwrap_or(&asked);
    let found = known.iter().find(|value| value.to_string() == bare || plain(&axis.label(**value)) == bare);
    found.copied().ok_or_else(|| {
        let labels: Vec<String> = known.iter().map(|value| plain(&axis.label(*value))).collect();
        labels.join(",")
    })
}

/// A label as users type it: without blanks, in lower case.
fn plain(label: &str) -> String {
    label.replace(' ', "").to_lowercase()
}

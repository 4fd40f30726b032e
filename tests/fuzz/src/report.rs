//! The file with the results of a run: `report.json`.

use std::io::Write;

use assay_report::export::overview::{self, TableOptions};
use assay_report::export::page::page;
use assay_report::{RawData, Report};
use assay_store::Run;
use assay_store::blocks::Blocks;

use super::check::{bounded, names_a_place, with_file};

/// JSON is read as values first, then as the facts of a run. An empty object has two bytes, and a list holds
/// four values or more, of a hundred bytes each.
const FACTOR: u64 = 600;
const CONSTANT: u64 = 64 << 10;

/// The measurements to which the facts are said to belong.
const MEASUREMENTS: &[u8] = include_bytes!("../../fixtures/saved_run/measurements.csv");

/// Reads the results of a run, shows them, and reads them again as they are written.
pub fn report(input: &[u8]) {
    let read = |text: &[u8]| with_file(text, Run::read);
    match bounded(input, FACTOR, CONSTANT, || read(input)) {
        // These are about the file as a whole.
        Err(error) => names_a_place(&error.to_string(), &["its checksum is another", "has format"]),
        Ok(run) => {
            let written = serde_json::to_string(&run).expect("results have a JSON form");
            let again = read(written.as_bytes()).expect("what was written can be read");
            assert_eq!(serde_json::to_string(&again).ok(), Some(written));
            let shown = TableOptions { precision: 2, preprocessing: true, phases: true, occurrences: true };
            let _ = (overview::render(&run, shown), page(&run));
            show_measurements(run);
        }
    }
}

/// Computes figures of measurements with these facts.
fn show_measurements(run: Run) {
    let mut file = tempfile::tempfile().expect("a file can be made");
    file.write_all(MEASUREMENTS).expect("a file can be written");
    let rawdata = RawData::from_file(file, &mut Blocks::default()).expect("they are measurements");
    if let Ok(report) = Report::new(run.experiment, rawdata) {
        figures(&report);
    }
}

/// Reads every count, and computes what needs all of them.
pub(super) fn figures(report: &Report) {
    let _ = (report.incomplete(), report.changed(), report.range(), report.repetitions());
    for data in report.algorithms().filter_map(|algorithm| report.fulldata(algorithm)) {
        for (range, sumrange) in
            (0..data.range().len()).flat_map(|range| (0..data.sumrange()).map(move |at| (range, at)))
        {
            for call in 0..data.calls(sumrange).len() {
                let counters = 0..report.rawdata().counters().len();
                counters.for_each(|counter| drop(data.counts_of(range, sumrange, call, counter)));
            }
        }
    }
    let first = report.algorithms().next().unwrap_or_default();
    let _ = (report.variance(None), report.baseline(first, None), report.ranks(None));
}

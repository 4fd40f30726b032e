//! The files that a reader can take away: figures, references, and the experiments of the runs.

use assay_base::columns::PerCall;
use assay_store::CellResult;

use crate::{Atlas, AtlasRun, SiteFile};

/// The figures of the runs with times.
pub(crate) const FIGURES: &str = "figures.csv";
/// The figures of the runs with counts.
pub(crate) const COUNTS: &str = "counts.csv";
/// The references.
pub(crate) const REFERENCES: &str = "references.bib";

/// The files.
pub(crate) fn files(atlas: &Atlas) -> Vec<SiteFile> {
    let mut files =
        vec![SiteFile::new(FIGURES, table(&atlas.timed)), SiteFile::new(REFERENCES, atlas.bibtex.as_str())];
    if !atlas.counted.is_empty() {
        files.push(SiteFile::new(COUNTS, table(&atlas.counted)));
    }
    for run in atlas.timed.iter().chain(&atlas.counted) {
        files.extend(run.experiment.as_deref().map(|text| SiteFile::new(experiment_file(run), text)));
    }
    files
}

/// The name under which the experiment of a run is saved.
pub(crate) fn experiment_name(run: &AtlasRun) -> String {
    format!("{}.toml", crate::entry::file_stem(&run.facts().id))
}

/// The place of the experiment of a run.
pub(crate) fn experiment_file(run: &AtlasRun) -> String {
    format!("runs/{}", experiment_name(run))
}

/// The columns of both tables, with units.
const COLUMNS: [&str; 15] = [
    "run",
    "text",
    "cpu",
    "algorithm",
    "pattern_length",
    "status",
    "quantity",
    "repetitions",
    "minimum",
    "median",
    "mean",
    "maximum",
    "low_95",
    "high_95",
    "rank",
];

/// A row for each run, algorithm, pattern length and quantity; times are in nanoseconds.
fn table(runs: &[AtlasRun]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = "memory can be written to";
    writer.write_record(COLUMNS).expect(written);
    for run in runs {
        let (facts, text) = (run.facts(), run.text());
        let cpu = facts.machine.cpu.as_deref().unwrap_or_default();
        for cell in &run.results.results {
            let head = [
                facts.id.as_str(),
                &text,
                cpu,
                &cell.algorithm,
                &cell.value().to_string(),
                &cell.status.words(),
            ]
            .map(str::to_owned);
            let mut add = |row: Vec<String>| writer.write_record(head.iter().chain(&row)).expect(written);
            let rows = rows(cell);
            if rows.is_empty() {
                add(vec![String::new(); COLUMNS.len() - head.len()]);
            }
            rows.into_iter().for_each(add);
        }
    }
    String::from_utf8(writer.into_inner().expect(written)).expect("texts were written")
}

/// The quantities of a cell, with what is known of each.
fn rows(cell: &CellResult) -> Vec<Vec<String>> {
    let quantities = cell.quantities().map(|(name, summary)| {
        let call = PerCall::<()>::CALLS.into_iter().find(|call| name == time_column(*call));
        let standing = call.and_then(|call| cell.ranks.get(call).standing);
        let interval = summary
            .ci95
            .map_or_else(Default::default, |ci95| [ci95.low, ci95.high].map(|end| end.to_string()));
        let mut row = vec![name, cell.repetitions.to_string()];
        row.extend([summary.min, summary.med, summary.avg, summary.max].map(|value| value.to_string()));
        row.extend(interval);
        row.push(standing.map_or_else(String::new, |standing| standing.rank.to_string()));
        row
    });
    quantities.collect()
}

/// The name of the time of a call, or of all together.
fn time_column(call: Option<assay_base::columns::Call>) -> &'static str {
    call.map_or(assay_base::columns::TOTAL_NS, |call| call.time())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn figures_have_a_row_for_each_quantity_and_experiments_are_there() {
        let files = files(&atlas());
        let figures = &files[0];
        let mut reader = csv::Reader::from_reader(figures.content.as_bytes());
        assert_eq!(reader.headers().unwrap().len(), COLUMNS.len());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let searches: Vec<[&str; 3]> = rows
            .iter()
            .filter(|row| &row[6] == "search_ns" && &row[4] == "4")
            .map(|row| [&row[3], &row[9], &row[14]])
            .collect();
        assert_eq!(searches, [["hor", "1002", "1"], ["bf", "1500", "2"]]);
        assert!(files.iter().any(|file| file.path.starts_with("runs/") && file.content == "runs = 5\n"));
    }
}

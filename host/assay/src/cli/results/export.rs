//! `assay results export`: saved runs as a dataset for DuckDB, Polars, pandas or Spark.

use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_base::io::output_format::OutputFormat;
use assay_report::Report;
use assay_report::export::dataset::Dataset;
use assay_store::{WITH_OUT, find};
use clap::ValueHint;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::super::export::check_built;
use super::super::{Outcome, Session};

/// Write the rows of saved runs as a dataset that DuckDB, Polars, pandas and Spark read as it is
///
/// The dataset is a folder with a file for each CPU, text, algorithm and run. A further run is added to it; a
/// run that it has already is replaced.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay results export last --out data
  assay results export 20260102-03 20260103-07 --out data     adds two runs
  assay results export last --out data --format parquet
  assay results --out elsewhere export last --out data        of another folder

Then, for example in DuckDB:
  SELECT run, algorithm, pattern_length, median(search_ns)
  FROM read_csv('data/measurements/**/*.csv', hive_partitioning = true, union_by_name = true)
  WHERE status = 'ok' GROUP BY ALL

Parquet is in builds with the feature `parquet`. The page \"Results in SQL\" of the book has the \
figures of a report as queries, and the views that they need.")]
pub(super) struct Args {
    /// The saved runs: folders, files in them, ids (the beginning is enough), or `last` for the newest
    #[arg(value_name = "RESULT", required = true)]
    results: Vec<String>,
    /// The folder of the dataset, which is made if it does not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// Format of the files
    #[arg(long, default_value = "csv", value_parser = formats())]
    format: OutputFormat,
}

/// Adds the runs, which are looked up in the folder `saved`, to the dataset.
pub(super) fn run(args: &Args, saved: &Path, session: &Session) -> Result<Outcome> {
    check_built(args.format, "use `--format csv`")?;
    let dataset = Dataset::new(args.out.clone(), args.format)?;
    // All are found before the first is written, so that a wrong name changes nothing.
    let folders = args
        .results
        .iter()
        .map(|result| find(result, saved).map_err(with_own_out))
        .collect::<Result<Vec<_>>>()?;
    for folder in folders {
        let report = Report::load(&folder)?;
        let rows = report.rawdata().len();
        let progress = session.console.progress(rows as u64).with_message(report.facts.id.clone());
        let files = dataset.add(&report, |wrote| progress.inc(wrote as u64));
        progress.finish_and_clear();
        let (rows, files) = (counted(rows, "row"), counted(files?, "file"));
        session.console.note(&format!(
            "run {}: {rows} in {files} below {}",
            report.facts.id,
            args.out.display()
        ));
        if let Some(measured) = report.incomplete() {
            session.console.warn(&format!("run {} was interrupted: {measured}", report.facts.id));
        }
    }
    Ok(Outcome::Done)
}

/// An error about a run that was not found, with the command that looks in another folder: `--out` after `export`
/// is the dataset.
fn with_own_out(error: Error) -> Error {
    error.map(|words| {
        words.replace(WITH_OUT, "use `assay results --out FOLDER export RESULT.. --out DATASET`")
    })
}

/// A parser of the formats of a dataset.
fn formats() -> impl TypedValueParser<Value = OutputFormat> {
    PossibleValuesParser::new(["csv", "parquet"]).map(|name| match name.as_str() {
        "parquet" => OutputFormat::Parquet,
        _ => OutputFormat::Csv,
    })
}

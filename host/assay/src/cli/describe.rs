//! `assay describe`: statistics and histogram of each column of a CSV file.

use std::path::PathBuf;

use assay_base::error::Result;
use assay_base::io::csv_input::Gaps;
use assay_base::io::output_format::{OutputFormat, sample_formats};

use super::input_part::InputPart;
use super::{Outcome, Session};
use crate::describe;

/// Statistics and histogram of each column of a CSV file
///
/// The file has a header line and then a row of numbers per line. A figure that has no meaning, such as the
/// spread of one value, is shown as `-`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay describe times.csv                      a table, and histograms as bars
  assay describe costs.csv --format benchstats  as PAPI's tools print it
  assay describe results/ID/measurements.csv --columns search_ns \\
    --where algorithm=hor --where pattern_length=8
  cut -d, -f2,3 raw.csv | assay describe -      from standard input

Histograms have at most 20 bins and leave out what is far out (beyond the quartiles by more than three times their \
distance), which is counted apart. Those of `benchstats` cover all values in ceil(sqrt(n)) bins of whole units, as the \
reference program has them. Unlike it, the greatest value always counts in the last bin, and a lone row has no maximum \
without the first. Its two headings are meant for files of two columns; columns of others are called by their titles.")]
pub(super) struct Args {
    /// CSV file with a header line; `-` is standard input
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
    #[command(flatten)]
    part: InputPart,
    /// Output format: a table has the histogram of each column as bars, csv a row for each column and
    /// quantity
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = sample_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let selection = args.part.selection();
    let numbers = args.part.read(&args.file, Gaps::Refused)?;
    selection.check(std::slice::from_ref(&numbers))?;
    let descriptions = describe::describe(&numbers)?;
    let text = match args.format {
        OutputFormat::Benchstats => describe::benchstats(&numbers),
        format => describe::print(&descriptions, format),
    };
    session.console.print(&text)?;
    Ok(Outcome::Done)
}

//! Descriptions of lists of numbers by statistics and a histogram, and their output.

mod benchstats;
mod histogram;
mod print;
mod sample;

use assay_base::error::{Error, Result};
use assay_base::io::csv_input::Numbers;

pub(crate) use benchstats::benchstats;
pub(crate) use histogram::Histogram;
pub(crate) use print::print;
pub(crate) use sample::SampleStatistics;

/// Statistics and histogram of one column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Description {
    /// Title of the column.
    pub title: String,
    /// Its statistics.
    pub sample: SampleStatistics,
    /// Its histogram.
    pub histogram: Histogram,
}

impl Description {
    /// Describes numbers; `None` if there are none.
    pub(crate) fn from_values(title: &str, values: &[f64]) -> Option<Self> {
        let sample = SampleStatistics::from_values(values)?;
        let histogram = Histogram::of_values(values, &sample);
        Some(Description { title: title.to_owned(), sample, histogram })
    }
}

/// Describes each column of a table.
///
/// # Errors
/// If the header line holds numbers: then it is most likely missing, and a row would be lost.
pub(crate) fn describe(numbers: &Numbers) -> Result<Vec<Description>> {
    if numbers.titles.iter().all(|title| title.parse::<f64>().is_ok()) {
        return Err(Error::new(format!("{}: the first line holds numbers, not titles", numbers.source))
            .remedy("put a header line with a title for each column before it"));
    }
    let columns = numbers.titles.iter().zip(&numbers.columns);
    Ok(columns.filter_map(|(title, values)| Description::from_values(title, values)).collect())
}

#[cfg(test)]
mod tests {
    use assay_base::io::csv_input::{Gaps, Selection};

    use super::*;

    fn descriptions(text: &str) -> Result<Vec<Description>> {
        describe(&Numbers::from_reader("x.csv", text.as_bytes(), Gaps::Missing, &Selection::default())?)
    }

    #[test]
    fn every_column_is_described_unless_the_titles_are_missing() {
        let described = descriptions("a,2\n1,2\n3,4\n").unwrap();
        let titles: Vec<&str> = described.iter().map(|column| column.title.as_str()).collect();
        assert_eq!((titles, described[1].sample.summary.max), (vec!["a", "2"], 4.0));
        let error = descriptions("1,2\n3,4\n").unwrap_err().to_string();
        assert!(error.starts_with("x.csv: the first line holds numbers"), "{error}");
    }
}

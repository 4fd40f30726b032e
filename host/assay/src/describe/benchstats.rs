//! The layout of PAPI's benchStats.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use assay_base::io::csv_input::Numbers;

use super::{Histogram, SampleStatistics};

/// The names of the two columns of PAPI's cost measurements, above the statistics and above the histogram.
const PAPI_HEADINGS: [(&str, &str); 2] =
    [("Initialization time", "Initialization"), ("PCP event read time", "Read Event")];

/// Statistics and histogram of each column in the layout of PAPI's benchStats, line by line.
///
/// A file with two columns is taken for PAPI's own: the times of an initialisation and of a read, in
/// microseconds. Columns of other files have their titles and no unit. There are three differences from the
/// reference program: the greatest value counts in the last bin, a single row has no "Max w/o First", and
/// values that are all less than 1 have four decimals, because one would not be enough.
pub(crate) fn benchstats(numbers: &Numbers) -> String {
    let file =
        Path::new(&numbers.source).file_name().map_or(numbers.source.as_str().into(), OsStr::to_string_lossy);
    let papi = numbers.titles.len() == PAPI_HEADINGS.len();
    let mut text = String::new();
    for (index, (title, values)) in numbers.titles.iter().zip(&numbers.columns).enumerate() {
        let Some(sample) = SampleStatistics::from_values(values) else { continue };
        let (name, event, unit) = if papi {
            let (name, event) = PAPI_HEADINGS[index];
            (name, event, "uS")
        } else {
            (title.as_str(), title.as_str(), "")
        };
        let histogram = Histogram::of_whole_units(values, &sample);
        let decimals = if sample.summary.max < 1.0 { 4 } else { 1 };
        let lines = statistics(&sample, &histogram, unit, decimals);
        let bins = bins(&histogram, sample.count, decimals);
        let _ = writeln!(text, "Stats for {name} in file '{file}'.\n{lines}");
        let _ = writeln!(text, "{event} Histogram:\nbinCenter, Count, % of Count\n{bins}");
    }
    text
}

fn statistics(sample: &SampleStatistics, histogram: &Histogram, unit: &str, decimals: usize) -> String {
    let (summary, bins) = (&sample.summary, histogram.counts.len());
    let mode = histogram.fullest();
    let max_without_first = sample.max_without_first.map_or("-".to_owned(), |max| figure(max, decimals));
    let lines = [
        ("Sample Values".to_owned(), sample.count.to_string()),
        (format!("Minimum {unit}"), figure(summary.min, decimals)),
        (format!("Maximum {unit}"), figure(summary.max, decimals)),
        (format!("Average {unit}"), figure(summary.avg, decimals)),
        (format!("Median  {unit}"), figure(summary.med, decimals)),
        (format!("First   {unit}"), figure(sample.first, decimals)),
        ("Max w/o First".to_owned(), max_without_first),
        (format!("Range   {unit}"), figure(sample.range(), decimals)),
        ("Histogram Bins chosen".to_owned(), bins.to_string()),
        (format!("Bin width {unit}"), figure(histogram.width, decimals)),
        ("Mode (center highest Bin Count)".to_owned(), figure(histogram.center(mode), decimals)),
        ("Mode Bin Count".to_owned(), histogram.counts[mode].to_string()),
        // As in the reference program, halves are rounded away from zero.
        ("Bin Expected Count".to_owned(), format!("{}", (sample.count as f64 / bins as f64).round())),
    ];
    lines.iter().fold(String::new(), |mut text, (label, value)| {
        let _ = writeln!(text, "{label:<31},{value:>8}");
        text
    })
}

fn figure(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

fn bins(histogram: &Histogram, count: usize, decimals: usize) -> String {
    let mut text = String::new();
    for (bin, &values) in histogram.counts.iter().enumerate() {
        let percent = 100.0 * values as f64 / count as f64;
        let _ = writeln!(text, "{:>8.decimals$}, {values:>8}, ={percent:>5.2}%", histogram.center(bin));
    }
    text
}

#[cfg(test)]
mod tests {
    use assay_base::io::csv_input::{Gaps, Selection};

    use super::*;

    fn table_of(text: &str) -> String {
        benchstats(
            &Numbers::from_reader("x.csv", text.as_bytes(), Gaps::Refused, &Selection::default()).unwrap(),
        )
    }

    #[test]
    fn one_row_has_no_maximum_without_the_first() {
        let text = table_of("a,b\n20.25,3\n");
        assert!(text.contains("Max w/o First                  ,       -\n"), "{text}");
        assert!(text.contains("First   uS                     ,    20.2\n"), "halves go to even: {text}");
    }

    #[test]
    fn values_below_1_have_enough_decimals() {
        let text = table_of("Initialize, Event Read Avg uS\n600.5,0.0515\n610.5,0.0525\n");
        assert!(text.contains("Minimum uS                     ,   600.5\n"), "{text}");
        assert!(text.contains("Minimum uS                     ,  0.0515\n"), "{text}");
    }

    #[test]
    fn other_files_have_their_own_titles_and_no_unit() {
        let text = table_of("cycles\n1\n2\n");
        assert!(text.starts_with("Stats for cycles in file 'x.csv'.\nSample Values"), "{text}");
        assert!(text.contains("\ncycles Histogram:\n") && !text.contains("uS"), "{text}");
    }

    #[test]
    fn bins_have_their_centers_and_their_share() {
        let text = table_of("cycles\n0\n1\n4\n8\n");
        let (_, bins) = text.split_once("binCenter, Count, % of Count\n").unwrap();
        assert_eq!(bins, "     2.0,        2, =50.00%\n     6.0,        2, =50.00%\n\n");
    }
}

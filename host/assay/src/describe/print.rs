//! Printing of descriptions: statistics and bars for people, JSON, CSV and other tables for programs and
//! documents.

use std::fmt::Write;

use assay_base::io::console::printable;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use serde_json::json;

use super::{Description, Histogram, SampleStatistics};

/// Width of the longest bar, in characters.
const LONGEST_BAR: usize = 40;

/// Significant digits of the greatest number of a column, for people.
const DIGITS: i32 = 6;

/// Significant digits that every figure has at least, and so has the spread, which distinguishes values.
const LEAST_DIGITS: i32 = 3;

/// Descriptions in a format, ending with a line feed.
///
/// JSON is an array with an object per column. CSV has a row per quantity, and one per bin of the histogram
/// with the number of values between `from` and `to`; values that are far out have only one of the two
/// borders.
pub(crate) fn print(descriptions: &[Description], format: OutputFormat) -> String {
    match format {
        OutputFormat::Table => descriptions.iter().map(block).collect::<Vec<_>>().join("\n"),
        OutputFormat::Json => {
            let columns: Vec<_> = descriptions.iter().map(object).collect();
            format!("{:#}\n", serde_json::Value::Array(columns))
        }
        format => rows(descriptions).render(format),
    }
}

/// Every statistic by name; `None` if it has no meaning.
fn quantities(sample: &SampleStatistics) -> [(&'static str, Option<f64>); 11] {
    let summary = &sample.summary;
    [
        ("n", Some(sample.count as f64)),
        ("min", Some(summary.min)),
        ("lower_quartile", Some(sample.lower_quartile)),
        ("median", Some(summary.med)),
        ("upper_quartile", Some(sample.upper_quartile)),
        ("max", Some(summary.max)),
        ("range", Some(sample.range())),
        ("mean", Some(summary.avg)),
        ("std", sample.spread()),
        ("first", Some(sample.first)),
        ("max_without_first", sample.max_without_first),
    ]
}

/// Statistics in two columns of pairs, then the histogram as bars.
fn block(description: &Description) -> String {
    let summary = &description.sample.summary;
    let common = common_decimals(summary.min, summary.max, summary.std);
    let pairs = quantities(&description.sample).map(|(name, value)| {
        let figure = match value {
            None => "-".to_owned(),
            Some(count) if name == "n" => count.to_string(),
            Some(value) => format!("{value:.*}", decimals(value, LEAST_DIGITS).max(common)),
        };
        (name.replace('_', " "), figure)
    });
    let widest = pairs.iter().map(|(_, value)| value.len()).max().unwrap_or(0);
    let (left, right) = pairs.split_at(pairs.len().div_ceil(2));
    let mut text = format!("{}\n", printable(&description.title));
    for (row, (name, value)) in left.iter().enumerate() {
        let _ = write!(text, "  {name:<14}  {value:>widest$}");
        if let Some((name, value)) = right.get(row) {
            let _ = write!(text, "     {name:<17}  {value:>widest$}");
        }
        text.push('\n');
    }
    text + "\n" + &picture(description)
}

/// The decimals that show this many digits of a value.
fn decimals(value: f64, digits: i32) -> usize {
    if value == 0.0 { 0 } else { (digits - 1 - value.abs().log10().floor() as i32).max(0) as usize }
}

/// The decimals of numbers from `low` to `high` that differ by as little as `difference`.
fn common_decimals(low: f64, high: f64, difference: f64) -> usize {
    let greatest = low.abs().max(high.abs());
    let needed = decimals(difference, LEAST_DIGITS).min(decimals(greatest, f64::DIGITS as i32));
    decimals(greatest, DIGITS).max(needed)
}

/// The histogram, a line per bin.
fn picture(description: &Description) -> String {
    let Description { sample, histogram, .. } = description;
    let end = histogram.border(histogram.counts.len());
    let decimals = common_decimals(histogram.start, end, histogram.width);
    let mut lines = Vec::new();
    for (from, to, count) in parts(histogram) {
        let from = from.map_or("below".to_owned(), |border| format!("{border:.decimals$}"));
        let to = to.map_or("above".to_owned(), |border| format!("{border:.decimals$}"));
        lines.push((from, to, count));
    }
    let left = lines.iter().map(|(from, ..)| from.len()).max().unwrap_or(0);
    let right = lines.iter().map(|(_, to, _)| to.len()).max().unwrap_or(0);
    let fullest = lines.iter().map(|line| line.2).max().unwrap_or(0);
    let digits = fullest.to_string().len();
    let mut text = String::new();
    for (from, to, count) in &lines {
        let percent = 100.0 * *count as f64 / sample.count as f64;
        let bar = bar(*count, fullest);
        let line = format!("  {from:>left$}  {to:>right$}  {count:>digits$}  {percent:>5.1}%  {bar}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A bar in eighths of a character. A count that is not 0 has at least one, so that it is visible.
fn bar(count: u64, fullest: u64) -> String {
    let eighths = (count as f64 / fullest as f64 * (8 * LONGEST_BAR) as f64).round() as usize;
    let eighths = if count > 0 { eighths.max(1) } else { 0 };
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + rest
}

/// A part of the histogram: lower border, upper border, count. The values that are far out have only one
/// border.
type HistogramPart = (Option<f64>, Option<f64>, u64);

fn parts(histogram: &Histogram) -> impl Iterator<Item = HistogramPart> {
    let bins = histogram.counts.len();
    let below = (histogram.below > 0).then(|| (None, Some(histogram.border(0)), histogram.below));
    let above = (histogram.above > 0).then(|| (Some(histogram.border(bins)), None, histogram.above));
    let inner = (0..bins)
        .map(|bin| (Some(histogram.border(bin)), Some(histogram.border(bin + 1)), histogram.counts[bin]));
    below.into_iter().chain(inner).chain(above)
}

fn object(description: &Description) -> serde_json::Value {
    let bins: Vec<_> = parts(&description.histogram)
        .map(|(from, to, count)| json!({"from": from, "to": to, "count": count}))
        .collect();
    let mut object = serde_json::Map::new();
    object.insert("column".to_owned(), description.title.as_str().into());
    for (name, value) in quantities(&description.sample) {
        object.insert(name.to_owned(), json!(value));
    }
    object["n"] = description.sample.count.into();
    object.insert("histogram".to_owned(), bins.into());
    object.into()
}

fn rows(descriptions: &[Description]) -> Table {
    let mut table = Table::new(["column", "quantity", "from", "to", "value"]);
    for description in descriptions {
        let title = Datum::from(description.title.as_str());
        for (name, value) in quantities(&description.sample) {
            let value = value.map(number).into();
            table.push([title.clone(), name.into(), Datum::Missing, Datum::Missing, value]);
        }
        for (from, to, count) in parts(&description.histogram) {
            let (from, to) = (from.map(number).into(), to.map(number).into());
            table.push([title.clone(), "count".into(), from, to, number(count as f64)]);
        }
    }
    table
}

/// A number for programs, which get all its digits.
fn number(value: f64) -> Datum {
    Datum::Number(value, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptions(values: &[f64]) -> Vec<Description> {
        vec![Description::from_values("reads", values).unwrap()]
    }

    #[test]
    fn a_picture_shows_all_that_was_counted() {
        let mut values = vec![1.0; 300];
        values.extend([2.0; 300]);
        values.extend([3.0, 90.0]);
        let text = print(&descriptions(&values), OutputFormat::Table);
        let (_, picture) = text.split_once("\n\n").unwrap();
        assert!(picture.contains(&"█".repeat(LONGEST_BAR)), "{picture}");
        assert!(picture.lines().next_back().unwrap().contains("above    1    0.2%  ▏"), "{picture}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{picture}");
    }

    /// The figures of a table by name, as printed.
    fn figure<'a>(table: &'a str, name: &str) -> &'a str {
        let (_, rest) = table.split_once(&format!("  {name}  ")).unwrap_or_else(|| panic!("{name}: {table}"));
        rest.split_whitespace().next().unwrap()
    }

    #[test]
    fn values_that_differ_little_have_enough_decimals() {
        let text = print(
            &descriptions(&[1_000_000_000.1, 1_000_000_000.4, 1_000_000_000.9, 1_000_000_001.6]),
            OutputFormat::Table,
        );
        let figures = ["min", "median", "max", "std"].map(|name| figure(&text, name));
        assert_eq!(figures, ["1000000000.100", "1000000000.650", "1000000001.600", "0.568"], "{text}");
        assert!(text.contains("  1000000000.100  1000000000.850  2"), "{text}");
    }

    #[test]
    fn a_small_value_among_great_ones_is_not_shown_as_zero() {
        let text = print(&descriptions(&[0.2, 0.4, 0.5, 1_000_000.0]), OutputFormat::Table);
        let figures = ["min", "median", "max"].map(|name| figure(&text, name));
        assert_eq!(figures, ["0.200", "0.450", "1000000"], "{text}");
    }

    #[test]
    fn what_has_no_meaning_is_missing() {
        let one = descriptions(&[0.0214]);
        let table = print(&one, OutputFormat::Table);
        assert!(table.contains("0.0214000") && table.contains("  max without first          -\n"), "{table}");
        let json: serde_json::Value = serde_json::from_str(&print(&one, OutputFormat::Json)).unwrap();
        assert_eq!(json[0]["n"], 1);
        assert_eq!(json[0]["std"], serde_json::Value::Null);
        assert_eq!(json[0]["histogram"], json!([{"from": 0.0214, "to": 0.0214, "count": 1}]));
        let csv = print(&one, OutputFormat::Csv);
        assert!(csv.contains("reads,std,,,\n") && csv.ends_with("reads,count,0.0214,0.0214,1\n"), "{csv}");
    }

    #[test]
    fn a_bar_is_as_long_as_its_share_of_the_longest() {
        assert_eq!(
            [bar(0, 8), bar(8, 8), bar(1, 1_000_000)],
            [String::new(), "█".repeat(LONGEST_BAR), "▏".into()]
        );
        assert_eq!(bar(1, LONGEST_BAR as u64), "█");
        assert_eq!(bar(3, 2 * LONGEST_BAR as u64), "█▌");
    }

    #[test]
    fn a_table_has_the_number_and_the_share_of_each_bin() {
        let text = print(&descriptions(&[-50.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 50.0]), OutputFormat::Table);
        assert_eq!(figure(&text, "n"), "8", "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let far =
            |end: usize| lines[end].split_whitespace().filter(|word| word.ends_with('%')).collect::<Vec<_>>();
        assert_eq!((far(lines.len() - 1), far(lines.len() - 4)), (vec!["12.5%"], vec!["25.0%"]), "{text}");
        assert!(lines[lines.len() - 5].trim_start().starts_with("below"), "{text}");
        assert!(lines[lines.len() - 1].contains(" above "), "{text}");
    }
}

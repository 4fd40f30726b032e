//! A trial of a merge on its own data (`--check`). A merge of half of the rows predicts the correlations of
//! the other half, and merges of resampled rows show how far the result depends on the rows that happened to
//! be measured.

use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_load::plugin::{Merger, ResultMemory};
use assay_plugin_api::{Cells, Column, Merged, Sheet};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::statistics::{correlation, product, standardised};
use super::{SubExperiment, merge};

/// Number of merges of resampled rows: the next of 40 figures lies between the least and the greatest of the
/// other 39 with probability 38/40, so these are the ends of a 95 % band.
const DRAWS: usize = 39;
/// Least number of rows: with fewer, the correlations of a half are mostly chance.
const LEAST_ROWS: usize = 8;
const SEED: u64 = 1;
/// The option of mergers that can make a table of which only the correlations are right, in less time.
/// Nothing else is looked at in the merges of resampled rows.
const DRAFT: &str = "draft";
/// The table in which a merger shows how far the means of events drift between sub-experiments, in standard
/// deviations, and its columns. The first column of drifts that it has counts.
const EVENTS: &str = "events";
const EVENT: &str = "event";
const DRIFTS: [&str; 2] = ["drift at most", "drift"];

/// Two events, and their correlation in both halves, in the merge of the first, and in the merges of rows
/// drawn again.
struct PairTrial<'a> {
    events: (&'a str, &'a str),
    first_half: f64,
    held_out: f64,
    foretold: Option<f64>,
    band: Option<(f64, f64)>,
}

/// Tries a merger, which costs 40 merges, most of them drafts if the merger makes any, and adds a table
/// `check` and a summary to the result. `progress` is called with the share of the work that is done.
///
/// # Errors
/// If a sub-experiment has too few rows, or if the merger returns an error.
pub fn trial(
    merger: &Merger,
    blocks: &[SubExperiment],
    options: &[(&str, &str)],
    merged: &mut Merged<'_>,
    progress: &(dyn Fn(f64) -> bool + Sync),
) -> Result<()> {
    if let Some(short) = blocks.iter().find(|block| block.rows() < LEAST_ROWS) {
        return Err(Error::new(format!(
            "{}: {} rows are too few for --check, which needs {LEAST_ROWS}",
            short.source,
            short.rows()
        ))
        .remedy("measure more repetitions, or leave --check out"));
    }
    let merges = (DRAWS + 1) as f64;
    let mut done = 0.0;
    let makes_drafts = merger.options.iter().any(|option| option == DRAFT);
    let is_given = options.iter().any(|(name, _)| *name == DRAFT);
    let mut draft = options.to_vec();
    draft.extend((makes_drafts && !is_given).then_some((DRAFT, "yes")));
    let mut merge_of = |blocks: Vec<SubExperiment>, options: &[(&str, &str)]| {
        let mut room = ResultMemory::default();
        let merged = merge(merger, blocks, options, &|part| progress((done + part) / merges), &mut room);
        done += 1.0;
        merged.map(Standardised::new)
    };
    let half = |odd: usize| -> Vec<SubExperiment> {
        blocks.iter().map(|block| chosen(block, (odd..block.rows()).step_by(2))).collect()
    };
    let (first, second) = (half(0), half(1));
    let foretold = merge_of(first.clone(), options)?;
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut drawn = Vec::new();
    for _ in 0..DRAWS {
        let again = blocks.iter().map(|block| {
            let rows = block.rows();
            let drawn: Vec<usize> = (0..rows).map(|_| random.random_range(0..rows)).collect();
            chosen(block, drawn.into_iter())
        });
        drawn.push(merge_of(again.collect(), &draft)?);
    }

    let events: Vec<&str> = foretold.columns.iter().map(|(name, _)| name.as_str()).collect();
    let mut pairs = Vec::new();
    for (i, a) in events.iter().enumerate() {
        for b in &events[i + 1..] {
            let (Some(first_half), Some(held_out)) = (measured(&first, a, b), measured(&second, a, b)) else {
                continue;
            };
            let mut band: Vec<f64> = drawn.iter().filter_map(|merged| merged.correlation(a, b)).collect();
            band.sort_by(f64::total_cmp);
            // Resampled rows are those of the same sub-experiments, so they show nothing of a drift between
            // these.
            let drift = [a, b].map(|event| drift(merged, event));
            let band = (band.len() == DRAWS).then(|| widened((band[0], band[DRAWS - 1]), drift));
            pairs.push(PairTrial {
                events: (a, b),
                first_half,
                held_out,
                foretold: foretold.correlation(a, b),
                band,
            });
        }
    }
    merged.notes.extend(summary(&pairs));
    merged.tables.push(sheet(&pairs));
    Ok(())
}

fn chosen(block: &SubExperiment, rows: impl Iterator<Item = usize> + Clone) -> SubExperiment {
    let columns = block.columns.iter().map(|column| rows.clone().map(|row| column[row]).collect());
    SubExperiment { source: block.source.clone(), events: block.events.clone(), columns: columns.collect() }
}

/// The correlation of two events over the rows of all sub-experiments that hold both.
fn measured(blocks: &[SubExperiment], a: &str, b: &str) -> Option<f64> {
    let (mut all_a, mut all_b) = (Vec::new(), Vec::new());
    for block in blocks {
        let column = |event: &str| block.events.iter().position(|(name, _)| name == event);
        if let (Some(a), Some(b)) = (column(a), column(b)) {
            all_a.extend_from_slice(&block.columns[a]);
            all_b.extend_from_slice(&block.columns[b]);
        }
    }
    correlation(&all_a, &all_b)
}

/// The columns of a merge with mean 0 and length 1, because each is in many pairs; `None` for one that never
/// changes.
struct Standardised {
    columns: Vec<(String, Option<Vec<f64>>)>,
}

impl Standardised {
    fn new(merged: Merged<'_>) -> Self {
        let column = |column: Column<'_>| (column.name, standardised(&column.values));
        Standardised { columns: merged.columns.into_iter().map(column).collect() }
    }

    fn correlation(&self, a: &str, b: &str) -> Option<f64> {
        let column = |event: &str| self.columns.iter().find(|(name, _)| name == event)?.1.as_deref();
        Some(product(column(a)?, column(b)?).clamp(-1.0, 1.0))
    }
}

/// How far the mean of an event drifts between sub-experiments at most, in standard deviations; 0 if the
/// merger does not say so.
fn drift(merged: &Merged<'_>, event: &str) -> f64 {
    let table = merged.tables.iter().find(|sheet| sheet.title == EVENTS);
    let column = |name: &str| table?.columns.iter().find(|(title, _)| title == name).map(|(_, cells)| cells);
    let drifts = DRIFTS.into_iter().find_map(column);
    let (Some(Cells::Texts(events)), Some(Cells::Numbers(drift))) = (column(EVENT), drifts) else {
        return 0.0;
    };
    let row = events.iter().position(|name| name == event);
    row.map(|row| drift[row]).filter(|drift| drift.is_finite()).unwrap_or(0.0)
}

/// A band of correlations under the conditions of the sub-experiments, widened to those under other such
/// conditions: the drifts add up to the product of their deviations to the covariance, with either sign.
fn widened((low, high): (f64, f64), [a, b]: [f64; 2]) -> (f64, f64) {
    let size = ((1.0 + a * a) * (1.0 + b * b)).sqrt();
    (low.min((low - a * b) / size), high.max((high + a * b) / size))
}

fn summary(pairs: &[PairTrial<'_>]) -> Option<String> {
    let root_mean_square = |values: Vec<f64>| {
        (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
    };
    let foretold: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair.foretold? - pair.held_out)).collect();
    let halves: Vec<f64> = pairs.iter().map(|pair| pair.first_half - pair.held_out).collect();
    let count = foretold.len();
    (count > 0).then(|| {
        format!(
            "check: merged from half of the rows, the correlations of {} differ from those of the other half by {:.3} \
             (root mean square); the halves themselves by {:.3}",
            counted(count, "pair"),
            root_mean_square(foretold),
            root_mean_square(halves)
        )
    })
}

fn sheet(pairs: &[PairTrial<'_>]) -> Sheet {
    let or_nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
    Sheet::new("check")
        .texts("event", pairs.iter().map(|pair| pair.events.0))
        .texts("other", pairs.iter().map(|pair| pair.events.1))
        .numbers("first half", pairs.iter().map(|pair| pair.first_half))
        .numbers("merged from first half", pairs.iter().map(|pair| or_nan(pair.foretold)))
        .numbers("held-out half", pairs.iter().map(|pair| pair.held_out))
        .numbers("reached from", pairs.iter().map(|pair| or_nan(pair.band.map(|band| band.0))))
        .numbers("reached to", pairs.iter().map(|pair| or_nan(pair.band.map(|band| band.1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A merger that puts blocks side by side, the first column of each reversed if an option asks for it.
    fn beside() -> Merger {
        Merger::in_process(assay_plugin_api::Merger {
            id: "beside",
            options: &[("wrong", "reverses the first column")],
            merge: |blocks, options| {
                let mut columns: Vec<_> = blocks.into_iter().flat_map(|block| block.columns).collect();
                if options.get("wrong").is_some() {
                    columns[0].values.reverse();
                }
                Ok(Merged { columns, ..Merged::default() })
            },
            ..assay_plugin_api::Merger::UNKNOWN
        })
    }

    fn block(rows: usize) -> SubExperiment {
        let rising: Vec<f64> = (0..rows).map(|row| row as f64).collect();
        let rough: Vec<f64> = (0..rows).map(|row| (row + 7 * (row % 5)) as f64).collect();
        let events = ["a", "b", "k"].map(|name| (name.to_owned(), None)).into();
        SubExperiment { source: "x.csv".to_owned(), events, columns: vec![rising, rough, vec![1.0; rows]] }
    }

    fn tried(options: &[(&str, &str)]) -> Merged<'static> {
        let mut merged = Merged::default();
        trial(&beside(), &[block(200)], options, &mut merged, &|_| true).unwrap();
        merged
    }

    fn numbers(merged: &Merged<'_>, name: &str) -> Vec<f64> {
        let columns = &merged.tables[0].columns;
        match columns.iter().find(|(column, _)| column == name) {
            Some((_, Cells::Numbers(numbers))) => numbers.clone(),
            _ => panic!("{name} holds numbers"),
        }
    }

    #[test]
    fn a_good_merge_predicts_the_held_out_rows_and_a_bad_one_does_not() {
        let good = tried(&[]);
        let (foretold, held_out) =
            (numbers(&good, "merged from first half"), numbers(&good, "held-out half"));
        // The event that never changes has no correlation.
        assert_eq!(foretold.len(), 1);
        assert!((foretold[0] - held_out[0]).abs() < 0.01, "{good:?}");
        let (from, to) = (numbers(&good, "reached from")[0], numbers(&good, "reached to")[0]);
        assert!(from < held_out[0] && held_out[0] < to && to - from < 0.1, "{from} {to} {held_out:?}");
        assert!(good.notes[0].contains("the correlations of 1 pair differ"), "{:?}", good.notes);
        let bad = tried(&[("wrong", "")]);
        assert!(numbers(&bad, "merged from first half")[0] < -0.9, "{bad:?}");
    }

    #[test]
    fn bands_are_widened_by_the_drift_that_the_merger_shows() {
        let shown_as = |column: &str, drift: f64| {
            let events = Sheet::new("events").texts("event", ["a", "b"]).numbers("drift", [0.5, f64::NAN]);
            let events = events.numbers(column, [drift, f64::NAN]);
            let mut merged = Merged { tables: vec![events], ..Merged::default() };
            trial(&beside(), &[block(200)], &[], &mut merged, &|_| true).unwrap();
            merged.tables.swap_remove(0);
            (numbers(&merged, "reached from")[0], numbers(&merged, "reached to")[0])
        };
        let shown = |drift| shown_as("drift at most", drift);
        let (low, high) = shown(0.0);
        assert_eq!(shown(f64::NAN), (low, high));
        // The other event does not drift, so there is nothing but more variance.
        assert_eq!(shown(1.0), (low / 2f64.sqrt(), high));
        assert_eq!(shown_as("another", 1.0), shown(0.5), "a merger that shows no limit shows the drift");
        assert_eq!(widened((0.2, 0.4), [1.0, 1.0]), (-0.4, 0.7));
    }

    #[test]
    fn resampled_rows_are_merged_as_drafts_if_the_merger_makes_any() {
        let merger = Merger::in_process(assay_plugin_api::Merger {
            id: "sketch",
            options: &[("draft", "puts the columns side by side")],
            merge: |blocks, options| {
                let mut columns: Vec<_> = blocks.into_iter().flat_map(|block| block.columns).collect();
                if options.get("draft").is_none() {
                    columns[0].values.reverse();
                }
                Ok(Merged { columns, ..Merged::default() })
            },
            ..assay_plugin_api::Merger::UNKNOWN
        });
        let mut merged = Merged::default();
        trial(&merger, &[block(200)], &[], &mut merged, &|_| true).unwrap();
        assert!(
            numbers(&merged, "merged from first half")[0] < -0.9 && numbers(&merged, "reached from")[0] > 0.9
        );
    }

    #[test]
    fn a_trial_gives_the_same_again_and_refuses_a_few_rows() {
        assert_eq!(tried(&[]), tried(&[]));
        let few =
            trial(&beside(), &[block(7)], &[], &mut Merged::default(), &|_| true).unwrap_err().to_string();
        assert!(few.contains("x.csv: 7 rows are too few for --check, which needs 8"), "{few}");
    }
}

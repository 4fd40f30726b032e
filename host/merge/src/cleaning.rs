//! Cleans sub-experiments before they are merged: drops incomplete rows and rare events, and warns of inexact
//! counts.

use std::collections::HashMap;

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};

use super::blocks::{SubExperiment, retain};

/// Greatest whole number up to which all are exact as `f64` (2^53).
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;
/// The published methods leave out events whose mean count is not above this.
const RARE: f64 = 100.0;

/// Drops every row of a sub-experiment in which a cell is missing, and says how many.
///
/// # Errors
/// If a sub-experiment has no row left.
pub fn drop_incomplete_rows(blocks: &mut [SubExperiment], console: &Console) -> Result<()> {
    for block in blocks {
        let rows = block.rows();
        // Checked first, because a missing cell is rare and this needs no memory.
        if rows > 0 && !block.columns.iter().flatten().any(|value| value.is_nan()) {
            continue;
        }
        let complete: Vec<bool> =
            (0..rows).map(|row| block.columns.iter().all(|column| !column[row].is_nan())).collect();
        let dropped = complete.iter().filter(|complete| !**complete).count();
        report_dropped(&block.source, dropped, rows, console)?;
        if dropped > 0 {
            block.columns.iter_mut().for_each(|column| retain(column, &complete));
        }
    }
    Ok(())
}

/// Says how many of the rows of a sub-experiment were dropped, if any were.
///
/// # Errors
/// If no row is left.
pub(super) fn report_dropped(source: &str, dropped: usize, rows: usize, console: &Console) -> Result<()> {
    match dropped {
        _ if dropped == rows => Err(Error::new(format!("{source}: every row has a missing cell"))
            .remedy("leave out the column that is empty, or give a table with complete rows")),
        0 => Ok(()),
        _ => {
            let rows = counted(rows, "row");
            console.note(&format!("{source}: dropped {dropped} of {rows}, because a cell is missing"));
            Ok(())
        }
    }
}

/// A warning of whole numbers so large that their last digits are lost.
pub fn inexact(blocks: &[SubExperiment]) -> Option<String> {
    let named = |block: &'_ SubExperiment| {
        let columns = block.events.iter().zip(&block.columns);
        let large = columns.filter(|(_, column)| column.iter().any(|value| value.abs() > EXACT));
        large.map(|((name, _), _)| format!("{name} in {}", block.source)).collect::<Vec<_>>()
    };
    inexact_columns(&blocks.iter().flat_map(named).collect::<Vec<_>>())
}

/// A warning of columns that hold such numbers.
pub(super) fn inexact_columns(large: &[String]) -> Option<String> {
    let first = large.first()?;
    let more = if large.len() > 1 { format!(" and {} more", large.len() - 1) } else { String::new() };
    Some(format!("counts above 2^53 lose their last digits: {first}{more}"))
}

/// Drops events whose mean is not above 100, as the published methods do, and says which. An event is judged
/// by all its counts in all sub-experiments; the anchor always stays.
pub fn drop_rare(blocks: &mut Vec<SubExperiment>, anchor: Option<&str>, console: &Console) {
    let mut sums: HashMap<String, (f64, usize)> = HashMap::new();
    for ((name, _), column) in blocks.iter().flat_map(|block| block.events.iter().zip(&block.columns)) {
        let (sum, count) = sums.entry(name.clone()).or_default();
        *sum += column.iter().sum::<f64>();
        *count += column.len();
    }
    let rare: HashMap<String, f64> = sums
        .into_iter()
        .map(|(name, (sum, count))| (name, sum / count as f64))
        .filter(|(name, mean)| *mean <= RARE && Some(name.as_str()) != anchor)
        .collect();
    if rare.is_empty() {
        return;
    }
    let mut dropped: Vec<String> = rare.iter().map(|(name, mean)| format!("{name} ({mean})")).collect();
    dropped.sort_unstable();
    console.note(&format!("dropped, for a mean of at most {RARE}: {}", dropped.join(", ")));
    blocks.iter_mut().for_each(|block| block.keep(|name| !rare.contains_key(name)));
    blocks.retain(|block| !block.events.is_empty());
}

#[cfg(test)]
mod tests {
    use super::super::blocks::tests::{console, cut, names};
    use super::*;

    #[test]
    fn rows_with_gaps_are_dropped_in_their_own_block_only() {
        let mut blocks = cut(&["a,b,c\n1,,3\n4,5,6\n7,8,NA\n"], Some(2)).unwrap();
        drop_incomplete_rows(&mut blocks, &console()).unwrap();
        assert_eq!(blocks[0].columns, [[4.0, 7.0], [5.0, 8.0]]);
        assert_eq!(blocks[1].columns, [[3.0, 6.0]]);
        let mut blocks = cut(&["a,b\n1,\n"], Some(2)).unwrap();
        assert!(
            drop_incomplete_rows(&mut blocks, &console())
                .unwrap_err()
                .to_string()
                .contains("every row has a missing cell")
        );
    }

    #[test]
    fn rare_events_are_judged_over_all_blocks_and_the_anchor_stays() {
        let text = "X1,X2,X1.1,X2.1,X3,X4\n1,50,1,151,100,101\n";
        let mut blocks = cut(&[text], Some(2)).unwrap();
        drop_rare(&mut blocks, Some("X1"), &console());
        assert_eq!(
            blocks.iter().map(names).collect::<Vec<_>>(),
            [vec!["X1", "X2"], vec!["X1", "X2"], vec!["X4"]]
        );
    }

    #[test]
    fn counts_that_lose_digits_are_reported() {
        let notes = |text: &str| inexact(&cut(&[text], Some(2)).unwrap());
        assert_eq!(notes("a,b\n9007199254740992,1\n"), None);
        let notes = notes("a,b,c\n1,9007199254740994,1e100\n").unwrap();
        assert_eq!(notes, "counts above 2^53 lose their last digits: b in x.csv, columns 1 to 2 and 1 more");
    }

    #[test]
    fn a_mean_of_one_hundred_is_rare_and_more_is_not() {
        let mut blocks = cut(&["a,b\n50,50\n150,151\n"], Some(2)).unwrap();
        drop_rare(&mut blocks, None, &console());
        assert_eq!(names(&blocks[0]), ["b"]);
        assert_eq!(blocks[0].columns, [[50.0, 151.0]]);
    }
}

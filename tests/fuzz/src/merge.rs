//! The tables of a merge: `assay merge A.csv B.csv --names CODES.csv`, and `assay describe FILE.csv`.

use assay_base::error::Result;
use assay_base::io::console::{Color, Console};
use assay_base::io::csv_input::{Gaps, Numbers, Selection};
use assay_merge::{Codes, SubExperiment, drop_incomplete_rows, drop_rare, inexact, split};

use super::check::{bounded, names_a_place, with_file};

/// Each of a table's cells is a number of eight bytes, with room for as many again; a column without a row
/// and a cell of one byte have a list or a text each.
const FACTOR: u64 = 200;
/// Tables are read in pieces of a MiB.
const CONSTANT: u64 = 8 << 20;

/// The line between the parts of an input.
const BETWEEN: &[u8] = b"---\n";

/// Messages about a table as a whole.
const WHOLE: &[&str] = &[
    "is empty",
    "has no rows",
    "carriage returns alone",
    "names no event",
    "how many columns",
    "fewer than --counters",
    "stands there twice",
    "every row has a missing cell",
    "not a text file",
    "two columns",
    "same name",
    "columns of",
];

/// Reads tables and cuts them into sub-experiments. The first byte of the input is the number of columns of
/// each; the tables follow, and the last is one of codes if there are several.
pub fn merge(input: &[u8]) {
    let Some((&first, tables)) = input.split_first() else { return };
    let counters = Some(usize::from(first.wrapping_sub(b'0'))).filter(|count| (1..=9).contains(count));
    let gaps = if first.is_ascii_lowercase() { Gaps::Refused } else { Gaps::Missing };
    let parts: Vec<&[u8]> = parts(tables);
    match bounded(input, FACTOR, CONSTANT, || read(&parts, counters, gaps)) {
        Err(error) => names_a_place(&error.to_string(), WHOLE),
        Ok(mut blocks) => {
            let console = Console::new(false, true, Color::Never);
            let _ = inexact(&blocks);
            for block in &blocks {
                assert_eq!(block.events.len(), block.columns.len());
                assert!(block.columns.iter().all(|column| column.len() == block.rows()));
            }
            if drop_incomplete_rows(&mut blocks, &console).is_ok() {
                let numbers = blocks.iter().flat_map(|block| block.columns.iter().flatten());
                assert!(numbers.into_iter().all(|number| number.is_finite()));
                drop_rare(&mut blocks, None, &console);
            }
        }
    }
}

/// The parts of an input.
fn parts(mut text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some(at) = text.windows(BETWEEN.len()).position(|bytes| bytes == BETWEEN) {
        parts.push(&text[..at]);
        text = &text[at + BETWEEN.len()..];
    }
    parts.push(text);
    parts
}

fn read(parts: &[&[u8]], counters: Option<usize>, gaps: Gaps) -> Result<Vec<SubExperiment>> {
    let (codes, tables) = match parts {
        [tables @ .., codes] if !tables.is_empty() => (Some(with_file(codes, Codes::read)?), tables),
        tables => (None, tables),
    };
    let table = |text: &&[u8]| Numbers::from_reader("x.csv", *text, gaps, &Selection::default());
    let tables = tables.iter().map(table).collect::<Result<Vec<Numbers>>>()?;
    split(tables, counters, codes.as_ref(), &Console::new(false, true, Color::Never))
}

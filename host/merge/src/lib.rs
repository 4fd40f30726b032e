//! Merges tables of sub-experiments into one data set. The mergers are plugins; this crate prepares their
//! input, and checks and shows their result.

#![warn(unreachable_pub)]

mod blocks;
mod cleaning;
mod codes;
mod diagnostics;
mod faults;
mod on_disk;
mod page;
mod picture;
pub mod plan;
mod populations;
mod render;
mod statistics;
mod titles;
mod trial;
mod validation;

use assay_base::error::{self, Error, Result};
use assay_load::plugin::{Merger, ResultMemory};
use assay_plugin_api::{Block, Merged, Options};

pub use blocks::{SubExperiment, event, split, whole};
pub use cleaning::{drop_incomplete_rows, drop_rare, inexact};
pub use codes::Codes;
pub use diagnostics::{json, write_diagnostics};
pub use faults::check;
pub use on_disk::{DiskMerge, DuckDb, Remarks};
pub use page::page;
pub use picture::picture;
pub use populations::mixed;
pub use render::{table, write_csv};
pub use trial::trial;
pub use validation::{Measure, Validation, validate};

/// Merges sub-experiments; much of the result may lie in `room`. `progress` is called from time to time with
/// the share of the work that is done, from 0 to 1.
///
/// # Errors
/// If the merger does not know an option, a block has only one row, the merger returns an error, or its
/// result is faulty.
pub fn merge<'a>(
    merger: &Merger,
    blocks: Vec<SubExperiment>,
    options: &[(&str, &str)],
    progress: &(dyn Fn(f64) -> bool + Sync),
    room: &'a mut ResultMemory,
) -> Result<Merged<'a>> {
    check_options(merger, options.iter().map(|(name, _)| *name))?;
    let few = few_rows(blocks.iter().map(|block| (&*block.source, block.rows())))?;
    let events = blocks.iter().flat_map(|block| block.events.iter().map(|(name, _)| name.clone())).collect();
    let blocks: Vec<Block<'_>> = blocks.into_iter().map(Block::from).collect();
    let merged = merger.merge(blocks, &Options { given: options, progress }, room);
    let mut merged = merged.map_err(|error| cannot_merge(merger, error.message()))?;
    check(&merged, merger, &events)?;
    merged.warnings.splice(0..0, few);
    Ok(merged)
}

/// Checks that the merger reads each of these options.
///
/// # Errors
/// If it does not read one; the message has similar ones.
fn check_options<'a>(merger: &Merger, mut given: impl Iterator<Item = &'a str>) -> Result<()> {
    let read = || merger.options.iter().map(String::as_str);
    match given.find(|name| !read().any(|read| read == *name)) {
        None => Ok(()),
        Some(name) => Err(error::unknown(&format!("option of merger {}:", merger.facts.id), name, read())),
    }
}

/// The error that a merger can't merge what it was given.
fn cannot_merge(merger: &Merger, why: &str) -> Error {
    let remedy = format!("`assay list mergers` shows what each needs; the merger is {}", merger.facts.id);
    Error::new(format!("can't merge: {why}")).remedy(remedy)
}

/// Number of rows below which correlations are mostly chance.
const FEW: usize = 10;

/// A warning of sub-experiments with few rows, of which each is given by its source and number of rows.
///
/// # Errors
/// If one has a single row.
fn few_rows<'a>(mut blocks: impl Iterator<Item = (&'a str, usize)> + Clone) -> Result<Option<String>> {
    let few = blocks.clone().filter(|(_, rows)| *rows < FEW);
    let few: Vec<String> = few.map(|(source, rows)| format!("{rows} in {source}")).collect();
    if let Some((source, _)) = blocks.find(|(_, rows)| *rows == 1) {
        return Err(Error::new(format!(
            "{source}: a correlation needs at least two rows, and this sub-experiment has one"
        ))
        .remedy("measure more rows, or leave it out"));
    }
    let more = if few.len() > NAMED { "; .." } else { "" };
    let named = few.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    Ok((!few.is_empty()).then(|| format!("few rows, whose correlations are mostly chance: {named}{more}")))
}

/// Greatest number of sub-experiments that a message names, so that it stays readable.
const NAMED: usize = 3;

#[cfg(test)]
mod tests {
    use assay_plugin_api::Column;

    use super::*;

    #[test]
    fn a_merger_is_given_the_blocks_and_the_options_that_it_reads() {
        let merger = Merger::in_process(assay_plugin_api::Merger {
            id: "scale",
            options: &[("by", "a factor"), ("silent", "gives nothing")],
            merge: |blocks, options| {
                let by: f64 = options.parse("by")?.unwrap_or(1.0);
                let column = |Column { name, values }: Column<'_>| Column {
                    name,
                    values: values.iter().map(|value| by * value).collect(),
                };
                let blocks = blocks.into_iter().filter(|_| options.get("silent").is_none());
                let columns = blocks.flat_map(|block| block.columns).map(column).collect();
                Ok(Merged { columns, ..Merged::default() })
            },
            ..assay_plugin_api::Merger::UNKNOWN
        });
        let merged = |options: &[(&str, &str)]| {
            let (source, events) = ("x.csv".to_owned(), vec![("a".to_owned(), None)]);
            let block = SubExperiment { source, events, columns: vec![vec![1.0, 2.5]] };
            let mut room = ResultMemory::default();
            let merged = merge(&merger, vec![block], options, &|_| true, &mut room)?;
            Ok::<_, Error>(merged.columns[0].values.to_vec())
        };
        assert_eq!(merged(&[("by", "2")]), Ok(vec![2.0, 5.0]));
        let fault = |options| merged(options).unwrap_err().to_string();
        let unknown = fault(&[("by", "2"), ("bye", "3")]);
        assert!(
            unknown.contains("unknown option of merger scale: `bye`\n  help: did you mean by?"),
            "{unknown}"
        );
        assert!(fault(&[("by", "two")]).starts_with("can't merge: the merger `scale` of here.so: option by"));
        assert!(fault(&[("silent", "")]).contains("the merger `scale` of here.so: it gave no columns"));
    }

    #[test]
    fn one_row_is_refused_and_a_few_are_warned_of() {
        let few_rows = |blocks: &[(&'static str, usize)]| few_rows(blocks.iter().copied());
        let one = few_rows(&[("20.csv", 20), ("1.csv", 1)]).unwrap_err().to_string();
        assert!(one.starts_with("1.csv: a correlation needs at least two rows"), "{one}");
        assert_eq!(few_rows(&[("10.csv", 10)]), Ok(None));
        let few = few_rows(&[("9.csv", 9), ("10.csv", 10), ("2.csv", 2)]).unwrap().unwrap();
        assert_eq!(few, "few rows, whose correlations are mostly chance: 9 in 9.csv; 2 in 2.csv");
    }
}

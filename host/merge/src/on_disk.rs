//! Merges tables that don't fit into memory, by ranks: an engine sorts them on disk.
//!
//! The tables are read once, with the checks of every merge, and each sub-experiment becomes a file with the
//! cells of the result. The engine sorts these files. Then they are read side by side, and the result is
//! written row by row. So only the engine needs memory, and it has a limit.

mod anchor_quantiles;
mod duckdb;
mod row_file;
mod sorted_rows;

use std::io::Write;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;
use assay_base::io::csv_input::{Gaps, Numbers, Selection};
use assay_load::plugin::Merger;

use crate::cleaning::inexact_columns;
use crate::render::{header, push_number};
use crate::{SubExperiment, cannot_merge, check_options, few_rows};
use anchor_quantiles::{AnchorQuantiles, Ties};
use row_file::{RowFile, RowFileWriter};
use sorted_rows::SortedRows;

pub use duckdb::DuckDb;

/// The fact of a merger that may be done on disk, and its value for a merge by ranks.
const FACT: (&str, &str) = ("on disk", "ranks");
/// Parts of the time that reading, sorting and writing take. Tables of 20 GB took such parts.
const READING: f64 = 0.3;
const SORTING: f64 = 0.5;
const WRITING: f64 = 0.2;
/// Number of rows that are written before progress is reported.
const PIECE: usize = 4096;
/// Greatest number of sub-experiments that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 3;

/// A merge on disk.
#[derive(Clone, Copy)]
pub struct DiskMerge<'a> {
    /// The merger whose result is wanted.
    pub merger: &'a Merger,
    /// Its options.
    pub options: &'a [(String, String)],
    /// The files, each with its number of columns.
    pub inputs: &'a [(PathBuf, usize)],
    /// The part of the files that is read.
    pub selection: &'a Selection,
    /// The engine that sorts.
    pub engine: &'a DuckDb,
    /// An empty folder for its files.
    pub folder: &'a Path,
    /// Is called with the share of the work that is done, and says whether to go on.
    pub progress: &'a dyn Fn(f64) -> bool,
}

/// What is to be said about a result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// What endangers the result.
    pub warnings: Vec<String>,
}

impl DiskMerge<'_> {
    /// Refuses mergers that can't be done on disk.
    ///
    /// # Errors
    /// If this is one.
    pub fn check(merger: &Merger) -> Result<()> {
        if merger.facts.get(FACT.0) == Some(FACT.1) {
            return Ok(());
        }
        Err(Error::new(format!(
            "the merger {} needs all tables in memory, so --engine can't help it",
            merger.facts.id
        ))
        .remedy("leave --engine out, or choose a merger for which `assay plugins info` shows `on disk`"))
    }

    /// Merges, and writes the result, which is called `name` in messages. `blocks` are the sub-experiments of
    /// the files without their rows.
    ///
    /// # Errors
    /// If a table is at fault, the engine fails, a disk is full, or `progress` ends the merge.
    pub fn write(
        &self,
        blocks: Vec<SubExperiment>,
        out: &mut dyn Write,
        name: &Path,
        console: &Console,
    ) -> Result<Remarks> {
        check_options(self.merger, self.options.iter().map(|(name, _)| &**name))?;
        let anchor = self.anchor(&blocks)?;
        let asked_rows = self.rows()?;
        let files = self.read(blocks, &anchor, console)?;
        let inexact: Vec<String> = files.iter().flat_map(|file| file.inexact.clone()).collect();
        inexact_columns(&inexact).iter().for_each(|warning| console.warn(warning));
        let mut remarks = Remarks::default();
        remarks.warnings.extend(few_rows(files.iter().map(|file| (&*file.source, file.rows)))?);
        let shortest = files.iter().map(|file| file.rows).min().unwrap_or_default();
        let rows = asked_rows.unwrap_or(shortest);
        let names = names(&anchor, &files, rows, &mut remarks);
        self.sort(&files)?;

        let failed = |error| Error::io("write", name, &error);
        let header =
            header(std::iter::once(&*anchor).chain(names.iter().map(|name| &**name))).map_err(failed)?;
        out.write_all(&header).map_err(failed)?;
        let mut quantiles = AnchorQuantiles::new(&files, rows)?;
        let mut sorted = files.iter().map(SortedRows::open).collect::<Result<Vec<_>>>()?;
        let mut line = Vec::new();
        for row in 0..rows {
            if row % PIECE == 0 {
                self.report(READING + SORTING + WRITING * row as f64 / rows as f64)?;
            }
            line.clear();
            push_number(&mut line, quantiles.quantile(row)?);
            for (file, sorted) in files.iter().zip(&mut sorted) {
                line.extend_from_slice(sorted.cells(taken(row, rows, file.rows))?);
            }
            line.push(b'\n');
            out.write_all(&line).map_err(failed)?;
        }
        remarks.add_ties(&anchor, &files, &quantiles.ties()?);
        remarks.notes.push(
            "correlations and distributions are not examined, because that needs the tables in memory"
                .to_owned(),
        );
        Ok(remarks)
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// The requested number of rows of the result.
    fn rows(&self) -> Result<Option<usize>> {
        let Some(given) = self.option("rows") else { return Ok(None) };
        match given.parse() {
            Ok(rows) if rows > 0 => Ok(Some(rows)),
            _ => Err(cannot_merge(self.merger, &format!("option rows: `{given}` is no number of rows"))),
        }
    }

    /// The event that orders the rows: the given one, else the only one that every sub-experiment has.
    fn anchor(&self, blocks: &[SubExperiment]) -> Result<String> {
        let has = |block: &SubExperiment, anchor: &str| block.events.iter().any(|(name, _)| name == anchor);
        if let Some(anchor) = self.option("anchor") {
            let without = blocks.iter().position(|block| !has(block, anchor));
            return without.map_or(Ok(anchor.to_owned()), |index| {
                let (number, source) = (index + 1, &blocks[index].source);
                let why = format!(
                    "block {number} ({source}) does not hold the anchor {anchor}, which orders its rows"
                );
                Err(cannot_merge(self.merger, &why))
            });
        }
        let first = blocks.first().map(|block| &block.events[..]).unwrap_or_default();
        let common = first.iter().filter(|(name, _)| blocks.iter().all(|block| has(block, name)));
        match &common.map(|(name, _)| name.as_str()).collect::<Vec<_>>()[..] {
            [anchor] => Ok((*anchor).to_owned()),
            [] => Err(cannot_merge(self.merger, "no event is in every block, and one must order the rows")),
            [one, two, ..] => Err(cannot_merge(
                self.merger,
                &format!(
                    "several events are in every block ({one}, {two} ..): choose one with the option anchor"
                ),
            )),
        }
    }

    /// Writes the complete rows of each sub-experiment to a file.
    fn read(&self, blocks: Vec<SubExperiment>, anchor: &str, console: &Console) -> Result<Vec<RowFile>> {
        let place = |block: &SubExperiment| block.events.iter().position(|(name, _)| name == anchor);
        let writer = |(number, block): (usize, SubExperiment)| {
            let anchor = place(&block).unwrap_or_default();
            RowFileWriter::new(self.folder, number, block, anchor)
        };
        let mut writers = (1..).zip(blocks).map(writer).collect::<Result<Vec<_>>>()?;
        let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
        let (all, mut before) = (self.inputs.iter().map(|(path, _)| size(path)).sum::<u64>(), 0);
        let mut of_file = &mut writers[..];
        for (path, width) in self.inputs {
            let mut used = 0;
            let mut write = |numbers: &Numbers, bytes: u64| {
                if numbers.columns.len() != *width {
                    return Err(changed(path));
                }
                let (mut columns, mut count) = (&numbers.columns[..], 0);
                while !columns.is_empty() {
                    let (own, others) = columns.split_at(of_file[count].width());
                    of_file[count].write(own)?;
                    (columns, count) = (others, count + 1);
                }
                used = count;
                self.report(READING * (before + bytes) as f64 / all as f64)
            };
            Numbers::read_in_pieces(path, Gaps::Missing, self.selection, &mut write)?;
            of_file = &mut of_file[used..];
            before += size(path);
        }
        writers.into_iter().map(|writer| writer.finish(console)).collect()
    }

    /// Sorts all files.
    fn sort(&self, files: &[RowFile]) -> Result<()> {
        let (all, mut done) = (files.iter().map(|file| file.rows).sum::<usize>(), 0);
        for file in files {
            let share = READING + SORTING * done as f64 / all as f64;
            self.engine.sort(self.folder, &file.unsorted(), &file.sorted(), &mut || self.report(share))?;
            file.remove_unsorted()?;
            done += file.rows;
        }
        Ok(())
    }

    /// Reports progress.
    ///
    /// # Errors
    /// If the merge is to end.
    fn report(&self, share: f64) -> Result<()> {
        if (self.progress)(share) { Ok(()) } else { Err(Error::interruption("interrupted")) }
    }
}

/// The row of a sub-experiment with `m` rows that stands in a row of the result: floor((row + 0.5) m / rows),
/// in whole numbers.
fn taken(row: usize, rows: usize, m: usize) -> usize {
    let (row, rows, m) = (row as u128, rows as u128, m as u128);
    ((2 * row + 1) * m / (2 * rows)) as usize
}

/// Names of the columns after the anchor. The first sub-experiment that holds an event uses its name, later
/// ones add their number. Adds notes about names, and about sub-experiments of another length than the
/// result.
fn names(anchor: &str, files: &[RowFile], rows: usize, remarks: &mut Remarks) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for file in files {
        let deed = if file.rows < rows {
            "some of them are taken more than once"
        } else {
            "the others are left out"
        };
        if file.rows != rows && !file.events.is_empty() {
            let m = file.rows;
            remarks.notes.push(format!("{}: {m} rows for {rows} of the result: {deed}", file.place()));
        }
        for event in &file.events {
            let mut name = event.clone();
            while name == anchor || names.contains(&name) {
                name = format!("{name}@{}", file.number);
            }
            if name != *event {
                let place = file.place();
                remarks
                    .notes
                    .push(format!("{event} is in several blocks: the column of {place} is named {name}"));
            }
            names.push(name);
        }
    }
    names
}

impl Remarks {
    /// Adds what the anchor does not order.
    fn add_ties(&mut self, anchor: &str, files: &[RowFile], ties: &[Ties]) {
        let (mut constant, mut tied) = (Vec::new(), Vec::new());
        for (file, ties) in files.iter().zip(ties).filter(|(file, _)| !file.events.is_empty()) {
            match ties.tied {
                0 => {}
                _ if ties.is_constant => constant.push(file.place()),
                count => tied.push(format!("{count} of {} in {}", file.rows, file.place())),
            }
        }
        self.notes.extend((!tied.is_empty()).then(|| {
            format!("rows with the same {anchor} keep the order in which they came: {}", named(&tied))
        }));
        self.warnings.extend((!constant.is_empty()).then(|| {
            format!(
                "the anchor {anchor} never changes in {}, so the rows keep the order in which they came: nothing ties \
                 them to those of other blocks",
                named(&constant)
            )
        }));
    }
}

/// The first names, and the number of others.
fn named(places: &[String]) -> String {
    let (named, others) = places.split_at(places.len().min(MOST_NAMED));
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    named.join(", ") + &more
}

/// The error that a file has changed while it was read.
fn changed(path: &Path) -> Error {
    Error::new(format!("`{}` has changed while it was read", path.display()))
        .remedy("merge again when it is complete")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_are_taken_from_the_middle_of_equal_parts(rows in 1usize..60, m in 1usize..60) {
            let taken: Vec<usize> = (0..rows).map(|row| taken(row, rows, m)).collect();
            prop_assert!(taken.is_sorted() && taken[rows - 1] < m);
            if rows == m {
                prop_assert_eq!(&taken, &(0..m).collect::<Vec<_>>());
            }
            let mirrored: Vec<usize> = taken.iter().rev().map(|row| m - 1 - row).collect();
            prop_assert!(taken.iter().zip(&mirrored).all(|(a, b)| a.abs_diff(*b) <= 1));
        }
    }

    #[test]
    fn rows_of_any_length_can_be_taken() {
        assert_eq!(taken(0, 1, usize::MAX), usize::MAX / 2);
        assert_eq!((taken(0, 1, 5), taken(0, 2, 3), taken(1, 2, 3)), (2, 0, 2));
    }

    #[test]
    fn many_places_are_named_in_part() {
        let places = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(named(&places[..3]), "a, b, c");
        assert_eq!(named(&places), "a, b, c and 2 more");
    }
}

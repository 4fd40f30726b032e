//! The tables that mergers read: one for each sub-experiment, one with all of them side by side, and one with
//! all events counted at once.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assay_base::columns;
use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::csv_input::{Gaps, Numbers, Selection};
use assay_stats::draws::Draws;
use assay_store::{CellResult, MEASUREMENTS, RESULTS, Run, Status};

use super::slow::rows;
use super::{Manifest, PlannedEvent, PlannedRun};

/// The tables of one algorithm and pattern length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTables {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Length of its patterns.
    pub pattern_length: usize,
    /// The table of all sub-experiments side by side; missing if a block before the last is narrower than the
    /// others.
    pub raw: Option<PathBuf>,
    /// The tables of the sub-experiments.
    pub blocks: Vec<PathBuf>,
    /// The table of all events at once.
    pub ideal: Option<PathBuf>,
    /// Number of cells without a count.
    pub gaps: usize,
    /// Events without any count in some sub-experiment.
    pub empty: BTreeSet<String>,
    /// Number of columns of each sub-experiment, if that is the same for all.
    pub width: Option<usize>,
}

/// The columns of one sub-experiment.
struct TableColumns {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl TableColumns {
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// Writes the tables of a collection of which each part has a run, for each algorithm and pattern length that
/// has rows in all parts: into the folder itself for one algorithm and pattern length,
/// else into a folder for each of them. A row is a repetition. Each table has its rows in a random order,
/// because rows of different sub-experiments don't belong together, and a common order would suggest that
/// they do.
///
/// # Errors
/// If a run can't be read, or a table can't be written.
pub fn write(
    folder: &Path,
    manifest: &Manifest,
    found: &[PlannedEvent],
    ideal: bool,
) -> Result<Vec<WrittenTables>> {
    let parts = PlannedRun::all(&manifest.plan, ideal);
    let mut sources = Vec::new();
    for part in &parts {
        let runs = manifest.runs_of(folder, *part);
        if runs.is_empty() {
            return Err(Error::new(format!("the run of {part} is missing"))
                .remedy("collect again: `assay collect` measures what is missing"));
        }
        sources.push(runs.into_iter().map(SourceRun::read).collect::<Result<Vec<_>>>()?);
    }
    let first = &sources[0][0].run;
    let cells: Vec<_> = first.results.iter().filter(|cell| may_have_rows(cell.status)).collect();
    let mut all = Vec::new();
    for cell in &cells {
        let with_rows = sources.iter().map(|runs| with_rows(runs, &cell.algorithm, cell.pattern_length));
        let sources = with_rows.collect::<Result<Vec<_>>>()?;
        if sources.iter().any(Vec::is_empty) {
            continue;
        }
        let name = format!("{}-{}", cell.algorithm, cell.pattern_length);
        let place = if first.results.len() == 1 { folder.to_owned() } else { folder.join(name) };
        std::fs::create_dir_all(&place).map_err(|error| Error::io("make the folder", &place, &error))?;
        let mut written = WrittenTables {
            algorithm: cell.algorithm.clone(),
            pattern_length: cell.pattern_length,
            raw: None,
            blocks: Vec::new(),
            ideal: None,
            gaps: 0,
            empty: BTreeSet::new(),
            width: None,
        };
        let mut blocks = Vec::new();
        for (part, runs) in parts.iter().zip(sources) {
            let mut block = read(&runs, *part, manifest, found, &cell.algorithm, cell.pattern_length)?;
            shuffle(&mut block, manifest.experiment.seed.unwrap_or_default(), *part, cell.pattern_length);
            written.gaps += block.columns.iter().flatten().filter(|value| value.is_nan()).count();
            match part {
                PlannedRun::Ideal => {
                    written.ideal = Some(save(&place.join("ideal.csv"), std::slice::from_ref(&block))?);
                }
                PlannedRun::Block(number) => {
                    // With leading zeros, names sort like numbers.
                    let digits = manifest.plan.blocks.len().to_string().len();
                    let path = place.join(format!("block-{:0digits$}.csv", number + 1));
                    written.blocks.push(save(&path, std::slice::from_ref(&block))?);
                    let named = block.names.iter().zip(&block.columns);
                    let empty = named.filter(|(_, column)| column.iter().all(|value| value.is_nan()));
                    written.empty.extend(empty.map(|(name, _)| name.clone()));
                    blocks.push(block);
                }
            }
        }
        let width = manifest.plan.width();
        let before_last = &blocks[..blocks.len() - 1];
        if before_last.iter().all(|block| block.names.len() == width) {
            written.raw = Some(save(&place.join("raw.csv"), &blocks)?);
        }
        written.width = Some(width).filter(|width| blocks.iter().all(|block| block.names.len() == *width));
        all.push(written);
    }
    Ok(all)
}

/// A run of a part.
struct SourceRun {
    folder: PathBuf,
    run: Run,
}

impl SourceRun {
    fn read(folder: PathBuf) -> Result<Self> {
        let run = Run::read(&folder.join(RESULTS))?;
        Ok(SourceRun { folder, run })
    }
}

/// Whether a cell of this status may have rows that count: a search that took too long ends its cell, and
/// those before it were right.
fn may_have_rows(status: Status) -> bool {
    matches!(status, Status::Ok | Status::TimedOut)
}

/// The folders of the runs that have rows of an algorithm and pattern length.
fn with_rows<'a>(runs: &'a [SourceRun], algorithm: &str, pattern_length: usize) -> Result<Vec<&'a Path>> {
    let mut found = Vec::new();
    for SourceRun { folder, run } in runs {
        let is_cell = |cell: &&CellResult| {
            (cell.algorithm.as_str(), cell.pattern_length) == (algorithm, pattern_length)
        };
        let has_rows = match run.results.iter().find(is_cell).map(|cell| cell.status) {
            Some(Status::TimedOut) => rows(folder, algorithm, pattern_length)? > 0,
            status => status.is_some_and(may_have_rows),
        };
        if has_rows {
            found.push(folder.as_path());
        }
    }
    Ok(found)
}

/// The rows of an algorithm and pattern length in the runs of a part, and the columns of the part under their
/// planned names.
fn read(
    runs: &[&Path],
    part: PlannedRun,
    manifest: &Manifest,
    found: &[PlannedEvent],
    algorithm: &str,
    pattern_length: usize,
) -> Result<TableColumns> {
    let names: Vec<String> = part.events(&manifest.plan).into_iter().map(str::to_owned).collect();
    let column = |name: &String| {
        found.iter().find(|found| found.name == *name).expect("the plan's events were found").column.clone()
    };
    let selection = Selection {
        columns: names.iter().map(column).collect(),
        conditions: vec![
            (columns::ALGORITHM.to_owned(), algorithm.to_owned()),
            (columns::PATTERN_LENGTH.to_owned(), pattern_length.to_string()),
            (columns::STATUS.to_owned(), Status::Ok.name().to_owned()),
        ],
    };
    let mut columns = vec![Vec::new(); names.len()];
    for run in runs {
        let numbers = Numbers::read(&run.join(MEASUREMENTS), Gaps::Missing, &selection)?;
        // The reader skips columns that a file misses, but here all are needed.
        selection.check(std::slice::from_ref(&numbers))?;
        columns.iter_mut().zip(numbers.columns).for_each(|(all, own)| all.extend(own));
    }
    Ok(TableColumns { names, columns })
}

fn shuffle(block: &mut TableColumns, seed: u64, part: PlannedRun, pattern_length: usize) {
    let mut order: Vec<usize> = (0..block.rows()).collect();
    Draws::new(seed ^ ((part.number() as u64) << 40) ^ ((pattern_length as u64) << 20)).shuffle(&mut order);
    for column in &mut block.columns {
        *column = order.iter().map(|row| column[*row]).collect();
    }
}

/// Writes blocks side by side. A repeated title gets `.1`, `.2` .., as R numbers it; blocks with fewer rows
/// than others end with empty cells.
fn save(path: &Path, blocks: &[TableColumns]) -> Result<PathBuf> {
    let output = Output::create(path)?;
    output.write(|file| write_csv(file, blocks))?;
    Ok(path.to_owned())
}

fn write_csv(file: &mut dyn Write, blocks: &[TableColumns]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    let names: Vec<&String> = blocks.iter().flat_map(|block| &block.names).collect();
    for (at, name) in names.iter().enumerate() {
        match names[..at].iter().filter(|other| other == &name).count() {
            0 => writer.write_field(name)?,
            before => writer.write_field(format!("{name}.{before}"))?,
        }
    }
    writer.write_record(None::<&[u8]>)?;
    for row in 0..blocks.iter().map(TableColumns::rows).max().unwrap_or(0) {
        for column in blocks.iter().flat_map(|block| &block.columns) {
            match column.get(row).filter(|value| !value.is_nan()) {
                Some(value) => writer.write_field(value.to_string())?,
                None => writer.write_field("")?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_repeat_are_numbered_and_what_is_missing_is_empty() {
        let block = |names: &[&str], columns: &[&[f64]]| TableColumns {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            columns: columns.iter().map(|column| column.to_vec()).collect(),
        };
        let blocks = [
            block(&["a", "b:c"], &[&[1.0, 2.0], &[3.0, f64::NAN]]),
            block(&["a", "d"], &[&[4.0], &[0.5]]),
            block(&["a"], &[&[1e15, 7.0]]),
        ];
        let mut text = Vec::new();
        write_csv(&mut text, &blocks).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "a,b:c,a.1,d,a.2\n1,3,4,0.5,1000000000000000\n2,,,,7\n");
    }

    #[test]
    fn rows_are_shuffled_as_wholes_and_differently_in_each_block() {
        let rows: Vec<f64> = (0..100).map(f64::from).collect();
        let shuffled = |part| {
            let names = vec!["a".to_owned(), "b".to_owned()];
            let doubled = rows.iter().map(|value| 2.0 * value).collect();
            let mut block = TableColumns { names, columns: vec![rows.clone(), doubled] };
            shuffle(&mut block, 7, part, 8);
            assert!(block.columns[0].iter().zip(&block.columns[1]).all(|(a, b)| 2.0 * a == *b));
            block.columns.swap_remove(0)
        };
        let (first, second) = (shuffled(PlannedRun::Block(0)), shuffled(PlannedRun::Block(1)));
        let sorted = |mut column: Vec<f64>| {
            column.sort_by(f64::total_cmp);
            column
        };
        assert!(first != rows && first != second && sorted(first) == rows && sorted(second) == rows);
    }
}

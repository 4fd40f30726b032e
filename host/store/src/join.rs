//! Joins the runs of a campaign's tasks into one run. Rows and blocks are copied after they were compared
//! with their checksums; each part of each run becomes a part of the joined one. All figures are computed
//! anew.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use assay_base::columns::NODE;
use assay_base::error::{Error, Result};
use crc32fast::Hasher;

use crate::blocks::{BlockLog, BlockRecord, Commit};
use crate::checked_rows::{CheckedRow, CheckedRows};
use crate::folder::SaveFolder;
use crate::gathered::{GatheredFacts, NodeFacts, PartTask};
use crate::noise::{Gathered, Noise};
use crate::parts::Part;
use crate::pattern_rows;
use crate::{BLOCKS, EXPERIMENT, ExperimentFacts, MEASUREMENTS, PATTERNS, RESULTS, Run};

/// The files of a run that was joined.
pub const FILES: [&str; 7] =
    [EXPERIMENT, RESULTS, MEASUREMENTS, BLOCKS, PATTERNS, "statistics.csv", "report.html"];

/// The run of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPiece {
    /// Its folder.
    pub folder: PathBuf,
    /// The number of the task.
    pub task: u32,
    /// The name of the machine.
    pub node: String,
}

/// Joins runs into a folder: the facts, the outcomes, the rows and the blocks. `text` is the name of their
/// text in the experiment of the campaign, where tasks have its whole path. `gathered` says what they are
/// tasks of, and has no machines yet. The runs must be of one experiment in everything but the values of the
/// range, on one text, with the same algorithms, and no value may be in two of them. Memory grows with the
/// number of blocks and cells, and not with that of rows.
///
/// # Errors
/// If one can't be read, was damaged, or has other columns than the first; or if the folder can't be written.
pub fn join(
    folder: &SaveFolder,
    id: &str,
    text: &str,
    gathered: GatheredFacts,
    pieces: &[RunPiece],
) -> Result<Run> {
    let mut joined: Option<JoinedRun> = None;
    for piece in pieces {
        let run = Run::read(&piece.folder.join(RESULTS))?;
        let joined = match &mut joined {
            Some(joined) => {
                joined.extend(&run.experiment);
                joined.run.results.extend(run.results);
                joined
            }
            None => joined.insert(JoinedRun::begin(folder, id, text, gathered.clone(), run.clone())?),
        };
        joined.add_part(piece, &run.experiment)?;
    }
    let joined = joined.ok_or_else(|| Error::new("no task is done"))?;
    let run = joined.end()?;
    folder.write_run(&run)?;
    Ok(run)
}

/// Checks that a run is complete, and that its rows are those of its blocks. Returns its facts.
///
/// # Errors
/// If a file can't be read or was damaged.
pub fn check(folder: &Path) -> Result<ExperimentFacts> {
    let facts = Run::read(&folder.join(RESULTS))?.experiment;
    let (mut lines, mut checked) = (0, CheckedRows::open(folder)?);
    let known: BTreeSet<u64> = facts.values().into_iter().collect();
    while let Some(row) = checked.next()? {
        match row {
            CheckedRow::Line(_) => lines += 1,
            CheckedRow::End(record) if known.contains(&record.range) => {}
            CheckedRow::End(record) => {
                return Err(Error::new(format!(
                    "`{}` has rows at {}, which the run did not measure",
                    folder.join(MEASUREMENTS).display(),
                    record.range
                )));
            }
        }
    }
    if checked.has_more()? {
        return Err(Error::new(format!(
            "`{}` has rows after those that the run wrote",
            folder.join(MEASUREMENTS).display()
        )));
    }
    pattern_rows::check(folder, facts.patterns_crc32)?;
    match facts.rows {
        Some(wrote) if wrote == lines && !facts.interrupted => Ok(facts),
        _ => Err(Error::new(format!("`{}` is not complete", folder.display()))),
    }
}

/// The patterns of runs, one after the other.
pub(crate) fn patterns(file: &mut dyn Write, pieces: &[RunPiece]) -> io::Result<()> {
    for (number, piece) in pieces.iter().enumerate() {
        let text = fs::read(piece.folder.join(PATTERNS))?;
        let header = memchr::memchr(b'\n', &text).map_or(0, |end| end + 1);
        file.write_all(if number == 0 { &text } else { &text[header..] })?;
    }
    Ok(())
}

/// The runs that were joined until now.
struct JoinedRun {
    run: Run,
    rows: JoinedRows,
    /// The noise of all, and that of each machine.
    noise: JoinedNoise,
    by_node: Vec<(NodeFacts, JoinedNoise)>,
}

impl JoinedRun {
    /// Begins with the facts of the first run, without its parts.
    fn begin(folder: &SaveFolder, id: &str, text: &str, gathered: GatheredFacts, first: Run) -> Result<Self> {
        let rows = JoinedRows::begin(folder.path(), &first.experiment)?;
        let mut run = first;
        let facts = &mut run.experiment;
        id.clone_into(&mut facts.id);
        facts.parts.clear();
        facts.gathered = Some(gathered);
        if let [source] = facts.text.sources.as_mut_slice()
            && Path::new(source).is_absolute()
        {
            text.clone_into(source);
        }
        if let Some(definition) = &mut facts.definition {
            let place = format!("{text} on {}", facts.machine.cpu.as_deref().unwrap_or("an unknown CPU"));
            let own = std::mem::take(&mut definition.description);
            definition.description = if own.is_empty() { place } else { format!("{own} ({place})") };
        }
        Ok(JoinedRun { run, rows, noise: JoinedNoise::default(), by_node: Vec::new() })
    }

    /// Adds the facts of a further run: what it measured, and with what.
    fn extend(&mut self, other: &ExperimentFacts) {
        let facts = &mut self.run.experiment;
        let libraries = other.libraries.iter().filter(|library| !facts.libraries.contains(library));
        let libraries: Vec<_> = libraries.cloned().collect();
        facts.libraries.extend(libraries);
        facts.threads = facts.threads.max(other.threads);
        facts.untested = facts.untested.take().zip(other.untested.clone()).map(|(mut all, more)| {
            all.extend::<BTreeSet<String>>(more);
            all
        });
        facts.statuses = facts.statuses.take().zip(other.statuses.clone()).map(|(mut all, more)| {
            all.extend(more);
            all
        });
        facts.changed_ids.extend(other.changed_ids.clone());
        if let (Some(range), Some(more)) = (&mut facts.range, &other.range) {
            range.values.extend(more.values.iter().cloned());
        }
        if let (Some(definition), Some(more)) = (&mut facts.definition, &other.definition) {
            definition.patterns.lengths.extend(&more.patterns.lengths);
            definition.patterns.lengths.dedup();
            definition.changed_ids.extend(more.changed_ids.clone());
            if let (Some(range), Some(more)) = (&mut definition.range, &more.range) {
                range.append(more);
            }
        }
        facts.elapsed.set_up_s += other.elapsed.set_up_s;
        let measuring = facts.elapsed.measuring_s.zip(other.elapsed.measuring_s);
        facts.elapsed.measuring_s = measuring.map(|(all, more)| all + more);
    }

    /// Adds the rows of a run, and its parts.
    fn add_part(&mut self, piece: &RunPiece, facts: &ExperimentFacts) -> Result<()> {
        let (task, node) = (&piece.task, &plain(&piece.node));
        let blocks = self.rows.add(piece, node, facts)?;
        let known = self.by_node.iter().position(|(known, _)| known.node == *node);
        let place = known.unwrap_or_else(|| {
            let (node, machine, checks) = (node.clone(), facts.machine.clone(), facts.checks.clone());
            let facts = NodeFacts { node, machine, cpu: facts.cpu, checks, noise: Noise::default() };
            self.by_node.push((facts, JoinedNoise::default()));
            self.by_node.len() - 1
        });
        for noise in [&mut self.noise, &mut self.by_node[place].1] {
            noise.add(&blocks, facts);
        }
        let of_task = PartTask { task: *task, run: facts.id.clone(), node: node.clone() };
        let parts = facts.parts.iter().map(|part| Part { task: Some(of_task.clone()), ..part.clone() });
        self.run.experiment.parts.extend(parts);
        Ok(())
    }

    /// The whole run.
    fn end(self) -> Result<Run> {
        let JoinedRun { mut run, rows, noise, by_node } = self;
        run.experiment.rows = Some(rows.end()?);
        run.experiment.noise = noise.end();
        if let Some(gathered) = &mut run.experiment.gathered {
            let nodes = by_node.into_iter();
            gathered.nodes = nodes.map(|(node, noise)| NodeFacts { noise: noise.end(), ..node }).collect();
            // Times must be long enough for the slowest clock.
            let floors = gathered.nodes.iter().filter_map(|node| node.noise.floor_ns);
            run.experiment.noise.floor_ns = floors.reduce(f64::max);
        }
        Ok(run)
    }
}

/// The noise of several runs: of their blocks, and what only whole runs know.
#[derive(Default)]
struct JoinedNoise {
    blocks: Gathered,
    runs: Option<Noise>,
}

impl JoinedNoise {
    /// Adds a run.
    fn add(&mut self, blocks: &[BlockRecord], facts: &ExperimentFacts) {
        for record in blocks {
            record.noise.iter().for_each(|noise| self.blocks.add(noise));
            let Some(Commit { counting, .. }) = &record.commit else { continue };
            let names = facts.counters.iter().map(|counter| counter.name.clone());
            self.blocks.add_counting(names, &counting.faults, counting.lost.clone());
            counting.impossible.iter().for_each(|more| self.blocks.add_impossible(more.clone()));
        }
        self.runs = Some(match &self.runs {
            None => facts.noise.clone(),
            Some(earlier) => {
                let governor =
                    facts.noise.governor.clone().filter(|one| earlier.governor.as_ref() == Some(one));
                Noise { governor, ..facts.noise.clone().after(earlier) }
            }
        });
    }

    fn end(self) -> Noise {
        let Noise { steal_ms, load_before, load_after, governor, shared_cpu, .. } =
            self.runs.unwrap_or_default();
        Noise { steal_ms, load_before, load_after, governor, shared_cpu, ..self.blocks.of_blocks() }
    }
}

/// The rows and blocks of the joined run, as they are written.
struct JoinedRows {
    path: PathBuf,
    file: BufWriter<File>,
    /// Length of `measurements.csv`, and the checksum up to there.
    length: u64,
    checksum: Hasher,
    blocks: BlockLog,
    /// The first line; empty until the first run is added.
    header: Vec<u8>,
    written: usize,
    /// The number of parts until now.
    parts: u32,
}

impl JoinedRows {
    fn begin(folder: &Path, facts: &ExperimentFacts) -> Result<Self> {
        let path = folder.join(MEASUREMENTS);
        let file = File::create(&path).map_err(|error| Error::io("write", &path, &error))?;
        Ok(JoinedRows {
            path,
            file: BufWriter::with_capacity(1 << 17, file),
            length: 0,
            checksum: Hasher::new(),
            blocks: BlockLog::create(folder, facts.over())?,
            header: Vec::new(),
            written: 0,
            parts: 0,
        })
    }

    /// Copies the rows of a run, each with the name of the machine, and returns its blocks.
    fn add(&mut self, piece: &RunPiece, node: &str, facts: &ExperimentFacts) -> Result<Vec<BlockRecord>> {
        let mut rows = CheckedRows::open(&piece.folder)?;
        if self.header.is_empty() {
            self.write(&rows.header, NODE)?;
            self.header.clone_from(&rows.header);
        } else if self.header != rows.header {
            return Err(Error::new(format!(
                "`{}` has other columns than the runs before it",
                rows.path.display()
            )));
        }
        let mut records = Vec::new();
        while let Some(row) = rows.next()? {
            match row {
                CheckedRow::Line(line) => {
                    self.write(line, node)?;
                    self.written += 1;
                }
                CheckedRow::End(record) => {
                    self.end_block(&record, facts)?;
                    records.push(*record);
                }
            }
        }
        self.parts += u32::try_from(facts.parts.len()).unwrap_or(u32::MAX);
        Ok(records)
    }

    /// Ends a block, whose lines were written.
    fn end_block(&mut self, record: &BlockRecord, facts: &ExperimentFacts) -> Result<()> {
        let Some(commit) = &record.commit else { return Ok(()) };
        let commit = Commit {
            part: self.parts + commit.part,
            end: self.length,
            measurements_crc32: self.checksum.clone().finalize(),
            ..commit.clone()
        };
        self.blocks.append(record, &commit, facts.pattern_length(record.range))
    }

    /// Writes a line with a further cell.
    fn write(&mut self, line: &[u8], cell: &str) -> Result<()> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        for bytes in [line, b",", cell.as_bytes(), b"\n"] {
            self.file.write_all(bytes).map_err(|error| Error::io("write", &self.path, &error))?;
            self.checksum.update(bytes);
            self.length += bytes.len() as u64;
        }
        Ok(())
    }

    /// Waits until all is on the disk, and returns the number of rows.
    fn end(self) -> Result<usize> {
        let synced =
            self.file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_data());
        synced.and_then(|()| self.blocks.sync()).map_err(|error| Error::io("write", &self.path, &error))?;
        Ok(self.written)
    }
}

/// The name of a machine as a cell of CSV: letters, digits and what names of hosts have besides.
fn plain(node: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    node.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect()
}

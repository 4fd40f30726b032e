//! The folder of a saved run, which is complete or not there at all.
//!
//! Until it is complete, it is a hidden folder, `.ID.partial`, that says from the start what is being
//! measured: so a run that is killed, or that can't write, leaves the experiment and what was measured of it.
//! It can be continued later.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_base::columns;
use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::moment;
use assay_experiment::Resolved;
use assay_experiment::definition::Experiment;

use super::blocks::{Blocks, NO_SPACE};
use super::find::{Saved, is_like_id, resume_command};
use super::join::{self, RunPiece};
use super::journal::{Journal, RecordedBlock};
use super::lock::FileLock;
use super::parts::Part;
use super::pattern_rows::{patterns, with_checksum};
use super::{MEASUREMENTS, PATTERNS, RESULTS, Run, Status, seal};

/// A folder that is being filled. It gets its name when it is complete; before that, it is hidden, and
/// removed if nothing was measured. It is locked as long as this lives.
#[derive(Debug)]
pub struct SaveFolder {
    partial: PathBuf,
    place: PathBuf,
    kept: bool,
    /// Whether it holds a run that was begun before, which can't be saved elsewhere.
    is_continued: bool,
    _lock: FileLock,
}

/// A folder of this age that has no row and is not locked was left by a run that was killed. One that is
/// younger may be about to be locked.
const ABANDONED: Duration = Duration::from_secs(60);

impl SaveFolder {
    /// Makes the folder for a run of this name in `out`, and removes folders there that killed runs left
    /// without a row.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn create(out: &Path, id: &str) -> Result<Self> {
        let failed = |path: &Path, error: io::Error| {
            Error::io("make the folder", path, &error)
                .remedy("choose another folder with --out, or keep nothing with --no-save")
        };
        fs::create_dir_all(out).map_err(|error| failed(out, error))?;
        let partial = out.join(partial_folder(id));
        remove_abandoned(out);
        fs::create_dir(&partial).map_err(|error| failed(&partial, error))?;
        let lock = locked(&partial).inspect_err(|_| drop(fs::remove_dir(&partial)))?;
        Ok(SaveFolder { partial, place: out.join(id), kept: false, is_continued: false, _lock: lock })
    }

    /// Takes the folder of a run that is not complete, or has lost rows, to continue it. Also returns what it
    /// knows of the run, which is `interrupted` unless only the [end](Self::fill_derived) is missing.
    ///
    /// # Errors
    /// If the run is complete and has its name, or goes on, or a file of it can't be read.
    pub fn reopen(saved: &Saved) -> Result<(Self, Run)> {
        let out = saved.folder.parent().unwrap_or(Path::new(""));
        let (place, partial) = (out.join(&saved.id), out.join(partial_folder(&saved.id)));
        check_files(&saved.folder)?;
        let lock = locked(&saved.folder)?;
        let mut run = Run::read(&saved.folder.join(RESULTS))?;
        // Whoever finds damage is advised to cut the file before it, and to continue the run.
        let end = Blocks::read(&saved.folder)?.measured_length().unwrap_or(0);
        let is_cut =
            run.experiment.rows.is_some_and(|rows| rows_in(&saved.folder, end).is_ok_and(|now| now < rows));
        run.experiment.interrupted |= is_cut;
        // A gathered run is no run that was ended here: it is gathered again.
        let lacks_name = saved.partial && run.experiment.gathered.is_none();
        if !run.experiment.interrupted && !lacks_name {
            return Err(Error::new(format!("run {} is complete", saved.id)).remedy(format!(
                "`assay run {}` measures it again; with `--runs N`, with more repetitions",
                saved.folder.display()
            )));
        }
        Ok((SaveFolder { partial, place, kept: true, is_continued: true, _lock: lock }, run))
    }

    /// Continues the run of a folder that was [taken again](Self::reopen): gives the folder the name of one
    /// that is not complete, writes what is known now, and opens the journal. `run` gets a part, which
    /// differs in this from the first.
    ///
    /// # Errors
    /// If a file can't be read or written, or was damaged.
    pub fn resume(
        &self,
        resolved: &Resolved,
        run: &mut Run,
        differs: Vec<String>,
    ) -> Result<(Journal, Vec<RecordedBlock>)> {
        if run.experiment.parts.is_empty() {
            return Err(Error::new(format!("an earlier version of assay began run {}", run.experiment.id))
                .remedy("begin another run: it does not say in which parts it was measured"));
        }
        let is_renamed = !self.partial.exists();
        let rename = |from: &Path, to: &Path| {
            fs::rename(from, to).map_err(|error| Error::io("rename the folder", from, &error))
        };
        if is_renamed {
            rename(&self.place, &self.partial)?;
        }
        let part = u32::try_from(run.experiment.parts.len() + 1).unwrap_or(u32::MAX);
        let (journal, recorded) = match Journal::resume(&self.partial, resolved, part) {
            Ok(resumed) => resumed,
            Err(error) => {
                // A run that can't be continued stays where it was.
                if is_renamed {
                    rename(&self.partial, &self.place)?;
                }
                return Err(error.remedy_otherwise("restore the file from a copy, or begin another run"));
            }
        };
        run.experiment.end_killed_part(recorded.iter().map(|block| &block.record));
        run.experiment.parts.push(Part { differs, ..Part::begin() });
        (run.experiment.interrupted, run.experiment.rows) = (true, None);
        self.write_run(run)?;
        Ok((journal, recorded))
    }

    /// Where it is now.
    pub fn path(&self) -> &Path {
        if self.partial.exists() { &self.partial } else { &self.place }
    }

    /// Writes what is known before anything is measured, and starts the journal.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn begin(&self, resolved: &Resolved, run: &Run) -> Result<Journal> {
        self.write(super::EXPERIMENT, |file| file.write_all(resolved.experiment.to_toml().as_bytes()))?;
        self.write_run(run)?;
        let journal = Journal::create(&self.partial, resolved)?;
        self.sync_names().map_err(|error| Error::io("write", &self.partial, &error))?;
        Ok(journal)
    }

    /// Keeps what is in it from now on, complete or not: something was measured.
    #[must_use]
    pub fn keep(mut self) -> Self {
        self.kept = true;
        self
    }

    /// Says with an error where what was measured lies.
    pub fn explain(&self, error: Error) -> Error {
        if !self.partial.exists() {
            return error;
        }
        let resume = resume_command(&self.place);
        error.remedy(format!(
            "what was measured is kept in `{}`, where `assay report` finds it, and `{resume}` continues the run",
            self.partial.display()
        ))
    }

    /// Writes what is derived from the measurements, the patterns with how often each occurs (by set and
    /// repetition; none of what was not counted), and a page.
    ///
    /// # Errors
    /// If something can't be written; no file is there in part then.
    pub fn fill(
        &self,
        resolved: &Resolved,
        occurrences: &dyn Fn(usize, usize) -> Option<u64>,
        run: &Run,
        page: &str,
    ) -> Result<()> {
        self.fill_around(|file| patterns(file, resolved, occurrences), run, page)
    }

    /// The same for a run that was [joined](crate::join) from others: it has their patterns.
    ///
    /// # Errors
    /// As [`fill`](Self::fill).
    pub fn fill_joined(&self, pieces: &[RunPiece], run: &Run, page: &str) -> Result<()> {
        self.write(super::EXPERIMENT, |file| {
            let definition = run.experiment.definition.as_ref();
            file.write_all(definition.map(Experiment::to_toml).unwrap_or_default().as_bytes())
        })?;
        self.fill_around(|file| join::patterns(file, pieces), run, page)
    }

    fn fill_around(
        &self,
        patterns: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        run: &Run,
        page: &str,
    ) -> Result<()> {
        let mut run = run.clone();
        self.write(PATTERNS, |file| {
            run.experiment.patterns_crc32 = Some(with_checksum(file, patterns)?);
            Ok(())
        })?;
        self.write_run(&run)?;
        self.fill_derived(&run, page)
    }

    /// Writes what comes after `report.json`, which says that the run is complete.
    ///
    /// # Errors
    /// As [`fill`](Self::fill).
    pub fn fill_derived(&self, run: &Run, page: &str) -> Result<()> {
        self.write("statistics.csv", |file| file.write_all(statistics(run).as_bytes()))?;
        self.write("report.html", |file| file.write_all(page.as_bytes()))
    }

    /// Gives the folder its name: it is complete.
    ///
    /// # Errors
    /// If it can't be renamed.
    pub fn finish(&self) -> Result<PathBuf> {
        let rename = || {
            File::open(&self.partial)?.sync_all()?;
            fs::rename(&self.partial, &self.place)?;
            sync_folder_of(&self.place)
        };
        rename().map_err(|error| Error::io("make the folder", &self.place, &error))?;
        Ok(self.place.clone())
    }

    /// Waits until the names of the files and of the folder would survive a power cut, because rows are of no
    /// use in a file that nobody finds.
    fn sync_names(&self) -> io::Result<()> {
        File::open(&self.partial)?.sync_all()?;
        sync_folder_of(&self.partial)
    }

    pub(crate) fn write_run(&self, run: &Run) -> Result<()> {
        self.write(RESULTS, |file| seal::write(file, run))
    }

    fn write(&self, name: &str, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let written = Output::create(&self.partial.join(name)).and_then(|file| file.write(fill));
        written.map_err(|error| {
            error.remedy(if self.is_continued {
                "free some space, and give the same command again"
            } else {
                NO_SPACE
            })
        })
    }
}

impl Drop for SaveFolder {
    fn drop(&mut self) {
        if !self.kept {
            // Best effort: there is another error to tell already.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

/// Waits until the names in the folder of this path would survive a power cut.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The number of rows in the journal of a folder up to this place.
fn rows_in(folder: &Path, end: u64) -> io::Result<usize> {
    let (mut file, mut piece) = (File::open(folder.join(MEASUREMENTS))?.take(end), vec![0; 1 << 16]);
    let mut lines: usize = 0;
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(lines.saturating_sub(1)),
            length => lines += memchr::memchr_iter(b'\n', &piece[..length]).count(),
        }
    }
}

/// Checks that a folder holds regular files alone: a run is written into them, and a link could lead to any
/// file of the user, a pipe to nowhere.
pub(crate) fn check_files(folder: &Path) -> Result<()> {
    let failed = |error: io::Error| Error::io("read", folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_type().map_err(failed)?.is_file() {
            return Err(Error::new(format!("`{}` is not a regular file", entry.path().display()))
                .remedy("remove it: a run writes regular files only"));
        }
    }
    Ok(())
}

/// Locks a folder.
fn locked(folder: &Path) -> Result<FileLock> {
    FileLock::of_run(folder)?.ok_or_else(|| {
        Error::new(format!("another process measures into `{}`", folder.display()))
            .remedy("wait until it is done, or end it")
    })
}

/// Removes the folders of runs that were killed before they had a row. Best effort: they only take space.
fn remove_abandoned(out: &Path) {
    for entry in fs::read_dir(out).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_partial = name.to_str().and_then(id_of_partial_folder).is_some_and(is_like_id);
        let age =
            entry.metadata().and_then(|folder| folder.modified()).ok().and_then(|time| time.elapsed().ok());
        if is_partial
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && age.is_some_and(|age| age > ABANDONED)
            && has_no_row(&entry.path())
            && let Ok(Some(_lock)) = FileLock::of_run(&entry.path())
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a folder certainly has no row.
fn has_no_row(folder: &Path) -> bool {
    /// More than any header.
    const LONGEST_HEADER: u64 = 1 << 16;
    let path = folder.join(MEASUREMENTS);
    let is_header = match fs::metadata(&path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(file) if file.len() > LONGEST_HEADER => false,
        Ok(_) => fs::read(&path).is_ok_and(|text| memchr::memchr_iter(b'\n', &text).count() <= 1),
    };
    is_header && Blocks::read(folder).is_ok_and(|blocks| blocks.records.is_empty())
}

/// The summary as CSV: a row for each algorithm, pattern length, quantity and statistic; and one for each
/// algorithm and length without statistics, with its status alone. Where something else varies, its value
/// comes last. Times of a simulation are no times of this machine, and in none.
pub fn statistics(run: &Run) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: [&str; 6], value: Option<&str>| {
        writer.write_record(record.into_iter().chain(value)).expect("writing to memory");
    };
    let head =
        [columns::ALGORITHM, columns::PATTERN_LENGTH, "quantity", "statistic", "value", columns::STATUS];
    write(head, run.experiment.over().own_column());
    for cell in &run.results {
        let (length, status) = (cell.pattern_length.to_string(), cell.status.name());
        let at = cell.range_value.map(|value| value.to_string());
        let at = at.as_deref();
        if cell.status != Status::Ok {
            write([&cell.algorithm, &length, "", "", "", status], at);
        }
        let shown = |quantity: &str| run.experiment.launcher.is_empty() || !columns::is_time(quantity);
        for (quantity, summary) in cell.quantities().filter(|(quantity, _)| shown(quantity)) {
            for (statistic, value) in summary.named() {
                let value = value.to_string();
                write([&cell.algorithm, &length, &quantity, statistic, &value, status], at);
            }
        }
    }
    String::from_utf8(writer.into_inner().expect("writing to memory")).expect("made of texts")
}

/// The name of a run's folder until it is complete.
pub(crate) fn partial_folder(id: &str) -> String {
    format!(".{id}.partial")
}

/// The id of a run, if this is the name of its folder until it is complete.
pub(crate) fn id_of_partial_folder(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".partial")
}

/// A name for a run: the moment it began, in UTC, with the fraction of the second in four hexadecimal digits;
/// so names sort by time.
pub fn new_id() -> String {
    id_of(moment::present())
}

fn id_of(moment: jiff::Timestamp) -> String {
    let fraction = u64::from(moment.subsec_nanosecond().unsigned_abs()) * (1 << 16) / 1_000_000_000;
    format!("{}-{fraction:04x}", moment.strftime(MOMENT_OF_ID))
}

/// How an id begins.
const MOMENT_OF_ID: &str = "%Y%m%d-%H%M%S";

/// The moment at which a run began, from its id; `None` if the id does not begin with one.
pub fn moment_of_id(id: &str) -> Option<jiff::Timestamp> {
    let moment = jiff::civil::DateTime::strptime(MOMENT_OF_ID, id.get(..15)?).ok()?;
    Some(moment.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use assay_experiment::patterns::{PatternSet, Patterns};
    use assay_experiment::testing::example;

    use super::super::testing;
    use super::*;
    use crate::{EXPERIMENT, MEASUREMENTS, cell};

    fn entries(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    fn read(folder: &Path, name: &str) -> String {
        fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[test]
    fn a_run_is_hidden_until_it_is_complete() {
        let out = tempfile::tempdir().unwrap();
        let mut resolved = example(1, 2);
        resolved.points[1].set = PatternSet { length: 2, patterns: Patterns::Given(b"xy".to_vec(), 2) };
        let run = testing::run();
        let folder = SaveFolder::create(out.path(), "1").unwrap();
        drop(folder.begin(&resolved, &run).unwrap());
        assert_eq!(entries(out.path()), [".1.partial"]);
        assert_eq!(read(folder.path(), EXPERIMENT), resolved.experiment.to_toml());
        assert_eq!(Run::read(&folder.path().join(RESULTS)).unwrap(), run);
        let complete = Run { results: vec![testing::cell()], ..run };
        let occurrences = |set: usize, repetition: usize| Some([[1, 3], [0, 0]][set][repetition]);
        folder.fill(&resolved, &occurrences, &complete, "<page>").unwrap();
        let place = folder.finish().unwrap();
        drop(folder);
        assert_eq!(
            (place.as_path(), entries(out.path())),
            (out.path().join("1").as_path(), vec!["1".to_owned()])
        );
        assert_eq!(Run::read(&place.join(RESULTS)).unwrap().results[0].library, complete.results[0].library);
        assert_eq!(read(&place, "report.html"), "<page>");
        assert!(read(&place, MEASUREMENTS).starts_with("algorithm,pattern_length,"));
        assert_eq!(read(&place, "statistics.csv"), statistics(&complete));
        let header = "pattern_length,repetition,position,occurrences,pattern_hex";
        let rows = "2,0,0,1,\n2,1,0,3,\n2,0,,0,7879\n2,1,,0,7879\n";
        assert_eq!(read(&place, "patterns.csv"), format!("{header}\n{rows}"));
    }

    #[test]
    fn what_is_not_kept_goes_and_what_was_measured_stays() {
        let out = tempfile::tempdir().unwrap();
        drop(SaveFolder::create(out.path(), "1").unwrap());
        assert_eq!(entries(out.path()), [] as [String; 0]);
        let kept = SaveFolder::create(out.path(), "2").unwrap().keep();
        let error = kept.explain(Error::new("no space")).to_string();
        drop(kept);
        assert_eq!(entries(out.path()), [".2.partial"]);
        assert!(error.contains("/.2.partial`, where `assay report` finds it"), "{error}");
        assert!(SaveFolder::create(out.path(), "2").is_err(), "another run is there");
    }

    #[test]
    fn names_of_runs_sort_by_time() {
        let at = |nanoseconds| id_of(jiff::Timestamp::new(1_767_323_045, nanoseconds).unwrap());
        assert_eq!(at(0), "20260102-030405-0000");
        assert_eq!(at(999_999_999), "20260102-030405-ffff");
        assert_eq!(moment_of_id(&at(7)), jiff::Timestamp::from_second(1_767_323_045).ok());
        assert_eq!(["", "20261302-030405-0000", "a copy of a run"].map(moment_of_id), [None; 3]);
        assert!(at(1_000_000) < at(2_000_000) && at(2_000_000) < at(500_000_000));
    }

    #[test]
    fn statistics_have_a_row_for_each_figure_and_one_for_a_cell_without() {
        let ok = testing::cell();
        let crashed = cell::CellResult { status: Status::Crashed, ..ok.clone() };
        let crashed = cell::CellResult { prepare_ns: None, search_ns: None, total_ns: None, ..crashed };
        let nothing = || super::super::Figures::default();
        let crashed = cell::CellResult { counters: nothing(), prepare_counters: nothing(), ..crashed };
        let text = statistics(&Run { results: vec![ok, crashed], ..testing::run() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "algorithm,pattern_length,quantity,statistic,value,status");
        assert!(lines.contains(&"hor,8,prepare_ns,med,900,ok"), "{text}");
        assert!(!lines.contains(&"hor,8,,,,ok"), "{text}");
        assert_eq!(
            lines.iter().filter(|line| line.ends_with("crashed")).collect::<Vec<_>>(),
            [&"hor,8,,,,crashed"]
        );
        let mut simulated = Run { results: vec![testing::cell()], ..testing::run() };
        simulated.experiment.launcher = vec!["simulator".to_owned()];
        let text = statistics(&simulated);
        assert!(!text.contains("_ns,") && text.contains("hor,8,tsc:cycles,med,"), "{text}");
    }

    #[test]
    fn an_id_begins_with_the_moment_and_the_name_of_a_partial_folder_has_it() {
        let id = new_id();
        let (moment, random) = id.rsplit_once('-').unwrap();
        assert!(moment.len() == 15 && moment.starts_with("20") && moment.as_bytes()[8] == b'-', "{id}");
        assert!(random.len() == 4 && random.bytes().all(|digit| digit.is_ascii_hexdigit()), "{id}");
        assert_eq!(id_of_partial_folder(&format!(".{id}.partial")), Some(id.as_str()));
        assert_eq!([id.as_str(), ".x", "x.partial"].map(id_of_partial_folder), [None; 3]);
    }
}

//! Saved runs as one dataset, in the folders that DuckDB, Polars, pandas and Spark take for columns:
//! `measurements/cpu=../text=../algorithm=../RUN.csv` has rows, `runs/RUN.csv` the facts of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use assay_base::columns::{
    ALGORITHM, CLOCK, DERIVED, KEYS, NODE, PATTERN_LENGTH, ROUND, STATUS, fixed, instrumented, is_standard,
    is_time,
};
use assay_base::error::{Error, Result};
use assay_base::io::atomic::{CompleteOutput, Output};
use assay_base::io::csv_lines::{cells, complete};
use assay_base::io::output_format::OutputFormat;
use assay_base::io::rows::{RowColumn, RowWriter, ValueKind};
use assay_store::ExperimentFacts;
use assay_store::null::floor;
use assay_store::row_reader::Lines;

use crate::{Call, RawCell, Report};

/// The folder with the rows of all runs.
const MEASUREMENTS: &str = "measurements";
/// The folder with a file of one row for each run.
const RUNS: &str = "runs";
/// The value of a partition that is missing, by the convention of Hive.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";
/// The greatest length of the value of a partition: file systems allow names of 255 bytes.
const LONGEST_VALUE: usize = 200;

/// The columns before those of `measurements.csv`.
const LEADING: [(&str, ValueKind); 7] = [
    ("run", ValueKind::Text),
    ("part", ValueKind::Whole),
    ("round_number", ValueKind::Whole),
    ("range_over", ValueKind::Text),
    ("range_value", ValueKind::Whole),
    (PATTERN_LENGTH, ValueKind::Whole),
    ("text_bytes", ValueKind::Whole),
];

/// A folder with the rows of runs, all in one format.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    format: OutputFormat,
}

impl Dataset {
    /// A dataset in a folder, which may have runs already.
    ///
    /// # Errors
    /// If it has runs in another format, because engines read the files of a folder together.
    pub fn new(folder: PathBuf, format: OutputFormat) -> Result<Self> {
        let ending = format.ending();
        let others = fs::read_dir(folder.join(RUNS)).into_iter().flatten().flatten();
        let mut endings = others.filter_map(|entry| Some(entry.path().extension()?.to_str()?.to_owned()));
        match endings.find(|other| other != ending && ["csv", "parquet"].contains(&other.as_str())) {
            Some(other) => Err(Error::new(format!(
                "the dataset in `{}` is {other}, and a dataset has one format",
                folder.display()
            ))
            .remedy(format!("use `--format {other}`, or another folder"))),
            None => Ok(Dataset { folder, format }),
        }
    }

    /// Adds a run, or replaces it if the dataset has it. Its files appear together when all are written: if
    /// one can't be, the dataset stays as it was. Calls `wrote` with the number of rows that were written
    /// since the last call. Returns the number of files with rows.
    ///
    /// # Errors
    /// If rows can't be read again, or files can't be written.
    pub fn add(&self, report: &Report, wrote: impl Fn(usize)) -> Result<usize> {
        let name = format!("{}.{}", encoded(&report.facts.id), self.format.ending());
        let columns = RunColumns::new(report);
        let mut files = Vec::new();
        for ((text, algorithm), cells) in partitions(report) {
            let cpu = report.facts.machine.cpu.as_deref();
            let mut folder = self.folder.join(MEASUREMENTS);
            for (key, value) in [("cpu", cpu), ("text", Some(&*text)), (ALGORITHM, Some(algorithm))] {
                folder.push(format!("{key}={}", partition_value(value)));
            }
            let file = self.file(&folder, &name, columns.all.clone(), |writer| {
                columns.write(report, &cells, writer, &wrote)
            })?;
            files.push(file);
        }
        let (columns, row): (Vec<RowColumn>, Vec<String>) =
            run_facts(report)?.into_iter().map(|(name, kind, cell)| (column(name, kind), cell)).unzip();
        let run = self.file(&self.folder.join(RUNS), &name, columns, |writer| {
            writer.row(row.iter().map(String::as_bytes))
        })?;
        let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_owned()).collect();
        files.into_iter().try_for_each(CompleteOutput::publish)?;
        self.remove_others(&name, &paths)?;
        run.publish()?;
        Ok(paths.len())
    }

    /// A complete file without its name.
    fn file(
        &self,
        folder: &Path,
        name: &str,
        columns: Vec<RowColumn>,
        fill: impl FnOnce(&mut RowWriter<BufWriter<Output>>) -> Result<()>,
    ) -> Result<CompleteOutput> {
        let output = Output::in_folder(folder, name)?;
        let write = || {
            let mut writer = RowWriter::new(self.format, BufWriter::new(output), columns)?;
            fill(&mut writer)?;
            let file = writer.finish()?;
            file.into_inner().map_err(|error| Error::io("write", &folder.join(name), error.error()))
        };
        write().map_err(|error| error.within(&folder.join(name)))?.complete()
    }

    /// Removes files of this name with rows that an earlier export of the run wrote, and that the run no
    /// longer has.
    fn remove_others(&self, name: &str, written: &[PathBuf]) -> Result<()> {
        let mut folders = vec![self.folder.canonicalize().unwrap_or_default().join(MEASUREMENTS)];
        let written: Vec<PathBuf> = written.iter().filter_map(|path| path.canonicalize().ok()).collect();
        for _ in ["cpu", "text", ALGORITHM] {
            let inner = folders.iter().flat_map(fs::read_dir).flatten().flatten();
            folders = inner.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        }
        let found = folders.into_iter().map(|folder| folder.join(name));
        for path in found.filter(|path| path.exists() && !written.contains(path)) {
            fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
        }
        Ok(())
    }
}

/// The cells of each file: by text and algorithm.
fn partitions(report: &Report) -> BTreeMap<(String, &str), Vec<&RawCell>> {
    let mut partitions: BTreeMap<_, Vec<&RawCell>> = BTreeMap::new();
    for cell in report.rawdata().cells() {
        let key = (text_name(&report.facts, cell.range), cell.algorithm.as_str());
        partitions.entry(key).or_default().push(cell);
    }
    partitions
}

/// The name of the text at a range value: those of its files without their folders, because the same text has
/// the same name on each machine.
fn text_name(facts: &ExperimentFacts, value: u64) -> String {
    let text = facts.at(value).map_or(&facts.text, |at| &at.text);
    let of_calls = facts.calls.iter().filter(|call| call.call == Call::Search).flat_map(|call| &call.text);
    let mut names: Vec<&str> = Vec::new();
    for source in text.sources.iter().chain(of_calls) {
        let name = Path::new(source).file_name().and_then(|name| name.to_str()).unwrap_or(source);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join("+")
}

/// The value of a partition, as the name of a folder has it.
fn partition_value(value: Option<&str>) -> String {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return MISSING.to_owned() };
    let mut name = String::new();
    for letter in value.chars() {
        let letter = encoded(letter.encode_utf8(&mut [0; 4]));
        if name.len() + letter.len() > LONGEST_VALUE {
            return name + "..";
        }
        name += &letter;
    }
    name
}

/// A text with every byte in percent-encoding that is not a letter, a digit or one of `-_.~`.
fn encoded(text: &str) -> String {
    let mut name = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            name.push(byte.into());
        } else {
            write!(name, "%{byte:02X}").expect("a text can be written");
        }
    }
    name
}

fn column(name: &str, kind: ValueKind) -> RowColumn {
    RowColumn { name: name.to_owned(), kind }
}

/// The columns of the files of a run.
struct RunColumns {
    all: Vec<RowColumn>,
    /// The places in a line of the columns after the [`LEADING`] ones; `None` if the run lacks a column.
    places: Vec<Option<usize>>,
    /// The place of the round in a line; `None` for a run of an early version.
    round: Option<usize>,
    /// The number of cells of a line.
    width: usize,
}

impl RunColumns {
    /// First the columns that every run has or could have, then those of counters, of single calls and of
    /// extra fields, which are named by the run.
    fn new(report: &Report) -> Self {
        let header = report.rawdata().header();
        let standard =
            fixed().chain(instrumented()).filter(|name| ![ALGORITHM, PATTERN_LENGTH].contains(name));
        let mut names: Vec<&str> = standard.collect();
        names.push(NODE);
        let range = report.facts.over().column();
        let others = header.iter().map(String::as_str);
        names.extend(
            others.filter(|name| !is_standard(name) && ![range, NODE].contains(name) && !KEYS.contains(name)),
        );
        let place = |name: &&str| header.iter().position(|other| other == name);
        let leading = LEADING.map(|(name, kind)| column(name, kind));
        RunColumns {
            places: names.iter().map(place).collect(),
            all: leading.into_iter().chain(names.iter().map(|name| column(name, kind(name)))).collect(),
            round: header.iter().position(|name| name == ROUND),
            width: header.len(),
        }
    }

    /// Writes the rows of some cells in the order in which they were measured.
    fn write<W: std::io::Write + Send>(
        &self,
        report: &Report,
        in_file: &[&RawCell],
        writer: &mut RowWriter<W>,
        wrote: impl Fn(usize),
    ) -> Result<()> {
        let raw = report.rawdata();
        let of_cell =
            |cell: &&RawCell| raw.lines_of(cell).map(|lines| (lines, cell.range)).collect::<Vec<_>>();
        let mut all: Vec<(Lines, u64)> = in_file.iter().flat_map(of_cell).collect();
        all.sort_unstable_by_key(|(lines, _)| lines.offset);
        for (lines, value) in all {
            let facts = &report.facts;
            let mut leading: [String; LEADING.len()] = [
                facts.id.clone(),
                raw.parts.part_of(lines.offset).to_string(),
                String::new(),
                facts.over().column().to_owned(),
                value.to_string(),
                facts.pattern_length(value).to_string(),
                facts.searched_bytes(value).to_string(),
            ];
            for line in raw.text_of(lines)?.split_inclusive(|byte| *byte == b'\n') {
                let line: Vec<&[u8]> = cells(complete(line).unwrap_or_default()).collect();
                if line.len() != self.width {
                    return Err(Error::new("the measurements were changed while they were read")
                        .remedy("repeat the command once nothing writes to the run"));
                }
                let round = self.round.and_then(|round| str::from_utf8(line[round]).ok()?.parse().ok());
                leading[2] = cell(round.map(|round| raw.parts.number(lines.offset, value, round)));
                let cell = |place: &Option<usize>| place.map_or(&b""[..], |place| line[place]);
                writer.row(leading.iter().map(String::as_bytes).chain(self.places.iter().map(cell)))?;
            }
            wrote(lines.count as usize);
        }
        Ok(())
    }
}

/// The kind of a column of `measurements.csv`. Counters and extra fields may have decimals.
fn kind(name: &str) -> ValueKind {
    if [STATUS, CLOCK, NODE].contains(&name) {
        ValueKind::Text
    } else if !DERIVED.contains(&name) && (is_standard(name) || is_time(name)) {
        ValueKind::Whole
    } else {
        ValueKind::Number
    }
}

/// The facts of a run: name, kind and cell of each column. The columns are the same for all runs.
fn run_facts(report: &Report) -> Result<Vec<(&'static str, ValueKind, String)>> {
    let facts = &report.facts;
    let (machine, noise, definition) = (&facts.machine, &facts.noise, facts.definition.as_ref());
    let floor = match facts.has_times() {
        true => Some(floor(report.null(Some(Call::Search))?.as_ref(), Some(Call::Search))),
        false => None,
    };
    let whole = |name, value: Option<usize>| (name, ValueKind::Whole, cell(value));
    let number = |name, value: Option<f64>| (name, ValueKind::Number, cell(value));
    let text = |name, value: Option<String>| (name, ValueKind::Text, cell(value));
    let times = |name, value: Option<u64>| (name, ValueKind::Whole, cell(value));
    Ok(vec![
        text("run", Some(facts.id.clone())),
        text("began", facts.parts.first().map(|part| part.began.clone())),
        text("description", definition.map(|experiment| experiment.description.clone())),
        text("cpu", machine.cpu.clone()),
        text("architecture", Some(machine.architecture.clone())),
        text("kernel", Some(machine.kernel.clone())),
        whole("cpus", Some(machine.cpus)),
        whole("cpu_number", facts.cpu),
        times("memory_bytes", machine.memory_bytes),
        number("core_hz", machine.core_hz),
        number("tsc_hz", machine.tsc_hz),
        text("governor", noise.governor.clone()),
        text("assay", Some(machine.assay.clone())),
        text("compiler", Some(machine.compiler.clone())),
        text("optimised", Some(machine.optimised.to_string())),
        text("text", Some(text_name(facts, facts.values().first().copied().unwrap_or_default()))),
        text("text_sources", Some(facts.texts_in_words())),
        whole("text_bytes", Some(facts.text.bytes)),
        text("text_sha256", Some(facts.text.sha256.clone())),
        whole("alphabet", Some(facts.text.alphabet)),
        number("entropy_bits_per_byte", Some(facts.text.entropy_bits_per_byte)),
        text("seed", Some(facts.seed.to_string())),
        text(
            "stats",
            serde_json::to_value(facts.stats).ok().and_then(|name| Some(name.as_str()?.to_owned())),
        ),
        text("range_over", Some(facts.over().column().to_owned())),
        whole("repetitions", definition.map(|experiment| experiment.runs)),
        whole("rounds", definition.map(|experiment| experiment.rounds)),
        text("measuring_order", definition.map(|experiment| experiment.order.name().to_owned())),
        whole("warmup", definition.map(|experiment| experiment.warmup)),
        text("cold", definition.map(|experiment| experiment.cold.to_string())),
        text("launcher", Some(facts.launcher.join(" "))),
        times("threads", Some(facts.threads.into())),
        whole("parts", Some(facts.parts.len()).filter(|parts| *parts > 0)),
        text("interrupted", Some(facts.interrupted.to_string())),
        whole("measured_rows", Some(report.rawdata().len())),
        number("noise_floor", floor),
        number("clock_floor_ns", noise.floor_ns),
        times("reference_fast_ns", noise.reference_fast_ns),
        times("reference_slow_ns", noise.reference_slow_ns),
        times("throughput_ns", noise.throughput_ns),
    ])
}

/// The cell of a value; empty if it is missing.
fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::with_columns;
    use super::*;

    /// All files below a folder, by their paths in it.
    fn files(folder: &Path) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(inner).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(folder).unwrap().display().to_string();
                    files.insert(name, fs::read_to_string(path).unwrap());
                }
            }
        }
        files
    }

    fn dataset(folder: &Path) -> Dataset {
        Dataset::new(folder.to_owned(), OutputFormat::Csv).unwrap()
    }

    #[test]
    fn each_algorithm_has_a_file_and_the_run_has_one() {
        let folder = tempfile::tempdir().unwrap();
        let rows = "a,8,0,ok,3,1,22,23,7,0\nb@2,8,0,ok,3,1,9,10,,0\na,8,1,timed_out,,,,,,1\n";
        let mut report = with_columns(",tsc:cycles,round", rows).unwrap();
        report.facts.machine.cpu = Some("CPU 1/2".to_owned());
        report.facts.text.sources = vec!["/far/away/x y".to_owned()];
        assert_eq!(dataset(folder.path()).add(&report, |_| ()).unwrap(), 2);
        let found = files(folder.path());
        let run = &report.facts.id;
        let file = |algorithm: &str| {
            found[&format!("measurements/cpu=CPU%201%2F2/text=x%20y/algorithm={algorithm}/{run}.csv")].clone()
        };
        let mut lines = csv::Reader::from_reader(file("a").as_bytes().to_vec().leak() as &[u8]);
        let header = lines.headers().unwrap().clone();
        let of_rows: Vec<csv::StringRecord> = lines.records().collect::<Result<_, _>>().unwrap();
        let cells = |name: &str| {
            let place = header.iter().position(|other| other == name).unwrap();
            of_rows.iter().map(|row| row[place].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(cells("run"), [run.as_str(), run]);
        assert_eq!(
            (cells("status"), cells("search_ns")),
            (vec!["ok".into(), "timed_out".into()], vec!["22".into(), String::new()])
        );
        assert_eq!((cells("tsc:cycles")[0].as_str(), cells("jumps")[0].as_str()), ("7", ""));
        assert_eq!(
            (cells("range_over")[0].as_str(), cells("range_value")[0].as_str()),
            ("pattern_length", "8")
        );
        assert_eq!((cells("text_bytes")[0].as_str(), cells("part")[0].as_str()), ("1000", "1"));
        assert!(!header.iter().any(|name| name == "algorithm") && file("b%402").lines().count() == 2);
        assert_eq!(found[&format!("runs/{run}.csv")].lines().count(), 2);
        assert_eq!(found.len(), 3, "no temporary file is left");
    }

    #[test]
    fn a_run_replaces_its_own_files_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut report = with_columns("", "a,8,0,ok,3,1,22,23\nb,8,0,ok,3,1,9,10\n").unwrap();
        dataset(folder.path()).add(&report, |_| ()).unwrap();
        let id = std::mem::replace(&mut report.facts.id, "another".to_owned());
        dataset(folder.path()).add(&report, |_| ()).unwrap();
        let before = files(folder.path());
        assert_eq!(before.len(), 6);
        let mut less = with_columns("", "a,8,0,ok,3,1,33,34\n").unwrap();
        less.facts.id = id;
        dataset(folder.path()).add(&less, |_| ()).unwrap();
        let after = files(folder.path());
        assert_eq!(after.len(), 5, "{:?}", after.keys());
        let same = after.iter().filter(|(name, text)| before.get(*name) == Some(text)).count();
        assert_eq!(same, 3, "those of the other run, and the facts of this one apart from its rows");
    }

    #[test]
    fn a_dataset_has_one_format() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path()).add(&with_columns("", "a,8,0,ok,3,1,22,23\n").unwrap(), |_| ()).unwrap();
        let error = Dataset::new(folder.path().to_owned(), OutputFormat::Parquet).unwrap_err().to_string();
        assert!(error.contains("is csv") && error.contains("`--format csv`"), "{error}");
    }

    #[test]
    fn names_of_partitions_are_names_of_folders() {
        assert_eq!(partition_value(Some("a b/ü=+%")), "a%20b%2F%C3%BC%3D%2B%25");
        assert_eq!((partition_value(None).as_str(), partition_value(Some("")).as_str()), (MISSING, MISSING));
        let long = partition_value(Some(&"ü".repeat(300)));
        assert!(long.len() <= LONGEST_VALUE + 2 && long.ends_with("%C3%BC.."), "{long}");
    }
}

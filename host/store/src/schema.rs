//! A run as `report.json` holds it and `run --format json` prints it: written by a run, read by a report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::text_file;
use assay_counting::sets::EventSet;
use assay_doctor::CheckRecord;
use assay_experiment::Resolved;
use assay_experiment::counters::BackendCounters;
use assay_experiment::definition::{Experiment, Stats};
use assay_experiment::text::TextFacts;
use assay_load::plugin::printable;
use assay_load::process::sandbox::{self, Support};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::error::Category;

use super::cell::CellResult;
use super::gathered::GatheredFacts;
use super::noise::Noise;
use super::overall::OverallResult;
use super::parts::Part;
use super::provenance::{LibraryFacts, Machine};
use super::range::{CallFacts, RangeFacts};
use super::start::StartTimes;
use super::{AlgorithmStatus, Cell, CounterFacts, StartResult, seal};

/// The version of this form. Within one, fields are added and none is renamed.
pub const SCHEMA: u32 = 1;
/// The greatest size of `report.json`: four times that of 10^6 cells.
const MOST_BYTES: u64 = 4 << 30;

/// A run: what was measured where, and what came of it.
///
/// A report reads the experiment, and of each result which cell it is and what became of it. All figures are
/// computed from the rows: they are written for other programs, and never read.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Run {
    /// Version of this form.
    pub schema: u32,
    /// What was measured, and where.
    pub experiment: ExperimentFacts,
    /// The results: one for each algorithm and pattern length (or other range value) whose measurement began.
    pub results: Vec<CellResult>,
    /// The starts of workers, which no other figure includes: one entry for each algorithm whose workers
    /// reported them.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<StartResult>,
    /// The comparison of the algorithms over all pattern lengths; empty if there are no times to compare.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub overall: Vec<OverallResult>,
    /// SHA-256 of the saved file without this field, in hexadecimal.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What was measured, and where.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ExperimentFacts {
    /// Name of the run.
    pub id: String,
    /// Whether it ended early: by the user, or because its journal could not be written.
    pub interrupted: bool,
    /// The seed, which decides everything that is drawn at random.
    pub seed: u64,
    /// `perf` or `algo`.
    pub stats: Stats,
    /// The text.
    pub text: TextFacts,
    /// Number of threads that searched; the greatest where it varies.
    pub threads: u32,
    /// The range, if something else than the pattern length varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeFacts>,
    /// The calls of a repetition, in order, if they are more than one preparation and one search of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallFacts>,
    /// The machine and the programs.
    pub machine: Machine,
    /// Number of the CPU of the workers; `null` if the system chose it, or if the run did not record it.
    #[serde(default)]
    pub cpu: Option<usize>,
    /// The counters that were read around each call.
    pub counters: Vec<CounterFacts>,
    /// The requested event sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event_sets: Vec<EventSet>,
    /// Whether the counts of an empty call were subtracted, on request; never in a saved run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overhead_subtracted: bool,
    /// What a report shows of the run, in words, if it does not show all; never in a file.
    #[serde(skip)]
    pub subset: Option<String>,
    /// The command with which a counter backend started the workers, if it has one. Then times are those of a
    /// simulation, and no ranks are computed from them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launcher: Vec<String>,
    /// The libraries of the algorithms.
    pub libraries: Vec<LibraryFacts>,
    /// Number of rows of `measurements.csv`, which shows whether rows were lost; `null` if the run did not
    /// end, or if an earlier version wrote it.
    #[serde(default)]
    pub rows: Option<usize>,
    /// CRC-32 of `patterns.csv`; `null` if the run did not end, or if an earlier version wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patterns_crc32: Option<u32>,
    /// The algorithms that had not passed `assay test` when they were measured; tables mark them with `*`, if
    /// others had. `null` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untested: Option<BTreeSet<String>>,
    /// How sure it is that each algorithm is the published one; tables mark those that are not from the paper
    /// or the authors' program with `†`. Algorithms whose library says nothing are left out; `null` if an
    /// earlier version wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statuses: Option<BTreeMap<String, AlgorithmStatus>>,
    /// The ids of this run that meant other algorithms before, each with the last version in which they did.
    /// An id that has changed and is missing here has its old meaning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changed_ids: BTreeMap<String, String>,
    /// Whether the machine was fit to measure when the run began: the checks of `assay doctor` that cost
    /// little. Empty if an earlier version wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckRecord>,
    /// The parts in which it was measured: one, unless it was resumed. Empty if an earlier version wrote it.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// What it was gathered from, if its parts are tasks of a campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gathered: Option<GatheredFacts>,
    /// What kept the algorithms from everything but computing, such as `landlock 7` and `seccomp`. Empty if
    /// nothing did; `null` if an earlier version wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Vec<String>>,
    /// What each figure includes.
    pub phases: Phases,
    /// The time that the run took.
    pub elapsed: Elapsed,
    /// Disturbances and other conditions during the run.
    #[serde(default)]
    pub noise: Noise,
    /// The experiment, so that it can be repeated; the same as `experiment.toml`. `null` if a later version
    /// wrote it and uses fields that this version does not know.
    #[serde(deserialize_with = "if_known")]
    pub definition: Option<Experiment>,
}

/// How long a run took, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Elapsed {
    /// Time to find text and patterns, and to count occurrences with the reference search: in all parts.
    pub set_up_s: f64,
    /// Time from the start of the first worker to the last measurement, without the reference counts between
    /// them: the sum over the parts.
    pub measuring_s: Option<f64>,
}

/// What each time and each count includes, in words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Phases {
    /// The time of the preparation.
    pub prepare_ns: String,
    /// The time of the search.
    pub search_ns: String,
    /// The time of both.
    pub total_ns: String,
    /// The times of the start of each worker.
    #[serde(flatten)]
    pub starts: StartTimes<String>,
    /// Counters.
    pub counters: String,
    /// What no time includes.
    pub not_included: String,
}

impl Phases {
    fn new() -> Self {
        let text = str::to_owned;
        Phases {
            prepare_ns: text(
                "one preparation of the pattern, by CLOCK_MONOTONIC; as the algorithm took it itself where `clock` is `own`",
            ),
            search_ns: text(
                "one search of the whole text for the prepared pattern, by CLOCK_MONOTONIC (the sum, where a repetition has \
                 several calls; of several threads, until the last is done); as the algorithm took it itself where `clock` is `own`",
            ),
            total_ns: text(
                "both calls of the same repetition, by CLOCK_MONOTONIC: prepare_ns + search_ns, if these are the host's",
            ),
            starts: StartTimes {
                load_ns: text(
                    "once in each worker: opening the algorithm's library (dlopen), comparing its ABI, and asking it what it brings",
                ),
                initialise_ns: text(
                    "once in each worker, from there to the first repetition: making the searcher, mapping the text and fitting it \
                 to what the algorithm needs, opening and starting the counters",
                ),
                first_prepare_ns: text(
                    "once in each worker: the preparation before the first search, taken as prepare_ns",
                ),
                first_search_ns: text(
                    "once in each worker: its first search, before any warm-up, taken as search_ns; it is no repetition, and in no \
                 other figure, unless the algorithm has a process for each pattern, and so first searches alone",
                ),
                read_back_ns: text(
                    "once in each worker: from the end of its first search until the counters around it, and what the algorithm \
                 tells of itself, are read",
                ),
            },
            counters: text(
                "difference of two readings around the search (prepare_counters: around the preparation), with the cost \
                 of one reading of its own backend, of two of the clock, and of two of each backend that is cheaper to \
                 read; around both together where `clock` is `own`",
            ),
            not_included: text(
                "in times: loading the library, starting the worker, reading counters, warm-up repetitions",
            ),
        }
    }
}

impl ExperimentFacts {
    /// Whether the instrumented twins were run, whose times say nothing about the algorithms.
    pub fn instrumented(&self) -> bool {
        self.stats == Stats::Algo
    }

    /// Whether the times say something about the algorithms on this machine.
    pub fn has_times(&self) -> bool {
        !self.instrumented() && self.launcher.is_empty()
    }

    /// Whether the start of each worker was timed, which only a process of its own has.
    pub fn times_starts(&self) -> bool {
        self.has_times() && self.definition.as_ref().is_none_or(|definition| !definition.in_process)
    }
}

/// The parts of the sandbox in which the algorithms run. There is none in the host and in a simulator.
fn sandbox_parts(resolved: &Resolved) -> Vec<String> {
    let outside = resolved.experiment.in_process || resolved.launch.is_some();
    if outside || !sandbox::policy().enabled { Vec::new() } else { Support::here().parts() }
}

impl Run {
    /// A run that has yet to measure something: until it is complete, it counts as interrupted.
    pub fn new(resolved: &Resolved, id: String, set_up_s: f64) -> Self {
        let texts = resolved.text_facts();
        Run {
            schema: SCHEMA,
            experiment: ExperimentFacts {
                id,
                interrupted: true,
                seed: resolved.seed,
                stats: resolved.experiment.stats,
                text: texts[&resolved.points[0].text()].clone(),
                threads: resolved.points.iter().map(|point| point.threads as u32).max().unwrap_or(1),
                range: RangeFacts::new(resolved, &texts),
                calls: CallFacts::all(resolved),
                machine: Machine::with_caches(resolved.cpu),
                cpu: resolved.cpu,
                counters: resolved.counters.iter().flat_map(counter_facts).collect(),
                event_sets: resolved.event_sets.clone(),
                overhead_subtracted: false,
                subset: None,
                launcher: resolved.launch.as_ref().map_or_else(Vec::new, |launch| launch.command().to_vec()),
                libraries: LibraryFacts::all(resolved),
                rows: None,
                patterns_crc32: None,
                untested: None,
                statuses: Some(AlgorithmStatus::all(resolved)),
                changed_ids: BTreeMap::new(),
                checks: Vec::new(),
                parts: vec![Part::begin()],
                gathered: None,
                sandbox: Some(sandbox_parts(resolved)),
                phases: Phases::new(),
                elapsed: Elapsed { set_up_s, measuring_s: None },
                noise: Noise::before(resolved.cpu),
                definition: Some(resolved.experiment.clone()),
            },
            results: Vec::new(),
            starts: Vec::new(),
            overall: Vec::new(),
            sha256: None,
        }
    }

    /// Adds what became of the cells, and of the run, whose journal has this number of rows and whose last
    /// part has measured for this time. Cells that were never begun are left out.
    pub fn end(
        &mut self,
        resolved: &Resolved,
        cells: &[Cell<'_>],
        interrupted: bool,
        noise: Noise,
        measuring_s: f64,
        rows: usize,
    ) {
        self.experiment.rows = Some(rows);
        self.experiment.interrupted = interrupted;
        if let Some(part) = self.experiment.parts.last_mut() {
            part.end(measuring_s);
        }
        self.experiment.elapsed.measuring_s = Some(self.experiment.parts_measuring_s());
        let resumed = self.experiment.parts.len() > 1;
        self.experiment.noise = if resumed { noise.after(&self.experiment.noise) } else { noise };
        let begun = cells.iter().filter(|cell| cell.was_begun());
        self.results = begun.map(|cell| CellResult::outcome(cell, resolved)).collect();
    }

    /// Reads `report.json`. What a later version added to it is passed over, and its texts are made
    /// printable: anybody may have written them.
    ///
    /// # Errors
    /// If the file can't be read, or holds something else or a later form.
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |error| Error::io("read", path, &error);
        // A pipe would never end.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(Error::new(format!("`{}` is not a file", path.display()))
                .remedy("name the folder of a saved run"));
        }
        let text = text_file::read(path, MOST_BYTES)?;
        seal::check(&text).map_err(|error| error.within(path))?;
        let other = |error: serde_json::Error| {
            Error::new(format!("`{}` does not hold the results of a run: {}", path.display(), fault(&error)))
                .remedy("restore it from a copy; `measurements.csv` beside it has the measurements")
        };
        let Form { schema } = serde_json::from_str(&text).map_err(other)?;
        if let Some(schema) =
            schema.and_then(|schema| schema.as_u64()).filter(|form| *form != u64::from(SCHEMA))
        {
            return Err(Error::new(format!("`{}` has format {schema}, not {SCHEMA}", path.display()))
                .remedy("read it with the version of assay that wrote it"));
        }
        if printable::is_json_of_lines(&text) {
            return serde_json::from_str(&text).map_err(other);
        }
        // A tree of values needs ten times the memory of the run, so only an unusual file is read by way of
        // it.
        let mut json: Value = serde_json::from_str(&text).map_err(other)?;
        printable::lines(&mut json);
        // A value has no place in the file, so the text is read again for the line of the error.
        serde_json::from_value(json)
            .map_err(|error| other(serde_json::from_str::<Run>(&text).err().unwrap_or(error)))
    }
}

/// What is wrong with the content of a file, in words about the file.
fn fault(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let field = message.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
    let fault = match (error.classify(), field) {
        (Category::Data, Some((field, _))) => format!("the field `{field}` is missing"),
        (Category::Data, None) => "a value is not one that a run writes".to_owned(),
        (Category::Eof, _) => "it ends in the middle".to_owned(),
        (Category::Syntax | Category::Io, _) => "this is not JSON".to_owned(),
    };
    match error.line() {
        // A value that was read already has no place.
        0 => fault,
        line => format!("line {line}, column {}: {fault}", error.column()),
    }
}

/// The beginning of each form.
#[derive(Deserialize)]
struct Form {
    schema: Option<Value>,
}

fn if_known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Experiment>, D::Error> {
    let definition = Value::deserialize(deserializer)?;
    Ok(Experiment::deserialize(definition).ok())
}

fn counter_facts(group: &BackendCounters) -> impl Iterator<Item = CounterFacts> + '_ {
    group.names().zip(&group.events).map(|(name, event)| CounterFacts::new(name, event))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn read(text: &str) -> Result<Run> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        std::fs::write(&path, text).unwrap();
        Run::read(&path)
    }

    #[test]
    fn a_report_reads_what_a_run_writes_but_for_its_figures() {
        let mut run = testing::run();
        let example = testing::cell();
        run.results = vec![example.clone()];
        let facts = CellResult {
            algorithm: example.algorithm,
            variant: example.variant,
            library: example.library,
            pattern_length: example.pattern_length,
            ..CellResult::default()
        };
        let read = read(&serde_json::to_string(&run).unwrap()).unwrap();
        assert_eq!(read, Run { results: vec![facts], ..run }, "figures are not read");
    }

    #[test]
    fn what_a_later_version_added_is_passed_over() {
        let run = testing::run();
        let mut json = serde_json::to_value(&run).unwrap();
        for place in ["", "/experiment", "/experiment/text", "/experiment/machine"] {
            json.pointer_mut(place).unwrap()["added_later"] = 1.into();
        }
        assert_eq!(read(&json.to_string()).unwrap(), run);
        json["experiment"]["definition"]["added_later"] = 1.into();
        assert_eq!(read(&json.to_string()).unwrap().experiment.definition, None);
    }

    #[test]
    fn no_text_of_a_file_moves_the_cursor() {
        let mut run = testing::run();
        run.experiment.machine.cpu = Some("a\x1b[2Jb\n".to_owned());
        let read = read(&serde_json::to_string(&run).unwrap()).unwrap();
        assert_eq!(read.experiment.machine.cpu.as_deref(), Some("ab "));
    }

    #[test]
    fn what_is_no_run_or_a_later_form_is_refused_by_name() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert!(message("{").contains("report.json` does not hold the results of a run"));
        let missing = message("{\"schema\":1,\n\"experiment\":{}}");
        assert!(
            missing.contains("line 2, column ") && missing.contains("the field `id` is missing"),
            "{missing}"
        );
        assert!(message(r#"{"schema":2,"results":"of another form"}"#).contains("has format 2, not 1"));
    }

    /// `UPDATE_SCHEMA=1 cargo test -p assay report_schema` writes the file anew.
    #[test]
    fn the_published_report_schema_is_that_of_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/report.schema.json");
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<Run>();
        let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &schema).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(published == schema, "docs/src/report.schema.json is old: set UPDATE_SCHEMA=1 for this test");
    }
}

//! The results: statistics of what was measured, in the form of the JSON that `run` prints.

use assay_plugin_api::Field;
use serde::Serialize;

use crate::experiment::counters::Group;
use crate::experiment::definition::{Experiment, Stats};
use crate::experiment::text::TextFacts;
use crate::measure::plan::{LibraryFacts, Plan};
use crate::measure::worker::{Measured, Row};
use crate::results::CounterFacts;
use crate::results::figures::Figures;
use crate::results::outcome::{Cell, DERIVED, Outcomes, Status};
use crate::results::provenance::Machine;
use crate::results::summary::Summary;

/// What `run --format json` prints, and `report.json` holds.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Version of this form.
    pub schema: u32,
    /// What was measured, and where.
    pub experiment: ExperimentFacts,
    /// What came of it.
    pub results: Vec<CellResult>,
}

/// What was measured, and where.
#[derive(Debug, Serialize)]
pub struct ExperimentFacts {
    /// Name of the run.
    pub id: String,
    /// Whether it ended early: by the user, or because its journal could not be written.
    pub interrupted: bool,
    /// Decides everything that was drawn.
    pub seed: u64,
    /// `perf` or `algo`.
    pub stats: Stats,
    /// The text.
    pub text: TextFacts,
    /// The machine and the programs.
    pub machine: Machine,
    /// The counters that were read around each phase.
    pub counters: Vec<CounterFacts>,
    /// The libraries of the algorithms.
    pub libraries: Vec<LibraryFacts>,
    /// What each figure includes.
    pub phases: Phases,
    /// How long the run itself took.
    pub elapsed: Elapsed,
    /// The experiment as it can be repeated.
    pub definition: Experiment,
}

/// How long a run took, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elapsed {
    /// Finding libraries, text and patterns, and counting occurrences with the trusted search.
    pub set_up_s: f64,
    /// From the first worker's start to the last measurement.
    pub measuring_s: Option<f64>,
}

/// What each figure of time includes.
#[derive(Debug, Serialize)]
pub struct Phases {
    prepare_ns: &'static str,
    search_ns: &'static str,
    total_ns: &'static str,
    counters: &'static str,
    not_included: &'static str,
}

const PHASES: Phases = Phases {
    prepare_ns: "one preparation of the pattern, by CLOCK_MONOTONIC",
    search_ns: "one search of the whole text for the prepared pattern, by CLOCK_MONOTONIC",
    total_ns: "prepare_ns + search_ns of the same repetition",
    counters: "difference of two readings around the search (prepare_counters: around the preparation), with the cost of \
               one reading of its own backend, of two of the clock, and of two of each backend that is cheaper to read",
    not_included: "in times: loading the library, starting the worker, reading counters, warm-up repetitions",
};

/// One algorithm with patterns of one length.
#[derive(Debug, Serialize)]
pub struct CellResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Id of what was run: with `--stats algo`, that of the instrumented variant.
    pub variant: String,
    /// Path of its library.
    pub library: String,
    /// Length of the patterns in bytes.
    pub pattern_length: usize,
    /// Whether it can be compared.
    pub status: Status,
    /// Why not.
    pub message: Option<String>,
    /// Number of repetitions that were measured and found right.
    pub repetitions: usize,
    /// Occurrences that they found, in all; `null` if there are none.
    pub occurrences: Option<u64>,
    /// Nanoseconds; `null` for instrumented algorithms, and where the status is not `ok`.
    pub prepare_ns: Option<Summary>,
    /// Nanoseconds.
    pub search_ns: Option<Summary>,
    /// Nanoseconds.
    pub total_ns: Option<Summary>,
    /// Counters around the search.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub counters: Figures,
    /// Counters around the preparation.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub prepare_counters: Figures,
    /// Standard measurements and what is derived from them.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub stats: Figures,
    /// Extra fields.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub extra: Figures,
}

impl Report {
    /// The report of a run that has yet to measure something: until it is complete, it counts as interrupted.
    pub fn new(plan: &Plan, id: String, set_up_s: f64) -> Self {
        Report {
            schema: 1,
            experiment: ExperimentFacts {
                id,
                interrupted: true,
                seed: plan.seed,
                stats: plan.experiment.stats,
                text: plan.text.facts(),
                machine: Machine::here(),
                counters: plan.counters.iter().flat_map(counter_facts).collect(),
                libraries: plan.libraries(),
                phases: PHASES,
                elapsed: Elapsed { set_up_s, measuring_s: None },
                definition: plan.experiment.clone(),
            },
            results: Vec::new(),
        }
    }

    /// Puts the results together. Cells that were never begun are left out.
    pub fn complete(&mut self, plan: &Plan, outcomes: &Outcomes, measuring_s: f64) {
        self.experiment.interrupted = outcomes.interrupted;
        self.experiment.elapsed.measuring_s = Some(measuring_s);
        for (set, patterns) in plan.sets.iter().enumerate() {
            for (algorithm, cells) in outcomes.cells.iter().enumerate() {
                let cell = &cells[set];
                if cell.rows.is_empty() && cell.status == Status::Ok {
                    continue;
                }
                self.results.push(cell_result(plan, algorithm, patterns.length, cell));
            }
        }
    }
}

impl CellResult {
    /// Every quantity that was measured, with its statistics.
    pub fn quantities(&self) -> impl Iterator<Item = (String, Summary)> {
        let times =
            [("prepare_ns", self.prepare_ns), ("search_ns", self.search_ns), ("total_ns", self.total_ns)];
        let times = times.into_iter().filter_map(|(name, summary)| Some((name.to_owned(), summary?)));
        let figures = self.counters.iter().chain(self.stats.iter()).chain(self.extra.iter());
        let figures = figures.filter_map(|(name, summary)| Some((name.to_owned(), *summary?)));
        let prepare = self.prepare_counters.iter();
        let prepare = prepare.filter_map(|(name, summary)| Some((format!("prepare:{name}"), *summary?)));
        times.chain(figures).chain(prepare)
    }
}

fn counter_facts(group: &Group) -> impl Iterator<Item = CounterFacts> + '_ {
    group.names().zip(&group.events).map(|(name, event)| CounterFacts::new(name, event))
}

fn cell_result(plan: &Plan, algorithm: usize, pattern_length: usize, cell: &Cell) -> CellResult {
    let chosen = &plan.algorithms[algorithm];
    let comparable = cell.status == Status::Ok;
    let instrumented = plan.experiment.stats == Stats::Algo;
    let summary = |value: &dyn Fn(&Row) -> Option<f64>| {
        // A quantity that is missing in one repetition has no statistics.
        let values: Option<Vec<f64>> = cell.rows.iter().map(|(_, row)| value(row)).collect();
        values.filter(|_| comparable).and_then(|values| Summary::of(&values))
    };
    let time = |value: fn(&Row) -> u64| summary(&|row| (!instrumented).then_some(value(row) as f64));
    let counter = |phase: fn(&Row, usize) -> Option<f64>| -> Figures {
        let names = plan.counter_names().into_iter().enumerate();
        names.map(|(i, name)| (name, summary(&|row| phase(row, i)))).collect()
    };
    let (mut stats, mut extra) = (Figures::default(), Figures::default());
    if instrumented {
        let n = plan.text.bytes.len();
        let measured = |value: &dyn Fn(&Measured) -> Option<f64>| {
            summary(&|row| row.measured.as_deref().and_then(value))
        };
        let field = |field: Field| {
            let value = measured(&|figures| figures.fields[field as usize].map(|value| value as f64));
            (field.name().to_owned(), value)
        };
        let derived = DERIVED.iter().enumerate();
        let derived =
            derived.map(|(i, name)| ((*name).to_owned(), measured(&|figures| figures.derived(n)[i])));
        stats = Field::ALL.map(field).into_iter().chain(derived).collect();
        let names = chosen.listing.extra.iter().enumerate();
        extra = names
            .map(|(i, name)| (name.clone(), measured(&|figures| figures.extra[i].map(|value| value as f64))))
            .collect();
    }
    CellResult {
        algorithm: chosen.id.clone(),
        variant: chosen.listing.id.clone(),
        library: chosen.listing.library.display().to_string(),
        pattern_length,
        status: cell.status,
        message: cell.message.clone(),
        repetitions: cell.rows.len(),
        occurrences: (!cell.rows.is_empty()).then(|| cell.rows.iter().map(|(_, row)| row.occurrences).sum()),
        prepare_ns: time(|row| row.prepare_ns),
        search_ns: time(|row| row.search_ns),
        total_ns: time(Row::total_ns),
        counters: counter(|row, i| row.counts[i].search),
        prepare_counters: counter(|row, i| row.counts[i].prepare),
        stats,
        extra,
    }
}

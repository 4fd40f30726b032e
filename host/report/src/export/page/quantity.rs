//! The quantities that a page shows, in the order in which it offers them.

use std::borrow::Cow;

use assay_base::columns::{self, Call, DERIVED};
use assay_plugin_api::Semantics;
use assay_stats::Summary;
use assay_store::noise::Noise;
use assay_store::null::floor;
use assay_store::range::CallFacts;
use assay_store::rank::Rank;
use assay_store::{CellResult, CounterFacts, ExperimentFacts, Run, Status};

use super::calls;
use super::grid::Grid;
use crate::export::marks::{self, mark};
use crate::wording;

/// A quantity, of which there are statistics for each algorithm and value of the range.
pub(super) struct PageQuantity<'a> {
    pub name: String,
    pub unit: &'a str,
    /// Under which heading it is offered.
    pub group: &'static str,
    /// What it stands for.
    pub about: Cow<'a, str>,
    /// How many units of the results make one unit here.
    pub scale: f64,
    source: FigureSource<'a>,
}

/// Where a result has the statistics of a quantity.
#[derive(Clone, Copy)]
enum FigureSource<'a> {
    /// Of a call, or of all together.
    Time(Option<Call>),
    /// Of one of several calls of a kind.
    EachCall,
    Counter(Call, &'a str, Option<&'a CounterFacts>),
    SetMetric(&'a str),
    Field(&'a str),
    Extra(&'a str),
}

const SEARCH_ALONE: &str = "Preparing the pattern is not included.";

impl<'a> PageQuantity<'a> {
    /// The quantities that the run measured. Times of an instrumented run say nothing about the algorithms,
    /// and are left out; and so is what is 0 wherever it was counted.
    pub(super) fn all(run: &'a Run, grid: &Grid<'a>) -> Vec<Self> {
        let mut quantities = if run.experiment.instrumented() {
            PageQuantity::measurements(grid)
        } else {
            let experiment = &run.experiment;
            let calls = calls::shown(&experiment.calls).into_iter();
            let times = PageQuantity::times(run)
                .into_iter()
                .chain(calls.map(|call| PageQuantity::call(call, experiment)));
            let times = times.filter(|_| experiment.has_times());
            let counters = |call, names: Vec<&'a str>| {
                names.into_iter().map(move |name| PageQuantity::counter(call, name, run)).collect::<Vec<_>>()
            };
            let metrics = grid.names(|cell| &cell.set_metrics).into_iter();
            times
                .chain(counters(Call::Search, grid.names(|cell| &cell.counters)))
                .chain(metrics.map(|name| PageQuantity::set_metric(name, run)))
                .chain(counters(Call::Prepare, grid.names(|cell| &cell.prepare_counters)))
                .collect()
        };
        let counts = |quantity: &PageQuantity<'_>| {
            let mut figures = grid.ok().filter_map(|cell| quantity.summary(cell));
            figures.any(|summary| summary.min != 0.0 || summary.max != 0.0)
        };
        quantities.retain(counts);
        quantities
    }

    fn times(run: &Run) -> [Self; 3] {
        let (searches, preparing) = if run.experiment.calls.is_empty() {
            ("One search of the text.", "Preparing one pattern.")
        } else {
            ("All searches of a repetition.", "All preparations of a repetition.")
        };
        let time = |name: &str, call, about: &str| PageQuantity {
            name: name.to_owned(),
            // As in the tables of `run` and `report`.
            unit: "µs",
            group: "Time",
            about: about.to_owned().into(),
            scale: 1e3,
            source: FigureSource::Time(call),
        };
        [
            time("search time", Some(Call::Search), &format!("{searches} {SEARCH_ALONE}")),
            time(
                "preparation time",
                Some(Call::Prepare),
                &format!("{preparing} Searching the text is not included."),
            ),
            time("preparation and search time", None, "All that is prepared and searched in a repetition."),
        ]
    }

    /// The time of a call that is one of several of its kind, called and counted as its column.
    fn call(facts: &CallFacts, experiment: &ExperimentFacts) -> Self {
        let text = wording::text_of_call(experiment, facts);
        let what = match facts.call {
            Call::Prepare => format!("preparing the pattern before {text} is searched"),
            Call::Search => format!("searching {text}"),
        };
        PageQuantity {
            name: columns::call_time(&facts.name),
            about: format!("One call of each repetition: {what}.").into(),
            unit: "ns",
            group: "Time of each call",
            scale: 1.0,
            source: FigureSource::EachCall,
        }
    }

    fn counter(call: Call, name: &'a str, run: &'a Run) -> Self {
        let facts = run.experiment.counters.iter().find(|facts| facts.name == name);
        let about = match (facts, call) {
            (Some(facts), _) if facts.per_round => {
                "Counted around all repetitions of a round, with what lies between them, and divided by their number.".into()
            }
            (Some(facts), _) if facts.semantics == Semantics::Instant => {
                "A level, read when one search of the text had ended.".into()
            }
            (_, Call::Search) => format!("Counted during one search of the text. {SEARCH_ALONE}").into(),
            (_, Call::Prepare) => "Counted while one pattern was prepared.".into(),
        };
        let (name_here, group) = match call {
            Call::Search => (name.to_owned(), "Counters"),
            Call::Prepare => (format!("{name} of the preparation"), "Counters of the preparation"),
        };
        PageQuantity {
            name: name_here,
            unit: facts.map_or("", |facts| &facts.unit),
            group,
            about,
            scale: 1.0,
            source: FigureSource::Counter(call, name, facts),
        }
    }

    fn set_metric(name: &'a str, run: &'a Run) -> Self {
        let (set, own) = name.split_once('.').unwrap_or((name, ""));
        let set = run.experiment.event_sets.iter().find(|other| other.name == set);
        let metric = set.and_then(|set| set.metrics.iter().find(|metric| metric.name == own));
        let formula = metric.map_or_else(String::new, |metric| format!("{name} = {}. ", metric.formula));
        PageQuantity {
            name: name.to_owned(),
            unit: metric.map_or("", |metric| &metric.unit),
            group: "Event sets",
            about: format!("{formula}Computed of each search of the text. {SEARCH_ALONE}").into(),
            scale: 1.0,
            source: FigureSource::SetMetric(name),
        }
    }

    /// What tells most about an algorithm comes first, then the standard measurements, then the fields that
    /// algorithms added.
    fn measurements(grid: &Grid<'a>) -> Vec<Self> {
        let mut standard = grid.names(|cell| &cell.stats);
        standard.sort_by_key(|name| DERIVED.iter().position(|first| first == name).unwrap_or(DERIVED.len()));
        let standard = standard.into_iter().map(|name| (name, FigureSource::Field(name)));
        let extra = grid.names(|cell| &cell.extra).into_iter().map(|name| (name, FigureSource::Extra(name)));
        let measurement = |(name, source): (&'a str, FigureSource<'a>)| PageQuantity {
            // Its unit says it.
            name: name.trim_end_matches("_percent").replace('_', " "),
            unit: columns::unit(name),
            group: if matches!(source, FigureSource::Extra(_)) {
                "Fields of algorithms"
            } else {
                "Measurements"
            },
            about: match columns::meaning(name) {
                "" => "Counted by some algorithms alone, which name it so.".into(),
                meaning => format!("{}, of one search.", capitalised(meaning)).into(),
            },
            scale: 1.0,
            source,
        };
        standard.chain(extra).map(measurement).collect()
    }

    /// The statistics that a result has of it.
    pub(super) fn summary(&self, cell: &CellResult) -> Option<Summary> {
        if cell.status != Status::Ok {
            return None;
        }
        match self.source {
            FigureSource::Time(call) => cell.time(call),
            FigureSource::EachCall => cell.calls.get(&self.name).copied(),
            FigureSource::Counter(Call::Search, name, _) => cell.counters.get(name).copied(),
            FigureSource::Counter(Call::Prepare, name, _) => cell.prepare_counters.get(name).copied(),
            FigureSource::SetMetric(name) => cell.set_metrics.get(name).copied(),
            FigureSource::Field(name) => cell.stats.get(name).copied(),
            FigureSource::Extra(name) => cell.extra.get(name).copied(),
        }
    }

    /// Of which call it is a time, or of all together; `None` if it is none.
    pub(super) fn time(&self) -> Option<Option<Call>> {
        match self.source {
            FigureSource::Time(call) => Some(call),
            _ => None,
        }
    }

    /// Whether a longer text has more of it: a count, and no level.
    pub(crate) fn is_of_the_text(&self) -> bool {
        match self.source {
            FigureSource::Time(call) => call == Some(Call::Search),
            FigureSource::Counter(Call::Search, _, facts) => {
                facts.is_none_or(|facts| facts.semantics != Semantics::Instant)
            }
            _ => false,
        }
    }

    /// Where a result stands by it; nobody is ranked by what is no time.
    pub(super) fn rank(&self, cell: &CellResult) -> Rank {
        self.time().map(|call| *cell.ranks.get(call)).unwrap_or_default()
    }

    /// The mark that follows a figure.
    pub(super) fn mark(&self, cell: &CellResult, grid: &Grid<'_>) -> char {
        match self.source {
            FigureSource::Counter(call, _, Some(facts)) => marks::of_count(cell, facts, call),
            _ => mark(self.rank(cell), grid.is_alone()),
        }
    }

    /// What stands in the cells besides the figures, and is there.
    pub(super) fn legend(&self, grid: &Grid<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let ranked = grid.ok().filter(|cell| self.summary(cell).is_some());
        let ranks: Vec<Rank> = ranked.map(|cell| self.rank(cell)).collect();
        if grid.ok().filter_map(|cell| self.summary(cell)).any(|summary| half_width(summary).is_some()) {
            lines.push(
                "± half-width of the 95 % confidence interval of the median (from its rounds)".to_owned(),
            );
        }
        if let Some(call) = self.time() {
            let Noise { floor_ns, null, .. } = grid.noise;
            lines.extend(marks::legend(&ranks, grid.is_alone(), *floor_ns, floor(null.as_ref(), call)));
            lines.extend(null.as_ref().and_then(|null| null.words(call)));
        }
        if grid.ok().any(|cell| self.times_as_long(cell, grid).is_some()) {
            lines.push(
                "× times as long as the best takes: the mean over the rounds of the median ratio for the same pattern, which is not the \
                 ratio of the two medians shown"
                    .to_owned(),
            );
        }
        if let FigureSource::Counter(call, name, Some(facts)) = self.source {
            lines.extend(marks::coarse(grid.ok(), facts).filter(|_| call == Call::Search));
            let marked = grid.ok().any(|cell| cell.impossible.iter().any(|other| other == name));
            lines.extend(marked.then(|| marks::IMPOSSIBLE_COUNTS.to_owned()));
        }
        lines
    }

    /// How many times as long as the best one takes that is not among the best.
    pub(crate) fn times_as_long(&self, cell: &CellResult, grid: &Grid<'_>) -> Option<f64> {
        let rank = self.rank(cell);
        rank.standing.filter(|_| !rank.is_best() && !grid.is_alone()).map(|standing| standing.to_best.ratio)
    }
}

/// Half of the interval in percent; of a median of 0, no share is known.
pub(super) fn half_width(summary: Summary) -> Option<f64> {
    summary.ci95.map(|ci95| 100.0 * ci95.relative_half_width()).filter(|width| width.is_finite())
}

/// With a capital at its start.
pub(super) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

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
use crate::Undecided;
use crate::export::marks::{self, mark};
use crate::wording;

/// A quantity with statistics for each algorithm and value of the range.
pub(super) struct PageQuantity<'a> {
    pub name: String,
    pub unit: &'a str,
    /// The heading of the menu under which it is offered.
    pub group: &'static str,
    /// A description, in sentences.
    pub about: Cow<'a, str>,
    /// The number of units of the results that make one unit here.
    pub scale: f64,
    source: FigureSource<'a>,
}

/// The place of the statistics of a quantity in a result.
#[derive(Clone, Copy)]
enum FigureSource<'a> {
    /// The time of a kind of call, or of all together.
    Time(Option<Call>),
    /// The time of one of several calls of a kind.
    EachCall,
    Counter(Call, &'a str, Option<&'a CounterFacts>),
    SetMetric(&'a str),
    Field(&'a str),
    Extra(&'a str),
}

const SEARCH_ALONE: &str = "Preparing the pattern is not included.";

impl<'a> PageQuantity<'a> {
    /// The quantities that the run measured. The times of an instrumented run are left out, because they show
    /// the counting instead of the algorithms. Quantities that are 0 everywhere are left out, too.
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
            let counters = grid.names(|cell| &cell.counters).into_iter();
            let metrics = grid.names(|cell| &cell.set_metrics).into_iter();
            let prepare_counters = grid.names(|cell| &cell.prepare_counters).into_iter();
            times
                .chain(counters.map(|name| PageQuantity::counter(Call::Search, name, run)))
                .chain(metrics.map(|name| PageQuantity::set_metric(name, run)))
                .chain(prepare_counters.map(|name| PageQuantity::counter(Call::Prepare, name, run)))
                .collect()
        };
        quantities.retain(|quantity| {
            let mut figures = grid.ok().filter_map(|cell| quantity.summary(cell));
            figures.any(|summary| summary.min != 0.0 || summary.max != 0.0)
        });
        quantities
    }

    fn times(run: &Run) -> [Self; 3] {
        let (searches, preparing) = if run.experiment.calls.is_empty() {
            ("One search of the text.", "Preparing one pattern.")
        } else {
            ("All searches of a repetition.", "All preparations of a repetition.")
        };
        let preparing = format!("{preparing} Searching the text is not included.");
        let all = "All that is prepared and searched in a repetition.".to_owned();
        [
            Self::time_of("search time", Some(Call::Search), format!("{searches} {SEARCH_ALONE}")),
            Self::time_of("preparation time", Some(Call::Prepare), preparing),
            Self::time_of("preparation and search time", None, all),
        ]
    }

    /// The time of a kind of call, or of all together.
    fn time_of(name: &str, call: Option<Call>, about: String) -> Self {
        PageQuantity {
            name: name.to_owned(),
            // The same unit as in the tables of `run` and `report`.
            unit: "µs",
            group: "Time",
            about: about.into(),
            scale: 1e3,
            source: FigureSource::Time(call),
        }
    }

    /// The time of a call that is one of several of its kind, with the name and the unit of its column.
    fn call(facts: &CallFacts, experiment: &ExperimentFacts) -> Self {
        let text = wording::text_of_call(experiment, facts);
        let action = match facts.call {
            Call::Prepare => format!("preparing the pattern before {text} is searched"),
            Call::Search => format!("searching {text}"),
        };
        PageQuantity {
            name: columns::call_time(&facts.name),
            about: format!("One call of each repetition: {action}.").into(),
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
        let (title, group) = match call {
            Call::Search => (name.to_owned(), "Counters"),
            Call::Prepare => (format!("{name} of the preparation"), "Counters of the preparation"),
        };
        PageQuantity {
            name: title,
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

    /// The measurements of twins: first the derived ones, which say most about an algorithm, then the other
    /// standard ones, then the fields that algorithms added.
    fn measurements(grid: &Grid<'a>) -> Vec<Self> {
        let mut standard = grid.names(|cell| &cell.stats);
        standard.sort_by_key(|name| DERIVED.iter().position(|first| first == name).unwrap_or(DERIVED.len()));
        let standard = standard.into_iter().map(|name| (name, FigureSource::Field(name)));
        let extra = grid.names(|cell| &cell.extra).into_iter().map(|name| (name, FigureSource::Extra(name)));
        standard.chain(extra).map(|(name, source)| Self::measurement(name, source)).collect()
    }

    /// A measurement of twins.
    fn measurement(name: &'a str, source: FigureSource<'a>) -> Self {
        let is_extra = matches!(source, FigureSource::Extra(_));
        PageQuantity {
            // The unit shows that it is in percent.
            name: name.trim_end_matches("_percent").replace('_', " "),
            unit: columns::unit(name),
            group: if is_extra { "Fields of algorithms" } else { "Measurements" },
            about: match columns::meaning(name) {
                "" => "Counted by some algorithms alone, which name it so.".into(),
                meaning => format!("{}, of one search.", capitalised(meaning)).into(),
            },
            scale: 1.0,
            source,
        }
    }

    /// The statistics of this quantity in a result.
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

    /// The call whose time it is, or `Some(None)` for all together; `None` if it is not a time.
    pub(super) fn time(&self) -> Option<Option<Call>> {
        match self.source {
            FigureSource::Time(call) => Some(call),
            _ => None,
        }
    }

    /// Whether it grows with the text: the time or a count of the search, but not a level.
    pub(crate) fn is_of_the_text(&self) -> bool {
        match self.source {
            FigureSource::Time(call) => call == Some(Call::Search),
            FigureSource::Counter(Call::Search, _, facts) => {
                facts.is_none_or(|facts| facts.semantics != Semantics::Instant)
            }
            _ => false,
        }
    }

    /// The rank of a result. Only times are ranked.
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

    /// The meanings of the marks and small figures in the cells, a line each.
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
            let floor = floor(null.as_ref(), call);
            lines.extend(marks::legend(&ranks, grid.is_alone(), *floor_ns, floor));
            let undecided = Undecided::of_results(grid.ok(), call, floor).filter(|_| !grid.is_alone());
            lines.extend(undecided.map(|undecided| undecided.sentence()));
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

    /// The ratio of the time of a result to the best; `None` if it is among the best.
    pub(crate) fn times_as_long(&self, cell: &CellResult, grid: &Grid<'_>) -> Option<f64> {
        let rank = self.rank(cell);
        rank.standing.filter(|_| !rank.is_best() && !grid.is_alone()).map(|standing| standing.to_best.ratio)
    }
}

/// The half-width of the interval in percent; `None` for a median of 0, which has no percentage.
pub(super) fn half_width(summary: Summary) -> Option<f64> {
    summary.ci95.map(|ci95| 100.0 * ci95.relative_half_width()).filter(|width| width.is_finite())
}

/// A text with a capital at its start.
pub(super) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

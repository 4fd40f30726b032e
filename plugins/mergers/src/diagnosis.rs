//! The diagnosis that every merger adds to its result: the requested and reached correlation of each pair of
//! events, and for each event whether its sub-experiments agree.

use assay_plugin_api::{Column, Merged, Sheet};

use crate::drift::Drift;
use crate::kolmogorov::Mismatch;
use crate::pairs::{Design, Pair};
use crate::scatter::Scatters;

mod sentences;

/// Differences of correlations up to this one may be rounding.
const ROUNDING: f64 = 1e-12;
/// The origin of the correlations at which a merger aims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The merger estimates them from the blocks.
    Estimated,
    /// They are those of the blocks without outliers.
    Trimmed,
    /// The user gives them.
    Given,
}

/// The facts about the blocks, kept while the merge uses up the blocks themselves.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    events: Vec<Event>,
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug)]
struct Event {
    name: String,
    blocks: usize,
    rows: usize,
    /// The block whose distribution differs most from the others, named for messages.
    mismatch: Option<(String, Mismatch)>,
    drift: Drift,
}

impl Diagnosis {
    /// The diagnosis of all blocks, with the measured pairs: [`Design::measured`] or [`Design::trimmed`].
    pub fn new(design: &Design<'_>, pairs: Vec<Pair>) -> Self {
        let drift = design.drift();
        let event = |(event, name): (usize, &&str)| {
            let holders = design.holders(event);
            let mismatch = Mismatch::new(holders);
            let place = |of: Mismatch| format!("block {} ({})", of.block + 1, design.sources[of.block]);
            Event {
                name: (*name).to_owned(),
                blocks: holders.len(),
                rows: holders.iter().map(|(_, values)| values.len()).sum(),
                mismatch: mismatch.map(|mismatch| (place(mismatch), mismatch)),
                drift: drift[event],
            }
        };
        Diagnosis { events: design.events.iter().enumerate().map(event).collect(), pairs }
    }

    /// Adds tables, a summary and warnings to a result. `asked` returns the correlation at which the merger
    /// aimed for a pair of events, if it aimed at one. If this is not the measured one, it was inferred.
    pub fn report(&self, merged: &mut Merged<'_>, kind: Asked, asked: impl Fn(&Pair) -> Option<f64>) {
        let asked: Vec<Option<f64>> = self.pairs.iter().map(asked).collect();
        let reached = self.reached(&merged.columns);
        let (summary, is_far) = self.summary(&asked, &reached);
        if is_far { &mut merged.warnings } else { &mut merged.notes }.extend(summary);
        merged.notes.extend(self.disagreement());
        match kind {
            Asked::Estimated => merged.notes.extend(self.not_as_measured(&asked)),
            Asked::Trimmed => {
                let (sentence, is_far) = self.without_outliers(&asked);
                if is_far { &mut merged.warnings } else { &mut merged.notes }.extend(sentence);
            }
            Asked::Given => {}
        }
        if kind != Asked::Given {
            merged.notes.extend(self.made_up(&reached));
        }
        merged.notes.extend(self.drift());
        merged.warnings.extend(self.mismatches());
        merged.tables.push(self.pairs_sheet(kind, &asked, &reached));
        merged.tables.push(self.events_sheet());
    }

    /// The correlation of each pair in the result; `None` if an event is not in the result or never changes.
    fn reached(&self, columns: &[Column<'_>]) -> Vec<Option<f64>> {
        let place = |event: &Event| columns.iter().position(|column| column.name == event.name);
        let places: Vec<Option<usize>> = self.events.iter().map(place).collect();
        let columns: Vec<&[f64]> = columns.iter().map(|column| &*column.values).collect();
        let scatters = Scatters::new(&columns);
        let reached = |pair: &Pair| {
            let (first, second) = pair.events;
            scatters.correlation(places[first]?, places[second]?)
        };
        self.pairs.iter().map(reached).collect()
    }

    fn pairs_sheet(&self, kind: Asked, asked: &[Option<f64>], reached: &[Option<f64>]) -> Sheet {
        let pairs = || self.pairs.iter();
        let state = |(pair, asked): (&Pair, &Option<f64>)| match pair.correlation {
            _ if kind == Asked::Given && asked.is_some() => "given",
            _ if pair.blocks == 0 => "inferred",
            None => "constant",
            Some(_) if asked.is_none() => "unused",
            Some(_) => "measured",
        };
        let end = |low: bool| {
            pairs().map(move |pair| or_nan(pair.interval().map(|(a, b)| if low { a } else { b })))
        };
        let within = |(pair, reached): (&Pair, &Option<f64>)| {
            let (low, high) = pair.interval()?;
            Some(yes_or_no((low - ROUNDING..=high + ROUNDING).contains(&(*reached)?)))
        };
        Sheet::new("pairs")
            .texts("event", pairs().map(|pair| self.name(pair.events.0)))
            .texts("other", pairs().map(|pair| self.name(pair.events.1)))
            .texts("state", pairs().zip(asked).map(state))
            .numbers("blocks", pairs().map(|pair| pair.blocks as f64))
            .numbers("rows", pairs().map(|pair| pair.rows as f64))
            .numbers("asked", asked.iter().copied().map(or_nan))
            .numbers("reached", reached.iter().copied().map(or_nan))
            .numbers("measured", pairs().map(|pair| or_nan(pair.correlation)))
            .numbers("measured from", end(true))
            .numbers("measured to", end(false))
            .texts("within", pairs().zip(reached).map(|pair| within(pair).unwrap_or_default()))
            .numbers("spread between blocks", pairs().map(|pair| or_nan(pair.spread)))
            .texts("drift", pairs().map(|pair| pair.spread.map_or("", |_| yes_or_no(pair.drifts))))
    }

    fn events_sheet(&self) -> Sheet {
        let events = || self.events.iter();
        let of = |event: &Event, what: fn(&Mismatch) -> f64| {
            event.mismatch.as_ref().map_or(f64::NAN, |(_, mismatch)| what(mismatch))
        };
        Sheet::new("events")
            .texts("event", events().map(|event| event.name.as_str()))
            .numbers("blocks", events().map(|event| event.blocks as f64))
            .numbers("rows", events().map(|event| event.rows as f64))
            .numbers("distance between blocks", events().map(|event| of(event, |mismatch| mismatch.distance)))
            .numbers("p", events().map(|event| of(event, |mismatch| mismatch.p)))
            .texts(
                "furthest block",
                events().map(|event| event.mismatch.as_ref().map_or("", |(place, _)| place)),
            )
            .numbers("drift", events().map(|event| or_nan(event.drift.assumed.map(f64::sqrt))))
            .numbers("drift at most", events().map(|event| or_nan(event.drift.limit.map(f64::sqrt))))
    }
}

fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

fn yes_or_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// `1 pair`, `2 pairs`.
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests;

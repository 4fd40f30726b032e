//! The diagnosis that every merger adds to its result: the requested and reached correlation of each pair of
//! events, and for each event whether its sub-experiments agree.

use assay_plugin_api::{Column, Merged, Sheet};

use crate::kolmogorov::Mismatch;
use crate::pairs::{Design, Pair};
use crate::scatter::Scatters;

/// Distributions differ if their distance is greater than the first and its probability less than the second
/// of these constants.
const APART: f64 = 0.1;
const IMPROBABLE: f64 = 0.001;
/// Differences of correlations up to this one may be rounding.
const ROUNDING: f64 = 1e-12;
/// Greatest difference of an estimate from the measured correlation that needs no note.
const WORTH_A_WORD: f64 = 0.01;
/// Greatest number of events that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 5;

/// The origin of the correlations at which a merger aims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The merger estimates them from the blocks.
    Estimated,
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
}

impl Diagnosis {
    /// The diagnosis of all blocks, with the measured pairs: [`Design::measured`] or [`Design::trimmed`].
    pub fn new(design: &Design<'_>, pairs: Vec<Pair>) -> Self {
        let event = |(event, name): (usize, &&str)| {
            let holders = design.holders(event);
            let mismatch = Mismatch::new(holders);
            let place = |of: Mismatch| format!("block {} ({})", of.block + 1, design.sources[of.block]);
            Event {
                name: (*name).to_owned(),
                blocks: holders.len(),
                rows: holders.iter().map(|(_, values)| values.len()).sum(),
                mismatch: mismatch.map(|mismatch| (place(mismatch), mismatch)),
            }
        };
        Diagnosis { events: design.events.iter().enumerate().map(event).collect(), pairs }
    }

    /// Adds tables, a summary and warnings to a result. `asked` returns the correlation at which the merger
    /// aimed for a pair of events, if it aimed at one. If this is not the measured one, it was inferred.
    pub fn report(&self, merged: &mut Merged<'_>, kind: Asked, asked: impl Fn(&Pair) -> Option<f64>) {
        let asked: Vec<Option<f64>> = self.pairs.iter().map(asked).collect();
        let reached = self.reached(&merged.columns);
        merged.notes.extend(self.summary(&asked, &reached));
        if kind == Asked::Estimated {
            merged.notes.extend(self.not_as_measured(&asked));
            merged.notes.extend(self.made_up(&reached));
        }
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

    fn name(&self, event: usize) -> &str {
        &self.events[event].name
    }

    fn named(&self, pair: &Pair) -> String {
        format!("{} and {}", self.name(pair.events.0), self.name(pair.events.1))
    }

    /// A summary in a few sentences: how far the reached correlations are from the requested ones, and which
    /// pairs were not measured.
    fn summary(&self, asked: &[Option<f64>], reached: &[Option<f64>]) -> Vec<String> {
        let mut notes = Vec::new();
        let errors: Vec<(f64, &Pair)> = (self.pairs.iter().zip(asked).zip(reached))
            .filter_map(|((pair, asked), reached)| Some((((*asked)? - (*reached)?).abs(), pair)))
            .collect();
        if let Some((worst, pair)) = errors.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
            let mean = errors.iter().map(|(error, _)| error).sum::<f64>() / errors.len() as f64;
            let pairs = counted(errors.len(), "pair");
            notes.push(match *worst {
                worst if worst < ROUNDING => format!("correlations of {pairs}: what was asked is reached"),
                _ => format!(
                    "correlations of {pairs}: asked and reached differ by {} on average, and by {} at most ({})",
                    figure(mean),
                    figure(*worst),
                    self.named(pair)
                ),
            });
        }
        let drifting: Vec<&Pair> = self.pairs.iter().filter(|pair| pair.drifts).collect();
        if let Some(worst) = drifting.iter().max_by(|a, b| a.spread.partial_cmp(&b.spread).expect("no NaN")) {
            notes.push(format!(
                "correlations of {} {} between sub-experiments by more than chance, most by {:.2} ({})",
                counted(drifting.len(), "pair"),
                if drifting.len() == 1 { "differs" } else { "differ" },
                worst.spread.unwrap_or_default(),
                self.named(worst)
            ));
        }
        notes
    }

    /// The note about pairs that were never measured together.
    fn made_up(&self, reached: &[Option<f64>]) -> Option<String> {
        let made_up = self.pairs.iter().zip(reached).filter(|(pair, r)| pair.blocks == 0 && r.is_some());
        let count = made_up.count();
        (count > 0).then(|| {
            format!(
                "{} of {} {} never measured together: what the result says of {} is inferred",
                counted(count, "pair"),
                self.pairs.len(),
                if count == 1 { "was" } else { "were" },
                if count == 1 { "it" } else { "them" }
            )
        })
    }

    /// The note about pairs whose estimate differs from what their own rows show, because other rows
    /// contradict them.
    fn not_as_measured(&self, asked: &[Option<f64>]) -> Option<String> {
        let of = |(pair, asked): (&'_ Pair, &Option<f64>)| {
            let (asked, measured, (low, high)) = ((*asked)?, pair.correlation?, pair.interval()?);
            let by = asked - measured;
            (by.abs() > WORTH_A_WORD && !(low..=high).contains(&asked)).then(|| (by, self.named(pair)))
        };
        let apart: Vec<(f64, String)> = self.pairs.iter().zip(asked).filter_map(of).collect();
        let (by, named) = apart.iter().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
        Some(format!(
            "correlations of {} {} not asked as measured, since other pairs say otherwise: most by {by:+.3} ({named})",
            counted(apart.len(), "pair"),
            if apart.len() == 1 { "is" } else { "are" },
        ))
    }

    /// A warning, if events are not the same in all sub-experiments.
    fn mismatches(&self) -> Option<String> {
        let of = |event: &'_ Event| event.mismatch.clone().map(|(place, of)| (event.name.clone(), place, of));
        let mut all: Vec<(String, String, Mismatch)> = self.events.iter().filter_map(of).collect();
        all.retain(|(_, _, of)| of.distance > APART && of.p < IMPROBABLE);
        all.sort_by(|a, b| b.2.distance.total_cmp(&a.2.distance));
        let named = all.iter().take(MOST_NAMED).map(|(event, place, of)| {
            format!("{event} (distance {:.2} of {place} from the others, p {:.1e})", of.distance, of.p)
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if all.len() > MOST_NAMED {
            format!(" and {} more", all.len() - MOST_NAMED)
        } else {
            String::new()
        };
        (!all.is_empty()).then(|| {
            format!("distributions differ between sub-experiments: {named}{more}: were all measured under the same conditions?")
        })
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
    }
}

fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

fn yes_or_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// A number with three digits; a small number with its power of ten.
fn figure(value: f64) -> String {
    if value < 1e-3 { format!("{value:.2e}") } else { format!("{value:.3}") }
}

/// `1 pair`, `2 pairs`.
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests;

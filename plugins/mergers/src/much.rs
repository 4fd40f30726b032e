//! MUCH: every pair of events was counted together in some block, and the result has all of these
//! correlations at once.
//!
//! The values of each event are drawn from all of its counts. Then a simulation draws rows of normal
//! variables with the correlations of the events, and puts the values of each event in the order of its
//! variable. Of many simulations, the one with the correlations nearest to the measured ones is taken. O(p N
//! + s n d^2) for p pairs with N rows, s simulations, n rows, d events.
//!
//! Source: S. Vilardell et al., MUCH: exploiting pairwise hardware event monitor correlations for improved
//! timing analysis of complex MPSoCs, SAC 2021. Departures, none of them with the option `compat`: events
//! that fall when others rise are duplicates too, and correlations that contradict each other are replaced by
//! the nearest ones that don't. An event that never changes keeps its value and correlates with none.

mod simulation;

use assay_plugin_api::{Block, Column, Merged, Merger, Options, Sheet, register};
use nalgebra::DMatrix;

use crate::diagnosis::{Asked, Diagnosis, counted};
use crate::gaussian::Gaussian;
use crate::nearest::nearest;
use crate::pairs::{Design, Pair};
use crate::scatter::{deviation, mean};
use simulation::Simulations;

/// The merger.
pub const MUCH: Merger = Merger {
    id: "much",
    summary: "Draws values of each event and orders them so that all pairs correlate as they did when counted together.",
    reference: "S. Vilardell et al. MUCH: exploiting pairwise hardware event monitor correlations for improved timing \
                analysis of complex MPSoCs. SAC 2021, doi:10.1145/3412841.3441931",
    options: &[
        ("runs", "rows of the result, at least 3; 1000 if left out"),
        ("sims", "simulations, the best of which is the result; 100 if left out"),
        (
            "dependency",
            "from 0 to 1: an event is dropped as a duplicate if its correlation with an earlier one is stronger; 0.85 if \
             left out",
        ),
        ("seed", "decides what is drawn; 1 if left out"),
        ("compat", "yes: as published: only rising duplicates are dropped, and contradictions are refused"),
    ],
    merge,
    ..Merger::UNKNOWN
};
register!(merger MUCH);

/// More would hardly fit into memory.
const MOST_RUNS: usize = 10_000_000;
/// Greatest number of events or pairs that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 10;

/// The options of a merge.
#[derive(Clone, Copy, Debug)]
struct Settings {
    runs: usize,
    sims: usize,
    dependency: f64,
    seed: u64,
    compat: bool,
}

impl Settings {
    fn new(options: &Options<'_>) -> Result<Self, String> {
        let settings = Settings {
            runs: options.parse("runs")?.unwrap_or(1000),
            sims: options.parse("sims")?.unwrap_or(100),
            dependency: options.parse("dependency")?.unwrap_or(0.85),
            seed: options.parse("seed")?.unwrap_or(1),
            compat: match options.get("compat") {
                None | Some("no") => false,
                Some("yes") => true,
                Some(other) => return Err(format!("option compat: `{other}` is neither yes nor no")),
            },
        };
        if !(3..=MOST_RUNS).contains(&settings.runs) {
            return Err(format!("option runs: {} is not from 3 to {MOST_RUNS}", settings.runs));
        }
        if settings.sims == 0 {
            return Err("option sims: at least 1 simulation is needed".to_owned());
        }
        if !(0.0..=1.0).contains(&settings.dependency) {
            return Err(format!("option dependency: {} is not from 0 to 1", settings.dependency));
        }
        Ok(settings)
    }
}

fn merge<'a>(blocks: Vec<Block<'a>>, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let settings = Settings::new(options)?;
    let mut notes = Vec::new();
    let design = Design::new(&blocks)?;
    let pairs = design.trimmed();
    refuse_uncovered(&design, &pairs)?;
    let events = sorted_out(&design, &pairs, settings);
    notes.extend(notes_of_dropped(&design, &events));

    let varying: Vec<usize> =
        (0..events.len()).filter(|event| matches!(events[*event].fate, Fate::Kept)).collect();
    let asked = matrix(&varying, events.len(), &pairs);
    let margins: Vec<&[f64]> = varying.iter().map(|event| events[*event].margin.as_slice()).collect();
    let gaussian = if settings.compat {
        as_published(&asked, &margins)?
    } else {
        let names: Vec<&str> = varying.iter().map(|event| design.events[*event]).collect();
        valid(&asked, &names, &mut notes)?
    };
    let simulations = Simulations::new(&gaussian, &asked, &margins, settings);
    let best = simulations.best(options.progress).ok_or("interrupted")?;
    let (sims, rows) = (counted(settings.sims, "simulation"), counted(settings.runs, "row"));
    let simulated = format!("{sims} of {rows} and seed {}", settings.seed);
    notes.push(match varying.len() {
        0 | 1 => format!("{simulated}: {} left, so there is nothing to correlate", match varying.len() {
            0 => "no event that changes is",
            _ => "one event is",
        }),
        _ => format!(
            "{simulated}: the best is number {}, with an error of {:.2e} (mean square over the whole matrix, its diagonal too)",
            best.number + 1,
            best.error
        ),
    });

    let mut laid_out = simulations.columns(best).into_iter();
    let mut columns = Vec::new();
    for (event, name) in events.iter().zip(&design.events) {
        let values = match event.fate {
            Fate::Kept => laid_out.next().expect("a column for each event that varies"),
            Fate::Constant => vec![event.margin[0]; settings.runs],
            Fate::Duplicate { .. } => continue,
        };
        columns.push(Column { name: (*name).to_owned(), values: values.into() });
    }
    let mut merged = Merged { columns, notes, ..Merged::default() };
    let is_kept = |event: usize| matches!(events[event].fate, Fate::Kept);
    Diagnosis::new(&design, pairs).report(&mut merged, Asked::Estimated, |pair| {
        pair.correlation.filter(|_| is_kept(pair.events.0) && is_kept(pair.events.1))
    });
    merged.tables.push(margins_sheet(&design, &events));
    Ok(merged)
}

fn refuse_uncovered(design: &Design<'_>, pairs: &[Pair]) -> Result<(), String> {
    let uncovered: Vec<String> = (pairs.iter().filter(|pair| pair.blocks == 0))
        .map(|pair| format!("{} and {}", design.events[pair.events.0], design.events[pair.events.1]))
        .collect();
    if uncovered.is_empty() {
        return Ok(());
    }
    let more = uncovered.len().saturating_sub(MOST_NAMED);
    let named = uncovered[..uncovered.len() - more].join(", ");
    let more = if more > 0 { format!(" and {} more", counted(more, "pair")) } else { String::new() };
    Err(format!(
        "MUCH needs every pair of events in some block, and {} of {} never met: {named}{more}. Measure them together, or \
         let the merger auto infer them",
        uncovered.len(),
        pairs.len()
    ))
}

/// An event, and the reason for which it is left out, if any.
#[derive(Clone, Debug)]
struct Event {
    /// Its values in all blocks, without outliers.
    margin: Vec<f64>,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Kept,
    /// It has only one value.
    Constant,
    /// It is left out, because another event is its duplicate.
    Duplicate {
        of: usize,
        correlation: f64,
    },
}

/// In their order, events that are not left out make later duplicates of theirs be left out.
fn sorted_out(design: &Design<'_>, pairs: &[Pair], settings: Settings) -> Vec<Event> {
    let event = |event| {
        let margin = design.margin(event);
        let fate = if margin.iter().all(|value| *value == margin[0]) { Fate::Constant } else { Fate::Kept };
        Event { margin, fate }
    };
    let mut events: Vec<Event> = (0..design.events.len()).map(event).collect();
    // Pairs are in the order of their first event, and then of their second one.
    for pair in pairs {
        let (of, later) = pair.events;
        let Some(correlation) = pair.correlation else { continue };
        let strength = if settings.compat { correlation } else { correlation.abs() };
        if strength > settings.dependency && events[of].fate == Fate::Kept && events[later].fate == Fate::Kept
        {
            events[later].fate = Fate::Duplicate { of, correlation };
        }
    }
    events
}

/// The notes about duplicates, by the event that is kept, and about events that never change.
fn notes_of_dropped(design: &Design<'_>, events: &[Event]) -> Vec<String> {
    let mut notes = Vec::new();
    for (kept, name) in design.events.iter().enumerate() {
        let duplicates = events.iter().zip(&design.events).filter_map(|(event, name)| match event.fate {
            Fate::Duplicate { of, correlation } if of == kept => Some(format!("{name} ({correlation:.4})")),
            _ => None,
        });
        list(&mut notes, &format!("dropped, for their correlation with {name}"), duplicates);
    }
    let constant = events.iter().zip(&design.events).filter(|(event, _)| event.fate == Fate::Constant);
    let constant = constant.map(|(_, name)| (*name).to_owned());
    list(&mut notes, "never change, so they correlate with nothing", constant);
    notes
}

/// Lists all names, in as many notes as needed.
fn list(notes: &mut Vec<String>, what: &str, names: impl Iterator<Item = String>) {
    let names: Vec<String> = names.collect();
    notes.extend(names.chunks(MOST_NAMED).map(|names| format!("{what}: {}", names.join(", "))));
}

/// The correlations of some events. It is 0 for a pair if one of the two never changes in the blocks that
/// hold both.
fn matrix(chosen: &[usize], events: usize, pairs: &[Pair]) -> DMatrix<f64> {
    let mut places = vec![None; events];
    chosen.iter().enumerate().for_each(|(place, event)| places[*event] = Some(place));
    let mut matrix = DMatrix::identity(chosen.len(), chosen.len());
    for pair in pairs {
        if let (Some(a), Some(b)) = (places[pair.events.0], places[pair.events.1]) {
            let correlation = pair.correlation.unwrap_or(0.0);
            matrix[(a, b)] = correlation;
            matrix[(b, a)] = correlation;
        }
    }
    matrix
}

/// Variables with these covariances. The tolerance for contradictions depends on the size of the counts.
fn as_published(asked: &DMatrix<f64>, margins: &[&[f64]]) -> Result<Gaussian, String> {
    let deviations: Vec<f64> = margins.iter().map(|margin| deviation(margin)).collect();
    let covariances =
        DMatrix::from_fn(margins.len(), margins.len(), |i, j| deviations[i] * asked[(i, j)] * deviations[j]);
    Gaussian::new(&covariances).map_err(|least| {
        format!(
            "the covariances contradict each other (an eigenvalue is {least:.2e}): without compat the nearest correlations \
             that don't are taken"
        )
    })
}

/// Variables with these correlations, or with the nearest possible ones.
fn valid(asked: &DMatrix<f64>, names: &[&str], notes: &mut Vec<String>) -> Result<Gaussian, String> {
    let least = match Gaussian::new(asked) {
        Ok(gaussian) => return Ok(gaussian),
        Err(least) => least,
    };
    let valid = nearest(asked, 0.0);
    let moved: Vec<String> = (valid.moved(asked).iter().take(3))
        .map(|(a, b, by)| format!("{} and {} by {by:+.3}", names[*a], names[*b]))
        .collect();
    notes.push(format!(
        "the correlations contradict each other (an eigenvalue is {least:.2e}): the nearest that don't are at distance {:.2e} \
         (Frobenius norm) and move most {}",
        valid.distance,
        moved.join(", ")
    ));
    Gaussian::new(&valid.matrix).map_err(|least| {
        format!(
            "the correlations contradict each other, and can't be made valid (an eigenvalue is {least:.2e})"
        )
    })
}

fn margins_sheet(design: &Design<'_>, events: &[Event]) -> Sheet {
    let state = |event: &Event| match event.fate {
        Fate::Kept => "kept",
        Fate::Constant => "constant",
        Fate::Duplicate { .. } => "dropped",
    };
    let duplicate = |event: &Event| match event.fate {
        Fate::Duplicate { of, .. } => design.events[of],
        _ => "",
    };
    Sheet::new("margins")
        .texts("event", design.events.iter().copied())
        .texts("state", events.iter().map(state))
        .texts("duplicate of", events.iter().map(duplicate))
        .numbers("rows", events.iter().map(|event| event.margin.len() as f64))
        .numbers("mean", events.iter().map(|event| mean(&event.margin)))
        .numbers("standard deviation", events.iter().map(|event| deviation(&event.margin)))
}

#[cfg(test)]
mod tests;

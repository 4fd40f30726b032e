//! The sub-experiments of each event and pair of events, and the correlation that they show.

use assay_plugin_api::{Block, Column};

use crate::drift::Drift;
use crate::parallel;
use crate::scatter::{Scatter, Scatters, deviation, mean, squared_distances};
use crate::uncertainty::Standard;
use crate::unit::unit;

pub use pair::Pair;

mod pair;

/// A row is an outlier if it is at least this number of standard deviations from the mean.
const OUTLIER: f64 = 3.0;

/// The events of a merge, and the blocks that hold them.
#[derive(Clone, Debug)]
pub struct Design<'b> {
    /// Names of the events, in the order in which they occur in the blocks.
    pub events: Vec<&'b str>,
    /// The source of each block.
    pub sources: Vec<&'b str>,
    /// For each event: the blocks that hold it, with its values there.
    held: Vec<Vec<(usize, &'b [f64])>>,
}

impl<'b> Design<'b> {
    /// The design of blocks without missing values.
    ///
    /// # Errors
    /// If there is no block, or if a block is empty, holds an event twice or holds a value that is not
    /// finite.
    pub fn new(blocks: &'b [Block<'_>]) -> Result<Self, String> {
        if blocks.is_empty() {
            return Err("there are no blocks to merge".to_owned());
        }
        let sources = blocks.iter().map(|block| block.source.as_str()).collect();
        let mut design = Design { events: Vec::new(), sources, held: Vec::new() };
        for (number, block) in blocks.iter().enumerate() {
            let place = || format!("block {} ({})", number + 1, block.source);
            if block.rows() == 0 {
                return Err(format!("{} has no rows", place()));
            }
            for Column { name, values } in &block.columns {
                if values.iter().any(|value| !value.is_finite()) {
                    return Err(format!("{}: a value of {name} is not a finite number", place()));
                }
                let known = design.events.iter().position(|event| event == name);
                let event = known.unwrap_or_else(|| {
                    design.events.push(name);
                    design.held.push(Vec::new());
                    design.events.len() - 1
                });
                let holders = &mut design.held[event];
                if holders.last().is_some_and(|(block, _)| *block == number) {
                    return Err(format!("{} holds {name} twice: remove one of the two columns", place()));
                }
                holders.push((number, values));
            }
        }
        Ok(design)
    }

    /// The blocks that hold an event, by index, with its values there.
    pub fn holders(&self, event: usize) -> &[(usize, &'b [f64])] {
        &self.held[event]
    }

    /// The blocks in which an event changes. If it does not change in a block, it connects this block with no
    /// other.
    pub fn changing(&self, event: usize) -> impl Iterator<Item = (usize, &'b [f64])> {
        let held = self.held[event].iter().copied();
        held.filter(|(_, values)| values.iter().any(|value| *value != values[0]))
    }

    /// Whether an event has one value in all blocks.
    pub fn is_constant(&self, event: usize) -> bool {
        let mut all = self.held[event].iter().flat_map(|(_, values)| *values);
        let first = all.next();
        all.all(|value| Some(value) == first)
    }

    /// The same blocks with only these events.
    #[must_use]
    pub fn select(&self, events: &[usize]) -> Self {
        Design {
            events: events.iter().map(|event| self.events[*event]).collect(),
            sources: self.sources.clone(),
            held: events.iter().map(|event| self.held[*event].clone()).collect(),
        }
    }

    /// The same blocks, in which one event replaces all events with the same original. If a block holds
    /// several of them, the values of the original count, or else those of the first.
    #[must_use]
    pub fn joined(&self, originals: &[usize]) -> Self {
        let firsts: Vec<usize> = (0..originals.len()).filter(|event| originals[*event] == *event).collect();
        let mut joined = self.select(&firsts);
        for (held, first) in joined.held.iter_mut().zip(&firsts) {
            for copy in (0..originals.len()).filter(|event| originals[*event] == *first) {
                for (block, values) in &self.held[copy] {
                    if let Err(place) = held.binary_search_by_key(block, |(block, _)| *block) {
                        held.insert(place, (*block, *values));
                    }
                }
            }
        }
        joined
    }

    /// The blocks that hold both of two events, with the values of each.
    pub fn together(&self, a: usize, b: usize) -> impl Iterator<Item = (&'b [f64], &'b [f64])> {
        let others = &self.held[b];
        self.held[a].iter().filter_map(|(block, values)| {
            let found = others.binary_search_by_key(block, |(block, _)| *block).ok()?;
            Some((*values, others[found].1))
        })
    }

    /// For each event, how far its mean drifts between the blocks.
    pub fn drift(&self) -> Vec<Drift> {
        Drift::of_events(self.held.iter().map(|held| held.iter().map(|(_, values)| *values)))
    }

    /// Every two events, the first before the second.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<'b> {
        let count = self.events.len();
        (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
    }

    /// The measurement of every two events, from all rows.
    pub fn measured(&self) -> Vec<Pair> {
        let of_block = |block: usize| {
            let held = |event: &usize| self.held[*event].iter().find(|(holder, _)| *holder == block);
            let events: Vec<(usize, &[f64])> =
                (0..self.events.len()).filter_map(|event| Some((event, held(&event)?.1))).collect();
            let columns: Vec<&[f64]> = events.iter().map(|(_, values)| *values).collect();
            let scatters = Scatters::new(&columns);
            let excess = excesses(&columns, &scatters);
            (events.into_iter().map(|(event, _)| event).collect::<Vec<_>>(), scatters, excess)
        };
        let blocks = parallel::map((0..self.sources.len()).collect(), parallel::processors(), of_block);
        let drift = self.drift();
        let of = |(a, b): (usize, usize)| {
            let holders = self.held[a].iter().map(|(block, _)| &blocks[*block]);
            let scatters = holders.filter_map(|(events, scatters, excess)| {
                let place = |event| events.binary_search(&event).ok();
                let (a, b) = (place(a)?, place(b)?);
                Some((scatters.pair(a, b), excess[a][b - a - 1]))
            });
            Pair::new((a, b), scatters, &drift)
        };
        self.pairs().map(of).collect()
    }

    /// The measurement of every two events without outliers. In each block, rows are left out if their
    /// squared distance from the means of the two events, unscaled, is an outlier.
    pub fn trimmed(&self) -> Vec<Pair> {
        let units: Vec<Vec<f64>> =
            self.held.iter().map(|held| held.iter().map(|(_, values)| unit(values)).collect()).collect();
        let drift = self.drift();
        let (mut distances, mut kept_a, mut kept_b) = (Vec::new(), Vec::new(), Vec::new());
        let mut of = |(a, b): (usize, usize)| {
            let mut scatters = Vec::new();
            for (place, (block, first)) in self.held[a].iter().enumerate() {
                let Ok(other) = self.held[b].binary_search_by_key(block, |(block, _)| *block) else {
                    continue;
                };
                let second = self.held[b][other].1;
                let unit = units[a][place].max(units[b][other]);
                let (of_first, of_second) = (squared_distances(first, unit), squared_distances(second, unit));
                distances.clear();
                distances.extend(of_first.zip(of_second).map(|(first, second)| first + second));
                let is_outlier = outliers(&distances);
                kept_a.clear();
                kept_b.clear();
                for ((a, b), distance) in first.iter().zip(second).zip(&distances) {
                    if !is_outlier(*distance) {
                        kept_a.push(*a);
                        kept_b.push(*b);
                    }
                }
                let scatter = Scatter::new(&kept_a, &kept_b);
                let excess = scatter.correlation().map_or(1.0, |r| {
                    Standard::new(&kept_a, scatter.column(0))
                        .excess(&Standard::new(&kept_b, scatter.column(1)), r)
                });
                scatters.push((scatter, excess));
            }
            Pair::new((a, b), scatters.into_iter(), &drift)
        };
        self.pairs().map(&mut of).collect()
    }

    /// The values of an event in all blocks, without the outliers of each.
    pub fn margin(&self, event: usize) -> Vec<f64> {
        let mut margin = Vec::new();
        for (_, values) in &self.held[event] {
            let distances: Vec<f64> = squared_distances(values, unit(values)).collect();
            let is_outlier = outliers(&distances);
            let kept = values.iter().zip(&distances).filter(|(_, distance)| !is_outlier(**distance));
            margin.extend(kept.map(|(value, _)| *value));
        }
        margin
    }
}

/// For each column and each one after it, how much more uncertain their correlation is than that of normal
/// counts.
fn excesses(columns: &[&[f64]], scatters: &Scatters) -> Vec<Vec<f64>> {
    let standard: Vec<Standard> =
        (columns.iter().enumerate()).map(|(i, column)| Standard::new(column, scatters.column(i))).collect();
    let of =
        |a: usize, b: usize| scatters.correlation(a, b).map_or(1.0, |r| standard[a].excess(&standard[b], r));
    (0..columns.len()).map(|a| (a + 1..columns.len()).map(|b| of(a, b)).collect()).collect()
}

/// Whether each of these distances is an outlier. None is if all are equal.
fn outliers(distances: &[f64]) -> impl Fn(f64) -> bool + use<> {
    let (mean, deviation) = (mean(distances), deviation(distances));
    // If the deviation is NaN, all comparisons are false, so nothing is an outlier.
    move |distance| (distance - mean) / deviation >= OUTLIER
}

#[cfg(test)]
mod tests;

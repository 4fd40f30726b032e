//! What is asked of a plan, and the plan that answers it.

use super::covering::anneal::Steps;
use super::covering::{Blocks, bound, search};
use super::problem::Problem;
use super::{Block, Method, Plan, chunks};
use crate::error::{Error, Result};

/// Steps of the search in about a second. Steps are what is counted, so that a seed gives the same plan on every machine.
pub const STEPS_PER_SECOND: f64 = 2e7;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The events, each once.
    pub events: Vec<String>,
    /// So many of them can be counted together, besides those of `fixed`.
    pub counters: usize,
    /// What the plan is for.
    pub method: Method,
    /// The event that is counted in every sub-experiment.
    pub anchor: Option<String>,
    /// Events that need none of the counters: they are counted in every sub-experiment.
    pub fixed: Vec<String>,
    /// Pairs of events, `A:B`, that can't be counted together.
    pub conflicts: Vec<String>,
    /// The pairs of events, `A:B`, that are to be counted together; all if none is named.
    pub wanted: Vec<String>,
    /// So many sub-experiments at most.
    pub blocks: Option<usize>,
    /// Decides what the search draws.
    pub seed: u64,
    /// How long to search.
    pub steps: u64,
}

/// A plan, and the least number of sub-experiments that any plan needs for all that is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The plan.
    pub plan: Plan,
    /// No plan in which all pairs meet that are asked for has fewer sub-experiments.
    pub at_least: usize,
    /// How many were found to be enough, where `blocks` asked for fewer.
    pub enough: Option<usize>,
}

impl Request {
    /// Makes the plan. `told` hears how many sub-experiments are enough so far, and of the steps since it was told last.
    ///
    /// # Errors
    /// If what is asked makes no sense, or no plan can fulfil it: the message names the events and options.
    pub fn plan(&self, told: &mut dyn FnMut(usize, u64)) -> Result<Answer> {
        let problem = Problem::of(self)?;
        let (blocks, at_least, enough) = match self.method {
            Method::Hrm => self.chunks(&problem)?,
            Method::Much => self.covering(&problem, told),
        };
        let name = |event: &usize| self.events[problem.free[*event]].clone();
        let everywhere: Vec<String> =
            problem.everywhere.iter().map(|event| self.events[*event].clone()).collect();
        let block = |block: &Vec<usize>| Block {
            events: everywhere.iter().cloned().chain(block.iter().map(name)).collect(),
        };
        let plan = Plan {
            method: self.method,
            counters: self.counters,
            anchor: self.anchor.clone(),
            fixed: self.fixed.clone(),
            apart: problem.apart.iter().map(|pair| pair.map(|event| self.events[event].clone())).collect(),
            blocks: blocks.iter().map(block).collect(),
        };
        Ok(Answer { plan, at_least, enough })
    }

    fn chunks(&self, problem: &Problem) -> Result<(Blocks, usize, Option<usize>)> {
        let blocks = chunks::chunks(&problem.graph, problem.slots, self.seed);
        if let Some(most) = self.blocks.filter(|most| *most < blocks.len()) {
            return Err(Error::new(format!(
                "--blocks {most} are too few: {} are needed for all events to be counted",
                blocks.len()
            ))
            .remedy("HRM joins whatever is counted beside the anchor; leave out --blocks, or some events"));
        }
        let at_least = problem.graph.points().div_ceil(problem.slots.max(1)).max(1);
        Ok((blocks, at_least, None))
    }

    fn covering(
        &self,
        problem: &Problem,
        told: &mut dyn FnMut(usize, u64),
    ) -> (Blocks, usize, Option<usize>) {
        let Problem { graph, slots, .. } = problem;
        if graph.points() == 0 {
            return (vec![Vec::new()], 1, None);
        }
        let at_least = bound::least(graph, *slots);
        let part = if self.blocks.is_some() { self.steps / 2 } else { self.steps };
        let all = search::fewest(graph, *slots, self.seed, Steps(part), told);
        let all = search::fill(graph, *slots, &all, true);
        let (blocks, enough) = match self.blocks.filter(|most| *most < all.len()) {
            None => (all, None),
            Some(most) => {
                let steps = Steps(self.steps - part);
                let some = search::most(graph, *slots, &all, most, self.seed, steps, told);
                (search::fill(graph, *slots, &some, false), Some(all.len()))
            }
        };
        // Whoever reads a wide table expects a block with fewer columns at its end.
        let mut blocks = blocks;
        blocks.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        blocks.retain(|block| !block.is_empty());
        (blocks, at_least, enough)
    }
}

#[cfg(test)]
mod tests;

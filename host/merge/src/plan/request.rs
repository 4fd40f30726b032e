//! The request for a plan, and the search for a plan that fulfils it.

use std::collections::HashMap;

use assay_base::error::{Error, Result};

use super::covering::anneal::Steps;
use super::covering::{Blocks, bound, search};
use super::problem::CoveringProblem;
use super::{FinishedRounds, Method, Plan, PlannedBlock, chunks};

/// Steps of a round of a search, which takes one or two seconds on the machines that it was written on.
/// Searches are limited by steps and not by time, so that a seed gives the same plan on every machine.
pub const ROUND: u64 = 30_000_000;

/// A request for a plan.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    /// The events, each once.
    pub events: Vec<String>,
    /// Number of events that can be counted together, in addition to those of `fixed`.
    pub counters: usize,
    /// The method of merging that the plan is for.
    pub method: Method,
    /// The event that is counted in every sub-experiment.
    pub anchor: Option<String>,
    /// Events that need none of the counters; they are counted in every sub-experiment.
    pub fixed: Vec<String>,
    /// Pairs of events, `A:B`, that can't be counted together.
    pub conflicts: Vec<String>,
    /// The pairs of events, `A:B`, that are to be counted together; all if none is named.
    pub wanted: Vec<String>,
    /// Greatest number of sub-experiments; no limit if missing.
    pub blocks: Option<usize>,
    /// Seed of the random draws of the search.
    pub seed: u64,
    /// Number of steps of the search. It ends earlier if no plan can be smaller.
    pub steps: u64,
    /// A plan for the same request, for which a smaller one is searched.
    pub earlier: Option<Plan>,
}

/// A plan, and the least number of sub-experiments that any plan needs to fulfil the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanAnswer {
    /// The plan.
    pub plan: Plan,
    /// Lower bound: no plan that counts all wanted pairs together has fewer sub-experiments.
    pub at_least: usize,
    /// Number of sub-experiments that the search found to be enough, if `blocks` allows fewer.
    pub enough: Option<usize>,
}

impl PlanRequest {
    /// Makes the plan, in one round of a search. `progress` is called with the number of sub-experiments of
    /// the best plan so far, and with the number of steps since the last call.
    ///
    /// # Errors
    /// If the request contradicts itself, or no plan can fulfil it. The message names the events and options.
    pub fn plan(&self, progress: &mut dyn FnMut(usize, u64)) -> Result<PlanAnswer> {
        let problem = CoveringProblem::new(self)?;
        let (blocks, at_least, enough) = match self.method {
            Method::Hrm => self.chunks(&problem)?,
            Method::Much => self.covering(&problem, progress)?,
        };
        let name = |event: &usize| self.events[problem.free[*event]].clone();
        let everywhere = self.names(&problem.everywhere);
        let block = |block: &Vec<usize>| PlannedBlock {
            events: everywhere.iter().cloned().chain(block.iter().map(name)).collect(),
        };
        let rounds = self.earlier.as_ref().map_or(0, Plan::rounds) + u32::from(self.steps >= ROUND);
        let plan = Plan {
            search: (rounds > 0 && self.method == Method::Much)
                .then_some(FinishedRounds { seed: self.seed, rounds }),
            blocks: blocks.iter().map(block).collect(),
            ..self.without_blocks(&problem)
        };
        Ok(PlanAnswer { plan, at_least, enough })
    }

    fn names(&self, events: &[usize]) -> Vec<String> {
        events.iter().map(|event| self.events[*event].clone()).collect()
    }

    /// The plan of this request, before there are sub-experiments.
    fn without_blocks(&self, problem: &CoveringProblem) -> Plan {
        Plan {
            method: self.method,
            counters: self.counters,
            anchor: self.anchor.clone(),
            fixed: self.fixed.clone(),
            apart: problem.apart.iter().map(|pair| pair.map(|event| self.events[event].clone())).collect(),
            search: None,
            blocks: Vec::new(),
        }
    }

    /// The blocks of the earlier plan, as points of the problem.
    ///
    /// # Errors
    /// If that plan is for another request, or was searched with another seed.
    fn earlier_blocks(&self, problem: &CoveringProblem) -> Result<Option<Blocks>> {
        let Some(earlier) = &self.earlier else { return Ok(None) };
        let other = |what: &str| {
            Err(Error::new(format!("the plan to continue was made {what}"))
                .remedy("repeat the command that made it with more --effort, or leave out --resume"))
        };
        if let Some(search) = earlier.search.filter(|search| search.seed != self.seed) {
            return other(&format!("with --seed {}", search.seed));
        }
        let same =
            Plan { search: earlier.search, blocks: earlier.blocks.clone(), ..self.without_blocks(problem) };
        if same != *earlier {
            return other("with other options");
        }
        let everywhere = self.names(&problem.everywhere);
        let free = self.names(&problem.free);
        let points: HashMap<&String, usize> = free.iter().zip(0..).collect();
        let block = |block: &PlannedBlock| {
            let free = block.events.iter().filter(|event| !everywhere.contains(event));
            free.map(|event| points.get(event).copied()).collect::<Option<Vec<usize>>>()
        };
        match earlier.blocks.iter().map(block).collect() {
            Some(blocks) => Ok(Some(blocks)),
            None => other("for other events"),
        }
    }

    fn chunks(&self, problem: &CoveringProblem) -> Result<(Blocks, usize, Option<usize>)> {
        let blocks = chunks::chunks(&problem.graph, problem.slots, self.seed);
        if let Some(most) = self.blocks.filter(|most| *most < blocks.len()) {
            return Err(Error::new(format!(
                "--blocks {most} is too small: {} sub-experiments are needed to count all events",
                blocks.len()
            ))
            .remedy("leave out --blocks, or some events"));
        }
        let at_least = problem.graph.points().div_ceil(problem.slots.max(1)).max(1);
        Ok((blocks, at_least, None))
    }

    fn covering(
        &self,
        problem: &CoveringProblem,
        progress: &mut dyn FnMut(usize, u64),
    ) -> Result<(Blocks, usize, Option<usize>)> {
        let CoveringProblem { graph, slots, .. } = problem;
        if graph.points() == 0 {
            return Ok((vec![Vec::new()], 1, None));
        }
        let at_least = bound::least(graph, *slots);
        let part = if self.blocks.is_some() { self.steps / 2 } else { self.steps };
        let all = match self.earlier_blocks(problem)? {
            Some(earlier) => {
                let round = self.earlier.as_ref().map_or(0, Plan::rounds);
                search::fewer(graph, *slots, &earlier, (self.seed, round), Steps(part), progress)
            }
            None => search::fewest(graph, *slots, self.seed, Steps(part), progress),
        };
        let all = search::fill(graph, *slots, &all, true);
        let (blocks, enough) = match self.blocks.filter(|most| *most < all.len()) {
            None => (all, None),
            Some(most) => {
                let steps = Steps(self.steps - part);
                let some = search::most(graph, *slots, &all, most, self.seed, steps, progress);
                (search::fill(graph, *slots, &some, false), Some(all.len()))
            }
        };
        // `merge --counters K` expects the block with fewer columns at the end of a wide table.
        let mut blocks = blocks;
        blocks.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        blocks.retain(|block| !block.is_empty());
        Ok((blocks, at_least, enough))
    }
}

#[cfg(test)]
mod tests;

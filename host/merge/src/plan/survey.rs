//! The coverage of a plan: how often each pair of events is counted together, and which pairs never are.

use std::collections::{BTreeMap, HashMap};

use super::Plan;

/// The coverage of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The number of pairs for each number of sub-experiments that count a pair together, from 1 on.
    pub times: BTreeMap<usize, usize>,
    /// Pairs that can't be counted together.
    pub uncoverable: Vec<[String; 2]>,
    /// Pairs that could be counted together, and are not.
    pub uncovered: Vec<[String; 2]>,
    /// Events that no sub-experiment counts.
    pub uncounted: Vec<String>,
}

impl Survey {
    /// Computes the coverage of a plan for these events.
    pub fn new(plan: &Plan, events: &[String]) -> Survey {
        let numbers: HashMap<&str, usize> =
            events.iter().enumerate().map(|(number, event)| (event.as_str(), number)).collect();
        let number = |event: &String| numbers.get(event.as_str()).copied();
        let mut meetings: HashMap<(usize, usize), usize> = HashMap::new();
        for block in &plan.blocks {
            let block: Vec<usize> = block.events.iter().filter_map(number).collect();
            for (at, a) in block.iter().enumerate() {
                for b in &block[at + 1..] {
                    *meetings.entry((*a.min(b), *a.max(b))).or_default() += 1;
                }
            }
        }
        let (mut times, mut uncoverable, mut uncovered) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (a, first) in events.iter().enumerate() {
            for (b, second) in events.iter().enumerate().skip(a + 1) {
                let pair = || [first.clone(), second.clone()];
                match meetings.get(&(a, b)) {
                    Some(met) => *times.entry(*met).or_default() += 1,
                    None if plan.apart.contains(&pair())
                        || plan.apart.contains(&[second.clone(), first.clone()]) =>
                    {
                        uncoverable.push(pair());
                    }
                    None => uncovered.push(pair()),
                }
            }
        }
        let counted = plan.events();
        let uncounted = events.iter().filter(|event| !counted.contains(&event.as_str())).cloned().collect();
        Survey { times, uncoverable, uncovered, uncounted }
    }
}

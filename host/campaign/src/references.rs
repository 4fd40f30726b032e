//! Compares the nodes of a campaign by the reference experiment, which every task has measured: nodes with one
//! model of CPU should agree about it, and a node should agree with itself.

use std::collections::BTreeMap;

use assay_stats::prediction::prediction_interval;
use assay_stats::significance::RUN_FLOOR;

/// The time of the reference experiment before a task.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceTime {
    /// The model of the CPU.
    pub model: String,
    /// The name of the node.
    pub node: String,
    /// The number of the task.
    pub task: u32,
    /// The median time of a search, in nanoseconds.
    pub ns: f64,
}

/// What a time is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// The times on other nodes with the same model of CPU.
    OtherNodes,
    /// The times on the same node before other tasks.
    SameNode,
}

/// A time outside of the prediction interval of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The time.
    pub time: ReferenceTime,
    /// What it was compared with.
    pub with: Others,
    /// How many these are.
    pub others: usize,
    /// The time over the middle of the interval.
    pub ratio: f64,
    /// The ends of the interval over its middle.
    pub expected: [f64; 2],
}

/// For each node that disagrees the time that does so most, in the order of the nodes. A time disagrees if it lies
/// outside of the prediction interval of the others (95 %, of the logarithms, corrected for the number of all times
/// of the model), and differs by more than what may change from run to run. There must be three others.
pub fn disagreements(times: &[ReferenceTime]) -> Vec<Disagreement> {
    let mut by_model: BTreeMap<&str, Vec<(&ReferenceTime, f64)>> = BTreeMap::new();
    for time in times {
        by_model.entry(&time.model).or_default().push((time, time.ns.ln()));
    }
    let mut found: Vec<Disagreement> = Vec::new();
    for of_model in by_model.values() {
        let comparisons = 2 * of_model.len();
        for &(time, log_ns) in of_model {
            for with in [Others::OtherNodes, Others::SameNode] {
                let is_other = |other: &ReferenceTime| match with {
                    Others::OtherNodes => other.node != time.node,
                    Others::SameNode => other.node == time.node && other.task != time.task,
                };
                let others = of_model.iter().filter(|(other, _)| is_other(other));
                let others: Vec<f64> = others.map(|(_, log_ns)| *log_ns).collect();
                let Some(disagreement) = judged(time, log_ns, with, &others, comparisons) else { continue };
                let distance = |one: &Disagreement| one.ratio.ln().abs();
                let of_node =
                    |one: &&mut Disagreement| (&one.time.model, &one.time.node) == (&time.model, &time.node);
                match found.iter_mut().find(of_node) {
                    Some(known) if distance(known) >= distance(&disagreement) => {}
                    Some(known) => *known = disagreement,
                    None => found.push(disagreement),
                }
            }
        }
    }
    found
}

/// A time compared with the logarithms of others; `None` if it lies among them.
fn judged(
    time: &ReferenceTime,
    log_ns: f64,
    with: Others,
    others: &[f64],
    comparisons: usize,
) -> Option<Disagreement> {
    let interval = prediction_interval(others, comparisons)?;
    let middle = f64::midpoint(interval.low, interval.high);
    let difference = log_ns - middle;
    let reach = (interval.high - middle).max(RUN_FLOOR.ln_1p());
    (difference.abs() > reach).then(|| Disagreement {
        time: time.clone(),
        with,
        others: others.len(),
        ratio: difference.exp(),
        expected: [(-reach).exp(), reach.exp()],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(node: &str, task: u32, ns: f64) -> ReferenceTime {
        ReferenceTime { model: "Fast".to_owned(), node: node.to_owned(), task, ns }
    }

    /// Three machines with five tasks each, whose times differ by up to 1 %.
    fn alike() -> Vec<ReferenceTime> {
        let task =
            |task: u32| time(["a", "b", "c"][task as usize % 3], task, 1000.0 + f64::from(task * 7 % 10));
        (1..=15).map(task).collect()
    }

    #[test]
    fn nodes_that_are_alike_agree() {
        assert_eq!(disagreements(&alike()), []);
        let few = [time("a", 1, 1000.0), time("a", 2, 1000.0), time("b", 3, 2000.0)];
        assert_eq!(disagreements(&few), [], "two times are too few");
    }

    #[test]
    fn a_slow_node_is_named_once_and_the_others_are_not() {
        let mut times = alike();
        times.iter_mut().filter(|time| time.node == "b").for_each(|time| time.ns *= 1.1);
        let [found] = disagreements(&times).try_into().unwrap();
        assert_eq!((found.time.node.as_str(), found.with), ("b", Others::OtherNodes));
        assert!((found.ratio - 1.1).abs() < 0.01 && found.others == 10, "{found:?}");
    }

    #[test]
    fn a_node_that_was_slow_once_disagrees_with_itself() {
        let mut times: Vec<ReferenceTime> = alike().into_iter().filter(|time| time.node == "a").collect();
        times[2].ns *= 1.2;
        let [found] = disagreements(&times).try_into().unwrap();
        assert_eq!((found.time.task, found.with, found.others), (times[2].task, Others::SameNode, 4));
        // Another model is not compared.
        let mut times = alike();
        times.push(ReferenceTime { model: "Slow".to_owned(), ..time("d", 16, 5000.0) });
        assert_eq!(disagreements(&times), []);
    }
}

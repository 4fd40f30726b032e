//! Compares the nodes of a campaign by the reference experiment, which every task has measured: nodes with
//! one model of CPU should agree about it, and a node should agree with itself.

use std::collections::BTreeMap;

use assay_stats::median;
use assay_stats::prediction::{LEAST_VALUES, prediction_interval};
use assay_stats::significance::RUN_FLOOR;

/// The time of the reference experiment before a task.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceTime {
    /// The model of the CPU, and what else must be equal for two times to be compared.
    pub model: String,
    /// SHA-256 of the experiment.
    pub experiment: String,
    /// The name of the node.
    pub node: String,
    /// The number of the task.
    pub task: u32,
    /// The median time of a search, in nanoseconds.
    pub ns: f64,
}

/// What is compared with others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The median of a node, with the medians of other nodes that have the same model of CPU.
    Node {
        /// How many tasks of the node it is the median of.
        tasks: usize,
    },
    /// The time before a task, with the times on the same node before other tasks.
    Task,
}

/// A node, or a task of it, outside of the prediction interval of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The time: of a task, or the median of the node, with the number of its first task.
    pub time: ReferenceTime,
    /// Which of the two it is.
    pub of: Compared,
    /// With how many others it was compared: nodes or tasks.
    pub others: usize,
    /// The time over the middle of the interval.
    pub ratio: f64,
    /// The ends of the interval over its middle.
    pub expected: [f64; 2],
}

/// The nodes whose median time lies outside of the prediction interval of the medians of the other nodes, and
/// for each node the task before which its time lies furthest outside of the prediction interval of its other
/// times (95 %, of the logarithms, corrected for the number of nodes or of times of the model). A difference
/// that may come from run to run is none. There must be three others.
///
/// The tasks of a node are not independent, so nodes are compared by one figure each. If several nodes differ
/// from the rest, their spread hides them.
pub fn disagreements(times: &[ReferenceTime]) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for nodes in by_model(times).values() {
        let medians: Vec<f64> = nodes.values().map(|times| median(&mut logarithms(times))).collect();
        let count = nodes.values().map(Vec::len).sum();
        for ((place, times), log_median) in nodes.values().enumerate().zip(&medians) {
            let of_node = ReferenceTime { ns: log_median.exp(), ..times[0].clone() };
            let node = Compared::Node { tasks: times.len() };
            found.extend(judged(&of_node, node, &without(&medians, place), nodes.len()));
            let logarithms = logarithms(times);
            let odd = times.iter().enumerate().filter_map(|(place, time)| {
                judged(time, Compared::Task, &without(&logarithms, place), count)
            });
            found.extend(odd.max_by(|a, b| a.ratio.ln().abs().total_cmp(&b.ratio.ln().abs())));
        }
    }
    found
}

/// The models of CPU that have several nodes, of which each has fewer than three others, so that they can't
/// be compared; with the number of nodes.
pub fn too_few_nodes(times: &[ReferenceTime]) -> Vec<(&str, usize)> {
    let few = by_model(times).into_iter().filter(|(_, nodes)| (2..=LEAST_VALUES).contains(&nodes.len()));
    few.map(|((model, _), nodes)| (model, nodes.len())).collect()
}

/// The times of each node, by what must be equal for two nodes to be compared: model and experiment.
type TimesByModel<'a> = BTreeMap<(&'a str, &'a str), BTreeMap<&'a str, Vec<&'a ReferenceTime>>>;

/// Groups times by model, experiment and node.
fn by_model(times: &[ReferenceTime]) -> TimesByModel<'_> {
    let mut models = TimesByModel::new();
    for time in times {
        let nodes = models.entry((&time.model, &time.experiment)).or_default();
        nodes.entry(&time.node).or_default().push(time);
    }
    models
}

/// The logarithms of times.
fn logarithms(times: &[&ReferenceTime]) -> Vec<f64> {
    times.iter().map(|time| time.ns.ln()).collect()
}

/// All values but one.
fn without(values: &[f64], place: usize) -> Vec<f64> {
    values[..place].iter().chain(&values[place + 1..]).copied().collect()
}

/// A time compared with the logarithms of others; `None` if it lies among them.
fn judged(time: &ReferenceTime, of: Compared, others: &[f64], comparisons: usize) -> Option<Disagreement> {
    let interval = prediction_interval(others, comparisons)?;
    let middle = f64::midpoint(interval.low, interval.high);
    let difference = time.ns.ln() - middle;
    let reach = (interval.high - middle).max(RUN_FLOOR.ln_1p());
    (difference.abs() > reach).then(|| Disagreement {
        time: time.clone(),
        of,
        others: others.len(),
        ratio: difference.exp(),
        expected: [(-reach).exp(), reach.exp()],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(node: &str, task: u32, ns: f64) -> ReferenceTime {
        ReferenceTime {
            model: "Fast".to_owned(),
            experiment: "e".to_owned(),
            node: node.to_owned(),
            task,
            ns,
        }
    }

    /// Five nodes with five tasks each, whose times differ by up to 1 %.
    fn alike() -> Vec<ReferenceTime> {
        let task = |task: u32| {
            let node = ["a", "b", "c", "d", "e"][task as usize % 5];
            time(node, task, 1000.0 + f64::from(task * 7 % 10))
        };
        (1..=25).map(task).collect()
    }

    #[test]
    fn nodes_that_are_alike_agree() {
        assert_eq!(disagreements(&alike()), []);
        let few = [time("a", 1, 1000.0), time("a", 2, 1000.0), time("b", 3, 2000.0)];
        assert_eq!(disagreements(&few), [], "two times are too few");
    }

    #[test]
    fn nodes_without_three_others_are_named_and_one_alone_is_not() {
        assert_eq!(too_few_nodes(&alike()), []);
        let times = ["a", "b", "c", "d"].map(|node| time(node, 1, 1000.0));
        let found = [1, 2, 3, 4].map(|count| too_few_nodes(&times[..count]));
        assert_eq!(found, [vec![], vec![("Fast", 2)], vec![("Fast", 3)], vec![]]);
    }

    #[test]
    fn a_slow_node_is_named_once_and_the_others_are_not() {
        let mut times = alike();
        times.iter_mut().filter(|time| time.node == "b").for_each(|time| time.ns *= 1.1);
        let [found] = disagreements(&times).try_into().unwrap();
        assert_eq!((found.time.node.as_str(), found.of), ("b", Compared::Node { tasks: 5 }));
        assert!((found.ratio - 1.1).abs() < 0.01 && found.others == 4, "{found:?}");
    }

    #[test]
    fn a_node_that_was_slow_once_disagrees_with_itself() {
        let mut times: Vec<ReferenceTime> = alike().into_iter().filter(|time| time.node == "a").collect();
        times[2].ns *= 1.2;
        let [found] = disagreements(&times).try_into().unwrap();
        assert_eq!((found.time.task, found.of, found.others), (times[2].task, Compared::Task, 4));
        // Another model, or another experiment, is not compared.
        let mut times = alike();
        times.push(ReferenceTime { model: "Slow".to_owned(), ..time("f", 26, 5000.0) });
        times.push(ReferenceTime { experiment: "other".to_owned(), ..time("g", 27, 5000.0) });
        assert_eq!(disagreements(&times), []);
    }
}

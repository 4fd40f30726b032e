//! Compares the machines of a campaign by the reference experiment, which every task has measured: machines of
//! one model should agree about it, and a machine should agree with itself.

use assay_stats::siblings::expected_among;
use assay_stats::significance::RUN_FLOOR;

/// The time of the reference experiment before a task.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceTime {
    /// The model of the CPU.
    pub model: String,
    /// The name of the machine.
    pub node: String,
    /// The number of the task.
    pub task: u32,
    /// The median time of a search, in nanoseconds.
    pub ns: f64,
}

/// What a time is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Siblings {
    /// The times on other machines of the same model.
    OtherMachines,
    /// The times on the same machine before other tasks.
    SameMachine,
}

/// A time outside of what its siblings lead to expect.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The time.
    pub time: ReferenceTime,
    /// What it was compared with.
    pub with: Siblings,
    /// How many these are.
    pub siblings: usize,
    /// The time over the middle of the interval of its siblings.
    pub ratio: f64,
    /// The ends of this interval over its middle.
    pub expected: [f64; 2],
}

/// For each machine that disagrees with its siblings the time that does so most, in the order of the machines. A
/// time does if it lies outside of the interval in which one more time is expected (95 %, corrected for the
/// number of all times of the model), and differs by more than what may change from run to run. Fewer than three
/// siblings say nothing.
pub fn disagreements(times: &[ReferenceTime]) -> Vec<Disagreement> {
    let mut found: Vec<Disagreement> = Vec::new();
    for time in times {
        let of_model: Vec<&ReferenceTime> = times.iter().filter(|other| other.model == time.model).collect();
        let comparisons = 2 * of_model.len();
        for with in [Siblings::OtherMachines, Siblings::SameMachine] {
            let is_sibling = |other: &&&ReferenceTime| match with {
                Siblings::OtherMachines => other.node != time.node,
                Siblings::SameMachine => other.node == time.node && other.task != time.task,
            };
            let siblings =
                of_model.iter().filter(is_sibling).map(|other| other.ns.ln()).collect::<Vec<f64>>();
            let Some(disagreement) = judged(time, with, &siblings, comparisons) else { continue };
            let distance = |one: &Disagreement| one.ratio.ln().abs();
            match found.iter_mut().find(|one| (&one.time.model, &one.time.node) == (&time.model, &time.node))
            {
                Some(known) if distance(known) >= distance(&disagreement) => {}
                Some(known) => *known = disagreement,
                None => found.push(disagreement),
            }
        }
    }
    found
}

/// A time compared with the logarithms of those of its siblings; `None` if it lies among them.
fn judged(
    time: &ReferenceTime,
    with: Siblings,
    siblings: &[f64],
    comparisons: usize,
) -> Option<Disagreement> {
    let interval = expected_among(siblings, comparisons)?;
    let middle = f64::midpoint(interval.low, interval.high);
    let difference = time.ns.ln() - middle;
    let reach = (interval.high - middle).max(RUN_FLOOR.ln_1p());
    (difference.abs() > reach).then(|| Disagreement {
        time: time.clone(),
        with,
        siblings: siblings.len(),
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
    fn machines_that_are_alike_agree() {
        assert_eq!(disagreements(&alike()), []);
        let few = [time("a", 1, 1000.0), time("a", 2, 1000.0), time("b", 3, 2000.0)];
        assert_eq!(disagreements(&few), [], "two siblings say nothing");
    }

    #[test]
    fn a_slow_machine_is_named_once_and_its_siblings_are_not() {
        let mut times = alike();
        times.iter_mut().filter(|time| time.node == "b").for_each(|time| time.ns *= 1.1);
        let [found] = disagreements(&times).try_into().unwrap();
        assert_eq!((found.time.node.as_str(), found.with), ("b", Siblings::OtherMachines));
        assert!((found.ratio - 1.1).abs() < 0.01 && found.siblings == 10, "{found:?}");
    }

    #[test]
    fn a_machine_that_was_slow_once_disagrees_with_itself() {
        let mut times: Vec<ReferenceTime> = alike().into_iter().filter(|time| time.node == "a").collect();
        times[2].ns *= 1.2;
        let [found] = disagreements(&times).try_into().unwrap();
        assert_eq!((found.time.task, found.with, found.siblings), (times[2].task, Siblings::SameMachine, 4));
        // Another model is no sibling.
        let mut times = alike();
        times.push(ReferenceTime { model: "Slow".to_owned(), ..time("d", 16, 5000.0) });
        assert_eq!(disagreements(&times), []);
    }
}

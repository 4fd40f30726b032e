//! Cuts an experiment into tasks of about the same time. The cut depends on the experiment alone, and not on
//! how fast a machine is today, so that the same experiment is always cut into the same tasks.

use assay_experiment::Resolved;
use assay_experiment::points::Point;
use assay_experiment::selection::original;

/// Seconds that are assumed for a repetition beside its searches: messages, the preparation, the row. Most
/// algorithms take some microseconds; those that build large tables take longer.
const REPETITION_SECONDS: f64 = 20e-6;
/// Seconds that are assumed for a round: a worker is started.
const ROUND_SECONDS: f64 = 5e-3;
/// From this multiple of the wanted time on, one value of the range is divided among several tasks. Below, it
/// stays in one, because algorithms are compared best if they are measured together.
const SPLIT_FROM: f64 = 2.0;

/// What decides how large tasks are.
#[derive(Clone, Debug, PartialEq)]
pub struct CutRule {
    /// How long a task should take, in seconds.
    pub seconds: f64,
    /// How many bytes of text an algorithm is assumed to search in a second.
    pub rate: f64,
    /// The algorithm that takes part in each group, if the algorithms of a value are divided.
    pub reference: String,
}

/// What a task measures of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The points of the experiment, by their numbers: consecutive ones.
    pub points: std::ops::Range<usize>,
    /// The ids of the algorithms.
    pub algorithms: Vec<String>,
    /// The number of the group of algorithms and the number of groups, if they are divided. The first is 1.
    pub group: Option<[usize; 2]>,
    /// How long it is assumed to take.
    pub seconds: f64,
}

impl CutRule {
    /// Cuts an experiment into tasks: consecutive values of its range, each with all algorithms; or a group
    /// of the algorithms at one value, if that value alone takes much longer than a task should.
    pub fn cut(&self, resolved: &Resolved) -> Vec<Cut> {
        let ids: Vec<String> = resolved.algorithms.iter().map(|chosen| chosen.id.clone()).collect();
        let warmup = resolved.experiment.warmup as u64;
        let costs: Vec<f64> = resolved.points.iter().map(|point| self.cost(point, warmup)).collect();
        self.cut_by_cost(&costs, &ids)
    }

    /// The seconds that one algorithm takes at a point.
    fn cost(&self, point: &Point, warmup: u64) -> f64 {
        let rounds = point.rounds.count() as u64;
        let repetitions = point.rounds.runs() as u64 + warmup * rounds;
        let repetition = point.bytes as f64 / self.rate + REPETITION_SECONDS;
        repetitions as f64 * repetition + rounds as f64 * ROUND_SECONDS
    }

    /// As [`cut`](Self::cut), with the seconds that one algorithm takes at each point.
    fn cut_by_cost(&self, costs: &[f64], ids: &[String]) -> Vec<Cut> {
        let mut cuts: Vec<Cut> = Vec::new();
        let mut begun: Option<Cut> = None;
        for (point, cost) in costs.iter().enumerate() {
            let seconds = cost * ids.len() as f64;
            let groups = self.groups(seconds, ids);
            if groups.len() > 1 {
                cuts.extend(begun.take());
                let number = groups.len();
                cuts.extend((1..).zip(groups).map(|(group, algorithms)| Cut {
                    points: point..point + 1,
                    seconds: cost * algorithms.len() as f64,
                    algorithms,
                    group: Some([group, number]),
                }));
                continue;
            }
            match &mut begun {
                Some(cut) if cut.seconds + seconds <= self.seconds => {
                    cut.points.end = point + 1;
                    cut.seconds += seconds;
                }
                _ => {
                    let algorithms = ids.to_vec();
                    let cut = Cut { points: point..point + 1, algorithms, group: None, seconds };
                    cuts.extend(begun.replace(cut));
                }
            }
        }
        cuts.extend(begun);
        cuts
    }

    /// The groups of algorithms that share a point which takes this number of seconds. Copies of an algorithm
    /// stay together, because a copy alone is no copy. The reference is in each group, its copies in the
    /// first.
    fn groups(&self, seconds: f64, ids: &[String]) -> Vec<Vec<String>> {
        let mut families: Vec<Vec<String>> = Vec::new();
        let is_reference = |id: &&String| original(id) == original(&self.reference);
        let copies: Vec<String> = ids.iter().filter(is_reference).cloned().collect();
        for id in ids.iter().filter(|id| !is_reference(id)) {
            match families.iter_mut().find(|family| original(&family[0]) == original(id)) {
                Some(family) => family.push(id.clone()),
                None => families.push(vec![id.clone()]),
            }
        }
        let wanted = if seconds > SPLIT_FROM * self.seconds { (seconds / self.seconds).ceil() } else { 1.0 };
        let number = (wanted as usize).clamp(1, families.len().max(1));
        let mut groups: Vec<Vec<String>> = vec![Vec::new(); number];
        let count = families.len();
        for (place, family) in families.into_iter().enumerate() {
            groups[place * number / count].extend(family);
        }
        if number == 1 {
            return vec![ids.to_vec()];
        }
        let (first, others) = groups.split_at_mut(1);
        first[0].extend(copies);
        others.iter_mut().for_each(|group| group.push(self.reference.clone()));
        groups
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use assay_experiment::testing::example;
    use proptest::prelude::*;

    use super::*;

    fn ids(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("a{number}")).collect()
    }

    fn rule(seconds: f64) -> CutRule {
        CutRule { seconds, rate: 1e9, reference: "a0".to_owned() }
    }

    proptest! {
        #[test]
        fn every_algorithm_is_measured_once_at_every_point(
            costs in prop::collection::vec(0.01f64..50.0, 1..20),
            count in 1usize..40,
            seconds in 1.0f64..100.0,
        ) {
            let ids = ids(count);
            let rule = rule(seconds);
            let cuts = rule.cut_by_cost(&costs, &ids);
            let mut times: HashMap<(usize, &str), usize> = HashMap::new();
            let mut last = 0;
            for cut in &cuts {
                prop_assert!(cut.points.start >= last && !cut.points.is_empty());
                last = cut.points.start;
                let is_first = cut.group.is_none_or(|[group, _]| group == 1);
                for point in cut.points.clone() {
                    for id in cut.algorithms.iter().filter(|id| **id != rule.reference || is_first) {
                        *times.entry((point, id)).or_default() += 1;
                    }
                }
                prop_assert!(cut.algorithms.contains(&rule.reference));
                let single = costs[cut.points.start] * count as f64;
                prop_assert!(cut.seconds <= seconds + 1e-9 || cut.points.len() == 1, "{cut:?}");
                prop_assert!(cut.group.is_none() || single > SPLIT_FROM * seconds, "{cut:?}");
            }
            prop_assert_eq!(times.len(), costs.len() * count);
            prop_assert!(times.values().all(|count| *count == 1));
        }
    }

    #[test]
    fn short_points_share_a_task_and_a_long_one_is_divided_among_several() {
        let cuts = rule(10.0).cut_by_cost(&[1.0, 1.0, 1.0, 10.0, 1.0], &ids(4));
        let shapes: Vec<_> = cuts.iter().map(|cut| (cut.points.clone(), cut.algorithms.len())).collect();
        assert_eq!(shapes, [(0..2, 4), (2..3, 4), (3..4, 2), (3..4, 2), (3..4, 2), (4..5, 4)]);
        assert_eq!(cuts[3].group, Some([2, 3]));
        assert_eq!(cuts[3].algorithms, ["a2", "a0"]);
    }

    #[test]
    fn copies_of_an_algorithm_stay_together() {
        let ids = ["a0", "a1", "a0@2", "a2"].map(str::to_owned);
        let cuts = rule(1.0).cut_by_cost(&[10.0], &ids);
        assert_eq!(cuts[0].algorithms, ["a1", "a0", "a0@2"]);
        assert_eq!(cuts.len(), 2);
    }

    #[test]
    fn the_time_of_a_point_is_that_of_its_searches_and_rounds() {
        let mut resolved = example(1, 100).in_rounds(100, 10);
        resolved.experiment.warmup = 1;
        let point = Point { bytes: 1_000_000, ..resolved.points[0].clone() };
        let seconds = rule(1.0).cost(&point, 1);
        assert!((seconds - (110.0 * (1e-3 + 20e-6) + 10.0 * 5e-3)).abs() < 1e-9, "{seconds}");
    }
}

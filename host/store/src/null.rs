//! The noise floor of a run: how much copies of one algorithm differ. Each pair of its copies
//! is an A/A test.

use assay_base::columns::{Call, PerCall};
use assay_base::error::Result;
use assay_experiment::selection::original;
use assay_stats::Sample;
use assay_stats::rounds::log_ratios;
use assay_stats::significance::{Difference, PLACEMENT_FLOOR};
use schemars::JsonSchema;
use serde::Serialize;

/// The greatest difference between copies of one algorithm, over all pairs and all pattern lengths, as a
/// share of the time. Smaller differences between algorithms are not reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Null {
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// Greatest number of copies of one algorithm.
    pub times: usize,
    /// By how much, in each kind of call; `None` where nothing could be compared.
    #[serde(flatten)]
    pub most: PerCall<Option<f64>>,
}

impl Null {
    /// Adds what a pattern length tells of some algorithms with these times.
    ///
    /// # Errors
    /// If `times` fails.
    pub fn add(
        &mut self,
        call: Option<Call>,
        ids: &[&str],
        mut times: impl FnMut(usize) -> Result<Vec<Sample>>,
    ) -> Result<()> {
        let mut copies: Vec<(&str, Vec<usize>)> = Vec::new();
        for (place, id) in ids.iter().enumerate() {
            match copies.iter_mut().find(|(known, _)| *known == original(id)) {
                Some((_, places)) => places.push(place),
                None => copies.push((original(id), vec![place])),
            }
        }
        for (id, places) in copies.into_iter().filter(|(_, places)| places.len() > 1) {
            if !self.algorithms.iter().any(|known| known == id) {
                self.algorithms.push(id.to_owned());
            }
            self.times = self.times.max(places.len());
            let lists = places.into_iter().map(&mut times).collect::<Result<Vec<_>>>()?;
            for (number, earlier) in lists.iter().enumerate() {
                lists[number + 1..].iter().for_each(|later| self.compare(call, later, earlier));
            }
        }
        Ok(())
    }

    /// Adds what two copies of an algorithm tell.
    fn compare(&mut self, call: Option<Call>, copy: &[Sample], other: &[Sample]) {
        let rounds: Vec<f64> = log_ratios(copy, other).into_iter().map(|(_, ratio)| ratio).collect();
        let most = self.most.get_mut(call);
        if let Some(difference) = Difference::paired(&rounds) {
            *most = Some(most.unwrap_or_default().max(difference.distance()));
        }
    }

    /// What it says of a call, in words; nothing where it says nothing.
    pub fn words(&self, call: Option<Call>) -> Option<String> {
        let share = (*self.most.get(call))?;
        let floor = 100.0 * floor(Some(self), call);
        let differs = if self.algorithms.len() == 1 {
            "differs between its copies"
        } else {
            "differ between their copies"
        };
        let times = match (self.times, self.algorithms.len()) {
            (2, _) => "twice".to_owned(),
            (times, 1) => format!("{times} times"),
            (times, _) => format!("up to {times} times"),
        };
        Some(format!(
            "{}, measured {times}, {differs} by up to {:.1} %: differences below {floor:.1} % are not reported",
            self.algorithms.join(", "),
            100.0 * share
        ))
    }
}

/// The least difference that may be claimed, as a share of the time.
pub fn floor(null: Option<&Null>, call: Option<Call>) -> f64 {
    null.and_then(|null| *null.most.get(call)).unwrap_or_default().max(PLACEMENT_FLOOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(rounds: [f64; 3]) -> Vec<Sample> {
        let sample = |(round, time)| Sample { round, repetition: round, time };
        (0..).zip(rounds).map(sample).collect()
    }

    #[test]
    fn the_floor_is_the_greatest_distance_of_any_pair_in_either_direction() {
        let ids = ["hor", "bf", "hor@2", "bf@2", "bm@2"];
        let mut null = Null::default();
        let mut add = |lists: [[f64; 3]; 5]| {
            null.add(Some(Call::Search), &ids, |i| Ok(times(lists[i]))).unwrap();
            null.clone()
        };
        let (slow, even) = ([103.0; 3], [100.0; 3]);
        assert_eq!(add([even, [1.0; 3], [100.5; 3], [1.0; 3], [7.0; 3]]).algorithms, ["hor", "bf"]);
        let null = add([slow, even, even, even, even]);
        assert!((null.most.search_ns.unwrap() - 0.03).abs() < 1e-9, "{null:?}");
        assert_eq!((null.most.total_ns, null.words(None)), (None, None));
        assert_eq!(
            null.words(Some(Call::Search)).unwrap(),
            "hor, bf, measured twice, differ between their copies by up to 3.0 %: differences below 3.0 % are not reported"
        );
        assert!((floor(Some(&null), Some(Call::Search)) - 0.03).abs() < 1e-9);
        assert_eq!([floor(Some(&null), None), floor(None, None)], [PLACEMENT_FLOOR; 2]);
    }

    #[test]
    fn of_three_copies_the_two_that_differ_most_tell_the_floor() {
        let lists = [[100.0; 3], [96.0; 3], [104.0; 3], [1.0; 3]];
        let mut null = Null::default();
        null.add(Some(Call::Search), &["hor", "hor@2", "hor@3", "bf"], |i| Ok(times(lists[i]))).unwrap();
        assert!((null.most.search_ns.unwrap() - 8.0 / 96.0).abs() < 1e-9, "{null:?}");
        let words = null.words(Some(Call::Search)).unwrap();
        assert!(
            words.starts_with("hor, measured 3 times, differs between its copies by up to 8.3 %"),
            "{words}"
        );
        // Where the first failed, the others are still the same algorithm.
        let mut others = Null::default();
        others.add(Some(Call::Search), &["hor@2", "hor@3"], |i| Ok(times(lists[i + 1]))).unwrap();
        assert_eq!((others.algorithms, others.most.search_ns), (vec!["hor".to_owned()], null.most.search_ns));
    }

    #[test]
    fn without_a_copy_or_with_one_round_nothing_is_known() {
        let mut null = Null::default();
        null.add(None, &["hor", "bf"], |_| Ok(times([1.0; 3]))).unwrap();
        assert_eq!(null, Null::default());
        null.add(None, &["hor", "hor@2"], |_| Ok(times([1.0; 3])[..1].to_vec())).unwrap();
        assert_eq!(null.most.total_ns, None);
    }
}

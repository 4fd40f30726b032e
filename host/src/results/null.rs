//! The noise floor of a run: by how much an algorithm that was measured twice differs from itself. Such a pair is an A/A test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::columns::Call;
use crate::comparison::{Difference, PLACEMENT_FLOOR, Sample, by_pattern};
use crate::error::Result;
use crate::experiment::selection::original;

/// By how much algorithms that were measured twice differ from themselves, as a share of the time: the most of all pattern
/// lengths. Of no call is a difference claimed that is not greater.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Null {
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// In preparation.
    pub prepare_ns: Option<f64>,
    /// In search.
    pub search_ns: Option<f64>,
    /// In both together.
    pub total_ns: Option<f64>,
}

impl Null {
    /// Of a call, or of all together; `None` where nothing could be compared.
    pub fn of(&self, call: Option<Call>) -> Option<f64> {
        match call {
            Some(Call::Prepare) => self.prepare_ns,
            Some(Call::Search) => self.search_ns,
            None => self.total_ns,
        }
    }

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
        for (copy, id) in ids.iter().enumerate() {
            let Some(first) = ids.iter().position(|other| other != id && *other == original(id)) else {
                continue;
            };
            if !self.algorithms.iter().any(|known| known == ids[first]) {
                self.algorithms.push(ids[first].to_owned());
            }
            let rounds = by_pattern(&times(copy)?, &times(first)?);
            let rounds: Vec<f64> = rounds.into_iter().map(|(_, ratio)| ratio).collect();
            let most = match call {
                Some(Call::Prepare) => &mut self.prepare_ns,
                Some(Call::Search) => &mut self.search_ns,
                None => &mut self.total_ns,
            };
            if let Some(difference) = Difference::paired(&rounds) {
                *most = Some(most.unwrap_or_default().max(difference.distance()));
            }
        }
        Ok(())
    }

    /// What it says of a call, in words; nothing where it says nothing.
    pub fn words(&self, call: Option<Call>) -> Option<String> {
        let share = self.of(call)?;
        let floor = 100.0 * floor(Some(self), call);
        Some(format!(
            "{}, measured twice, differs from itself by up to {:.1} %: nothing below {floor:.1} % is called a difference",
            self.algorithms.join(", "),
            100.0 * share
        ))
    }
}

/// The least difference that may be claimed, as a share of the time.
pub fn floor(null: Option<&Null>, call: Option<Call>) -> f64 {
    null.and_then(|null| null.of(call)).unwrap_or_default().max(PLACEMENT_FLOOR)
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
        assert!((null.search_ns.unwrap() - 0.03).abs() < 1e-9, "{null:?}");
        assert_eq!((null.of(None), null.words(None)), (None, None));
        assert_eq!(
            null.words(Some(Call::Search)).unwrap(),
            "hor, bf, measured twice, differs from itself by up to 3.0 %: nothing below 3.0 % is called a difference"
        );
        assert!((floor(Some(&null), Some(Call::Search)) - 0.03).abs() < 1e-9);
        assert_eq!([floor(Some(&null), None), floor(None, None)], [PLACEMENT_FLOOR; 2]);
    }

    #[test]
    fn without_a_copy_or_with_one_round_nothing_is_known() {
        let mut null = Null::default();
        null.add(None, &["hor", "bf"], |_| Ok(times([1.0; 3]))).unwrap();
        assert_eq!(null, Null::default());
        null.add(None, &["hor", "hor@2"], |_| Ok(times([1.0; 3])[..1].to_vec())).unwrap();
        assert_eq!(null.of(None), None);
    }
}

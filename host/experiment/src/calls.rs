//! The calls of a repetition: prepare and search. An experiment may ask for several searches, or searches of
//! several texts, after one preparation, and may repeat all of this for each text of a sum-range.

use std::fmt::Display;

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_length::ByLength;
use super::points::Step;

/// Greatest number of calls of a repetition. Each call has columns of its own in `measurements.csv`.
const MOST_CALLS: usize = 100;

/// Searches of one text, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CallSpec {
    /// The text: a name, file, folder or `corpus:ID`. If it is left out, the text of the experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How often the text is searched.
    pub searches: usize,
    /// A formula for the number of operations of one of these searches, over `text_length` (its own text) and
    /// `pattern_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<ByLength>,
}

impl Default for CallSpec {
    fn default() -> Self {
        CallSpec { text: None, searches: 1, complexity: None }
    }
}

/// The calls of a repetition, in order.
///
/// `texts` are the numbers of the texts of the sum-range, or of the one text. `calls` are the searches after
/// each preparation: the number of their text, or `None` for the text of the sum-range, and how many there
/// are. Without `calls`, there is one search.
pub fn steps(texts: &[usize], calls: &[(Option<usize>, usize)]) -> Vec<Step> {
    let calls = if calls.is_empty() { &[(None, 1)] } else { calls };
    let mut steps = Vec::new();
    for text in texts {
        let first = calls[0].0.unwrap_or(*text);
        steps.push(Step { call: Call::Prepare, text: first });
        for (own_text, times) in calls {
            let search = Step { call: Call::Search, text: own_text.unwrap_or(*text) };
            steps.extend(std::iter::repeat_n(search, *times));
        }
    }
    steps
}

/// The calls of each thread, if all searches after a preparation are done at the same time, each by a thread
/// that prepares for itself. With `whole_sum`, the searches of all values of the sum-range are done at the
/// same time. `texts` and `calls` are those of [`steps`].
pub fn lanes(texts: &[usize], calls: &[(Option<usize>, usize)], whole_sum: bool) -> Vec<Vec<Step>> {
    let steps = steps(texts, calls);
    let by_value: Vec<&[Step]> = steps.chunk_by(|_, next| next.call == Call::Search).collect();
    let both = |search: &Step| Call::ALL.map(|call| Step { call, ..*search });
    if whole_sum {
        return by_value.iter().flat_map(|calls| &calls[1..]).map(|search| both(search).to_vec()).collect();
    }
    let lane = |number: usize| by_value.iter().flat_map(|calls| both(&calls[number])).collect();
    (1..by_value[0].len()).map(lane).collect()
}

/// Checks the calls of an experiment whose sum-range has this number of values.
///
/// # Errors
/// If a call has no search, or a repetition has too many calls.
pub fn validate(calls: &[CallSpec], sumrange: usize) -> Result<()> {
    if calls.iter().any(|call| call.searches == 0) {
        return Err(
            Error::new("a call must search at least once").remedy("leave it out, or give searches = 1")
        );
    }
    let searches = calls.iter().fold(0usize, |sum, call| sum.saturating_add(call.searches)).max(1);
    let all = sumrange.saturating_mul(searches.saturating_add(1));
    if all > MOST_CALLS {
        return Err(Error::new(format!(
            "a repetition would have {all} calls, and may have at most {MOST_CALLS}"
        ))
        .remedy("give fewer --searches or texts"));
    }
    Ok(())
}

/// Whether a repetition has several calls of this kind.
pub fn are_several(calls: impl IntoIterator<Item = Call>, kind: Call) -> bool {
    calls.into_iter().filter(|call| *call == kind).count() > 1
}

/// Whether a repetition has other calls of the same kind as the call of this index.
pub fn is_one_of_several(steps: &[Step], call: usize) -> bool {
    are_several(steps.iter().map(|step| step.call), steps[call].call)
}

/// The name of a call as messages quote it, "`search2`"; `None` if the repetition has only one preparation
/// and one search.
pub fn quoted(steps: &[Step], call: usize) -> Option<String> {
    let name = names(steps).into_iter().nth(call).filter(|_| steps.len() > Call::ALL.len());
    name.map(|name| format!("`{name}`"))
}

/// The name of a call with its repetition, "`search2` of repetition 1"; `None` as for [`quoted`].
pub fn place(steps: &[Step], call: usize, repetition: impl Display) -> Option<String> {
    quoted(steps, call).map(|name| format!("{name} of repetition {repetition}"))
}

/// The names of the calls of a repetition, in order: `prepare` and `search`, numbered from 1 where there are
/// several of a kind.
pub fn names(steps: &[Step]) -> Vec<String> {
    (0..steps.len()).map(|index| name(steps, index)).collect()
}

/// The name of the call of this index.
fn name(steps: &[Step], index: usize) -> String {
    let call = steps[index].call;
    if !is_one_of_several(steps, index) {
        return call.name().to_owned();
    }
    let number = steps[..=index].iter().filter(|step| step.call == call).count();
    format!("{}{number}", call.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_words(texts: &[usize], calls: &[(Option<usize>, usize)]) -> String {
        let steps = steps(texts, calls);
        let step = |(step, name): (&Step, String)| format!("{name} {}", step.text);
        steps.iter().zip(names(&steps)).map(step).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_repetition_prepares_and_searches_in_order() {
        assert_eq!(in_words(&[0], &[]), "prepare 0, search 0");
        assert_eq!(in_words(&[0], &[(None, 3)]), "prepare 0, search1 0, search2 0, search3 0");
        assert_eq!(in_words(&[0], &[(Some(1), 1), (None, 1)]), "prepare 1, search1 1, search2 0");
        assert_eq!(in_words(&[0, 1], &[]), "prepare1 0, search1 0, prepare2 1, search2 1");
    }

    #[test]
    fn parallel_calls_have_a_thread_each() {
        let in_words = |lanes: Vec<Vec<Step>>| {
            let lane = |steps: &Vec<Step>| {
                steps
                    .iter()
                    .map(|step| format!("{} {}", step.call.name(), step.text))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            lanes.iter().map(lane).collect::<Vec<_>>().join("; ")
        };
        let calls = [(None, 1), (Some(7), 2)];
        assert_eq!(
            in_words(lanes(&[0], &calls, false)),
            "prepare 0, search 0; prepare 7, search 7; prepare 7, search 7"
        );
        assert_eq!(
            in_words(lanes(&[0, 1], &calls[..1], false)),
            "prepare 0, search 0, prepare 1, search 1",
            "one search at a time is no parallel call"
        );
        assert_eq!(in_words(lanes(&[0, 1], &[], true)), "prepare 0, search 0; prepare 1, search 1");
        assert_eq!(lanes(&[0, 1], &calls, true).len(), 6);
    }

    #[test]
    fn messages_name_a_call_only_where_there_are_several() {
        let several = steps(&[0], &[(None, 2)]);
        let places = [0, 2, 3].map(|call| place(&several, call, 7));
        let expected =
            ["`prepare` of repetition 7", "`search2` of repetition 7"].map(|place| Some(place.to_owned()));
        assert_eq!(places, [&expected[..], &[None]].concat()[..]);
        assert_eq!(place(&steps(&[0], &[]), 1, 7), None);
    }

    #[test]
    fn calls_are_some_and_not_too_many() {
        let call = |searches| CallSpec { searches, ..CallSpec::default() };
        assert!(validate(&[], 1).is_ok() && validate(&[call(99)], 1).is_ok());
        assert!(validate(&[call(0)], 1).is_err() && validate(&[call(100)], 1).is_err());
        assert!(
            validate(&[call(40)], 3).is_err() && validate(&[call(usize::MAX), call(usize::MAX)], 9).is_err()
        );
    }
}

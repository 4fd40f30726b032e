//! What a repetition does: prepare, and search. An experiment may have it search several times, or several texts, with one
//! preparation, or do all of it for each text of a sum-range.

use std::fmt::Display;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::range::Step;
use crate::columns::Call;
use crate::error::{Error, Result};

/// Greatest number of calls of a repetition.
const MOST_CALLS: usize = 100;

/// Searches that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CallSpec {
    /// The text: a name, file, folder or `corpus:ID`; that of the experiment if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How many searches of it.
    pub searches: usize,
}

impl Default for CallSpec {
    fn default() -> Self {
        CallSpec { text: None, searches: 1 }
    }
}

/// The calls of a repetition. `texts` are those of the sum-range, or the one text; `calls` the searches behind each preparation,
/// each with the number of its text, if it has one of its own: one search if there are none.
pub fn steps(texts: &[usize], calls: &[(Option<usize>, usize)]) -> Vec<Step> {
    let one = [(None, 1)];
    let calls = if calls.is_empty() { &one[..] } else { calls };
    let of_text = |text: &usize| {
        let searches = calls.iter().flat_map(|(own, times)| {
            let search = Step { call: Call::Search, text: own.unwrap_or(*text) };
            std::iter::repeat_n(search, *times)
        });
        let searches: Vec<Step> = searches.collect();
        let first = searches.first().map_or(*text, |search| search.text);
        std::iter::once(Step { call: Call::Prepare, text: first }).chain(searches).collect::<Vec<_>>()
    };
    texts.iter().flat_map(of_text).collect()
}

/// Checks the calls of an experiment whose sum-range has so many values.
///
/// # Errors
/// If a call searches nothing, or they are too many.
pub fn validate(calls: &[CallSpec], sumrange: usize) -> Result<()> {
    if calls.iter().any(|call| call.searches == 0) {
        return Err(
            Error::new("a call that searches 0 times is none").remedy("leave it out, or give searches = 1")
        );
    }
    let searches = calls.iter().fold(0usize, |sum, call| sum.saturating_add(call.searches)).max(1);
    let all = sumrange.saturating_mul(searches.saturating_add(1));
    if all > MOST_CALLS {
        return Err(Error::new(format!("a repetition of {all} calls is longer than {MOST_CALLS} of them"))
            .remedy("give fewer --searches or texts"));
    }
    Ok(())
}

/// Whether calls of this kind are several in a repetition.
pub fn are_several(calls: impl IntoIterator<Item = Call>, kind: Call) -> bool {
    calls.into_iter().filter(|call| *call == kind).count() > 1
}

/// Whether there are other calls like this one in a repetition.
pub fn is_one_of_several(steps: &[Step], call: usize) -> bool {
    are_several(steps.iter().map(|step| step.call), steps[call].call)
}

/// The name of a call by which messages tell it from others of its repetition: "`search2`"; none where there is one of a kind.
pub fn quoted(steps: &[Step], call: usize) -> Option<String> {
    let name = names(steps).into_iter().nth(call).filter(|_| steps.len() > Call::ALL.len());
    name.map(|name| format!("`{name}`"))
}

/// The same with its repetition: "`search2` of repetition 1".
pub fn place(steps: &[Step], call: usize, repetition: impl Display) -> Option<String> {
    quoted(steps, call).map(|name| format!("{name} of repetition {repetition}"))
}

/// The names of the calls of a repetition, in order: `prepare` and `search`, with numbers where there are several of them.
pub fn names(steps: &[Step]) -> Vec<String> {
    let name = |(i, step): (usize, &Step)| match is_one_of_several(steps, i) {
        false => step.call.name().to_owned(),
        true => {
            let number = steps[..=i].iter().filter(|other| other.call == step.call).count();
            format!("{}{number}", step.call.name())
        }
    };
    steps.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[usize], calls: &[(Option<usize>, usize)]) -> String {
        let steps = steps(texts, calls);
        let step = |(step, name): (&Step, String)| format!("{name} {}", step.text);
        steps.iter().zip(names(&steps)).map(step).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_repetition_prepares_and_searches_in_order() {
        assert_eq!(told(&[0], &[]), "prepare 0, search 0");
        assert_eq!(told(&[0], &[(None, 3)]), "prepare 0, search1 0, search2 0, search3 0");
        assert_eq!(told(&[0], &[(Some(1), 1), (None, 1)]), "prepare 1, search1 1, search2 0");
        assert_eq!(told(&[0, 1], &[]), "prepare1 0, search1 0, prepare2 1, search2 1");
    }

    #[test]
    fn messages_name_a_call_only_where_there_are_several() {
        let several = steps(&[0], &[(None, 2)]);
        let places = [0, 2, 3].map(|call| place(&several, call, 7));
        let told =
            ["`prepare` of repetition 7", "`search2` of repetition 7"].map(|place| Some(place.to_owned()));
        assert_eq!(places, [&told[..], &[None]].concat()[..]);
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

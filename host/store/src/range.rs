//! The range of a run and the calls of a repetition, as `report.json` describes them.

use std::collections::BTreeMap;
use std::path::Path;

use assay_base::columns::Call;
use assay_experiment::Resolved;
use assay_experiment::calls;
use assay_experiment::range::Over;
use assay_experiment::text::TextFacts;
use assay_load::plugin::printable::line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExperimentFacts;

/// The range of a run in which something else than the pattern length varies.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct RangeFacts {
    /// The quantity that varies.
    pub over: Over,
    /// Its values, in the requested order.
    pub values: Vec<ValueFacts>,
}

/// A value of the range.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ValueFacts {
    /// The number in `range_value` of the results, and in the column of `measurements.csv`.
    pub value: u64,
    /// The value as people read it.
    pub label: String,
    /// Length of the patterns in bytes.
    pub pattern_length: usize,
    /// The text; if there are several, the first.
    pub text: TextFacts,
    /// Number of bytes that all searches of a repetition read together.
    pub searched_bytes: usize,
    /// Length of the text of each call, in the order of the calls; empty if a repetition has one preparation
    /// and one search, or an earlier version measured the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_bytes: Vec<usize>,
    /// Number of threads that searched.
    pub threads: u32,
}

/// A call of a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CallFacts {
    /// Its name: `prepare`, `search2` .. If there are several of its kind, columns begin with this name.
    pub name: String,
    /// Its kind: `prepare` or `search`.
    pub call: Call,
    /// The text: files, a corpus, `data` or `embedded`. For a preparation, it is the text that is searched
    /// next. If calls are parallel, it is the texts of all of them.
    pub text: Vec<String>,
    /// Length of this text in bytes; if the text varies, that of the first value.
    pub bytes: usize,
}

impl RangeFacts {
    /// The range of an experiment, with the facts of its texts by number. `None` if it has no range.
    pub fn new(resolved: &Resolved, texts: &BTreeMap<usize, TextFacts>) -> Option<Self> {
        let range = resolved.experiment.range.as_ref()?;
        let call_bytes = |point: usize| {
            let calls = if has_usual_calls(resolved) { 0 } else { resolved.points[point].steps.len() };
            (0..calls).map(|call| bytes_of_call(resolved, point, call)).collect()
        };
        let value = |((value, label), point): ((u64, String), usize)| ValueFacts {
            value,
            label,
            call_bytes: call_bytes(point),
            pattern_length: resolved.points[point].set.length,
            text: texts[&resolved.points[point].text()].clone(),
            searched_bytes: resolved.points[point].bytes,
            threads: resolved.points[point].threads as u32,
        };
        Some(RangeFacts {
            over: range.over(),
            values: range.values().into_iter().zip(0..).map(value).collect(),
        })
    }
}

impl CallFacts {
    /// The calls of a repetition; none if it is the usual one, which prepares once and searches once.
    pub fn all(resolved: &Resolved) -> Vec<Self> {
        if has_usual_calls(resolved) {
            return Vec::new();
        }
        let steps = &resolved.points[0].steps;
        let mut all = Vec::new();
        for (number, name) in calls::names(steps).into_iter().enumerate() {
            let texts = resolved.points[0].texts_of_call(number).map(|text| &resolved.texts[text].sources);
            all.push(CallFacts {
                name,
                call: steps[number].call,
                text: texts.flatten().cloned().collect(),
                bytes: bytes_of_call(resolved, 0, number),
            });
        }
        all
    }
}

/// The number of values of the sum-range, counted by the preparations, because each value has one.
pub fn sumrange_values(calls: &[CallFacts]) -> usize {
    calls.iter().filter(|call| call.call == Call::Prepare).count().max(1)
}

/// The length of the text of a call; of several threads with calls of their own, that of all texts together.
fn bytes_of_call(resolved: &Resolved, point: usize, call: usize) -> usize {
    resolved.points[point].texts_of_call(call).map(|text| resolved.texts[text].bytes.len()).sum()
}

/// Whether a repetition prepares once and searches once, and the experiment says nothing else.
fn has_usual_calls(resolved: &Resolved) -> bool {
    resolved.points[0].steps.len() == Call::ALL.len() && !resolved.experiment.has_calls()
}

impl ExperimentFacts {
    /// The text, or the texts, in a few words: `data/english.txt`, `rand2 to rand64`.
    pub fn texts_in_words(&self) -> String {
        self.texts_with(|sources| line(&sources.join(", ")))
    }

    /// The text, or the texts, by the names of their files without folders: `english.txt`, `rand2 to rand64`.
    pub fn texts_by_name(&self) -> String {
        self.texts_with(|sources| match sources.len() {
            0..=FEW => line(&sources.iter().map(|source| file_name(source)).collect::<Vec<_>>().join(", ")),
            many => format!("{many} files from {}", line(file_name(&sources[0]))),
        })
    }

    /// The texts with their sources in words.
    fn texts_with(&self, in_words: impl Fn(&[String]) -> String) -> String {
        let range = self.range.as_ref().map(|range| (range.over, range.values.as_slice()));
        let mut names = vec![match range {
            Some((Over::Text, values)) => {
                values.iter().map(|value| in_words(&value.text.sources)).collect::<Vec<_>>().join("; ")
            }
            Some((Over::Alphabet, [first, .., last])) => {
                format!("{} to {}", in_words(&first.text.sources), in_words(&last.text.sources))
            }
            _ => in_words(&self.text.sources),
        }];
        for call in self.calls.iter().filter(|call| call.call == Call::Search) {
            let text = in_words(&call.text);
            if text != in_words(&self.text.sources) && !names[1..].contains(&text) {
                names.push(text);
            }
        }
        names.join("; ")
    }
}

/// Up to this number of files of a text are named.
const FEW: usize = 4;

/// A file without its folders; a source that is no file has none.
fn file_name(source: &str) -> &str {
    Path::new(source).file_name().and_then(|name| name.to_str()).unwrap_or(source)
}

#[cfg(test)]
mod tests {
    use crate::testing;

    #[test]
    fn a_text_is_named_by_its_files_without_folders() {
        let mut facts = testing::run().experiment;
        let mut named = |sources: &[&str]| {
            facts.text.sources = sources.iter().map(|source| (*source).to_owned()).collect();
            (facts.texts_in_words(), facts.texts_by_name())
        };
        assert_eq!(named(&["/a/b.txt", "c.txt"]), ("/a/b.txt, c.txt".to_owned(), "b.txt, c.txt".to_owned()));
        assert_eq!(named(&["embedded"]).1, "embedded");
        assert_eq!(named(&["x/1", "x/2", "x/3", "x/4", "x/5"]).1, "5 files from 1");
    }
}

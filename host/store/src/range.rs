//! The range of a run and the calls of a repetition, as `report.json` describes them.

use std::collections::BTreeMap;

use assay_base::columns::Call;
use assay_experiment::Resolved;
use assay_experiment::calls;
use assay_experiment::range::Over;
use assay_experiment::text::TextFacts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What varied, instead of the length of the patterns.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct RangeFacts {
    /// What that is.
    pub over: Over,
    /// Its values, in the order that was asked for.
    pub values: Vec<ValueFacts>,
}

/// A value of what varied.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ValueFacts {
    /// The number in `range_value` of the results, and in the column of `measurements.csv`.
    pub value: u64,
    /// What people read.
    pub label: String,
    /// Length of the patterns in bytes.
    pub pattern_length: usize,
    /// The text; the first, if there are several.
    pub text: TextFacts,
    /// How many bytes a repetition searched, in all.
    pub searched_bytes: usize,
    /// How many threads searched.
    pub threads: u32,
}

/// A call of a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CallFacts {
    /// Its name: `prepare`, `search2` .. Columns begin with it where there are several of its kind.
    pub name: String,
    /// Whether it prepared the pattern: `prepare` or `search`.
    pub call: Call,
    /// The text: files, a corpus, `data` or `embedded`. Of a preparation, the one that is searched next.
    pub text: Vec<String>,
    /// Length of that text in bytes; where the text varies, that of the first value.
    pub bytes: usize,
}

impl RangeFacts {
    /// The range of an experiment, with the facts of its texts by number. `None` if it has no range.
    pub fn new(resolved: &Resolved, texts: &BTreeMap<usize, TextFacts>) -> Option<Self> {
        let range = resolved.experiment.range.as_ref()?;
        let value = |((value, label), point): ((u64, String), usize)| ValueFacts {
            value,
            label,
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
        let steps = &resolved.points[0].steps;
        if steps.len() == Call::ALL.len() && !resolved.experiment.has_calls() {
            return Vec::new();
        }
        let call = |(name, step): (String, &assay_experiment::points::Step)| {
            let text = &resolved.texts[step.text];
            CallFacts { name, call: step.call, text: text.sources.clone(), bytes: text.bytes.len() }
        };
        calls::names(steps).into_iter().zip(steps).map(call).collect()
    }
}

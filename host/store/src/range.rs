//! What varied in a run, and what a repetition did, as results tell it.

use std::collections::BTreeMap;

use assay_base::columns::Call;
use assay_base::io::numbers::grouped;
use assay_base::io::table::Datum;
use assay_experiment::Resolved;
use assay_experiment::calls;
use assay_experiment::definition::Experiment;
use assay_experiment::range::Over;
use assay_experiment::rounds::Rounds;
use assay_experiment::size;
use assay_experiment::text::TextFacts;
use assay_load::plugin::printable::line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::caches::CpuCache;
use super::repetitions::from_to;
use super::schema::ExperimentFacts;

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
    /// Of an experiment, with what its texts are by their numbers.
    pub fn of(resolved: &Resolved, texts: &BTreeMap<usize, TextFacts>) -> Option<Self> {
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
    /// Of an experiment whose repetitions are not ordinary.
    pub fn of(resolved: &Resolved) -> Vec<Self> {
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

/// What varies along an axis of a table or a picture: the range of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeAxis {
    /// What varies.
    pub over: Over,
    labels: Vec<(u64, String)>,
    caches: Vec<CpuCache>,
}

impl RangeAxis {
    /// "pattern length", "text size" ..
    pub fn words(&self) -> &'static str {
        self.over.words()
    }

    /// What stands above a column of its values: `m`, `text size`.
    pub fn symbol(&self) -> &'static str {
        match self.over {
            Over::PatternLength => "m",
            _ => self.words(),
        }
    }

    /// What stands beside its values: "pattern length in bytes".
    pub fn title(&self) -> String {
        match (self.over, self.over.unit()) {
            (Over::TextBytes, _) | (_, "") => self.words().to_owned(),
            (_, unit) => format!("{} in {unit}", self.words()),
        }
    }

    /// A value with what it is, as above a panel: `patterns of 8 bytes`, `text size 64 KiB`.
    pub fn heading(&self, value: u64) -> String {
        match self.over {
            Over::PatternLength => format!("patterns of {value} bytes"),
            _ => self.at(value),
        }
    }

    /// A value as a column of a table for people has it: `m=8`, `64 KiB`.
    pub fn short(&self, value: u64) -> String {
        match self.over {
            Over::PatternLength => format!("m={value}"),
            _ => self.label(value),
        }
    }

    /// The name in files.
    pub fn column(&self) -> &'static str {
        self.over.column()
    }

    /// A value as a heading has it: `8`, `64 KiB`, `english.txt`.
    pub fn label(&self, value: u64) -> String {
        let label = self.labels.iter().find(|(known, _)| *known == value);
        label.map_or_else(|| value.to_string(), |(_, label)| label.clone())
    }

    /// A value in a column of values.
    pub fn cell(&self, value: u64) -> Datum {
        match self.over {
            Over::PatternLength | Over::Alphabet | Over::Threads => Datum::Number(value as f64, 0),
            Over::TextBytes | Over::Text => self.label(value).into(),
        }
    }

    /// A value in running text: `m=8`, `text size 64 KiB`.
    pub fn at(&self, value: u64) -> String {
        match self.over {
            Over::PatternLength => format!("m={value}"),
            _ => format!("{} {}", self.words(), self.label(value)),
        }
    }

    /// Values beyond which something is different, with names: the caches of the machine, where the size of the text varies.
    pub fn marks(&self, least: u64, greatest: u64) -> impl Iterator<Item = (u64, String)> {
        let within = self.caches.iter().filter(move |cache| (least..greatest).contains(&cache.bytes));
        within.map(|cache| (cache.bytes, format!("{} {}", cache.name, size::words(cache.bytes as usize))))
    }

    /// Whether values lie on a line, and are not only different.
    pub fn is_number(&self) -> bool {
        self.over != Over::Text
    }
}

/// Up to this many values are listed; of more, only the first and the last.
const NAMED: usize = 8;

impl ExperimentFacts {
    /// The text, or the texts, in a few words: `english.txt`, `rand2 to rand64`.
    pub fn texts_in_words(&self) -> String {
        let sources = |text: &TextFacts| line(&text.sources.join(", "));
        let mut words = match self.range.as_ref().map(|range| (range.over, range.values.as_slice())) {
            Some((Over::Text, values)) => {
                values.iter().map(|value| sources(&value.text)).collect::<Vec<_>>().join("; ")
            }
            Some((Over::Alphabet, [first, .., last])) => {
                format!("{} to {}", sources(&first.text), sources(&last.text))
            }
            _ => sources(&self.text),
        };
        let mut others: Vec<String> = Vec::new();
        for call in self.calls.iter().filter(|call| call.call == Call::Search) {
            let text = line(&call.text.join(", "));
            if text != sources(&self.text) && !others.contains(&text) {
                others.push(text);
            }
        }
        if !others.is_empty() {
            words += &format!("; {}", others.join("; "));
        }
        words
    }

    /// Whether all searches are of one text.
    pub fn has_one_text(&self) -> bool {
        let same = |call: &CallFacts| (&call.text, call.bytes) == (&self.text.sources, self.text.bytes);
        !self.over().varies_texts() && self.calls.iter().all(same)
    }

    /// How long the text is, or the texts are: `1,000 bytes`, `4 KiB to 1 MiB`.
    pub fn lengths_in_words(&self) -> String {
        let bytes = |bytes: usize| format!("{} bytes", grouped(bytes as f64, 0));
        let Some(range) = &self.range else {
            let others = if self.has_one_text() { "" } else { " in all" };
            let searched = if self.has_one_text() { self.text.bytes } else { self.searched_bytes(0) };
            return format!("{}{others}", bytes(searched));
        };
        match range.values.as_slice() {
            [first, .., last] if range.over == Over::TextBytes => {
                format!("{} to {}", first.label, last.label)
            }
            values => {
                // Of several texts or sizes in a repetition, what it searches in all.
                let sums = self
                    .calls
                    .iter()
                    .any(|call| (&call.text, call.bytes) != (&self.calls[0].text, self.calls[0].bytes));
                let lengths =
                    values.iter().map(|value| if sums { value.searched_bytes } else { value.text.bytes });
                let words = match (lengths.clone().min(), lengths.max()) {
                    (Some(least), Some(most)) if least < most => {
                        format!("{} to {}", grouped(least as f64, 0), bytes(most))
                    }
                    (_, most) => bytes(most.unwrap_or(self.text.bytes)),
                };
                if sums { format!("{words} in all, in each repetition") } else { words }
            }
        }
    }

    /// What varied and what a repetition did, if that is not ordinary, a sentence each.
    pub fn design(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if let Some(range) = &self.range {
            let labels: Vec<String> = range.values.iter().map(|value| line(&value.label)).collect();
            let values = match labels.as_slice() {
                [first, .., last] if labels.len() > NAMED => {
                    format!("{first} to {last}, {} values", labels.len())
                }
                labels => labels.join(", "),
            };
            let length = range.values.first().map_or(0, |value| value.pattern_length);
            let given =
                self.definition.as_ref().is_some_and(|definition| definition.patterns.given.is_some());
            let patterns = if given {
                "all values have the given pattern".to_owned()
            } else {
                format!("each value has fresh patterns of {length} bytes")
            };
            sentences.push(format!("Range: {} ({values}); {patterns}", range.over.words()));
        }
        let runs_by = self.definition.as_ref().and_then(|definition| definition.runs_by.as_ref());
        if let (Some(formula), Some(runs)) = (runs_by, self.asked_for(Rounds::runs)) {
            let over = self.over().singular();
            sentences.push(format!("Repetitions of each {over}: {formula}, which is {} here", from_to(runs)));
        }
        sentences.extend(self.definition.as_ref().and_then(Experiment::goes_on_in_words));
        if !self.calls.is_empty() {
            sentences.push(format!("Each repetition: {}; times and counts are sums", self.calls_in_words()));
        }
        if self.threads > 1 {
            let who = if self.over() == Over::Threads {
                "The threads of a column".to_owned()
            } else {
                format!("{} threads", self.threads)
            };
            sentences.push(format!(
                "{who} search together, each a part of the text; times are from the first's start to the last's end"
            ));
        }
        sentences
    }

    /// The text of a call: `english.txt`, with its size where another call has another size of it; `the text` where it varies.
    pub fn text_of(&self, call: &CallFacts) -> String {
        let mut others = self.calls.iter().filter(|other| other.text == call.text);
        let several_sizes = others.any(|other| other.bytes != call.bytes);
        let size = if several_sizes { format!(" ({})", size::words(call.bytes)) } else { String::new() };
        match self.over() {
            Over::Text | Over::Alphabet if call.text == self.text.sources => format!("the text{size}"),
            _ => format!("{}{size}", line(&call.text.join(", "))),
        }
    }

    /// What a repetition did: `prepare, search english.txt 3 times`.
    pub fn calls_in_words(&self) -> String {
        // Equal calls in a row are listed once.
        let told = |call: &CallFacts| match call.call {
            Call::Prepare => "prepare".to_owned(),
            Call::Search => format!("search {}", self.text_of(call)),
        };
        let all: Vec<String> = self.calls.iter().map(told).collect();
        let runs = all.chunk_by(|a, b| a == b).map(|run| match run.len() {
            1 => run[0].clone(),
            times => format!("{} {times} times", run[0]),
        });
        runs.collect::<Vec<_>>().join(", ")
    }

    /// Whether the texts are the same as in another run, at all values that both have.
    pub fn has_the_texts_of(&self, other: &ExperimentFacts) -> bool {
        let (Some(range), Some(_)) = (&self.range, &other.range) else {
            return self.text.sha256 == other.text.sha256;
        };
        let same = |here: &ValueFacts| {
            other.at(here.value).is_none_or(|there| there.text.sha256 == here.text.sha256)
        };
        range.values.iter().all(same)
    }

    /// The SHA-256 of the text, and of those of the range.
    pub fn texts(&self) -> Vec<String> {
        let of_range = self.range.iter().flat_map(|range| &range.values).map(|value| &value.text);
        std::iter::once(&self.text).chain(of_range).map(|text| text.sha256.clone()).collect()
    }

    /// What varies.
    pub fn over(&self) -> Over {
        self.range.as_ref().map(|range| range.over).unwrap_or_default()
    }

    /// What varies, with what its values are called.
    pub fn axis(&self) -> RangeAxis {
        match &self.range {
            None => RangeAxis::default(),
            Some(range) => {
                let label = |value: &ValueFacts| (value.value, line(&value.label));
                let caches =
                    if range.over == Over::TextBytes { self.machine.caches.clone() } else { Vec::new() };
                RangeAxis { over: range.over, labels: range.values.iter().map(label).collect(), caches }
            }
        }
    }

    /// What is known of a value of what varies, if that is not the length of the patterns.
    pub fn at(&self, value: u64) -> Option<&ValueFacts> {
        self.range.as_ref()?.values.iter().find(|known| known.value == value)
    }

    /// How many operations the searches of a repetition do at a value, as the experiment declares it.
    pub fn operations(&self, value: u64) -> Option<f64> {
        let complexity = self.definition.as_ref()?.complexity.as_ref()?;
        let operations = complexity.value(self.searched_bytes(value), self.pattern_length(value));
        operations.filter(|operations| *operations >= 0.0)
    }

    /// The length of the patterns at a value.
    pub fn pattern_length(&self, value: u64) -> usize {
        self.at(value).map_or(value as usize, |at| at.pattern_length)
    }

    /// How many bytes the searches of a repetition go through at a value, in all.
    pub fn searched_bytes(&self, value: u64) -> usize {
        let of_calls = || {
            let searches = self.calls.iter().filter(|call| call.call == Call::Search);
            searches.map(|call| call.bytes).reduce(|sum, bytes| sum + bytes)
        };
        let at = self.at(value).map(|facts| facts.searched_bytes);
        at.or_else(of_calls).unwrap_or(self.text.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn text(source: &str, bytes: usize) -> TextFacts {
        let sources = vec![source.to_owned()];
        TextFacts { sources, bytes, sha256: format!("{source}{bytes}"), ..testing::run().experiment.text }
    }

    fn call(name: &str, call: Call, source: &str, bytes: usize) -> CallFacts {
        CallFacts { name: name.to_owned(), call, text: vec![source.to_owned()], bytes }
    }

    /// A run over these sizes of a text.
    fn sizes(all: &[usize]) -> ExperimentFacts {
        let value = |&bytes: &usize| ValueFacts {
            value: bytes as u64,
            label: size::words(bytes),
            pattern_length: 8,
            text: text("t", bytes),
            searched_bytes: bytes,
            threads: 1,
        };
        let values = all.iter().map(value).collect();
        let range = Some(RangeFacts { over: Over::TextBytes, values });
        ExperimentFacts { range, ..testing::run().experiment }
    }

    #[test]
    fn an_ordinary_axis_is_that_of_pattern_lengths() {
        let axis = RangeAxis::default();
        assert_eq!((axis.title().as_str(), axis.short(8).as_str()), ("pattern length in bytes", "m=8"));
        assert_eq!((axis.at(8).as_str(), axis.heading(8).as_str()), ("m=8", "patterns of 8 bytes"));
        assert!(axis.is_number() && axis.marks(1, 1 << 40).next().is_none());
    }

    #[test]
    fn sizes_have_labels_and_the_caches_between_them() {
        let mut facts = sizes(&[4096, 1 << 20]);
        let cache = |name: &str, bytes| CpuCache { name: name.to_owned(), bytes };
        facts.machine.caches = vec![cache("L1d", 32 << 10), cache("L2", 1 << 20), cache("L3", 8 << 20)];
        let axis = facts.axis();
        assert_eq!((axis.label(4096).as_str(), axis.label(7).as_str()), ("4 KiB", "7"));
        assert_eq!(axis.at(1 << 20), "text size 1 MiB");
        let marks: Vec<(u64, String)> = axis.marks(4096, 1 << 20).collect();
        assert_eq!(marks, [(32 << 10, "L1d 32 KiB".to_owned())]);
        assert_eq!((facts.lengths_in_words().as_str(), facts.searched_bytes(4096)), ("4 KiB to 1 MiB", 4096));
    }

    #[test]
    fn texts_of_which_several_sizes_are_searched_are_as_long_as_all_of_these() {
        let mut facts = sizes(&[0, 1]);
        let range = facts.range.as_mut().unwrap();
        range.over = Over::Text;
        for (value, searched) in range.values.iter_mut().zip([3072, 2548]) {
            (value.text.bytes, value.searched_bytes) = (1024, searched);
        }
        assert_eq!(facts.lengths_in_words(), "1,024 bytes");
        facts.calls = vec![
            call("prepare", Call::Prepare, "t", 1024),
            call("search1", Call::Search, "t", 1024),
            call("search2", Call::Search, "t", 2048),
        ];
        assert_eq!(facts.lengths_in_words(), "2,548 to 3,072 bytes in all, in each repetition");
    }

    #[test]
    fn runs_have_the_same_texts_where_they_meet() {
        let (two, three) = (sizes(&[4096, 8192]), sizes(&[4096, 8192, 16384]));
        assert!(two.has_the_texts_of(&three) && three.has_the_texts_of(&two));
        let mut other = two.clone();
        other.range.as_mut().unwrap().values[1].text.sha256 = "other".to_owned();
        assert!(!two.has_the_texts_of(&other));
    }

    #[test]
    fn equal_calls_are_told_once_and_sizes_tell_texts_of_one_name_apart() {
        let mut facts = testing::run().experiment;
        let (prepare, search) = (Call::Prepare, Call::Search);
        facts.calls = vec![
            call("prepare", prepare, "a", 10),
            call("search1", search, "a", 10),
            call("search2", search, "a", 10),
            call("search3", search, "b", 7),
        ];
        assert_eq!(facts.calls_in_words(), "prepare, search a 2 times, search b");
        assert_eq!(facts.searched_bytes(8), 27);
        facts.calls = vec![
            call("prepare1", prepare, "a", 1024),
            call("search1", search, "a", 1024),
            call("prepare2", prepare, "a", 2048),
            call("search2", search, "a", 2048),
        ];
        assert_eq!(facts.calls_in_words(), "prepare, search a (1 KiB), prepare, search a (2 KiB)");
    }

    #[test]
    fn operations_are_those_of_all_that_is_searched() {
        let mut facts = sizes(&[4096, 8192]);
        assert_eq!(facts.operations(4096), None);
        facts.definition.as_mut().unwrap().complexity =
            Some("2 * text_length / pattern_length".parse().unwrap());
        assert_eq!((facts.operations(4096), facts.operations(8192)), (Some(1024.0), Some(2048.0)));
    }
}

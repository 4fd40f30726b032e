//! The design of a run: what it searched, over which range, and what each repetition did.

use assay_base::columns::Call;
use assay_base::io::numbers::grouped;
use assay_experiment::definition::Experiment;
use assay_experiment::range::Over;
use assay_experiment::rounds::Rounds;
use assay_experiment::size;
use assay_load::plugin::printable::line;
use assay_store::ExperimentFacts;
use assay_store::range::{CallFacts, RangeFacts};

use super::from_to;

/// Up to this number of values are listed; of more, only the first and the last, so that a sentence stays
/// short.
const MOST_LISTED: usize = 8;

/// The length of the text, or of the texts: `1,000 bytes`, `4 KiB to 1 MiB`.
pub fn lengths(facts: &ExperimentFacts) -> String {
    let Some(range) = &facts.range else {
        return if facts.has_one_text() {
            bytes(facts.text.bytes)
        } else {
            format!("{} in all", bytes(facts.searched_bytes(0)))
        };
    };
    if let (Over::TextBytes, [first, .., last]) = (range.over, range.values.as_slice()) {
        return format!("{} to {}", first.label, last.label);
    }
    // If a repetition searches several texts or sizes, the length of one text would say too little.
    let several =
        facts.calls.windows(2).any(|pair| pair[0].text != pair[1].text || pair[0].bytes != pair[1].bytes);
    let lengths =
        range.values.iter().map(|value| if several { value.searched_bytes } else { value.text.bytes });
    let lengths = match (lengths.clone().min(), lengths.max()) {
        (Some(least), Some(greatest)) if least < greatest => {
            format!("{} to {}", grouped(least as f64, 0), bytes(greatest))
        }
        (_, greatest) => bytes(greatest.unwrap_or(facts.text.bytes)),
    };
    if several { format!("{lengths} in all, in each repetition") } else { lengths }
}

fn bytes(number: usize) -> String {
    format!("{} bytes", grouped(number as f64, 0))
}

/// The range and the repetitions, if they are not the usual ones: a sentence each.
pub fn design(facts: &ExperimentFacts) -> Vec<String> {
    let definition = facts.definition.as_ref();
    let mut sentences = Vec::new();
    if let Some(range) = &facts.range {
        let given = definition.is_some_and(|definition| definition.patterns.given.is_some());
        let length = range.values.first().map_or(0, |value| value.pattern_length);
        let patterns = if given {
            "all values have the given pattern".to_owned()
        } else {
            format!("each value has fresh patterns of {length} bytes")
        };
        sentences.push(format!("Range: {} ({}); {patterns}", range.over.words(), labels(range)));
    }
    let runs_by = definition.and_then(|definition| definition.runs_by.as_ref());
    if let (Some(formula), Some(runs)) = (runs_by, facts.asked_for(Rounds::runs)) {
        let over = facts.over().singular();
        sentences.push(format!("Repetitions of each {over}: {formula}, which is {} here", from_to(runs)));
    }
    sentences.extend(definition.and_then(Experiment::goes_on_in_words));
    let parallel = definition.is_some_and(Experiment::is_parallel);
    // A single preparation and search that all threads do at the same time is no sum.
    if !facts.calls.is_empty() {
        let sums = if parallel && facts.calls.len() == 2 { "" } else { "; times and counts are sums" };
        sentences.push(format!("Each repetition: {}{sums}", calls(facts)));
    }
    if parallel {
        sentences.push(format!(
            "{} threads work at the same time, each on a text of its own; times are from the first's start to the last's end",
            facts.threads
        ));
    } else if facts.threads > 1 {
        let threads = if facts.over() == Over::Threads {
            "The threads of a column".to_owned()
        } else {
            format!("{} threads", facts.threads)
        };
        sentences.push(format!(
            "{threads} search together, each a part of the text; times are from the first's start to the last's end"
        ));
    }
    sentences
}

/// The values of a range: `4 KiB, 1 MiB`; of many, `4 KiB to 1 MiB, 9 values`.
fn labels(range: &RangeFacts) -> String {
    let labels: Vec<String> = range.values.iter().map(|value| line(&value.label)).collect();
    match labels.as_slice() {
        [first, .., last] if labels.len() > MOST_LISTED => {
            format!("{first} to {last}, {} values", labels.len())
        }
        labels => labels.join(", "),
    }
}

/// The calls of a repetition: `prepare, search english.txt 3 times`. Equal calls in a row are listed once.
pub fn calls(facts: &ExperimentFacts) -> String {
    let calls: Vec<String> = facts
        .calls
        .iter()
        .map(|call| match call.call {
            Call::Prepare => "prepare".to_owned(),
            Call::Search => format!("search {}", text_of_call(facts, call)),
        })
        .collect();
    let runs = calls.chunk_by(|one, next| one == next).map(|run| match run.len() {
        1 => run[0].clone(),
        times => format!("{} {times} times", run[0]),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// The text of a call: `english.txt`. The size is added if another call searches another size of the text. A
/// text that the range varies is `the text`.
pub fn text_of_call(facts: &ExperimentFacts, call: &CallFacts) -> String {
    let several_sizes = facts.calls.iter().any(|other| other.text == call.text && other.bytes != call.bytes);
    let size = if several_sizes { format!(" ({})", size::words(call.bytes)) } else { String::new() };
    match facts.over() {
        Over::Text | Over::Alphabet if call.text == facts.text.sources => format!("the text{size}"),
        _ => format!("{}{size}", line(&call.text.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    fn call(name: &str, call: Call, source: &str, bytes: usize) -> CallFacts {
        CallFacts { name: name.to_owned(), call, text: vec![source.to_owned()], bytes }
    }

    #[test]
    fn lengths_of_a_range_of_sizes_are_its_first_and_its_last() {
        assert_eq!(lengths(&testing::run_over_sizes(&[4096, 1 << 20])), "4 KiB to 1 MiB");
    }

    #[test]
    fn repetitions_that_search_several_texts_have_the_length_of_all() {
        let mut facts = testing::run_over_sizes(&[0, 1]);
        let range = facts.range.as_mut().unwrap();
        range.over = Over::Text;
        for (value, searched) in range.values.iter_mut().zip([3072, 2548]) {
            (value.text.bytes, value.searched_bytes) = (1024, searched);
        }
        assert_eq!(lengths(&facts), "1,024 bytes");
        facts.calls = vec![
            call("prepare", Call::Prepare, "t", 1024),
            call("search1", Call::Search, "t", 1024),
            call("search2", Call::Search, "t", 2048),
        ];
        assert_eq!(lengths(&facts), "2,548 to 3,072 bytes in all, in each repetition");
    }

    #[test]
    fn equal_calls_are_listed_once_and_sizes_distinguish_calls_of_one_text() {
        let mut facts = testing::run().experiment;
        let (prepare, search) = (Call::Prepare, Call::Search);
        facts.calls = vec![
            call("prepare", prepare, "a", 10),
            call("search1", search, "a", 10),
            call("search2", search, "a", 10),
            call("search3", search, "b", 7),
        ];
        assert_eq!(calls(&facts), "prepare, search a 2 times, search b");
        facts.calls = vec![
            call("prepare1", prepare, "a", 1024),
            call("search1", search, "a", 1024),
            call("prepare2", prepare, "a", 2048),
            call("search2", search, "a", 2048),
        ];
        assert_eq!(calls(&facts), "prepare, search a (1 KiB), prepare, search a (2 KiB)");
    }
}

//! How the counts of a counter are to be read: written by a run, read by a report.

use std::ops::{Deref, DerefMut};

use assay_base::io::numbers::grouped;
use assay_counting::EventFacts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A counter of a run, as `report.json` has it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CounterFacts {
    /// What is counted; its name is `backend:event`, as its column is called.
    #[serde(flatten)]
    pub event: EventFacts,
    /// Whether the event was counted around all repetitions of a round, with the work between them. A count
    /// is then divided by the number of repetitions.
    #[serde(default)]
    pub per_round: bool,
    /// The cost of counting it.
    #[serde(default)]
    pub cost: CountingCost,
}

/// A counter reads as the event that it counts.
impl Deref for CounterFacts {
    type Target = EventFacts;

    fn deref(&self) -> &EventFacts {
        &self.event
    }
}

impl DerefMut for CounterFacts {
    fn deref_mut(&mut self) -> &mut EventFacts {
        &mut self.event
    }
}

/// The cost of counting an event, measured before the first search in a process like those of the workers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CountingCost {
    /// Time to read all events of its backend, in nanoseconds: the median of many reads.
    pub read_ns: Option<f64>,
    /// Number of backends that each worker reads around this one: 0 is the outermost, which is the most
    /// expensive.
    #[serde(default)]
    pub depth: Option<usize>,
    /// The count around an empty search: the median over a few processes of the median of many counts. `null`
    /// for levels, and for events that are counted around whole rounds.
    pub empty: Option<f64>,
    /// The least median of a process.
    #[serde(default)]
    pub empty_least: Option<f64>,
    /// The greatest median of a process. The count of an empty search in a worker lies between the two.
    #[serde(default)]
    pub empty_most: Option<f64>,
    /// The reason why the cost is unknown, if the backend failed while it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl CountingCost {
    /// What an empty call counts, in no more digits than are known: `521`, or `between 520 and 531`.
    pub fn empty_in_words(&self) -> Option<String> {
        let empty = self.empty?;
        let amount = |count: f64| grouped(count, if count.fract() == 0.0 || count >= 100.0 { 0 } else { 1 });
        let [least, most] = [self.empty_least, self.empty_most].map(|end| amount(end.unwrap_or(empty)));
        Some(if least == most { least } else { format!("between {least} and {most}") })
    }
}

impl CounterFacts {
    /// Of an event, and the name of its column.
    pub fn new(name: String, event: &EventFacts) -> Self {
        CounterFacts {
            per_round: event.is_counted_per_round(),
            event: EventFacts { name, ..event.clone() },
            cost: CountingCost::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Event, Scope, Semantics};

    use super::*;

    #[test]
    fn what_a_run_writes_a_report_reads() {
        let event = Event {
            semantics: Semantics::Instant,
            scope: Scope::Process,
            grain_ns: 5,
            ..Event::new("rss", "bytes", "Memory, of cpu_core (CPUs 0-15).")
        };
        let facts = CounterFacts::new("mem:rss".to_owned(), &event.into());
        let json = serde_json::to_string(&facts).unwrap();
        let expected = r#"{"name":"mem:rss","unit":"bytes","summary":"Memory, of cpu_core (CPUs 0-15).","semantics":"instant","scope":"process","grain_ns":5,"per_round":false,"cost":{"read_ns":null,"depth":null,"empty":null,"empty_least":null,"empty_most":null}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<CounterFacts>(&json).unwrap(), facts);
    }

    #[test]
    fn the_count_of_an_empty_call_has_only_known_digits() {
        let words = |empty, least, most| {
            let cost =
                CountingCost { empty, empty_least: least, empty_most: most, ..CountingCost::default() };
            cost.empty_in_words()
        };
        let words_of = |words: &str| Some(words.to_owned());
        assert_eq!(words(Some(521.5), Some(519.8), Some(2170.0)), words_of("between 520 and 2,170"));
        assert_eq!(
            words(Some(521.5), Some(521.4), Some(521.6)),
            words(Some(521.5), None, None).map(|_| "between 521 and 522".to_owned())
        );
        assert_eq!(words(Some(3.0), Some(3.0), Some(3.0)), words_of("3"));
        assert_eq!(words(Some(0.5), None, None), words_of("0.5"), "as a run of an earlier version has it");
        assert_eq!(words(None, None, None), None);
    }
}

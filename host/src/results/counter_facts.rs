//! How the counts of a counter are to be read: written by a run, read by a report.

use assay_plugin_api::{Event, Scope, Semantics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A counter of a run, as `report.json` tells of it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CounterFacts {
    /// `backend:event`, as its column is called.
    pub name: String,
    /// Unit of the counts.
    pub unit: String,
    /// Whether it grows or is a level.
    #[serde(with = "SemanticsName")]
    pub semantics: Semantics,
    /// Whose work it counts.
    #[serde(with = "ScopeName")]
    pub scope: Scope,
    /// How often the count moves, in nanoseconds; 0 if with every reading, or unknown.
    #[serde(default)]
    pub grain_ns: u64,
    /// Whether a count is that of all repetitions of a round, with all that lies between them, divided by their number.
    #[serde(default)]
    pub per_round: bool,
    /// What counting it costs.
    #[serde(default)]
    pub cost: CountingCost,
}

/// Whether an event is counted around all repetitions of a round, and not around each call: an account of the whole machine that
/// moves as seldom as once in 0.1 ms, such as its energy, tells nothing of one search.
pub fn per_round(event: &Event) -> bool {
    let of_all = matches!(event.scope, Scope::Core | Scope::System);
    of_all && event.semantics == Semantics::Counter && event.grain_ns >= 100_000
}

/// What counting an event costs in a run: measured before the first search, in a process like those of the workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CountingCost {
    /// Time of a reading of all events of its backend, in nanoseconds: the median of many.
    pub read_ns: Option<f64>,
    /// What is counted around a search that does nothing: the median of many. `null` of a level, and of what is counted around
    /// whole rounds.
    pub empty: Option<f64>,
}

impl CounterFacts {
    /// Of an event, and the name of its column.
    pub fn new(name: String, event: &Event) -> Self {
        CounterFacts {
            name,
            unit: event.unit.clone(),
            semantics: event.semantics,
            scope: event.scope,
            grain_ns: event.grain_ns,
            per_round: per_round(event),
            cost: CountingCost::default(),
        }
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(remote = "Semantics", rename_all = "lowercase")]
enum SemanticsName {
    Counter,
    Instant,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(remote = "Scope", rename_all = "lowercase")]
enum ScopeName {
    Thread,
    Process,
    Core,
    System,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_writes_a_report_reads() {
        let event = Event {
            semantics: Semantics::Instant,
            scope: Scope::Process,
            grain_ns: 5,
            ..Event::new("rss", "bytes", "")
        };
        let facts = CounterFacts::new("mem:rss".to_owned(), &event);
        let json = serde_json::to_string(&facts).unwrap();
        let expected = r#"{"name":"mem:rss","unit":"bytes","semantics":"instant","scope":"process","grain_ns":5,"per_round":false,"cost":{"read_ns":null,"empty":null}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<CounterFacts>(&json).unwrap(), facts);
    }
}

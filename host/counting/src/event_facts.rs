//! The description of an event: a backend gives it, a child process sends it to the host, and `report.json`
//! keeps it.

use assay_plugin_api::{Event, Scope, Semantics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an event counts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct EventFacts {
    /// The name after the colon; in `report.json`, `backend:event`, as its column is called.
    pub name: String,
    /// Unit of the counts.
    pub unit: String,
    /// What is counted, in a sentence. Where a machine has cores of several kinds, the sentence names the
    /// kind.
    #[serde(default)]
    pub summary: String,
    /// Whether it grows or is a level.
    #[serde(with = "SemanticsName")]
    pub semantics: Semantics,
    /// Whose work it counts.
    #[serde(with = "ScopeName")]
    pub scope: Scope,
    /// How often the count moves, in nanoseconds; 0 if it moves with every reading, or if that is unknown.
    #[serde(default)]
    pub grain_ns: u64,
}

/// An account of the whole machine that moves only every 0.1 ms or more seldom, in nanoseconds, says nothing
/// about one search: most end before it moves, and all else that runs on the machine is in it.
const COARSE_GRAIN_NS: u64 = 100_000;

impl EventFacts {
    /// Whether the event is counted around all repetitions of a round, and not around each call: the energy
    /// of the machine, for example.
    pub fn is_counted_per_round(&self) -> bool {
        let counts_others = matches!(self.scope, Scope::Core | Scope::System);
        counts_others && self.semantics == Semantics::Counter && self.grain_ns >= COARSE_GRAIN_NS
    }
}

impl From<Event> for EventFacts {
    fn from(event: Event) -> Self {
        let Event { name, unit, summary, semantics, scope, grain_ns, .. } = event;
        EventFacts { name, unit, summary, semantics, scope, grain_ns }
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

//! The description of an event: a backend gives it, a child process sends it to the host, and `report.json`
//! keeps it.

use assay_plugin_api::{Event, Scope, Semantics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an event counts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct EventFacts {
    /// The name after the colon. In `report.json` it is `backend:event`, the name of the column.
    pub name: String,
    /// Unit of the counts.
    pub unit: String,
    /// What is counted, in a sentence. If a machine has cores of several kinds, the sentence names the kind.
    #[serde(default)]
    pub summary: String,
    /// Whether the value only grows (`counter`) or is a level (`instant`).
    #[serde(with = "SemanticsName")]
    pub semantics: Semantics,
    /// Whose work it counts.
    #[serde(with = "ScopeName")]
    pub scope: Scope,
    /// Time between two updates of the count, in nanoseconds; 0 if each read updates it, or if this is
    /// unknown.
    #[serde(default)]
    pub grain_ns: u64,
}

/// Time between two updates, in nanoseconds, from which a count of the whole machine says nothing about a
/// single search: most searches end before the count is updated.
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

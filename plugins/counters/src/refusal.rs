//! The reason why an event can't be counted here, and a remedy.

use assay_plugin_api::{Availability, cannot_count};

/// Both complete the sentence "the event can't be counted here: reason; remedy".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: String,
    pub remedy: String,
}

impl Refusal {
    pub fn new(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Refusal { reason: reason.into(), remedy: remedy.into() }
    }

    /// The error for a set that holds this event.
    pub fn sentence(&self, backend: &str, event: &str) -> String {
        cannot_count(backend, event, &self.reason, &self.remedy)
    }

    /// The error for a set of which no event can be counted, with the name of the first.
    pub fn of_all(&self, backend: &str, events: &[&str]) -> String {
        self.sentence(backend, events.first().copied().unwrap_or("any event"))
    }
}

impl From<Refusal> for Availability {
    fn from(Refusal { reason, remedy }: Refusal) -> Self {
        Availability::Missing { reason, remedy }
    }
}

/// The availability of an event, from the result of trying it.
pub fn availability<T>(tried: Result<T, Refusal>) -> Availability {
    tried.map_or_else(Availability::from, |_| Availability::Available)
}

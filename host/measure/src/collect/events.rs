//! What the names of a plan mean: which columns of `measurements.csv` they are, and how they get there.

use assay_base::error::{Error, Result};
use assay_counting::{Events, KnownEvent};
use assay_experiment::cpu;
use assay_experiment::definition::CpuPin;
use assay_load::plugin::Registry;
use assay_merge::plan::OF_TWINS;
use assay_plugin_api::Availability;

/// An event of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedEvent {
    /// The name in the plan.
    pub name: String,
    /// The column of `measurements.csv`.
    pub column: String,
    /// The event of a counter backend; none if a twin counts it.
    pub counter: Option<KnownEvent>,
    /// The name under which the backend lists it, if that is another.
    pub listed_as: Option<String>,
}

impl PlannedEvent {
    /// Why it can't be counted here, and what helps.
    pub fn missing(&self) -> Option<(&str, &str)> {
        match &self.counter.as_ref()?.availability {
            Availability::Missing { reason, remedy } => Some((reason, remedy)),
            Availability::Available => None,
        }
    }

    /// The name that all names of its event have in common.
    fn common_name(&self) -> &str {
        self.listed_as.as_ref().unwrap_or(&self.column)
    }
}

/// Pairs of names that seem to stand for one event: the backend describes both in the same way.
pub fn alike(found: &[PlannedEvent]) -> Vec<(&str, &str)> {
    let pairs = (0..found.len()).flat_map(|i| (0..i).map(move |j| (&found[j], &found[i])));
    let alike = pairs.filter(|(one, other)| one.common_name() == other.common_name());
    alike.map(|(one, other)| (one.name.as_str(), other.name.as_str())).collect()
}

/// Finds the events of a plan.
///
/// # Errors
/// If there is no such backend or event; if a name stands for several events, or two names for one.
pub fn find(names: &[&str], registry: &Registry) -> Result<Vec<PlannedEvent>> {
    // The CPU that a run takes by default, because kinds of cores count different events.
    let mut events = Events::new(registry).on(cpu::choose(CpuPin::Last)?);
    let mut all: Vec<PlannedEvent> = Vec::new();
    for name in names {
        let (column, counter) = match name.strip_prefix(OF_TWINS) {
            Some(column) => (column.to_owned(), None),
            None => {
                let known = only(name, events.find(name)?)?;
                (known.name(), Some(known))
            }
        };
        let listed_as = counter.as_ref().map(|known| events.listed_as(known)).transpose()?.flatten();
        if let Some(other) = all.iter().find(|other| other.column == column) {
            return Err(Error::new(format!("`{}` and `{name}` are one event, {column}", other.name))
                .remedy("plan without one of them"));
        }
        all.push(PlannedEvent { name: (*name).to_owned(), column, counter, listed_as });
    }
    Ok(all)
}

fn only(name: &str, found: Vec<KnownEvent>) -> Result<KnownEvent> {
    let names: Vec<String> = found.iter().take(3).map(KnownEvent::name).collect();
    let count = found.len();
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(known), None) => Ok(known),
        _ => Err(Error::new(format!("`{name}` stands for {count} events"))
            .remedy(format!("name one of them, such as {}", names.join(", ")))),
    }
}

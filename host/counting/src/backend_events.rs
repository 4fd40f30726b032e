//! The events that a run counts with one backend, and how they are opened.

use assay_load::plugin::counter::CounterEntry;
use assay_load::plugin::{BackendAccess, CounterSet, InspectedLibrary, Listing, Registry};
use assay_load::process::Permissions;
use assay_plugin_api::Open;
use serde::{Deserialize, Serialize};

/// The option of backends that can multiplex events, with its value.
pub const MULTIPLEX: (&str, &str) = ("multiplex", "yes");

/// A set of events of one backend, as a run opens it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BackendEvents {
    /// The backend's library.
    pub library: InspectedLibrary,
    /// Id of the backend.
    pub backend: String,
    /// What the backend may do besides computing.
    pub access: BackendAccess,
    /// The events.
    pub events: Vec<String>,
    /// Whether events may take turns in counting (multiplexing).
    pub multiplex: bool,
    /// Options of the backend, by name and value.
    pub options: Vec<(String, String)>,
}

/// What a child may do that loads these backends.
pub fn permissions<'a>(backends: impl IntoIterator<Item = &'a BackendEvents>) -> Permissions {
    let mut permissions = Permissions::default();
    for BackendEvents { library, access, .. } in backends {
        permissions.libraries.push(library.path.clone());
        permissions.access.add(access);
    }
    permissions
}

impl BackendEvents {
    /// Events of a backend, without multiplexing and without options.
    pub fn new(registry: &Registry, backend: &Listing, events: Vec<String>) -> Self {
        BackendEvents {
            library: registry.inspected(backend),
            backend: backend.id.clone(),
            access: backend.access.clone(),
            events,
            multiplex: false,
            options: Vec::new(),
        }
    }

    /// Loads the library and opens the set, on the CPU that the thread is bound to.
    ///
    /// # Errors
    /// If it can't be opened; a sentence.
    pub fn open(&self, cpu: Option<usize>) -> Result<CounterSet, String> {
        self.open_with(self.library.verify_in_sandbox()?.load()?.counter(&self.backend)?, cpu)
    }

    /// Opens the set with a backend that is loaded, on the CPU that the thread is bound to.
    ///
    /// # Errors
    /// If it can't be opened; a sentence that names the event.
    pub(crate) fn open_with(&self, entry: &CounterEntry, cpu: Option<usize>) -> Result<CounterSet, String> {
        let events: Vec<&str> = self.events.iter().map(String::as_str).collect();
        entry.open(&Open { events: &events, options: &self.options_for(entry)?, cpu, ..Open::default() })
    }

    /// The options as the backend takes them. Multiplexing is one of them, if the backend has this option.
    ///
    /// # Errors
    /// If the backend has no such option. The message names those that it has.
    pub(crate) fn options_for(&self, entry: &CounterEntry) -> Result<Vec<(&str, &str)>, String> {
        let knows = |name: &str| entry.options.iter().any(|option| option == name);
        if let Some((name, _)) = self.options.iter().find(|(name, _)| !knows(name)) {
            let known = match entry.options.as_slice() {
                [] => "it takes none".to_owned(),
                options => format!("it takes {}", options.join(", ")),
            };
            return Err(format!("there is no option `{name}`: {known}"));
        }
        let given = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let turns = (self.multiplex && knows(MULTIPLEX.0)).then_some(MULTIPLEX);
        Ok(turns.into_iter().chain(given).collect())
    }
}

//! Counter backends are tried before a run, as the run will use them: all together, on the CPU of the run, in
//! a child process. A failure there would otherwise occur in each worker, and be blamed on the algorithm that
//! the worker measures.

use std::collections::HashMap;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use assay_base::error::Result;
use assay_load::plugin::counter::CounterEntry;
use assay_load::plugin::{CounterSet, InspectedLibrary};
use assay_load::process::{self, Launch, Task};
use assay_plugin_api::{EventCount, Open};
use serde::{Deserialize, Serialize};

use super::launcher::launch_for;

/// A set of events of one backend, as it is opened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BackendEvents {
    /// The backend's library.
    pub library: InspectedLibrary,
    /// Id of the backend.
    pub backend: String,
    /// The events.
    pub events: Vec<String>,
    /// Whether events may take turns in counting (multiplexing).
    pub multiplex: bool,
    /// Options of the backend, by name and value.
    pub options: Vec<(String, String)>,
}

impl BackendEvents {
    /// Events without multiplexing and without options.
    pub fn new(library: InspectedLibrary, backend: &str, events: Vec<String>) -> Self {
        BackendEvents { library, backend: backend.to_owned(), events, multiplex: false, options: Vec::new() }
    }

    /// Loads the library and opens the set, on the CPU that the thread is bound to.
    ///
    /// # Errors
    /// One sentence.
    pub fn open(&self, cpu: Option<usize>) -> Result<CounterSet, String> {
        self.open_with(self.library.verify()?.load()?.counter(&self.backend)?, cpu)
    }

    /// Opens the set with a backend that is loaded, on the CPU that the thread is bound to.
    ///
    /// # Errors
    /// One sentence that names the event.
    pub(crate) fn open_with(&self, entry: &CounterEntry, cpu: Option<usize>) -> Result<CounterSet, String> {
        let events: Vec<&str> = self.events.iter().map(String::as_str).collect();
        entry.open(&Open { events: &events, options: &self.options_for(entry)?, cpu, ..Open::default() })
    }

    /// The options as the backend takes them; taking turns is one of them, where it knows that.
    ///
    /// # Errors
    /// If the backend has no such option: those that it has.
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

/// The option of backends whose events can take turns.
pub const MULTIPLEX: (&str, &str) = ("multiplex", "yes");

/// One step of a rehearsal.
#[derive(Serialize, Deserialize)]
struct Step {
    part: BackendEvents,
    deed: Action,
    /// Whether counts must be numbers; in a run, those that are not are left out one by one.
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Action {
    /// The set is opened, used, and left open.
    Begin,
    /// It is used again, and closed.
    End,
}

/// Lets each set go through its life: each is opened and used beside those that are open already, and at last
/// each is closed. The inner errors say in one sentence what went wrong.
///
/// # Errors
/// If no child can be started.
pub fn rehearse(
    parts: &[BackendEvents],
    cpu: Option<usize>,
    launch: Option<&Launch>,
) -> Result<Vec<Result<(), String>>> {
    let all = |deed| parts.iter().map(move |part| (part, deed));
    let mut outcomes = perform(all(Action::Begin).chain(all(Action::End)), cpu, launch, false)?.into_iter();
    let opened: Vec<Result<(), String>> = outcomes.by_ref().take(parts.len()).collect();
    Ok(opened.into_iter().zip(outcomes).map(|(opened, closed)| opened.and(closed)).collect())
}

/// Lets a set go through its life twice in one process. The inner error says in one sentence what went wrong.
///
/// # Errors
/// If no child can be started.
pub fn rehearse_twice(part: &BackendEvents) -> Result<Result<(), String>> {
    let launch = match launch_for(part, None)? {
        Ok(launch) => launch,
        Err(message) => return Ok(Err(message)),
    };
    let life = [Action::Begin, Action::End].map(|deed| (part, deed));
    let mut outcomes = perform(life.into_iter().chain(life), None, launch.as_ref(), true)?.into_iter();
    let first = outcomes.by_ref().take(life.len()).collect::<Result<(), String>>();
    let again = outcomes.collect::<Result<(), String>>();
    Ok(first.and(again.map_err(|fault| format!("opened a second time: {fault}"))))
}

/// Does these steps in a child.
fn perform<'a>(
    steps: impl Iterator<Item = (&'a BackendEvents, Action)>,
    cpu: Option<usize>,
    launch: Option<&Launch>,
    strict: bool,
) -> Result<Vec<Result<(), String>>> {
    let steps: Vec<Step> = steps.map(|(part, deed)| Step { part: part.clone(), deed, strict }).collect();
    let task = Task::Rehearse { cpu }.launched(launch);
    let records = process::run_items::<Result<(), String>>(&task, &steps, |_| Ok(()))?;
    Ok(records.into_iter().map(|record| record.unwrap_or_else(|end| Err(format!("it {end}")))).collect())
}

fn is_nonsense(count: &EventCount) -> bool {
    !count.value.is_finite() && count.flags & EventCount::MISSING == 0
}

/// The child's side of [`rehearse`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let mut open: HashMap<(PathBuf, String), CounterSet> = HashMap::new();
    process::answer_items(host, |Step { part, deed, strict }| -> Result<(), String> {
        let key = (part.library.path.clone(), part.backend.clone());
        // A child that was started anew has none open.
        let mut set = match open.remove(&key) {
            Some(set) => set,
            None => part.open(None)?,
        };
        set.start()?;
        set.read()?;
        let counts = set.read()?;
        if strict && let Some(count) = counts.iter().find(|count| is_nonsense(count)) {
            return Err(format!(
                "its count is {}, which is no number, and it does not say that it is missing",
                count.value
            ));
        }
        set.stop()?;
        if deed == Action::Begin {
            open.insert(key, set);
        }
        Ok(())
    })
}

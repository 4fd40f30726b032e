//! Tries counter backends before a run as the run will use them: all together, on the CPU of the run, in a
//! child process. Otherwise a failure would occur in each worker, and the algorithm that the worker measures
//! would be blamed for it.

use std::collections::HashMap;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use assay_base::error::Result;
use assay_load::plugin::CounterSet;
use assay_load::process::{self, Launch, Task};
use assay_plugin_api::EventCount;
use serde::{Deserialize, Serialize};

use super::backend_events::{BackendEvents, permissions};
use super::launcher::launch_for;

/// One step of a rehearsal.
#[derive(Serialize, Deserialize)]
struct RehearsalStep {
    part: BackendEvents,
    action: Action,
    /// Whether each count must be a number. A run leaves out other counts one by one instead.
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Action {
    /// Open the set, use it, and leave it open.
    Begin,
    /// Use the set again, and close it.
    End,
}

/// Opens and uses each set while those before it are open, and then uses and closes each. There is a result
/// for each set; the inner errors say in one sentence what went wrong.
///
/// # Errors
/// If no child can be started.
pub fn rehearse(
    parts: &[BackendEvents],
    cpu: Option<usize>,
    launch: Option<&Launch>,
) -> Result<Vec<Result<(), String>>> {
    let all = |action| parts.iter().map(move |part| (part, action));
    let mut outcomes = perform(all(Action::Begin).chain(all(Action::End)), cpu, launch, false)?.into_iter();
    let opened: Vec<Result<(), String>> = outcomes.by_ref().take(parts.len()).collect();
    Ok(opened.into_iter().zip(outcomes).map(|(opened, closed)| opened.and(closed)).collect())
}

/// Opens, uses and closes a set twice in one process. The inner error says in one sentence what went wrong.
///
/// # Errors
/// If no child can be started.
pub fn rehearse_twice(part: &BackendEvents) -> Result<Result<(), String>> {
    let launch = match launch_for(part, None)? {
        Ok(launch) => launch,
        Err(message) => return Ok(Err(message)),
    };
    let life = [Action::Begin, Action::End].map(|action| (part, action));
    let mut outcomes = perform(life.into_iter().chain(life), None, launch.as_ref(), true)?.into_iter();
    let first = outcomes.by_ref().take(life.len()).collect::<Result<(), String>>();
    let again = outcomes.collect::<Result<(), String>>();
    Ok(first.and(again.map_err(|fault| format!("opened a second time: {fault}"))))
}

/// Performs these steps in a child.
fn perform<'a>(
    steps: impl Iterator<Item = (&'a BackendEvents, Action)>,
    cpu: Option<usize>,
    launch: Option<&Launch>,
    strict: bool,
) -> Result<Vec<Result<(), String>>> {
    let steps: Vec<(&BackendEvents, Action)> = steps.collect();
    let permissions = permissions(steps.iter().map(|(part, _)| *part));
    let steps = steps.into_iter();
    let steps: Vec<RehearsalStep> =
        steps.map(|(part, action)| RehearsalStep { part: part.clone(), action, strict }).collect();
    let task = Task::Rehearse { cpu }.launched(launch);
    let records = process::run_items::<Result<(), String>>(&task, &permissions, &steps, |_| Ok(()))?;
    Ok(records.into_iter().map(|record| record.unwrap_or_else(|end| Err(format!("it {end}")))).collect())
}

/// Whether a count is no number although the backend does not mark it as missing.
fn is_nonsense(count: &EventCount) -> bool {
    !count.value.is_finite() && count.flags & EventCount::MISSING == 0
}

/// The child's side of [`rehearse`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let mut open: HashMap<(PathBuf, String), CounterSet> = HashMap::new();
    process::answer_items(host, |RehearsalStep { part, action, strict }| -> Result<(), String> {
        let key = (part.library.path.clone(), part.backend.clone());
        // The set is opened again if the child before this one ended.
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
        if action == Action::Begin {
            open.insert(key, set);
        }
        Ok(())
    })
}

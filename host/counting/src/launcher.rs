//! Checks whether a backend can count some events together, and how it wants a process to be started: a
//! simulator counts only in programs that it starts itself.

use std::io;
use std::os::unix::net::UnixStream;

use assay_base::error::Result;
use assay_load::plugin::counter::CounterEntry;
use assay_load::process::{self, Launch, Task, bind_to_cpu, this_program};
use assay_plugin_api::{Launcher, Open};
use serde::{Deserialize, Serialize};

use super::backend_events::{BackendEvents, permissions};

/// A question to a child.
#[derive(Serialize, Deserialize)]
struct LauncherQuestion {
    part: BackendEvents,
    cpu: Option<usize>,
    program: String,
}

type LauncherAnswer = Result<Option<Record>, String>;

/// A launcher in a form that a child can send.
#[derive(Serialize, Deserialize)]
struct Record {
    command: Vec<String>,
    environment: Vec<(String, String)>,
}

/// How to start the process in which a set of events is counted; `None` if the host starts it as usual. The
/// inner error is a sentence. It also says if the events can't be counted together.
///
/// # Errors
/// If no child can be started.
// A launcher runs outside of the sandbox, so a backend must declare it.
pub fn launch_for(part: &BackendEvents, cpu: Option<usize>) -> Result<Result<Option<Launch>, String>> {
    let question = LauncherQuestion { part: part.clone(), cpu, program: this_program() };
    let records =
        process::run_items::<LauncherAnswer>(&Task::Launcher, &permissions([part]), &[question], |_| Ok(()))?;
    let answer = records.into_iter().next().expect("one of each item");
    // If the child gave no answer, the rehearsal will show what the backend does, so it is no error here.
    Ok(answer.unwrap_or(Ok(None)).and_then(|record| match record {
        Some(_) if !part.access.programs => Err(format!(
            "{} wants to start a program, and does not declare `programs` in its ACCESS",
            part.backend
        )),
        record => {
            Ok(record.map(|Record { command, environment }| Launch::new(Launcher { command, environment })))
        }
    }))
}

/// Checks whether the backend accepts the values of its options. They are to blame if the events open only
/// without them.
fn check_options(part: &BackendEvents, entry: &CounterEntry, cpu: Option<usize>) -> Result<(), String> {
    if part.options.is_empty() {
        return Ok(());
    }
    let plain = BackendEvents { options: Vec::new(), ..part.clone() };
    match part.open_with(entry, cpu) {
        Err(refused) if plain.open_with(entry, cpu).is_ok() => Err(refused),
        _ => Ok(()),
    }
}

/// The child's side: asks backends.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer_items(host, |LauncherQuestion { part, cpu, program }| -> LauncherAnswer {
        // Which events can be counted together depends on the core.
        if let Some(cpu) = cpu {
            bind_to_cpu(cpu);
        }
        let catalogue = part.library.verify_in_sandbox()?.load()?;
        let entry = catalogue.counter(&part.backend)?;
        let options = part.options_for(entry)?;
        check_options(&part, entry, cpu)?;
        let events: Vec<&str> = part.events.iter().map(String::as_str).collect();
        if !part.multiplex {
            entry.together(&events)?;
        }
        let launcher =
            entry.launcher(&Open { events: &events, options: &options, cpu, program: &program })?;
        Ok(launcher.map(|Launcher { command, environment }| Record { command, environment }))
    })
}

//! Whether a backend can count some events together, and how the process must be started in which it does: some see what a
//! program does only if they start it themselves.

use std::io;
use std::os::unix::net::UnixStream;

use assay_plugin_api::{Launcher, Open};
use serde::{Deserialize, Serialize};

use super::rehearsal::Part;
use crate::error::Result;
use crate::process::{self, Launch, Task, this_program};

/// What a child is asked.
#[derive(Serialize, Deserialize)]
struct Question {
    part: Part,
    cpu: Option<usize>,
    program: String,
}

type Answer = Result<Option<Record>, String>;

/// A launcher on its way from a child.
#[derive(Serialize, Deserialize)]
struct Record {
    command: Vec<String>,
    environment: Vec<(String, String)>,
}

/// How to start the process in which a set of events is counted; none if as ever. The inner error is a sentence, also where
/// they can't be counted together.
///
/// # Errors
/// If no child can be started.
pub fn launch_for(part: &Part, cpu: Option<usize>) -> Result<Result<Option<Launch>, String>> {
    let question = Question { part: part.clone(), cpu, program: this_program() };
    let records = process::each::<Answer>(&Task::Launcher, &[question], |_| Ok(()))?;
    let answer = records.into_iter().next().expect("one of each item");
    // What a backend does instead of an answer is found out when it is rehearsed.
    Ok(answer.unwrap_or(Ok(None)).map(|record| {
        record.map(|Record { command, environment }| Launch::by(Launcher { command, environment }))
    }))
}

/// The child's side: asks backends.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer(host, |Question { part, cpu, program }| -> Answer {
        let catalogue = part.library.pin()?.load()?;
        let entry = catalogue.counter(&part.backend)?;
        let options = part.options_for(entry)?;
        let events: Vec<&str> = part.events.iter().map(String::as_str).collect();
        if !part.multiplex {
            entry.together(&events)?;
        }
        let launcher =
            entry.launcher(&Open { events: &events, options: &options, cpu, program: &program })?;
        Ok(launcher.map(|Launcher { command, environment }| Record { command, environment }))
    })
}

//! The tasks of child processes.

use std::io;
use std::os::unix::net::UnixStream;

use serde::{Deserialize, Serialize};

use super::frames::{receive, send};
use super::launch::Launch;
use super::sandbox::{self, Permissions};

/// The task of a child: the first message that it gets. Everything else that it needs follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Let another program, such as a simulator, start this one again, and then do a task there.
    Launched(Launch, Box<Task>),
    /// Measure one algorithm.
    Measure,
    /// Load libraries. Each item is a path.
    Inspect,
    /// Test an algorithm. Each item is a step of the test.
    TryOut,
    /// Search with a twin, and report its events. There is one item, the search.
    Trace,
    /// Search with a twin, and report its counts. Each item is a list of inputs.
    CountWork,
    /// Compute with the metrics, statistics, mergers or corpora of a library.
    Serve,
    /// Ask counter backends for their events. Each item is a library and an id.
    Events,
    /// Open, start, read, stop and close sets of events for a trial. Each item is a step.
    Rehearse {
        /// The CPU to do it on; `None` for any.
        cpu: Option<usize>,
    },
    /// Measure what counting an event costs. Each item is a library, a backend and an event.
    CounterCost {
        /// Number of readings.
        reads: u32,
    },
    /// Run self-tests of counter backends. Each item is a part of one, or asks which parts there are.
    SelfTest,
    /// Measure what the counters of a run cost. There is one item, all of them.
    CountingCosts,
    /// Ask counter backends how to start the process in which they count. Each item is a set of events.
    Launcher,
    /// Measure the clocks of cores and of counter backends. Each item is one clock.
    Clocks,
}

impl Task {
    /// The same task, in a process that another program starts if `launch` names one.
    pub fn launched(self, launch: Option<&Launch>) -> Task {
        match launch {
            Some(launch) => Task::Launched(launch.clone(), Box::new(self)),
            None => self,
        }
    }

    /// The factor by which the patience with a child is multiplied. In a simulator, everything takes up to
    /// [`SIMULATOR_SLOWDOWN`](super::SIMULATOR_SLOWDOWN) times as long. The factor is less, because a call
    /// usually takes a small part of the patience, and a simulator that was stopped should not be waited for
    /// that long.
    pub fn patience_factor(&self) -> u32 {
        if matches!(self, Task::Launched(..)) { 12 } else { 1 }
    }
}

/// Sends a task with the permissions for it.
pub(super) fn send_task(to: &UnixStream, task: &Task, permissions: &Permissions) -> io::Result<()> {
    let sandboxed = sandbox::policy().enabled.then(|| permissions.filled_in());
    if let Task::Launched(_, inner) = task {
        // The other program starts this one again, which reads the inner task. It gets no sandbox: a
        // simulator makes the system calls of the program that it simulates and many of its own, so a filter
        // could not tell whose they are.
        send(to, &(task, None::<Permissions>))?;
        return send(to, &(inner, None::<Permissions>));
    }
    send(to, &(task, sandboxed))
}

/// Receives the task of this process. The sandbox that comes with it is put on when the first library is
/// opened. `None` if the host has no task any more.
///
/// # Errors
/// If the connection breaks.
pub fn receive_task(host: &UnixStream) -> io::Result<Option<Task>> {
    let Some((task, permissions)) = receive::<(Task, Option<Permissions>)>(host)? else { return Ok(None) };
    if let Some(permissions) = permissions {
        sandbox::expect(permissions);
    }
    Ok(Some(task))
}

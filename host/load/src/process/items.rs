//! Work item by item: the host sends an item, and the child answers with a record.
//!
//! An item without a record was not done, whatever the exit status of the child says. If a child ends at its
//! first item, that item is to blame. If it ends at a later one, an earlier item may have damaged the
//! process, so the later one is tried again in a child of its own.

use std::io;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use assay_base::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::child_end::ChildEnd;
use super::child_guard::{ChildGuard, not_started};
use super::forks_and_orphans::{call_without_copies, end_with_parent};
use super::requests::{ChildAnswer, Requests, next_request};
use super::sandbox::Permissions;
use super::stopwatch::Stopwatch;
use super::tasks::Task;

/// The environment variable with the milliseconds that a child may work on one item before it counts as
/// hanging.
pub const PATIENCE_VARIABLE: &str = "ASSAY_PATIENCE_MS";
/// How long a child may work on one item if the variable is not set. Loading a library takes some
/// milliseconds; a busy machine makes that a second at most, and no user wants to wait much longer for a
/// hanging library.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a child may work on one item: `ASSAY_PATIENCE_MS`, for slow machines and for tests, or five
/// seconds.
///
/// # Errors
/// If the variable holds something else.
pub fn patience() -> Result<Duration> {
    let Some(given) = std::env::var_os(PATIENCE_VARIABLE).filter(|given| !given.is_empty()) else {
        return Ok(PATIENCE);
    };
    let number = given.to_str().and_then(|given| given.parse().ok()).filter(|&ms: &u32| ms > 0);
    number.map(|ms| Duration::from_millis(ms.into())).ok_or_else(|| {
        Error::new(format!("{PATIENCE_VARIABLE} is `{}`", given.display()))
            .remedy("set it to a number of milliseconds, or not at all")
    })
}

/// Lets children do a task with each item, in as many children as that takes. `look` gets the index of the
/// item in work, before a child gets the item and then every few milliseconds until its record has come. An
/// error of `look` ends everything.
///
/// # Errors
/// If no child can be started; what `look` returns.
pub fn run_items<T: DeserializeOwned>(
    task: &Task,
    permissions: &Permissions,
    items: &[impl Serialize],
    mut look: impl FnMut(usize) -> Result<()>,
) -> Result<Vec<Result<T, ChildEnd>>> {
    let patience = patience()? * task.patience_factor();
    // All items are encoded before the first child starts, so that no child waits for an item that can't be
    // sent.
    let packed = items.iter().map(postcard::to_stdvec).collect::<Result<Vec<_>, _>>();
    let items = packed.map_err(|error| Error::new(error.to_string()))?;
    let mut outcomes = Vec::with_capacity(items.len());
    while outcomes.len() < items.len() {
        let (mut child, connection) =
            ChildGuard::start(task, permissions, Stdio::null()).map_err(|error| not_started(&error))?;
        let mut requests = Requests::new(connection);
        let first = outcomes.len();
        for (item, packed) in items.iter().enumerate().skip(first) {
            look(item)?;
            // If the child has ended already, waiting for its answer shows it.
            let _ = requests.send(packed);
            match requests.hear_last(&mut Stopwatch::start(), patience, || look(item))? {
                ChildAnswer::Record(record) => outcomes.push(Ok(record)),
                // Not to blame yet: the item is the first one of the next child.
                _ if item > first => break,
                ChildAnswer::Nonsense => {
                    outcomes.push(Err(ChildEnd::Garbled));
                    break;
                }
                // Not the connection but the end of the process counts. A child of the child can keep the
                // connection open after that, and a child that closes its descriptors closes the connection
                // before it.
                ChildAnswer::None { left } => {
                    outcomes.push(Err(child.end_within(left).unwrap_or(ChildEnd::Hung(patience))));
                    break;
                }
            }
        }
    }
    Ok(outcomes)
}

/// The side of the child in [`run_items`]: answers items until the host has no more.
///
/// # Errors
/// If the host is gone.
pub fn answer_items<I: DeserializeOwned, T: Serialize>(
    host: &UnixStream,
    mut work: impl FnMut(I) -> T,
) -> io::Result<()> {
    while let Some(request) = next_request::<Vec<u8>>(host)? {
        let item = postcard::from_bytes(&request.content).map_err(io::Error::other)?;
        let record = call_without_copies(|| work(item));
        end_with_parent();
        request.answer(&record)?;
    }
    Ok(())
}

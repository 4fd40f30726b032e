//! Children that run in another program, such as a simulator that counts instructions.
//!
//! The child replaces itself by that program, which starts this one again. Keeper and stand-in stay as they
//! are.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;

use assay_plugin_api::Launcher;
use rustix::process::{getpid, getppid};
use serde::{Deserialize, Serialize};

use super::forks_and_orphans::is_child_of;

/// The hidden first argument with which another program starts this one.
pub const LAUNCHED: &str = "__launched";

/// The time limit of a search is multiplied by this if the child runs in another program. A call in
/// a simulator takes 30 to 90 times as long (`docs/src/counters.md`).
pub const SIMULATOR_SLOWDOWN: u32 = 100;

/// The command by which another program starts a child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The command before the program.
    command: Vec<String>,
    environment: Vec<(String, String)>,
    program: String,
}

impl Launch {
    /// The command of a launcher, which a counter backend has returned.
    pub fn new(Launcher { command, environment }: Launcher) -> Self {
        Launch { command, environment, program: this_program() }
    }

    /// The command before the program.
    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// Replaces this process by the other program, whose standard input is the connection to the host.
    /// Returns only if that fails.
    pub fn replace(self, connection: UnixStream) -> io::Error {
        let mut words = self.command.iter().map(String::as_str).chain([&*self.program, LAUNCHED]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).envs(self.environment).stdin(OwnedFd::from(connection)).exec()
    }
}

/// A path to the program that is running, even if its file was replaced meanwhile. It is valid while this
/// process lives.
pub fn this_program() -> String {
    format!("/proc/{}/exe", getpid())
}

/// The connection to the host, in a child that another program has started.
///
/// # Errors
/// If standard input is no connection.
pub fn connection() -> io::Result<UnixStream> {
    let connection = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    if connection.peer_addr().is_err() {
        return Err(io::Error::other("only assay itself starts children"));
    }
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    if let Some(stand_in) = getppid() {
        is_child_of(stand_in);
    }
    Ok(connection)
}

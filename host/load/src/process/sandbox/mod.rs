//! The sandbox: code of a library can compute, and do nothing else.
//!
//! A child puts the sandbox on after it has opened and verified the file of its library, and before the
//! dynamic loader runs the constructors. Everything that the child needs from outside (the text, the
//! heartbeat page) is open by then. Three parts of the kernel enforce it:
//!
//! - Landlock decides which files can be opened ([`file_rules`]), and keeps signals inside. A refused file is
//!   an error that the library gets, and nobody else learns of it.
//! - A seccomp filter decides which system calls can be made ([`call_filter`]). A forbidden call ends the
//!   process, and the host learns which one it was ([`forbidden_call`]).
//! - Limits bound private memory, descriptors and the size of files ([`limits`]), and a child of root keeps
//!   few of its capabilities ([`capabilities`]).
//!
//! Where the kernel lacks one of them, the others are put on all the same, and [`Support`] says what is
//! missing. The guard processes around a child (see [`keeper`](super::keeper)) do not rely on the sandbox.

mod call_filter;
mod calls;
mod capabilities;
mod file_rules;
mod forbidden_call;
mod limits;
mod loader_files;
mod policy;
mod support;

use std::io;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

pub(super) use calls::name_of;
pub(super) use forbidden_call::ForbiddenCallNote;
pub use policy::{SandboxPolicy, policy, set_policy};
pub use support::Support;

use crate::plugin::BackendAccess;

/// What a child may do besides computing. It comes to the child with its task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permissions {
    /// The libraries that it loads.
    pub libraries: Vec<PathBuf>,
    /// Folders and files of the system that it can read.
    pub system: Vec<PathBuf>,
    /// What its counter backends need.
    pub access: BackendAccess,
    /// Greatest size of its private memory in bytes; `None` for that of the [`policy`].
    pub memory: Option<u64>,
    /// Whether the host's code in it binds threads to CPUs after the libraries are loaded.
    pub binds_threads: bool,
}

impl Permissions {
    /// The same, with the memory that the policy of this process grants, and with the files of the system,
    /// which are looked for once, because each of many workers needs them.
    pub(super) fn filled_in(&self) -> Self {
        static SYSTEM: LazyLock<Vec<PathBuf>> = LazyLock::new(file_rules::of_system);
        let memory = self.memory.or_else(|| Some(policy().memory));
        Permissions { memory, system: SYSTEM.clone(), ..self.clone() }
    }

    /// To load these libraries, and nothing else.
    pub fn to_load(libraries: impl IntoIterator<Item = PathBuf>) -> Self {
        Permissions { libraries: libraries.into_iter().collect(), ..Permissions::default() }
    }
}

/// The permissions of this process, until the sandbox is on. Empty in the host.
static PENDING: Mutex<Option<Permissions>> = Mutex::new(None);

/// Notes the permissions with which this process enters the sandbox later.
pub(super) fn expect(permissions: Permissions) {
    *PENDING.lock().unwrap_or_else(PoisonError::into_inner) = Some(permissions);
}

/// Whether children of this process can't end it, or other processes of the user.
pub(crate) fn protects_processes() -> bool {
    policy().enabled && Support::here().seccomp
}

/// Puts the sandbox on, if this process is a child that is not in it yet. It holds for the calling thread and
/// for the threads that it starts later, so a child has one thread until then.
///
/// # Errors
/// If the kernel has a part of the sandbox but refuses it. No library must be loaded then.
pub(crate) fn enter() -> io::Result<()> {
    let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(permissions) = &*pending {
        put_on(permissions)?;
        *pending = None;
    }
    Ok(())
}

/// Puts on all parts that the kernel has. The filter comes last, because it forbids the calls that put on the
/// others.
fn put_on(permissions: &Permissions) -> io::Result<()> {
    let Support { landlock_abi, seccomp } = Support::here();
    limits::set(permissions)?;
    capabilities::restrict(&permissions.access)?;
    if landlock_abi.is_some() {
        file_rules::restrict(permissions)?;
    }
    if seccomp {
        forbidden_call::catch()?;
        call_filter::install(permissions)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

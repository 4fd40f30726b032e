//! The limits of a child: private memory, descriptors and the size of files.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Permissions;

/// Number of descriptors that a child may have. Our own code needs about ten, and a counter backend one for
/// each event; pipes hold memory that no other limit counts, at most 1 MiB for each two of these.
const DESCRIPTORS: u64 = 256;

/// Sets the limits. The hard limits are lowered too, and the filter refuses to change them.
///
/// Memory is limited by what the process can write to and does not share (RLIMIT_DATA): the text, which all
/// workers share, is mapped read-only and does not count. Files are limited to the same size: a child can
/// only write to its standard error and to the results of a call, which lie in memory.
pub(super) fn set(permissions: &Permissions) -> io::Result<()> {
    if let Some(memory) = permissions.memory {
        lower(Resource::Data, memory)?;
        lower(Resource::Fsize, memory)?;
    }
    lower(Resource::Nofile, DESCRIPTORS)?;
    Ok(())
}

/// Lowers a limit, unless it is lower already.
fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(resource);
    let lowered = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    Ok(setrlimit(resource, Rlimit { current: lowered(current), maximum: lowered(maximum) })?)
}

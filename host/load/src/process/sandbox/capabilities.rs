//! The capabilities that a child keeps if root started it. With all of them, it could do with what it may open
//! what a user can't, such as making a file immutable.

use std::io;

use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use crate::plugin::BackendAccess;

/// Drops all capabilities but those that reading needs: files that belong to others, and what a counter backend
/// has declared. A program that the child starts gets none back, because the filter forbids new privileges.
pub(super) fn restrict(access: &BackendAccess) -> io::Result<()> {
    let mut kept = CapabilitySet::DAC_READ_SEARCH;
    if access.perf_events {
        kept |= CapabilitySet::PERFMON;
    }
    if !access.files.is_empty() {
        // Registers of the CPU are files that ask for it.
        kept |= CapabilitySet::SYS_RAWIO;
    }
    let now = capabilities(None)?;
    let left = CapabilitySets {
        effective: now.effective & kept,
        permitted: now.permitted & kept,
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, left)?)
}

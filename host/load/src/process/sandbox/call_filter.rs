//! The filter for system calls.
//!
//! A call is allowed, unknown or forbidden.
//!
//! - Calls on a list are allowed.
//! - Unknown calls fail with ENOSYS, as on a kernel that does not have them: the C library tries newer calls
//!   first and then does without. This covers calls that the kernel gains later, `clone3` and `openat2` (their
//!   flags lie in memory, where a filter can't see them), and `memfd_create`, because memory in files escapes
//!   the limit of memory. A library that only wants to be quick also does without them.
//! - Forbidden calls end the process, because no code that only computes makes them by accident, and a row
//!   that names the call says more than whatever the library does after an error.
//!
//! Executable memory stays allowed. Engines that compile a pattern to machine code need it, and the sandbox
//! does not rely on what code a library runs.

use std::collections::BTreeMap;
use std::io;

use rustix::process::getpid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

use super::Permissions;
use super::calls::{
    AFFINITY, ALLOWED, ALLOWED_HERE, COPIES, FILES, FILES_HERE, MACHINE, NETWORK, PERF_EVENTS, PROGRAMS,
    SCHEDULING, SystemCall,
};

/// The calls that a filter matches, each with the conditions under which it does; always without conditions.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs the filters. Of two filters, the kernel obeys the stricter one. The one with the list of allowed
/// calls comes last, because it forbids to install another.
pub(super) fn install(permissions: &Permissions) -> io::Result<()> {
    apply(forbidden(permissions)?, SeccompAction::Allow, SeccompAction::Trap)?;
    if permissions.access.programs {
        // Nobody knows which calls the programs need that the backend starts.
        return Ok(());
    }
    let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
    apply(allowed(permissions)?, unknown, SeccompAction::Allow)
}

fn apply(rules: Rules, otherwise: SeccompAction, matching: SeccompAction) -> io::Result<()> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, otherwise, matching, architecture).map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}

/// Calls that end the process.
fn forbidden(Permissions { access, binds_threads, .. }: &Permissions) -> io::Result<Rules> {
    let mut rules = Rules::new();
    let mut add = |calls: &[SystemCall]| rules.extend(calls.iter().map(|&(_, call)| (call, Vec::new())));
    add(MACHINE);
    add(SCHEDULING);
    if !binds_threads {
        add(AFFINITY);
    }
    if !access.network {
        add(NETWORK);
    }
    if !access.perf_events {
        add(PERF_EVENTS);
    }
    // A program that a backend starts has to be copied, executed and waited for, and keeps files of its own.
    if !access.programs {
        for calls in [PROGRAMS, COPIES, FILES, FILES_HERE] {
            add(calls);
        }
        let no_thread = SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64);
        rules.insert(libc::SYS_clone, when(&[(0, no_thread, 0)])?);
        // Signals reach this process only, so that `abort` works.
        let own = getpid().as_raw_nonzero().get() as u64;
        for call in [
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
        ] {
            rules.insert(call, when(&[(0, SeccompCmpOp::Ne, own)])?);
        }
    }
    // A limit can be read, but not set.
    let some = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0);
    let set = SeccompRule::new(vec![some.map_err(io::Error::other)?]).map_err(io::Error::other)?;
    rules.insert(libc::SYS_prlimit64, vec![set]);
    Ok(rules)
}

/// Calls that are not unknown.
fn allowed(Permissions { access, binds_threads, .. }: &Permissions) -> io::Result<Rules> {
    let mut rules = Rules::new();
    let mut add = |calls: &[SystemCall]| rules.extend(calls.iter().map(|&(_, call)| (call, Vec::new())));
    add(ALLOWED);
    add(ALLOWED_HERE);
    if *binds_threads {
        add(AFFINITY);
    }
    if access.network {
        add(NETWORK);
    }
    if access.perf_events {
        add(PERF_EVENTS);
    }
    // Memory without a file is private and does not grow by itself: the limit of memory counts no other.
    let escapes = |flags: i32| SeccompCmpOp::MaskedEq(flags as u64);
    let kind = libc::MAP_TYPE | libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN;
    let private = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
    let of_file = libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN;
    let mut mapping = when(&[(3, escapes(kind), private)])?;
    mapping.extend(when(&[(3, escapes(of_file), 0)])?);
    rules.insert(libc::SYS_mmap, mapping);
    Ok(rules)
}

/// A rule that matches if all of these arguments compare so. Arguments are compared as 32-bit numbers, as the
/// kernel takes ids and flags.
fn when(arguments: &[(u8, SeccompCmpOp, u64)]) -> io::Result<Vec<SeccompRule>> {
    let condition = |(argument, operator, value): &(u8, SeccompCmpOp, u64)| {
        SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operator.clone(), *value)
    };
    let conditions = arguments.iter().map(condition).collect::<Result<Vec<_>, _>>();
    let rule = conditions.and_then(SeccompRule::new).map_err(io::Error::other)?;
    Ok(vec![rule])
}

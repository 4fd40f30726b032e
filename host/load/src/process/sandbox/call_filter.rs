//! The filters for system calls.
//!
//! A call is allowed, unknown or forbidden.
//!
//! - Calls on a list are allowed.
//! - Unknown calls fail with ENOSYS, as on a kernel that does not have them: the C library tries newer calls
//!   first and then does without. This covers calls that the kernel gains later, `clone3` and `openat2`,
//!   whose flags lie in memory, where a filter can't see them, and `memfd_create`, because memory in files
//!   escapes the limit of memory. A library that only wants to be quick also does without them.
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
    TargetArch, apply_filter, sock_filter,
};

use super::Permissions;
use super::calls::{
    AFFINITY, ALLOWED, ALLOWED_HERE, COPIES, FILES, FILES_HERE, LIMITS, MACHINE, NETWORK, PERF_EVENTS,
    PROGRAMS, SCHEDULING, SystemCall,
};

/// A call that fails as if the kernel did not have it.
const UNKNOWN: SeccompAction = SeccompAction::Errno(libc::ENOSYS as u32);

/// Installs the filters. If they disagree about a call, the kernel obeys the strictest. That with the list of
/// allowed calls comes last, because it refuses to install another.
pub(super) fn install(permissions: &Permissions) -> io::Result<()> {
    by_arguments(forbidden_arguments(permissions)?, SeccompAction::Trap)?;
    let mut unknown = unlimited_memory()?;
    unknown.extend(other_commands(permissions)?);
    by_arguments(unknown, UNKNOWN)?;
    apply_filter(&by_number(permissions)).map_err(io::Error::other)
}

/// The filter that judges a call by its number. Numbers are searched for by halves: the kernel tries a new
/// filter with every number, and a list from which it goes through one by one would take most of the time in
/// which a worker starts. It does not look at the architecture, because the other filters do.
fn by_number(Permissions { access, binds_threads, .. }: &Permissions) -> BpfProgram {
    let mut verdicts = BTreeMap::new();
    let mut judge = |calls: &[&[SystemCall]], verdict: SeccompAction| {
        let verdict = u32::from(verdict);
        verdicts.extend(calls.iter().copied().flatten().map(|&(_, call)| (call as u32, verdict)));
    };
    let granted = |is_granted| if is_granted { SeccompAction::Allow } else { SeccompAction::Trap };
    judge(&[ALLOWED, ALLOWED_HERE], SeccompAction::Allow);
    judge(&[MACHINE, SCHEDULING], SeccompAction::Trap);
    judge(&[AFFINITY], granted(*binds_threads));
    judge(&[NETWORK], granted(access.network));
    judge(&[PERF_EVENTS], granted(access.perf_events));
    // A program that a backend starts has to be copied and executed, and keeps files of its own. Nobody knows
    // which other calls it needs.
    judge(&[PROGRAMS, COPIES, FILES, FILES_HERE, LIMITS], granted(access.programs));
    let others = u32::from(if access.programs { SeccompAction::Allow } else { UNKNOWN });
    let mut ranges = vec![(0, others), (OTHER_NUMBERS, u32::from(UNKNOWN))];
    for (&call, &verdict) in &verdicts {
        ranges.push((call, verdict));
        ranges.push((call + 1, others));
    }
    // Where two begin at the same number, the later one counts. Neighbours with one verdict are one range.
    ranges.reverse();
    ranges.sort_by_key(|&(start, _)| start);
    ranges.dedup_by_key(|&mut (start, _)| start);
    ranges.dedup_by_key(|&mut (_, verdict)| verdict);
    let mut program = vec![instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, NUMBER)];
    program.extend(search(&ranges));
    program
}

/// The place of a call's number in what a filter sees of the call.
const NUMBER: u32 = 0;

/// The first number of another set of calls (x32), which some kernels have beside the usual ones and which the
/// filters by arguments do not see.
const OTHER_NUMBERS: u32 = 0x4000_0000;

/// Instructions that search for the range of the number that is loaded, and return its verdict.
fn search(ranges: &[(u32, u32)]) -> BpfProgram {
    if let [(_, verdict)] = ranges {
        return vec![instruction(libc::BPF_RET | libc::BPF_K, *verdict)];
    }
    let (low, high) = ranges.split_at(ranges.len() / 2);
    let (start, low, high) = (high[0].0, search(low), search(high));
    // A conditional jump is one of at most 255 instructions, so it only chooses between the next two.
    let mut program = vec![
        sock_filter { jt: 0, jf: 1, ..instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, start) },
        instruction(libc::BPF_JMP | libc::BPF_JA, low.len() as u32),
    ];
    program.extend(low);
    program.extend(high);
    program
}

fn instruction(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// The calls that a filter matches, each with the conditions under which it does.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs a filter that judges some calls by their arguments. It ends a process that makes calls of another
/// architecture.
fn by_arguments(rules: Rules, verdict: SeccompAction) -> io::Result<()> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, verdict, architecture);
    let program = filter.and_then(BpfProgram::try_from).map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}

/// The commands of `fcntl` and `ioctl` that set the process which gets the signals of a descriptor.
const F_SETOWN: u64 = 8;
const F_SETOWN_EX: u64 = 15;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;

/// Calls that end the process if they have these arguments.
fn forbidden_arguments(Permissions { access, .. }: &Permissions) -> io::Result<Rules> {
    // A limit can be read, but not set. Programs such as valgrind set limits of their own.
    let sets = when(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let of_others = when(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    let mut rules = Rules::from([(libc::SYS_prlimit64, if access.programs { of_others } else { sets })]);
    // The owner of a descriptor gets signals about it. Landlock keeps these inside only from version 6 on.
    for (call, commands) in
        [(libc::SYS_fcntl, [F_SETOWN, F_SETOWN_EX]), (libc::SYS_ioctl, [FIOSETOWN, SIOCSPGRP])]
    {
        let [by_id, by_kind] =
            commands.map(|command| when(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, command));
        rules.insert(call, [by_id?, by_kind?].concat());
    }
    if !access.programs {
        let no_thread = SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64);
        rules.insert(libc::SYS_clone, when(0, SeccompCmpArgLen::Dword, no_thread, 0)?);
        // With a handler of its own that returns, a library could try call after call. Whatever starts a
        // program resets all handlers.
        let of_filter = libc::SIGSYS as u64;
        rules.insert(libc::SYS_rt_sigaction, when(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, of_filter)?);
        // Signals reach this process only, so that `abort` works.
        let own = getpid().as_raw_nonzero().get() as u64;
        for call in [
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
        ] {
            rules.insert(call, when(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, own)?);
        }
    }
    Ok(rules)
}

/// Mappings that the limit of memory does not count: memory without a file that is not private, and memory
/// that grows by itself.
fn unlimited_memory() -> io::Result<Rules> {
    let kind = SeccompCmpOp::MaskedEq((libc::MAP_TYPE | libc::MAP_ANONYMOUS) as u64);
    let mut rules = Vec::new();
    for not_private in [libc::MAP_SHARED, libc::MAP_SHARED_VALIDATE, libc::MAP_DROPPABLE] {
        let flags = (not_private | libc::MAP_ANONYMOUS) as u64;
        rules.extend(when(3, SeccompCmpArgLen::Dword, kind.clone(), flags)?);
    }
    let grows = libc::MAP_GROWSDOWN as u64;
    rules.extend(when(3, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(grows), grows)?);
    Ok(Rules::from([(libc::SYS_mmap, rules)]))
}

/// Commands of `ioctl` that code needs which only computes: about terminals, about what can be read, and about
/// descriptors (`TCGETS`, `TIOCGWINSZ`, `FIONREAD`, `FIONBIO`, `FIOCLEX`, `FIONCLEX`).
const COMMANDS: [u64; 6] = [0x5401, 0x5413, 0x541B, 0x5421, 0x5451, 0x5450];
/// Commands for performance events (`PERF_EVENT_IOC_..`).
const PERF_COMMANDS: [u64; 10] =
    [0x2400, 0x2401, 0x2402, 0x2403, 0x4008_2404, 0x2405, 0x4008_2406, 0x8008_2407, 0x4004_2408, 0x4004_2409];

/// All other commands of `ioctl`: some change attributes of files that can only be read. Those of sockets and of
/// programs are not known.
fn other_commands(Permissions { access, .. }: &Permissions) -> io::Result<Rules> {
    if access.network || access.programs {
        return Ok(Rules::new());
    }
    let perf: &[u64] = if access.perf_events { &PERF_COMMANDS } else { &[] };
    let is_other =
        |command: &u64| SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, *command);
    let conditions: Result<Vec<SeccompCondition>, _> = COMMANDS.iter().chain(perf).map(is_other).collect();
    let rule = conditions.and_then(SeccompRule::new).map_err(io::Error::other)?;
    Ok(Rules::from([(libc::SYS_ioctl, vec![rule])]))
}

/// A rule that matches if an argument compares so.
fn when(
    argument: u8,
    length: SeccompCmpArgLen,
    operator: SeccompCmpOp,
    value: u64,
) -> io::Result<Vec<SeccompRule>> {
    let condition = SeccompCondition::new(argument, length, operator, value);
    let rule = condition.and_then(|condition| SeccompRule::new(vec![condition]));
    Ok(vec![rule.map_err(io::Error::other)?])
}

//! The reasons why the kernel refuses an event, in plain words, with what the user can do. The meaning of
//! each error is that of perf_event_open(2).

use std::io;

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit};

use super::kernel::Modes;
use super::machine::Machine;
use super::request::{Request, Source};
pub use crate::refusal::Refusal;

impl Refusal {
    /// The kernel refused to open an event.
    pub fn of(error: &io::Error, request: &Request, modes: Modes, machine: &Machine) -> Self {
        let errno = error.raw_os_error().map_or(Errno::UnknownErrno, Errno::from_raw);
        match errno {
            Errno::ENOENT | Errno::EINVAL => unknown(errno, request, modes, machine),
            Errno::EACCES => forbidden(request, modes, machine.paranoid()),
            Errno::EPERM if request.source == Source::Breakpoint => Refusal::new(
                "the address is the kernel's, or a filter of the container forbids it",
                "give an address of the program that searches",
            ),
            Errno::EPERM => Refusal::new(
                "perf_event_open is not permitted here: the system-call filter of a container forbids it, CAP_PERFMON is \
                 missing, or the CPU can't leave out the kernel or user mode",
                "allow perf_event_open in the filter, add CAP_PERFMON, or ask for other modes (`:u`, `:k`)",
            ),
            Errno::ENOSYS => Refusal::new(
                "there is no perf_event_open here: the kernel was built without it, or a sandbox hides it",
                "use a kernel with CONFIG_PERF_EVENTS, outside the sandbox",
            ),
            Errno::EMFILE => Refusal::new(
                format!(
                    "the process has as many files open as it may ({}), and each event takes one",
                    open_files()
                ),
                "raise the limit (`ulimit -n`) or ask for fewer events",
            ),
            Errno::ENFILE => Refusal::new(
                "the system has as many files open as it may (fs.file-max), and each event takes one",
                "end programs that hold files, or let an administrator raise the limit",
            ),
            Errno::ENOSPC if request.source == Source::Breakpoint => Refusal::new(
                "the CPU's breakpoints are used up; x86-64 has 4 at a time",
                "ask for fewer, or end the debugger that uses them",
            ),
            Errno::ENOSPC => Refusal::new("the CPU has no counter left for it", "ask for fewer events"),
            Errno::E2BIG => Refusal::new(
                "the kernel is too old for it: it does not know all that the event asks for",
                "update the kernel or count another event",
            ),
            Errno::EBUSY => Refusal::new(
                "another program has taken the CPU's counters for itself alone",
                "end that program (perf, a profiler, the hypervisor) or count software events",
            ),
            Errno::EOPNOTSUPP | Errno::ENODEV => {
                Refusal::new("it needs a feature that the CPU's counters lack", "count another event")
            }
            Errno::ESRCH => Refusal::new("the thread that it was to count has ended", "start the run again"),
            _ => Refusal::new(error.to_string(), "count another event"),
        }
    }

    /// The event was opened, but got no counter while its thread was working.
    pub fn never_ran(machine: &Machine) -> Self {
        if machine.watchdog() {
            return Refusal::new(
                "it opens, but gets no counter of the CPU; probably because the kernel's watchdog for hangs holds one \
                 (kernel.nmi_watchdog is 1)",
                "let an administrator run `sysctl kernel.nmi_watchdog=0`",
            );
        }
        Refusal::new(
            "it opens, but gets no counter of the CPU; probably another program holds them",
            "end that program (perf, a profiler, the hypervisor)",
        )
    }
}

fn open_files() -> String {
    getrlimit(Resource::RLIMIT_NOFILE).map_or_else(|_| "unknown".to_owned(), |(soft, _)| soft.to_string())
}

/// ENOENT and EINVAL: the kernel finds nothing that counts such an event.
fn unknown(errno: Errno, request: &Request, modes: Modes, machine: &Machine) -> Refusal {
    let core = machine.core().map(|core| core.pmu.name.clone());
    let left_out = modes != Modes::ALL;
    match (request.source, core) {
        (Source::General | Source::Core, None) => Refusal::new(
            "this machine offers no hardware counters (it is virtual, or the kernel does not know its CPU)",
            "count software events, such as perf:task-clock and perf:page-faults, or count instructions with cachegrind",
        ),
        (Source::General, Some(core)) => Refusal::new(
            format!("the CPU's counters ({core}) have no event of this general name"),
            format!("name one of the CPU's own: rNNN or {core}/event=..,umask=../, by its manual"),
        ),
        (Source::Core, Some(core)) => Refusal::new(
            format!(
                "the CPU's counters ({core}) do not take it: they lack such an event, or bits that it sets"
            ),
            format!("compare it with the CPU's manual and /sys/bus/event_source/devices/{core}/format"),
        ),
        (Source::Unit, _) if errno == Errno::EINVAL && left_out => Refusal::new(
            "its unit does not take it; most can't leave out user mode or the kernel",
            "ask for it without modes (`:u`, `:k`, `kernel=no`)",
        ),
        (Source::Unit, _) => Refusal::new(
            "its unit has no such event, or does not count for a thread",
            "compare it with what /sys/bus/event_source/devices says of the unit",
        ),
        (Source::Breakpoint, _) => Refusal::new(
            "the CPU has no such breakpoint: x86-64 has none for reads alone, and lengths are 1, 2, 4 and 8 bytes, at \
             multiples of them",
            "ask for `rw`, `w` or `x`, with another length or address",
        ),
        (Source::Software | Source::Tracepoint, _) => Refusal::new(
            "the kernel does not know it: it is too old, or built without it",
            "count another event",
        ),
    }
}

/// EACCES: the user is not allowed to.
fn forbidden(request: &Request, modes: Modes, paranoid: Option<i64>) -> Refusal {
    const SETTING: &str = "kernel.perf_event_paranoid";
    let ask = "ask an administrator for a lower level or CAP_PERFMON";
    let beyond_user = modes.kernel || modes.hypervisor;
    match paranoid {
        Some(level) if level > 2 => Refusal::new(
            format!(
                "{SETTING} is {level}, which lets users count nothing; 2 lets them count user mode, 1 the kernel too"
            ),
            ask,
        ),
        Some(level @ 2) if beyond_user => {
            let what =
                if request.in_kernel { "it happens in the kernel" } else { "the kernel is to be counted" };
            let remedy = match request.source {
                Source::Software if request.in_kernel => {
                    format!("{ask}; rusage counts switches and faults without")
                }
                Source::Unit | Source::Tracepoint => ask.to_owned(),
                _ => format!("count user mode (`:u`), or {ask}"),
            };
            let reason = format!(
                "{what}, and {SETTING} is {level}, which lets users count user mode only; 1 lets them count the kernel"
            );
            Refusal::new(&reason, &remedy)
        }
        level => {
            let level =
                level.map_or_else(|| "can't be read".to_owned(), |level| format!("is {level} and allows it"));
            Refusal::new(
                format!(
                    "something forbids it: {SETTING} {level}, so perhaps a security module (SELinux, lockdown) or a container"
                ),
                "ask an administrator for CAP_PERFMON, or look into the system's log",
            )
        }
    }
}

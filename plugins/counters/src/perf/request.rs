//! An event that was requested by name, ready to be opened.

use perf_event_open_sys::bindings::{PERF_TYPE_BREAKPOINT, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT};

use super::kernel::{Encoding, Modes};
use super::refusal::Refusal;

/// An event of this machine, whether it can be opened or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub name: String,
    pub unit: String,
    /// A sentence without its end.
    pub summary: String,
    pub source: Source,
    pub encoding: Encoding,
    /// The event that must lead its group, if the kernel has such a rule.
    pub leader: Option<Encoding>,
    /// The modes that the name gives.
    pub modes: Option<Modes>,
    /// Whether it happens only in the kernel. Without the kernel, its count would always be 0.
    pub in_kernel: bool,
    /// Whether it is the time of the thread, which runs in all modes.
    pub clock: bool,
    /// The factor of its counts.
    pub scale: f64,
}

/// The source of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The counters of the core, by a name that the kernel has on every machine.
    General,
    /// The counters of the core, by the numbers of the CPU.
    Core,
    /// Another counting unit.
    Unit,
    Software,
    Tracepoint,
    Breakpoint,
}

/// A set of counters for which events compete, so that they may have to take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Software events of the kernel, without a limit.
    Kernel,
    /// The counters of the core.
    Core,
    /// The counters of another unit.
    Unit(u32),
}

/// Whether the work of the kernel is counted if the name gives no modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Share {
    /// Counters of the core count user mode, because searches run there. All other events count as much as
    /// the kernel allows.
    #[default]
    Auto,
    With,
    Without,
}

impl Request {
    pub fn room(&self) -> Room {
        match self.encoding.kind {
            PERF_TYPE_SOFTWARE | PERF_TYPE_TRACEPOINT | PERF_TYPE_BREAKPOINT => Room::Kernel,
            kind if self.source == Source::Unit => Room::Unit(kind),
            _ => Room::Core,
        }
    }

    /// The first of these modes that the kernel allows.
    ///
    /// # Errors
    /// If the count would always be 0.
    pub fn modes(&self, share: Share) -> Result<Vec<Modes>, Refusal> {
        let of_the_core = matches!(self.source, Source::General | Source::Core);
        let modes = match (self.modes, share) {
            (Some(modes), _) => vec![modes],
            (None, Share::With) => vec![Modes::ALL],
            (None, Share::Without) => vec![Modes::USER],
            (None, Share::Auto) if of_the_core => vec![Modes::USER],
            (None, Share::Auto) if self.in_kernel => vec![Modes::ALL],
            (None, Share::Auto) => vec![Modes::ALL, Modes::USER],
        };
        if self.in_kernel && modes.iter().all(|modes| !modes.kernel) {
            return Err(Refusal::new(
                "it happens in the kernel, which is to be left out",
                "ask for it without `:u` and `kernel=no`",
            ));
        }
        Ok(modes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Folder;
    use super::*;

    fn modes(name: &str, share: Share) -> Result<Vec<Modes>, Refusal> {
        Folder::new().machine(None).resolve(name).unwrap().unwrap().modes(share)
    }

    #[test]
    fn the_core_counts_user_mode_and_the_kernel_what_it_may() {
        assert_eq!(modes("cycles", Share::Auto), Ok(vec![Modes::USER]));
        assert_eq!(modes("r1c2", Share::Auto), Ok(vec![Modes::USER]));
        assert_eq!(modes("page-faults", Share::Auto), Ok(vec![Modes::ALL, Modes::USER]));
        assert_eq!(modes("context-switches", Share::Auto), Ok(vec![Modes::ALL]));
        for name in ["cycles", "page-faults"] {
            assert_eq!(modes(name, Share::With), Ok(vec![Modes::ALL]));
            assert_eq!(modes(name, Share::Without), Ok(vec![Modes::USER]));
        }
    }

    #[test]
    fn what_a_name_says_of_modes_holds() {
        let kernel = Modes { user: false, kernel: true, hypervisor: false };
        for share in [Share::Auto, Share::With, Share::Without] {
            assert_eq!(modes("cycles:k", share), Ok(vec![kernel]));
            assert_eq!(modes("page-faults:u", share), Ok(vec![Modes::USER]));
        }
    }

    #[test]
    fn what_happens_in_the_kernel_is_not_counted_without_it() {
        for (name, share) in [("context-switches:u", Share::With), ("cs", Share::Without)] {
            assert!(modes(name, share).unwrap_err().reason.contains("happens in the kernel"), "{name}");
        }
    }
}

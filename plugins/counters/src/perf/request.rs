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
    /// The event that must lead the group, where there is such a rule.
    pub leader: Option<Encoding>,
    /// What the name says of modes.
    pub modes: Option<Modes>,
    /// Whether it happens in the kernel only: with the kernel left out, it would be 0 for ever.
    pub in_kernel: bool,
    /// Whether it is the time of the thread, in whatever mode.
    pub clock: bool,
    /// What a count is to be multiplied by.
    pub scale: f64,
}

/// Where an event comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The cores' counters, by a name that the kernel has on every machine.
    General,
    /// The cores' counters, in their own numbers.
    Core,
    /// Another counting unit.
    Unit,
    Software,
    Tracepoint,
    Breakpoint,
}

/// Which events compete for counters, and so may have to take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// The kernel counts: there is always room.
    Kernel,
    /// The counters of the core.
    Core,
    /// Those of another unit.
    Unit(u32),
}

/// Whether the kernel's share is counted, where a name does not say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Share {
    /// The core's counters count user mode, since that is where a search runs; all else as much as is
    /// allowed.
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

    /// Of these modes, the first that the kernel allows.
    ///
    /// # Errors
    /// If nothing could ever be counted.
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

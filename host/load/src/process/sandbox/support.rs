//! What this kernel can enforce.

use std::fs;

use serde::{Deserialize, Serialize};

/// The parts of the sandbox that this kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Support {
    /// The version of Landlock; `None` without Landlock.
    pub landlock_abi: Option<u32>,
    /// Whether there are filters for system calls.
    pub seccomp: bool,
}

/// The file in which the kernel lists what a filter can do with a call.
const ACTIONS: &str = "/proc/sys/kernel/seccomp/actions_avail";

/// The first version of Landlock that keeps signals inside the sandbox. Without it, the filter does that.
const SCOPES_SIGNALS: u32 = 6;

/// The first version of Landlock that refuses to empty a file that may only be read (Linux 6.2).
const REFUSES_TRUNCATION: u32 = 3;

/// The first version of Landlock that refuses TCP connections. Without it, the filter does that.
const REFUSES_TCP: u32 = 4;

impl Support {
    /// What this kernel can enforce.
    pub fn here() -> Self {
        let actions = fs::read_to_string(ACTIONS).unwrap_or_default();
        Support {
            landlock_abi: landlock_abi(),
            seccomp: actions.split_whitespace().any(|word| word == "trap"),
        }
    }

    /// What the sandbox does not prevent on this kernel, as the end of a sentence; `None` if it prevents
    /// everything.
    pub fn missing(&self) -> Option<String> {
        let mut missing = Vec::new();
        match self.landlock_abi {
            None => missing.push("reading and writing files (no Landlock)"),
            Some(abi) if abi < REFUSES_TRUNCATION => {
                missing.push("emptying files that they may read (Landlock 1 or 2)")
            }
            Some(_) => {}
        }
        if !self.seccomp {
            missing.push("starting processes and changing priorities (no seccomp)");
            let [signals, tcp] =
                [SCOPES_SIGNALS, REFUSES_TCP].map(|least| self.landlock_abi.is_some_and(|abi| abi >= least));
            missing.push(if tcp { "UDP and local sockets" } else { "the network" });
            if !signals {
                missing.push("signals to other processes");
            }
        }
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// The parts that are enforced, as words for a saved run.
    pub fn parts(&self) -> Vec<String> {
        let landlock = self.landlock_abi.map(|abi| format!("landlock {abi}"));
        let seccomp = self.seccomp.then(|| "seccomp".to_owned());
        landlock.into_iter().chain(seccomp).chain(["limits".to_owned()]).collect()
    }
}

/// The version of Landlock in this kernel.
fn landlock_abi() -> Option<u32> {
    /// Asks for the version instead of a set of rules.
    const VERSION: u32 = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag, the call reads no memory and only returns a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, VERSION) };
    u32::try_from(version).ok().filter(|&version| version > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let support = |landlock_abi, seccomp| Support { landlock_abi, seccomp };
        assert_eq!(support(Some(7), true).missing(), None);
        assert_eq!(support(Some(3), true).missing(), None, "the filter refuses the network and signals");
        assert!(support(Some(2), true).missing().unwrap().starts_with("emptying files"));
        assert!(support(None, true).missing().unwrap().starts_with("reading and writing files"));
        assert!(
            support(Some(1), false).missing().unwrap().ends_with("the network, signals to other processes")
        );
        assert!(support(Some(7), false).missing().unwrap().ends_with(", UDP and local sockets"));
        assert_eq!(support(Some(7), true).parts(), ["landlock 7", "seccomp", "limits"]);
    }
}

//! What this kernel can enforce to confine the code of plugins.

use super::finding::{Finding, Remedy};
use super::system::System;

const NAME: &str = "sandbox";

/// What the kernel can enforce; `None` if it does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KernelSupport {
    /// Whether it has Landlock, which restricts files and network.
    landlock: Option<bool>,
    /// Whether it has seccomp, which restricts system calls.
    seccomp: Option<bool>,
}

/// What the kernel says that it can enforce.
pub(crate) fn support(system: &System) -> KernelSupport {
    let modules = system.text("/sys/kernel/security/lsm");
    let has_status = system.has("/proc/self/status");
    KernelSupport {
        landlock: modules.map(|modules| modules.split(',').any(|module| module == "landlock")),
        seccomp: has_status.then(|| system.has("/proc/sys/kernel/seccomp/actions_avail")),
    }
}

/// Whether the code of plugins can be confined.
pub(crate) fn sandbox(support: KernelSupport) -> Finding {
    let parts = [("Landlock", support.landlock), ("seccomp", support.seccomp)];
    let named = |wanted: Option<bool>| {
        let names = parts.iter().filter(|(_, state)| *state == wanted).map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(", ")
    };
    let (present, missing, unknown) = (named(Some(true)), named(Some(false)), named(None));
    let mut words = Vec::new();
    for (names, state) in
        [(&present, "can be used"), (&missing, "is missing"), (&unknown, "may be there or not")]
    {
        if !names.is_empty() {
            words.push(format!("{names} {state}"));
        }
    }
    let found = words.join("; ");
    if !missing.is_empty() {
        return Finding::warning(
            NAME,
            found,
            "plugins of strangers are not kept from files, network or processes; figures are not affected",
            Remedy::advice("boot a kernel of 5.13 or later with `landlock` in its parameter `lsm=`"),
        );
    }
    if unknown.is_empty() { Finding::ok(NAME, found) } else { Finding::unknown(NAME, found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Unknown, Warning};
    use crate::testing::FakeSystem;

    #[test]
    fn what_is_missing_is_told_from_what_is_unknown() {
        let finding = |files: &[(&str, &str)]| sandbox(support(FakeSystem::new(files).system()));
        let lsm = "/sys/kernel/security/lsm";
        let seccomp = [("/proc/self/status", ""), ("/proc/sys/kernel/seccomp/actions_avail", "allow\n")];
        let with = |modules| finding(&[&[(lsm, modules)], &seccomp[..]].concat());
        assert_eq!(with("capability,landlock,yama\n").outcome, Ok);
        assert_eq!(with("capability,yama\n").outcome, Warning);
        let unknown = finding(&seccomp);
        assert_eq!(
            (unknown.outcome, unknown.found.as_str()),
            (Unknown, "seccomp can be used; Landlock may be there or not")
        );
        assert_eq!(finding(&[]).outcome, Unknown);
    }
}

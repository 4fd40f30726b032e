//! Whether children of this process get a sandbox, and how much memory.

use std::sync::OnceLock;

use rustix::system::sysinfo;

/// The choices of the user for all children of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxPolicy {
    /// Whether children are put into a sandbox (not with `--no-sandbox`).
    pub enabled: bool,
    /// Greatest size of a child's private memory in bytes (`--memory-limit`).
    pub memory: u64,
}

/// A child may have a quarter of the machine's memory, so that two of them and the text they share still fit
/// beside the host and other programs.
const SHARE_OF_MEMORY: u64 = 4;

impl Default for SandboxPolicy {
    fn default() -> Self {
        let system = sysinfo();
        let memory = (system.totalram as u64).saturating_mul(u64::from(system.mem_unit));
        SandboxPolicy { enabled: true, memory: memory / SHARE_OF_MEMORY }
    }
}

static POLICY: OnceLock<SandboxPolicy> = OnceLock::new();

/// Sets the policy of this process. It must come before the first child, and only the first call counts.
pub fn set_policy(policy: SandboxPolicy) {
    POLICY.get_or_init(|| policy);
}

/// The policy of this process.
pub fn policy() -> SandboxPolicy {
    *POLICY.get_or_init(SandboxPolicy::default)
}

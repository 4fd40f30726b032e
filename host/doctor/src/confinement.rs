//! What this kernel can enforce to confine the code of plugins.

use assay_load::process::sandbox::Support;

use super::finding::{Finding, Remedy};

const NAME: &str = "sandbox";

/// Whether the code of plugins can be confined.
pub(crate) fn sandbox(support: &Support) -> Finding {
    let present = support.parts().join(", ");
    match support.missing() {
        None => Finding::ok(NAME, present),
        Some(missing) => Finding::warning(
            NAME,
            present,
            format!("not enforced for plugins: {missing}; figures are not affected"),
            Remedy::advice(if support.seccomp {
                "boot Linux 6.2 or later with `landlock` in the kernel parameter `lsm=`"
            } else {
                "boot a kernel that was built with CONFIG_SECCOMP_FILTER"
            }),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Warning};

    #[test]
    fn what_the_kernel_lacks_is_named() {
        let finding = |landlock_abi, seccomp| sandbox(&Support { landlock_abi, seccomp });
        assert_eq!((finding(Some(7), true).outcome, finding(None, true).outcome), (Ok, Warning));
    }
}

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
            format!("plugins of strangers are not kept from {missing}; figures are not affected"),
            Remedy::advice("boot a kernel of 5.13 or later with `landlock` in its parameter `lsm=`"),
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

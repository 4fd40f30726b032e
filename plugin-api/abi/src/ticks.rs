//! The counter of the CPU's reference clock: the time stamp counter of x86-64, the virtual counter of aarch64.
//!
//! Host and libraries read it with the same instructions, so that a count has the same meaning whichever side
//! reads it ([`RawRecipe::TICKS`](crate::counter::RawRecipe::TICKS)).

/// Whether this kind of CPU has such a counter at all.
pub const KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// Reads the counter, after all earlier instructions and before all later ones: `rdtscp` waits until all
/// earlier instructions are done, and the fence holds back later ones.
///
/// # Safety
/// The CPU must have the instruction `rdtscp`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn ticks() -> u64 {
    let mut core = 0;
    // SAFETY: the caller's promise.
    unsafe {
        let ticks = std::arch::x86_64::__rdtscp(&raw mut core);
        std::arch::x86_64::_mm_lfence();
        ticks
    }
}

/// Reads the counter, after all earlier instructions and before all later ones: barriers on both sides keep
/// the CPU from reading it earlier or later.
///
/// # Safety
/// None is needed here: Linux lets every program read the counter.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub unsafe fn ticks() -> u64 {
    let ticks;
    // SAFETY: a register is read, and nothing else is touched.
    unsafe {
        std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// Never called, because there is no such counter.
///
/// # Safety
/// It must not be called.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub unsafe fn ticks() -> u64 {
    unreachable!("this kind of CPU has no counter of ticks")
}

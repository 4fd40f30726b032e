//! Work of which it is known what it makes the CPU count, for self-tests.

use std::time::Duration;

use memmap2::MmapMut;
use nix::time::{ClockId, clock_gettime};

/// Who works: this machine, or a simulation of one in tests.
pub trait Work {
    /// Runs a loop of this many iterations, of [`INSTRUCTIONS`] each, one of them a branch. `false` if no
    /// such loop is written for this CPU.
    fn count_down(&self, iterations: u64) -> bool;
    /// Runs a loop of this many iterations, in each of which a branch depends on a bit; `false` as above.
    fn branch(&self, iterations: u64, bits: Bits) -> bool;
    /// Touches new pages of memory, each for the first time.
    fn touch(&self, pages: usize);
    /// The time now.
    fn now(&self) -> Moment;
}

/// The bits on which a branch depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Always the same one, so that the CPU predicts all branches but the first few.
    Alike,
    /// Random ones that never repeat, so that the CPU predicts half of the branches wrongly, whatever it
    /// does.
    Random,
}

/// A moment, by the clock and by the time that the thread has had a core.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub clock: Duration,
    pub on_core: Duration,
}

/// Number of instructions in an iteration of [`Work::count_down`].
pub const INSTRUCTIONS: u64 = 2;

/// Distance of two touched addresses in bytes: pages have at most this size on the CPUs that are supported.
const LARGEST_PAGE: usize = 1 << 16;

/// Where a sequence of random numbers begins. Any number but 0 would do.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The machine that runs.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Work for Here {
    fn count_down(&self, iterations: u64) -> bool {
        count_down(iterations)
    }

    fn branch(&self, iterations: u64, bits: Bits) -> bool {
        branch(iterations, if bits == Bits::Random { 1 } else { 0 })
    }

    fn touch(&self, pages: usize) {
        let Ok(mut memory) = MmapMut::map_anon(pages * LARGEST_PAGE) else { return };
        // A larger page would serve several addresses with one fault. Kernels that don't know the advice have
        // no larger pages.
        let _ = memory.advise(memmap2::Advice::NoHugePage);
        memory.chunks_mut(LARGEST_PAGE).for_each(|page| page[0] = 1);
        std::hint::black_box(&memory);
    }

    fn now(&self) -> Moment {
        let time = |clock| clock_gettime(clock).map_or(Duration::ZERO, Duration::from);
        Moment { clock: time(ClockId::CLOCK_MONOTONIC), on_core: time(ClockId::CLOCK_THREAD_CPUTIME_ID) }
    }
}

/// The loop of [`Work::count_down`]: two instructions, the second of which is the branch.
#[cfg(target_arch = "x86_64")]
fn count_down(iterations: u64) -> bool {
    // SAFETY: a register counts down to 0; nothing else is touched.
    unsafe {
        std::arch::asm!("2:", "sub {n}, 1", "jnz 2b", n = inout(reg) iterations.max(1) => _, options(nomem, nostack));
    }
    true
}

/// The loop of [`Work::branch`]. The random bit is the lowest of an xorshift generator of 64 bits (Marsaglia
/// 2003, "Xorshift RNGs", with the shifts 13, 7 and 17); the mask of 0 makes all bits alike.
#[cfg(target_arch = "x86_64")]
fn branch(iterations: u64, mask: u64) -> bool {
    // SAFETY: only registers are changed.
    unsafe {
        std::arch::asm!(
            "2:",
            "mov {t}, {s}", "shl {t}, 13", "xor {s}, {t}",
            "mov {t}, {s}", "shr {t}, 7", "xor {s}, {t}",
            "mov {t}, {s}", "shl {t}, 17", "xor {s}, {t}",
            "test {s}, {m}",
            "jz 3f",
            "add {sum}, 1",
            "3:",
            "sub {n}, 1",
            "jnz 2b",
            s = inout(reg) SEED => _, t = out(reg) _, m = in(reg) mask, sum = inout(reg) 0_u64 => _,
            n = inout(reg) iterations.max(1) => _,
            options(nomem, nostack)
        );
    }
    true
}

/// As on x86-64.
#[cfg(target_arch = "aarch64")]
fn count_down(iterations: u64) -> bool {
    // SAFETY: a register counts down to 0; nothing else is touched.
    unsafe {
        std::arch::asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) iterations.max(1) => _, options(nomem, nostack));
    }
    true
}

/// As on x86-64.
#[cfg(target_arch = "aarch64")]
fn branch(iterations: u64, mask: u64) -> bool {
    // SAFETY: only registers are changed.
    unsafe {
        std::arch::asm!(
            "2:",
            "eor {s}, {s}, {s}, lsl #13",
            "eor {s}, {s}, {s}, lsr #7",
            "eor {s}, {s}, {s}, lsl #17",
            "tst {s}, {m}",
            "b.eq 3f",
            "add {sum}, {sum}, #1",
            "3:",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            s = inout(reg) SEED => _, m = in(reg) mask, sum = inout(reg) 0_u64 => _,
            n = inout(reg) iterations.max(1) => _,
            options(nomem, nostack)
        );
    }
    true
}

/// Not written for other architectures.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn count_down(_: u64) -> bool {
    false
}

/// Not written for other architectures.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn branch(_: u64, _: u64) -> bool {
    false
}

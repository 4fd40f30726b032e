//! Reads a count in user mode, without a system call: by the page that the kernel shares for an event, and
//! the instruction `rdpmc`. Page and protocol are described in perf_event_open(2).
//!
//! The page names the register in which the event counts at present, and a number to add to it. Both change
//! when the event gets or loses its counter, for example because the thread moves to another core. The kernel
//! then also changes the page's `lock`, so a reading during which `lock` has changed is repeated.
//!
//! A page serves the thread that the event counts, and no other. In every state but the plain one, the reader
//! must read the descriptor instead.

use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{Ordering, compiler_fence};

use memmap2::{MmapOptions, MmapRaw};
use perf_event_open_sys::bindings::perf_event_mmap_page;

/// A count that was read in user mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageCount {
    /// The same number as in a reading of the descriptor.
    pub count: u64,
    /// For how long the event was enabled without a counter, in nanoseconds, since it was opened. The event
    /// counted all the time between two readings if both have the same number here.
    pub waited: u64,
}

/// The times of an event since it was opened, in nanoseconds, as in a reading of the descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageTimes {
    pub enabled: u64,
    pub running: u64,
}

/// Why there is no reading in user mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The page or the CPU does not allow it for this event.
    Forbidden,
    /// The event has no counter at present.
    NoCounter,
    /// The page changed during each try.
    Unsettled,
}

/// What can be read in user mode.
pub trait UserReading: fmt::Debug {
    /// The count.
    ///
    /// # Errors
    /// If the descriptor must be read instead.
    fn count(&self) -> Result<PageCount, Unreadable>;

    /// The times of an event that is enabled.
    ///
    /// # Errors
    /// If the descriptor must be read instead.
    fn times(&self) -> Result<PageTimes, Unreadable>;
}

/// Registers of the CPU on which the thread runs. Tests put others in their place.
pub trait Registers {
    /// The counter of this number, to be read only if a page names it: otherwise the CPU may end the program.
    /// `None` if no instruction is known here that reads it.
    fn counter(&self, number: u32) -> Option<u64>;
    /// The counter of ticks by which the page's times advance; `None` as above.
    fn ticks(&self) -> Option<u64>;
}

/// The CPU that runs.
#[derive(Clone, Copy, Debug)]
pub struct Cpu;

/// A page in memory that the kernel may change at any time.
#[derive(Clone, Copy, Debug)]
pub struct Page<R> {
    address: *const perf_event_mmap_page,
    registers: R,
}

/// The page of an open event.
#[derive(Debug)]
pub struct MappedPage {
    page: Page<Cpu>,
    /// Unmaps the page when it is dropped. The kernel keeps the event open until then.
    _memory: MmapRaw,
}

/// Bits of `capabilities`.
const USER_RDPMC: u64 = 1 << 2;
const USER_TIME: u64 = 1 << 3;
const USER_TIME_SHORT: u64 = 1 << 5;

/// Tries of a reading. Each change of the page takes a system call or an interrupt, which take longer than a
/// try, so a second change in a row is already unlikely.
const TRIES: usize = 4;

/// Reads a field of the page anew.
macro_rules! field {
    ($page:expr, $($field:ident).+) => {
        // SAFETY: the address is that of a page, by the promise of `Page::new`; the kernel fills all of it.
        unsafe { (&raw const (*$page.address).$($field).+).read_volatile() }
    };
}

impl MappedPage {
    /// Maps the page of an event.
    ///
    /// # Errors
    /// If the kernel refuses, for example because too much memory is locked.
    pub fn map(event: BorrowedFd<'_>) -> io::Result<Self> {
        let memory = MmapOptions::new().len(size_of::<perf_event_mmap_page>()).map_raw_read_only(&event)?;
        // SAFETY: the kernel puts such a struct at the start of the mapping, which lasts as long as `memory`.
        let page = unsafe { Page::new(memory.as_ptr().cast(), Cpu) };
        Ok(MappedPage { page, _memory: memory })
    }
}

impl UserReading for MappedPage {
    #[inline]
    fn count(&self) -> Result<PageCount, Unreadable> {
        self.page.count()
    }

    #[inline]
    fn times(&self) -> Result<PageTimes, Unreadable> {
        self.page.times()
    }
}

impl<R: Registers> Page<R> {
    /// # Safety
    /// The address must be that of a page, and stay so as long as the value is used.
    pub unsafe fn new(address: *const perf_event_mmap_page, registers: R) -> Self {
        Page { address, registers }
    }

    /// The count, as [`UserReading::count`].
    #[inline]
    pub fn count(&self) -> Result<PageCount, Unreadable> {
        self.settled(|| {
            if self.capabilities() & USER_RDPMC == 0 {
                return Err(Unreadable::Forbidden);
            }
            // 0 stands for no counter.
            let number = field!(self, index).checked_sub(1).ok_or(Unreadable::NoCounter)?;
            let register = self.registers.counter(number).ok_or(Unreadable::Forbidden)?;
            let counted = sign_extended(register, field!(self, pmc_width)).ok_or(Unreadable::Forbidden)?;
            // Both times are those of the last change of the page. Since then both have grown alike, because
            // the event has a counter.
            let waited = field!(self, time_enabled).saturating_sub(field!(self, time_running));
            Ok(PageCount { count: field!(self, offset).wrapping_add(counted).cast_unsigned(), waited })
        })
    }

    /// The times, as [`UserReading::times`].
    #[inline]
    pub fn times(&self) -> Result<PageTimes, Unreadable> {
        self.settled(|| {
            let capabilities = self.capabilities();
            if capabilities & USER_TIME == 0 {
                return Err(Unreadable::Forbidden);
            }
            let mut ticks = self.registers.ticks().ok_or(Unreadable::Forbidden)?;
            if capabilities & USER_TIME_SHORT != 0 {
                // The counter has fewer bits than 64: the page has a value from which it is continued.
                let since = field!(self, time_cycles);
                ticks = since.wrapping_add(ticks.wrapping_sub(since) & field!(self, time_mask));
            }
            // 128 bits, because the product of ticks and multiplier has more than 64.
            let scaled = u128::from(ticks) * u128::from(field!(self, time_mult));
            let scaled = scaled.checked_shr(field!(self, time_shift).into()).unwrap_or(0) as u64;
            let passed = field!(self, time_offset).wrapping_add(scaled);
            let counts = field!(self, index) != 0;
            Ok(PageTimes {
                enabled: field!(self, time_enabled).wrapping_add(passed),
                running: field!(self, time_running).wrapping_add(if counts { passed } else { 0 }),
            })
        })
    }

    /// Repeats a reading until the page has not changed during it.
    #[inline]
    fn settled<T>(&self, read: impl Fn() -> Result<T, Unreadable>) -> Result<T, Unreadable> {
        for _ in 0..TRIES {
            let before = field!(self, lock);
            // The kernel changes the page on the CPU of the thread, in the thread's place, so only the
            // compiler could change the order.
            compiler_fence(Ordering::SeqCst);
            let reading = read();
            compiler_fence(Ordering::SeqCst);
            if field!(self, lock) == before {
                return reading;
            }
        }
        Err(Unreadable::Unsettled)
    }

    #[inline]
    fn capabilities(&self) -> u64 {
        field!(self, __bindgen_anon_1.capabilities)
    }
}

/// A register of some bits as a signed number. The kernel lets counters begin below zero, so that they wrap
/// around and interrupt it in time; until it has answered, the register is small and positive, and the sum
/// with the page's offset is still right. `None` if the page names no width.
#[inline]
fn sign_extended(register: u64, bits: u16) -> Option<i64> {
    let unused = 64_u32.checked_sub(bits.into()).filter(|unused| *unused < 64)?;
    Some((register << unused).cast_signed() >> unused)
}

#[cfg(target_arch = "x86_64")]
impl Registers for Cpu {
    #[inline]
    fn counter(&self, number: u32) -> Option<u64> {
        let (low, high): (u32, u32);
        // The fences keep work before and after the reading on its side; without them, the CPU may read the
        // counter some dozens of instructions too early or too late.
        // SAFETY: registers are read, and nothing else is touched; the page has allowed the instruction.
        unsafe {
            std::arch::asm!(
                "lfence", "rdpmc", "lfence",
                in("ecx") number, out("eax") low, out("edx") high,
                options(nostack, preserves_flags)
            );
        }
        Some(u64::from(high) << 32 | u64::from(low))
    }

    #[inline]
    fn ticks(&self) -> Option<u64> {
        // SAFETY: every x86-64 has the instruction, and Linux lets programs use it.
        Some(unsafe { std::arch::x86_64::_rdtsc() })
    }
}

/// Not written for other architectures, whose kernels forbid it unless an administrator allows it.
#[cfg(not(target_arch = "x86_64"))]
impl Registers for Cpu {
    #[inline]
    fn counter(&self, _: u32) -> Option<u64> {
        None
    }

    #[inline]
    fn ticks(&self) -> Option<u64> {
        None
    }
}

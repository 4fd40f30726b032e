//! Which system call the filter stopped.
//!
//! The kernel sends SIGSYS to a thread that makes a forbidden call. The handler notes the number of the call
//! in a page that the child shares with the stand-in, and lets the signal end the process. The filter keeps
//! the library from replacing the handler; a library that blocks the signal or writes to the page only hides
//! the name: the call is never made.

use std::io;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use memmap2::{MmapOptions, MmapRaw};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use rustix::fs::{SealFlags, fcntl_add_seals, ftruncate};
use rustix::process::{getpid, kill_process};

use crate::process::memory::memory_file;

/// The page with the number of the call; null in processes that have none.
static PAGE: AtomicPtr<AtomicU32> = AtomicPtr::new(null_mut());

/// The page that the stand-in makes before it forks, so that it and the child have it.
#[derive(Debug)]
pub(in crate::process) struct ForbiddenCallNote(MmapRaw);

impl ForbiddenCallNote {
    /// An empty page.
    ///
    /// # Errors
    /// If the system refuses it.
    pub(in crate::process) fn new() -> io::Result<Self> {
        let file = memory_file("assay-call")?;
        ftruncate(&file, size_of::<AtomicU32>() as u64)?;
        // The child can't pull the page away from under the stand-in.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW)?;
        let page = MmapOptions::new().map_raw(&file)?;
        PAGE.store(page.as_mut_ptr().cast(), Ordering::Release);
        Ok(ForbiddenCallNote(page))
    }

    /// The number of the forbidden call that the child made, if it did.
    pub(in crate::process) fn read(&self) -> Option<u32> {
        // SAFETY: the page is as long as the number, aligned, zeroed at first, and only touched as an atomic.
        let number = unsafe { &*self.0.as_ptr().cast::<AtomicU32>() };
        // 0 is the number of `read`, which is allowed.
        Some(number.load(Ordering::Acquire)).filter(|&number| number != 0)
    }

    /// Keeps the page mapped for the rest of the process, because the handler writes to it.
    pub(in crate::process) fn keep(self) {
        std::mem::forget(self);
    }
}

/// Lets a forbidden call be noted before it ends this process.
pub(super) fn catch() -> io::Result<()> {
    let handler = SigHandler::SigAction(note);
    // Once: the signal that the handler sends ends the process.
    let action = SigAction::new(handler, SaFlags::SA_SIGINFO | SaFlags::SA_RESETHAND, SigSet::empty());
    // SAFETY: the handler only stores a number and sends a signal, which is allowed in a handler.
    unsafe { sigaction(Signal::SIGSYS, &action) }?;
    Ok(())
}

/// The handler of SIGSYS.
extern "C" fn note(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    /// The code of a signal that a filter has sent (SYS_SECCOMP).
    const BY_FILTER: libc::c_int = 1;
    /// What the kernel tells about a forbidden call. The C library's structure has no name for it.
    #[repr(C)]
    struct CallInfo {
        signal: libc::c_int,
        error: libc::c_int,
        code: libc::c_int,
        address: *const libc::c_void,
        call: libc::c_int,
    }
    let page = PAGE.load(Ordering::Acquire);
    // SAFETY: the kernel passes a structure of 128 bytes, of which these are the first; the page is never
    // unmapped.
    unsafe {
        let CallInfo { code, call, .. } = *info.cast();
        // A library can send itself the signal without a call.
        if let (Some(page), BY_FILTER) = (page.as_ref(), code) {
            page.store(call.cast_unsigned(), Ordering::Release);
        }
    }
    let _ = kill_process(getpid(), rustix::process::Signal::SYS);
}

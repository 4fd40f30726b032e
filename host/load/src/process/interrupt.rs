//! Interrupts by the user or the system: SIGINT (Ctrl-C), SIGTERM and SIGHUP.

use std::fs;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag::{register, register_conditional_default, register_conditional_shutdown};

/// The exit status of a program that was interrupted: 128 and the number of SIGINT, as shells use it.
const STATUS: i32 = 130;

static SEEN: AtomicBool = AtomicBool::new(false);
static TOO_LARGE: AtomicBool = AtomicBool::new(false);
static UNWATCHED: AtomicBool = AtomicBool::new(true);

/// While this value lives, the first interrupt sets a flag, and the next one ends the process at once, with
/// exit status 130. Otherwise, an interrupt ends the process as if it were not caught. Signals that were
/// ignored when the process started stay ignored, because `nohup` relies on that. There must be only one such
/// value at a time.
#[derive(Debug)]
pub struct Interrupt(());

impl Interrupt {
    /// Begins to catch interrupts.
    pub fn watch() -> Self {
        static CAUGHT: Once = Once::new();
        CAUGHT.call_once(catch);
        SEEN.store(false, Ordering::SeqCst);
        UNWATCHED.store(false, Ordering::SeqCst);
        Interrupt(())
    }

    /// The flag that is set when there was an interrupt.
    pub fn flag(&self) -> &AtomicBool {
        &SEEN
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        UNWATCHED.store(true, Ordering::SeqCst);
    }
}

/// Registers the handlers, once for the life of the process.
fn catch() {
    let ignored = ignored();
    // A file that grows beyond a limit of the user is then an error of the call that writes, and is reported.
    register(SIGXFSZ, &TOO_LARGE).expect("this signal can be caught");
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| (ignored >> (signal - 1)) & 1 == 0) {
        let expected = "these signals can be caught";
        // Handlers run in the order of their registration. The second one ends the process only if the flag
        // was set before, so it must come before the one that sets it.
        register_conditional_default(signal, &UNWATCHED).expect(expected);
        register_conditional_shutdown(signal, STATUS, &SEEN).expect(expected);
        register(signal, &SEEN).expect(expected);
    }
}

/// The signals that this process ignores, as a set of bits; the lowest is signal 1.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

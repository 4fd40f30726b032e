//! Ctrl-C and its kin: SIGINT, SIGTERM and SIGHUP.

use std::fs;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_default, register_conditional_shutdown};

/// The exit status of what was interrupted.
const STATUS: i32 = 130;

static SEEN: AtomicBool = AtomicBool::new(false);
static UNWATCHED: AtomicBool = AtomicBool::new(true);

/// While this value lives, an interrupt sets a flag, and the next one ends the process at once, with exit
/// status 130. Before and after it, one ends the process as if nothing were caught. Signals that were ignored
/// when the process started stay ignored, as `nohup` wants it. There is one such value at a time.
#[derive(Debug)]
pub struct Interrupt(());

impl Interrupt {
    /// Begins to watch.
    pub fn watch() -> Self {
        static CAUGHT: Once = Once::new();
        CAUGHT.call_once(catch);
        SEEN.store(false, Ordering::SeqCst);
        UNWATCHED.store(false, Ordering::SeqCst);
        Interrupt(())
    }

    /// Set when an interrupt was seen.
    pub fn flag(&self) -> &AtomicBool {
        &SEEN
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        UNWATCHED.store(true, Ordering::SeqCst);
    }
}

fn catch() {
    let ignored = ignored();
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| (ignored >> (signal - 1)) & 1 == 0) {
        let expected = "these signals can be caught";
        // They happen in this order.
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

//! Evicts a text from the caches, for cold searches (`--cold`).

use std::fs;
use std::hint::black_box;
use std::path::Path;

/// A way to evict a text.
pub(crate) enum Eviction {
    /// Flushes each cache line of the text from the caches of all CPUs.
    Flush,
    /// Reads other memory, twice as large as the last cache, which displaces the text. This is for CPUs on
    /// which user programs have no instruction to flush a line, or none that we know.
    Displace(Vec<u8>),
}

/// Distance of the addresses that are flushed or read, in bytes. No CPU that we know has shorter cache lines,
/// so each line gets at least one of them.
const LINE: usize = 32;

/// The size of the last cache if the system does not report it. Most CPUs have less, and reading too much
/// only takes longer.
const LARGEST_CACHE: usize = 64 << 20;

/// The folder in which the system describes the caches of a CPU.
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

impl Eviction {
    /// The way for this machine.
    pub(super) fn here() -> Self {
        if cfg!(target_arch = "x86_64") {
            Eviction::Flush
        } else {
            Eviction::displacing(largest_cache(CACHES))
        }
    }

    fn displacing(cache_bytes: Option<usize>) -> Self {
        // Not zeros: pages that were never written to are all the same page, which would displace nothing.
        Eviction::Displace(vec![1; 2 * cache_bytes.unwrap_or(LARGEST_CACHE)])
    }

    /// Evicts a text from the caches.
    pub(crate) fn evict(&self, text: &[u8]) {
        match self {
            Eviction::Flush => flush(text),
            Eviction::Displace(other) => {
                let sum = other.iter().step_by(LINE).fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
                black_box(sum);
            }
        }
    }
}

/// The size of the largest cache that a folder describes, in bytes.
fn largest_cache(folder: impl AsRef<Path>) -> Option<usize> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    entries.filter_map(|entry| parse_size(&fs::read_to_string(entry.path().join("size")).ok()?)).max()
}

/// Parses a size such as `48K` or `2M`.
fn parse_size(size: &str) -> Option<usize> {
    let (number, unit) = size.trim().split_at_checked(size.trim().len().checked_sub(1)?)?;
    let unit = match unit {
        "K" => 1 << 10,
        "M" => 1 << 20,
        _ => return None,
    };
    number.parse::<usize>().ok()?.checked_mul(unit)
}

/// Flushes each cache line of a text.
#[cfg(target_arch = "x86_64")]
fn flush(text: &[u8]) {
    use std::arch::x86_64::{_mm_clflush, _mm_mfence};

    for byte in text.iter().step_by(LINE).chain(text.last()) {
        // SAFETY: every x86-64 has the instruction, which takes the address of memory that can be read, and
        // changes no content.
        unsafe { _mm_clflush(std::ptr::from_ref(byte)) };
    }
    // SAFETY: every x86-64 has the instruction: what is read after it is read when all lines are flushed.
    unsafe { _mm_mfence() };
}

/// Never called: [`Eviction::here`] chooses another way on these CPUs.
#[cfg(not(target_arch = "x86_64"))]
fn flush(_text: &[u8]) {}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// The shortest time to read a text, right after `before` was done with it.
    fn reading(text: &[u8], before: impl Fn(&[u8])) -> Duration {
        let once = |_| {
            before(text);
            let start = Instant::now();
            black_box(text.iter().step_by(64).fold(0_u64, |sum, byte| sum + u64::from(*byte)));
            start.elapsed()
        };
        (0..20).map(once).min().expect("it was read")
    }

    #[test]
    fn the_largest_cache_is_the_one_that_counts() {
        let folder = tempfile::tempdir().unwrap();
        for (index, size) in [("index0", "48K\n"), ("index3", "2M\n"), ("index4", "?"), ("index5", "")] {
            fs::create_dir(folder.path().join(index)).unwrap();
            fs::write(folder.path().join(index).join("size"), size).unwrap();
        }
        assert_eq!(largest_cache(folder.path()), Some(2 << 20));
        assert_eq!(largest_cache(folder.path().join("nowhere")), None);
    }

    #[test]
    fn what_was_evicted_takes_longer_to_read() {
        let text = vec![7; 256 << 10];
        let warm = reading(&text, |text| {
            black_box(text.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        });
        for eviction in [Eviction::here(), Eviction::displacing(largest_cache(CACHES))] {
            let cold = reading(&text, |text| eviction.evict(text));
            assert!(cold > warm, "{cold:?} cold, {warm:?} warm");
            assert!(text.iter().all(|byte| *byte == 7));
        }
        Eviction::here().evict(&[]);
    }
}

//! No method reads a byte outside of text and pattern, with any instructions of this CPU.
//!
//! The bytes lie next to a page without the right to read, so such a read ends the process. They also lie in
//! allocations of exactly their length, where the address sanitizer finds it; `.ci/run` runs this with it.

use std::ffi::c_void;
use std::ptr;
use std::slice;

use assay_finder::Finder;
use assay_finder::cpu::Available;
use assay_finder::decision::Kind;
use assay_finder::found::{Count, Found};
use assay_finder::search::search_by;
use assay_finder::text::Bytes;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

#[path = "../src/draws.rs"]
mod draws;

use draws::Draws;

/// Bytes of the largest page that Linux uses by default.
const PAGE: usize = 1 << 16;

/// Where bytes lie in their memory.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// The first byte is the first of a page; the page before it can't be read.
    Begin,
    /// The last byte is the last of a page; the page after it can't be read.
    End,
    /// An allocation of their length.
    Heap,
}

const PLACES: [Place; 3] = [Place::Begin, Place::End, Place::Heap];

/// A page that can be read between two that can't.
struct Guarded(*mut c_void);

impl Guarded {
    fn new() -> Self {
        // SAFETY: a new mapping.
        let memory =
            unsafe { mmap_anonymous(ptr::null_mut(), 3 * PAGE, ProtFlags::empty(), MapFlags::PRIVATE) };
        let memory = memory.expect("there is room for three pages");
        let flags = MprotectFlags::READ | MprotectFlags::WRITE;
        // SAFETY: pages of this mapping.
        unsafe { mprotect(memory.byte_add(PAGE), PAGE, flags) }.expect("it is a page of ours");
        Guarded(memory)
    }

    /// Copies the bytes to one end of the page.
    fn hold(&mut self, bytes: &[u8], place: Place) -> &[u8] {
        let offset = if place == Place::End { PAGE - bytes.len() } else { 0 };
        assert!(bytes.len() <= PAGE, "more than a page");
        // SAFETY: the page between the others can be read and written, and is borrowed as long as its bytes.
        unsafe {
            let copy = self.0.byte_add(PAGE + offset).cast::<u8>();
            ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len());
            slice::from_raw_parts(copy, bytes.len())
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, whose bytes are not borrowed.
        unsafe { munmap(self.0, 3 * PAGE) }.expect("it was mapped");
    }
}

/// Memory for a text and a pattern.
struct Memory {
    text: Guarded,
    pattern: Guarded,
}

impl Memory {
    /// Searches with everything that there is for this pattern, at all places.
    fn search(&mut self, pattern: &[u8], text: &[u8]) {
        let expected = naive(pattern, text);
        for place in PLACES {
            if place == Place::Heap {
                let (pattern, text) = (Box::<[u8]>::from(pattern), Box::<[u8]>::from(text));
                search(&pattern, &text, &expected);
            } else {
                search(self.pattern.hold(pattern, place), self.text.hold(text, place), &expected);
            }
        }
    }
}

/// All positions.
#[derive(Default)]
struct All(Vec<usize>);

impl Found for All {
    const POSITIONS: bool = true;

    fn at(&mut self, position: usize) {
        self.0.push(position);
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}

/// All positions, by a comparison at each.
fn naive(pattern: &[u8], text: &[u8]) -> Vec<usize> {
    (0..(text.len() + 1).saturating_sub(pattern.len())).filter(|&s| text[s..].starts_with(pattern)).collect()
}

/// The positions that are at least `m` after the one before.
fn without_overlaps(positions: &[usize], m: usize) -> Vec<usize> {
    let mut end = 0;
    let apart = positions.iter().filter(|position| {
        let apart = **position >= end;
        if apart {
            end = **position + m;
        }
        apart
    });
    apart.copied().collect()
}

fn search(pattern: &[u8], text: &[u8], expected: &[usize]) {
    for available in Available::all() {
        let instructions = available.get();
        let what = || format!("{} in {} bytes with {}", pattern.len(), text.len(), instructions.name());
        for kind in Kind::ALL {
            let has_instructions = instructions >= kind.instructions();
            if kind.takes(pattern.len()) && has_instructions {
                let (mut all, mut count) = (All::default(), Count::default());
                search_by(kind, pattern, Bytes(text), available, &mut all);
                search_by(kind, pattern, Bytes(text), available, &mut count);
                assert_eq!(all.0, expected, "{kind:?}: {}", what());
                assert_eq!(count.0, expected.len() as u64, "{kind:?} counts: {}", what());
            }
        }
        let finder = Finder::new(pattern).with_instructions(instructions);
        assert_eq!(finder.find(text), expected.first().copied(), "find: {}", what());
        assert_eq!(finder.rfind(text), expected.last().copied(), "rfind: {}", what());
        assert_eq!(finder.count(text), expected.len() as u64, "count: {}", what());
        let positions: Vec<usize> = finder.find_iter(text).collect();
        assert_eq!(positions, without_overlaps(expected, pattern.len()), "find_iter: {}", what());
    }
}

#[test]
fn no_method_reads_outside_of_text_and_pattern() {
    /// Patterns up to the longest q-grams, in texts of every length up to a few registers and around the
    /// sizes of blocks, samples and pages.
    const PATTERNS: [usize; 16] = [1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 33, 48, 65, 130, 400, 2001];
    let blocks =
        [192, 256, 512, 576, 1024, 2048, 3072, 4096, 16384].into_iter().flat_map(|n| [n - 1, n, n + 1]);
    let lengths: Vec<usize> = (1..140).chain(blocks).collect();
    let mut memory = Memory { text: Guarded::new(), pattern: Guarded::new() };
    let mut draws = Draws(3);
    for &n in &lengths {
        for m in PATTERNS.into_iter().filter(|m| *m <= n) {
            let letters = [1, 2, 4, 256][draws.below(4)];
            let text: Vec<u8> = (0..n).map(|_| draws.below(letters) as u8 ^ b'a').collect();
            // From the end or the beginning of the text, where reads come closest to what lies around it.
            let begin = [0, n - m][draws.below(2)];
            let mut pattern = text[begin..begin + m].to_vec();
            if draws.below(4) == 0 {
                pattern[draws.below(m)] ^= 1;
            }
            memory.search(&pattern, &text);
        }
    }
    // A text as long as its pattern, and one that is shorter.
    for m in PATTERNS {
        let pattern: Vec<u8> = (0..m).map(|_| draws.below(3) as u8).collect();
        memory.search(&pattern, &pattern);
        memory.search(&pattern, &pattern[..m - 1]);
    }
}

/// What `/proc/self/maps` says of the page of an address, such as `rw-p`.
fn permissions(address: *const u8) -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has this file");
    let holds = |line: &&str| {
        let (begin, end) = line.split(' ').next().and_then(|range| range.split_once('-')).expect("a range");
        let number = |digits| usize::from_str_radix(digits, 16).expect("hexadecimal digits");
        (number(begin)..number(end)).contains(&address.addr())
    };
    let line = maps.lines().find(holds).expect("the address is mapped");
    line.split(' ').nth(1).expect("permissions follow the range").to_owned()
}

#[test]
fn the_pages_around_a_text_can_not_be_read() {
    let mut guarded = Guarded::new();
    let text = guarded.hold(b"text", Place::End).as_ptr_range();
    assert_eq!([permissions(text.start), permissions(text.end)], ["rw-p", "---p"]);
    let text = guarded.hold(b"text", Place::Begin).as_ptr_range();
    assert_eq!([permissions(text.start.wrapping_sub(1)), permissions(text.start)], ["---p", "rw-p"]);
}

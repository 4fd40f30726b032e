//! Text and pattern as an algorithm sees them: every read goes through a view, which reports it to the probe.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;

use crate::probe::Probe;

/// The text of a search: `len()` bytes, and after them as much slack as the algorithm declared in its
/// [`Needs`](crate::Needs). There is no terminator, and no byte after the slack may be touched.
#[derive(Clone, Copy)]
pub struct Text<'a, P> {
    start: *mut u8,
    len: usize,
    limit: usize,
    writable: bool,
    probe: P,
    bytes: PhantomData<&'a [Cell<u8>]>,
}

impl<'a, P: Probe> Text<'a, P> {
    /// A text without slack.
    pub fn new(bytes: &'a [u8], probe: P) -> Self {
        Text {
            start: bytes.as_ptr().cast_mut(),
            len: bytes.len(),
            limit: bytes.len(),
            writable: false,
            probe,
            bytes: PhantomData,
        }
    }

    /// A text of `len` bytes with `slack` bytes after it, which are `writable` if the algorithm has declared
    /// that it writes them ([`Needs::writes_slack`](crate::Needs)).
    ///
    /// # Safety
    /// `start` must be good for reads of `len + slack` bytes as long as `'a` lasts, and nothing may
    /// write to them meanwhile. If the slack is writable, the last `slack` bytes must be good for writes too,
    /// and nothing else may touch them.
    pub unsafe fn with_slack(start: *mut u8, len: usize, slack: usize, writable: bool, probe: P) -> Self {
        Text { start, len, limit: len + slack, writable, probe, bytes: PhantomData }
    }

    /// Length of the text in bytes, without the slack.
    #[inline(always)]
    #[expect(
        clippy::len_without_is_empty,
        reason = "a text is never shorter than the pattern, which is not empty"
    )]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The address of the first byte modulo 64. Vector code that begins at a multiple of its width reads no two
    /// cache lines at once.
    #[inline(always)]
    pub fn misalignment(&self) -> usize {
        self.start.addr() % 64
    }

    /// Says that the byte at `index` will be read soon, wherever that lies. Nothing is read or counted.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint, which may name any address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.start.wrapping_add(index).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// Reads the byte at `index`, of the text or of the slack.
    ///
    /// # Panics
    /// If `index` lies beyond both.
    #[inline(always)]
    #[track_caller]
    pub fn at(&self, index: usize) -> u8 {
        // Compilers can prove that the index is below `len`, and remove the whole check then.
        if index >= self.len && index >= self.limit {
            self.outside("read", index, 1);
        }
        self.probe.reads_text(index, 1);
        // SAFETY: index < len + slack = limit, and the constructors' callers answer for those bytes.
        unsafe { *self.start.add(index) }
    }

    /// Reads the byte at `index`. The timed reading does not check it; the other two do.
    ///
    /// # Safety
    /// `index` must lie within the text or its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn at_unchecked(&self, index: usize) -> u8 {
        if P::CHECKS && index >= self.limit {
            self.outside("read", index, 1);
        }
        self.probe.reads_text(index, 1);
        // SAFETY: the caller's promise.
        unsafe { *self.start.add(index) }
    }

    /// Reads `N` bytes from `index` on, as vector code and q-grams do; all `N` are counted.
    ///
    /// # Panics
    /// If they don't lie within the text and its slack.
    #[inline(always)]
    #[track_caller]
    pub fn block<const N: usize>(&self, index: usize) -> [u8; N] {
        if index > self.limit || self.limit - index < N {
            self.outside("read", index, N);
        }
        self.probe.reads_text(index, N);
        // SAFETY: index + N <= limit, and an array of bytes has no alignment to keep.
        unsafe { self.start.add(index).cast::<[u8; N]>().read() }
    }

    /// Reads `N` bytes from `index` on. The timed reading does not check them; the other two do.
    ///
    /// # Safety
    /// All of them must lie within the text and its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn block_unchecked<const N: usize>(&self, index: usize) -> [u8; N] {
        if P::CHECKS {
            return self.block(index);
        }
        self.probe.reads_text(index, N);
        // SAFETY: the caller's promise; an array of bytes has no alignment to keep.
        unsafe { self.start.add(index).cast::<[u8; N]>().read() }
    }

    /// Reads a q-gram: the `N` bytes from `index` on, at most eight, as a number whose lowest byte is the
    /// first. A [block](Text::block_unchecked) of 3, 5, 6 or 7 bytes would be read byte by byte, so this
    /// takes two reads that overlap.
    ///
    /// # Safety
    /// All of them must lie within the text and its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn gram_unchecked<const N: usize>(&self, index: usize) -> u64 {
        const { assert!(N >= 1 && N <= 8, "a q-gram has from one to eight bytes") };
        if P::CHECKS {
            return self
                .block::<N>(index)
                .iter()
                .rev()
                .fold(0, |number, &byte| number << 8 | u64::from(byte));
        }
        self.probe.reads_text(index, N);
        let two = |i: usize| {
            // SAFETY: the caller's promise, because i + 2 is at most N; an unaligned read needs no alignment.
            let bytes = unsafe { self.start.add(index + i).cast::<[u8; 2]>().read() };
            u64::from(u16::from_le_bytes(bytes))
        };
        let four = |i: usize| {
            // SAFETY: the same, of four bytes.
            let bytes = unsafe { self.start.add(index + i).cast::<[u8; 4]>().read() };
            u64::from(u32::from_le_bytes(bytes))
        };
        match N {
            // SAFETY: the caller's promise.
            1 => u64::from(unsafe { *self.start.add(index) }),
            2..4 => two(0) | two(N - 2) << (8 * (N - 2)),
            _ => four(0) | four(N - 4) << (8 * (N - 4)),
        }
    }

    /// The bytes of the text, without the slack, for somebody else's code.
    ///
    /// # Panics
    /// In the reading that counts: an algorithm that calls this is not
    /// [instrumented](crate::Algorithm::INSTRUMENTED).
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        given_away::<P>("text");
        // SAFETY: the constructors' callers answer for the text's bytes as long as `'a` lasts; only slack is
        // written to.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    /// Writes a byte of the slack, for algorithms that put a sentinel after the text.
    ///
    /// # Panics
    /// If `index` lies in the text or beyond the slack, or if the algorithm has not declared that it writes
    /// there.
    #[inline(always)]
    #[track_caller]
    pub fn set_slack(&self, index: usize, byte: u8) {
        assert!(self.writable, "write at text offset {index}: Needs::writes_slack is not declared");
        if index < self.len || index >= self.limit {
            self.outside("write", index, 1);
        }
        // SAFETY: len <= index < limit, and `with_slack` was given bytes that may be written: no other text
        // is writable.
        unsafe { *self.start.add(index) = byte }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside(&self, what: &str, index: usize, bytes: usize) -> ! {
        panic!(
            "{what} of {bytes} byte(s) at text offset {index}: the text has {} bytes, then {} of slack",
            self.len,
            self.limit - self.len
        );
    }
}

/// The pattern of a search. It has no terminator.
#[derive(Clone, Copy)]
pub struct Pattern<'a, P> {
    pub(crate) bytes: &'a [u8],
    pub(crate) probe: P,
}

impl<'a, P: Probe> Pattern<'a, P> {
    /// A view of the pattern's bytes.
    ///
    /// # Panics
    /// If there are none.
    #[inline(always)]
    pub fn new(bytes: &'a [u8], probe: P) -> Self {
        assert!(!bytes.is_empty(), "an empty pattern");
        Pattern { bytes, probe }
    }

    /// Length of the pattern in bytes; at least 1.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "a pattern is never empty")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of the pattern, for somebody else's code.
    ///
    /// # Panics
    /// As [`Text::bytes`] does.
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        given_away::<P>("pattern");
        self.bytes
    }

    /// Reads the byte at `index`.
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline(always)]
    #[track_caller]
    pub fn at(&self, index: usize) -> u8 {
        self.probe.reads_pattern(Some(index));
        self.bytes[index]
    }

    /// Whether the pattern's characters in `part` are those of the window at `s`, compared from left to right
    /// until two differ. It is counted as a loop: two reads and a branch for each comparison, a branch at the
    /// end of the part, a write before the loop and one for each character that matched, and a verification.
    /// A part that ends before it begins has no characters to compare.
    ///
    /// # Panics
    /// If the part or the window reaches beyond pattern or text.
    #[inline(always)]
    #[track_caller]
    pub fn occurs(&self, text: Text<P>, s: usize, part: Range<usize>) -> bool {
        let Range { start: mut i, end } = part;
        if end > self.len() || s > text.limit || end > text.limit - s {
            text.outside("read", s, end);
        }
        self.probe.writes(1);
        // SAFETY: i < end, and the window's first `end` bytes and those of the pattern were found to be
        // there.
        while self.probe.branch(i < end && unsafe { self.at_unchecked(i) == text.at_unchecked(s + i) }) {
            i += 1;
            self.probe.writes(1);
        }
        self.probe.verify(i >= end)
    }

    /// Reads the byte at `index`. The timed reading does not check it; the other two do.
    ///
    /// # Safety
    /// `index` must be below the length.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn at_unchecked(&self, index: usize) -> u8 {
        if P::CHECKS {
            return self.at(index);
        }
        self.probe.reads_pattern(Some(index));
        // SAFETY: the caller's promise.
        unsafe { *self.bytes.get_unchecked(index) }
    }
}

/// Reads of bytes that were handed to other code cannot be counted.
#[inline(always)]
#[track_caller]
fn given_away<P: Probe>(what: &str) {
    assert!(!P::COUNTS, "what is read of the bytes of the {what} can't be counted: say INSTRUMENTED = false");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checked, Counters, Counting, Field, Off};

    fn message(read: impl FnOnce() + std::panic::UnwindSafe) -> String {
        *std::panic::catch_unwind(read).unwrap_err().downcast::<String>().unwrap()
    }

    #[test]
    fn a_read_outside_is_reported_with_its_offset() {
        assert!(
            message(|| {
                Text::new(b"abc", Off).at(3);
            })
            .contains("offset 3: the text has 3 bytes")
        );
        assert!(
            message(|| {
                Text::new(b"abc", Off).block::<2>(2);
            })
            .contains("2 byte(s) at text offset 2")
        );
        let read = || {
            let text = Text::new(b"abc", Checked);
            // SAFETY: the checked reading refuses what is out of bounds before it touches memory.
            unsafe { text.at_unchecked(9) };
        };
        assert!(message(read).contains("offset 9"));
        let read = || {
            let text = Text::new(b"abc", Checked);
            // SAFETY: as above.
            unsafe { text.block_unchecked::<4>(0) };
        };
        assert!(message(read).contains("4 byte(s) at text offset 0"));
    }

    #[test]
    fn a_q_gram_is_a_number_of_its_bytes_in_all_readings() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        fn all<P: Probe>(text: Text<P>) -> [u64; 8] {
            // SAFETY: the text has nine bytes.
            unsafe {
                [
                    text.gram_unchecked::<1>(1),
                    text.gram_unchecked::<2>(1),
                    text.gram_unchecked::<3>(1),
                    text.gram_unchecked::<4>(1),
                    text.gram_unchecked::<5>(1),
                    text.gram_unchecked::<6>(1),
                    text.gram_unchecked::<7>(1),
                    text.gram_unchecked::<8>(1),
                ]
            }
        }
        let expected = std::array::from_fn(|q| 0x0908_0706_0504_0302 & (u64::MAX >> (56 - 8 * q)));
        let counters = Counters::default();
        assert_eq!(all(Text::new(&bytes, Off)), expected);
        assert_eq!(all(Text::new(&bytes, Counting::new(&counters))), expected);
        assert_eq!(counters.get(Field::TextBytesRead), (1..=8).sum::<u64>());
    }

    #[test]
    fn slack_can_be_read_and_written_and_the_text_cannot() {
        let mut memory = *b"abcd..";
        // SAFETY: the array outlives the view, and nothing else touches it meanwhile.
        let text = unsafe { Text::with_slack(memory.as_mut_ptr(), 4, 2, true, Off) };
        text.set_slack(5, b'x');
        assert_eq!((text.len(), text.at(4), text.at(5)), (4, b'.', b'x'));
        let start = memory.as_mut_ptr().expose_provenance();
        let write = move |index| {
            // SAFETY: as above.
            let text =
                unsafe { Text::with_slack(std::ptr::with_exposed_provenance_mut(start), 4, 2, true, Off) };
            text.set_slack(index, 0);
        };
        assert!(message(move || write(3)).contains("write of 1 byte(s) at text offset 3"));
        assert!(message(move || write(6)).contains("offset 6"));
    }

    #[test]
    fn slack_that_is_not_declared_writable_can_only_be_read() {
        let start = [0_u8; 6].as_mut_ptr().expose_provenance();
        let write = move || {
            // SAFETY: the view refuses to write before it touches memory.
            let text =
                unsafe { Text::with_slack(std::ptr::with_exposed_provenance_mut(start), 4, 2, false, Off) };
            text.set_slack(5, 0);
        };
        assert!(message(write).contains("writes_slack is not declared"));
    }

    #[test]
    fn a_window_is_compared_and_counted_as_the_loop_that_it_is() {
        // Part of the pattern, and text whose window at 1 it is compared with; whether it occurs; bytes of
        // each, writes and branches.
        let cases = [
            (0..3, "xabc", true, [3, 4, 5]),
            (0..3, "xabx", false, [3, 3, 4]),
            (1..2, "xabx", true, [1, 2, 3]),
            (0..3, "xxxx", false, [1, 1, 2]),
            (3..3, "xxxx", true, [0, 1, 2]),
        ];
        for (part, text, occurs, [read, writes, branches]) in cases {
            let counters = Counters::default();
            let probe = Counting::new(&counters);
            let (pattern, view) = (Pattern::new(b"abc", probe), Text::new(text.as_bytes(), probe));
            assert_eq!(pattern.occurs(view, 1, part.clone()), occurs, "{part:?} in {text}");
            let fields = [Field::TextBytesRead, Field::PatternBytesRead, Field::Writes, Field::Branches];
            let counted = fields.map(|field| counters.get(field));
            assert_eq!(counted, [read, read, writes, branches], "{part:?} in {text}");
            assert_eq!(counters.get(Field::Verifications), 1);
        }
        let outside = || {
            Pattern::new(b"abc", Off).occurs(Text::new(b"abab", Off), 2, 0..3);
        };
        assert!(message(outside).contains("3 byte(s) at text offset 2"));
    }

    #[test]
    fn foreign_code_gets_the_bytes_without_the_slack_if_nothing_is_counted() {
        // SAFETY: the array outlives the view, and nothing else touches it meanwhile.
        let text = unsafe { Text::with_slack(b"abc..".as_ptr().cast_mut(), 3, 2, false, Off) };
        assert_eq!((text.bytes(), Pattern::new(b"ab", Checked).bytes()), (&b"abc"[..], &b"ab"[..]));
        let counters = std::panic::AssertUnwindSafe(Counters::default());
        let counted = || {
            Text::new(b"abc", Counting::new(&{ counters }.0)).bytes();
        };
        assert!(message(counted).contains("INSTRUMENTED = false"));
    }

    #[test]
    fn every_read_is_counted() {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let (text, pattern) = (Text::new(b"abcdef", probe), Pattern::new(b"ab", probe));
        text.at(0);
        text.block::<4>(2);
        pattern.at(1);
        assert_eq!(counters.get(Field::TextBytesRead), 5);
        assert_eq!(counters.get(Field::PatternBytesRead), 1);
    }

    #[test]
    fn the_last_bytes_of_text_and_slack_can_be_read_in_every_reading() {
        fn read<P: Probe>(probe: P) {
            let memory = b"abcd..xx";
            // SAFETY: the bytes are a constant, which is never written to; the slack is not writable.
            let text = unsafe { Text::with_slack(memory.as_ptr().cast_mut(), 4, 2, false, probe) };
            assert_eq!(
                (text.at(3), text.at(5), text.block::<2>(4), text.block::<6>(0)),
                (b'd', b'.', *b"..", *b"abcd..")
            );
            // SAFETY: five and four and two lie within the six bytes of text and slack.
            unsafe {
                assert_eq!((text.at_unchecked(5), text.block_unchecked::<2>(4)), (b'.', *b".."));
            }
            assert_eq!(text.block::<0>(6), []);
            let pattern = Pattern::new(b"ab", probe);
            assert_eq!((pattern.len(), pattern.at(1)), (2, b'b'));
            // SAFETY: the pattern has two bytes.
            assert_eq!(unsafe { pattern.at_unchecked(1) }, b'b');
            assert!(pattern.occurs(text, 0, 0..2) && !pattern.occurs(text, 4, 0..2));
        }
        read(Off);
        read(Checked);
        let counters = Counters::default();
        read(Counting::new(&counters));
        // One by one: 1 + 1 + 2 + 6 + 1 + 2 and none, then 2 and 1 compared; of the pattern 2, then as many.
        assert_eq!([Field::TextBytesRead, Field::PatternBytesRead].map(|field| counters.get(field)), [16, 5]);
    }

    #[test]
    fn a_read_or_window_beyond_the_slack_is_reported_with_both_lengths() {
        let start = b"abcd..".as_ptr().expose_provenance();
        // SAFETY: the bytes are a constant; the slack is not writable.
        let text = move || unsafe {
            Text::with_slack(std::ptr::with_exposed_provenance_mut(start), 4, 2, false, Off)
        };
        let said = "read of 1 byte(s) at text offset 6: the text has 4 bytes, then 2 of slack";
        assert_eq!(message(move || _ = text().at(6)), said);
        let block = move |index| message(move || _ = text().block::<3>(index));
        assert!(block(4).contains("3 byte(s) at text offset 4") && block(7).contains("offset 7"));
        let window = move |s, part| message(move || _ = Pattern::new(b"abc", Off).occurs(text(), s, part));
        assert!(
            window(7, 0..0).contains("offset 7") && window(4, 0..3).contains("3 byte(s) at text offset 4")
        );
        assert!(window(0, 0..4).contains("4 byte(s)"), "the pattern has three");
    }
}

//! The function of a library for SMART: how it is called, and what memory it is promised.

use std::ffi::{CStr, c_int, c_void};
use std::io;
use std::sync::Mutex;

use crate::plugin::GuardedPages;

/// The function by which a library is called, in one of the two forms that SMART has had.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SmartForm {
    /// `internal_search(pattern, m, text, n, &preparation_ms, &search_ms, &figures, &names)`.
    Current(CurrentFunction),
    /// The older `search(pattern, m, text, n)`. Two variables of the library point to the places for its
    /// times.
    Older { search: OlderFunction, times: [*mut TimePointer; 2] },
}

type CurrentFunction = unsafe extern "C" fn(
    BytePointer,
    c_int,
    BytePointer,
    c_int,
    TimePointer,
    TimePointer,
    *mut FigureOutput,
    *mut NameOutput,
) -> c_int;
type OlderFunction = unsafe extern "C" fn(BytePointer, c_int, BytePointer, c_int) -> c_int;

type BytePointer = *mut u8;
type TimePointer = *mut f64;

impl SmartForm {
    /// The function of a library with these symbols; `None` if the library is not for SMART.
    ///
    /// # Safety
    /// A library with the symbols of SMART must be made for SMART, and must never be unloaded.
    pub(crate) unsafe fn from_symbols(symbol: &dyn Fn(&str) -> Option<*const c_void>) -> Option<SmartForm> {
        if let Some(function) = symbol("internal_search") {
            // SAFETY: the caller's promise; C has no other way to say which type a function has.
            return Some(SmartForm::Current(unsafe {
                std::mem::transmute::<*const c_void, CurrentFunction>(function)
            }));
        }
        let search = symbol("search")?;
        let [timer, prepare, run] = ["_timer", "pre_time", "run_time"].map(symbol);
        let times = [prepare?, run?].map(|place| place.cast_mut().cast::<TimePointer>());
        // The clock of the library keeps a few numbers in memory that SMART's main program used to allocate.
        let memory: &mut [u64; 64] = Box::leak(Box::new([0; 64]));
        // SAFETY: the caller's promise: it is the library's variable, an address.
        unsafe { timer?.cast_mut().cast::<*mut u64>().write(memory.as_mut_ptr()) };
        Some(SmartForm::Older {
            // SAFETY: as above.
            search: unsafe { std::mem::transmute::<*const c_void, OlderFunction>(search) },
            times,
        })
    }
}

impl SmartForm {
    /// The address of the function.
    pub(crate) fn address(&self) -> usize {
        match *self {
            SmartForm::Current(search) => search as usize,
            SmartForm::Older { search, .. } => search as usize,
        }
    }
}

/// The answer of a function that can't search this text for this pattern. Other negative numbers are errors.
const CANNOT_SEARCH: c_int = -1;

/// Number of figures in SMART's order: first the standard measurements, then those of the extra fields.
const FIGURES: usize = 17;
/// Number of extra fields.
pub(super) const EXTRA: usize = 6;
/// Number of standard measurements.
pub(crate) const STANDARD: usize = FIGURES - EXTRA;
/// Room for the name of an extra field, with its terminator.
const NAME: usize = 11;

/// The figures of a search, in SMART's order.
pub(super) type FigureOutput = GuardedOutput<[i64; FIGURES]>;
/// The names of the extra fields, each ended by a 0.
pub(super) type NameOutput = GuardedOutput<[[u8; NAME]; EXTRA]>;

/// Memory to which a function writes, aligned as in SMART. After it are bytes that must not change. A library
/// that was built for more figures or names changes them, and is noticed.
#[repr(C, align(16))]
#[derive(Debug)]
pub(crate) struct GuardedOutput<T> {
    value: T,
    guard: [u8; GUARD],
}

/// Number of these bytes.
const GUARD: usize = 256;
const UNTOUCHED: [u8; GUARD] = [0xa5; GUARD];

/// Everything that a search writes in addition to its answer.
#[derive(Debug)]
pub(super) struct SearchOutput {
    figures: FigureOutput,
    names: NameOutput,
    prepare_ms: f64,
    search_ms: f64,
}

impl SearchOutput {
    /// The output before a search. The times are NaN, which remains where the library takes none.
    pub(super) const NOTHING: SearchOutput = SearchOutput {
        figures: GuardedOutput { value: [0; FIGURES], guard: UNTOUCHED },
        names: GuardedOutput { value: [[0; NAME]; EXTRA], guard: UNTOUCHED },
        prepare_ms: f64::NAN,
        search_ms: f64::NAN,
    };

    /// A figure by its index: the standard measurements first, then the extra fields. A negative figure is
    /// missing, because no event happens less than 0 times.
    pub(super) fn figure(&self, index: usize) -> Option<u64> {
        u64::try_from(self.figures.value[index]).ok()
    }

    /// The names of the extra fields. A field that is not used has an empty one.
    pub(super) fn names(&self) -> [String; EXTRA] {
        self.names.value.map(|name| {
            let name = CStr::from_bytes_until_nul(&name).map_or(&name[..], CStr::to_bytes);
            String::from_utf8_lossy(name).into_owned()
        })
    }

    /// The times of preparation and search in nanoseconds, as the library took them; NaN for a time that it
    /// did not take.
    pub(crate) fn times_ns(&self) -> [f64; 2] {
        [self.prepare_ms, self.search_ms].map(|ms| if ms >= 0.0 { (ms * 1e6).round() } else { f64::NAN })
    }
}

/// The failure of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SearchFailure {
    /// The function is not made for this pattern or text.
    CannotSearch(String),
    /// The function reported an error, or broke a rule.
    Error(String),
}

/// A pattern as a function gets it: in writable memory, with zeros around it that the function may read and
/// write. One end of the memory is right where the zeros end, so that an access beyond them crashes: after
/// patterns of an even length, and before those of an odd one. Few mistakes depend on the parity, so most are
/// found.
#[derive(Debug)]
pub(super) struct PatternBuffer {
    room: Option<GuardedPages>,
    /// The place in the memory at which the pattern begins.
    start: usize,
    length: usize,
}

impl PatternBuffer {
    /// Number of zeros before and after the pattern. SMART promises one after it, but some algorithms use
    /// more.
    const ROOM: usize = 64;

    /// A buffer without a pattern.
    pub(super) const EMPTY: PatternBuffer = PatternBuffer { room: None, start: 0, length: 0 };

    /// Replaces the pattern.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub(super) fn set(&mut self, pattern: &[u8]) -> io::Result<()> {
        let length = pattern.len();
        let needed = Self::ROOM + length + Self::ROOM + ALIGNMENT;
        let room = match self.room.take().filter(|room| room.size() >= needed) {
            Some(room) => room,
            None => GuardedPages::new(needed)?,
        };
        let room = self.room.insert(room);
        let last = room.size() - Self::ROOM - length;
        self.start = if length.is_multiple_of(2) { last - last % ALIGNMENT } else { Self::ROOM };
        let (before, rest) = room.bytes().split_at_mut(self.start);
        let (place, after) = rest.split_at_mut(length);
        before[self.start - Self::ROOM..].fill(0);
        place.copy_from_slice(pattern);
        let zeros = after.len().min(Self::ROOM + ALIGNMENT);
        after[..zeros].fill(0);
        self.length = length;
        Ok(())
    }

    fn start(&mut self) -> *mut u8 {
        self.room.as_ref().map_or(std::ptr::null_mut(), |room| room.first().wrapping_add(self.start))
    }
}

/// The text of a search, as the `RawText` of the ABI has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPointer {
    /// First byte.
    pub start: *mut u8,
    /// Number of bytes.
    pub length: usize,
}

/// Number of bytes before the text that may be read.
pub(super) const BEFORE: usize = 64;
/// Number of bytes after the text that may be read and written, for a pattern of this length.
pub(super) const fn after(pattern_length: usize) -> usize {
    pattern_length.saturating_mul(2).saturating_add(1024)
}
/// Alignment of the text and of the pattern. Two algorithms of SMART load whole blocks of 16 bytes.
pub(crate) const ALIGNMENT: usize = 16;
/// Greatest length of a text. The function takes lengths as `int` and adds to them, for example the room
/// after the text; half of the range is left for such sums.
const MAX_LENGTH: c_int = c_int::MAX / 2;
/// Greatest length of a pattern: twice its length, which is the room after the text, is at most half of that
/// of a text.
pub(crate) const MAX_PATTERN: usize = MAX_LENGTH as usize / 4;

/// The function of a library, with a lock: the library keeps its state in global variables, so it can do one
/// search at a time.
#[derive(Debug)]
pub(super) struct SmartFunction {
    form: SmartForm,
    turn: Mutex<()>,
}

impl SmartFunction {
    /// The function that a library has.
    pub(super) fn new(form: SmartForm) -> Self {
        SmartFunction { form, turn: Mutex::new(()) }
    }

    /// Searches a text for a pattern no longer than it.
    ///
    /// # Safety
    /// The text must be aligned to [`ALIGNMENT`] and valid for reads, with [`BEFORE`] bytes before it and as
    /// many after it as [`after`] says. Those after it must also be valid for writes, and nothing else may
    /// access them meanwhile.
    pub(super) unsafe fn count(
        &self,
        pattern: &mut PatternBuffer,
        text: TextPointer,
        written: &mut SearchOutput,
    ) -> Result<u64, SearchFailure> {
        let lengths = [pattern.length, text.length].map(|length| c_int::try_from(length).ok());
        let [Some(m), Some(n @ ..=MAX_LENGTH)] = lengths else {
            return Err(SearchFailure::CannotSearch(format!("it takes texts of {MAX_LENGTH} bytes or less")));
        };
        let SearchOutput { figures, names, prepare_ms, search_ms } = written;
        (figures.value, *prepare_ms, *search_ms) = ([0; FIGURES], f64::NAN, f64::NAN);
        let start = pattern.start();
        let turn = self.turn.lock();
        // SAFETY: the function is of this type; pattern and text lie in memory as it is promised, figures and
        // names have more room than it fills, and no other thread is in the library.
        let answer = unsafe {
            match self.form {
                SmartForm::Current(search) => {
                    search(start, m, text.start, n, prepare_ms, search_ms, figures, names)
                }
                SmartForm::Older { search, times: [prepare, run] } => {
                    (*prepare, *run) = (prepare_ms, search_ms);
                    search(start, m, text.start, n)
                }
            }
        };
        drop(turn);
        if figures.guard != UNTOUCHED || names.guard != UNTOUCHED {
            *written = SearchOutput::NOTHING;
            return Err(SearchFailure::Error(
                "it wrote more figures or names than SMART's form has room for".to_owned(),
            ));
        }
        match answer {
            CANNOT_SEARCH => {
                Err(SearchFailure::CannotSearch("it is not made for this pattern or text".to_owned()))
            }
            answer => u64::try_from(answer)
                .map_err(|_| SearchFailure::Error(format!("it reports an error, the number {answer}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_around_a_pattern_is_zero_again_for_each_and_the_memory_ends_with_that() {
        let mut pattern = PatternBuffer::EMPTY;
        for bytes in [&b"a long pattern"[..], b"ab", b"another", &[7; 5000], &[8; 4096], &[9; 4095]] {
            pattern.set(bytes).unwrap();
            assert!(pattern.start().addr().is_multiple_of(ALIGNMENT));
            let start = pattern.start;
            let memory = pattern.room.as_mut().unwrap().bytes();
            let after = start + bytes.len();
            let is_zero = |range: &[u8]| range.iter().all(|&byte| byte == 0);
            assert!(is_zero(&memory[start - PatternBuffer::ROOM..start]));
            assert!(is_zero(&memory[after..after + PatternBuffer::ROOM]));
            assert_eq!(&memory[start..after], bytes);
            match bytes.len() % 2 {
                0 => assert!(memory.len() - after - PatternBuffer::ROOM < ALIGNMENT),
                _ => assert_eq!(start, PatternBuffer::ROOM),
            }
            memory.fill(b'x');
        }
    }

    #[test]
    fn times_become_nanoseconds_and_what_is_no_time_is_none() {
        let times = |prepare_ms, search_ms| {
            SearchOutput { prepare_ms, search_ms, ..SearchOutput::NOTHING }.times_ns()
        };
        assert_eq!(times(0.0, 1.25), [0.0, 1_250_000.0]);
        assert!(times(f64::NAN, -1.0).iter().all(|time| time.is_nan()));
        assert!(times(f64::INFINITY, 0.0)[0].is_infinite());
    }

    #[test]
    fn a_name_without_an_end_has_all_its_bytes_and_a_figure_below_0_is_none() {
        let mut written = SearchOutput::NOTHING;
        written.names.value[0] = *b"eleven byte";
        written.names.value[2][..5].copy_from_slice(b"#long");
        (written.figures.value[0], written.figures.value[16]) = (7, -1);
        assert_eq!(written.names(), ["eleven byte", "", "#long", "", "", ""]);
        assert_eq!([0, 1, 16].map(|i| written.figure(i)), [Some(7), Some(0), None]);
    }
}

//! An algorithm at work: the safe side of its plain C functions.

use std::ffi::c_void;
use std::marker::PhantomData;

use assay_plugin_api::abi::algorithm::{
    Calls, Entry, RawHints, RawMeasurements, RawNeeds, RawPattern, RawText,
};
use assay_plugin_api::abi::{Address, Status};
use assay_plugin_api::{Hints, Measurements};

/// A searcher of one algorithm, whatever dialect its library speaks. It is prepared for a pattern, then searches for it.
#[derive(Debug)]
pub struct Searcher {
    calls: Calls,
    context: Address,
    handle: *mut c_void,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The algorithm is not made for this pattern or text.
    CannotSearch(String),
    /// Something went wrong in it.
    Error(String),
    /// It panicked: what it left behind in the searcher is not to be trusted.
    Panicked(String),
}

/// A text in memory: its bytes and, after them, slack that algorithms may touch.
#[derive(Clone, Copy, Debug)]
pub struct TextMemory<'a> {
    start: *mut u8,
    length: usize,
    slack: usize,
    memory: PhantomData<&'a [u8]>,
}

impl TextMemory<'_> {
    /// Describes a text of `length` bytes with `slack` bytes after it.
    ///
    /// # Safety
    /// `start` must be good for reads of all `length + slack` bytes, and for writes to the slack, as long as the value's
    /// lifetime; nobody else may touch the slack meanwhile, and nobody may write to the text.
    pub unsafe fn new(start: *mut u8, length: usize, slack: usize) -> Self {
        TextMemory { start, length, slack, memory: PhantomData }
    }

    /// The text's bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: promised to `new`.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }

    fn raw(&self) -> RawText {
        let (start, length, slack) = (self.start, self.length, self.slack);
        RawText { size: size_of::<RawText>(), start, length, before: 0, slack }
    }
}

impl Searcher {
    /// Makes a searcher.
    ///
    /// # Errors
    /// If the algorithm can't make one.
    pub fn new(algorithm: &Entry) -> Result<Self, Failure> {
        let (calls, context) = algorithm.calls();
        // SAFETY: the context belongs to the functions.
        let handle = unsafe { (calls.create)(context.pointer()) };
        if handle.is_null() {
            return Err(Failure::Error("it could not make a searcher".to_owned()));
        }
        Ok(Searcher { calls, context, handle })
    }

    /// What the algorithm needs for a pattern of this length.
    pub fn needs(&self, pattern_length: usize) -> RawNeeds {
        let mut needs = RawNeeds::NOTHING;
        // SAFETY: the context belongs to the functions, and the struct begins with its size.
        unsafe { (self.calls.needs)(self.context.pointer(), pattern_length, &mut needs) };
        needs
    }

    /// Whether the algorithm takes a pattern and a text of these lengths at all.
    ///
    /// # Errors
    /// [`Failure::CannotSearch`] with the limit that is not kept.
    pub fn accepts(&self, pattern_length: usize, text_length: usize) -> Result<(), Failure> {
        let needs = self.needs(pattern_length);
        let refuse = |limit: String| Err(Failure::CannotSearch(limit));
        if pattern_length < needs.least_pattern {
            return refuse(format!("it takes patterns of {} bytes or more", needs.least_pattern));
        }
        if pattern_length > needs.greatest_pattern {
            return refuse(format!("it takes patterns of {} bytes or less", needs.greatest_pattern));
        }
        if pattern_length <= text_length && text_length < needs.least_text {
            return refuse(format!("it takes texts of {} bytes or more for this pattern", needs.least_text));
        }
        Ok(())
    }

    /// Prepares for a pattern.
    ///
    /// # Errors
    /// What the algorithm answers.
    #[inline]
    pub fn prepare(&mut self, pattern: &[u8], hints: Hints<'_>) -> Result<(), Failure> {
        let hints = RawHints {
            size: size_of::<RawHints>(),
            sample: hints.sample.as_ptr(),
            sample_length: hints.sample.len(),
            text_length: hints.text_length,
        };
        // SAFETY: the handle is this algorithm's; pattern and hints last during the call.
        let status = unsafe { (self.calls.prepare)(self.handle, &raw_pattern(pattern), &hints) };
        self.check(status)
    }

    /// Counts the occurrences of the prepared pattern. A text shorter than the pattern is answered here: it has none.
    ///
    /// # Errors
    /// What the algorithm answers.
    #[inline]
    pub fn count(&mut self, pattern: &[u8], text: &TextMemory<'_>) -> Result<u64, Failure> {
        if text.length < pattern.len() {
            return Ok(0);
        }
        let mut occurrences = 0;
        // SAFETY: the handle is this algorithm's, prepared for this pattern; the text is as promised to `TextMemory::new`.
        let status =
            unsafe { (self.calls.count)(self.handle, &raw_pattern(pattern), &text.raw(), &mut occurrences) };
        self.check(status).map(|()| occurrences)
    }

    /// Writes the positions of the occurrences to `buffer`, as many as it holds, and says how many there are in all.
    ///
    /// # Errors
    /// What the algorithm answers.
    pub fn positions(
        &mut self,
        pattern: &[u8],
        text: &TextMemory<'_>,
        buffer: &mut [usize],
    ) -> Result<u64, Failure> {
        if text.length < pattern.len() {
            return Ok(0);
        }
        let mut occurrences = 0;
        // SAFETY: as for `count`; the buffer is initialised.
        let status = unsafe {
            let (pattern, text) = (raw_pattern(pattern), text.raw());
            let (start, capacity) = (buffer.as_mut_ptr(), buffer.len());
            (self.calls.positions)(self.handle, &pattern, &text, start, capacity, &mut occurrences)
        };
        self.check(status).map(|()| occurrences)
    }

    /// What the last search measured, where the algorithm is instrumented.
    pub fn measurements(&self) -> Measurements {
        let mut raw = RawMeasurements::NOTHING;
        // SAFETY: the handle is this algorithm's, and the struct begins with its size.
        unsafe { (self.calls.measurements)(self.handle, &mut raw) };
        raw.into()
    }

    #[inline]
    fn check(&self, status: Status) -> Result<(), Failure> {
        if status == Status::OK {
            return Ok(());
        }
        // SAFETY: the handle is this algorithm's.
        let message = unsafe { message_of(|length| (self.calls.message)(self.handle, length)) };
        Err(match status {
            Status::CANNOT_SEARCH => Failure::CannotSearch(message),
            Status::PANICKED => Failure::Panicked(message),
            _ => Failure::Error(message),
        })
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        // SAFETY: `create` made the handle, and it is used no more.
        unsafe { (self.calls.destroy)(self.handle) }
    }
}

/// Reads a message that a library points to.
///
/// # Safety
/// The call must return an address that is good for as many bytes as it writes to its argument, or null.
pub(super) unsafe fn message_of(call: impl FnOnce(*mut usize) -> *const u8) -> String {
    let mut length = 0;
    let start = call(&mut length);
    if start.is_null() || length == 0 {
        return "no message".to_owned();
    }
    // SAFETY: the caller's promise.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(start, length) }).into_owned()
}

fn raw_pattern(pattern: &[u8]) -> RawPattern {
    RawPattern { start: pattern.as_ptr(), length: pattern.len() }
}

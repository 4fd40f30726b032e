//! Searchers: the safe side of the plain C functions of an algorithm.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_abi::algorithm::{RawHints, RawMeasurements, RawNeeds, RawPattern};
use assay_abi::trace::{RawTraceEvent, TraceSink};
use assay_abi::{List, Status};
use assay_plugin_api::{Hints, Measurements};

use super::algorithm::{AlgorithmEntry, AlgorithmFunctions};
use super::{Failure, FittedText, call_for_status, receive_text};

/// A searcher of one algorithm, of any dialect.
#[derive(Debug)]
pub struct Searcher {
    calls: AlgorithmFunctions,
    handle: *mut c_void,
    /// Where its events go, if it is traced.
    sink: Option<Sink>,
    /// Distinguishes searchers, because a text that was fitted to the needs of one can't be used with
    /// another.
    number: u64,
}

impl Searcher {
    /// Makes a searcher.
    ///
    /// # Errors
    /// If the algorithm can't make one.
    pub fn new(algorithm: &AlgorithmEntry) -> Result<Self, Failure> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let calls = algorithm.calls;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the context belongs to the functions; handle and sink last during the call.
        call_for_status(|message| unsafe { (calls.create)(calls.context, &raw mut handle, message) })?;
        Ok(Searcher { calls, handle, sink: None, number: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// Passes each event of the preparations and searches that follow to `take`. Returns whether the library can do
    /// that: only twins can, of libraries that were built with this version or a later one.
    pub fn trace(&mut self, take: impl FnMut(RawTraceEvent) + 'static) -> bool {
        let Some(trace) = self.calls.trace else { return false };
        let sink = Sink::new(Box::new(take));
        // SAFETY: the handle is this algorithm's, and the sink is freed after the handle was destroyed.
        unsafe { trace(self.handle, &raw const (*sink.0.as_ptr()).raw) };
        // The library has forgotten the former one.
        self.sink = Some(sink);
        true
    }

    /// Asks what the algorithm needs for patterns of this length.
    ///
    /// # Errors
    /// If the algorithm fails, or needs something that this host does not know.
    pub fn needs(&self, pattern_length: usize) -> Result<Needs, Failure> {
        let mut raw = RawNeeds::NOTHING;
        // SAFETY: the context belongs to the functions; the struct begins with its size, and both last during
        // the call.
        call_for_status(|message| unsafe {
            (self.calls.needs)(self.calls.context, pattern_length, &raw mut raw, message)
        })
        .map_err(|failure| match failure {
            Failure::CannotSearch(_) => failure,
            failure => failure.map_message(|message| {
                format!("its needs for patterns of {pattern_length} bytes: {message}")
            }),
        })?;
        let unknown = raw.flags & !RawNeeds::KNOWN;
        if unknown != 0 {
            return Err(Failure::CannotSearch(format!(
                "it needs what this version of assay does not know (flags {unknown:#x}): update assay"
            )));
        }
        Ok(Needs { raw, serves: (self.number, pattern_length) })
    }

    /// Prepares a pattern, which stays borrowed as long as it is searched for.
    ///
    /// # Errors
    /// If the algorithm fails.
    #[inline]
    pub fn prepare<'a>(&'a mut self, pattern: &'a [u8], hints: Hints<'_>) -> Result<Prepared<'a>, Failure> {
        let raw = RawHints {
            sample: List::new(hints.sample),
            text_length: hints.text_length,
            size: size_of::<RawHints>(),
        };
        // SAFETY: the handle is this algorithm's; pattern and hints last during the call.
        let status = unsafe { (self.calls.prepare)(self.handle, &raw_pattern(pattern), &raw) };
        self.check(status)?;
        Ok(Prepared { searcher: self, pattern })
    }

    #[inline]
    fn check(&self, status: Status) -> Result<(), Failure> {
        if status == Status::OK {
            return Ok(());
        }
        // SAFETY: the handle is this algorithm's, and the sink lasts during the call.
        Err(Failure::new(status, receive_text(|sink| unsafe { (self.calls.message)(self.handle, sink) })))
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        // SAFETY: `create` made the handle, and it is used no more.
        unsafe { (self.calls.destroy)(self.handle) }
    }
}

/// A sink for events that lies where the library knows it, until it is dropped.
#[derive(Debug)]
struct Sink(NonNull<SinkParts>);

/// A sink, and the function that takes its events.
struct SinkParts {
    raw: TraceSink,
    take: Box<dyn FnMut(RawTraceEvent)>,
}

impl Sink {
    fn new(take: Box<dyn FnMut(RawTraceEvent)>) -> Self {
        unsafe extern "C" fn forward(context: *mut c_void, event: *const RawTraceEvent) {
            // SAFETY: the context is that of a sink, and the event lasts during the call.
            unsafe {
                if let Ok(event) = assay_abi::read(event) {
                    ((*context.cast::<SinkParts>()).take)(event);
                }
            }
        }
        let raw =
            TraceSink { size: size_of::<TraceSink>(), context: std::ptr::null_mut(), take: Some(forward) };
        let parts = NonNull::from(Box::leak(Box::new(SinkParts { raw, take })));
        // SAFETY: the parts were made just now, and nothing else knows them.
        unsafe { (*parts.as_ptr()).raw.context = parts.as_ptr().cast() };
        Sink(parts)
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // SAFETY: `new` leaked the box, and no searcher knows the sink any more.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// A searcher that is prepared for a pattern. It searches for this pattern only, until it is prepared for
/// another.
#[derive(Debug)]
pub struct Prepared<'a> {
    searcher: &'a mut Searcher,
    pattern: &'a [u8],
}

impl Prepared<'_> {
    /// Counts the occurrences of the pattern. A text that is shorter than the pattern has none, and the
    /// algorithm is not called.
    ///
    /// # Errors
    /// If the algorithm fails, or if the text was fitted to other needs.
    #[inline]
    pub fn count(&mut self, text: &FittedText<'_>) -> Result<u64, Failure> {
        if !self.takes(text)? {
            return Ok(0);
        }
        let Searcher { calls, handle, .. } = *self.searcher;
        let mut occurrences = 0;
        // SAFETY: the handle is this algorithm's, prepared for this pattern; the text has what it needs
        // around it.
        let status =
            unsafe { (calls.count)(handle, &raw_pattern(self.pattern), &text.raw, &raw mut occurrences) };
        self.searcher.check(status).map(|()| occurrences)
    }

    /// Writes the positions of the occurrences to `buffer`, as many as it can hold, and returns how many
    /// occurrences there are; `None` if the algorithm does not report positions.
    ///
    /// # Errors
    /// As for [`count`](Prepared::count).
    pub fn positions(&mut self, text: &FittedText<'_>, buffer: &mut [usize]) -> Result<Option<u64>, Failure> {
        let Searcher { calls, handle, .. } = *self.searcher;
        let Some(positions) = calls.positions else { return Ok(None) };
        if !self.takes(text)? {
            return Ok(Some(0));
        }
        let mut occurrences = 0;
        // SAFETY: as for `count`; the buffer is initialised.
        let status = unsafe {
            let (start, capacity) = (buffer.as_mut_ptr(), buffer.len());
            positions(handle, &raw_pattern(self.pattern), &text.raw, start, capacity, &raw mut occurrences)
        };
        self.searcher.check(status).map(|()| Some(occurrences))
    }

    /// Reads what the last search has measured: the counts of a twin, and the times of an algorithm with a
    /// clock of its own.
    ///
    /// # Errors
    /// If the algorithm fails.
    pub fn measurements(&self) -> Result<SearchMeasurements, Failure> {
        let Searcher { calls, handle, .. } = *self.searcher;
        let mut raw = RawMeasurements::NOTHING;
        // SAFETY: the handle is this algorithm's, and the struct begins with its size.
        let status = unsafe { (calls.measurements)(handle, &raw mut raw) };
        self.searcher.check(status).map(|()| raw.into())
    }

    /// Whether the text is long enough for the pattern.
    ///
    /// # Errors
    /// If the text was fitted to other needs.
    #[inline]
    fn takes(&self, text: &FittedText<'_>) -> Result<bool, Failure> {
        if text.serves == (self.searcher.number, self.pattern.len()) {
            return Ok(text.raw.length >= self.pattern.len());
        }
        Err(Failure::Error("the text was made for the needs of another pattern or algorithm".to_owned()))
    }
}

/// The measurements of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchMeasurements {
    /// The counts of a twin.
    pub figures: Measurements,
    /// The time of the preparation in nanoseconds, if the algorithm has taken it itself.
    pub own_prepare_ns: Option<f64>,
    /// The time of the search in nanoseconds, if the algorithm has taken it itself.
    pub own_search_ns: Option<f64>,
}

impl From<RawMeasurements> for SearchMeasurements {
    fn from(raw: RawMeasurements) -> Self {
        let counted = |bits: u64, i: usize| bits >> i & 1 == 1;
        let figures = Measurements {
            fields: std::array::from_fn(|i| counted(raw.counted, i).then_some(raw.fields[i])),
            extra: std::array::from_fn(|i| counted(raw.extra_counted, i).then_some(raw.extra[i])),
        };
        let taken = |ns: f64| ns.is_finite().then_some(ns);
        let (own_prepare_ns, own_search_ns) = (taken(raw.own_prepare_ns), taken(raw.own_search_ns));
        SearchMeasurements { figures, own_prepare_ns, own_search_ns }
    }
}

/// What an algorithm needs for patterns of one length.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    raw: RawNeeds,
    serves: (u64, usize),
}

impl Needs {
    /// Checks whether the algorithm can search a text of this length for patterns of this length.
    ///
    /// # Errors
    /// [`Failure::CannotSearch`], with the limit that is exceeded.
    pub fn accept(&self, text_length: usize) -> Result<(), Failure> {
        let (needs, pattern_length) = (&self.raw, self.serves.1);
        let refuse = |limit: String| Err(Failure::CannotSearch(limit));
        if pattern_length < needs.min_pattern {
            return refuse(format!("it takes patterns of {} bytes or more", needs.min_pattern));
        }
        if pattern_length > needs.max_pattern {
            return refuse(format!("it takes patterns of {} bytes or less", needs.max_pattern));
        }
        if pattern_length <= text_length && text_length < needs.min_text {
            return refuse(format!("it takes texts of {} bytes or more for this pattern", needs.min_text));
        }
        Ok(())
    }

    /// The needs in the form of the ABI.
    pub fn raw(&self) -> &RawNeeds {
        &self.raw
    }

    /// Whether the algorithm writes to the memory around the text.
    pub fn writes(&self) -> bool {
        self.writes_around() != [false, false]
    }

    /// Whether the algorithm writes to the bytes before the text, and whether it writes to those after it.
    pub fn writes_around(&self) -> [bool; 2] {
        [RawNeeds::WRITES_BEFORE, RawNeeds::WRITES_SLACK].map(|flag| self.raw.flags & flag != 0)
    }

    /// Whether each pattern needs a new process.
    pub fn fresh_process(&self) -> bool {
        self.raw.flags & RawNeeds::FRESH_PROCESS != 0
    }

    /// Whether the algorithm takes the times of preparation and search itself.
    pub fn own_times(&self) -> bool {
        self.raw.flags & RawNeeds::OWN_TIMES != 0
    }

    /// Number of the searcher, and length of the patterns.
    pub(super) fn serves(&self) -> (u64, usize) {
        self.serves
    }

    /// Needs for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn from_raw(raw: RawNeeds) -> Self {
        Needs { raw, serves: (u64::MAX, 1) }
    }
}

#[inline]
fn raw_pattern(pattern: &[u8]) -> RawPattern {
    RawPattern { size: size_of::<RawPattern>(), start: pattern.as_ptr(), length: pattern.len() }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use assay_abi::trace::TraceEventKind;
    use assay_plugin_api::prelude::*;
    use assay_plugin_api::private::{Identity, Item, Variant};

    use super::super::TextBuffer;
    use super::*;

    #[derive(Default)]
    struct Naive;

    impl Algorithm for Naive {
        const ABOUT: About = About { id: "naive", name: "Naive", ..About::UNKNOWN };

        fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
            for s in 0..=text.len() - pattern.len() {
                if (0..pattern.len()).all(|i| pattern.at(i) == text.at(s + i)) {
                    found.at(s);
                }
            }
        }
    }

    fn searcher() -> Searcher {
        searcher_of(false)
    }

    fn searcher_of(counting: bool) -> Searcher {
        let Item::Algorithm(registered) = Item::algorithm::<Naive>(&Naive::ABOUT, Variant::Only) else {
            unreachable!()
        };
        let item = (registered.export)(counting, &Identity { id: "naive".to_owned(), facts: Vec::new() });
        // SAFETY: the item was made just now, with a table of this type.
        let entry = unsafe { AlgorithmEntry::read(super::super::Facts::default(), item.table) };
        Searcher::new(&entry.unwrap()).unwrap()
    }

    #[test]
    fn a_prepared_searcher_searches_any_text_that_fits_as_often_as_one_likes() {
        let mut searcher = searcher();
        let needs = searcher.needs(2).unwrap();
        let mut buffers =
            [b"ababab".as_slice(), b"ab", b"a"].map(|text| TextBuffer::new(text, &needs).unwrap());
        let mut prepared = searcher.prepare(b"ab", Hints::default()).unwrap();
        for (buffer, occurrences) in buffers.iter_mut().zip([3, 1, 0]) {
            let text = buffer.fit(&needs).unwrap();
            let mut positions = [0; 8];
            for _ in 0..2 {
                assert_eq!(prepared.count(&text), Ok(occurrences));
                assert_eq!(prepared.positions(&text, &mut positions), Ok(Some(occurrences)));
            }
            assert_eq!(positions[..occurrences as usize], [0, 2, 4][..occurrences as usize]);
        }
    }

    #[test]
    fn events_of_a_twin_go_to_the_last_sink_and_only_a_twin_has_any() {
        assert!(!searcher().trace(|_| ()));
        let mut twin = searcher_of(true);
        let needs = twin.needs(1).unwrap();
        let mut buffer = TextBuffer::new(b"aba", &needs).unwrap();
        let text = buffer.fit(&needs).unwrap();
        let counts = Rc::new(RefCell::new([0, 0]));
        let count = |place: usize| {
            let counts = Rc::clone(&counts);
            move |event: RawTraceEvent| {
                counts.borrow_mut()[place] += usize::from(event.kind == TraceEventKind::OCCURRENCE);
            }
        };
        assert!(twin.trace(count(0)));
        assert_eq!(twin.prepare(b"a", Hints::default()).unwrap().count(&text), Ok(2));
        assert!(twin.trace(count(1)));
        assert_eq!(twin.prepare(b"b", Hints::default()).unwrap().count(&text), Ok(1));
        assert_eq!(*counts.borrow(), [2, 1]);
        drop(twin);
        assert_eq!(Rc::strong_count(&counts), 1, "sinks were freed with the searcher");
    }

    #[test]
    fn a_text_that_was_made_for_other_needs_is_refused() {
        let (mut searcher, other) = (searcher(), searcher());
        for needs in [searcher.needs(3).unwrap(), other.needs(2).unwrap()] {
            let mut buffer = TextBuffer::new(b"ababab", &needs).unwrap();
            let text = buffer.fit(&needs).unwrap();
            let mut prepared = searcher.prepare(b"ab", Hints::default()).unwrap();
            let Err(Failure::Error(message)) = prepared.count(&text) else { panic!("it was searched") };
            assert!(message.contains("needs of another pattern or algorithm"), "{message}");
        }
    }
}

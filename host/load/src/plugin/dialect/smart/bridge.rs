//! The bridge from SMART to our ABI: the functions of an algorithm's table, which call the function of a
//! library for SMART.

use std::ffi::c_void;

use assay_abi::algorithm::{AlgorithmTable, RawHints, RawMeasurements, RawNeeds, RawPattern, RawText};
use assay_abi::{Growing, List, Status, Str, TextSink};

use super::function::{
    self, PatternBuffer, STANDARD, SearchFailure, SearchOutput, SmartFunction, TextPointer,
};

/// An algorithm for SMART. It is the context of its table.
#[derive(Debug)]
pub(super) struct SmartAlgorithm {
    /// The function of its library.
    pub search: SmartFunction,
    /// Id of the algorithm of which it is the twin; `None` if it is not a twin.
    pub twin_of: Option<String>,
    /// Its extra fields that have names: place among the fields of SMART, and name.
    pub extra: Vec<(usize, String)>,
}

/// A searcher of an algorithm for SMART. Its preparation only keeps the pattern, because the function of the
/// library prepares and searches in one call.
struct SmartSearcher {
    algorithm: &'static SmartAlgorithm,
    pattern: PatternBuffer,
    written: Box<SearchOutput>,
    message: String,
}

impl SmartAlgorithm {
    /// The table of the algorithm. It is leaked, because tables must last as long as the process.
    pub(super) fn table(self) -> &'static AlgorithmTable {
        let algorithm: &'static SmartAlgorithm = Box::leak(Box::new(self));
        let twin_of = algorithm.twin_of.as_deref();
        Box::leak(Box::new(AlgorithmTable {
            flags: if twin_of.is_some() { AlgorithmTable::INSTRUMENTED } else { 0 },
            twin_of: Str::new(twin_of.unwrap_or_default()),
            extra: List::leaked(algorithm.extra.iter().map(|(_, name)| Str::new(name))),
            context: (&raw const *algorithm).cast(),
            create: Some(create),
            destroy: Some(destroy),
            needs: Some(needs),
            prepare: Some(prepare),
            count: Some(count),
            positions: None,
            message: Some(message),
            measurements: Some(measurements),
            ..AlgorithmTable::empty()
        }))
    }
}

unsafe extern "C" fn create(
    context: *const c_void,
    searcher: *mut *mut c_void,
    _message: *const TextSink,
) -> Status {
    // SAFETY: the context is the table's, made above.
    let algorithm = unsafe { &*context.cast::<SmartAlgorithm>() };
    let written = Box::new(SearchOutput::NOTHING);
    let made = SmartSearcher { algorithm, pattern: PatternBuffer::EMPTY, written, message: String::new() };
    // SAFETY: the caller's place for it.
    unsafe { *searcher = Box::into_raw(Box::new(made)).cast() };
    Status::OK
}

unsafe extern "C" fn destroy(searcher: *mut c_void) {
    // SAFETY: `create` made it, and it is used no more.
    drop(unsafe { Box::from_raw(searcher.cast::<SmartSearcher>()) });
}

/// The needs are what SMART promises to every algorithm, because its algorithms do not declare any. Which
/// patterns an algorithm takes is known only when it searches.
unsafe extern "C" fn needs(
    _context: *const c_void,
    pattern_length: usize,
    needs: *mut RawNeeds,
    _message: *const TextSink,
) -> Status {
    let promised = RawNeeds {
        max_pattern: function::MAX_PATTERN,
        before: function::BEFORE,
        slack: function::after(pattern_length),
        alignment: function::ALIGNMENT,
        flags: RawNeeds::WRITES_SLACK | RawNeeds::OWN_TIMES,
        ..RawNeeds::NOTHING
    };
    // SAFETY: it begins with its size.
    unsafe { assay_abi::fill(needs, &promised) };
    Status::OK
}

unsafe extern "C" fn prepare(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    _hints: *const RawHints,
) -> Status {
    // SAFETY: `create` made it, and the caller has it alone; the pattern's bytes last for the call.
    let (searcher, pattern) = unsafe {
        let RawPattern { start, length, .. } = *pattern;
        (&mut *searcher.cast::<SmartSearcher>(), std::slice::from_raw_parts(start, length))
    };
    match searcher.pattern.set(pattern) {
        Ok(()) => Status::OK,
        Err(error) => {
            searcher.message = format!("there is no memory for the pattern: {error}");
            Status::FAILED
        }
    }
}

unsafe extern "C" fn count(
    searcher: *mut c_void,
    _pattern: *const RawPattern,
    text: *const RawText,
    occurrences: *mut u64,
) -> Status {
    // SAFETY: as for `prepare`; the text is as `needs` asked for, and at least as long as the pattern.
    let (searcher, found) = unsafe {
        let searcher = &mut *searcher.cast::<SmartSearcher>();
        let RawText { start, length, .. } = *text;
        let SmartSearcher { algorithm, pattern, written, .. } = searcher;
        let found = algorithm.search.count(pattern, TextPointer { start, length }, written);
        (searcher, found)
    };
    let (status, message) = match found {
        Ok(found) => {
            // SAFETY: the caller's place for it.
            unsafe { *occurrences = found };
            return Status::OK;
        }
        Err(SearchFailure::CannotSearch(message)) => (Status::CANNOT_SEARCH, message),
        Err(SearchFailure::Error(message)) => (Status::FAILED, message),
    };
    searcher.message = message;
    status
}

unsafe extern "C" fn message(searcher: *const c_void, message: *const TextSink) {
    // SAFETY: as for `prepare`; the sink is that of this call.
    unsafe { TextSink::send(message, &(*searcher.cast::<SmartSearcher>()).message) };
}

unsafe extern "C" fn measurements(searcher: *const c_void, measurements: *mut RawMeasurements) -> Status {
    // SAFETY: as for `prepare`.
    let SmartSearcher { algorithm, written, .. } = unsafe { &*searcher.cast::<SmartSearcher>() };
    let [own_prepare_ns, own_search_ns] = written.times_ns();
    let mut reported = RawMeasurements { own_prepare_ns, own_search_ns, ..RawMeasurements::NOTHING };
    if algorithm.twin_of.is_some() {
        for (place, figure) in (0..STANDARD).filter_map(|place| Some((place, written.figure(place)?))) {
            reported.fields[place] = figure;
            reported.counted |= 1 << place;
        }
        for (i, (place, _)) in algorithm.extra.iter().enumerate() {
            if let Some(figure) = written.figure(STANDARD + place) {
                reported.extra[i] = figure;
                reported.extra_counted |= 1 << i;
            }
        }
    }
    // SAFETY: it begins with its size.
    unsafe { assay_abi::fill(measurements, &reported) };
    Status::OK
}

#[cfg(test)]
mod tests {
    use std::ffi::c_int;

    use assay_plugin_api::Hints;

    use super::*;
    use crate::plugin::algorithm::AlgorithmEntry;
    use crate::plugin::{Facts, Failure, Searcher, TextBuffer};
    use function::{FigureOutput, NameOutput, SmartForm};

    /// Counts the bytes of the text that are the pattern's first; refuses patterns of two bytes.
    unsafe extern "C" fn firsts(
        pattern: *mut u8,
        m: c_int,
        text: *mut u8,
        n: c_int,
        prepare_ms: *mut f64,
        _search_ms: *mut f64,
        _figures: *mut FigureOutput,
        _names: *mut NameOutput,
    ) -> c_int {
        // SAFETY: both are as long as they say, and the time has its place.
        unsafe {
            prepare_ms.write(0.5);
            let text = std::slice::from_raw_parts(text, n as usize);
            if m == 2 { -1 } else { text.iter().filter(|&&byte| byte == *pattern).count() as c_int }
        }
    }

    fn searcher() -> Searcher {
        let algorithm = SmartAlgorithm {
            search: SmartFunction::new(SmartForm::Current(firsts)),
            twin_of: None,
            extra: Vec::new(),
        };
        // SAFETY: it is the algorithm's table.
        let entry = unsafe { AlgorithmEntry::read(Facts::default(), (&raw const *algorithm.table()).cast()) };
        Searcher::new(&entry.unwrap()).unwrap()
    }

    #[test]
    fn it_counts_and_reports_no_positions() {
        let mut searcher = searcher();
        for (pattern, text, found) in [("a", "banana", 3), ("n", "banana", 2), ("axx", "aaa", 3)] {
            let needs = searcher.needs(pattern.len()).unwrap();
            assert!(needs.own_times() && needs.writes() && !needs.fresh_process());
            let mut buffer = TextBuffer::new(text.as_bytes(), &needs).unwrap();
            let text = buffer.fit(&needs).unwrap();
            let hints = Hints { sample: &[], text_length: text.bytes().len() };
            let mut prepared = searcher.prepare(pattern.as_bytes(), hints).unwrap();
            assert_eq!((prepared.count(&text), prepared.count(&text)), (Ok(found), Ok(found)));
            assert_eq!(prepared.positions(&text, &mut [0; 9]), Ok(None));
            let measured = prepared.measurements().unwrap();
            assert_eq!((measured.own_prepare_ns, measured.own_search_ns), (Some(500_000.0), None));
            assert_eq!(measured.figures, assay_plugin_api::Measurements::default());
        }
    }

    #[test]
    fn what_it_refuses_it_refuses_when_it_searches() {
        let mut searcher = searcher();
        let needs = searcher.needs(2).unwrap();
        let mut buffer = TextBuffer::new(b"banana", &needs).unwrap();
        let text = buffer.fit(&needs).unwrap();
        let mut prepared = searcher.prepare(b"an", Hints { sample: &[], text_length: 6 }).unwrap();
        let refused = Failure::CannotSearch("it is not made for this pattern or text".to_owned());
        assert_eq!(prepared.count(&text), Err(refused));
    }
}

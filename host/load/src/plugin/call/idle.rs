//! An algorithm of the host's own that does nothing: what is measured of it is the measuring.

use std::ffi::c_void;

use assay_abi::algorithm::{RawHints, RawMeasurements, RawNeeds, RawPattern, RawText};
use assay_abi::{Status, TextSink};

use super::Facts;
use super::algorithm::{AlgorithmEntry, AlgorithmFunctions};

/// An algorithm that prepares nothing, and finds nothing, at once.
pub fn idle() -> AlgorithmEntry {
    let calls = AlgorithmFunctions {
        context: std::ptr::null(),
        create,
        destroy,
        needs,
        prepare,
        count,
        positions: None,
        message,
        measurements,
        trace: None,
    };
    AlgorithmEntry {
        facts: Facts { id: "idle".to_owned(), facts: Vec::new() },
        instrumented: false,
        twin_of: None,
        extra: Vec::new(),
        cpu: Vec::new(),
        timed: Vec::new(),
        calls,
    }
}

unsafe extern "C" fn create(_: *const c_void, _: *mut *mut c_void, _: *const TextSink) -> Status {
    Status::OK
}

unsafe extern "C" fn destroy(_: *mut c_void) {}

unsafe extern "C" fn needs(_: *const c_void, _: usize, _: *mut RawNeeds, _: *const TextSink) -> Status {
    Status::OK
}

unsafe extern "C" fn prepare(_: *mut c_void, _: *const RawPattern, _: *const RawHints) -> Status {
    Status::OK
}

unsafe extern "C" fn count(_: *mut c_void, _: *const RawPattern, _: *const RawText, _: *mut u64) -> Status {
    Status::OK
}

unsafe extern "C" fn message(_: *const c_void, _: *const TextSink) {}

unsafe extern "C" fn measurements(_: *const c_void, _: *mut RawMeasurements) -> Status {
    Status::OK
}

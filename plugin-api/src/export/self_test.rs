//! Exports the self-test of a counter backend.

use std::ffi::c_void;

use assay_abi::self_test::{CheckSink, RawCheck};
use assay_abi::{Growing, Status, Str, TextSink, read};

use super::answer::answer;
use crate::counter::Backend;
use crate::self_test::{Check, Verdict};

/// Passes a result to a sink.
///
/// # Safety
/// The call that brought the sink must not have returned yet.
unsafe fn send(sink: *const CheckSink, check: &Check) -> Result<(), String> {
    let raw = RawCheck {
        name: Str::new(&check.name),
        verdict: match check.verdict {
            Verdict::Ok => RawCheck::OK,
            Verdict::Wrong => RawCheck::WRONG,
            Verdict::Absent => RawCheck::ABSENT,
        },
        measured: check.measured.unwrap_or(f64::NAN),
        expected: check.expected.unwrap_or(f64::NAN),
        reason: Str::new(&check.reason),
        ..RawCheck::empty()
    };
    // SAFETY: the caller's promise; the check outlives the call.
    unsafe {
        let sink = read(sink).map_err(|error| format!("the sink {error}"))?;
        sink.take.ok_or("the sink takes nothing")?(sink.context, &raw);
    }
    Ok(())
}

/// The function of the table.
pub unsafe extern "C" fn self_test<B: Backend>(
    _: *const c_void,
    part: Str,
    cpu: i64,
    checks: *const CheckSink,
    message: *const TextSink,
) -> Status {
    let cpu = usize::try_from(cpu).ok();
    // SAFETY: the host gives a name and sinks for the length of the call.
    unsafe {
        answer(message, || B::self_test(&part.text(), cpu)?.iter().try_for_each(|check| send(checks, check)))
    }
}

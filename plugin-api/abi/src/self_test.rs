//! The ABI of the self-tests of counter backends.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{Status, Str, TextSink};

/// `self_test` of a [`CounterTable`](crate::counter::CounterTable). `cpu` is the CPU that the thread is bound
/// to; -1 if it is not bound.
pub type SelfTest = unsafe extern "C" fn(
    context: *const c_void,
    part: Str,
    cpu: i64,
    checks: *const CheckSink,
    message: *const TextSink,
) -> Status;

/// The result of a check.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawCheck {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What was checked, in a few words that are the same on every machine.
    pub name: Str,
    /// [`OK`](RawCheck::OK), [`WRONG`](RawCheck::WRONG) or [`ABSENT`](RawCheck::ABSENT).
    pub verdict: u64,
    /// What was measured; NaN if it is no number.
    pub measured: f64,
    /// What it should be; NaN if it is no number.
    pub expected: f64,
    /// The reason for the verdict, in a sentence without its end.
    pub reason: Str,
}

growing!(RawCheck, reason);

impl RawCheck {
    /// It is as it should be.
    pub const OK: u64 = 0;
    /// It is not as it should be. Unknown numbers count as this one.
    pub const WRONG: u64 = 1;
    /// This machine does not have it, or does not allow it.
    pub const ABSENT: u64 = 2;
}

/// A sink for results of checks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CheckSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of `take`.
    pub context: *mut c_void,
    /// Takes a result, and copies what it keeps.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, check: *const RawCheck)>,
}

growing!(CheckSink, take);

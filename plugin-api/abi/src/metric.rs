//! The ABI of metrics.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Status, Str, TextSink};

/// A metric. Its function is required, and several threads may call it at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MetricTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Reserved for later versions; 0.
    pub flags: u64,
    /// Names of its inputs.
    pub inputs: List<Str>,
    /// The first argument of `evaluate`.
    pub context: *const c_void,
    /// Computes `rows` results. There is a column for each input, in the order of their names, with a number
    /// for each row, none of them missing. A result without meaning is NaN.
    pub evaluate: Option<Evaluate>,
}

growing!(MetricTable, evaluate);

/// [`MetricTable::evaluate`].
pub type Evaluate = unsafe extern "C" fn(
    context: *const c_void,
    columns: List<List<f64>>,
    rows: usize,
    results: *mut f64,
    message: *const TextSink,
) -> Status;

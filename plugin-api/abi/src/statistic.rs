//! The ABI of statistics.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Status, TextSink};

/// A statistic. Its function is required, and several threads may call it at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StatisticTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Reserved for later versions; 0.
    pub flags: u64,
    /// The first argument of `reduce`.
    pub context: *const c_void,
    /// Reduces each of the lists, and passes the results of the first list, then those of the second, and so
    /// on. The lists are not empty and hold neither NaN nor infinities. If the statistic has no meaning for a
    /// list, its results are an empty list.
    pub reduce: Option<Reduce>,
}

growing!(StatisticTable, reduce);

/// [`StatisticTable::reduce`].
pub type Reduce = unsafe extern "C" fn(
    context: *const c_void,
    lists: List<List<f64>>,
    results: *const NumberSink,
    message: *const TextSink,
) -> Status;

/// A sink for lists of numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NumberSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of `take`.
    pub context: *mut c_void,
    /// Takes a list, and copies what it keeps.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, numbers: List<f64>)>,
}

growing!(NumberSink, take);

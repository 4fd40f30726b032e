//! Statistics.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Status, TextSink};

/// A statistic. Its function may be called by several threads at once, and must be there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StatisticTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// For later versions.
    pub flags: u64,
    /// What `reduce` is called with.
    pub context: *const c_void,
    /// Reduces each of the lists, none of which is empty or holds NaN or an infinity: tells the results of
    /// the first list, then of the second, and so on. A list that the statistic has no meaning for has no
    /// results, and is passed empty.
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

/// Takes lists of numbers, during a call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NumberSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What `take` is called with.
    pub context: *mut c_void,
    /// Takes a list. It copies what it wants to keep.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, numbers: List<f64>)>,
}

growing!(NumberSink, take);

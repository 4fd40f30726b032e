//! Statistics across the boundary.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RSlice, RString, RVec};

use super::facts::{Facts, FactsAbi};
use super::guard::guard;
use crate::Statistic;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = StatisticAbiRef)))]
pub struct StatisticAbi {
    facts: FactsAbi,
    statistic: *const c_void,
    #[sabi(last_prefix_field)]
    reduce: unsafe extern "C" fn(*const c_void, RSlice<'_, f64>) -> RResult<RVec<f64>, RString>,
}

/// A statistic that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    abi: StatisticAbiRef,
}

impl Entry {
    /// Reduces a list of numbers, neither NaN nor infinite. An empty list has no statistics, and the answer is empty too.
    ///
    /// # Errors
    /// If the statistic panicked: the message.
    pub fn reduce(&self, values: &[f64]) -> Result<Vec<f64>, String> {
        if values.is_empty() {
            return Ok(Vec::new());
        }
        // SAFETY: the function belongs to this pointer.
        let result = unsafe { self.abi.reduce()(self.abi.statistic(), values.into()) };
        result.into_result().map(RVec::into_vec).map_err(RString::into_string)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<StatisticAbiRef> for Entry {
    fn from(abi: StatisticAbiRef) -> Self {
        Entry { facts: abi.facts().into(), abi }
    }
}

pub fn export(statistic: &'static Statistic) -> StatisticAbiRef {
    StatisticAbi {
        facts: FactsAbi::new(statistic.id, [("summary", statistic.summary.to_owned())]),
        statistic: std::ptr::from_ref(statistic).cast(),
        reduce,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn reduce(
    statistic: *const c_void,
    values: RSlice<'_, f64>,
) -> RResult<RVec<f64>, RString> {
    // SAFETY: `export` put the statistic there.
    let statistic = unsafe { &*statistic.cast::<Statistic>() };
    guard(|| (statistic.reduce)(values.as_slice())).map(RVec::from).map_err(RString::from).into()
}

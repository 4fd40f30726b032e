//! Statistics across the boundary.

use std::fmt;
use std::sync::Arc;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RSlice, RString, RVec};

use super::facts::{Facts, FactsAbi};
use super::foreign::Address;
use super::guard::guard;
use crate::Statistic;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = StatisticAbiRef)))]
pub struct StatisticAbi {
    facts: FactsAbi,
    statistic: Address,
    #[sabi(last_prefix_field)]
    reduce: unsafe extern "C" fn(Address, RSlice<'_, f64>) -> RResult<RVec<f64>, RString>,
}

/// Reduces a list of numbers.
type Reduce = dyn Fn(&[f64]) -> Result<Vec<f64>, String> + Send + Sync;

/// A statistic that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    reduce: Arc<Reduce>,
}

impl Entry {
    /// A statistic of any dialect.
    pub fn new(
        facts: Facts,
        reduce: impl Fn(&[f64]) -> Result<Vec<f64>, String> + Send + Sync + 'static,
    ) -> Self {
        Entry { facts, reduce: Arc::new(reduce) }
    }

    /// Reduces a list of numbers, neither NaN nor infinite. An empty list has no statistics, and the answer is empty too.
    ///
    /// # Errors
    /// If the statistic panicked: the message.
    pub fn reduce(&self, values: &[f64]) -> Result<Vec<f64>, String> {
        if values.is_empty() { Ok(Vec::new()) } else { (self.reduce)(values) }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<StatisticAbiRef> for Entry {
    fn from(abi: StatisticAbiRef) -> Self {
        let (statistic, reduce) = (abi.statistic(), abi.reduce());
        Entry::new(abi.facts().into(), move |values| {
            // SAFETY: the function belongs to this address.
            let result = unsafe { reduce(statistic, values.into()) };
            result.into_result().map(RVec::into_vec).map_err(RString::into_string)
        })
    }
}

pub fn export(statistic: &'static Statistic) -> StatisticAbiRef {
    StatisticAbi {
        facts: FactsAbi::new(statistic.id, [("summary", statistic.summary.to_owned())]),
        statistic: Address::of(statistic),
        reduce,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn reduce(statistic: Address, values: RSlice<'_, f64>) -> RResult<RVec<f64>, RString> {
    // SAFETY: `export` put the statistic there.
    let statistic = unsafe { statistic.get::<Statistic>() };
    guard(|| (statistic.reduce)(values.as_slice())).map(RVec::from).map_err(RString::from).into()
}

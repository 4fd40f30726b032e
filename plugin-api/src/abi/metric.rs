//! Metrics across the boundary.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{ROption, RResult, RSlice, RStr, RString};

use super::facts::{Facts, FactsAbi, names, owned};
use super::guard::guard;
use crate::Metric;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = MetricAbiRef)))]
pub struct MetricAbi {
    facts: FactsAbi,
    inputs: RSlice<'static, RStr<'static>>,
    metric: *const c_void,
    #[sabi(last_prefix_field)]
    evaluate: unsafe extern "C" fn(*const c_void, RSlice<'_, f64>) -> RResult<ROption<f64>, RString>,
}

/// A metric that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts, `unit` and `formula` among them.
    pub facts: Facts,
    /// Names of its inputs.
    pub inputs: Vec<String>,
    abi: MetricAbiRef,
}

impl Entry {
    /// Computes the metric from its inputs, in the order of their names. A result that is no number is none.
    ///
    /// # Errors
    /// If the metric panicked: the message.
    pub fn evaluate(&self, inputs: &[f64]) -> Result<Option<f64>, String> {
        // SAFETY: the function belongs to this pointer.
        let result = unsafe { self.abi.evaluate()(self.abi.metric(), inputs.into()) };
        let value = result.into_result().map_err(RString::into_string)?;
        Ok(value.into_option().filter(|value| value.is_finite()))
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<MetricAbiRef> for Entry {
    fn from(abi: MetricAbiRef) -> Self {
        Entry { facts: abi.facts().into(), inputs: owned(abi.inputs()), abi }
    }
}

pub fn export(metric: &'static Metric) -> MetricAbiRef {
    let facts = [
        ("unit", metric.unit.to_owned()),
        ("summary", metric.summary.to_owned()),
        ("formula", metric.formula.to_owned()),
        ("inputs", metric.inputs.join(", ")),
    ];
    MetricAbi {
        facts: FactsAbi::new(metric.id, facts),
        inputs: names(metric.inputs),
        metric: std::ptr::from_ref(metric).cast(),
        evaluate,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn evaluate(
    metric: *const c_void,
    inputs: RSlice<'_, f64>,
) -> RResult<ROption<f64>, RString> {
    // SAFETY: `export` put the metric there.
    let metric = unsafe { &*metric.cast::<Metric>() };
    let value = guard(|| (metric.evaluate)(inputs.as_slice()));
    value.map(ROption::from).map_err(RString::from).into()
}

//! Metrics across the boundary.

use std::fmt;
use std::sync::Arc;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{ROption, RResult, RSlice, RStr, RString};

use super::facts::{Facts, FactsAbi, names, owned};
use super::foreign::Address;
use super::guard::guard;
use crate::Metric;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = MetricAbiRef)))]
pub struct MetricAbi {
    facts: FactsAbi,
    inputs: RSlice<'static, RStr<'static>>,
    metric: Address,
    #[sabi(last_prefix_field)]
    evaluate: unsafe extern "C" fn(Address, RSlice<'_, f64>) -> RResult<ROption<f64>, RString>,
}

/// Computes a metric from its inputs.
type Evaluate = dyn Fn(&[f64]) -> Result<Option<f64>, String> + Send + Sync;

/// A metric that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts, `unit` and `formula` among them.
    pub facts: Facts,
    /// Names of its inputs.
    pub inputs: Vec<String>,
    evaluate: Arc<Evaluate>,
}

impl Entry {
    /// A metric of any dialect.
    pub fn new(
        facts: Facts,
        inputs: Vec<String>,
        evaluate: impl Fn(&[f64]) -> Result<Option<f64>, String> + Send + Sync + 'static,
    ) -> Self {
        Entry { facts, inputs, evaluate: Arc::new(evaluate) }
    }

    /// Computes the metric from its inputs, in the order of their names. A result that is no number is none.
    ///
    /// # Errors
    /// If the metric panicked: the message.
    pub fn evaluate(&self, inputs: &[f64]) -> Result<Option<f64>, String> {
        Ok((self.evaluate)(inputs)?.filter(|value| value.is_finite()))
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<MetricAbiRef> for Entry {
    fn from(abi: MetricAbiRef) -> Self {
        let (metric, evaluate) = (abi.metric(), abi.evaluate());
        Entry::new(abi.facts().into(), owned(abi.inputs()), move |inputs| {
            // SAFETY: the function belongs to this address.
            let result = unsafe { evaluate(metric, inputs.into()) };
            result.into_result().map(ROption::into_option).map_err(RString::into_string)
        })
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
        metric: Address::of(metric),
        evaluate,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn evaluate(metric: Address, inputs: RSlice<'_, f64>) -> RResult<ROption<f64>, RString> {
    // SAFETY: `export` put the metric there.
    let metric = unsafe { metric.get::<Metric>() };
    let value = guard(|| (metric.evaluate)(inputs.as_slice()));
    value.map(ROption::from).map_err(RString::from).into()
}

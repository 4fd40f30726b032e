//! What the author of a metric writes.

/// A quantity computed from what was measured.
///
/// A metric names its inputs. It is evaluated only where all of them were measured, so a missing input gives
/// a missing result and never a 0. The names that a host offers are listed in [`inputs`]. End it with
/// `..formula!(..)`, or with `..Metric::UNKNOWN` where a formula can't say it, because later versions may add
/// fields.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Short id: `--metric gbps`.
    pub id: &'static str,
    /// Unit of the result: `GB/s`.
    pub unit: &'static str,
    /// One sentence: what the quantity means.
    pub summary: &'static str,
    /// The formula, for readers: `text_length / ns`.
    pub formula: &'static str,
    /// Names of the inputs.
    pub inputs: &'static [&'static str],
    /// Computes the quantity from the inputs, in the order of their names; `None` if it has no meaning.
    pub evaluate: fn(&[f64]) -> Option<f64>,
    #[doc(hidden)]
    pub more: (),
}

impl Metric {
    /// Nothing known.
    pub const UNKNOWN: Metric = Metric {
        id: "",
        unit: "",
        summary: "",
        formula: "",
        inputs: &[],
        evaluate: |_| panic!("the metric has no function `evaluate`"),
        more: (),
    };
}

/// The part of a [`Metric`] that follows from its formula: the inputs, the text that readers see, and the
/// function that computes it. Each name of the formula stands for an input, and `over` is a division.
///
/// The metric has no value where the divisor is not positive: a phase that is too short for its clock has no
/// throughput, and a count can be below 0 after that of an empty call was subtracted.
///
/// ```
/// use assay_plugin_api::inputs::{NS, TEXT_LENGTH};
/// use assay_plugin_api::{Metric, formula};
///
/// const GBPS: Metric = Metric {
///     id: "gbps",
///     unit: "GB/s",
///     summary: "Text searched in a second, in units of 10^9 bytes.",
///     ..formula!(|text_length: TEXT_LENGTH, ns: NS| text_length, over ns)
/// };
/// assert_eq!(GBPS.formula, "text_length / ns");
/// assert_eq!((GBPS.evaluate)(&[3000.0, 1000.0]), Some(3.0));
/// assert_eq!((GBPS.evaluate)(&[3000.0, 0.0]), None);
///
/// const SECONDS: Metric = Metric { id: "seconds", unit: "s", ..formula!(|ns: NS| ns / 1e9) };
/// assert_eq!(SECONDS.formula, "ns / 1e9");
/// ```
#[macro_export]
macro_rules! formula {
    (|$($name:ident: $input:tt),+| $value:expr $(, over $divisor:expr)?) => {
        $crate::Metric {
            formula: concat!(stringify!($value) $(, " / ", stringify!($divisor))?),
            inputs: &[$($input),+],
            evaluate: |inputs| {
                let &[$($name),+] = inputs else { return None };
                let value: Option<f64> = Some($value);
                $(
                    let divisor: f64 = $divisor;
                    let value = value.filter(|_| divisor > 0.0).map(|value| value / divisor);
                )?
                value
            },
            ..$crate::Metric::UNKNOWN
        }
    };
}

/// Names of the inputs that a metric may ask for. Besides these, any counter: `perf:page-faults` is that very
/// event, `cycles` (without a colon) is the first measured event of that name, whichever backend counted it.
pub mod inputs {
    /// Time of the calls that the report is about, in nanoseconds: by default preparation and search
    /// together.
    pub const NS: &str = "ns";
    /// Length of the text in bytes.
    pub const TEXT_LENGTH: &str = "text_length";
    /// Length of the pattern in bytes.
    pub const PATTERN_LENGTH: &str = "pattern_length";
    /// Occurrences found.
    pub const OCCURRENCES: &str = "occurrences";
    /// Number of threads that searched.
    pub const THREADS: &str = "threads";
    /// Operations of the searches, as the experiment declares them; missing where it does not.
    pub const FLOPS: &str = "flops";
    /// Operations that the machine can do in a nanosecond, as the experiment declares it; missing where it
    /// does not.
    pub const PEAK_GFLOPS: &str = "peak_gflops";
    /// Frequency of the core's clock in hertz, as measured during the run; missing where it was not measured.
    pub const CORE_HZ: &str = "core_hz";
    /// Ticks per second of the time stamp counter, as measured during the run; missing where there is none.
    pub const TSC_HZ: &str = "tsc_hz";
}

//! The file of an event set: `NAME.events.toml` in a folder of plugins.

use assay_counting::sets::testing::event_set as read;

use super::check::{bounded, is_printable};

/// As of experiments.
const FACTOR: u64 = 1200;
const CONSTANT: u64 = 64 << 10;

/// Reads an event set, and computes its metrics.
pub fn event_set(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    match bounded(input, FACTOR, CONSTANT, || read("fuzzed", text)) {
        Err((line, message)) => {
            let lines = text.matches('\n').count() + 1;
            assert!((1..=lines).contains(&line), "line {line} of {lines}: {message}");
        }
        Ok(set) => {
            is_printable(&set.summary);
            for (name, metric, formula) in set.formulas() {
                [&name, &metric.unit, &metric.summary].into_iter().for_each(|text| is_printable(text));
                assert!(formula.names().iter().all(|name| metric.formula.contains(name.as_str())));
                let value = formula.value(&vec![3.0; formula.names().len()]);
                assert!(value.is_none_or(f64::is_finite));
            }
            assert_eq!(set.formulas().count(), set.metrics.len(), "each formula was checked");
            let json = serde_json::to_string(&set).expect("a set has a JSON form");
            assert_eq!(serde_json::from_str(&json).ok(), Some(set));
        }
    }
}

//! Metrics of time and throughput.

use assay_plugin_api::inputs::{CORE_HZ, FLOPS, NS, PEAK_GFLOPS, TEXT_LENGTH};
use assay_plugin_api::{Metric, formula, register};

/// The input that `perf` and `tsc` bring under the same name.
const COUNTED_CYCLES: &str = "cycles";
/// The inputs that `perf` and simulations bring under the same names.
const COUNTED_INSTRUCTIONS: &str = "instructions";
const COUNTED_MISSES: &str = "cache-misses";

const SECONDS: Metric =
    Metric { id: "seconds", unit: "s", summary: "Time in seconds.", ..formula!(|ns: NS| ns / 1e9) };
register!(metric SECONDS);

const MICROSECONDS: Metric = Metric {
    id: "microseconds",
    unit: "µs",
    summary: "Time in microseconds.",
    ..formula!(|ns: NS| ns / 1e3)
};
register!(metric MICROSECONDS);

const MILLISECONDS: Metric = Metric {
    id: "milliseconds",
    unit: "ms",
    summary: "Time in milliseconds.",
    ..formula!(|ns: NS| ns / 1e6)
};
register!(metric MILLISECONDS);

const CYCLES: Metric = Metric {
    id: "cycles",
    unit: "cycles",
    summary: "Cycles by the first counter of that name: of the core if perf counted, ticks of a constant clock if tsc.",
    ..formula!(|cycles: COUNTED_CYCLES| cycles)
};
register!(metric CYCLES);

const CORE_CYCLES: Metric = Metric {
    id: "core_cycles",
    unit: "cycles",
    summary: "Estimated cycles of the core: the time, at the frequency that was measured before the run.",
    ..formula!(|ns: NS, core_hz: CORE_HZ| ns * core_hz / 1e9)
};
register!(metric CORE_CYCLES);

const GBPS: Metric = Metric {
    id: "gbps",
    unit: "GB/s",
    summary: "Text searched in a second, in units of 10^9 bytes.",
    ..formula!(|text_length: TEXT_LENGTH, ns: NS| text_length, over ns)
};
register!(metric GBPS);

const NS_PER_BYTE: Metric = Metric {
    id: "ns_per_byte",
    unit: "ns/byte",
    summary: "Time spent on a byte of the text.",
    ..formula!(|ns: NS, text_length: TEXT_LENGTH| ns, over text_length)
};
register!(metric NS_PER_BYTE);

const CYCLES_PER_BYTE: Metric = Metric {
    id: "cycles_per_byte",
    unit: "cycles/byte",
    summary: "Cycles spent on a byte of the text; see the metric `cycles` for whose.",
    ..formula!(|cycles: COUNTED_CYCLES, text_length: TEXT_LENGTH| cycles, over text_length)
};
register!(metric CYCLES_PER_BYTE);

const INSTRUCTIONS_PER_CYCLE: Metric = Metric {
    id: "instructions_per_cycle",
    unit: "instructions/cycle",
    summary: "Instructions that a cycle of the core retires, both counted by perf.",
    ..formula!(|perf_instructions: "perf:instructions", perf_cycles: "perf:cycles"| perf_instructions, over perf_cycles)
};
register!(metric INSTRUCTIONS_PER_CYCLE);

const INSTRUCTIONS_PER_BYTE: Metric = Metric {
    id: "instructions_per_byte",
    unit: "instructions/byte",
    summary: "Instructions spent on a byte of the text, by the first counter of that name: perf's, or those of a simulation.",
    ..formula!(|instructions: COUNTED_INSTRUCTIONS, text_length: TEXT_LENGTH| instructions, over text_length)
};
register!(metric INSTRUCTIONS_PER_BYTE);

const MISSES_PER_KILOBYTE: Metric = Metric {
    id: "misses_per_kilobyte",
    unit: "misses/kB",
    summary: "Misses of the last cache for 1000 bytes of the text, by the first counter of that name.",
    ..formula!(|cache_misses: COUNTED_MISSES, text_length: TEXT_LENGTH| 1000.0 * cache_misses, over text_length)
};
register!(metric MISSES_PER_KILOBYTE);

const OPERATIONS: Metric = Metric {
    id: "flops",
    unit: "operations",
    summary: "Operations of the searches of a repetition, as the experiment declares them.",
    ..formula!(|flops: FLOPS| flops)
};
register!(metric OPERATIONS);

const GFLOPS: Metric = Metric {
    id: "gflops",
    unit: "operations/ns",
    summary: "Declared operations in a nanosecond.",
    ..formula!(|flops: FLOPS, ns: NS| flops, over ns)
};
register!(metric GFLOPS);

const FLOPS_PER_CYCLE: Metric = Metric {
    id: "flops_per_cycle",
    unit: "operations/cycle",
    summary: "Declared operations in a cycle, by the first counter of that name.",
    ..formula!(|flops: FLOPS, cycles: COUNTED_CYCLES| flops, over cycles)
};
register!(metric FLOPS_PER_CYCLE);

const EFFICIENCY: Metric = Metric {
    id: "efficiency",
    unit: "%",
    summary: "Declared operations in a nanosecond, of 100 that the machine can do by the declared peak.",
    ..formula!(|flops: FLOPS, ns: NS, peak_gflops: PEAK_GFLOPS| 100.0 * flops / peak_gflops, over ns)
};
register!(metric EFFICIENCY);

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(metric: &Metric, inputs: &[(&str, f64)]) -> Option<f64> {
        let value = |name: &&str| inputs.iter().find(|(input, _)| input == name).unwrap().1;
        (metric.evaluate)(&metric.inputs.iter().map(value).collect::<Vec<_>>())
    }

    #[test]
    fn units_are_those_of_the_labels() {
        let inputs = [
            ("ns", 2e9),
            ("text_length", 1e9),
            ("cycles", 8e9),
            ("perf:cycles", 8e9),
            ("instructions", 4e9),
            ("perf:instructions", 4e9),
            ("cache-misses", 3e6),
            ("flops", 3e9),
            ("peak_gflops", 6.0),
        ];
        let expected = [
            (SECONDS, 2.0),
            (MICROSECONDS, 2e6),
            (MILLISECONDS, 2000.0),
            (CYCLES, 8e9),
            (GBPS, 0.5),
            (NS_PER_BYTE, 2.0),
            (CYCLES_PER_BYTE, 8.0),
            (INSTRUCTIONS_PER_CYCLE, 0.5),
            (INSTRUCTIONS_PER_BYTE, 4.0),
            (MISSES_PER_KILOBYTE, 3.0),
            (OPERATIONS, 3e9),
            (GFLOPS, 1.5),
            (FLOPS_PER_CYCLE, 0.375),
            (EFFICIENCY, 25.0),
        ];
        for (metric, value) in expected {
            assert_eq!(evaluate(&metric, &inputs), Some(value), "{}", metric.id);
        }
    }

    #[test]
    fn a_divisor_of_zero_gives_no_result() {
        assert_eq!(evaluate(&GBPS, &[("ns", 0.0), ("text_length", 5.0)]), None);
        assert_eq!(evaluate(&NS_PER_BYTE, &[("ns", 1.0), ("text_length", 0.0)]), None);
    }

    #[test]
    fn each_metric_says_what_it_is_of_what_and_in_which_unit() {
        let known = [
            (SECONDS, "seconds", "s", "ns / 1e9"),
            (MICROSECONDS, "microseconds", "µs", "ns / 1e3"),
            (MILLISECONDS, "milliseconds", "ms", "ns / 1e6"),
            (CYCLES, "cycles", "cycles", "cycles"),
            (CORE_CYCLES, "core_cycles", "cycles", "ns * core_hz / 1e9"),
            (GBPS, "gbps", "GB/s", "text_length / ns"),
            (NS_PER_BYTE, "ns_per_byte", "ns/byte", "ns / text_length"),
            (CYCLES_PER_BYTE, "cycles_per_byte", "cycles/byte", "cycles / text_length"),
            (
                INSTRUCTIONS_PER_CYCLE,
                "instructions_per_cycle",
                "instructions/cycle",
                "perf_instructions / perf_cycles",
            ),
            (
                INSTRUCTIONS_PER_BYTE,
                "instructions_per_byte",
                "instructions/byte",
                "instructions / text_length",
            ),
            (MISSES_PER_KILOBYTE, "misses_per_kilobyte", "misses/kB", "1000.0 * cache_misses / text_length"),
            (OPERATIONS, "flops", "operations", "flops"),
            (GFLOPS, "gflops", "operations/ns", "flops / ns"),
            (FLOPS_PER_CYCLE, "flops_per_cycle", "operations/cycle", "flops / cycles"),
            (EFFICIENCY, "efficiency", "%", "100.0 * flops / peak_gflops / ns"),
        ];
        for (metric, id, unit, formula) in known {
            assert_eq!((metric.id, metric.unit, metric.formula), (id, unit, formula));
            let inputs = metric.inputs.iter().map(|input| input.replace([':', '-'], "_"));
            assert!(inputs.into_iter().all(|input| formula.contains(&input)), "{id}");
            assert!(metric.summary.ends_with('.'), "{id}");
        }
    }
}

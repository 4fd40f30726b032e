//! The facts of a page on its experiment and machine, in words and units.

use assay_base::io::numbers::{decimals, grouped};
use assay_counting as counters;
use assay_experiment::definition::{CpuPin, Experiment, Stats};
use assay_experiment::range::Over;
use assay_experiment::rounds::Rounds;
use assay_experiment::size::UNITS;
use assay_load::process::SIMULATOR_SLOWDOWN;
use assay_plugin_api::Semantics;
use assay_store::noise::Noise;
use assay_store::provenance::{LibraryFacts, Machine};
use assay_store::{CounterFacts, ExperimentFacts, Run};
use maud::{Markup, html};

use crate::wording;
use crate::wording::from_to;

/// Names and values of the facts that are known.
type FactList = Vec<(&'static str, String)>;

/// The facts of a run: its experiment, its machine, its disturbances, and the phases that its figures
/// include.
pub(super) fn section(run: &Run) -> Markup {
    let experiment = &run.experiment;
    html! {
        div.facts {
            (list("Experiment", &asked(run)))
            @match &experiment.gathered {
                None => div {
                    (list("Machine", &machine(&experiment.machine)))
                    (list("Meanwhile", &noise(&experiment.noise)))
                },
                Some(gathered) => @for node in &gathered.nodes {
                    div {
                        (list(&format!("Machine {}", node.node), &machine(&node.machine)))
                        (list("Meanwhile", &noise(&node.noise)))
                    }
                },
            }
            (list("Where the time went", &time_spent(experiment)))
            (list("Programs", &programs(experiment)))
            (list("What is included", &included(experiment)))
        }
    }
}

fn list(title: &str, facts: &FactList) -> Markup {
    html! {
        @if !facts.is_empty() {
            section {
                h2 { (title) }
                dl { @for (name, value) in facts { dt { (name) } dd { (value) } } }
            }
        }
    }
}

fn asked(run: &Run) -> FactList {
    let experiment = &run.experiment;
    let ExperimentFacts { text, elapsed, .. } = experiment;
    let mut facts = vec![
        ("run", experiment.id.clone()),
        ("text", experiment.texts_in_words()),
        ("seed", experiment.seed.to_string()),
        ("threads", threads(experiment)),
    ];
    if experiment.has_one_text() {
        facts.extend([
            ("length of the text", in_bytes(text.bytes as u64)),
            ("different bytes", text.alphabet.to_string()),
            ("entropy", format!("{:.2} bits per byte", text.entropy_bits_per_byte)),
            ("SHA-256 of the text", text.sha256.clone()),
        ]);
    } else {
        facts.push(("lengths of the texts", wording::lengths(experiment)));
    }
    if let Some(definition) = &experiment.definition {
        facts.extend(defined(definition, run));
        facts.push(("measured on", measured_on(experiment.cpu, definition.pin)));
    }
    facts.extend(experiment.counters.iter().map(|facts| ("counter", counter(facts))));
    facts.push(("set-up", seconds(elapsed.set_up_s)));
    facts.extend(elapsed.measuring_s.map(|time| ("measuring", seconds(time))));
    facts
}

/// What the wall time of the run went to.
fn time_spent(experiment: &ExperimentFacts) -> FactList {
    wording::time_spent(experiment).unwrap_or_else(|why| vec![("not known", why.to_owned())])
}

/// The number of threads that searched at a time.
fn threads(experiment: &ExperimentFacts) -> String {
    match &experiment.range {
        Some(range) if range.over == Over::Threads => {
            range.values.iter().map(|value| value.threads.to_string()).collect::<Vec<_>>().join(", ")
        }
        _ => experiment.threads.to_string(),
    }
}

fn programs(experiment: &ExperimentFacts) -> FactList {
    let machine = &experiment.machine;
    let build = if machine.optimised { "" } else { ", not optimised" };
    let mut facts = vec![("assay", format!("{}, built by {}{build}", machine.assay, machine.compiler))];
    facts.extend(machine.compiler_flags.clone().map(|flags| ("flags of the compiler", flags)));
    if !experiment.launcher.is_empty() {
        facts.push(("workers started by", experiment.launcher.join(" ")));
    }
    if !machine.variables.is_empty() {
        facts.push(("environment", machine.environment()));
    }
    facts.extend(experiment.libraries.iter().map(|facts| ("library", library(facts))));
    facts
}

/// The phases that each figure includes.
fn included(experiment: &ExperimentFacts) -> FactList {
    let phases = &experiment.phases;
    let mut facts = FactList::new();
    if experiment.stats == Stats::Perf {
        facts.extend([
            ("preparation", phases.prepare_ns.clone()),
            ("search", phases.search_ns.clone()),
            ("not included", phases.not_included.clone()),
            ("load", phases.starts.load_ns.clone()),
            ("initialise", phases.starts.initialise_ns.clone()),
            ("first prepare", phases.starts.first_prepare_ns.clone()),
            ("first search", phases.starts.first_search_ns.clone()),
            ("read back", phases.starts.read_back_ns.clone()),
        ]);
    }
    if !experiment.counters.is_empty() {
        facts.push(("counts", phases.counters.clone()));
    }
    facts.retain(|(_, words)| !words.is_empty());
    // Backquotes mark code in documents; in HTML they would be visible.
    facts.into_iter().map(|(name, words)| (name, words.replace('`', ""))).collect()
}

fn noise(noise: &Noise) -> FactList {
    let switches = noise.involuntary_switches.map(|switches| grouped(switches as f64, 0));
    let facts = [
        ("empty call", noise.floor_ns.map(|ns| format!("{ns:.0} ns"))),
        (
            "variation of the machine's speed",
            noise.speed_varied_percent().map(|percent| format!("{percent:.0} %")),
        ),
        ("CPU taken from a worker", switches.map(|times| format!("{times} times"))),
        (
            "CPU used by the workers",
            noise.cpu_used_percent.map(|percent| format!("{percent:.1} % of their time")),
        ),
        ("CPU kept by the host of this virtual machine", noise.steal_ms.map(|ms| format!("{ms} ms"))),
        ("load before", noise.load_before.map(|load| load.to_string())),
        ("load after", noise.load_after.map(|load| load.to_string())),
        ("governor", noise.governor.clone()),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn defined(definition: &Experiment, run: &Run) -> FactList {
    let experiment = &run.experiment;
    let limit = definition.time_limit_ms;
    let limit = if experiment.launcher.is_empty() {
        format!("{limit} ms")
    } else {
        format!(
            "{} ms, {SIMULATOR_SLOWDOWN} times that of a run without a simulator",
            limit.saturating_mul(SIMULATOR_SLOWDOWN.into())
        )
    };
    let mut facts = FactList::new();
    if !definition.description.is_empty() {
        facts.push(("description", definition.description.clone()));
    }
    facts.extend([
        (
            "repetitions",
            format!(
                "{} of each algorithm and {}",
                run.patterns().map_or_else(|| asked_for(Rounds::runs, definition, experiment), from_to),
                definition.over().words()
            ),
        ),
        ("rounds", wording::rounds(run).unwrap_or_else(|| asked_for(Rounds::count, definition, experiment))),
        ("warm-up", format!("{} before each block", definition.warmup)),
        ("order", definition.order.name().to_owned()),
        ("time limit", limit),
    ]);
    if definition.in_process {
        facts.push(("protection", "none: measured in the host's own process".to_owned()));
    }
    facts
}

/// The number of rounds or repetitions that was asked for: at each range value, or by default.
fn asked_for(number: fn(&Rounds) -> usize, definition: &Experiment, facts: &ExperimentFacts) -> String {
    facts.asked_for(number).map_or_else(|| number(&definition.rounds()).to_string(), from_to)
}

/// "CPU 3, the last that may be used".
fn measured_on(cpu: Option<usize>, pin: CpuPin) -> String {
    match (cpu, pin) {
        (Some(cpu), CpuPin::Last) => format!("CPU {cpu}, the last that may be used"),
        (Some(cpu), _) => format!("CPU {cpu}"),
        (None, CpuPin::Off) => "any CPU, as the system chose".to_owned(),
        (None, pin) => format!("the CPU of `--pin {}`", String::from(pin)),
    }
}

fn counter(facts: &CounterFacts) -> String {
    let whose = counters::whose(facts.scope);
    let level = if facts.semantics == Semantics::Instant { ", a level" } else { "" };
    format!("{} in {}, of {whose}{level}", facts.name, facts.unit)
}

fn library(facts: &LibraryFacts) -> String {
    let debug = if facts.debug == Some(true) { ", debug build" } else { "" };
    format!("{} {}{debug}, {}, SHA-256 {}", facts.name, facts.version, facts.path, facts.sha256)
}

fn machine(machine: &Machine) -> FactList {
    let mut facts = vec![("kernel", machine.kernel.clone()), ("architecture", machine.architecture.clone())];
    facts.extend(machine.distribution.clone().map(|name| ("distribution", name)));
    facts.extend(machine.cpu.clone().map(|cpu| ("CPU", cpu)));
    facts.extend(machine.microcode.clone().map(|revision| ("microcode", revision)));
    facts.push(("CPUs that may be used", machine.cpus.to_string()));
    facts.extend(machine.memory_bytes.map(|bytes| ("memory", in_bytes(bytes))));
    facts.extend(machine.core_clock().map(|clock| ("clock of the core", clock)));
    facts.extend(machine.tsc_hz.map(|hz| ("time stamp counter", megahertz(hz))));
    facts
}

/// A number of bytes in the greatest binary unit that is not greater than it, and exactly.
fn in_bytes(bytes: u64) -> String {
    let exact = format!("{} bytes", grouped(bytes as f64, 0));
    match UNITS.iter().find(|(unit, _)| bytes >= *unit as u64) {
        Some((unit, name)) => {
            let value = bytes as f64 / *unit as f64;
            format!("{} {name} ({exact})", grouped(value, decimals([value])))
        }
        None => exact,
    }
}

fn megahertz(hz: f64) -> String {
    format!("{} MHz", grouped(hz / 1e6, 1))
}

fn seconds(time: f64) -> String {
    format!("{time:.2} s")
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    #[test]
    fn facts_have_words_and_units() {
        let mut run = testing::run();
        run.experiment.cpu = Some(1);
        let page = section(&run).into_string();
        for fact in [
            "<dt>length of the text</dt><dd>1,000 bytes</dd>",
            "<dt>counter</dt><dd>mem:level in bytes, of the whole machine, a level</dd>",
            "<dt>measured on</dt><dd>CPU 1, the last that may be used</dd>",
            "<dt>time stamp counter</dt><dd>2,000.0 MHz</dd>",
            "<dt>memory</dt><dd>16 GiB (17,179,869,184 bytes)</dd>",
            "<dt>order</dt><dd>interleaved</dd>",
            "<h2>Where the time went</h2><dl><dt>not known</dt><dd>an earlier version of assay measured the run</dd>",
        ] {
            assert!(page.contains(fact), "{fact} in {page}");
        }
        run.experiment.launcher = vec!["valgrind".to_owned()];
        let page = section(&run).into_string();
        assert!(page.contains("<dd>30000 ms, 100 times that of a run without a simulator</dd>"), "{page}");
        assert!(!page.contains("false") && !page.contains("null"));
    }
}

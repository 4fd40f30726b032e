//! What differs between two saved runs besides their times; `assay compare` reports it before the ratios.

use assay_experiment::definition::Experiment;
use assay_experiment::range::Range;
use assay_stats::significance::RUN_FLOOR;
use assay_store::ExperimentFacts;
use assay_store::noise::Noise;
use assay_store::provenance::LibraryFacts;

use crate::wording;

/// What differs between two runs, a line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDifferences {
    /// Differences that make ratios meaningless, because the runs did not do the same work.
    pub meaningless: Vec<String>,
    /// Differences that a reader of the ratios must know.
    pub notable: Vec<String>,
}

/// What differs between a first run and a later one.
pub fn setup_differences(first: &ExperimentFacts, later: &ExperimentFacts) -> SetupDifferences {
    let mut meaningless = Vec::new();
    let over = [first, later].map(|facts| facts.over().words());
    if over[0] != over[1] {
        meaningless.push(differs("range", over[0], over[1]));
    } else if repetition(first) != repetition(later) {
        meaningless.push(differs("repetition", repetition(first), repetition(later)));
    } else if !first.has_the_texts_of(later) {
        meaningless.push(differs("text", text(first), text(later)));
    }
    for (run, facts) in [("first", first), ("later", later)] {
        let parts = facts.parts.iter().zip(1..).filter(|(part, _)| !part.differs.is_empty());
        meaningless.extend(parts.map(|(part, number)| {
            format!(
                "parts: part {number} of the {run} run was measured under other conditions: {}",
                part.differs.join("; ")
            )
        }));
    }
    let mut notable = machine(first, later);
    notable.extend(libraries(first, later));
    if first.seed != later.seed {
        notable.push(differs("seed", first.seed, later.seed) + ", so the patterns are others");
    }
    match (&first.definition, &later.definition) {
        (Some(first), Some(later)) => notable.extend(settings(first, later)),
        _ => notable
            .push("settings: unknown, because another version of assay wrote one of the runs".to_owned()),
    }
    SetupDifferences { meaningless, notable }
}

/// The texts of a run with their lengths, in words.
fn text(facts: &ExperimentFacts) -> String {
    format!("{} ({})", facts.texts_in_words(), wording::lengths(facts))
}

/// The calls of a repetition, in words.
fn repetition(facts: &ExperimentFacts) -> String {
    if facts.calls.is_empty() { "prepare, search".to_owned() } else { wording::calls(facts) }
}

/// "seed: 3 before, 4 now".
fn differs(what: &str, first: impl ToString, later: impl ToString) -> String {
    format!("{what}: {} before, {} now", first.to_string(), later.to_string())
}

/// The line on a setting that differs; `None` if it is equal.
fn changed<T: PartialEq>(what: &str, first: &T, later: &T, words: impl Fn(&T) -> String) -> Option<String> {
    (first != later).then(|| differs(what, words(first), words(later)))
}

/// The line on a fact that differs; `None` if it is equal, or if one of the runs did not record it, as runs of
/// an earlier version.
fn changed_if_known(what: &str, first: &Option<String>, later: &Option<String>) -> Option<String> {
    let (first, later) = first.as_ref().zip(later.as_ref())?;
    changed(what, first, later, String::clone)
}

fn known(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "unknown".to_owned())
}

/// The CPU that a run was bound to.
fn cpu_number(cpu: &Option<usize>) -> String {
    cpu.map_or_else(|| "any".to_owned(), |cpu| cpu.to_string())
}

/// How assay was built.
fn build(is_optimised: &bool) -> String {
    if *is_optimised { "with optimisation" } else { "without" }.to_owned()
}

/// What differs between the machines, and between the builds of assay.
fn machine(first: &ExperimentFacts, later: &ExperimentFacts) -> Vec<String> {
    let (a, b) = (&first.machine, &later.machine);
    let lines = [
        changed("machine", &a.cpu, &b.cpu, known),
        changed("architecture", &a.architecture, &b.architecture, String::clone),
        changed("kernel", &a.kernel, &b.kernel, String::clone),
        changed("CPUs", &a.cpus, &b.cpus, usize::to_string),
        changed("measured on CPU", &first.cpu, &later.cpu, cpu_number),
        changed("governor", &first.noise.governor, &later.noise.governor, known),
        changed("version of assay", &a.assay, &b.assay, String::clone),
        changed("compiler of assay", &a.compiler, &b.compiler, String::clone),
        changed_if_known("flags of the compiler", &a.compiler_flags, &b.compiler_flags),
        changed_if_known("distribution", &a.distribution, &b.distribution),
        changed_if_known("microcode", &a.microcode, &b.microcode),
        changed("assay built", &a.optimised, &b.optimised, build),
        changed("environment", &a.environment(), &b.environment(), String::clone),
        speed(first, later),
        unknown_speed(first, later),
    ];
    lines.into_iter().flatten().collect()
}

/// The time of the same work in the later run over that in the first, which shows the speed of the machine
/// itself. The reference loop gives a ratio of the fastest blocks and one of the slowest blocks, because the
/// speed may change within a run; the throughput loop gives the ratio of the medians. A loop that one of the
/// runs did not time is left out.
pub fn speed_ratios(first: &Noise, later: &Noise) -> Vec<f64> {
    reference_ratios(first, later).into_iter().chain(throughput_ratio(first, later)).collect()
}

/// The [`speed_ratios`] of the reference loop.
fn reference_ratios(first: &Noise, later: &Noise) -> Vec<f64> {
    let fast = loop_ratio(first.reference_fast_ns, later.reference_fast_ns);
    let slow = loop_ratio(first.reference_slow_ns, later.reference_slow_ns);
    fast.into_iter().chain(slow).collect()
}

/// The [`speed_ratios`] of the throughput loop.
fn throughput_ratio(first: &Noise, later: &Noise) -> Option<f64> {
    loop_ratio(first.throughput_ns, later.throughput_ns)
}

/// The time of a loop now over its time before; `None` if a time is unknown, or 0.
fn loop_ratio(before: Option<u64>, now: Option<u64>) -> Option<f64> {
    let (before, now) = (before.filter(|ns| *ns > 0)?, now.filter(|ns| *ns > 0)?);
    Some(now as f64 / before as f64)
}

/// The line on a machine that was itself faster or slower by more than the run floor.
fn speed(first: &ExperimentFacts, later: &ExperimentFacts) -> Option<String> {
    let ratios = speed_ratios(&first.noise, &later.noise);
    let ratio = ratios.into_iter().max_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()))?;
    (ratio.ln().abs() > RUN_FLOOR.ln_1p()).then(|| {
        let (share, way, word) =
            if ratio > 1.0 { (ratio - 1.0, "longer", "slower") } else { (1.0 - ratio, "less", "faster") };
        format!(
            "speed: a loop of arithmetic takes up to {:.1} % {way} now; only what is {word} by more than that and \
             the floor is called {word}",
            100.0 * share
        )
    })
}

/// The line on a part of the machine's speed that is unknown, because an earlier version of assay wrote one
/// of the runs and did not time a loop. A difference of this part is then taken for one of the algorithms.
fn unknown_speed(first: &ExperimentFacts, later: &ExperimentFacts) -> Option<String> {
    if !first.has_times() || !later.has_times() {
        return None;
    }
    let (first, later) = (&first.noise, &later.noise);
    if reference_ratios(first, later).is_empty() {
        Some(
            "speed: unknown, because a run did not time the loops of arithmetic; a difference may be the \
             machine's"
                .to_owned(),
        )
    } else if throughput_ratio(first, later).is_none() {
        Some(
            "speed: known in part, because a run has no throughput loop; a difference may be another program's \
             on the same core"
                .to_owned(),
        )
    } else {
        None
    }
}

/// Libraries of one name whose files differ.
fn libraries(first: &ExperimentFacts, later: &ExperimentFacts) -> Vec<String> {
    let mut lines = Vec::new();
    for library in &later.libraries {
        let mut same_name = first.libraries.iter().filter(|other| other.name == library.name).peekable();
        if same_name.peek().is_none() || same_name.clone().any(|other| other.sha256 == library.sha256) {
            continue;
        }
        let before = same_name.next().expect("there is one");
        let name = format!("library {}", library.name);
        lines.push(differs(&name, version(before), version(library)));
    }
    lines
}

/// The version of a library with the start of its SHA-256. Eight digits are enough to see that two differ.
fn version(library: &LibraryFacts) -> String {
    let sha256 = &library.sha256;
    format!("{} ({})", library.version, sha256.get(..8).unwrap_or(sha256))
}

/// The settings that differ. Each field of an experiment is named here, without `..`, because then a new
/// field does not compile until its author has decided whether it is a difference.
fn settings(first: &Experiment, later: &Experiment) -> Vec<String> {
    let Experiment {
        // The heading of the table shows this name that the user gave.
        description: _,
        // Notes below the table name the algorithms that only one of the runs has.
        algorithms: _,
        // An instrumented run has no times, so it is refused.
        stats: _,
        runs,
        runs_by,
        // The seed that was used, drawn or given, is compared among the facts of the run.
        seed: _,
        time_limit_ms,
        warmup,
        cold,
        order,
        // The resulting number is compared, because there are at most as many rounds as repetitions.
        rounds: _,
        // These three decide together how long the run goes on, which is compared.
        until: _,
        budget: _,
        most_runs: _,
        counters,
        // It decides what reports show first, and nothing that is measured.
        first_counter: _,
        counter_options,
        multiplex,
        threads,
        calls_parallel,
        sumrange_parallel,
        // Compared together with that of the calls.
        complexity: _,
        peak_gflops,
        pin,
        in_process,
        // This is never saved. The facts record whether assay and the libraries are debug builds.
        allow_debug: _,
        range,
        sumrange,
        // The content of the text is compared by its SHA-256, because its origin does not matter.
        text: _,
        patterns,
        // A note for each run says which of its ids mean other algorithms now.
        changed_ids: _,
        // The resolved calls of a repetition are compared; their complexity is among the operations.
        calls: _,
    } = first;
    [
        changed("pattern lengths", &patterns.lengths, &later.patterns.lengths, |lengths| {
            list(lengths, "default")
        }),
        changed("patterns", &pattern_kind(first), &pattern_kind(later), String::clone),
        changed("range", range, &later.range, |range| range_words(range.as_ref())),
        changed("sum range", sumrange, &later.sumrange, |range| range_words(range.as_ref())),
        changed("threads", threads, &later.threads, usize::to_string),
        changed("calls in parallel", calls_parallel, &later.calls_parallel, yes_or_no),
        changed("sum range in parallel", sumrange_parallel, &later.sumrange_parallel, yes_or_no),
        changed("operations", &operations(first), &operations(later), String::clone),
        changed("peak", peak_gflops, &later.peak_gflops, or_none),
        changed("repetitions", runs, &later.runs, usize::to_string),
        changed("repetitions by", runs_by, &later.runs_by, or_none),
        changed("rounds", &first.rounds().count(), &later.rounds().count(), usize::to_string),
        changed("how long", &first.goes_on_in_words(), &later.goes_on_in_words(), or_none),
        changed("order", order, &later.order, |order| order.name().to_owned()),
        changed("warm-up repetitions", warmup, &later.warmup, usize::to_string),
        changed("time limit in ms", time_limit_ms, &later.time_limit_ms, u64::to_string),
        changed("pin", pin, &later.pin, |pin| String::from(*pin)),
        changed("in the host's process", in_process, &later.in_process, yes_or_no),
        changed("text out of the caches", cold, &later.cold, yes_or_no),
        changed("counters", counters, &later.counters, |counters| list(counters, "none")),
        changed("counter options", counter_options, &later.counter_options, |options| list(options, "none")),
        changed("counters take turns (--multiplex)", multiplex, &later.multiplex, yes_or_no),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The declared complexity: of all searches, or of each call.
fn operations(experiment: &Experiment) -> String {
    let of_calls: Vec<String> = experiment
        .calls
        .iter()
        .filter_map(|call| call.complexity.as_ref())
        .map(ToString::to_string)
        .collect();
    if of_calls.is_empty() { or_none(&experiment.complexity) } else { of_calls.join("; ") }
}

/// The given pattern, or the kind of the drawn ones.
fn pattern_kind(experiment: &Experiment) -> String {
    match &experiment.patterns.given {
        Some(pattern) => format!("the given one {pattern}"),
        None => experiment.patterns.kind.to_string(),
    }
}

fn yes_or_no(yes: &bool) -> String {
    if *yes { "yes" } else { "no" }.to_owned()
}

fn or_none<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "none".to_owned(), T::to_string)
}

/// "2, 4, 8", or a word if the list is empty.
fn list<T: ToString>(all: &[T], empty: &str) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    if all.is_empty() { empty.to_owned() } else { all.join(", ") }
}

/// "text size 1024, 2048".
fn range_words(range: Option<&Range>) -> String {
    let Some(range) = range else { return "none".to_owned() };
    let values = match range {
        Range::TextBytes(numbers) | Range::Alphabet(numbers) | Range::Threads(numbers) => list(numbers, ""),
        Range::Text(names) => names.join(", "),
    };
    format!("{} {values}", range.over().words())
}

/// What a reader must know about one run: whether it is unfinished, its unusual settings, and what disturbed
/// it.
pub fn conditions(facts: &ExperimentFacts) -> Vec<String> {
    let unfinished = facts.interrupted.then(|| "not complete: not all was measured".to_owned());
    unfinished.into_iter().chain(wording::unusual_conditions(facts)).chain(wording::remarks(facts)).collect()
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    /// A run that timed both loops.
    fn with_loops() -> ExperimentFacts {
        let mut facts = testing::run().experiment;
        let noise = &mut facts.noise;
        (noise.reference_fast_ns, noise.reference_slow_ns) = (Some(1000), Some(1100));
        noise.throughput_ns = Some(500);
        facts
    }

    #[test]
    fn equal_runs_have_nothing_to_say() {
        let facts = with_loops();
        assert_eq!(
            setup_differences(&facts, &facts),
            SetupDifferences { meaningless: Vec::new(), notable: Vec::new() }
        );
    }

    fn library(sha256: &str) -> LibraryFacts {
        LibraryFacts {
            path: "libcomparison.so".to_owned(),
            name: "comparison".to_owned(),
            version: "0.1.0".to_owned(),
            sha256: sha256.to_owned(),
            debug: None,
        }
    }

    #[test]
    fn each_thing_that_differs_is_named_with_both_values() {
        let mut before = testing::run().experiment;
        before.libraries = vec![library("0000000000")];
        let mut now = before.clone();
        now.text.sha256 = "another".to_owned();
        now.machine.cpu = Some("Other 3000".to_owned());
        now.seed += 1;
        now.libraries = vec![library("ffffffffff")];
        now.noise.governor = Some("powersave".to_owned());
        let definition = now.definition.as_mut().unwrap();
        (definition.runs, definition.warmup) = (7777, 99);
        definition.counters.push("perf:cycles".to_owned());
        let SetupDifferences { meaningless, notable } = setup_differences(&before, &now);
        assert_eq!(meaningless.len(), 1);
        assert!(
            meaningless[0].starts_with("text: ") && meaningless[0].contains("(1,000 bytes) before"),
            "{meaningless:?}"
        );
        for what in [
            "machine: ",
            "seed: ",
            "library comparison: 0.1.0 (00000000) before, 0.1.0 (ffffffff) now",
            "governor: unknown before, powersave now",
            "counters: ",
        ] {
            assert!(notable.iter().any(|line| line.starts_with(what)), "{what} in {notable:#?}");
        }
        assert!(notable.iter().any(|line| line.ends_with("7777 now")), "{notable:#?}");
        now.definition = None;
        assert!(
            setup_differences(&before, &now).notable.iter().any(|line| line.starts_with("settings: unknown"))
        );
    }

    #[test]
    fn another_speed_is_reported_in_its_direction() {
        let mut before = with_loops();
        let line = |fast: u64, slow: u64| {
            let mut now = before.clone();
            (now.noise.reference_fast_ns, now.noise.reference_slow_ns) = (Some(fast), Some(slow));
            speed(&before, &now)
        };
        assert_eq!((line(1019, 1100), line(985, 1100), line(1000, 1100)), (None, None, None));
        assert!(line(1030, 1210).unwrap().contains("up to 10.0 % longer now; only what is slower"));
        assert!(line(800, 1100).unwrap().contains("up to 20.0 % less now; only what is faster"));
        let mut now = before.clone();
        now.noise.throughput_ns = Some(600);
        assert!(speed(&before, &now).unwrap().contains("up to 20.0 % longer now; only what is slower"));
        before.noise.reference_fast_ns = Some(0);
        assert_eq!(speed_ratios(&before.noise, &before.noise), [1.0, 1.0]);
    }

    #[test]
    fn a_run_of_an_earlier_version_is_reported_to_have_no_loop() {
        let new = with_loops();
        let (mut without_throughput, mut without_loops) = (new.clone(), new.clone());
        without_throughput.noise.throughput_ns = None;
        without_loops.noise = Noise::default();
        let lines =
            |first: &ExperimentFacts, later: &ExperimentFacts| setup_differences(first, later).notable;
        for old in [&without_throughput, &without_loops] {
            assert_eq!(lines(old, &new), lines(&new, old), "whichever run is the old one");
        }
        assert!(
            lines(&new, &without_throughput)[0].starts_with("speed: known in part, because a run has no thr")
        );
        assert!(lines(&new, &without_loops)[0].starts_with("speed: unknown, because"));
        assert!(speed_ratios(&without_loops.noise, &new.noise).is_empty());
        let mut slower = without_throughput.clone();
        slower.noise.reference_slow_ns = Some(1210);
        let lines = lines(&without_throughput, &slower);
        assert!(lines[0].contains("up to 10.0 % longer now") && lines[1].contains("in part"), "{lines:?}");
    }

    /// Every setting that two runs may differ in, each alone.
    #[test]
    fn each_setting_that_differs_is_named() {
        let before = with_loops();
        let lines = |change: fn(&mut Experiment)| {
            let mut now = before.clone();
            change(now.definition.as_mut().unwrap());
            setup_differences(&before, &now).notable
        };
        type Change = fn(&mut Experiment);
        let changes: [(&str, Change); 21] = [
            ("pattern lengths: ", |now| now.patterns.lengths = vec![77]),
            ("patterns: ", |now| now.patterns.kind = "absent".parse().unwrap()),
            ("range: none before, threads 1, 2 now", |now| now.range = Some(Range::Threads(vec![1, 2]))),
            ("sum range: none before, text a, b now", |now| {
                now.sumrange = Some(Range::Text(vec!["a".to_owned(), "b".to_owned()]));
            }),
            ("threads: 1 before, 9 now", |now| now.threads = 9),
            ("calls in parallel: no before, yes now", |now| now.calls_parallel = true),
            ("sum range in parallel: no before, yes now", |now| now.sumrange_parallel = true),
            ("operations: none before", |now| now.complexity = Some("2 * text_length".parse().unwrap())),
            ("peak: none before, 7.5 now", |now| now.peak_gflops = Some(7.5)),
            ("repetitions: ", |now| now.runs += 1),
            ("repetitions by: none before", |now| now.runs_by = Some("pattern_length".parse().unwrap())),
            ("rounds: ", |now| now.rounds = 1),
            ("how long: none before", |now| now.until = Some("3%".parse().unwrap())),
            ("order: ", |now| now.order = assay_experiment::definition::Order::Shuffled),
            ("warm-up repetitions: ", |now| now.warmup += 1),
            ("time limit in ms: ", |now| now.time_limit_ms += 1),
            ("pin: last before, off now", |now| now.pin = assay_experiment::definition::CpuPin::Off),
            ("in the host's process: no before, yes now", |now| now.in_process = true),
            ("text out of the caches: no before, yes now", |now| now.cold = true),
            ("counter options: none before, a.b=c now", |now| now.counter_options = vec!["a.b=c".to_owned()]),
            ("counters take turns (--multiplex): no before, yes now", |now| now.multiplex = true),
        ];
        for (expected, change) in changes {
            let lines = lines(change);
            assert!(lines.iter().any(|line| line.starts_with(expected)), "{expected} in {lines:#?}");
        }
        assert_eq!(lines(|now| now.description = "other".to_owned()), [] as [&str; 0]);
    }

    #[test]
    fn a_run_that_was_not_finished_says_so() {
        let mut facts = testing::run().experiment;
        facts.interrupted = true;
        let lines = conditions(&facts);
        assert_eq!(lines[0], "not complete: not all was measured");
        facts.interrupted = false;
        assert_eq!(conditions(&facts), lines[1..]);
    }
}

//! What differs between two saved runs besides their times: it is said before their figures are compared.

use assay_experiment::definition::Experiment;
use assay_experiment::range::Range;
use assay_stats::significance::RUN_FLOOR;
use assay_store::ExperimentFacts;
use assay_store::noise::Noise;

use crate::wording;

/// What differs between two runs, a line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDifferences {
    /// Differences that leave ratios without meaning: the runs did not do the same.
    pub meaningless: Vec<String>,
    /// Differences that a reader of the ratios must know.
    pub notable: Vec<String>,
}

/// What differs between a first run and a later one.
pub fn setup_differences(first: &ExperimentFacts, later: &ExperimentFacts) -> SetupDifferences {
    let mut meaningless = Vec::new();
    let over = [first, later].map(|facts| facts.over().words());
    let text = |facts: &ExperimentFacts| format!("{} ({})", wording::texts(facts), wording::lengths(facts));
    if over[0] != over[1] {
        meaningless.push(differs("range", over[0], over[1]));
    } else if repetition(first) != repetition(later) {
        meaningless.push(differs("repetition", repetition(first), repetition(later)));
    } else if !first.has_the_texts_of(later) {
        meaningless.push(differs("text", text(first), text(later)));
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

/// The calls of a repetition, in words.
fn repetition(facts: &ExperimentFacts) -> String {
    if facts.calls.is_empty() { "prepare, search".to_owned() } else { wording::calls(facts) }
}

/// "seed: 3 before, 4 now".
fn differs(what: &str, first: impl ToString, later: impl ToString) -> String {
    format!("{what}: {} before, {} now", first.to_string(), later.to_string())
}

/// The line of what differs; `None` if it is equal.
fn changed<T: PartialEq>(what: &str, first: &T, later: &T, words: impl Fn(&T) -> String) -> Option<String> {
    (first != later).then(|| differs(what, words(first), words(later)))
}

fn known(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "unknown".to_owned())
}

/// What differs between the machines, and between the builds of assay.
fn machine(first: &ExperimentFacts, later: &ExperimentFacts) -> Vec<String> {
    let (a, b) = (&first.machine, &later.machine);
    let cpu = |cpu: &Option<usize>| cpu.map_or_else(|| "any".to_owned(), |cpu| cpu.to_string());
    let built = |optimised: &bool| if *optimised { "with optimisation" } else { "without" }.to_owned();
    let lines = [
        changed("machine", &a.cpu, &b.cpu, known),
        changed("architecture", &a.architecture, &b.architecture, String::clone),
        changed("kernel", &a.kernel, &b.kernel, String::clone),
        changed("CPUs", &a.cpus, &b.cpus, usize::to_string),
        changed("measured on CPU", &first.cpu, &later.cpu, cpu),
        changed("governor", &first.noise.governor, &later.noise.governor, known),
        changed("version of assay", &a.assay, &b.assay, String::clone),
        changed("compiler of assay", &a.compiler, &b.compiler, String::clone),
        changed("assay built", &a.optimised, &b.optimised, built),
        speed(first, later),
        unknown_speed(first, later),
    ];
    lines.into_iter().flatten().collect()
}

/// How many times as long the machine itself took in the later run for the same work: the reference loop by
/// the fastest blocks of both runs and by the slowest, because the speed may move within a run; and the
/// throughput loop by the median of the blocks. A loop that one of the runs did not time is left out.
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

/// How many times as long a loop took now; `None` if a time is unknown, or 0.
fn loop_ratio(before: Option<u64>, now: Option<u64>) -> Option<f64> {
    let (before, now) = (before.filter(|ns| *ns > 0)?, now.filter(|ns| *ns > 0)?);
    Some(now as f64 / before as f64)
}

/// Whether the machine itself was faster or slower, by more than differences between runs are anyway.
fn speed(first: &ExperimentFacts, later: &ExperimentFacts) -> Option<String> {
    let farther = |a: &f64, b: &f64| a.ln().abs().total_cmp(&b.ln().abs());
    let ratio = speed_ratios(&first.noise, &later.noise).into_iter().max_by(farther)?;
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

/// Which part of the machine's speed is unknown, because one of the runs did not time a loop: an earlier
/// version of assay wrote it. So a difference that this part explains is called one.
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
        let words = |version: &str, sha256: &str| {
            let short = sha256.get(..8).unwrap_or(sha256);
            format!("{version} ({short})")
        };
        let (before, now) =
            (words(&before.version, &before.sha256), words(&library.version, &library.sha256));
        lines.push(differs(&format!("library {}", library.name), before, now));
    }
    lines
}

/// The settings that differ. Each field of an experiment is named here, without `..`, so that a new one does
/// not compile until somebody has decided whether it is a difference.
fn settings(first: &Experiment, later: &Experiment) -> Vec<String> {
    let Experiment {
        // A name that the user gave: it stands above the table.
        description: _,
        // Which ones only one run has is said below the table, and so are pattern lengths.
        algorithms: _,
        // A run that is instrumented has no times, and is refused.
        stats: _,
        runs,
        runs_by,
        // The one that was drawn or given is among the facts of the run.
        seed: _,
        time_limit_ms,
        warmup,
        cold,
        order,
        // As many as there are repetitions, at most: their true number is compared.
        rounds: _,
        // The three are reported together, as how long the run goes on.
        until: _,
        budget: _,
        most_runs: _,
        counters,
        counter_options,
        multiplex,
        threads,
        complexity,
        peak_gflops,
        pin,
        in_process,
        // It is never saved; whether assay and the libraries are debug builds is among the facts.
        allow_debug: _,
        range,
        sumrange,
        // What the text holds is compared, by its SHA-256, and not where it comes from.
        text: _,
        patterns,
        // What a repetition calls is compared, as it was resolved.
        calls: _,
    } = first;
    let how_long = |experiment: &Experiment| experiment.goes_on_in_words();
    let kind = |experiment: &Experiment| match &experiment.patterns.given {
        Some(pattern) => format!("the given one {pattern}"),
        None => experiment.patterns.kind.to_string(),
    };
    let number = usize::to_string;
    [
        changed("pattern lengths", &patterns.lengths, &later.patterns.lengths, |lengths| {
            list(lengths, "default")
        }),
        changed("patterns", &kind(first), &kind(later), String::clone),
        changed("range", range, &later.range, |range| range_words(range.as_ref())),
        changed("sum range", sumrange, &later.sumrange, |range| range_words(range.as_ref())),
        changed("threads", threads, &later.threads, number),
        changed("operations", complexity, &later.complexity, or_none),
        changed("peak", peak_gflops, &later.peak_gflops, or_none),
        changed("repetitions", runs, &later.runs, number),
        changed("repetitions by", runs_by, &later.runs_by, or_none),
        changed("rounds", &first.rounds().count(), &later.rounds().count(), number),
        changed("how long", &how_long(first), &how_long(later), or_none),
        changed("order", order, &later.order, |order| order.name().to_owned()),
        changed("warm-up repetitions", warmup, &later.warmup, number),
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

fn yes_or_no(yes: &bool) -> String {
    if *yes { "yes" } else { "no" }.to_owned()
}

fn or_none<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "none".to_owned(), T::to_string)
}

/// "2, 4, 8", or a word if there is nothing.
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

/// What a reader must know about one run by itself: that it is unfinished, unusual settings, and what
/// disturbed it.
pub fn conditions(facts: &ExperimentFacts) -> Vec<String> {
    let unfinished = facts.interrupted.then(|| "interrupted, so not all was measured".to_owned());
    unfinished.into_iter().chain(wording::unusual_conditions(facts)).chain(wording::remarks(facts)).collect()
}

#[cfg(test)]
mod tests {
    use assay_store::provenance::LibraryFacts;
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

    #[test]
    fn each_thing_that_differs_is_named_with_both_values() {
        let mut before = testing::run().experiment;
        let library = |sha256: &str| LibraryFacts {
            path: "libcomparison.so".to_owned(),
            name: "comparison".to_owned(),
            version: "0.1.0".to_owned(),
            sha256: sha256.to_owned(),
            debug: None,
        };
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
    fn a_run_of_an_earlier_version_is_said_to_have_no_loop() {
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
        let changes: [(&str, Change); 19] = [
            ("pattern lengths: ", |now| now.patterns.lengths = vec![77]),
            ("patterns: ", |now| now.patterns.kind = "absent".parse().unwrap()),
            ("range: none before, threads 1, 2 now", |now| now.range = Some(Range::Threads(vec![1, 2]))),
            ("sum range: none before, text a, b now", |now| {
                now.sumrange = Some(Range::Text(vec!["a".to_owned(), "b".to_owned()]));
            }),
            ("threads: 1 before, 9 now", |now| now.threads = 9),
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
        assert_eq!(lines[0], "interrupted, so not all was measured");
        facts.interrupted = false;
        assert_eq!(conditions(&facts), lines[1..]);
    }
}

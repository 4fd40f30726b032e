//! What two saved runs do not have in common: to be said before their figures are compared.

use crate::experiment::definition::Experiment;
use crate::results::ExperimentFacts;

/// What differs between two runs, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// What makes ratios senseless.
    pub senseless: Vec<String>,
    /// What has to be known.
    pub telling: Vec<String>,
}

/// From so much on, as a share, a machine ran at another speed.
const OTHER_SPEED: f64 = 0.05;

/// What differs between a first run and a later one.
pub fn unlike(first: &ExperimentFacts, later: &ExperimentFacts) -> Unlike {
    let mut senseless = Vec::new();
    let over = [first, later].map(|facts| facts.over().words());
    let design = |facts: &ExperimentFacts| match facts.calls.is_empty() {
        true => "prepare, search".to_owned(),
        false => facts.calls_in_words(),
    };
    if over[0] != over[1] {
        senseless.push(differs("range", over[0], over[1]));
    } else if design(first) != design(later) {
        senseless.push(differs("repetition", design(first), design(later)));
    } else if !first.has_the_texts_of(later) {
        let text =
            |facts: &ExperimentFacts| format!("{} ({})", facts.texts_in_words(), facts.lengths_in_words());
        senseless.push(differs("text", text(first), text(later)));
    }
    let mut telling = machine(first, later);
    telling.extend(libraries(first, later));
    if first.seed != later.seed {
        telling.push(differs("seed", first.seed, later.seed) + ", so the patterns are others");
    }
    match (&first.definition, &later.definition) {
        (Some(first), Some(later)) => telling.extend(settings(first, later)),
        _ => telling.push("settings: not known of both, since another version of assay wrote one".to_owned()),
    }
    Unlike { senseless, telling }
}

fn differs(what: &str, first: impl ToString, later: impl ToString) -> String {
    format!("{what}: {} before, {} now", first.to_string(), later.to_string())
}

fn changed<T: PartialEq>(what: &str, first: &T, later: &T, words: impl Fn(&T) -> String) -> Option<String> {
    (first != later).then(|| differs(what, words(first), words(later)))
}

fn known(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "unknown".to_owned())
}

fn machine(first: &ExperimentFacts, later: &ExperimentFacts) -> Vec<String> {
    let (a, b) = (&first.machine, &later.machine);
    let cpu = |cpu: &Option<usize>| cpu.map_or_else(|| "any".to_owned(), |cpu| cpu.to_string());
    let built = |optimised: &bool| if *optimised { "with optimisation" } else { "without" }.to_owned();
    let said = [
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
    ];
    said.into_iter().flatten().collect()
}

/// Whether the machine ran at another speed, by the loop that does the same in each run.
fn speed(first: &ExperimentFacts, later: &ExperimentFacts) -> Option<String> {
    let (before, now) = (first.noise.reference_fast_ns?, later.noise.reference_fast_ns?);
    let ratio = now as f64 / before as f64;
    let more = if ratio > 1.0 { ratio - 1.0 } else { 1.0 - ratio };
    (more >= OTHER_SPEED && ratio.is_finite()).then(|| {
        let way = if ratio > 1.0 { "longer" } else { "less" };
        format!(
            "speed: a loop of arithmetic takes {:.0} % {way} now; the machine may be what changed, and nothing is corrected by it",
            100.0 * more
        )
    })
}

fn libraries(first: &ExperimentFacts, later: &ExperimentFacts) -> Vec<String> {
    let mut said = Vec::new();
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
        said.push(differs(&format!("library {}", library.name), before, now));
    }
    said
}

fn settings(a: &Experiment, b: &Experiment) -> Vec<String> {
    let order = |experiment: &Experiment| experiment.order.name().to_owned();
    let yes = |yes: &bool| if *yes { "yes" } else { "no" }.to_owned();
    let counters = |counters: &Vec<String>| {
        if counters.is_empty() { "none".to_owned() } else { counters.join(", ") }
    };
    let how_long =
        |experiment: &Experiment| experiment.goes_on_in_words().unwrap_or_else(|| "as asked for".to_owned());
    let runs_by = |experiment: &Experiment| match &experiment.runs_by {
        Some(formula) => formula.to_string(),
        None => "no formula".to_owned(),
    };
    let patterns = |experiment: &Experiment| match &experiment.patterns.given {
        Some(_) => "a given one".to_owned(),
        None => experiment.patterns.kind.to_string(),
    };
    let lengths = |experiment: &Experiment| {
        let lengths = &experiment.patterns.lengths;
        let all: Vec<String> = lengths.iter().map(usize::to_string).collect();
        if all.is_empty() { "the default ones".to_owned() } else { all.join(", ") }
    };
    // Where the length does not vary, it is that of all columns.
    let fixed = a.range.is_some() && b.range.is_some();
    let peak =
        |experiment: &Experiment| experiment.peak_gflops.map_or("none".to_owned(), |peak| peak.to_string());
    let operations = |experiment: &Experiment| {
        experiment.complexity.as_ref().map_or("none".to_owned(), ToString::to_string)
    };
    let said = [
        (fixed && a.patterns.lengths != b.patterns.lengths)
            .then(|| differs("pattern length", lengths(a), lengths(b))),
        changed("threads", &a.threads, &b.threads, usize::to_string),
        (a.complexity != b.complexity).then(|| differs("operations", operations(a), operations(b))),
        (a.peak_gflops != b.peak_gflops).then(|| differs("peak", peak(a), peak(b))),
        changed("repetitions", &a.runs, &b.runs, usize::to_string),
        (a.runs_by != b.runs_by).then(|| differs("repetitions by", runs_by(a), runs_by(b))),
        changed("rounds", &a.rounds().count(), &b.rounds().count(), usize::to_string),
        (a.goes_on_in_words() != b.goes_on_in_words()).then(|| differs("how long", how_long(a), how_long(b))),
        (a.order != b.order).then(|| differs("order", order(a), order(b))),
        changed("warm-up repetitions", &a.warmup, &b.warmup, usize::to_string),
        changed("time limit in ms", &a.time_limit_ms, &b.time_limit_ms, u64::to_string),
        changed("in the host's process", &a.in_process, &b.in_process, yes),
        changed("text out of the caches", &a.cold, &b.cold, yes),
        changed("counters", &a.counters, &b.counters, counters),
        (a.patterns.given != b.patterns.given || a.patterns.kind != b.patterns.kind)
            .then(|| differs("patterns", patterns(a), patterns(b))),
    ];
    said.into_iter().flatten().collect()
}

/// What is to be known of a run by itself: that it was not finished, under which unusual conditions it was made, what disturbed it.
pub fn conditions(facts: &ExperimentFacts) -> Vec<String> {
    let unfinished = facts.interrupted.then(|| "interrupted, so not all was measured".to_owned());
    let said = facts.unusual().into_iter().chain(facts.remarks());
    unfinished.into_iter().chain(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::provenance::LibraryFacts;
    use crate::results::testing;

    #[test]
    fn equal_runs_have_nothing_to_say() {
        let facts = testing::run().experiment;
        assert_eq!(unlike(&facts, &facts), Unlike { senseless: Vec::new(), telling: Vec::new() });
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
        let Unlike { senseless, telling } = unlike(&before, &now);
        assert_eq!(senseless.len(), 1);
        assert!(
            senseless[0].starts_with("text: ") && senseless[0].contains("(1,000 bytes) before"),
            "{senseless:?}"
        );
        for what in [
            "machine: ",
            "seed: ",
            "library comparison: 0.1.0 (00000000) before, 0.1.0 (ffffffff) now",
            "governor: unknown before, powersave now",
            "counters: ",
        ] {
            assert!(telling.iter().any(|line| line.starts_with(what)), "{what} in {telling:#?}");
        }
        assert!(telling.iter().any(|line| line.ends_with("7777 now")), "{telling:#?}");
        now.definition = None;
        assert!(unlike(&before, &now).telling.iter().any(|line| line.starts_with("settings: not known")));
    }

    #[test]
    fn another_speed_is_told_in_its_direction() {
        let mut before = testing::run().experiment;
        before.noise.reference_fast_ns = Some(1000);
        let told = |ns: u64| {
            let mut now = before.clone();
            now.noise.reference_fast_ns = Some(ns);
            speed(&before, &now)
        };
        assert_eq!((told(1049), told(960)), (None, None));
        assert!(told(1100).unwrap().contains("takes 10 % longer now"));
        assert!(told(800).unwrap().contains("takes 20 % less now"));
    }

    #[test]
    fn a_run_that_was_not_finished_says_so() {
        let mut facts = testing::run().experiment;
        facts.interrupted = true;
        let said = conditions(&facts);
        assert_eq!(said[0], "interrupted, so not all was measured");
        facts.interrupted = false;
        assert_eq!(conditions(&facts), said[1..]);
    }
}

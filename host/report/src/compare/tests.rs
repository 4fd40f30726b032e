//! Comparisons of simulated runs, whose differences are known.

use super::super::tests::with_columns;
use super::*;

/// A run of five rounds of `a` and `b` at two lengths, `a` slower by this factor, with a seed.
fn report(slower: f64, seed: u64, failed: &str) -> Report {
    let mut rows = String::new();
    for round in 0..5u32 {
        for (algorithm, length, time) in
            [("a", 4, 10_000.0 * slower), ("a", 8, 20_000.0 * slower), ("b", 4, 5000.0), ("b", 8, 9000.0)]
        {
            if failed != format!("{algorithm}{length}") {
                // Rounds differ by 1 %, patterns by nothing.
                let time = time * (1.0 + 0.01 * f64::from((round * 7 + length) % 3));
                rows += &format!("{algorithm},{length},{round},ok,3,10,{time},0,{round}\n");
            } else if round == 0 {
                rows += &format!("{algorithm},{length},0,crashed,,,,,0\n");
            }
        }
    }
    let mut report = with_columns(",round", &rows).unwrap();
    report.facts.seed = seed;
    report
}

fn words(lines: &[ComparedTimes]) -> Vec<String> {
    lines.iter().map(word).collect()
}

/// "a 4 slower".
fn word(line: &ComparedTimes) -> String {
    let (id, value) = (line.algorithm.as_deref().unwrap_or("all"), line.value.unwrap_or_default());
    format!("{id} {value} {}", line.comparison.map_or("-", |comparison| comparison.word()))
}

#[test]
fn runs_of_the_same_patterns_are_paired_and_others_are_not() {
    let first = report(1.0, 1, "");
    for (seed, paired) in [(1, true), (2, false)] {
        let RunComparison { runs, comparisons, floor, .. } =
            compare_runs(&first, &[report(1.5, seed, "")], Some(Call::Search), None).unwrap();
        let ComparedRun { by_pattern, cells, overall, rounds, common, not_compared, .. } = &runs[0];
        let sides = if paired { 1 } else { 2 };
        assert_eq!(*common, vec![CommonRounds { rounds: 5, most: 5 }; sides]);
        assert_eq!(*rounds, vec![(5, 5); sides]);
        assert_eq!((*by_pattern, comparisons, floor, not_compared.len()), (paired, 7, 0.02, 0));
        assert_eq!(words(cells), ["a 4 slower", "a 8 slower", "b 4 same", "b 8 same"]);
        assert_eq!(words(overall), ["a 0 slower", "b 0 same", "all 0 slower"]);
        let ratio = overall[2].comparison.unwrap().ratio.ratio;
        assert!((ratio - 1.5f64.sqrt()).abs() < 0.01, "{ratio}");
    }
}

/// The step of each time of a run: "a 4 slower since 1".
fn steps(run: &ComparedRun) -> Vec<String> {
    let step = |line: &ComparedTimes| {
        let SeriesStep { previous, comparison } = line.step?;
        let (id, value) = (line.algorithm.as_deref().unwrap_or("all"), line.value.unwrap_or_default());
        (comparison.verdict != Verdict::Tied)
            .then(|| format!("{id} {value} {} since {previous}", comparison.word()))
    };
    run.cells.iter().chain(&run.overall).filter_map(step).collect()
}

#[test]
fn a_series_shows_at_which_run_times_changed() {
    let runs = [1.0, 1.5, 1.5, 0.75].map(|slower| report(slower, 1, ""));
    for seed in [1, 2] {
        let mut later = runs[..].to_vec();
        // Runs of other patterns are compared by their medians.
        later[1].facts.seed = seed;
        let found = compare_runs(&report(1.0, 1, ""), &later, Some(Call::Search), None).unwrap();
        let changes: Vec<Vec<String>> = found.runs.iter().map(steps).collect();
        let of_a = |word: &str| ["a 4", "a 8", "a 0", "all 0"].map(|cell| format!("{cell} {word}")).to_vec();
        assert_eq!(changes, [vec![], of_a("slower since 1"), vec![], of_a("faster since 3")], "seed {seed}");
        assert_eq!((found.steps, found.comparisons), (28, 28));
    }
    let two = compare_runs(&runs[0], &runs[1..2], Some(Call::Search), None).unwrap();
    assert!(two.steps == 0 && two.runs[0].cells.iter().all(|line| line.step.is_none()));
}

#[test]
fn a_run_that_has_lost_a_cell_is_left_out_of_its_series() {
    let later = [report(1.0, 1, ""), report(1.0, 1, "a4"), report(1.5, 1, "")];
    let found = compare_runs(&report(1.0, 1, ""), &later, Some(Call::Search), None).unwrap();
    let changes: Vec<Vec<String>> = found.runs.iter().map(steps).collect();
    assert_eq!(
        changes[2],
        ["a 4 slower since 1", "a 8 slower since 2", "a 0 slower since 2", "all 0 slower since 2"]
    );
}

#[test]
fn too_slow_is_what_is_slower_than_the_limit_beyond_noise() {
    assert_eq!(count_too_slow(1.5, 0.05), 2);
    assert_eq!(count_too_slow(1.5, 0.6), 0, "slower, but by less than the limit");
    assert_eq!(count_too_slow(1.055, 0.05), 0, "the interval reaches below the limit");
    assert_eq!(count_too_slow(0.5, 0.05), 0);
}

/// The number of cells that are too slow for a limit if `a` is slower by this factor.
fn count_too_slow(slower: f64, limit: f64) -> usize {
    let found = compare_runs(&report(1.0, 1, ""), &[report(slower, 2, "")], None, Some(limit)).unwrap();
    found.runs[0].cells.iter().filter(|line| line.too_slow).count()
}

#[test]
fn a_machine_that_is_slower_explains_slower_times_and_no_faster_ones() {
    let cases = [
        (1.06, 10_000, "a 4 slower", true, "the machine is as fast as before"),
        (1.06, 10_600, "a 4 unclear", false, "the machine explains it"),
        (1.3, 10_600, "a 4 slower", true, "the machine explains a smaller difference only"),
        (0.95, 10_600, "a 4 faster", false, "a slower machine makes nothing faster"),
        (0.95, 9_500, "a 4 unclear", false, "a faster machine explains it"),
        (1.015, 10_000, "a 4 same", false, "the floor between runs is 2 %"),
    ];
    for (slower, reference_ns, expected, too_slow, reason) in cases {
        let (mut first, mut later) = (report(1.0, 1, ""), report(slower, 1, ""));
        first.facts.noise.reference_fast_ns = Some(10_000);
        first.facts.noise.reference_slow_ns = Some(10_500);
        later.facts.noise.reference_fast_ns = Some(reference_ns);
        later.facts.noise.reference_slow_ns = Some(10_500);
        let found = compare_runs(&first, &[later], Some(Call::Search), Some(0.05)).unwrap();
        let cell = &found.runs[0].cells[0];
        assert_eq!((word(cell).as_str(), cell.too_slow), (expected, too_slow), "{reason}");
    }
}

#[test]
fn cells_that_only_one_run_has_are_reported_with_the_reason() {
    let (all, less) = (report(1.0, 1, ""), report(1.0, 1, "b8"));
    assert_eq!(reasons(&all, less.clone()), [("b".to_owned(), 8, NotComparable::FailsNow)]);
    assert_eq!(reasons(&less, all.clone()), [("b".to_owned(), 8, NotComparable::FailedBefore)]);
    let only = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\nc,4,0,ok,3,10,9999,0,0\n").unwrap();
    let found = reasons(&all, only);
    assert!(found.contains(&("b".to_owned(), 4, NotComparable::NotMeasuredNow)), "{found:?}");
    assert!(found.contains(&("c".to_owned(), 4, NotComparable::NotMeasuredBefore)), "{found:?}");
    let mut slow_clock = all.clone();
    slow_clock.facts.noise.floor_ns = Some(700.0);
    let found = reasons(&all, slow_clock);
    assert_eq!(found, [("b".to_owned(), 4, NotComparable::TooShort)]);
}

#[test]
fn what_an_algorithm_is_not_made_for_in_both_runs_is_not_a_failure_and_lost_times_are_reported() {
    let refused = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\nb,4,0,cannot_search,,,,,0\n").unwrap();
    let of_b = |first: &Report, later: &Report| {
        let all = reasons(first, later.clone());
        all.into_iter().find(|(id, value, _)| (id.as_str(), *value) == ("b", 4)).unwrap().2
    };
    let all = report(1.0, 1, "");
    assert_eq!(of_b(&refused, &refused), NotComparable::NotMadeFor);
    assert_eq!(of_b(&refused, &all), NotComparable::NotMadeFor);
    assert_eq!(of_b(&all, &refused), NotComparable::NotMadeForNow);
    assert!(!NotComparable::NotMadeFor.is_new_failure() && NotComparable::NotMadeForNow.is_new_failure());
}

/// The cells that could not be compared.
fn reasons(first: &Report, later: Report) -> Vec<(String, u64, NotComparable)> {
    let found = compare_runs(first, &[later], Some(Call::Search), None).unwrap();
    let cells = found.runs[0].not_compared.iter();
    cells.map(|cell| (cell.algorithm.clone(), cell.value, cell.reason)).collect()
}

#[test]
fn one_round_gives_no_ratio() {
    let one = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\n").unwrap();
    let found = compare_runs(&one, std::slice::from_ref(&one), Some(Call::Search), Some(0.05)).unwrap();
    assert_eq!((words(&found.runs[0].cells), found.comparisons), (vec!["a 4 -".to_owned()], 0));
}

/// A machine whose speed moves in steps of up to 5 %, also within a run, and which other programs slow down
/// at times. A further difference lasts for a whole run, and neither loop shows it.
mod steps {
    use assay_stats::simulated::normal;
    use assay_store::blocks::BlockRecord;
    use assay_store::noise::{BlockNoise, Noise};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const PAIRS: u32 = 300;
    /// Speeds of the reference loop that a shared virtual machine showed (docs/src/validation.md): 12,316,
    /// 12,705 and 13,114 ns, with the last at 5 %.
    const SPEEDS: [f64; 3] = [1.0, 1.03, 1.05];
    const LENGTHS: [u32; 3] = [4, 8, 16];

    /// The factor by which another program on the same core lengthens the times while it runs.
    #[derive(Clone, Copy, Debug)]
    struct OtherProgram(f64);

    /// A run of `a`, `b` and `c` in ten rounds of five repetitions, in which `a` takes `slower` times as
    /// long.
    fn simulated_run(slower: f64, OtherProgram(taken): OtherProgram, rng: &mut ChaCha8Rng) -> Report {
        let mut rows = String::new();
        let mut blocks = Vec::new();
        // The standard deviation of what remained between equal runs beside the loops is 0.8 % for each.
        let hidden = 0.008 * normal(rng);
        let mut speed = SPEEDS[rng.random_range(0..SPEEDS.len())];
        let mut other = if rng.random::<f64>() < 0.5 { taken } else { 1.0 };
        for round in 0..10u32 {
            // A speed lasts for five rounds on average, and another program for ten.
            if rng.random::<f64>() < 0.2 {
                speed = SPEEDS[rng.random_range(0..SPEEDS.len())];
            }
            if rng.random::<f64>() < 0.1 {
                other = if other > 1.0 { 1.0 } else { taken };
            }
            for (algorithm, truth) in [("a", 10_000.0 * slower), ("b", 20_000.0), ("c", 5_000.0)] {
                for length in LENGTHS {
                    let luck = (hidden + 0.02 * normal(rng)).exp();
                    for repetition in 0..5 {
                        let noise = (0.01 * normal(rng)).exp();
                        let time = truth * speed * other * luck * noise;
                        let number = 5 * round + repetition;
                        rows += &format!("{algorithm},{length},{number},ok,3,10,{time:.0},0,{round}\n");
                    }
                    let noise = BlockNoise {
                        floor_ns: 30,
                        reference_ns: (12_316.0 * speed * (1.0 + 0.002 * normal(rng))) as u64,
                        throughput_ns: Some((9_000.0 * speed * other * (1.0 + 0.002 * normal(rng))) as u64),
                        ..BlockNoise::default()
                    };
                    blocks.push(BlockRecord { noise: Some(noise), ..BlockRecord::default() });
                }
            }
        }
        let mut report = with_columns(",round", &rows).unwrap();
        report.facts.noise = Noise::of_blocks(&blocks, &[]);
        report
    }

    /// The claims about pairs of runs of which the later has a slower `a`, in percent of the pairs.
    #[derive(Debug)]
    struct Claims {
        /// Anything is called different.
        any: f64,
        /// `a` is called slower.
        slower: f64,
        /// `a` is called slower by more than 5 %.
        gate: f64,
    }

    /// Which loops both runs timed.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Loops {
        /// None, as in the earliest versions.
        None,
        /// The reference loop, as in earlier versions.
        Reference,
        /// Both.
        Both,
    }

    /// Claims over pairs of runs that are the same for all `loops`.
    fn claims(slowdown: f64, other: OtherProgram, loops: Loops) -> Claims {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut any, mut slow, mut gate) = (0, 0, 0);
        for _ in 0..PAIRS {
            let [first, later] = [1.0, slowdown].map(|slower| {
                let mut run = simulated_run(slower, other, &mut rng);
                match loops {
                    Loops::None => run.facts.noise = Noise::default(),
                    Loops::Reference => run.facts.noise.throughput_ns = None,
                    Loops::Both => {}
                }
                run
            });
            let compared = compare_runs(&first, &[later], Some(Call::Search), Some(0.05)).unwrap();
            let run = &compared.runs[0];
            let all: Vec<&ComparedTimes> = run.cells.iter().chain(&run.overall).collect();
            any += u32::from(all.iter().any(|times| verdict(times) != Verdict::Tied));
            let mut of_a = all.iter().filter(|times| times.algorithm.as_deref() == Some("a"));
            gate += u32::from(of_a.clone().any(|times| times.too_slow));
            slow += u32::from(of_a.any(|times| verdict(times) == Verdict::Slower));
        }
        let [any, slower, gate] = [any, slow, gate].map(|count| 100.0 * f64::from(count) / f64::from(PAIRS));
        let claims = Claims { any, slower, gate };
        println!("{slowdown} times, {other:?}, {loops:?}: {claims:?}");
        claims
    }

    fn verdict(times: &ComparedTimes) -> Verdict {
        times.comparison.unwrap().verdict
    }

    /// `--nocapture` shows the figures of docs/src/validation.md.
    #[test]
    fn equal_runs_on_a_machine_that_moves_in_steps_are_hardly_ever_different_and_slower_ones_are_found() {
        const ALONE: OtherProgram = OtherProgram(1.0);
        const WITH_ANOTHER: OtherProgram = OtherProgram(1.2);
        let [none, reference, both] =
            [Loops::None, Loops::Reference, Loops::Both].map(|loops| claims(1.0, ALONE, loops));
        assert!(none.any > 10.0 && reference.any <= 2.0 && both.any <= 2.0);
        assert_eq!((both.slower, both.gate), (0.0, 0.0), "no equal run is called slower");
        let (ten, thirty) = (claims(1.1, ALONE, Loops::Both), claims(1.3, ALONE, Loops::Both));
        let ten_without = claims(1.1, ALONE, Loops::None);
        assert!(ten.slower > 90.0 && ten.gate > ten_without.gate - 5.0, "{ten:?} {ten_without:?}");
        assert_eq!((thirty.slower, thirty.gate), (100.0, 100.0));
        let [none, reference, both] =
            [Loops::None, Loops::Reference, Loops::Both].map(|loops| claims(1.0, WITH_ANOTHER, loops));
        assert!(
            none.any > 20.0 && reference.any > 10.0 && both.any <= 2.0,
            "the reference loop can't see it"
        );
        let thirty = claims(1.3, WITH_ANOTHER, Loops::Both);
        assert!(thirty.slower > 80.0, "{thirty:?}");
    }
}

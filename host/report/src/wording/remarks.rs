//! What disturbed the figures of a run: a machine that changed its speed, other programs, counts that were
//! left out.

use assay_store::ExperimentFacts;
use assay_store::counting::{CountFaults, Impossible, LeftOut, LostBackend};
use assay_store::noise::Noise;

/// A remark is made if the speed of the machine varied by this much, in percent, or if this share of the CPU
/// was missing. Smaller changes are usual on shared machines, and intervals contain them.
const WORTH_A_REMARK_PERCENT: f64 = 10.0;

/// What disturbed the figures, a sentence each. A run without times has remarks on its counts only.
pub fn remarks(facts: &ExperimentFacts) -> Vec<String> {
    let fault = facts.counters.iter().find_map(|facts| facts.cost.fault.as_ref());
    let unknown = fault.map(|fault| format!("what counting costs in this run is not known: {fault}"));
    let on_times = if facts.has_times() { on_times(&facts.noise) } else { Vec::new() };
    unknown.into_iter().chain(on_times).chain(remarks_on_counts(&facts.noise)).collect()
}

/// What disturbed the counts, a sentence each.
pub fn remarks_on_counts(noise: &Noise) -> Vec<String> {
    let lost = noise.lost_backends.iter().map(lost_backend);
    let left_out = noise.left_out.iter().map(left_out);
    lost.chain(left_out).chain(noise.impossible.iter().map(impossible)).collect()
}

/// What disturbed the times, a sentence each.
fn on_times(noise: &Noise) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(varied) = noise.speed_varied_percent().filter(|varied| *varied >= WORTH_A_REMARK_PERCENT) {
        remarks.push(format!("the machine's speed varied by {varied:.0} % during this run"));
    }
    if let Some(used) = noise.cpu_used_percent.filter(|used| *used <= 100.0 - WORTH_A_REMARK_PERCENT) {
        remarks.push(format!(
            "the searches had the CPU for {used:.0} % of the time: times by the clock contain the waiting; end what \
             else runs on this CPU, or choose another with --pin"
        ));
    }
    if noise.shared_cpu == Some(true) {
        remarks.push("another run of assay measured on the same CPU".to_owned());
    }
    if let Some(again) = noise.measured_again.filter(|again| *again > 0) {
        let repetitions =
            if again == 1 { "1 repetition was".to_owned() } else { format!("{again} repetitions were") };
        remarks.push(format!(
            "{repetitions} measured again, after more than 0.1 s away from the CPU: by a pause, or an algorithm that \
             waits by itself now and then, whose waits are then not in its times (`measured_again` in blocks.csv)"
        ));
    }
    remarks
}

/// A counter backend that failed during the run.
fn lost_backend(lost: &LostBackend) -> String {
    let LostBackend { backend, place, fault } = lost;
    format!("counter backend `{backend}`, {place}: {fault}; its counts are missing from there on")
}

/// A counter whose counts were left out or scaled.
fn left_out(left_out: &LeftOut) -> String {
    let LeftOut { counter, faults } = left_out;
    let (taken, all) = (faults.taken, faults.left_out());
    let mut sentences = Vec::new();
    if all > 0 {
        // If there is one reason, the number of its counts is that of all.
        let reasons: Vec<String> = reasons(faults)
            .map(
                |(count, reason)| {
                    if count == all { reason.to_owned() } else { format!("{reason} ({count})") }
                },
            )
            .collect();
        sentences.push(format!("{all} counts of {taken} left out: {}", reasons.join(", ")));
    }
    if faults.scaled > 0 {
        sentences.push(format!("{} counts of {taken} scaled up from a part of the time", faults.scaled));
    }
    format!("counter `{counter}`: {}", sentences.join("; "))
}

/// The number of counts that were left out for each reason; reasons without any are not listed.
fn reasons(faults: &CountFaults) -> impl Iterator<Item = (u64, &'static str)> {
    let reasons = [
        (faults.not_read, "could not be read"),
        (faults.not_a_number, "not a number"),
        (faults.went_backwards, "went backwards"),
        (faults.ran_too_long, "ran longer than it was enabled"),
        (faults.in_part, "counted for a part of the time only"),
        (faults.too_short, "the round was too short for it (take a longer text, or more --runs)"),
        (faults.torn, "a pause lay in the round"),
    ];
    reasons.into_iter().filter(|(count, _)| *count > 0)
}

/// A relation between counts that did not hold.
pub(crate) fn impossible(impossible: &Impossible) -> String {
    let Impossible { relation, set, counts, taken } = impossible;
    let whose = set.as_ref().map_or_else(String::new, |set| format!(", as the event set `{set}` has it"));
    format!("{counts} counts of {taken} can't be: {relation} does not hold{whose}; they are kept")
}

#[cfg(test)]
mod tests {
    use assay_experiment::definition::Stats;
    use assay_store::testing;

    use super::*;

    fn lost() -> LostBackend {
        let [backend, place, fault] = ["mem", "hor m=2", "it crashed"].map(str::to_owned);
        LostBackend { backend, place, fault }
    }

    #[test]
    fn a_run_without_times_has_remarks_on_its_counts_only() {
        let mut facts = testing::run().experiment;
        facts.noise = Noise {
            cpu_used_percent: Some(50.0),
            shared_cpu: Some(true),
            measured_again: Some(3),
            lost_backends: vec![lost()],
            ..Noise::default()
        };
        assert_eq!(remarks(&facts).len(), 4, "{:?}", remarks(&facts));
        let on_counts =
            ["counter backend `mem`, hor m=2: it crashed; its counts are missing from there on".to_owned()];
        let instrumented = ExperimentFacts { stats: Stats::Algo, ..facts.clone() };
        let simulated = ExperimentFacts { launcher: vec!["x".to_owned()], ..facts };
        assert_eq!([remarks(&instrumented), remarks(&simulated)], [on_counts.clone(), on_counts]);
    }

    #[test]
    fn a_speed_that_varied_is_reported() {
        let speed =
            |slow| Noise { reference_fast_ns: Some(100), reference_slow_ns: Some(slow), ..Noise::default() };
        assert_eq!(on_times(&speed(109)), [""; 0]);
        assert_eq!(on_times(&speed(160)), ["the machine's speed varied by 60 % during this run"]);
    }

    #[test]
    fn searches_that_waited_for_the_cpu_are_reported() {
        let used = |percent| on_times(&Noise { cpu_used_percent: Some(percent), ..Noise::default() });
        assert_eq!(used(90.1), [""; 0]);
        let remarks = used(34.7);
        let start = "the searches had the CPU for 35 % of the time: ";
        assert!(remarks.len() == 1 && remarks[0].starts_with(start), "{remarks:?}");
    }

    #[test]
    fn repetitions_that_were_measured_again_are_reported() {
        let again = |measured_again| on_times(&Noise { measured_again, ..Noise::default() });
        assert_eq!((again(None), again(Some(0))), (vec![], vec![]));
        assert!(again(Some(1))[0].starts_with("1 repetition was measured again, "));
        assert!(again(Some(3))[0].starts_with("3 repetitions were measured again, "));
    }

    #[test]
    fn a_second_run_on_the_same_cpu_is_reported() {
        let shared = |shared_cpu| on_times(&Noise { shared_cpu, ..Noise::default() });
        assert_eq!((shared(None), shared(Some(false))), (vec![], vec![]));
        assert_eq!(shared(Some(true)), ["another run of assay measured on the same CPU"]);
    }

    #[test]
    fn counts_that_were_left_out_are_reported_with_their_reasons() {
        let remark = |faults| left_out(&LeftOut { counter: "x:y".to_owned(), faults });
        let none = CountFaults { taken: 40, ..CountFaults::default() };
        assert_eq!(
            remark(CountFaults { not_a_number: 3, ..none }),
            "counter `x:y`: 3 counts of 40 left out: not a number"
        );
        let of_42 = CountFaults { taken: 42, ..none };
        assert_eq!(
            remark(CountFaults { not_a_number: 3, went_backwards: 1, ran_too_long: 1, ..of_42 }),
            "counter `x:y`: 5 counts of 42 left out: not a number (3), went backwards (1), \
             ran longer than it was enabled (1)"
        );
        assert_eq!(
            remark(CountFaults { in_part: 3, scaled: 2, ..none }),
            "counter `x:y`: 3 counts of 40 left out: counted for a part of the time only; 2 counts of 40 scaled up \
             from a part of the time"
        );
        assert_eq!(
            remark(CountFaults { scaled: 1, ..none }),
            "counter `x:y`: 1 counts of 40 scaled up from a part of the time"
        );
        assert!(
            remark(CountFaults { not_read: 1, ..none })
                .ends_with("1 counts of 40 left out: could not be read")
        );
    }
}

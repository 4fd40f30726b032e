//! Tests of requests for a plan: which are refused, and the plans of the others.

use super::*;
use crate::plan::Survey;

fn names(list: &str) -> Vec<String> {
    list.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Asks for a plan of MUCH with all pairs.
fn much(events: &str, counters: usize) -> PlanRequest {
    PlanRequest {
        events: names(events),
        counters,
        method: Method::Much,
        anchor: None,
        fixed: Vec::new(),
        conflicts: Vec::new(),
        wanted: Vec::new(),
        blocks: None,
        seed: 1,
        steps: 200_000,
        earlier: None,
    }
}

fn hrm(events: &str, counters: usize, anchor: &str) -> PlanRequest {
    PlanRequest { method: Method::Hrm, anchor: Some(anchor.to_owned()), ..much(events, counters) }
}

fn planned(request: &PlanRequest) -> (PlanAnswer, Survey) {
    let answer = request.plan(&mut |_, _| {}).unwrap();
    let survey = Survey::new(&answer.plan, &request.events);
    (answer, survey)
}

fn refused(request: &PlanRequest) -> String {
    request.plan(&mut |_, _| {}).unwrap_err().to_string()
}

const SIXTEEN: &str = "a b c d e f g h i j k l m n o p";

#[test]
fn hrm_counts_each_event_once_beside_the_anchor() {
    let (PlanAnswer { plan, at_least, .. }, _) = planned(&hrm("a b c d e f", 3, "c"));
    let blocks: Vec<String> = plan.blocks.iter().map(|block| block.events.join(" ")).collect();
    assert_eq!(
        (blocks, at_least),
        (names("c_a_b c_d_e c_f").iter().map(|b| b.replace('_', " ")).collect(), 3)
    );
    // An anchor that needs no counter leaves room for one more.
    let fixed = PlanRequest { fixed: names("c"), ..hrm("a b c d e f", 3, "c") };
    assert_eq!(planned(&fixed).0.plan.blocks.len(), 2);
    let (answer, survey) = planned(&hrm(SIXTEEN, 6, "a"));
    // Fifteen pairs with the anchor, and ten in each block without it.
    assert_eq!((answer.plan.blocks.len(), survey.times), (3, [(1, 45)].into()));
    assert!(answer.plan.blocks.iter().all(|block| block.events[0] == "a"));
}

#[test]
fn much_brings_each_two_events_together() {
    let (answer, survey) = planned(&much(SIXTEEN, 6));
    assert_eq!((answer.plan.blocks.len(), answer.at_least, answer.enough), (10, 10, None));
    assert_eq!(survey.times.values().sum::<usize>(), 120);
    assert!(survey.uncovered.is_empty() && survey.uncoverable.is_empty() && survey.uncounted.is_empty());
    assert!(answer.plan.blocks.iter().all(|block| block.events.len() == 6), "no slot is spared");
}

#[test]
fn an_anchor_is_in_every_block_and_takes_a_counter() {
    let (answer, survey) = planned(&PlanRequest { anchor: Some("p".into()), ..much(SIXTEEN, 6) });
    assert_eq!(answer.plan.blocks.len(), 13);
    assert!(answer.plan.blocks.iter().all(|block| block.events[0] == "p" && block.events.len() == 6));
    assert_eq!(survey.times.values().sum::<usize>(), 120);
}

#[test]
fn fixed_events_are_everywhere_and_take_no_counter() {
    let (answer, survey) = planned(&PlanRequest { fixed: names("o p"), ..much(SIXTEEN, 6) });
    let least_without = planned(&much("a b c d e f g h i j k l m n", 6)).0.plan.blocks.len();
    assert_eq!(answer.plan.blocks.len(), least_without);
    assert!(
        answer.plan.blocks.iter().all(|block| block.events[..2] == names("o p") && block.events.len() == 8)
    );
    assert!(survey.uncovered.is_empty());
    // Beside fixed events one other is enough.
    let (answer, _) = planned(&PlanRequest { fixed: names("a b"), ..much("a b c", 1) });
    assert_eq!(answer.plan.blocks[0].events, names("a b c"));
    assert_eq!(planned(&PlanRequest { fixed: names("a b"), ..much("a b", 1) }).0.plan.blocks.len(), 1);
}

#[test]
fn events_that_cannot_meet_are_kept_apart_and_told() {
    let request = PlanRequest { conflicts: names("a:b b:c"), ..much("a b c d e f g", 3) };
    let (answer, survey) = planned(&request);
    assert_eq!(survey.uncoverable, [["a", "b"].map(str::to_owned), ["b", "c"].map(str::to_owned)]);
    assert!(survey.uncovered.is_empty());
    let apart = |a: &str, b: &str| {
        let holds = |events: &Vec<String>, name: &str| events.iter().any(|event| event == name);
        answer.plan.blocks.iter().all(|block| !(holds(&block.events, a) && holds(&block.events, b)))
    };
    assert!(apart("a", "b") && apart("b", "c"));
    let (answer, _) = planned(&PlanRequest { conflicts: names("b:c"), ..hrm("a b c d", 4, "a") });
    assert_eq!(answer.plan.blocks.len(), 2);
}

#[test]
fn names_of_events_may_have_colons() {
    let conflicts = vec!["perf:cycles:perf:cpu/a=1,b=2/".to_owned()];
    let request = PlanRequest { conflicts, ..much("perf:cycles perf:cpu/a=1,b=2/ x", 2) };
    assert_eq!(planned(&request).1.uncoverable.len(), 1);
    let wrong = PlanRequest { conflicts: names("perf:cycles:perf:cycels"), ..much("perf:cycles x y", 2) };
    assert!(
        refused(&wrong)
            .contains("unknown event of --conflict `perf:cycels`\n  help: did you mean perf:cycles?")
    );
}

#[test]
fn only_wanted_pairs_need_meet_and_every_event_is_counted() {
    let (answer, survey) = planned(&PlanRequest { wanted: names("a:b c:d"), ..much("a b c d e f", 2) });
    assert_eq!((answer.plan.blocks.len(), answer.at_least), (3, 3));
    assert!(survey.uncounted.is_empty());
    let together = |pair: [&str; 2]| answer.plan.blocks.iter().any(|block| block.events == pair);
    assert!(together(["a", "b"]) && together(["c", "d"]));
}

#[test]
fn few_blocks_cover_most_pairs() {
    let request = PlanRequest { blocks: Some(7), ..much(SIXTEEN, 6) };
    let (answer, survey) = planned(&request);
    assert_eq!((answer.plan.blocks.len(), answer.enough), (7, Some(10)));
    assert!((15..=25).contains(&survey.uncovered.len()), "{}", survey.uncovered.len());
    let enough = planned(&PlanRequest { blocks: Some(99), ..much(SIXTEEN, 6) }).0;
    assert_eq!((enough.plan.blocks.len(), enough.enough), (10, None));
    let (_, survey) = planned(&PlanRequest { blocks: Some(1), ..much("a b c d", 2) });
    assert_eq!((survey.uncovered.len(), survey.uncounted.len()), (5, 2));
    assert!(
        refused(&PlanRequest { blocks: Some(2), ..hrm("a b c d", 2, "a") })
            .contains("3 sub-experiments are needed")
    );
}

#[test]
fn events_that_all_fit_are_one_block() {
    for request in [much("a b c", 3), much("a b c", 9), hrm("a b c", 5, "b")] {
        let (answer, survey) = planned(&request);
        assert_eq!((answer.plan.blocks.len(), answer.at_least), (1, 1));
        assert_eq!(survey.times.get(&1), Some(&3));
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_what_helps() {
    let with = |change: fn(&mut PlanRequest)| {
        let mut request = much("a b c d", 2);
        change(&mut request);
        refused(&request)
    };
    for (message, expected) in [
        (refused(&much("", 2)), "no event is named"),
        (refused(&much("a", 2)), "one event needs no plan"),
        (refused(&much("a b a", 2)), "the event `a` is named twice"),
        (refused(&much("a b c", 0)), "--counters must be at least 1"),
        (refused(&much("a b c", 1)), "MUCH counts events in pairs, and a pair needs two counters"),
        (with(|r| r.anchor = Some("A1".into())), "unknown anchor `A1`\n  help: did you mean a?"),
        (with(|r| r.anchor = Some("a".into())), "beside `a` there is only one counter"),
        (with(|r| (r.anchor, r.counters) = (Some("a".into()), 1)), "`a` takes the only counter"),
        (with(|r| r.method = Method::Hrm), "name it with --anchor"),
        (with(|r| r.fixed = names("a a")), "--fixed names `a` twice"),
        (with(|r| r.fixed = names("x")), "unknown fixed event `x`"),
        (with(|r| r.conflicts = names("a")), "--conflict a: a pair of events is expected"),
        (with(|r| r.conflicts = names("a:a")), "these are one event"),
        (with(|r| r.conflicts = names("a:z")), "unknown event of --conflict `z`"),
        (
            with(|r| (r.fixed, r.conflicts) = (names("a"), names("b:a"))),
            "`a` is to be counted in every sub-experiment, and `b`",
        ),
        (
            with(|r| (r.wanted, r.conflicts) = (names("a:b"), names("b:a"))),
            "are wanted together, and can't be",
        ),
        (with(|r| r.blocks = Some(0)), "--blocks must be at least 1"),
        (
            refused(&much("stats:jumps stats:jmps", 2)),
            "unknown event of stats: `jmps`\n  help: did you mean jumps?",
        ),
        (refused(&much("stats:jumps tsc:cycles", 2)), "no run can count both"),
        (refused(&much(&(0..1001).map(|n| format!(" e{n}")).collect::<String>(), 2)), "more than 1000"),
    ] {
        assert!(message.contains(expected), "{expected}: {message}");
        assert!(message.contains("\n  help: "), "{message}");
    }
}

#[test]
fn a_plan_survives_its_file_and_a_faulty_one_is_named() {
    let request = PlanRequest { conflicts: names("b:c"), fixed: names("d"), ..hrm("a b c d e", 3, "a") };
    let (PlanAnswer { plan, .. }, _) = planned(&request);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.toml");
    let load = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Plan::load(&path)
    };
    assert_eq!(load(&plan.to_toml()), Ok(plan));
    let head = "method = \"hrm\"\ncounters = 2\nanchor = \"a\"\n";
    for (blocks, expected) in [
        ("", "missing field `block`"),
        ("block = []", "has nothing to run"),
        ("[[block]]\nevents = []", "block 1: it has no events"),
        (
            "[[block]]\nevents = [\"a\", \"b\"]\n[[block]]\nevents = [\"a\", \"a\"]",
            "block 2: `a` stands there twice",
        ),
        ("[[block]]\nevents = [\"a\", \"b\", \"c\"]", "block 1: 3 events, and `counters` is 2"),
        ("[[block]]\nevents = [\"b\"]", "block 1: the anchor `a` is missing"),
        ("[[block]]\nevents = [\"a\", \"stats:jumps\"]", "no run can count both"),
        ("[[blok]]\nevents = []", "plan.toml:4: unknown field `blok`"),
    ] {
        let error = load(&format!("{head}{blocks}")).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("plan.toml"), "{expected}: {error}");
    }
}

//! `assay plan`.

use std::path::Path;
use std::process::Stdio;

use assay_tests::processes::{await_that, signal};
use assay_tests::{Ran, assay, run};
use serde_json::Value;

fn plan(arguments: &[&str]) -> Ran {
    run(assay().args(["plan", "--effort", "0.05"]).args(arguments))
}

fn json(arguments: &[&str]) -> Value {
    let ran = plan(&[arguments, &["--format", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The names `e1`, `e2` ..
fn events(count: usize) -> String {
    (1..=count).map(|number| format!("e{number}")).collect::<Vec<_>>().join(",")
}

#[test]
fn a_plan_is_printed_in_any_format_and_is_the_same_each_time() {
    let events = events(16);
    let arguments = ["--events", &events, "--counters", "6", "--method", "much"];
    let found = json(&arguments);
    assert_eq!((&found["at_least"], found["blocks"].as_array().unwrap().len()), (&Value::from(10), 10));
    let pairs: u64 =
        found["covered"].as_array().unwrap().iter().map(|some| some["pairs"].as_u64().unwrap()).sum();
    assert_eq!((pairs, &found["uncovered"]), (120, &Value::from(Vec::<Value>::new())));
    assert_eq!(json(&arguments), found);
    let csv = plan(&[&arguments[..], &["--format", "csv"]].concat()).stdout;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap(), ["block", "event"].as_slice());
    let rows: Vec<(usize, String)> = reader.deserialize().map(Result::unwrap).collect();
    for (number, event) in rows {
        assert!(found["blocks"][number - 1].as_array().unwrap().contains(&Value::from(event)));
    }
    let table = plan(&arguments);
    assert!(
        table.stdout.contains("10 sub-experiments: no plan has fewer\npairs counted together: "),
        "{}",
        table.stdout
    );
    assert!(table.stderr.starts_with("note: --blocks 7 (two thirds of them)"), "{}", table.stderr);
}

#[test]
fn a_plan_says_how_long_it_takes() {
    let arguments = ["--events", "a,b,c,d", "--counters", "2", "--method", "hrm", "--anchor", "a"];
    let found = json(&[&arguments[..], &["--rows", "1000", "--row-ms", "50"]].concat());
    assert_eq!((&found["rows"], &found["seconds"]), (&Value::from(3000), &Value::from(150.0)));
    let shown = plan(&[&arguments[..], &["--rows", "1000", "--row-ms", "50"]].concat());
    assert!(shown.stdout.ends_with("rows in all: 3000, about 2 min\n"), "{}", shown.stdout);
    assert!(json(&arguments)["seconds"].is_null());
}

#[test]
fn a_plan_is_a_file_that_collect_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.toml");
    let arguments = ["--events", "a,b,c,d,e", "--counters", "3", "--method", "much", "--fixed", "e"];
    let ran = plan(&[&arguments[..], &["--conflict", "a:b", "--out", path.to_str().unwrap()]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("a sub-experiment has 4 columns: `merge --counters 4`"), "{}", ran.stderr);
    let file: toml::Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((file["method"].as_str(), file["counters"].as_integer()), (Some("much"), Some(3)));
    let blocks = file["block"].as_array().unwrap();
    for block in blocks {
        let events: Vec<&str> =
            block["events"].as_array().unwrap().iter().map(|event| event.as_str().unwrap()).collect();
        assert!(events[0] == "e" && !(events.contains(&"a") && events.contains(&"b")), "{events:?}");
    }
    // Its events are no counters here.
    let collected = run(assay().current_dir(folder.path()).args(["collect", "plan.toml", "--", "hor"]));
    assert_eq!(collected.code, Some(2));
    assert!(collected.stderr.starts_with("error: unknown counter backend"), "{}", collected.stderr);
    assert!(!folder.path().join("collected").exists());
}

#[test]
fn a_plan_takes_the_place_of_plans_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raw.csv");
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    let to = |path: &Path| {
        plan(&["--events", "a, b,c", "--counters", "2", "--method", "much", "--out", path.to_str().unwrap()])
    };
    let refused = to(&path);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("which is not a plan"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\n1,2\n");
    let path = folder.path().join("plan.toml");
    assert_eq!(
        (to(&path).code, to(&path).code),
        (Some(0), Some(0)),
        "the second takes the place of the first"
    );
    assert!(std::fs::read_to_string(&path).unwrap().contains("\"b\""), "without the blank before it");
}

#[test]
fn a_search_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    // Three blocks are needed, because a block has at most two of the five pairs. The bound is two, so the
    // search does not end early.
    let pairs = "A:B,B:C,C:D,D:E,E:A";
    let search = |file: &str, arguments: &[&str]| {
        let mut command = assay();
        command.current_dir(folder.path()).args(["plan", "--method", "much", "--events", "A,B,C,D,E"]);
        command.args(["--counters", "3", "--wanted", pairs, "--out", file]);
        command.args(arguments);
        command
    };
    let text = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap_or_default();
    let mut long = search("plan.toml", &["--effort", "100000"]);
    let long = long.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_that(|| text("plan.toml").contains("rounds = ").then_some(()));
    signal("INT", long.id());
    let ended = long.wait_with_output().unwrap();
    let (shown, said) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(shown.contains(" sub-experiments") && said.contains("warning: interrupted after "), "{said}");
    let plan: toml::Table = toml::from_str(&text("plan.toml")).unwrap();
    let one_more = (plan["search"]["rounds"].as_integer().unwrap() + 1).to_string();
    let ran = run(&mut search("plan.toml", &["--resume", "--effort", &one_more]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(run(&mut search("at-once.toml", &["--effort", &one_more])).code, Some(0));
    assert_eq!(text("plan.toml"), text("at-once.toml"));
    for (arguments, expected) in [
        (&["--seed", "2"], "the plan to continue was made with --seed 1"),
        (&["--conflict", "A:C"], "was made with other options"),
    ] {
        let refused = run(search("plan.toml", arguments).arg("--resume"));
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(expected), "{expected}: {}", refused.stderr);
    }
}

#[test]
fn few_and_many_counters_are_borne() {
    // All events are counted everywhere, and no counter is left for others.
    let ran =
        plan(&["--events", "A,B", "--counters", "1", "--method", "hrm", "--anchor", "A", "--fixed", "B"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("1 sub-experiment"), "{}", ran.stderr);
    for method in ["hrm", "much"] {
        let ran =
            plan(&["--events", "A,B,C", "--counters", "4000000000", "--method", method, "--anchor", "A"]);
        assert!(ran.code == Some(0) && ran.stdout.contains("1 sub-experiment"), "{}", ran.stderr);
    }
    let few = plan(&["--events", "A,B,C", "--counters", "2", "--method", "much"]);
    assert!(few.code == Some(0) && !few.stderr.contains("two thirds"), "{}", few.stderr);
}

#[test]
fn plans_that_contradict_themselves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (text, expected) in [
        ("method = \"hrm\"\ncounters = 2\n[[block]]\nevents = [\"a\", \"b\"]", "names no `anchor`"),
        (
            "method = \"much\"\ncounters = 2\napart = [[\"b\", \"a\"]]\n[[block]]\nevents = [\"a\", \"b\"]",
            "block 1: `b` and `a` are `apart`",
        ),
        ("method = \"much\"\ncounters = 2\n[[block]]\nevents = [\"a\", \"\"]", "an event has no name"),
        (
            "method = \"much\"\ncounters = 2\n[[block]]\nevents = [\"a\", \"b\\nc\"]",
            "the name \"b\\nc\" has a control character",
        ),
    ] {
        std::fs::write(folder.path().join("plan.toml"), text).unwrap();
        let ran = run(assay().current_dir(folder.path()).args(["collect", "plan.toml", "--", "hor"]));
        assert!(ran.code == Some(2) && ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
}

#[test]
fn sets_of_events_are_tried_on_this_machine() {
    let software = "rusage:minor-faults,rusage:major-faults,clock:ns,clock:thread-ns";
    let ran = plan(&["--events", software, "--counters", "2", "--method", "much", "--try"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("note: each sub-experiment was tried here, and can be counted"),
        "{}",
        ran.stderr
    );
    // Without --try an event that is not there is a warning: the plan may be for another machine.
    let unknown = ["--events", "rusage:minor-fault,clock:ns,x", "--counters", "2", "--method", "much"];
    let ran = plan(&unknown);
    assert_eq!((ran.code, ran.warnings().len()), (Some(0), 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: did you mean minor-faults"), "{}", ran.stderr);
    let ran = plan(&[&unknown[..], &["--try"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn one_event_under_two_names_is_warned_of() {
    // The kernel's interface knows both names, and lists the first.
    let events = "perf:page-faults,perf:minor-faults,clock:ns,perf:faults";
    let ran = plan(&["--events", events, "--counters", "2", "--method", "much"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let alike = ran.warnings().into_iter().filter(|warning| warning.contains("one event under two names"));
    let alike: Vec<String> = alike.map(|warning| warning.to_string()).collect();
    assert!(alike.len() == 1 && alike[0].contains("`perf:page-faults` and `perf:faults`"), "{}", ran.stderr);
}

#[test]
fn sets_that_cannot_be_counted_are_reported() {
    if Path::new("/usr/bin/valgrind").exists() {
        // The simulation starts the workers by itself, so it is counted alone.
        let events = "cachegrind:instructions,cachegrind:branches,clock:ns";
        let ran = plan(&["--events", events, "--counters", "2", "--method", "much", "--try"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("2 of 3 sub-experiments can't be counted here"), "{}", ran.stderr);
    } else {
        assay_tests::skip("package valgrind is missing");
    }
}

#[test]
fn bad_plans_are_refused_in_one_message() {
    for (arguments, expected) in [
        (&["--events", "a", "--counters", "2", "--method", "much"][..], "one event needs no plan"),
        (&["--events", "a,b", "--counters", "0", "--method", "much"], "--counters must be at least 1"),
        (&["--events", "a,b,c", "--counters", "1", "--method", "much"], "MUCH counts events in pairs"),
        (&["--events", "a,b,a", "--counters", "2", "--method", "much"], "`a` is named twice"),
        (
            &["--events", "a,b\nc", "--counters", "2", "--method", "much"],
            "the event \"b\\nc\" has a control character",
        ),
        (&["--events", "a,,b", "--counters", "2", "--method", "much"], "--events has an empty name"),
        (
            &["--events", "cycles,b", "--counters", "2", "--method", "hrm", "--anchor", "cylces"],
            "did you mean cycles?",
        ),
        (&["--events", "a,b", "--counters", "2", "--method", "hrm"], "name it with --anchor"),
        (&["--events", "a,b", "--counters", "2", "--method", "mush"], "invalid value 'mush'"),
        (&["--events", "a,b", "--counters", "2", "--method", "much", "--row-ms", "2"], "--rows"),
        (
            &["--events", "a,b", "--counters", "2", "--method", "much", "--out", "no/such/plan.toml"],
            "can't write",
        ),
    ] {
        let ran = plan(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with("error: ") && ran.stderr.contains(expected),
            "{expected}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
    }
}

//! `assay counters`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use assay_tests::{assay, fixture, run};
use tempfile::TempDir;

const HEADER: &str = "Initialize, Event Read Avg uS";

/// A folder with the fixture in it.
fn odd_backends() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let library = fixture("odd_kinds");
    fs::copy(&library, folder.path().join(library.file_name().unwrap())).unwrap();
    folder
}

/// The costs of an event of the fixture, measured in so many processes.
fn odd_cost(folder: &TempDir, event: &str, experiments: &str) -> Command {
    let mut command = assay();
    command.arg("--plugin-dir").arg(folder.path()).env("ASSAY_TEST_MARKS", folder.path().join("marks"));
    // In the sandbox, it could not write to that file.
    command.arg("--no-sandbox");
    command.args(["counters", "cost", event, "--experiments", experiments, "--reads", "2"]);
    command
}

#[test]
fn every_event_is_listed_with_what_can_be_counted() {
    let ran = run(assay().args(["counters", "list", "--format", "json"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let events: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    for backend in ["clock", "perf", "rusage"] {
        assert!(events.iter().any(|event| event["backend"] == backend), "{backend}");
    }
    for event in &events {
        let available = event["available"] == "yes";
        assert!(available == event["reason"].is_null() && available == event["remedy"].is_null(), "{event}");
        assert!(
            ["thread", "process", "core", "system"].contains(&event["scope"].as_str().unwrap()),
            "{event}"
        );
    }
    let table = run(assay().args(["counters", "list"])).stdout;
    // Some CPUs have events whose names leave no room for the other columns, and a name is not cut.
    const OTHERS: usize = "  events  system  counts here".len();
    let longest = events.iter().map(|event| event["event"].as_str().unwrap().chars().count()).max().unwrap();
    let width = (longest + OTHERS).max(80);
    assert!(
        table.lines().filter(|line| !line.starts_with([' ', '('])).all(|line| line.chars().count() <= width),
        "{table}"
    );
    assert!(events.iter().all(|event| table.contains(event["event"].as_str().unwrap())), "{table}");
}

#[test]
fn clocks_are_measured_and_kept_with_the_run() {
    let ran = run(assay().args(["counters", "clock", "--format", "json"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let clocks: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(!clocks["cores"].as_array().unwrap().is_empty());
    for core in clocks["cores"].as_array().unwrap() {
        let warm = core["warm_hz"].as_f64();
        assert!(warm.is_none_or(|hz| (1e8..2e10).contains(&hz)), "{core}");
        let misled =
            core["reported"].as_array().unwrap().iter().any(|said| {
                warm.is_some_and(|warm| (warm / said["hz"].as_f64().unwrap() - 1.0).abs() > 0.02)
            });
        let warned = ran.stderr.contains(&format!("CPU {} runs at", core["cpu"]));
        assert_eq!(misled, warned, "{}", ran.stderr);
    }
    let folder = tempfile::tempdir().unwrap();
    // Now and then the chains of a busy machine disagree; they do not always.
    let measured = (0..5).any(|_| {
        let ran = run(assay().args(["counters", "clock", "--format", "json"]));
        let clocks: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        clocks["cores"].as_array().unwrap().iter().any(|core| core["warm_hz"].is_number())
    });
    assert!(measured || !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")));
    let timed = "run bf --plen 8 --runs 12 --out out --format json";
    let timed = run(assay().args(timed.split(' ')).current_dir(folder.path()));
    let json: serde_json::Value = serde_json::from_str(&timed.stdout).unwrap();
    let machine = &json["experiment"]["machine"];
    let metric = "report --metric core_cycles last --out out";
    let metric = run(assay().args(metric.split(' ')).current_dir(folder.path()));
    match machine["core_hz"].as_f64() {
        Some(hz) => {
            assert!((1e8..2e10).contains(&hz), "{machine}");
            assert!(metric.stdout.contains("MHz, measured before the first search"), "{}", metric.stdout);
        }
        None => assert!(metric.stderr.contains("core_hz"), "{}{}", metric.stdout, metric.stderr),
    }
    let counted =
        run(assay().args("run bf --plen 8 --runs 3 --stats algo --no-save --format json".split(' ')));
    let json: serde_json::Value = serde_json::from_str(&counted.stdout).unwrap();
    assert!(json["experiment"]["machine"]["core_hz"].is_null(), "measured for nothing");
}

#[test]
fn a_self_test_has_a_reason_for_each_line_and_fails_only_if_one_is_wrong() {
    let ran = run(assay().args(["counters", "selftest", "--format", "json"]));
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let wrong = checks.iter().any(|check| check["result"] == "wrong");
    assert_eq!(ran.code, Some(i32::from(wrong)), "{}{}", ran.stdout, ran.stderr);
    for check in checks {
        assert!(check["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{check}");
        assert!(["ok", "wrong", "absent"].contains(&check["result"].as_str().unwrap()), "{check}");
    }
    assert!(report["machine"]["kernel"].as_str().unwrap().starts_with("Linux"), "{report}");
    let find = |backend: &str, name: &str| {
        let found = checks.iter().find(|check| check["backend"] == backend && check["check"] == name);
        found.unwrap_or_else(|| panic!("{backend} {name}: {}", ran.stdout))
    };
    // What is listed as available is not absent, and the other way round.
    let listed = run(assay().args(["counters", "list", "perf", "--format", "json"]));
    let events: Vec<serde_json::Value> = serde_json::from_str(&listed.stdout).unwrap();
    for name in ["task-clock", "page-faults", "cycles", "branch-misses", "LLC-loads"] {
        let available = events.iter().any(|event| event["name"] == name && event["available"] == "yes");
        assert_eq!(find("perf", name)["result"] != "absent", available, "{}", find("perf", name));
    }
    find("tsc", "ticks never go back");
    let csv = run(assay().args(["counters", "selftest", "tsc", "--format", "csv"])).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with(",reason,cpu,kernel,perf_event_paranoid,nmi_watchdog,assay"), "{csv}");
    assert!(lines.len() == 4 && lines[1..].iter().all(|line| line.starts_with("tsc,rate,")), "{csv}");
    let none = run(assay().args(["counters", "selftest", "clock"]));
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""), "{}", none.stderr);
    assert!(none.stderr.contains("counter backend `clock` has no self-test"), "{}", none.stderr);
}

#[test]
fn a_part_of_a_self_test_that_crashes_is_wrong_and_costs_no_other_part() {
    let folder = odd_backends();
    let mut command = assay();
    command.arg("--plugin-dir").arg(folder.path());
    let ran = run(command.args(["counters", "selftest", "slow", "--format", "json"]));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 ok, 1 wrong, 0 absent"), "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows: Vec<[&str; 3]> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| ["part", "check", "result"].map(|column| check[column].as_str().unwrap()))
        .collect();
    let expected = [
        ["before", "it runs", "ok"],
        ["crash", "the self-test runs to its end", "wrong"],
        ["after", "it runs", "ok"],
    ];
    assert_eq!(rows, expected);
    let reason = report["checks"][1]["reason"].as_str().unwrap();
    assert!(reason.contains("SIGABRT"), "{reason}");
}

#[test]
fn the_cost_of_counting_is_reported_for_every_backend_that_counts_here() {
    let listed = run(assay().args(["counters", "list", "--format", "json"]));
    let events: Vec<serde_json::Value> = serde_json::from_str(&listed.stdout).unwrap();
    let available = |backend: &str| {
        events.iter().filter(|event| event["backend"] == backend && event["available"] == "yes").count()
    };
    let ran = run(assay().args("counters cost --all --experiments 2 --reads 5 --format json".split(' ')));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&rows[0]["backend"], &rows[0]["read_ratio"]), (&"clock_gettime".into(), &1.into()));
    for backend in ["clock", "perf", "rusage", "schedstat", "papi", "pcp", "rapl", "cachegrind", "tsc"] {
        let of = |row: &&serde_json::Value| row["backend"] == backend;
        let sets: Vec<&serde_json::Value> = rows.iter().filter(of).collect();
        let sizes: Vec<u64> = sets.iter().map(|row| row["events"].as_u64().unwrap()).collect();
        let expected: &[u64] = match available(backend) {
            0 => &[],
            1..8 => &[1],
            _ => &[1, 8],
        };
        assert_eq!(sizes, expected, "{backend}\n{}", ran.stdout);
        for (part, row) in ["initialize", "start_stop", "read"].iter().zip(&sets) {
            let [ns, ratio] = ["ns", "ratio"].map(|of| row[format!("{part}_{of}")].as_f64().unwrap());
            assert!(ns > 0.0 && ratio > 0.0, "{row}");
        }
        let noted = ran.stderr.contains(&format!("{backend} counts nothing here: "));
        assert_eq!(noted, expected.is_empty(), "{backend}\n{}", ran.stderr);
    }
    let both = run(assay().args(["counters", "cost", "clock", "--all"]));
    assert_eq!(both.code, Some(2), "one or all");
}

#[test]
fn options_of_backends_are_checked_before_anything_runs() {
    let with = |option: &str| {
        let command =
            "run hor --counters clock:ns,perf:task-clock --runs 2 --plen 8 --no-save --counter-option";
        run(assay().args(command.split(' ')).arg(option))
    };
    let message = |option: &str| {
        let ran = with(option);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{option}: {}", ran.stderr);
        ran.stderr
    };
    assert!(message("kernel=no").contains("write BACKEND.OPTION=VALUE"));
    assert!(message("tsc.x=1").contains("this run counts nothing with tsc"));
    assert!(message("clock.x=1").contains("counter backend `clock`: there is no option `x`: it takes none"));
    let refused = message("perf.kernels=no");
    assert!(refused.contains("there is no option `kernels`: it takes kernel, multiplex"), "{refused}");
    assert_eq!(with("perf.kernel=no").code, Some(0));
    let value = message("perf.kernel=maybe");
    assert!(value.contains("the option kernel is yes, no or auto, and not `maybe`"), "{value}");
    assert!(message("perf.multiplex=maybe").contains("the option multiplex is yes or no"));
    assert_eq!(with("perf.multiplex=yes").code, Some(0));
}

#[test]
fn names_of_counters_may_have_blanks_between_them_and_options_without_counters_are_noted() {
    let run_with =
        |more: &[&str]| run(assay().args("run hor --runs 2 --plen 8 --no-save".split(' ')).args(more));
    let ran = run_with(&["--counters", "clock:ns, rusage:minor-faults"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("rusage:minor-faults of the search"), "{}", ran.stdout);
    let idle = run_with(&["--multiplex", "--subtract-overhead"]);
    assert_eq!(idle.code, Some(0), "{}", idle.stderr);
    for option in ["--multiplex", "--subtract-overhead"] {
        assert!(
            idle.stderr.contains(&format!("note: {option} does nothing: this run counts no events")),
            "{}",
            idle.stderr
        );
    }
}

#[test]
fn the_events_of_one_backend_are_listed_alone() {
    let list = |more: &[&str]| run(assay().args(["counters", "list", "--format", "csv"]).args(more));
    let rusage = list(&["rusage"]);
    let lines: Vec<&str> = rusage.stdout.lines().skip(1).collect();
    assert!(lines.len() > 3 && lines.iter().all(|line| line.starts_with("rusage:")), "{}", rusage.stdout);
    let perf = list(&["perf", "--available"]);
    assert!(perf.stdout.lines().skip(1).all(|line| line.contains(",yes,")), "{}", perf.stdout);
    let unknown = list(&["rusaeg"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("did you mean rusage"), "{}", unknown.stderr);
}

#[test]
fn costs_are_measured_in_as_many_processes() {
    let ran = run(assay().args(["counters", "cost", "clock", "--experiments", "4", "--reads", "10"]));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0]), (5, HEADER), "in a pipe there is the CSV alone");
    for line in &lines[1..] {
        let (initialize, read) = line.split_once(", ").unwrap();
        let number = |cell: &str| cell.trim().parse::<f64>().unwrap();
        assert!(number(initialize) > 0.0 && number(read) > 0.0, "{line}");
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cost.csv");
    let ran = run(assay()
        .args(["counters", "cost", "clock:ns", "--experiments", "4", "--format", "json", "--out"])
        .arg(&path));
    let columns: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&columns[0]["column"], &columns[1]["n"]), (&"Initialize".into(), &4.into()));
    let described = run(assay().arg("describe").arg(&path).args(["--format", "benchstats"]));
    assert!(described.stdout.contains("Sample Values                  ,       4\n"), "{}", described.stdout);
}

#[test]
fn unknown_or_missing_events_are_refused() {
    let cases: [(&[&str], &str); 6] = [
        (&["clock:ns,clock:thread-ns"], "name one event at a time"),
        (&["@faults"], "name one event at a time"),
        (&["clok"], "error: unknown counter backend `clok`\n  help: did you mean clock?"),
        (&["clock:n"], "error: unknown event of clock `n`\n  help: did you mean ns"),
        (&["clock", "--reads", "0"], "--reads"),
        (&["clock", "--out", "/no/x.csv"], "error: can't write `/no/x.csv`"),
    ];
    for (arguments, message) in cases {
        let ran = run(assay().args(["counters", "cost"]).args(arguments));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    let listed = run(assay().args(["counters", "list", "--format", "json"]));
    let events: Vec<serde_json::Value> = serde_json::from_str(&listed.stdout).unwrap();
    for event in events.iter().filter(|event| event["available"] == "no") {
        let ran = run(assay().args(["counters", "cost", event["event"].as_str().unwrap()]));
        let message = format!(
            "error: {} can't be counted here: {}\n  help: {}\n",
            event["event"].as_str().unwrap(),
            event["reason"].as_str().unwrap(),
            event["remedy"].as_str().unwrap()
        );
        assert_eq!((ran.code, ran.stderr), (Some(2), message));
    }
}

#[test]
fn a_backend_that_fails_while_it_is_asked_for_its_events_costs_its_own_line() {
    let folder = odd_backends();
    let messages = [
        ("dying", "it crashes the process (SIGABRT: it gave up)"),
        ("garbling", "it has an event \"this,that\"; expected names of 1 to 256 bytes, without control characters, and without commas but between slashes or in brackets"),
    ]
    .map(|(id, reason)| (id, format!("error: counter backend `{id}` can't say what it counts: {reason}\n")));
    let list = run(assay().args(["counters", "list", "--format", "csv", "--plugin-dir"]).arg(folder.path()));
    assert_eq!(list.code, Some(1));
    assert!(list.stdout.contains("clock:ns") && list.stdout.contains("refusing:it"), "{}", list.stdout);
    let help = "  help: `assay counters` shows which backends can count here\n";
    assert_eq!(list.stderr, messages.iter().map(|(_, message)| message.clone() + help).collect::<String>());
    for (id, message) in &messages {
        let cost = run(&mut odd_cost(&folder, id, "1"));
        assert_eq!((cost.code, cost.stderr), (Some(2), message.clone() + help));
        let mut measure = assay();
        let counters = format!("{id}:it,{id},clock:ns");
        measure.args(["run", "hor", "--no-save", "--counters", &counters, "--plugin-dir"]).arg(folder.path());
        let ran = run(measure.args(["--runs", "2", "--plen", "4", "--format", "csv"]));
        let warning = message.replace("error: ", "warning: ").replace('\n', "; its columns are left out");
        assert_eq!((ran.code, ran.warnings()), (Some(1), vec![warning.as_str()]));
        assert!(ran.stdout.contains("clock:ns") && !ran.stdout.contains(id), "{}", ran.stdout);
    }
}

#[test]
fn a_backend_that_fails_when_it_is_used_costs_a_run_its_columns_and_no_row() {
    let folder = odd_backends();
    let cases = [
        ("crashing", "it crashes the process (SIGABRT: it gave up)", &[][..]),
        ("exiting", "it ends the process with exit status 0", &[]),
        ("panicking", "panicked at ", &[]),
        ("refusing", "it does not like to be counted", &[]),
        ("kills-open", "it makes a system call that the sandbox forbids: `kill`", &[]),
        ("kills-open", "it kills the parent of the process", &["--no-sandbox"]),
        ("kills-read", "it kills the parent of the process", &["--no-sandbox"]),
    ];
    for (backend, message, more) in cases {
        let mut command = assay();
        command.args(["run", "hor", "--no-save", "--runs", "2", "--plen", "4", "--format", "csv"]);
        command
            .args(["--counters", &format!("{backend},clock"), "--plugin-dir"])
            .arg(folder.path())
            .args(more);
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stdout.contains("clock:ns") && !ran.stdout.contains(backend), "{}", ran.stdout);
        let warnings = ran.warnings();
        assert_eq!(warnings.len(), 1, "{}", ran.stderr);
        let beginning = format!("warning: counter backend `{backend}`: {message}");
        assert!(warnings[0].starts_with(&beginning), "{}", ran.stderr);
        assert!(warnings[0].ends_with("; its columns are left out"), "{}", ran.stderr);
    }
}

#[test]
fn a_backend_that_forks_counts_once() {
    let folder = odd_backends();
    for backend in ["forks-open", "forks-read"] {
        let mut command = assay();
        command.args(["run", "hor", "so", "--no-save", "--runs", "20", "--plen", "4", "--format", "json"]);
        let ran =
            run(command.args(["--counters", backend, "--no-sandbox", "--plugin-dir"]).arg(folder.path()));
        assert_eq!((ran.code, ran.warnings()), (Some(0), vec![]), "{backend}");
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert!(json["results"].as_array().unwrap().iter().all(|cell| cell["repetitions"] == 20), "{json:#}");
    }
}

#[test]
fn a_run_says_once_that_a_backend_has_more_events() {
    let events = run(assay().args(["counters", "list", "--format", "csv"])).stdout;
    let left_out = events.lines().filter(|line| line.starts_with("perf:") && line.contains(",no,")).count();
    let ran = run(assay().args("run hor --no-save --runs 2 --plen 4 --counters perf".split(' ')));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let note = format!("perf: {left_out} of its events can't be counted here and are left out; see ");
    assert_eq!(ran.stderr.matches(&note).count(), usize::from(left_out > 0), "{}", ran.stderr);
    assert!(ran.warnings().is_empty(), "{}", ran.stderr);
}

#[test]
fn a_backend_that_fails_costs_one_message() {
    let folder = odd_backends();
    let cases = [
        ("crashing", "crashing:it crashes the process (SIGABRT: it gave up)"),
        ("exiting", "exiting:it ends the process with exit status 0"),
        ("panicking", "no more numbers"),
        ("refusing", "it does not like to be counted"),
    ];
    for (backend, message) in cases {
        let ran = run(&mut odd_cost(&folder, backend, "3"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{backend}");
        assert!(ran.stderr.starts_with("error: 1 of 1 experiments failed: experiment 1: "), "{}", ran.stderr);
        assert!(ran.stderr.contains(message) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
}

#[test]
fn an_experiment_that_fails_costs_its_own_row() {
    let folder = odd_backends();
    let ran = run(&mut odd_cost(&folder, "fickle", "3"));
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stdout.lines().count(), 3, "header and two rows: {}", ran.stdout);
    assert!(
        ran.stderr.starts_with("error: 1 of 3 experiments failed: experiment 2: fickle:it "),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_was_measured_before_an_interruption_is_kept() {
    let folder = odd_backends();
    let child = odd_cost(&folder, "marking", "1000000").stdout(Stdio::piped()).spawn().unwrap();
    let marks = || fs::metadata(folder.path().join("marks")).map_or(0, |marks| marks.len());
    while marks() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.starts_with(HEADER) && stdout.lines().count() >= 2, "{stdout}");
}

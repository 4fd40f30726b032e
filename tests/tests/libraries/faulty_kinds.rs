//! A metric, a statistic, a merger or a corpus can do anything wrong, and costs only its own figures.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use assay_tests::{Ran, assay, fixture, repository, run, scratch};

/// A folder with the library of what misbehaves.
fn odd_kinds() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = scratch().join("faulty-kinds");
        std::fs::create_dir_all(&folder).unwrap();
        let library = fixture("odd_kinds");
        std::fs::copy(&library, folder.join(library.file_name().unwrap())).unwrap();
        folder
    })
}

/// The command with that library, and little patience.
fn impatient(words: &[&str]) -> Command {
    let mut command = assay();
    command.args(words).arg("--plugin-dir").arg(odd_kinds());
    command.env("ASSAY_PATIENCE_MS", "3000").env("ASSAY_TEST_MARKS", scratch().join("no-marks"));
    command
}

/// The one line of standard error that begins so.
#[track_caller]
fn the_line<'a>(ran: &'a Ran, beginning: &str) -> &'a str {
    let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with(beginning)).collect();
    assert_eq!(lines.len(), 1, "{}", ran.stderr);
    lines[0]
}

/// What each of these does, as one reads of it.
const FAULTS: [(&str, &str); 4] = [
    ("exits", "it ends the process with exit status 0"),
    ("crashes", "it crashes the process (SIGSEGV"),
    ("hangs", "it hangs: no answer within "),
    ("panics", "panicked at "),
];

fn report(words: &[&str]) -> Ran {
    run(&mut report_command(words))
}

fn report_command(words: &[&str]) -> Command {
    let run_folder = repository().join("tests/fixtures/saved_run");
    let mut command = impatient(&["report", "--format", "csv", "--call", "search"]);
    command.arg(run_folder).args(words);
    command
}

fn column(csv: &str, statistic: &str) -> Vec<String> {
    let cells = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let of = cells.filter(|cells| cells[4] == statistic);
    of.map(|cells| cells.last().unwrap().to_string()).collect()
}

#[test]
fn a_metric_that_fails_is_named_and_its_figures_are_missing() {
    for (does, message) in FAULTS {
        let id = format!("metric-{does}");
        let ran = report(&["--metric", &id]);
        assert_eq!(ran.code, Some(1), "{id}: {}", ran.stderr);
        let line = the_line(&ran, "warning: ");
        assert!(line.contains(&format!("the metric `{id}` of libodd_kinds.so: {message}")), "{line}");
        let figures = column(&ran.stdout, "med");
        assert!(!figures.is_empty() && figures.iter().all(String::is_empty), "{}", ran.stdout);
    }
    let forks = report(&["--metric", "metric-forks"]);
    let stopped = "of libodd_kinds.so: it makes a system call that the sandbox forbids: `clone`";
    assert!(the_line(&forks, "warning: ").contains(stopped), "{}", forks.stderr);
    let forks = report(&["--metric", "metric-forks", "--no-sandbox"]);
    let fine = report(&["--metric", "metric-fine"]);
    assert_eq!((forks.code, forks.warnings()), (Some(0), vec![]), "one process comes back");
    assert_eq!(column(&forks.stdout, "med"), column(&fine.stdout, "med"));
    for id in ["metric-nan", "metric-nothing"] {
        let ran = report(&["--metric", id]);
        assert_eq!((ran.code, ran.warnings().len()), (Some(0), 0), "{}", ran.stderr);
        assert!(column(&ran.stdout, "med").iter().all(String::is_empty), "{}", ran.stdout);
        let note = format!("{id}: no value in any repetition that counts");
        assert!(ran.stderr.contains(&note), "{}", ran.stderr);
    }
}

#[test]
fn a_statistic_that_fails_is_named_and_the_others_stand() {
    let faults = FAULTS.into_iter().chain([("too-much", "it gives more than 134217728 numbers at once")]);
    for (does, message) in faults {
        let id = format!("stat-{does}");
        let mut command =
            report_command(&["--metric", "metric-fine", "--stat", &format!("stat-fine,{id},med")]);
        if does == "too-much" {
            // A gibibyte takes its time.
            command.env("ASSAY_PATIENCE_MS", "20000");
        }
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(1), "{id}: {}", ran.stderr);
        let line = the_line(&ran, "warning: ");
        assert!(line.contains(&format!("the statistic `{id}` of libodd_kinds.so: ")), "{line}");
        assert!(line.contains(message), "{line}");
        assert!(column(&ran.stdout, &id).iter().all(String::is_empty), "{}", ran.stdout);
        for fine in ["stat-fine", "med"] {
            let figures = column(&ran.stdout, fine);
            assert!(figures.iter().any(|figure| !figure.is_empty()), "{fine}: {}", ran.stdout);
        }
    }
    let forks = report(&["--metric", "metric-fine", "--stat", "stat-forks,stat-fine", "--no-sandbox"]);
    assert_eq!((forks.code, forks.warnings()), (Some(0), vec![]), "one process comes back");
    assert_eq!(column(&forks.stdout, "stat-forks"), column(&forks.stdout, "stat-fine"));
    for id in ["stat-nan", "stat-nothing"] {
        let ran = report(&["--metric", "metric-fine", "--stat", &format!("{id},med")]);
        assert_eq!((ran.code, ran.warnings().len()), (Some(0), 0), "{}", ran.stderr);
        assert!(column(&ran.stdout, id).iter().all(String::is_empty), "{}", ran.stdout);
    }
}

fn merge(id: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.csv");
    std::fs::write(&file, "a,b\n1,2\n3,4\n").unwrap();
    run(impatient(&["merge", id, "--counters", "2"]).arg(file))
}

#[test]
fn a_merger_that_fails_is_named_and_nothing_is_printed() {
    for (does, message) in FAULTS.into_iter().chain([
        ("nothing", "it gave no columns"),
        ("creeps", "it hangs: no answer within 3 s"),
        ("boasts", "it reports a progress of 7, which is not between 0 and 1"),
    ]) {
        let ran = merge(&format!("merger-{does}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(the_line(&ran, "error: ").contains(message), "{}", ran.stderr);
    }
}

#[test]
fn a_merger_may_take_its_time_as_long_as_it_gets_on() {
    let ran = merge("merger-slow");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "a\n1\n"), "{}", ran.stderr);
}

#[test]
fn a_corpus_that_fails_is_named_and_nothing_is_measured() {
    let faults = FAULTS.into_iter().chain([
        ("refuses", "not"),
        ("overruns", "it crashes the process (SIGSEGV"),
        ("underruns", "it writes before the beginning of its text"),
        ("nothing", "it leaves bytes of its text unwritten, as from 0 to 1000 of 1000"),
        ("half", "it leaves bytes of its text unwritten"),
    ]);
    for (does, message) in faults {
        let id = format!("corpus-{does}");
        let ran = run(impatient(&["run", "hor", "--corpus", &id, "--text-size", "1000B"]).args([
            "--plen",
            "4",
            "--runs",
            "2",
            "--no-save",
        ]));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{id}: {}", ran.stderr);
        let line = the_line(&ran, "error: ");
        assert!(line.contains(&format!("the corpus `{id}` of libodd_kinds.so: ")), "{line}");
        assert!(line.contains(message), "{line}");
    }
}

#[test]
fn plugins_check_tries_every_kind_and_names_what_it_found() {
    let library = odd_kinds().join("libodd_kinds.so");
    let mut command = assay();
    command.args(["plugins", "check", "--no-sandbox"]).arg(&library).env("ASSAY_PATIENCE_MS", "20000");
    // What hangs is tried elsewhere.
    let ran = run(command.env("ASSAY_TEST_MARKS", scratch().join("no-marks")).env("ASSAY_TEST_NO_HANG", "1"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let state = |name: &str| {
        let lines: Vec<&str> =
            ran.stdout.lines().filter(|line| line.contains(&format!(" {name}: "))).collect();
        assert_eq!(lines.len(), 1, "{name}: {}", ran.stdout);
        lines[0].trim_start().to_owned()
    };
    let cases = [
        ("metric metric-fine", "ok", "of ones 1, of zeros 0"),
        ("metric metric-nan", "ok", "of ones none, of zeros none"),
        ("metric metric-exits", "FAIL", "ends the process with exit status 0"),
        ("metric metric-panics", "FAIL", "no such number"),
        ("statistic stat-fine", "ok", "of 5 [1.0], of 3, 1 and 2 [3.0]"),
        ("statistic stat-crashes", "FAIL", "SIGSEGV"),
        ("statistic stat-nan", "FAIL", "it gives NaN, which is no finite number"),
        ("statistic stat-many", "ok", "1.0] .. (1000 results), of 3"),
        ("merger sum", "FAIL", "two columns `a`"),
        ("merger ragged", "FAIL", "values for `b`"),
        ("merger merger-nothing", "FAIL", "no columns"),
        ("merger merger-boasts", "FAIL", "reports a progress of 7"),
        ("corpus corpus-half", "FAIL", "leaves byte 5000 of 10000 unwritten"),
        ("corpus corpus-gap", "FAIL", "leaves byte 500 of 10000 unwritten"),
        ("corpus corpus-moody", "FAIL", "gives another text for the same seed"),
        ("corpus corpus-process", "FAIL", "gives another text in another process, from byte "),
        ("corpus corpus-overruns", "FAIL", "SIGSEGV"),
        ("counter refusing", "FAIL", "refusing:it: it does not like to be counted"),
        ("counter exiting", "FAIL", "exiting:it: it ends the process with exit status 0"),
        ("counter marking", "ok", "1 events listed and found; 1 count here"),
        ("counter forgetful", "FAIL", "forgetful:it: it lists this event but does not find it by its name"),
        ("counter nan", "FAIL", "nan:it: its count is NaN, which is no number"),
        ("counter once", "FAIL", "once:it: opened a second time: it can be opened once"),
    ];
    for (name, expected, words) in cases {
        let line = state(name);
        assert!(line.starts_with(expected) && line.contains(words), "{line}");
    }
}

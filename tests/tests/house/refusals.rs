//! Refusals: bad input of every kind ends with one error that says what is wrong and what to do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_tests::processes::{await_that, signal};
use assay_tests::{Ran, assay, reliability, repository, run, skip};

/// Commands that are refused, a line each. Arguments are separated by blanks, and `''` is an empty one. The
/// files are those of [`folder`].
const REFUSED: &str = "\
run hor --text empty.txt
run hor --text empty
run hor --text /dev/null
run hor --data ''
run hor --text no-such-text
run hor --text t.txt --text-size 0
run hor --text t.txt --text-size x
run hor --text t.txt --text-size 9000000GiB
run hor --text t.txt --text-size 100000GiB --fill-buffer
run hor --rand 4 --text-size 100000GiB
run hor --rand 0
run hor --rand x
run hor --corpus no-such-corpus
run hor --seed x
run hor --plen 0
run hor --plen x
run hor --plen 4,
run hor --plen 8 4
run hor --plen 8,8
run hor --plen 100000 --text t.txt
run hor --plen 1 100000 --increment +1
run hor --plen 1 4 --increment *1
run hor --pattern ''
run hor --pattern-hex zz
run hor --runs 0
run hor --runs 99999999999999
run hor --runs 99999999999999999999
run hor --rounds 0
run hor --warmup 18446744073709551615
run hor --warmup 1000001
run hor --time-limit 0
run hor --threads 0
run hor --pin 100000
run hor --pin x
run hor --order x
run hor --counters no-such-backend
run hor --counters tsc:no-such-event
run hor --metric no-such-metric
run hor --out t.txt
run hor --plugin-dir no-such-folder
run hor --use no-such-set
run hor --no-such-option
run hor --resume no-such-run
run hor --resume last
run ( --no-save
run (a{1000}){1000} --no-save
run no-such-algorithm
run no-such.toml
run empty.toml
run unknown-field.toml
run no-lengths.toml
run no-algorithms.toml
run broken.toml
run t.txt
run
report no-such-run
report last --out empty
report last --out no-such-folder
report t.txt
report empty
report saved --to empty
report saved --to no-such-folder/x.svg
report saved --to x.unknown
report saved --to ''
report saved --metric no-such-metric
report saved --stat no-such-statistic
report saved --call x
report saved --format x
report saved --picture x
report saved --baseline no-such-algorithm
report not-json
report half
report other-json
report other-version
report no-report
report no-measurements
report bad-number
report bad-header
report short-row
report text-only
report not-utf-8
report binary-report
compare saved
compare saved saved
compare saved no-such-run
compare saved half
test no-such-algorithm
test hor --plen 0
select use no-such-set
select add no-such-algorithm
plugins info no-such-file
plugins info t.txt
plugins check no-such-file
counters cost no-such-backend
describe no-such-file
describe empty
describe empty.txt
describe not-utf-8/measurements.csv
plan --events A,B --counters 0 --method hrm
plan --events A,B --counters x --method hrm
plan --events A,B --counters 2 --method x
merge hrm no-such-file --counters 2
merge hrm empty.txt --counters 2
merge hrm empty --counters 2
merge no-such-merger t.txt --counters 2
collect no-such.toml -- hor
collect unknown-field.toml -- hor
bibtex no-such-algorithm
list no-such-kind
results --format x
completions x
no-such-command";

/// A folder with the files that the commands name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let saved = repository().join("tests/fixtures/saved_run");
    fs::create_dir(path("empty")).unwrap();
    for (name, content) in [
        ("empty.txt", ""),
        ("t.txt", "the cat sat on the mat\n"),
        ("empty.toml", ""),
        ("unknown-field.toml", "x = 1\n"),
        ("no-lengths.toml", "algorithms = [\"hor\"]\n[patterns]\nlengths = []\n"),
        ("no-algorithms.toml", "algorithms = []\n"),
        ("broken.toml", "algorithms = [\n"),
    ] {
        fs::write(path(name), content).unwrap();
    }
    let report = fs::read_to_string(saved.join("report.json")).unwrap();
    let rows = fs::read_to_string(saved.join("measurements.csv")).unwrap();
    let header = rows.lines().next().unwrap();
    let row = rows.lines().nth(1).unwrap();
    let half = &report[..report.len() / 2];
    let version = report.replacen("\"schema\": 1", "\"schema\": 99", 1);
    let bad_number = rows.replacen(",ok,", ",ok,x", 1);
    for (name, report, rows) in [
        ("saved", report.as_str(), rows.as_str()),
        ("not-json", "x", &rows),
        ("half", half, &rows),
        ("other-json", "{\"schema\":1,\"experiment\":[],\"results\":3}", &rows),
        ("other-version", &version, &rows),
        ("no-measurements", &report, header),
        ("bad-number", &report, &bad_number),
        ("bad-header", &report, "a,b\n1,2\n"),
        ("short-row", &report, &format!("{header}\nhor,8\n{row}\n")),
        ("text-only", &report, "some text\n"),
        ("not-utf-8", &report, ""),
        ("binary-report", "", &rows),
        ("no-report", "", &rows),
    ] {
        fs::create_dir(path(name)).unwrap();
        fs::write(path(name).join("report.json"), report).unwrap();
        fs::write(path(name).join("measurements.csv"), rows).unwrap();
    }
    fs::write(path("not-utf-8/measurements.csv"), b"\xff\xfe\x00a\n\xff,\xff\n").unwrap();
    fs::write(path("binary-report/report.json"), b"\xff\xfe\x00").unwrap();
    fs::remove_file(path("no-report/report.json")).unwrap();
    folder
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').map(|word| if word == "''" { "" } else { word })
}

/// What is wrong with a refusal; nothing if it has one error, with a remedy.
fn fault(ran: &Ran) -> Option<&'static str> {
    let errors = ran.stderr.lines().filter(|line| line.starts_with("error:")).count();
    let remedies = ran.stderr.lines().filter(|line| line.starts_with("  help: ")).count();
    let has_words_of_the_program = ["expected struct", "panicked", "RUST_BACKTRACE", "os error"]
        .iter()
        .any(|words| ran.stderr.contains(words));
    match (ran.code, errors, remedies) {
        (Some(2), 1, 1) if has_words_of_the_program => Some("it speaks of the program"),
        (Some(2), 1, 1) => None,
        (Some(2), 1, _) => Some("it has not one remedy"),
        (Some(2), ..) => Some("it has not one error"),
        _ => Some("it has another exit status than 2"),
    }
}

#[test]
fn every_bad_input_is_refused_with_one_error_and_a_remedy() {
    let folder = folder();
    let mut faults = Vec::new();
    for line in REFUSED.lines() {
        let ran = run(assay().args(words(line)).current_dir(folder.path()));
        if let Some(fault) = fault(&ran) {
            faults.push(format!("`assay {line}`: {fault} (exit status {:?})\n{}", ran.code, ran.stderr));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), REFUSED.lines().count(), faults.join("\n"));
    let what = "bad input on the command line or in a file: one error that says what is wrong and what to do, and exit \
                status 2";
    reliability::record(what, REFUSED.lines().count());
}

#[test]
fn a_text_that_may_not_be_read_is_refused_with_a_remedy() {
    let folder = folder();
    let text = folder.path().join("t.txt");
    fs::set_permissions(&text, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&text).is_ok() {
        return skip("this user may read every file");
    }
    let ran = run(assay().args(["run", "hor", "--text", "t.txt"]).current_dir(folder.path()));
    assert_eq!(fault(&ran), None, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("Permission denied") && ran.stderr.contains("`ls -ld t.txt`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_pipe_without_a_writer_is_waited_for_with_a_note_until_an_interrupt() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let errors = folder.path().join("errors");
    let start = |errors: &Path| {
        let mut command = assay();
        command.args("run hor --runs 5 --plen 4 --no-save --text pipe".split(' '));
        command.current_dir(folder.path()).stdout(Stdio::null());
        command.stderr(fs::File::create(errors).unwrap()).spawn().unwrap()
    };
    let is_noted = || fs::read_to_string(&errors).is_ok_and(|text| text.contains("the pipe `pipe`; Ctrl-C"));
    let mut waiting = start(&errors);
    await_that(|| is_noted().then_some(()));
    assert_eq!(waiting.try_wait().unwrap(), None);
    signal("INT", waiting.id());
    assert!(!waiting.wait().unwrap().success());
    let mut fed = start(&errors);
    await_that(|| is_noted().then_some(()));
    fs::write(&pipe, "the cat sat on the mat\n").unwrap();
    assert!(fed.wait().unwrap().success(), "{}", fs::read_to_string(&errors).unwrap());
}

#[test]
fn requests_that_can_be_met_only_in_part_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let command = |words: &str| run(assay().args(words.split(' ')).current_dir(folder.path()));
    let ran = command("run hor --runs 5 --rounds 1000 --plen 4 --no-save --dry-run");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("note: 5 rounds instead of 1000, because"), "{}", ran.stderr);
    let ran = command("list metrics --plugin-dir empty");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning: there is no plugin library in `empty`"), "{}", ran.stderr);
}

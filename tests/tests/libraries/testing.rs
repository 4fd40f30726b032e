//! `assay test`: what it finds, how it tells, and what it remembers.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_load::process::sandbox::Support;
use assay_tests::processes::await_that;
use assay_tests::{Ran, assay, c_library, fixture, isolate, run, shared};
use serde_json::Value;
use tempfile::TempDir;

/// A test, in surroundings that remember nothing from elsewhere.
fn test(words: &str, folder: &Path, cache: &TempDir) -> Ran {
    test_within(2000, words, folder, cache)
}

/// The same, with so many milliseconds for a case.
fn test_within(patience: u32, words: &str, folder: &Path, cache: &TempDir) -> Ran {
    let mut command = assay();
    command.arg("test").args(words.split_whitespace()).arg("--plugin-dir").arg(folder);
    run(command.env("ASSAY_CACHE_DIR", cache.path()).env("ASSAY_PATIENCE_MS", patience.to_string()))
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}", ran.stderr))
}

/// A folder with algorithms that do wrong, each in its own way, and nothing else.
fn faulty() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture("faulty_plugin"), folder.path().join("libfaulty.so")).unwrap();
    folder
}

/// What came of an algorithm.
fn result<'a>(json: &'a Value, id: &str) -> &'a Value {
    let mut results = json["results"].as_array().unwrap().iter();
    results.find(|result| result["id"] == id).unwrap_or_else(|| panic!("no {id} in {json:#}"))
}

/// Runs the command that a failure printed, in a shell: its exit status.
fn repeat(result: &Value, cache: &TempDir) -> Option<i32> {
    let binary = assay();
    let built = Path::new(binary.get_program()).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(built).chain(env::split_paths(&path));
    let mut shell = Command::new("sh");
    isolate(&mut shell);
    shell.args(["-c", result["repeat"].as_str().unwrap()]).env("PATH", env::join_paths(folders).unwrap());
    let ran = run(shell.env("ASSAY_CACHE_DIR", cache.path()).env("ASSAY_PATIENCE_MS", "2000"));
    ran.code
}

#[test]
fn each_way_to_be_wrong_costs_one_row_and_is_seen_again_with_the_printed_command() {
    let cache = tempfile::tempdir().unwrap();
    let faulty = faulty();
    let names = "right picky writes-slack crashes exits aborts hangs panics miscounts writes-text no-such-cpu kills-parent";
    let ran = test(&format!("{names} --quick --format json"), faulty.path(), &cache);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let json = json(&ran);
    assert_eq!((&json["schema"], &json["seed"], &json["size"]), (&1.into(), &0.into(), &"quick".into()));
    assert_eq!(json["results"].as_array().unwrap().len(), 12);
    let is_stopped = Support::here().seccomp;
    let kills_parent =
        if is_stopped { "that the sandbox forbids: `kill`" } else { "it kills the parent of the process" };
    for (id, status, words) in [
        ("right", "passed", ""),
        ("picky", "passed", ""),
        ("writes-slack", "passed", ""),
        ("no-such-cpu", "cannot_search", "this CPU has no warp-drive"),
        ("crashes", "crashed", "SIGSEGV"),
        ("exits", "crashed", "it ends the process with exit status 0"),
        ("aborts", "crashed", "SIGABRT"),
        ("kills-parent", "crashed", kills_parent),
        ("hangs", "timed_out", "no answer within 2 s"),
        ("panics", "failed", "out of ideas"),
        ("miscounts", "failed", "counted 2, expected 1 (pattern \"a\" in text \"a\")"),
        ("writes-text", "failed", "writes_slack is not declared"),
    ] {
        let result = result(&json, id);
        let message = result["message"].as_str().unwrap_or_default();
        assert!(result["status"] == status && message.contains(words), "{result:#}");
        assert_eq!(result["cases"].is_null(), status != "passed", "{result:#}");
        if matches!(status, "passed" | "cannot_search") {
            assert_eq!(result["repeat"], Value::Null);
        } else {
            assert_eq!(result["group"], "fixed");
            assert_eq!(repeat(result, &cache), Some(1), "{result:#}");
        }
    }
}

#[test]
fn what_passed_is_remembered_until_something_fails_or_changes() {
    let cache = tempfile::tempdir().unwrap();
    let faulty = faulty();
    let folder = faulty.path();
    let command = |words: &str| {
        let mut command = assay();
        command.args(words.split(' ')).arg("--plugin-dir").arg(folder);
        run(command.env("ASSAY_CACHE_DIR", cache.path()))
    };
    let listed = || {
        let listings: Value = serde_json::from_str(&command("list algorithms --format json").stdout).unwrap();
        let right =
            listings.as_array().unwrap().iter().find(|listing| listing["id"] == "right").unwrap().clone();
        (right["tested"].clone(), right["tested_at"].is_string())
    };
    let table = || command("run right --plen 4 --runs 2 --no-save").stdout;
    assert_eq!(listed(), (Value::Bool(false), false));
    assert!(table().contains("\nno algorithm was tested before this run (assay test right)\n"));

    assert_eq!(test("right --quick", folder, &cache).code, Some(0));
    assert_eq!(listed(), (Value::Bool(false), false));
    assert!(
        command("list algorithms")
            .stdout
            .lines()
            .any(|line| line.contains(" right ") && line.contains(" quick "))
    );
    assert_eq!(test("right --plen 3", folder, &cache).code, Some(0));
    assert!(table().contains("\nright "), "some lengths are not enough: {}", table());

    assert_eq!(test("right", folder, &cache).code, Some(0));
    assert_eq!(listed(), (Value::Bool(true), true));
    assert!(table().contains("\nRIGHT "), "{}", table());
    let update = test("right miscounts --quick --update --format json", folder, &cache);
    assert_eq!(json(&update)["results"].as_array().unwrap().len(), 1, "{}", update.stdout);
    assert!(
        update.stderr.contains("1 algorithm passed before, with the same libraries"),
        "{}",
        update.stderr
    );
}

#[test]
fn only_chosen_cases_are_tried_and_only_failures_printed() {
    let cache = tempfile::tempdir().unwrap();
    let faulty = faulty();
    let folder = faulty.path();
    let one = json(&test("right --pattern aa --text-hex 616161 --format json", folder, &cache));
    assert_eq!((&one["results"][0]["status"], &one["results"][0]["cases"]), (&"passed".into(), &1.into()));
    let named = json(&test("right --case start:3 --format json", folder, &cache));
    assert_eq!(named["results"][0]["cases"], 1);
    let refused = json(&test("picky --plen 1 4 --format json", folder, &cache));
    assert_eq!(refused["results"][0]["status"], "cannot_search");
    let silent = test("right picky --quick --fail-only", folder, &cache);
    assert_eq!((silent.code, silent.stdout.as_str()), (Some(0), ""));
    assert!(
        silent.stderr.contains("2 algorithms in ") && silent.stderr.contains("2 passed"),
        "{}",
        silent.stderr
    );
    let csv = test("miscounts --quick --format csv", folder, &cache);
    assert!(
        csv.stdout
            .starts_with("id,library,twin,status,cases,refused,message,group,repeat,seconds\nmiscounts,"),
        "{}",
        csv.stdout
    );
}

/// A folder with algorithms in SMART's form: a naive search, after some lines of each.
fn in_smarts_form(algorithms: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, lines) in algorithms {
        let source = format!(
            "#include <string.h>\n#include <unistd.h>\nstatic volatile unsigned char seen;\n\
             int internal_search(unsigned char *p, int m, unsigned char *t, int n,\n\
                                 double *pre, double *run, void *stats, void *names) {{\n\
               int found = 0;\n  {lines}\n\
               for (int s = 0; s + m <= n; s++) found += !memcmp(t + s, p, m);\n  return found;\n}}\n"
        );
        let library = c_library(folder.path(), name, &source, &["-O1", "-w"]);
        fs::rename(library, folder.path().join(format!("{name}.so"))).unwrap();
    }
    folder
}

#[test]
fn access_beyond_the_promised_bytes_around_a_pattern_of_smarts_crashes() {
    let cache = tempfile::tempdir().unwrap();
    let folder = in_smarts_form(&[
        ("margins", "for (int i = 1; i <= 64; i++) p[-i] = p[m + i - 1] = seen = p[-i];"),
        ("reads-behind", "seen = p[m + 80];"),
        ("writes-behind", "p[m + 80] = 1;"),
        ("reads-before", "seen = p[-65];"),
    ]);
    let ran = test("smart:.* --quick --format json", folder.path(), &cache);
    let json = json(&ran);
    for (id, status) in [
        ("margins", "passed"),
        ("reads-behind", "crashed"),
        ("writes-behind", "crashed"),
        ("reads-before", "crashed"),
    ] {
        let result = result(&json, &format!("smart:{id}"));
        assert_eq!(result["status"], status, "{result:#}");
        assert!(status == "passed" || repeat(result, &cache) == Some(1), "{result:#}");
    }
}

#[test]
fn refusals_by_the_text_are_counted_and_those_by_the_length_are_not() {
    let cache = tempfile::tempdir().unwrap();
    let folder = in_smarts_form(&[
        ("by-text", "if (t[0] == t[n - 1]) return -1;"),
        ("by-length", "if (m % 2) return -1;"),
        ("never", ""),
    ]);
    let ran = test("smart:.* --quick --format json", folder.path(), &cache);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let json = json(&ran);
    let refused = |id: &str| result(&json, id)["refused"].as_u64().unwrap();
    assert_eq!((refused("smart:by-length"), refused("smart:never")), (0, 0));
    let result = result(&json, "smart:by-text");
    let all = refused("smart:by-text") + result["cases"].as_u64().unwrap();
    let told = format!("refused {} of {all} cases, though it takes", refused("smart:by-text"));
    assert!(
        refused("smart:by-text") > 0 && result["message"].as_str().unwrap().starts_with(&told),
        "{result:#}"
    );
}

#[test]
fn a_library_that_only_waits_is_given_up_within_the_stated_limit() {
    let cache = tempfile::tempdir().unwrap();
    let folder = in_smarts_form(&[("sleeps", "usleep(10000);")]);
    let ran = test_within(300, "smart:sleeps --quick --format json", folder.path(), &cache);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let json = json(&ran);
    let result = result(&json, "smart:sleeps");
    assert_eq!(result["status"], "timed_out");
    let message = result["message"].as_str().unwrap();
    assert!(message.starts_with("its cases took more than 18 s: "), "{message}");
    assert!(message.ends_with("were tried, and the rest was given up"), "{message}");
}

/// A dozen of SMART's algorithms that its catalogue calls wrong, each for another reason, and some that it
/// calls right.
#[test]
fn defects_of_smarts_algorithms_are_found() {
    let Some(folder) = shared("peers/smart") else { return };
    let cache = tempfile::tempdir().unwrap();
    let wrong = "so epsm akc jom om ms rf fjs nsn tsa svm1 fsbndmq20 sbndm2 dbww sbndm-w4 tvsbs-w4";
    let right = "hor kmp bndm hash3 wfr3";
    let of = |ids: &str| ids.split(' ').map(|id| format!("smart:{id}")).collect::<Vec<_>>();
    let words = [of(wrong), of(right)].concat().join(" ");
    let ran = test(&format!("{words} --format json"), &folder, &cache);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let json = json(&ran);
    for id in of(wrong) {
        let result = result(&json, &id);
        assert!(["failed", "crashed"].contains(&result["status"].as_str().unwrap()), "{result:#}");
        assert_eq!(repeat(result, &cache), Some(1), "{result:#}");
    }
    for id in of(right) {
        assert_eq!(result(&json, &id)["status"], "passed", "{:#}", result(&json, &id));
    }
}

#[test]
fn what_was_found_before_a_test_was_killed_is_remembered() {
    let (cache, faulty) = (tempfile::tempdir().unwrap(), faulty());
    let mut command = assay();
    command.args(["test", "right", "hangs", "--jobs", "1", "--plugin-dir"]).arg(faulty.path());
    command.env("ASSAY_CACHE_DIR", cache.path()).env("ASSAY_PATIENCE_MS", "600000");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_that(|| fs::read_to_string(cache.path().join("tested.json")).ok());
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = test("right --update", faulty.path(), &cache);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("1 algorithm passed before, with the same libraries"), "{}", ran.stderr);
}

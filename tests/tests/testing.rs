//! `assay test`: what it finds, how it tells, and what it remembers.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use assay_tests::{Ran, assay, fixture, isolate, run, shared};
use serde_json::Value;
use tempfile::TempDir;

/// A test, in surroundings that remember nothing from elsewhere.
fn test(words: &str, folder: &Path, cache: &TempDir) -> Ran {
    let mut command = assay();
    command.arg("test").args(words.split_whitespace()).arg("--plugin-dir").arg(folder);
    run(command.env("ASSAY_CACHE_DIR", cache.path()).env("ASSAY_PATIENCE_MS", "2000"))
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
    for (id, status, words) in [
        ("right", "passed", ""),
        ("picky", "passed", ""),
        ("writes-slack", "passed", ""),
        ("no-such-cpu", "cannot_search", "this CPU has no warp-drive"),
        ("crashes", "crashed", "SIGSEGV"),
        ("exits", "crashed", "it ends the process with exit status 0"),
        ("aborts", "crashed", "SIGABRT"),
        ("kills-parent", "crashed", "it kills the parent of the process"),
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
    assert!(table().contains("* behind an algorithm: not tested: assay test right\n"));

    assert_eq!(test("right --quick", folder, &cache).code, Some(0));
    assert_eq!(listed(), (Value::Bool(false), false));
    assert!(
        command("list algorithms")
            .stdout
            .lines()
            .any(|line| line.contains(" right ") && line.ends_with("quick"))
    );
    assert_eq!(test("right --plen 3", folder, &cache).code, Some(0));
    assert!(table().contains("\nright* "), "some lengths are not enough: {}", table());

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
fn chosen_cases_alone_are_tried_and_only_failures_told() {
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
        csv.stdout.starts_with("id,library,twin,status,cases,message,group,repeat\nmiscounts,"),
        "{}",
        csv.stdout
    );
}

/// A dozen of SMART's algorithms that its catalogue calls wrong, each for another reason, and some that it calls right.
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

//! The text of an experiment that is repeated is the text that was measured, or there is no run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{Ran, assay, run};
use serde_json::Value;

const TEXT: &str = "It was the best of times, it was the worst of times, it was the age of wisdom.";

/// `assay run` with words, in a folder.
fn runs(folder: &Path, words: &str) -> Command {
    let mut command = assay();
    command.arg("run").args(words.split_whitespace()).current_dir(folder);
    command
}

/// A folder with the folder `tale`, and the experiment `experiment.toml` on it.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tale")).unwrap();
    fs::write(folder.path().join("tale/one.txt"), TEXT).unwrap();
    fs::write(folder.path().join("tale/two.txt"), TEXT).unwrap();
    let ran = run(&mut runs(folder.path(), "hor --plen 4 --runs 2 --seed 3 --dry-run --text tale"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    fs::write(folder.path().join("experiment.toml"), ran.stdout).unwrap();
    folder
}

#[track_caller]
fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
    for words in words {
        assert!(ran.stderr.contains(words), "expected: {words}\ngot: {}", ran.stderr);
    }
}

/// The experiment of the one run that is saved in a folder.
fn saved(results: &Path) -> (PathBuf, String) {
    let folder = fs::read_dir(results).unwrap().next().unwrap().unwrap().path();
    let experiment = fs::read_to_string(folder.join("experiment.toml")).unwrap();
    (folder, experiment)
}

#[test]
fn a_saved_run_records_its_text() {
    let folder = prepared();
    assert_eq!(run(&mut runs(folder.path(), "experiment.toml --quiet")).code, Some(0));
    let (saved, toml) = saved(&folder.path().join("results"));
    let json: Value = serde_json::from_slice(&fs::read(saved.join("report.json")).unwrap()).unwrap();
    let recorded = &json["experiment"]["definition"]["text"]["recorded"];
    let expected = |file: &str| {
        serde_json::json!({
            "name": "tale",
            "path": folder.path().join("tale"),
            "file": file,
            "bytes": 78,
            "used": 78,
            "sha256": "6d39cbcbaa88013792029f6e02f41ee1f4fa18e527ec8766e6ed4fbed404e557",
        })
    };
    assert_eq!(*recorded, Value::Array(vec![expected("one.txt"), expected("two.txt")]));
    assert_eq!(toml.matches("[[text.recorded]]").count(), 2, "{toml}");
}

#[test]
fn a_text_that_changed_is_refused() {
    for change in ["a byte", "cut", "longer", "another file", "a file less"] {
        let folder = prepared();
        let [one, two, zero] =
            ["one", "two", "zero"].map(|name| folder.path().join(format!("tale/{name}.txt")));
        match change {
            "a byte" => fs::write(one, TEXT.replace("best", "beat")),
            "cut" => fs::write(two, &TEXT[..20]),
            "longer" => fs::write(two, format!("{TEXT}!")),
            "another file" => fs::write(zero, "zero"),
            _ => fs::remove_file(two),
        }
        .unwrap();
        let ran = run(&mut runs(folder.path(), "experiment.toml"));
        refused(&ran, &["the text `tale` is not the one", "recorded: ", "found: ", "--force"]);
        assert!(!folder.path().join("results").exists(), "{change}");
    }
}

#[test]
fn a_saved_run_is_repeated_with_its_text_only() {
    let folder = prepared();
    assert_eq!(run(&mut runs(folder.path(), "experiment.toml --quiet")).code, Some(0));
    let id = saved(&folder.path().join("results")).0.file_name().unwrap().to_str().unwrap().to_owned();
    let again = |more: &str| run(&mut runs(folder.path(), &format!("results/{id} --no-save {more}")));
    assert_eq!(again("").code, Some(0));
    fs::write(folder.path().join("tale/one.txt"), TEXT.replace("best", "beat")).unwrap();
    refused(&again(""), &["tale/one.txt, 78 bytes, SHA-256 "]);
    fs::write(folder.path().join("other.txt"), TEXT).unwrap();
    assert_eq!(again("--text other.txt").code, Some(0), "another text was asked for");
    assert_eq!(again("--text tale").code, Some(0), "this text was asked for, as it is");
    assert_eq!(again("--rand 4").code, Some(0));
}

#[test]
fn by_force_the_text_is_taken_and_recorded_as_it_is() {
    let folder = prepared();
    fs::write(folder.path().join("tale/one.txt"), "Call me Ishmael.").unwrap();
    let forced = run(&mut runs(folder.path(), "experiment.toml --force --dry-run"));
    assert_eq!((forced.code, forced.stderr.as_str()), (Some(0), ""));
    assert!(forced.stdout.contains("\nbytes = 16\nused = 16\n"), "{}", forced.stdout);
    fs::write(folder.path().join("experiment.toml"), forced.stdout).unwrap();
    assert_eq!(run(&mut runs(folder.path(), "experiment.toml --no-save")).code, Some(0));
}

#[test]
fn a_text_is_found_from_another_folder_and_held_to_there() {
    let folder = prepared();
    let elsewhere = tempfile::tempdir().unwrap();
    let repeat = || run(runs(elsewhere.path(), "--no-save").arg(folder.path().join("experiment.toml")));
    let place = folder.path().join("tale");
    let ran = repeat();
    let note = format!("note: text: `tale` is not found here, and taken from {}\n", place.display());
    assert_eq!((ran.code, ran.stderr), (Some(0), note));
    fs::create_dir(elsewhere.path().join("tale")).unwrap();
    fs::write(elsewhere.path().join("tale/one.txt"), "another tale").unwrap();
    fs::write(elsewhere.path().join("tale/two.txt"), "of two").unwrap();
    refused(&repeat(), &[&format!("`--text {}` the one from there", place.display())]);
    fs::remove_dir_all(elsewhere.path().join("tale")).unwrap();
    fs::rename(&place, folder.path().join("moved")).unwrap();
    refused(&repeat(), &[&format!("the text that was {} is gone", place.display())]);
}

#[test]
fn what_no_one_recorded_is_not_compared() {
    let folder = prepared();
    fs::write(
        folder.path().join("by_hand.toml"),
        "algorithms = [\"hor\"]\nruns = 2\npatterns = { lengths = [4] }\ntext = { files = [\"tale\"] }",
    )
    .unwrap();
    fs::write(folder.path().join("tale/one.txt"), "Call me Ishmael.").unwrap();
    let ran = run(&mut runs(folder.path(), "by_hand.toml --no-save"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_generated_text_is_held_to_unless_another_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let made =
        run(&mut runs(folder.path(), "hor --plen 4 --runs 2 --seed 3 --rand 4 --text-size 1KiB --dry-run"));
    let (start, hash) = made.stdout.split_once("sha256 = \"").unwrap();
    // As if the corpus made another text today.
    fs::write(folder.path().join("x.toml"), format!("{start}sha256 = \"{}{}", "0".repeat(8), &hash[8..]))
        .unwrap();
    let ran = run(&mut runs(folder.path(), "x.toml --no-save"));
    refused(
        &ran,
        &["the text `rand4` is not the one", "recorded: rand4 from seed 3, 1,024 bytes, SHA-256 0000"],
    );
    for other in ["--seed 4", "--text-size 2KiB", "--rand 5", "--force"] {
        let ran = run(&mut runs(folder.path(), &format!("x.toml --no-save {other}")));
        assert_eq!(ran.code, Some(0), "{other}: {}", ran.stderr);
    }
}

#[test]
fn a_text_that_is_cut_is_said_once() {
    let folder = prepared();
    let note = |words: &str| {
        let ran = run(&mut runs(folder.path(), &format!("hor --plen 4 --runs 2 --no-save {words}")));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr
    };
    fs::write(folder.path().join("long.txt"), TEXT.repeat(20_000)).unwrap();
    assert_eq!(
        note("--text long.txt"),
        "note: text: the first 1,048,576 of 1,560,000 bytes of long.txt (--text-size 2MiB for all)\n"
    );
    assert_eq!(note("--text long.txt --text-size 2MiB"), "");
    assert_eq!(
        note("--text tale --text-size 100B"),
        "note: text: the first 100 of 156 bytes of tale (--text-size 156B for all)\n"
    );
    assert_eq!(
        note("--text long.txt tale"),
        "note: text: the first 1,048,576 of 1,560,156 bytes of long.txt, tale, nothing of tale (--text-size 2MiB for all)\n"
    );
    assert_eq!(note("--text long.txt --quiet"), "");
}

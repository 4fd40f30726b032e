//! Ids that have changed their meaning: runs, experiments and sets of an older version say so.

use std::fs;
use std::path::Path;

use assay_tests::{assay, only_entry, run};
use serde_json::Value;

use crate::statuses::measured;

#[test]
fn a_run_keeps_the_statuses_and_one_of_an_older_version_says_which_ids_have_changed() {
    let (folder, _) = measured(&["lbndm", "hor"]);
    let place = only_entry(&folder.path().join("results"));
    let report = place.join("report.json");
    let json: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    let facts = &json["experiment"];
    assert_eq!(facts["statuses"]["hor"]["status"], "from the paper");
    assert!(facts["statuses"]["lbndm"]["note"].as_str().unwrap().starts_with("The paper's search"));
    assert_eq!(facts["changed_ids"]["lbndm"], "0.1.0");
    let reported = || run(assay().args(["report", "last"]).current_dir(folder.path()));
    assert!(!reported().stderr.contains("older than the ids"), "{}", reported().stderr);
    write_as_before(&report, |_| ());
    let ran = reported();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let note = "is older than the ids that it names: `lbndm` was until version 0.1.0 what is lbndm-t now\n";
    assert_eq!(ran.stderr.matches(note).count(), 1, "{}", ran.stderr);
    assert!(!ran.stdout.contains('†'), "nothing is known of an old run");
}

/// The file `report.json` of a run as the version before wrote it, with these facts changed.
fn write_as_before(report: &Path, change: impl FnOnce(&mut serde_json::Map<String, Value>)) {
    let mut json: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    json.as_object_mut().unwrap().remove("sha256");
    let facts = json["experiment"].as_object_mut().unwrap();
    facts.remove("statuses");
    facts.remove("changed_ids");
    change(facts);
    fs::write(report, serde_json::to_string(&json).unwrap()).unwrap();
}

#[test]
fn a_run_of_an_older_version_says_which_ids_have_changed_when_it_is_measured_again_or_resumed() {
    let (folder, _) = measured(&["lbndm", "hor"]);
    let place = only_entry(&folder.path().join("results"));
    let [id, file] = [place.clone(), place.join("experiment.toml")].map(|path| path.display().to_string());
    let ran = |words: &[&str]| {
        let ran = run(assay().arg("run").args(words).current_dir(folder.path()));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        ran.stderr
    };
    let note = "is older than the ids that it names: `lbndm` was until version 0.1.0 what is lbndm-t now\n";
    for again in [&id, &file] {
        assert!(!ran(&[again, "--no-save"]).contains("older than the ids"), "this version made it");
    }
    write_as_before(&place.join("report.json"), |_| ());
    let of_run = format!("note: run {} {note}", place.file_name().unwrap().display());
    for again in [&id, &file] {
        let stderr = ran(&[again, "--no-save"]);
        assert_eq!(stderr.matches(&of_run).count(), 1, "{stderr}");
    }
    assert!(!ran(&[&id, "hor", "--no-save"]).contains("older than the ids"), "others are measured");
    // As if it had been interrupted.
    write_as_before(&place.join("report.json"), |facts| {
        facts.insert("interrupted".to_owned(), true.into());
    });
    let stderr = ran(&["--resume", place.file_name().unwrap().to_str().unwrap()]);
    assert_eq!(stderr.matches(&of_run).count(), 1, "{stderr}");
}

#[test]
fn an_experiment_without_its_run_says_which_ids_have_changed_if_an_older_version_wrote_it() {
    let folder = tempfile::tempdir().unwrap();
    let ran = |words: &[&str]| {
        let ran = run(assay().arg("run").args(words).current_dir(folder.path()));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        ran
    };
    let written = ran(&["lbndm", "hor", "--plen", "8", "--runs", "1", "--dry-run"]).stdout;
    let recorded = "[changed_ids]\nlbndm = \"0.1.0\"\n";
    assert!(written.contains(recorded), "{written}");
    let file = folder.path().join("published.toml");
    let stderr = |text: &str| {
        fs::write(&file, text).unwrap();
        ran(&["published.toml", "--dry-run"]).stderr
    };
    assert!(!stderr(&written).contains("older than the ids"));
    let note = "note: `published.toml` is older than the ids that it names: `lbndm` was until version 0.1.0 what is \
                lbndm-t now\n";
    assert!(stderr(&written.replace(recorded, "")).contains(note));
    assert!(
        !stderr("algorithms = [\"lbndm\"]\n").contains("older than the ids"),
        "written by hand, maybe today"
    );
}

#[test]
fn a_set_of_an_older_version_says_which_ids_have_changed_until_it_is_written_anew() {
    let user = tempfile::tempdir().unwrap();
    let ran = |words: &[&str]| {
        let ran = run(assay().args(words).env("ASSAY_CONFIG_DIR", user.path()).current_dir(user.path()));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        ran.stderr
    };
    let file = user.path().join("sets.toml");
    fs::write(&file, "selected = []\n\n[sets]\nmine = [\"bxs2\", \"hor\"]\n").unwrap();
    let note = "the set `mine` is older than the ids that it names: `bxs2` was until version 0.1.0 what is bxs-t2 now";
    let planned = || ran(&["run", "--use", "mine", "--seed", "1", "--dry-run"]);
    assert_eq!(planned().matches(note).count(), 1, "{}", planned());
    assert!(ran(&["select", "add", "bm"]).contains("`bxs2` was until version 0.1.0"));
    assert!(fs::read_to_string(&file).unwrap().contains("bxs2 = \"0.1.0\""));
    assert!(!planned().contains("older than the ids"), "{}", planned());
    assert!(!ran(&["select", "add", "lbndm"]).contains("older than the ids"), "it is chosen now");
    assert!(!ran(&["run", "--selected", "--seed", "1", "--dry-run"]).contains("older than the ids"));
}

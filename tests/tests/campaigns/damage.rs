//! Runs of tasks that were damaged, and gathered runs that were not: `gather` may be killed.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::gather::{all_of, gathered_runs, json, with_runs};
use super::{Campaign, copy, names};

#[test]
fn a_damaged_task_is_missing_and_costs_no_other() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    let run = campaign.run_of("0002");
    let rows = run.join("measurements.csv");
    let text = fs::read_to_string(&rows).unwrap();
    fs::write(&rows, text.replacen(",ok,", ",Ok,", 1)).unwrap();
    let ran = campaign.run("gather", &["--format", "json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let missing = &json(&ran)["missing"];
    assert_eq!((missing.as_array().unwrap().len(), &missing[0]["task"]), (1, &2.into()));
    let state = missing[0]["state"].as_str().unwrap();
    assert!(state.starts_with("damaged: ") && state.contains("measurements.csv"), "{state}");
    assert_eq!(gathered_runs(&campaign).len(), 2);

    // It is measured again, in an attempt of its own.
    let dry = campaign.run("resume", &["--dry-run"]);
    assert!(dry.code == Some(0) && dry.stdout.lines().count() == 1, "{dry:?}");
    assert_eq!(campaign.count("done"), 4, "only looked at");
    let resumed = campaign.run("resume", &[]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    let why = "task 2 is measured again, because its run is damaged: ";
    assert!(resumed.stderr.contains(why) && resumed.stderr.contains("1 task done"), "{}", resumed.stderr);
    let attempts = campaign.attempts("0002");
    assert_eq!((attempts.len(), campaign.count("done")), (2, 4));
    let first = fs::read_to_string(attempts[0].join("attempt.toml")).unwrap();
    assert!(first.contains("outcome = \"damaged\"") && run.exists(), "{first}");
    let ran = campaign.run("gather", &["--format", "json"]);
    assert_eq!((ran.code, &json(&ran)["missing"]), (Some(0), &serde_json::json!([])), "{}", ran.stderr);
    let again = campaign.run("resume", &[]);
    assert!(again.stderr.contains("nothing is left to submit"), "{}", again.stderr);
    let dry = campaign.run("resume", &["--dry-run"]);
    assert!(dry.stdout.is_empty() && dry.stderr.contains("nothing is left to submit"), "{dry:?}");

    // The run has another id if its first task was measured again. It replaces the earlier one, although the
    // run of that task can't be read any more, and is gathered once if its campaign is named twice.
    fs::remove_file(campaign.run_of("0001").join("report.json")).unwrap();
    assert_eq!(campaign.run("resume", &[]).code, Some(0));
    let other_path = campaign.place().join("../c");
    let ran = assay_tests::run(campaign.command("gather", &[]).arg(other_path));
    assert!(
        ran.code == Some(0) && ran.stderr.contains("is named twice, and gathered once"),
        "{}",
        ran.stderr
    );
    let runs = gathered_runs(&campaign);
    assert_eq!(runs.len(), 2, "{runs:?}");

    // What the user has put into a run is named before anything is removed.
    fs::write(runs[1].join("notes.txt"), "mine").unwrap();
    let ran = campaign.run("gather", &[]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("notes.txt` is not a file of a gathered run"),
        "{ran:?}"
    );
    assert!(gathered_runs(&campaign) == runs && runs[1].join("notes.txt").exists());
}

#[test]
fn gather_ends_with_1_however_damage_was_found() {
    let campaign = Campaign::planned("c", &[]);
    // With scripts, `resume` notes damage and measures nothing.
    assert_eq!(campaign.run("submit", &["--on", "script"]).code, Some(0));
    for task in ["1", "2", "3", "4"] {
        assert_eq!(campaign.run("task", &["--ignore-doctor", task]).code, Some(0));
    }
    let whole = campaign.path("whole");
    copy(&campaign.place().join("attempts"), &whole);
    let damages: [&dyn Fn(&Path); 4] = [
        &|run| fs::write(run.join("measurements.csv"), "").unwrap(),
        &|run| fs::write(run.join("experiment.toml"), "runs = 7\n").unwrap(),
        &|run| fs::remove_file(run.join("report.json")).unwrap(),
        &|run| fs::remove_dir_all(run).unwrap(),
    ];
    for damage in damages {
        damage(&campaign.run_of("0002"));
        for found_by in ["gather", "resume"] {
            if found_by == "resume" {
                assert_eq!(campaign.run("resume", &[]).code, Some(0));
            }
            let ran = campaign.run("gather", &["--format", "json"]);
            assert!(ran.code == Some(1) && ran.stderr.contains("task 2 on rand4 is damaged: "), "{ran:?}");
            assert_eq!(json(&ran)["missing"].as_array().unwrap().len(), 1);
        }
        fs::remove_dir_all(campaign.place().join("attempts")).unwrap();
        copy(&whole, &campaign.place().join("attempts"));
    }
    for task in ["0001", "0002", "0003", "0004"] {
        fs::write(campaign.run_of(task).join("report.json"), "{").unwrap();
    }
    let ran = campaign.run("gather", &[]);
    assert!(ran.code == Some(1) && ran.stderr.contains("there is nothing to gather"), "{ran:?}");
}

#[test]
fn gather_may_be_killed_at_any_moment() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    assert_eq!(campaign.run("gather", &[]).code, Some(0));
    let runs = gathered_runs(&campaign);
    let contents =
        || runs.iter().map(|run| fs::read(run.join("measurements.csv")).unwrap()).collect::<Vec<_>>();
    let before = contents();
    // When it is killed does not matter to what is checked, so neither does the speed of the machine.
    for delay in [0, 10, 20, 40, 80, 160] {
        let mut command = campaign.command("gather", &[]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(
            (gathered_runs(&campaign), contents() == before),
            (runs.clone(), true),
            "after {delay} ms"
        );
        for run in &runs {
            let shown = with_runs(&["report"], std::slice::from_ref(run), &[]);
            assert_eq!(shown.code, Some(0), "after {delay} ms: {}", shown.stderr);
        }
    }
    // What the killed processes have left is removed.
    assert_eq!(campaign.run("gather", &[]).code, Some(0));
    assert_eq!(names(&campaign.place().join("gathered")), all_of(&runs));
}

//! Runs of tasks that were damaged, and gathered runs that were not: `gather` may be killed.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
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
fn a_gathered_run_stays_if_it_may_have_the_only_sound_copy_of_a_task() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    assert_eq!(campaign.run("gather", &[]).code, Some(0));
    let whole = gathered_runs(&campaign);
    fs::write(campaign.run_of("0002").join("measurements.csv"), "").unwrap();
    let refused = campaign.run("gather", &[]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    for words in [
        "task 2 on rand4 is damaged: ",
        "contains task 2, of which these campaigns have no sound run now; gathering would replace the run and lose its rows",
    ] {
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    assert_eq!(gathered_runs(&campaign), whole);
    let other = campaign.path("other");
    let elsewhere = campaign.run("gather", &["--out", other.to_str().unwrap()]);
    assert_eq!(elsewhere.code, Some(1), "{}", elsewhere.stderr);

    // It is replaced once the task was measured again, also if the damaged attempt was removed.
    assert_eq!(campaign.run("resume", &[]).code, Some(0));
    fs::remove_dir_all(&campaign.attempts("0002")[0]).unwrap();
    let again = campaign.run("gather", &[]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(gathered_runs(&campaign), whole, "the first task of each run is the same, and so is its id");
}

#[test]
fn a_run_that_may_not_be_read_is_not_taken_for_damaged() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    for name in ["measurements.csv", "patterns.csv", "report.json", "experiment.toml"] {
        let file = campaign.run_of("0002").join(name);
        fs::set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
        if File::open(&file).is_ok() {
            return assay_tests::skip("this user may read every file");
        }
        for command in ["resume", "gather"] {
            let ran = campaign.run(command, &[]);
            let words = format!("{name}`: Permission denied\n  help: `ls -ld ");
            assert!(ran.code == Some(2) && ran.stderr.contains(&words), "{ran:?}");
        }
        assert_eq!((campaign.count("done"), campaign.attempts("0002").len()), (4, 1));
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    }
    fs::set_permissions(campaign.place(), Permissions::from_mode(0o000)).unwrap();
    let ran = campaign.run("status", &[]);
    assert!(ran.code == Some(2) && ran.stderr.contains("campaign.toml`: Permission denied"), "{ran:?}");
    fs::set_permissions(campaign.place(), Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_named_and_not_waited_for() {
    let campaign = Campaign::planned("c", &[]);
    let make = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    fs::create_dir_all(campaign.place().join("submissions")).unwrap();
    make(&campaign.place().join("submissions/0002.toml"));
    let ran = campaign.run("status", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("0002.toml` is a pipe and no file"), "{ran:?}");
    let task = campaign.place().join("tasks/0001.toml");
    fs::remove_file(&task).unwrap();
    make(&task);
    let ran = campaign.run("status", &[]);
    assert!(ran.code == Some(2) && ran.stderr.contains("tasks/0001.toml` is a pipe and no file"), "{ran:?}");
}

#[test]
fn a_task_whose_attempt_has_lost_its_file_says_so() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.run("task", &["--ignore-doctor", "1"]).code, Some(0));
    fs::remove_file(campaign.attempts("0001")[0].join("attempt.toml")).unwrap();
    let ran = campaign.run("status", &["--format", "csv"]);
    assert!(ran.stdout.contains("has no attempt.toml that can be read, and does not count"), "{ran:?}");
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

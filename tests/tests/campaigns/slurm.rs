//! Campaigns that are submitted to Slurm: what is called, with which words, and what its answers mean.

use std::fs;
use std::process::Command;

use assay_tests::{isolate, run};

use super::Campaign;
use super::fake_slurm::FakeSlurm;

#[test]
fn arrays_are_submitted_with_any_path_and_every_option() {
    let name = "it's \"a\" $HOME %a";
    let (campaign, slurm) = (Campaign::planned(name, &[]), FakeSlurm::new());
    let words = ["--on", "slurm", "--ignore-doctor", "--option=--partition=a b", "--option", "-x"];
    let dry = slurm.run(&campaign, "submit", &[&words[..], &["--dry-run"]].concat());
    assert!(dry.code == Some(0) && dry.stdout.lines().count() == 2, "{dry:?}");
    assert!(!campaign.place().join("submissions").exists());
    let ran = slurm.run(&campaign, "submit", &words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("submitted 4 tasks in jobs 1, 2"), "{}", ran.stderr);
    let called = slurm.lines("sbatch.1");
    let place = campaign.place().canonicalize().unwrap().to_str().unwrap().to_owned();
    let output = format!("--output={}/logs/%A_%a.txt", place.replace('%', "%%"));
    for word in ["--parsable", "--requeue", "--exclusive", "--array=0-2", "--partition=a b", "-x", &output] {
        assert!(called.iter().any(|line| line == word), "{word}: {called:?}");
    }
    assert!(slurm.lines("sbatch.2").contains(&"--array=0-0".to_owned()));

    // What Slurm would do: element 1 of the first array measures the second task.
    let script = called.last().unwrap();
    let mut shell = Command::new("sh");
    isolate(&mut shell);
    shell.arg(script).env("SLURM_ARRAY_TASK_ID", "1").env("SLURM_ARRAY_JOB_ID", "1").env("SLURM_JOB_ID", "8");
    let ran = run(&mut shell);
    assert!(ran.code == Some(0) && ran.stderr.contains("task 2 is done"), "{}", ran.stderr);
    let attempt = campaign.attempts("0002").pop().unwrap().join("attempt.toml");
    assert!(fs::read_to_string(attempt).unwrap().contains("job = \"1_1\""));
}

#[test]
fn what_is_missing_is_submitted_again_and_nothing_else() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    let words = ["--on", "slurm", "--no-exclusive", "--array-limit", "2", "--option=--time=5"];
    assert_eq!(slurm.run(&campaign, "submit", &words).code, Some(0));
    slurm.queue(&["1|0|PENDING|", "1|1|RUNNING|n7", "2|0|CANCELLED|", "2|1|PENDING|", "9|0|PENDING|"]);
    let counts = ["waiting", "running", "interrupted"].map(|state| slurm.count(&campaign, state));
    assert_eq!(counts, [2, 1, 1]);
    let status = slurm.run(&campaign, "status", &["--format", "csv"]);
    assert!(status.stdout.contains("2,running,rand4,8,,0,n7,1_1,"), "{}", status.stdout);
    assert!(status.stdout.contains("job 2_0: CANCELLED"), "{}", status.stdout);
    assert_eq!(status.stderr.matches("keeps no accounts").count(), 1, "{}", status.stderr);
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(ran.stderr.contains("submitted 1 task in job 3"), "{}", ran.stderr);
    let called = slurm.lines("sbatch.3");
    assert!(called.contains(&"--time=5".to_owned()) && !called.contains(&"--exclusive".to_owned()));
    let script = fs::read_to_string(called.last().unwrap()).unwrap();
    assert!(script.contains("set -- 3\n"), "{script}");
    slurm.queue(&["1|0|PENDING|", "1|1|RUNNING|n7", "2|1|PENDING|", "3|0|PENDING|"]);
    let again = slurm.run(&campaign, "resume", &[]);
    assert!(again.code == Some(0) && again.stderr.contains("nothing is left to submit"), "{}", again.stderr);
    assert!(!slurm.path("sbatch.4").exists());
    let cancelled = slurm.run(&campaign, "cancel", &[]);
    assert!(cancelled.stderr.contains("cancelled 3 jobs: 1, 2, 3"), "{}", cancelled.stderr);
    assert_eq!(slurm.lines("scancel"), ["1", "2", "3"]);
}

#[test]
fn arrays_whose_numbers_were_lost_are_found_by_their_names() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    let file = campaign.place().join("submissions/0001.toml");
    let text = fs::read_to_string(&file).unwrap();
    let lost: Vec<&str> = text.lines().filter(|line| !line.starts_with("job = ")).collect();
    fs::write(&file, lost.join("\n")).unwrap();
    let names = [1, 2].map(|number| {
        let called = slurm.lines(&format!("sbatch.{number}"));
        called.iter().find_map(|word| word.strip_prefix("--job-name=")).unwrap().to_owned()
    });
    slurm.write("found", &format!("{} 42\n{} 41\n{}x 43\n", names[1], names[0], names[0]));
    slurm.queue(&["41|0|PENDING|", "41|1|RUNNING|n7", "41|2|PENDING|", "42|0|CANCELLED|"]);
    // A command that only reads finds them, too, and notes nothing.
    assert_eq!(["waiting", "running", "interrupted"].map(|state| slurm.count(&campaign, state)), [2, 1, 1]);
    assert!(!fs::read_to_string(&file).unwrap().contains("job = "));
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("submitted 1 task in job 3"), "{}", ran.stderr);
    assert!(slurm.lines("sbatch.3").contains(&"--array=0-0".to_owned()) && !slurm.path("sbatch.4").exists());
    let noted = fs::read_to_string(&file).unwrap();
    for (name, job) in names.iter().zip(["41", "42"]) {
        assert!(noted.contains(&format!("name = \"{name}\"\njob = \"{job}\"\n")), "{noted}");
    }
}

#[test]
fn a_refusal_of_slurm_is_reported_and_costs_nothing() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    slurm.write("refuse", "sbatch: error: invalid partition specified: x\n");
    let ran = slurm.run(&campaign, "submit", &["--on", "slurm", "--option=--partition=x"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("0 job arrays of 2 submitted, then: `sbatch` failed: "), "{}", ran.stderr);
    assert_eq!(slurm.count(&campaign, "not_submitted"), 4);
    let noted = fs::read_to_string(campaign.place().join("submissions/0001.toml")).unwrap();
    assert!(noted.contains("refused = ") && noted.matches("[[array]]").count() == 1, "{noted}");
    let status = slurm.run(&campaign, "status", &["--format", "csv"]);
    assert_eq!(status.stdout.matches("refused: `sbatch` failed: ").count(), 3, "{}", status.stdout);
    // Nobody asks for an array that was refused: `squeue --name` fails from now on.
    fs::remove_file(slurm.path("found")).unwrap();
    assert_eq!(slurm.count(&campaign, "not_submitted"), 4);
    let again = slurm.run(&campaign, "resume", &[]);
    assert!(again.code == Some(2) && again.stderr.contains("invalid partition"), "{}", again.stderr);
    fs::remove_file(slurm.path("refuse")).unwrap();
    let submitted = slurm.run(&campaign, "resume", &[]);
    assert!(submitted.stderr.contains("submitted 4 tasks in jobs 1, 2"), "{}", submitted.stderr);
    let other = campaign.run("submit", &["--on", "local", "--option=--partition=x"]);
    assert!(other.code == Some(2) && other.stderr.contains("--option is for Slurm"), "{}", other.stderr);
}

#[test]
fn what_slurm_says_is_not_guessed() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    slurm.write("fail", "");
    let ran = slurm.run(&campaign, "submit", &["--on", "slurm"]);
    let doubt = "`sbatch` failed: 1;cluster, but it printed job number 1; ";
    assert!(ran.code == Some(0) && ran.stderr.contains(doubt), "{}", ran.stderr);
    slurm.queue(&["1|0|NEW_STATE|", "1|1|LAUNCH_FAILED|", "1|2|PENDING|", "2|0|PENDING|", "7|N/A|RUNNING|n"]);
    assert_eq!(["waiting", "interrupted"].map(|state| slurm.count(&campaign, state)), [3, 1]);
    let status = slurm.run(&campaign, "status", &["--format", "csv"]);
    for reason in ["job 1_0: NEW_STATE, which this version of assay does not know", "job 1_1: LAUNCH_FAILED"]
    {
        assert!(status.stdout.contains(reason), "{}", status.stdout);
    }
    slurm.queue(&["Welcome to the cluster"]);
    for name in ["status", "resume", "cancel"] {
        let ran = slurm.run(&campaign, name, &[]);
        let message = "`squeue` printed `Welcome to the cluster`, which is not what it was asked for";
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert!(!slurm.path("sbatch.3").exists() && !slurm.path("scancel").exists());

    // A submission that was interrupted before Slurm had it is noted, and its tasks are submitted again.
    let file = campaign.place().join("submissions/0001.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("job = \"2\"\n", "")).unwrap();
    slurm.queue(&["1|0|PENDING|", "1|1|PENDING|", "1|2|PENDING|"]);
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("submitted 1 task in job 3"), "{}", ran.stderr);
    assert!(fs::read_to_string(&file).unwrap().contains("interrupted before Slurm had it"));
}

#[test]
fn jobs_of_a_cluster_that_is_gone_are_not_waited_for() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    let elsewhere =
        |name: &str, words: &[&str]| run(campaign.command(name, words).env("PATH", campaign.path("nothing")));
    let ran = elsewhere("submit", &["--on", "local", "--ignore-doctor"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("nothing is left to submit"), "{}", ran.stderr);
    let refused = elsewhere("cancel", &[]);
    let message = "jobs 1, 2 can't be cancelled, because there is no `squeue` here";
    assert!(refused.code == Some(2) && refused.stderr.contains(message), "{}", refused.stderr);
    slurm.queue(&["2|0|RUNNING|n7"]);
    let refused = slurm.run(&campaign, "cancel", &["--without-slurm"]);
    let message = "job 2 of this campaign waits or runs in Slurm here";
    assert!(refused.code == Some(2) && refused.stderr.contains(message), "{}", refused.stderr);
    let noted = elsewhere("cancel", &["--without-slurm"]);
    assert!(
        noted.code == Some(0) && noted.stderr.contains("2 job arrays noted as ended"),
        "{}",
        noted.stderr
    );
    assert!(!slurm.path("scancel").exists());
    assert_eq!(slurm.count(&campaign, "not_submitted"), 4);
    let ran = elsewhere("submit", &["--on", "local", "--ignore-doctor"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("4 tasks done"), "{}", ran.stderr);
}

#[test]
fn a_dry_run_without_slurm_says_so() {
    let campaign = Campaign::planned("c", &[]);
    let mut command = campaign.command("submit", &["--on", "slurm", "--dry-run"]);
    let ran = run(command.env("PATH", campaign.path("nothing")));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let limit = "Slurm was not reached, so a limit of 1001 tasks in an array is assumed: ";
    assert!(ran.stderr.contains(limit) && ran.stdout.contains("--array=0-3"), "{ran:?}");
}

#[test]
fn a_job_on_a_busy_machine_goes_back_to_the_queue() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    let _load = super::here::Load::begin();
    let job = |restarts: &str| {
        let mut command = slurm.see(campaign.command("task", &["1"]));
        // The last element of an array has the number of the array itself.
        command.env("SLURM_JOB_ID", "42").env("SLURM_RESTART_COUNT", restarts);
        command.env("SLURM_ARRAY_JOB_ID", "42").env("SLURM_ARRAY_TASK_ID", "3");
        run(&mut command)
    };
    let ran = job("0");
    assert!(ran.code == Some(75) && ran.stderr.contains("the job is requeued"), "{}", ran.stderr);
    assert_eq!(slurm.lines("scontrol"), ["requeue", "42_3"], "no other element is requeued");
    let ran = job("5");
    assert!(ran.code == Some(75) && ran.stderr.contains("requeued five times"), "{}", ran.stderr);
    assert_eq!(slurm.lines("scontrol"), ["requeue", "42_3"], "no other element is requeued");
}

#[test]
fn a_script_for_any_other_system_measures_its_task() {
    let campaign = Campaign::planned("a b", &[]);
    let ran = campaign.run("submit", &["--on", "script", "--ignore-doctor"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("wrote 4 scripts into"), "{}", ran.stderr);
    let mut script = Command::new(campaign.place().join("scripts/task-0003.sh"));
    isolate(&mut script);
    let ran = run(&mut script);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!((campaign.count("done"), campaign.count("not_submitted")), (1, 3));
}

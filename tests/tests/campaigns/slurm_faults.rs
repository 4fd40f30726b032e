//! Campaigns that are submitted to Slurm where something is wrong: options, variables, programs around those of
//! Slurm, what they print, and submissions that were edited.

use std::fs;
use std::process::Stdio;

use assay_tests::processes::{await_that, signal};
use assay_tests::run;

use super::fake_slurm::FakeSlurm;
use super::{Campaign, count};

#[test]
fn variables_of_slurm_hide_no_job_and_choose_no_cluster() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    let with = |name: &str, words: &[&str], variables: &[(&str, &str)]| {
        let mut command = slurm.see(campaign.command(name, words));
        command.envs(variables.iter().copied());
        command
    };
    let limits = [
        ("SQUEUE_PARTITION", "other"),
        ("SQUEUE_NAMES", "x"),
        ("SQUEUE_FORMAT", "%i"),
        ("SACCT_FORMAT", "User"),
        ("SCANCEL_STATE", "PENDING"),
        ("SCONTROL_LOCAL", "1"),
        ("SBATCH_WAIT", "1"),
        ("SBATCH_ERROR", "x"),
        ("SBATCH_QOS", "high"),
    ];
    let clusters = [("SLURM_CLUSTERS", "other"), ("SBATCH_CLUSTERS", "other")];
    for (name, value) in clusters {
        for words in [&["--on", "slurm"][..], &["--on", "slurm", "--dry-run"]] {
            let ran = run(&mut with("submit", words, &[(name, value)]));
            assert_eq!(ran.code, Some(2), "{}", ran.stderr);
            assert!(ran.stderr.contains(&format!("`{name}` names a cluster for `sbatch`")), "{}", ran.stderr);
        }
    }
    assert!(!slurm.path("sbatch.1").exists() && !campaign.place().join("submissions").exists());
    let ran = run(&mut with("submit", &["--on", "slurm"], &limits));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    slurm.queue(&["1|0|PENDING|", "1|1|PENDING|", "1|2|PENDING|", "2|0|CANCELLED|"]);
    let all = [&limits[..], &clusters].concat();
    assert_eq!(count(&mut with("status", &["--format", "json"], &all), "waiting"), 3);
    let ran = run(&mut with("resume", &[], &all));
    assert!(ran.code == Some(2) && ran.stderr.contains("names a cluster for `sbatch`"), "{}", ran.stderr);
    let ran = run(&mut with("cancel", &[], &all));
    assert!(ran.code == Some(0) && ran.stderr.contains("cancelled 1 job: 1"), "{}", ran.stderr);
    // Only the option that users may want is passed on.
    let passed = slurm.lines("variables");
    assert!(passed.iter().all(|line| line.ends_with(" SBATCH_QOS=high")), "{passed:?}");
    for program in ["sbatch", "squeue", "sacct", "scancel", "scontrol"] {
        assert!(passed.contains(&format!("{program} SBATCH_QOS=high")), "{program}: {passed:?}");
    }
}

#[test]
fn options_by_which_jobs_would_be_lost_are_refused_before_anything_is_submitted() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    for (option, words) in [
        ("-Ha0-1", "is decided by the campaign"),
        ("--ar=0-1", "is decided by the campaign"),
        ("-Q", "is decided by the campaign"),
        ("-Mother", "names a cluster for `sbatch`"),
        ("long", "is no option of `sbatch`"),
    ] {
        for more in [&[][..], &["--dry-run"]] {
            let option = format!("--option={option}");
            let ran = slurm.run(&campaign, "submit", &[&["--on", "slurm", &option], more].concat());
            assert!(ran.code == Some(2) && ran.stderr.contains(words), "{}", ran.stderr);
        }
    }
    assert!(!slurm.path("sbatch.1").exists() && !campaign.place().join("submissions").exists());
    // A submission that was edited is submitted again by the same rules.
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm", "--option=-H"]).code, Some(0));
    let file = campaign.place().join("submissions/0001.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"-H\"", "\"-Ha0-1\"")).unwrap();
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("`-Ha0-1` is decided by the campaign"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_job_whose_number_sbatch_does_not_print_is_found_by_its_name() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    let keeps_number = "echo Welcome; for word; do case $word in --job-name=*) echo \"${word#--job-name=} $n\" >found; esac; done";
    slurm.write("silent", keeps_number);
    let ran = slurm.run(&campaign, "submit", &["--on", "slurm"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("submitted 4 tasks in jobs 1, 2"), "{}", ran.stderr);

    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    slurm.write("silent", "");
    let ran = slurm.run(&campaign, "submit", &["--on", "slurm"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let words = "0 job arrays of 2 submitted, then: `sbatch` printed nothing instead of the number of a job, and Slurm \
                 knows no job of this submission";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    // It was submitted all the same, and the queue lists it only when it is asked again.
    let called = slurm.lines("sbatch.1");
    let name = called.iter().find_map(|word| word.strip_prefix("--job-name=")).unwrap();
    slurm.write("found.later", &format!("{name} 7\n"));
    slurm.queue(&["7|0|PENDING|", "7|1|PENDING|", "7|2|PENDING|"]);
    fs::remove_file(slurm.path("silent")).unwrap();
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("submitted 1 task in job 2"), "{}", ran.stderr);
    let script = fs::read_to_string(slurm.lines("sbatch.2").last().unwrap()).unwrap();
    assert!(script.contains("set -- 4\n"), "{script}");
}

#[test]
fn what_sacct_prints_besides_is_noted_and_not_believed() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    slurm.queue(&["1|0|RUNNING|n7", "8001|N/A|RUNNING|n7"]);
    slurm.write(
        "accounts",
        "Welcome\n1_1|TIMEOUT|n7\n1_2|FOOBAR|n7\n2_0|RUNNING|n7\n1_0|FAILED|n7\n8001|COMPLETED|\n",
    );
    let status = slurm.run(&campaign, "status", &["--format", "csv"]);
    assert_eq!(status.code, Some(0), "{}", status.stderr);
    let note = "note: `sacct` printed `Welcome`, which is not what it was asked for";
    assert_eq!(status.stderr.matches(note).count(), 1, "{}", status.stderr);
    for row in [
        "1,running,rand4,4,,0,n7,1_0,",
        "job 1_1: TIMEOUT",
        "\"job 1_2: FOOBAR by the accounts, which this version of assay does not know\"",
        "\"job 2_0: RUNNING by the accounts, but not in the queue\"",
    ] {
        assert!(status.stdout.contains(row), "{row}: {}", status.stdout);
    }
    slurm.queue(&["1|0|RUNNING|n7", "8001|N/A|"]);
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("`squeue` printed `8001|N/A|`, which is not"),
        "{}",
        ran.stderr
    );
    assert!(!slurm.path("sbatch.3").exists());
}

#[test]
fn an_sbatch_that_goes_on_without_its_parent_keeps_others_from_submitting() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    slurm.write("hang", "");
    let mut command = slurm.see(campaign.command("submit", &["--on", "slurm"]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let name = await_that(|| {
        let called = slurm.lines("sbatch.1");
        called.iter().find_map(|word| word.strip_prefix("--job-name=")).map(str::to_owned)
    });
    signal("KILL", child.id());
    child.wait().unwrap();
    for command in ["resume", "cancel"] {
        let ran = slurm.run(&campaign, command, &[]);
        assert!(
            ran.code == Some(2) && ran.stderr.contains("another process submits tasks of"),
            "{}",
            ran.stderr
        );
    }
    slurm.write("found", &format!("{name} 1\n"));
    slurm.queue(&["1|0|PENDING|", "1|1|PENDING|", "1|2|PENDING|"]);
    fs::remove_file(slurm.path("hang")).unwrap();
    let ran = await_that(|| Some(slurm.run(&campaign, "resume", &[])).filter(|ran| ran.code == Some(0)));
    assert!(ran.stderr.contains("submitted 1 task in job 2"), "{}", ran.stderr);
}

#[test]
fn a_submission_with_wrong_tasks_is_named_and_its_jobs_are_cancelled_nevertheless() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    slurm.queue(&["1|0|PENDING|", "1|1|PENDING|", "1|2|PENDING|", "2|0|PENDING|"]);
    let file = campaign.place().join("submissions/0001.toml");
    let text = fs::read_to_string(&file).unwrap();
    for (tasks, wrong) in
        [("[1, 2, 99]", "task 99 is none of the campaign"), ("[1, 2, 2]", "task 2 is in it twice")]
    {
        fs::write(&file, text.replace("[1, 2, 3]", tasks)).unwrap();
        for words in [&["status"][..], &["resume", "--dry-run"]] {
            let ran = slurm.run(&campaign, words[0], &words[1..]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let warning = format!("warning: {}: {wrong}, ", file.canonicalize().unwrap().display());
            assert_eq!(ran.stderr.matches(&warning).count(), 1, "{}", ran.stderr);
        }
    }
    fs::write(&file, text.replace("[1, 2, 3]", "[\"x\"]")).unwrap();
    let status = slurm.run(&campaign, "status", &[]);
    assert!(status.code == Some(0) && status.stderr.contains("its jobs are not known"), "{}", status.stderr);
    fs::write(&file, text.replace("[1, 2, 3]", "[1, 2, 99]")).unwrap();
    let ran = slurm.run(&campaign, "cancel", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("cancelled 2 jobs: 1, 2"), "{}", ran.stderr);
    assert!(ran.stderr.contains("task 99 is none of the campaign"), "{}", ran.stderr);
}

#[test]
fn a_submission_that_cannot_be_read_costs_no_other() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    slurm.queue(&["1|0|PENDING|", "1|1|PENDING|", "1|2|PENDING|", "2|0|CANCELLED|"]);
    let damaged = campaign.place().join("submissions/0007.toml");
    fs::write(&damaged, "number = 7\nwhen = \"").unwrap();
    let status = slurm.run(&campaign, "status", &["--format", "csv"]);
    assert_eq!(status.code, Some(0), "{}", status.stderr);
    let warning = format!("warning: {}:2: ", damaged.canonicalize().unwrap().display());
    assert_eq!(status.stderr.matches(&warning).count(), 1, "{}", status.stderr);
    // Its options may have been others than those of the submission before.
    let dry = slurm.run(&campaign, "resume", &["--dry-run"]);
    assert!(dry.code == Some(0) && dry.stdout.lines().count() == 1, "{dry:?}");
    for words in [warning.as_str(), "with the options of submission 1, the last one that can be read"] {
        assert_eq!(dry.stderr.matches(words).count(), 1, "{}", dry.stderr);
    }
    assert!(!slurm.path("sbatch.3").exists() && !campaign.place().join("submissions/0008.toml").exists());
    let ran = slurm.run(&campaign, "resume", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("submitted 1 task in job 3"), "{}", ran.stderr);
    assert!(campaign.place().join("submissions/0008.toml").exists() && damaged.exists());

    // If there is no other, it is unknown how to submit again.
    for name in ["0001.toml", "0008.toml"] {
        fs::remove_file(campaign.place().join("submissions").join(name)).unwrap();
    }
    for words in [&["--dry-run"][..], &[]] {
        let ran = slurm.run(&campaign, "resume", words);
        assert!(
            ran.code == Some(2) && ran.stderr.contains("has no submission that can be read"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains(&warning), "{}", ran.stderr);
    }
}

#[test]
fn a_job_of_somebody_else_with_the_number_of_ours_is_none_of_ours() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    slurm.queue(&["1|0|PENDING|", "1|1|PENDING|", "1|2|PENDING|", "2|0|RUNNING|n7"]);
    assert_eq!(["waiting", "running"].map(|state| slurm.count(&campaign, state)), [3, 1]);
    // The cluster was set up again, and its numbers begin anew.
    slurm.write("stranger", "");
    assert_eq!(slurm.count(&campaign, "interrupted"), 4);
    let ran = slurm.run(&campaign, "cancel", &[]);
    assert!(ran.code == Some(0) && ran.stderr.contains("no job of this campaign waits"), "{}", ran.stderr);
    assert!(!slurm.path("scancel").exists());
}

#[test]
fn jobs_in_another_cluster_are_neither_lost_nor_submitted_again() {
    let (campaign, slurm) = (Campaign::planned("c", &[]), FakeSlurm::new());
    slurm.write("name", "north");
    assert_eq!(slurm.run(&campaign, "submit", &["--on", "slurm"]).code, Some(0));
    slurm.write("name", "south");
    for name in ["status", "resume", "cancel"] {
        let ran = slurm.run(&campaign, name, &[]);
        let message = "jobs of this campaign are in the cluster `north`, and this machine belongs to `south`";
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{name}: {}", ran.stderr);
    }
    assert_eq!(slurm.run(&campaign, "cancel", &["--without-slurm"]).code, Some(0));
    assert_eq!(slurm.count(&campaign, "not_submitted"), 4);
}

//! Campaigns on this machine: plans, tasks that are killed, delivered twice or refused, and a busy machine.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use assay_tests::processes::{await_that, signal};

use super::{Campaign, complete_runs, names};

/// Starts a task that takes some seconds, and waits until it has measured something, in this attempt and this
/// part of it. Returns its process and the folder of its run.
fn begun(campaign: &Campaign, attempt: usize, part: usize) -> (Child, PathBuf) {
    let mut command = campaign.command("task", &["--ignore-doctor", "1"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let measured = || {
        let attempt = campaign.attempts("0001").into_iter().nth(attempt - 1)?;
        let noted = fs::read_to_string(attempt.join("attempt.toml")).ok()?;
        let runs = attempt.join("run");
        let partial = runs.join(names(&runs).pop()?);
        let blocks = fs::read_to_string(partial.join("blocks.csv")).ok()?;
        (noted.matches("[[part]]").count() == part && blocks.lines().count() > 2).then_some(runs)
    };
    (child, await_that(measured))
}

/// Two tasks, the first of which takes some seconds.
fn long() -> Campaign {
    let replaced = [("runs = 20", "runs = 30000"), ("[4, 8]", "[8]"), ("bytes = 4096", "bytes = 65536")];
    Campaign::planned_in("c", "10", &replaced)
}

#[test]
fn the_same_experiment_gives_the_same_campaign() {
    let campaign = Campaign::planned("c", &[]);
    let manifest = || fs::read(campaign.place().join("campaign.toml")).unwrap();
    let first = manifest();
    assert_eq!(names(&campaign.place().join("tasks")), ["0001.toml", "0002.toml", "0003.toml", "0004.toml"]);
    let reference = fs::read_to_string(campaign.place().join("reference.toml")).unwrap();
    assert!(reference.contains("time_limit_ms = 20000"), "it may take as long as any other: {reference}");
    let again = campaign.plan(&[]);
    assert!(again.code == Some(0) && again.stderr.contains("already"), "{}", again.stderr);
    let lines: Vec<&str> = again.stdout.lines().collect();
    assert!(lines.len() == 5 && lines[1].starts_with("1,rand4,4,2,,"), "{}", again.stdout);
    let other = campaign.plan(&["--reference", "bf"]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(
        other.stderr.contains("holds another campaign, which differs in --reference"),
        "{}",
        other.stderr
    );
    assert_eq!(manifest(), first);
    // A manifest that was edited is named before anything is submitted, and the experiment gives it back.
    campaign.edit("campaign.toml", "text = \"rand4\"", "text = \"english\"");
    for words in [&["status"][..], &["submit", "--on", "local"], &["resume"], &["gather"], &["task", "1"]] {
        let ran = campaign.run(words[0], &words[1..]);
        let message =
            "campaign.toml` was edited or damaged: its checksum (`sha256`) is not that of its content";
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{words:?}: {}", ran.stderr);
    }
    assert_eq!(campaign.run("cancel", &[]).code, Some(0));
    let other = campaign.path("other");
    let mut command = assay_tests::assay();
    command.args(["campaign", "plan"]).arg(campaign.place().join("experiment.toml")).arg("--out").arg(&other);
    let ran = assay_tests::run(command.args(["--minutes", "0.002"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fs::copy(other.join("campaign.toml"), campaign.place().join("campaign.toml")).unwrap();
    assert_eq!((manifest(), campaign.count("not_submitted")), (first, 4));
    // A task is an ordinary experiment.
    let mut command = assay_tests::assay();
    let task = campaign.place().join("tasks/0004.toml");
    let ran = assay_tests::run(command.arg("run").arg(task).args(["--dry-run"]));
    assert!(ran.code == Some(0) && ran.stdout.contains("lengths = [8]"), "{ran:?}");
}

#[test]
fn an_experiment_without_a_seed_gives_the_same_campaign_too() {
    let campaign = Campaign::planned("c", &[("seed = 7\n", "")]);
    let again = campaign.plan(&[]);
    assert!(again.code == Some(0) && again.stderr.contains("already"), "{}", again.stderr);
    let manifest = |place: PathBuf| fs::read_to_string(place.join("campaign.toml")).unwrap();
    let first = manifest(campaign.place());
    fs::rename(campaign.place(), campaign.path("before")).unwrap();
    assert_eq!(campaign.plan(&[]).code, Some(0));
    assert_eq!(manifest(campaign.place()), first);
    let seed = |text: &str| text.lines().find(|line| line.starts_with("seed = ")).unwrap().to_owned();
    let other = Campaign::planned("c", &[("seed = 7\n", ""), ("runs = 20", "runs = 21")]);
    assert_ne!(seed(&manifest(other.place())), seed(&first), "the content decides");
}

#[test]
fn all_libraries_that_an_experiment_uses_are_in_the_manifest() {
    let campaign = Campaign::planned("c", &[("runs = 20", "runs = 20\ncounters = [\"tsc\"]")]);
    let manifest = fs::read_to_string(campaign.place().join("campaign.toml")).unwrap();
    for library in ["comparison", "counters", "corpora"] {
        assert!(manifest.contains(&format!("file = \"libassay_{library}.so\"")), "{library}: {manifest}");
    }
}

#[test]
fn of_plans_at_once_into_one_folder_one_is_written() {
    let campaign = Campaign::planned("first", &[]);
    let out = campaign.path("c");
    let plan = |reference: &str| {
        let mut command = assay_tests::assay();
        command.args(["campaign", "plan"]).arg(campaign.path("e.toml")).arg("--out").arg(&out);
        command.args(["--minutes", "0.002", "--reference", reference]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<Child> = ["hor", "bf", "hor", "bf"].map(plan).into();
    let mut planned = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => planned += usize::from(words.contains("planned in")),
            code => {
                let is_told = words.contains("another process plans") || words.contains("another campaign");
                assert!(code == Some(2) && is_told, "{words}");
            }
        }
    }
    assert_eq!(planned, 1);
    // Each task is that of the manifest.
    for task in ["1", "2", "3", "4"] {
        let mut command = assay_tests::assay();
        command.args(["campaign", "task", "--ignore-doctor"]).arg(&out).arg(task);
        let ran = assay_tests::run(&mut command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    // What was ended in the middle is no campaign, and another one is not mixed with it.
    fs::create_dir_all(campaign.path("half/tasks")).unwrap();
    let mut command = assay_tests::assay();
    command.args(["campaign", "plan"]).arg(campaign.path("e.toml")).arg("--out").arg(campaign.path("half"));
    let ran = assay_tests::run(&mut command);
    assert!(ran.code == Some(2) && ran.stderr.contains("another process plans"), "{}", ran.stderr);
}

#[test]
fn one_process_measures_tasks_here_and_cancel_says_how_to_end_it() {
    let campaign = long();
    let mut command = campaign.command("submit", &["--on", "local", "--ignore-doctor"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_that(|| campaign.attempts("0001").pop()?.join("run").exists().then_some(()));
    let second = campaign.run("submit", &["--on", "local", "--ignore-doctor"]);
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    assert!(
        second.stderr.contains("on this machine now, and two would disturb each other"),
        "{}",
        second.stderr
    );
    assert!(!campaign.place().join("submissions/0002.toml").exists());
    let cancelled = campaign.run("cancel", &[]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    for words in
        ["no job of this campaign waits or runs", "task 1 goes on: a process on ", "SIGTERM, ends it"]
    {
        assert!(cancelled.stderr.contains(words), "{}", cancelled.stderr);
    }
    signal("TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let cancelled = campaign.run("cancel", &[]);
    assert!(!cancelled.stderr.contains("goes on"), "{}", cancelled.stderr);
    assert_eq!(campaign.run("resume", &["--dry-run"]).stdout.lines().count(), 2);
}

/// A small file system, as long as this lives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one; `None` with the reason printed, if that is not possible here.
    fn mount(place: PathBuf) -> Option<Self> {
        fs::create_dir_all(&place).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"]).arg(&place).stderr(Stdio::null());
        if !mount.status().is_ok_and(|status| status.success()) {
            assay_tests::skip("no small file system can be mounted here");
            return None;
        }
        Some(SmallDisk(place))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn on_a_full_disk_a_task_says_what_campaigns_have() {
    let campaign = Campaign::planned("c", &[("runs = 20", "runs = 4000")]);
    let Some(_disk) = SmallDisk::mount(campaign.place().join("attempts")) else { return };
    let ran = campaign.run("task", &["--ignore-doctor", "1"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("No space left") && ran.stderr.contains("campaign resume"), "{}", ran.stderr);
    for option in ["--no-save", "--resume", "--out"] {
        assert!(!ran.stderr.contains(option), "{}", ran.stderr);
    }
    // There may be no room for a note in the attempt either.
    let status = campaign.run("status", &["--format", "csv"]).stdout;
    assert!(status.contains("1,interrupted,rand4,4,,1,"), "{status}");
    assert!(status.contains("No space left") || status.contains("the disk was too full"), "{status}");
}

#[test]
fn tasks_are_measured_here_one_after_the_other() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.count("not_submitted"), 4);
    let resumed = campaign.run("resume", &[]);
    assert!(
        resumed.code == Some(2) && resumed.stderr.contains("was not submitted yet"),
        "{}",
        resumed.stderr
    );
    let ran = campaign.run("submit", &["--on", "local", "--ignore-doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(campaign.count("done"), 4);
    let attempt = campaign.attempts("0004").pop().unwrap();
    assert_eq!(complete_runs(&attempt.join("run")).len(), 1);
    assert_eq!(complete_runs(&attempt.join("reference")).len(), 1);
    let again = campaign.run("resume", &[]);
    assert!(again.code == Some(0) && again.stderr.contains("nothing is left"), "{}", again.stderr);
    let twice = campaign.run("task", &["4"]);
    assert!(twice.code == Some(0) && twice.stderr.contains("task 4 was done before"), "{}", twice.stderr);
    assert_eq!(campaign.attempts("0004").len(), 1);
}

#[test]
fn a_task_that_is_killed_goes_on_where_it_was() {
    let campaign = long();
    let (mut child, runs) = begun(&campaign, 1, 1);
    assert_eq!(campaign.count("running"), 1);
    let second = campaign.run("task", &["--ignore-doctor", "1"]);
    assert!(
        second.code == Some(0) && second.stderr.contains("another process is measuring task 1"),
        "{second:?}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(campaign.count("interrupted"), 1);
    // It is interrupted again, this time by the signal that batch systems send.
    let (mut child, again) = begun(&campaign, 1, 2);
    signal("TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!((&again, campaign.count("interrupted")), (&runs, 1));
    let ran = campaign.run("submit", &["--on", "local", "--ignore-doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(campaign.count("done"), 2);
    assert_eq!(campaign.attempts("0001").len(), 1);
    let [run] = complete_runs(&runs).try_into().unwrap();
    let rows = fs::read_to_string(run.join("measurements.csv")).unwrap().lines().count();
    assert_eq!(rows, 1 + 2 * 30_000);
    let attempt = fs::read_to_string(runs.with_file_name("attempt.toml")).unwrap();
    assert_eq!(attempt.matches("[[part]]").count(), 3, "{attempt}");
}

#[test]
fn a_task_whose_interrupted_run_is_damaged_begins_anew_with_its_reference() {
    let campaign = long();
    let (mut child, runs) = begun(&campaign, 1, 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let partial = runs.join(names(&runs).pop().unwrap());
    fs::write(partial.join("report.json"), "{}").unwrap();
    let (mut child, again) = begun(&campaign, 2, 1);
    signal("TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!((campaign.attempts("0001").len(), partial.exists(), again == runs), (2, true, false));
    assert_eq!(complete_runs(&again.with_file_name("reference")).len(), 1);
}

#[test]
fn a_changed_text_library_or_task_is_refused_with_both_hashes() {
    let campaign = Campaign::planned("c", &[]);
    fs::write(campaign.path("tale.txt"), "It was the age of wisdom. ".repeat(200)).unwrap();
    let ran = campaign.run("task", &["--ignore-doctor", "3"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    for words in ["task 3: the text", "recorded: ", "found: ", "bring back what has changed"] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    assert_eq!((campaign.count("failed"), campaign.run("status", &[]).code), (1, Some(1)));

    campaign.edit("tasks/0001.toml", "runs = 20", "runs = 21");
    let ran = campaign.run("task", &["--ignore-doctor", "1"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("planned: "), "{}", ran.stderr);
    campaign.edit("tasks/0001.toml", "runs = 21", "runs = 20");

    let manifest = fs::read_to_string(campaign.place().join("campaign.toml")).unwrap();
    let (_, libraries) = manifest.split_once("[[library]]").unwrap();
    let line = libraries.lines().find(|line| line.starts_with("sha256")).unwrap();
    campaign.edit("campaign.toml", line, &format!("sha256 = \"{}\"", "0".repeat(64)));
    campaign.seal();
    let ran = campaign.run("task", &["--ignore-doctor", "1"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("the library `"), "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("planned: {}", "0".repeat(64))), "{}", ran.stderr);

    // A folder that was removed is named once, and not file by file.
    fs::remove_dir_all(campaign.place().join("tasks")).unwrap();
    for words in [&["status"][..], &["gather"], &["task", "1"]] {
        let ran = campaign.run(words[0], &words[1..]);
        let is_named =
            ran.stderr.contains("/tasks` is missing") && ran.stderr.contains("copy `tasks` from OTHER");
        assert!(ran.code == Some(2) && is_named, "{words:?}: {}", ran.stderr);
    }
}

/// Processes that keep every CPU busy until this is dropped.
pub(crate) struct Load(Vec<Child>);

impl Load {
    pub(crate) fn begin() -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Load((0..2 * cpus).map(|_| spin()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn nothing_is_measured_on_a_busy_machine() {
    let campaign = Campaign::planned("c", &[]);
    let load = Load::begin();
    let ran = campaign.run("task", &["1"]);
    assert_eq!(ran.code, Some(75), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("task 1 is not measured, because this machine is busy: load: CPU "),
        "{}",
        ran.stderr
    );
    drop(load);
    let attempt = campaign.attempts("0001").pop().unwrap();
    assert!(fs::read_to_string(attempt.join("attempt.toml")).unwrap().contains("outcome = \"busy\""));
    assert!(!attempt.join("run").exists());
    let status = campaign.run("status", &["--format", "csv"]);
    assert!(status.code == Some(0) && status.stdout.contains("1,interrupted,rand4,4,,1,"), "{status:?}");
    assert_eq!(campaign.run("task", &["--ignore-doctor", "1"]).code, Some(0));
    assert_eq!((campaign.count("done"), campaign.attempts("0001").len()), (1, 1));
    // `resume` submits as before, but may measure on a busy machine.
    assert_eq!(campaign.run("submit", &["--on", "script"]).code, Some(0));
    let script = campaign.place().join("scripts/task-0002.sh");
    assert!(!fs::read_to_string(&script).unwrap().contains("--ignore-doctor"));
    assert_eq!(campaign.run("resume", &["--ignore-doctor"]).code, Some(0));
    assert!(fs::read_to_string(&script).unwrap().contains("--ignore-doctor"));
}

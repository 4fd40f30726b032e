//! `assay campaign gather`: what the tasks have measured, as saved runs.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{Ran, assay, run};

use super::{Campaign, complete_runs, copy, names};

/// The gathered runs of a campaign, in the order of their first tasks.
pub(crate) fn gathered_runs(campaign: &Campaign) -> Vec<PathBuf> {
    let runs = complete_runs(&campaign.place().join("gathered"));
    let mut runs: Vec<PathBuf> = runs.into_iter().filter(|path| path.is_dir()).collect();
    runs.sort_by_key(|run| first_part(run)["task"].as_u64());
    runs
}

/// The first part of a run.
fn first_part(run: &Path) -> serde_json::Value {
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(run.join("report.json")).unwrap()).unwrap();
    report["experiment"]["parts"][0].clone()
}

/// Runs a command with the folders of runs.
pub(crate) fn with_runs(words: &[&str], runs: &[PathBuf], options: &[&str]) -> Ran {
    run(assay().args(words).args(runs).args(options))
}

pub(crate) fn json(ran: &Ran) -> serde_json::Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// What an instrumented run counts in each row.
pub(crate) const COUNTS: [&str; 6] =
    ["algorithm", "pattern_length", "repetition", "occurrences", "text_bytes_read", "round"];

/// The cells of some columns of a CSV, sorted.
pub(crate) fn columns(text: &str, names: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let places: Vec<usize> =
        names.iter().map(|name| header.iter().position(|other| other == *name).unwrap()).collect();
    let row = |record: csv::StringRecord| places.iter().map(|place| record[*place].to_owned()).collect();
    let mut rows: Vec<Vec<String>> = reader.records().map(|record| row(record.unwrap())).collect();
    rows.sort();
    rows
}

/// Changes the model of the CPU in all attempts in a folder, as if another machine had measured them.
fn on_another_model(attempts: &Path) {
    let mut folders = vec![attempts.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name == "attempt.toml" {
                let text = fs::read_to_string(&path).unwrap();
                let line = text.lines().find(|line| line.starts_with("cpu = ")).unwrap_or_default();
                fs::write(&path, text.replacen(line, "cpu = \"Another CPU\"", 1)).unwrap();
            } else if name == "report.json" {
                let mut report: serde_json::Value =
                    serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
                report["experiment"]["machine"]["cpu"] = "Another CPU".into();
                report.as_object_mut().unwrap().remove("sha256");
                fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn an_unfinished_campaign_is_gathered_with_a_list_of_what_is_missing() {
    let campaign = Campaign::planned("c", &[]);
    let nothing = campaign.run("gather", &[]);
    assert_eq!(nothing.code, Some(2), "{}", nothing.stderr);
    assert!(nothing.stderr.contains("there is nothing to gather"), "{}", nothing.stderr);
    for task in ["1", "2", "4"] {
        assert_eq!(campaign.run("task", &["--ignore-doctor", task]).code, Some(0));
    }
    let ran = campaign.run("gather", &["--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let summary = json(&ran);
    assert_eq!(summary["runs"].as_array().unwrap().len(), 2);
    assert_eq!(summary["missing"][0]["task"], 3);
    assert_eq!(summary["missing"][0]["state"], "not submitted");
    let saved = fs::read_to_string(campaign.place().join("gathered/.gathered.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&saved).unwrap(), summary);

    // Each run reads like any other, and lists what is missing in it.
    let runs = gathered_runs(&campaign);
    let shown: Vec<Ran> =
        runs.iter().map(|run| with_runs(&["report"], std::slice::from_ref(run), &[])).collect();
    let node = summary_node(&runs[0]);
    assert!(shown[0].stdout.contains(&format!("Gathered from 2 tasks on {node}")), "{}", shown[0].stdout);
    assert!(shown[1].stdout.contains("Missing: m=4 (task 3)"), "{}", shown[1].stdout);
    let head = |ran: &Ran| {
        ran.stdout.lines().find(|line| line.starts_with("algorithm")).unwrap_or_default().to_owned()
    };
    assert!(head(&shown[0]).contains("m=4") && !head(&shown[1]).contains("m=4"), "{}", shown[1].stdout);

    // Gathered again, when the rest is done: the old runs make room. The first keeps its id, and the second
    // has a task with a lower number now.
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    let ran = campaign.run("gather", &[]);
    assert!(ran.code == Some(0) && !ran.stdout.contains("Missing"), "{}", ran.stdout);
    let again = gathered_runs(&campaign);
    assert_eq!((again.len(), &again[0]), (2, &runs[0]), "a run with the same first task has the same id");
    assert!(again[1] != runs[1] && !runs[1].exists(), "{again:?} after {runs:?}");
    // Nothing else is there: the unfinished runs, and those that were replaced, are removed.
    assert_eq!(names(&campaign.place().join("gathered")), all_of(&again));
    assert_eq!(
        names(&campaign.place()),
        [
            "attempts",
            "campaign.toml",
            "experiment.toml",
            "gathered",
            "logs",
            "reference.toml",
            "scripts",
            "submissions",
            "tasks"
        ]
    );
}

/// The names of everything in a folder with these gathered runs.
pub(crate) fn all_of(runs: &[PathBuf]) -> Vec<String> {
    let ids = runs.iter().map(|run| run.file_name().unwrap().to_str().unwrap().to_owned());
    let mut all: Vec<String> =
        [".gathered.json".to_owned(), ".gathering.lock".to_owned()].into_iter().chain(ids).collect();
    all.sort();
    all
}

/// The machine of the first part of a run.
fn summary_node(run: &Path) -> String {
    first_part(run)["node"].as_str().unwrap().to_owned()
}

#[test]
fn a_gathered_run_has_the_rows_of_its_tasks_and_their_machines() {
    let campaign = Campaign::planned(
        "c",
        &[(
            "algorithms = [\"hor\", \"bf\"]",
            "description = \"mine\"\nalgorithms = [\"hor\", \"bf\"]\nstats = \"algo\"",
        )],
    );
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    assert_eq!(campaign.run("gather", &[]).code, Some(0));
    for (gathered, tasks) in gathered_runs(&campaign).iter().zip([["0001", "0002"], ["0003", "0004"]]) {
        let of_tasks = tasks.iter().flat_map(|task| {
            columns(&fs::read_to_string(campaign.run_of(task).join("measurements.csv")).unwrap(), &COUNTS)
        });
        let mut of_tasks: Vec<Vec<String>> = of_tasks.collect();
        of_tasks.sort();
        let rows = fs::read_to_string(gathered.join("measurements.csv")).unwrap();
        assert_eq!(columns(&rows, &COUNTS), of_tasks);
        let report: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(gathered.join("report.json")).unwrap()).unwrap();
        // As the experiment names it, with its path.
        let text = report["experiment"]["text"]["sources"][0].as_str().unwrap();
        let description = report["experiment"]["definition"]["description"].as_str().unwrap();
        assert!(description.starts_with(&format!("mine ({text} on ")), "{description}");
        let node = summary_node(gathered);
        assert!(columns(&rows, &["node"]).iter().all(|row| *row == [node.clone()]));
        // The same experiment as one run counts the same.
        let task = campaign.place().join(format!("tasks/{}.toml", tasks[0]));
        let whole = tempfile::tempdir().unwrap();
        let mut command = assay();
        command.arg("run").arg(&task).args(["--plen", "4,8", "--out"]).arg(whole.path());
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let [whole] = complete_runs(whole.path()).try_into().unwrap();
        assert_eq!(columns(&fs::read_to_string(whole.join("measurements.csv")).unwrap(), &COUNTS), of_tasks);
    }
    // The same with `results export`.
    let data = campaign.path("data");
    let ran =
        with_runs(&["results", "export"], &gathered_runs(&campaign), &["--out", data.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // The option of the dataset is not that of the saved runs.
    let ran = run(assay()
        .args(["results", "--out"])
        .arg(campaign.path("none"))
        .args(["export", "last"])
        .args(["--out", data.to_str().unwrap()]));
    assert!(
        ran.code == Some(2) && ran.stderr.contains("`assay results --out FOLDER export RESULT"),
        "{ran:?}"
    );
}

#[test]
fn a_node_that_disagrees_with_itself_is_named() {
    let campaign = Campaign::planned("c", &[]);
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    let reference = |task: &str| campaign.attempts(task).pop().unwrap().join("reference");
    // Three tasks have the same run of the reference, and the fourth has one that took a fraction of the
    // time.
    for task in ["0002", "0003", "0004"] {
        fs::remove_dir_all(reference(task)).unwrap();
    }
    copy(&reference("0001"), &reference("0002"));
    copy(&reference("0001"), &reference("0003"));
    let mut short = assay();
    short.arg("run").arg(campaign.place().join("reference.toml")).args(["--text-size", "500B", "--out"]);
    let ran = run(short.arg(reference("0004")));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = campaign.run("gather", &["--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let node = summary_node(&gathered_runs(&campaign)[0]);
    let words = format!("{node}: before task 4, the reference experiment took 0.");
    assert!(ran.stderr.contains(&words) && ran.stderr.contains("before 3 other tasks"), "{}", ran.stderr);
    let disagreeing = &json(&ran)["disagreeing"];
    assert_eq!(disagreeing.as_array().unwrap().len(), 1, "{disagreeing}");
    assert_eq!((&disagreeing[0]["node"], &disagreeing[0]["task"]), (&node.into(), &4.into()));
}

#[test]
fn each_group_of_algorithms_is_compared_with_the_reference() {
    let campaign = Campaign::planned_in(
        "c",
        "0.0005",
        &[
            ("[\"hor\", \"bf\"]", "[\"hor\", \"bf\", \"kmp\", \"qs\"]"),
            ("text = [\"corpus:rand4\", ", "text = ["),
        ],
    );
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    assert_eq!(campaign.run("gather", &[]).code, Some(0));
    let runs = gathered_runs(&campaign);
    assert_eq!(runs.len(), 3);
    for (gathered, algorithm) in runs.iter().zip(["bf", "kmp", "qs"]) {
        let options = ["--baseline", "hor", "--format", "csv"];
        let ran = with_runs(&["report"], std::slice::from_ref(gathered), &options);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let mut compared = columns(&ran.stdout, &["algorithm"]).concat();
        compared.dedup();
        let mut group = [algorithm, "hor"];
        group.sort_unstable();
        assert_eq!(compared, group, "{}", ran.stdout);
    }
}

#[test]
fn the_same_campaign_measured_in_two_folders_gives_runs_of_both() {
    let campaign = Campaign::planned("c", &[]);
    let other = campaign.path("d");
    let all = campaign.path("all");
    let call = |name: &str, words: &[&str], folder: &Path| {
        let mut command = assay();
        command.args(["campaign", name]).args(words).arg(folder);
        command
    };
    let out = ["--out", all.to_str().unwrap(), "--format", "json"];
    let mut plan = assay();
    plan.args(["campaign", "plan"]).arg(campaign.path("e.toml")).args(["--minutes", "0.002", "--out"]);
    assert_eq!(run(plan.arg(&other)).code, Some(0));
    for folder in [&campaign.place(), &other] {
        let ran = run(call("task", &["--ignore-doctor"], folder).arg("2"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let ran = run(&mut call("gather", &out, folder));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let runs = || complete_runs(&all).into_iter().filter(|path| path.is_dir()).collect::<Vec<_>>();
    let both = runs();
    assert_eq!(both.len(), 2, "the second has not removed the first");

    // A task with a lower number gives the run another id, also if the clock of its machine is ahead: the run
    // from the same folder makes room, the other one stays.
    assert_eq!(run(call("task", &["--ignore-doctor"], &other).arg("1")).code, Some(0));
    let attempt = fs::read_dir(other.join("attempts/0001")).unwrap().map(|entry| entry.unwrap().path());
    let attempt = attempt.into_iter().find(|path| path.is_dir()).unwrap();
    let [measured] = complete_runs(&attempt.join("run")).try_into().unwrap();
    let report = measured.join("report.json");
    let mut facts: serde_json::Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    facts["experiment"]["parts"][0]["began"] = "2036-02-03T04:05:06Z".into();
    facts.as_object_mut().unwrap().remove("sha256");
    fs::write(&report, facts.to_string()).unwrap();
    let ran = run(&mut call("gather", &out, &other));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let again = runs();
    let kept = again.iter().filter(|run| both.contains(run)).count();
    assert_eq!((again.len(), kept), (2, 1), "{again:?} after {both:?}");

    // A copy in which a task is missing does not overwrite the run that has it.
    let copied = campaign.path("copy");
    copy(&other, &copied);
    let twice = |task: u32| {
        let ran = run(call("gather", &out, &other).arg(&copied));
        let words = format!("are the same run of task {task}\n  help: one campaign is a copy of the other");
        assert!(ran.code == Some(2) && ran.stderr.contains(&words), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("/d/attempts/") && ran.stderr.contains("/copy/attempts/"),
            "{}",
            ran.stderr
        );
    };
    twice(1);
    fs::remove_dir_all(copied.join("attempts/0001")).unwrap();
    twice(2);
    let refused = run(&mut call("gather", &out, &copied));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("contains task 1, of which these campaigns have no sound run now"),
        "{}",
        refused.stderr
    );
    assert_eq!(runs(), again);
}

#[test]
fn a_text_whose_lengths_were_measured_on_different_models_is_gathered_without_ranks() {
    let campaign = Campaign::planned("c", &[]);
    for task in ["1", "2", "3"] {
        assert_eq!(campaign.run("task", &["--ignore-doctor", task]).code, Some(0));
    }
    on_another_model(&campaign.place().join("attempts/0001"));
    let ran = campaign.run("gather", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("Another CPU") && ran.stdout.contains("Missing tasks:"), "{}", ran.stdout);
    let notes = [
        "ranks can't be compared on rand4: no pattern length was measured on two CPUs",
        "gathered 3 runs in",
    ];
    for note in notes {
        assert_eq!(ran.stderr.matches(note).count(), 1, "{}", ran.stderr);
    }
    let saved = fs::read_to_string(campaign.place().join("gathered/.gathered.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    assert_eq!((saved["runs"].as_array().unwrap().len(), saved["missing"].as_array().unwrap().len()), (3, 1));
    assert!(saved["agreement"].is_null(), "{saved}");
}

#[test]
fn ranks_of_several_machines_are_compared_and_times_are_not() {
    let campaign = Campaign::planned("c", &[("runs = 20", "runs = 60")]);
    assert_eq!(campaign.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    let other = campaign.path("d");
    copy(&campaign.place(), &other);
    on_another_model(&other.join("attempts"));
    let gather = |options: &[&str]| {
        run(assay().args(["campaign", "gather"]).arg(campaign.place()).arg(&other).args(options))
    };
    let refused = gather(&[]);
    assert!(refused.code == Some(2) && refused.stderr.contains("`--out DIR`"), "{}", refused.stderr);
    let out = campaign.path("all");
    let ran = gather(&["--out", out.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // Both have the same times, so they agree about everything.
    for words in
        ["ranks on rand4 agree on 2 of 2 CPUs at m=4,8", "Agreement on rand4 by the time of the search:"]
    {
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
    let runs: Vec<PathBuf> = complete_runs(&out).into_iter().filter(|path| path.is_dir()).collect();
    assert_eq!(runs.len(), 4);
    let ran = with_runs(&["compare"], &runs, &["--ranks", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let found = json(&ran);
    assert_eq!(found["groups"].as_array().unwrap().len(), 2);
    let cell = &found["groups"][0]["values"][0];
    assert_eq!((&cell["tau"], cell["agreeing"].as_array().unwrap().len()), (&1.0.into(), 2));
    let first = runs[0].to_str().unwrap();
    let shown = with_runs(&["compare", first, "--ranks"], &runs[1..], &[]);
    assert_eq!(shown.code, Some(0), "the option may stand between the runs: {}", shown.stderr);
    let shown = with_runs(&["compare"], &runs, &["--ranks"]);
    // Which CPU is the first depends on the ids of the runs, and their ends are random.
    assert!(
        shown.stdout.contains("Ranks on rand4 by the time of the search")
            && shown.stdout.contains(": Another CPU, run "),
        "{}",
        shown.stdout
    );
    let picture = campaign.path("map.svg");
    let ran = with_runs(&["report"], &runs, &["--picture", "map", "--to", picture.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(fs::read_to_string(picture).unwrap().contains("Another CPU"), "rows are named by machine");

    // What else is in the folder stays, also when the runs are gathered again.
    fs::write(out.join("letter"), "dear").unwrap();
    let ran = gather(&["--out", out.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(out.join("letter")).unwrap(), "dear");
    let again: Vec<PathBuf> = complete_runs(&out).into_iter().filter(|path| path.is_dir()).collect();
    assert_eq!(again, runs);
}

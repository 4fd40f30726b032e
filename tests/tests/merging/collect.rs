//! `assay collect`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, fixture, run};
use tempfile::TempDir;

/// A folder with a plan of these blocks.
fn planned(head: &str, blocks: &[&[&str]]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let block = |events: &&[&str]| format!("[[block]]\nevents = {events:?}\n");
    let text = format!("{head}\n{}", blocks.iter().map(block).collect::<String>());
    fs::write(folder.path().join("plan.toml"), text).unwrap();
    folder
}

fn twins() -> TempDir {
    planned(
        "method = \"hrm\"\ncounters = 3\nanchor = \"stats:branches\"",
        &[
            &["stats:branches", "stats:jumps", "stats:text_bytes_read"],
            &["stats:branches", "stats:verifications"],
        ],
    )
}

fn collect(folder: &TempDir, arguments: &[&str], algorithms: &[&str]) -> Ran {
    let common = ["collect", "plan.toml", "--runs", "40", "--seed", "3"];
    run(assay().current_dir(folder.path()).args(common).args(arguments).arg("--").args(algorithms))
}

/// The same with `--resume`; a seed may be given.
fn resume(folder: &TempDir, arguments: &[&str], algorithm: &str) -> Ran {
    let seed: &[&str] = if arguments.contains(&"--seed") { &[] } else { &["--seed", "3"] };
    let common = ["collect", "plan.toml", "--runs", "40", "--resume"];
    run(assay().current_dir(folder.path()).args(common).args(seed).args(arguments).args(["--", algorithm]))
}

/// The columns of a table in the folder `collected`.
fn table(folder: &TempDir, file: &str) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let mut reader = csv::Reader::from_path(folder.path().join("collected").join(file)).unwrap();
    let titles: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); titles.len()];
    for row in reader.records() {
        for (column, cell) in columns.iter_mut().zip(row.unwrap().iter()) {
            column.push((!cell.is_empty()).then(|| cell.parse().unwrap()));
        }
    }
    (titles, columns)
}

fn sorted(column: &[Option<f64>]) -> Vec<f64> {
    let mut values: Vec<f64> = column.iter().map(|value| value.expect("nothing is missing")).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn runs(folder: &TempDir) -> Vec<String> {
    let runs = fs::read_dir(folder.path().join("collected/runs")).unwrap();
    let mut names: Vec<String> = runs.map(|run| run.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_collection_has_all_blocks_side_by_side_and_apart() {
    let folder = twins();
    let ran = collect(&folder, &["--plen", "8", "--ideal", "--same-patterns"], &["hor"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("all tables are the same searches in another order"), "{}", ran.stderr);
    let (titles, raw) = table(&folder, "raw.csv");
    let expected =
        ["stats:branches", "stats:jumps", "stats:text_bytes_read", "stats:branches.1", "stats:verifications"];
    assert_eq!(titles, expected);
    let (titles, first) = table(&folder, "block-1.csv");
    assert_eq!(titles, expected[..3]);
    assert_eq!(first, raw[..3]);
    let (titles, second) = table(&folder, "block-2.csv");
    assert_eq!(titles, [expected[0], expected[4]]);
    assert_eq!(second, raw[3..]);
    // The same patterns in each: the same counts, in another order.
    let (titles, ideal) = table(&folder, "ideal.csv");
    assert_eq!(titles, [&expected[..3], &expected[4..]].concat());
    assert_eq!(raw[0].len(), 40);
    assert_ne!(raw[0], raw[3]);
    for (one, other) in [(&raw[0], &raw[3]), (&raw[0], &ideal[0]), (&raw[1], &ideal[1]), (&raw[4], &ideal[3])]
    {
        assert_eq!(sorted(one), sorted(other));
    }
    // Rows hold together: reads of the text are no fewer than jumps.
    assert!(raw[1].iter().zip(&raw[2]).all(|(jumps, read)| jumps < read));
    assert_eq!(runs(&folder).len(), 3);
    let merge = |input: &str, more: &[&str]| {
        let mut command = assay();
        command.current_dir(folder.path()).args(["merge", "hrm", "--anchor", "stats:branches"]);
        run(command.arg(format!("collected/{input}")).args(more))
    };
    let wide = merge("raw.csv", &["--counters", "3"]);
    assert_eq!(wide.code, Some(0), "{}", wide.stderr);
    assert!(
        wide.stdout.starts_with("stats:branches,stats:jumps,stats:text_bytes_read,stats:verifications\n")
    );
    let apart = merge("block-1.csv", &["collected/block-2.csv"]);
    assert_eq!(apart.stdout, wide.stdout);
}

/// Runs the command that a collection of `hor` printed, as a shell does.
fn printed(folder: &TempDir, collected: &Ran) -> Ran {
    let command =
        collected.stderr.lines().find_map(|line| line.strip_prefix("note: hor m=8: assay ")).unwrap();
    let mut shell = std::process::Command::new("sh");
    assay_tests::isolate(&mut shell);
    let words = format!("\"$0\" {command}");
    run(shell.current_dir(folder.path()).arg("-c").arg(words).arg(assay().get_program()))
}

#[test]
fn the_note_shows_how_to_merge() {
    let folder = twins();
    let ran = collect(&folder, &["--plen", "8"], &["hor"]);
    let merged = printed(&folder, &ran);
    assert_eq!((merged.code, merged.stdout.lines().count()), (Some(0), 41), "{}", merged.stderr);
}

#[test]
fn several_algorithms_and_lengths_have_folders_of_their_own() {
    let folder = twins();
    let ran = collect(&folder, &["--plen", "4,8"], &["hor", "bm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for cell in ["hor-4", "hor-8", "bm-4", "bm-8"] {
        assert_eq!(table(&folder, &format!("{cell}/raw.csv")).1[4].len(), 40);
    }
    assert!(!folder.path().join("collected/raw.csv").exists());
    assert_ne!(table(&folder, "hor-4/raw.csv").1[0], table(&folder, "bm-4/raw.csv").1[0]);
}

#[test]
fn nothing_ties_a_row_of_one_table_to_one_of_another() {
    let folder = twins();
    let ran = collect(&folder, &["--plen", "8", "--ideal"], &["hor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (_, raw) = table(&folder, "raw.csv");
    let (_, ideal) = table(&folder, "ideal.csv");
    let anchors = [&raw[0], &raw[3], &ideal[0]].map(|column| sorted(column));
    assert!(anchors[0] != anchors[1] && anchors[0] != anchors[2] && anchors[1] != anchors[2]);
    // A merge by an exact count is no copy of the truth.
    let blocks = ["collected/block-1.csv", "collected/block-2.csv"];
    let merge =
        [&["merge", "hrm", "--anchor", "stats:branches", "--out", "collected/merged.csv"][..], &blocks];
    let merged = run(assay().current_dir(folder.path()).args(merge.concat()));
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    let (_, merged) = table(&folder, "merged.csv");
    let row = |table: &[Vec<Option<f64>>], at: usize| -> Vec<Option<f64>> {
        table.iter().map(|column| column[at]).collect()
    };
    let truths: Vec<_> = (0..40).map(|at| row(&ideal, at)).collect();
    let copied = (0..40).filter(|at| truths.contains(&row(&merged, *at))).count();
    assert!(copied < 10, "{copied} of 40 rows");
}

#[test]
fn a_generated_text_is_the_same_for_all_and_the_next_seed_shares_no_patterns() {
    let positions = |folder: &TempDir| -> BTreeMap<String, (String, String)> {
        let of = |run: &String| {
            let run = folder.path().join("collected/runs").join(run);
            let report: serde_json::Value =
                serde_json::from_str(&fs::read_to_string(run.join("report.json")).unwrap()).unwrap();
            let text = report["experiment"]["text"]["sha256"].as_str().unwrap().to_owned();
            let patterns = fs::read_to_string(run.join("patterns.csv")).unwrap();
            (report["experiment"]["definition"]["description"].as_str().unwrap().to_owned(), (text, patterns))
        };
        runs(folder).iter().map(of).collect()
    };
    let of = |seed: &str| {
        let folder = twins();
        let arguments =
            ["collect", "plan.toml", "--runs", "10", "--plen", "8", "--rand", "4", "--seed", seed];
        let ran = run(assay().current_dir(folder.path()).args(arguments).args(["--ideal", "--", "hor"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        positions(&folder)
    };
    let (one, next) = (of("1"), of("2"));
    assert_eq!(one.keys().map(String::as_str).collect::<Vec<_>>(), ["block-1", "block-2", "ideal"]);
    let texts: Vec<&String> = one.values().map(|(text, _)| text).collect();
    assert!(texts.iter().all(|text| *text == texts[0]) && next["ideal"].0 != *texts[0]);
    let mut patterns: Vec<&String> =
        one.values().chain(next.values()).map(|(_, patterns)| patterns).collect();
    patterns.sort();
    patterns.dedup();
    assert_eq!(patterns.len(), 6);
}

#[test]
fn a_text_that_changed_is_not_gone_on_with() {
    let folder = twins();
    let text = folder.path().join("text.txt");
    fs::write(&text, "abracadabra, said the old man ".repeat(50)).unwrap();
    let arguments = ["--plen", "8", "--text", "text.txt"];
    let first = collect(&folder, &arguments, &["hor"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let again = ["--resume", "--ideal", "--plen", "8", "--text", "text.txt"];
    fs::write(&text, "abracadabra, said the new man ".repeat(50)).unwrap();
    let refused = collect(&folder, &again, &["hor"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("has changed since the collection"), "{}", refused.stderr);
    assert!(!folder.path().join("collected/ideal.csv").exists());
    fs::write(&text, "abracadabra, said the old man ".repeat(50)).unwrap();
    assert_eq!(collect(&folder, &again, &["hor"]).code, Some(0));
}

#[test]
fn what_is_printed_can_be_run() {
    // Pairs that never meet are nothing for MUCH, and blocks of two widths nothing for --counters.
    let folder = planned(
        "method = \"much\"\ncounters = 3",
        &[&["stats:branches", "stats:jumps", "stats:lookups"], &["stats:branches", "stats:verifications"]],
    );
    let ran = collect(&folder, &["--plen", "8", "--out", "my folder"], &["hor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let command = ran.stderr.lines().find_map(|line| line.strip_prefix("note: hor m=8: ")).unwrap();
    assert_eq!(command, "assay merge auto 'my folder'/block-*.csv");
    let merged = printed(&folder, &ran);
    assert_eq!((merged.code, merged.warnings()), (Some(0), Vec::new()), "{}", merged.stderr);

    let one = planned("method = \"much\"\ncounters = 2", &[&["stats:branches", "stats:jumps"]]);
    let ran = collect(&one, &["--plen", "8", "--description", "of one"], &["hor"]);
    assert!(ran.stderr.contains("all events are in collected/block-1.csv"), "{}", ran.stderr);
    let run = one.path().join("collected/runs").join(&runs(&one)[0]);
    assert!(
        fs::read_to_string(run.join("experiment.toml")).unwrap().contains("description = \"of one block-1\"")
    );
}

#[test]
fn counters_of_backends_are_collected() {
    let folder = planned(
        "method = \"much\"\ncounters = 2",
        &[&["clock:ns", "rusage:minor-faults"], &["clock:ns", "clock:thread-ns"]],
    );
    let ran = collect(&folder, &["--plen", "8", "--ideal"], &["hor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (titles, raw) = table(&folder, "raw.csv");
    assert_eq!(titles, ["clock:ns", "rusage:minor-faults", "clock:ns.1", "clock:thread-ns"]);
    assert!(raw[0].iter().all(|ns| ns.is_some_and(|ns| ns > 0.0)));
    assert_eq!(table(&folder, "ideal.csv").0, ["clock:ns", "rusage:minor-faults", "clock:thread-ns"]);
}

#[test]
fn a_collection_goes_on_where_it_was_left() {
    let folder = twins();
    let arguments = ["--plen", "8"];
    assert_eq!(collect(&folder, &arguments, &["hor"]).code, Some(0));
    let before = (runs(&folder), fs::read(folder.path().join("collected/raw.csv")).unwrap());
    let again = collect(&folder, &arguments, &["hor"]);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("holds a collection already\n  help: --resume"), "{}", again.stderr);
    // One run is lost: it alone is measured again.
    let collection = fs::read_to_string(folder.path().join("collected/collection.toml")).unwrap();
    let collection: toml::Table = toml::from_str(&collection).unwrap();
    let lost = collection["runs"]["block-2"].as_str().unwrap();
    fs::remove_dir_all(folder.path().join("collected").join(lost)).unwrap();
    fs::remove_file(folder.path().join("collected/raw.csv")).unwrap();
    let resumed = collect(&folder, &[&arguments[..], &["--resume"]].concat(), &["hor"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    let after = runs(&folder);
    let kept = after.iter().filter(|run| before.0.contains(run)).count();
    assert_eq!((after.len(), kept), (2, 1));
    assert_eq!(fs::read(folder.path().join("collected/raw.csv")).unwrap(), before.1);
    // All events at once can be added later.
    let ideal = collect(&folder, &["--plen", "8", "--resume", "--ideal"], &["hor"]);
    assert_eq!((ideal.code, runs(&folder).len()), (Some(0), 3), "{}", ideal.stderr);
    for (other, algorithm, what) in [
        (&["--plen", "9"][..], "hor", "the text, patterns"),
        (&arguments, "bm", "algorithms"),
        (&["--plen", "8", "--seed", "4"], "hor", "the text, patterns"),
        (&["--plen", "8", "--rand", "4"], "hor", "the text, patterns"),
        (&["--plen", "8", "--same-patterns"], "hor", "--same-patterns"),
    ] {
        let refused = resume(&folder, other, algorithm);
        assert_eq!(refused.code, Some(2));
        assert!(
            refused.stderr.contains("was begun otherwise") && refused.stderr.contains(what),
            "{}",
            refused.stderr
        );
    }
    let plan = folder.path().join("plan.toml");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace("verifications", "lookups")).unwrap();
    let refused = resume(&folder, &arguments, "hor");
    assert!(refused.stderr.contains("was begun otherwise: the plan differs"), "{}", refused.stderr);
    let nothing = collect(&twins(), &["--plen", "8", "--resume"], &["hor"]);
    assert!(nothing.stderr.contains("holds no collection to continue"), "{}", nothing.stderr);
}

#[test]
fn an_interrupted_collection_keeps_what_is_complete() {
    let folder = twins();
    let mut command = assay();
    command.current_dir(folder.path()).args([
        "collect",
        "plan.toml",
        "--plen",
        "8",
        "--seed",
        "3",
        "--runs",
        "200000",
    ]);
    let mut child =
        command.args(["--ideal", "--", "hor"]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let begun = |folder: &Path| {
        let runs = fs::read_dir(folder.join("collected/runs")).into_iter().flatten().flatten();
        runs.filter(|run| {
            fs::metadata(run.path().join("measurements.csv")).is_ok_and(|file| file.len() > 10_000)
        })
        .count()
    };
    while begun(folder.path()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let interrupt = run(std::process::Command::new("kill").arg("-INT").arg(child.id().to_string()));
    assert_eq!(interrupt.code, Some(0));
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("--resume continues it"), "{stderr}");
    assert!(
        folder.path().join("collected/collection.toml").exists()
            && !folder.path().join("collected/raw.csv").exists()
    );
}

#[test]
fn what_cannot_be_collected_is_refused_before_anything_runs() {
    let folder = |blocks: &[&[&str]]| planned("method = \"much\"\ncounters = 2", blocks);
    let cases: BTreeMap<&str, TempDir> = BTreeMap::from([
        ("no run can count both", folder(&[&["stats:jumps", "clock:ns"]])),
        ("unknown event of clock `nss`", folder(&[&["clock:nss", "clock:ns"]])),
        ("unknown event of stats: `jmups`", folder(&[&["stats:jmups", "stats:jumps"]])),
        ("3 events, and `counters` is 2", folder(&[&["a", "b", "c"]])),
        ("stands for", folder(&[&["rusage", "clock:ns"]])),
    ]);
    for (expected, folder) in &cases {
        let ran = collect(folder, &["--plen", "8"], &["hor"]);
        assert_eq!(ran.code, Some(2), "{expected}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with("error: ") && ran.stderr.contains(expected),
            "{expected}: {}",
            ran.stderr
        );
        assert!(!folder.path().join("collected").exists(), "{expected}");
    }
    let nobody = collect(&twins(), &["--plen", "8"], &[]);
    assert!(nobody.stderr.contains("no algorithm is named"), "{}", nobody.stderr);
    let missing = run(assay().args(["collect", "none.toml", "--", "hor"]));
    assert!(
        missing.code == Some(2) && missing.stderr.contains("can't read `none.toml`"),
        "{}",
        missing.stderr
    );
}

#[test]
fn a_refused_command_leaves_nothing_in_the_way_of_the_corrected_one() {
    let folder = twins();
    for (arguments, algorithm, expected) in [
        (&["--plen", "8", "--text", "no-such-text"][..], "hor", "no-such-text"),
        (&["--plen", "8"], "hro", "hro"),
        (&["--plen", "2"], "hash3", "nothing was measured"),
    ] {
        let ran = collect(&folder, arguments, &[algorithm]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert!(!folder.path().join("collected").exists(), "{algorithm}");
    }
    let ran = collect(&folder, &["--plen", "8"], &["hor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_plan_that_was_searched_for_longer_is_gone_on_with() {
    let folder = twins();
    assert_eq!(collect(&folder, &["--plen", "8"], &["hor"]).code, Some(0));
    let plan = folder.path().join("plan.toml");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, format!("search = {{ seed = 1, rounds = 9 }}\n{text}")).unwrap();
    let resumed = resume(&folder, &["--plen", "8"], "hor");
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert_eq!(runs(&folder).len(), 2);
}

#[test]
fn a_slow_search_costs_its_repetition_and_not_the_tables() {
    let folder = planned(
        "method = \"much\"\ncounters = 2",
        &[&["clock:ns", "rusage:minor-faults"], &["clock:ns", "clock:thread-ns"]],
    );
    fs::copy(fixture("faulty_plugin"), folder.path().join("libfaulty.so")).unwrap();
    fs::write(folder.path().join("text"), "zabcdefghijklmnopqrstuvwxy".repeat(100)).unwrap();
    let arguments = ["--plen", "8", "--text", "text", "--time-limit", "500", "--plugin-dir", "."];
    let ran = collect(&folder, &arguments, &["hangs-on-z"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let said = |block: &str| -> Vec<&str> {
        let begin = format!("warning: {block}: hangs-on-z m=8: ");
        let line = ran.stderr.lines().find_map(|line| line.strip_prefix(&begin));
        line.map_or_else(Vec::new, |line| line.split("; ").collect())
    };
    let number = |words: &str| -> usize { words.split(' ').next().unwrap().parse().unwrap() };
    let slow = |block: &str| said(block).first().map_or(0, |words| number(words));
    // Where too many are too slow, the rest is not tried.
    let missing = |block: &str| said(block).iter().map(|words| number(words)).sum::<usize>();
    let rows = |file: &str| table(&folder, file).1[0].iter().flatten().count();
    assert!(slow("block-1") + slow("block-2") > 0, "{}", ran.stderr);
    assert_eq!(rows("block-1.csv") + missing("block-1"), 40, "{}", ran.stderr);
    assert_eq!(rows("block-2.csv") + missing("block-2"), 40, "{}", ran.stderr);
    // Each slow search ends a run, and a further run goes on unless it was the last; nothing is measured
    // again.
    let before = runs(&folder);
    assert!(before.len() <= 2 + slow("block-1") + slow("block-2"), "{before:?}");
    let resumed = collect(&folder, &[&arguments[..], &["--resume"]].concat(), &["hangs-on-z"]);
    assert_eq!((resumed.code, runs(&folder)), (Some(1), before), "{}", resumed.stderr);
}

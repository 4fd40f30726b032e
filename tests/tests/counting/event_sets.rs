//! Event sets, what counting costs in a run, counts that can't be, and counts of whole rounds.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, fixture, run};
use serde_json::Value;
use tempfile::TempDir;

/// A folder in which sets are found, and runs saved.
fn folder(sets: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in sets {
        fs::write(folder.path().join(format!("{name}.events.toml")), text).unwrap();
    }
    folder
}

fn in_folder(folder: &Path, words: &str, more: &[&str]) -> Ran {
    let mut command = assay();
    command.env("ASSAY_PLUGIN_PATH", folder).current_dir(folder);
    run(command.args(words.split(' ')).args(more))
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}{}", ran.stdout, ran.stderr))
}

const CLOCKS: &str = r#"
summary = "Both clocks."
always = ["cpu + 1e9 < wall"]

[events]
wall = "clock:ns"
cpu = "clock:thread-ns"

[[metric]]
name = "share"
unit = "%"
formula = "100 * cpu / wall"

[[metric]]
name = "speed"
unit = "byte/ns"
formula = "text_length / ns"
"#;

const RUN: &str = "run hor --text-size 20KiB --plen 8 --runs 12 --seed 1 --out results";

#[test]
fn a_set_is_counted_and_its_formulas_computed_in_run_and_report() {
    let folder = folder(&[("clocks", CLOCKS)]);
    let folder = folder.path();
    let ran = in_folder(folder, RUN, &["--counters", "@clocks"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\nclocks.share = 100 * cpu / wall, median in %:\n"), "{}", ran.stdout);
    let shown = in_folder(folder, "report last", &[]);
    assert!(shown.stdout.contains("\nclocks.share = 100 * cpu / wall, median in %:\n"), "{}", shown.stdout);

    // The saved run has the formula: the file is not needed any more.
    fs::remove_file(folder.join("clocks.events.toml")).unwrap();
    let of_report = |metric: &str| {
        let ran = in_folder(folder, "report last --format json --stat all --metric", &[metric]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let all = json(&ran)["figures"][0]["value"].as_array().unwrap().clone();
        all.into_iter().map(|value| value.as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let [share, cpu, wall] = ["clocks.share", "clock:thread-ns", "clock:ns"].map(of_report);
    assert_eq!(share.len(), 12);
    for i in 0..12 {
        assert_eq!(share[i], 100.0 * cpu[i] / wall[i]);
    }
    let saved = fs::read_dir(folder.join("results")).unwrap().next().unwrap().unwrap().path();
    let kept: Value = serde_json::from_str(&fs::read_to_string(saved.join("report.json")).unwrap()).unwrap();
    let mut sorted = share.clone();
    sorted.sort_by(f64::total_cmp);
    let median = kept["results"][0]["set_metrics"]["clocks.share"]["med"].as_f64().unwrap();
    assert_eq!(median, (sorted[5] + sorted[6]) / 2.0);
    let speeds = of_report("clocks.speed");
    let times = of_report("ns");
    assert!(speeds.iter().zip(times).all(|(speed, ns)| *speed == 20480.0 / ns));
    let statistics = fs::read_to_string(saved.join("statistics.csv")).unwrap();
    assert!(statistics.contains(",clocks.share,med,"), "{statistics}");
    assert!(
        fs::read_to_string(saved.join("report.html")).unwrap().contains("clocks.share = 100 * cpu / wall")
    );
}

#[test]
fn a_metric_of_a_set_is_refused_where_an_input_is_missing_and_says_which() {
    let folder = folder(&[("clocks", CLOCKS)]);
    let ran = in_folder(folder.path(), RUN, &["--counters", "clock:ns"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let metric = in_folder(folder.path(), "report last --format json --metric clocks.share", &[]);
    assert_eq!((metric.code, metric.stdout.as_str()), (Some(2), ""));
    assert!(metric.stderr.contains("`clocks.share` needs `clock:thread-ns`"), "{}", metric.stderr);
    let unknown = in_folder(folder.path(), "report last --metric clocks.shares", &[]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("did you mean clocks.share"), "{}", unknown.stderr);
}

#[test]
fn a_set_that_is_not_in_order_ends_only_what_uses_it() {
    let folder = folder(&[("clocks", CLOCKS), ("bad", &CLOCKS.replace("cpu / wall", "cpu / wal"))]);
    let used = in_folder(folder.path(), RUN, &["--counters", "@bad"]);
    assert_eq!((used.code, used.stdout.as_str()), (Some(2), ""));
    assert!(used.stderr.contains("bad.events.toml:12: `wal` is neither an event"), "{}", used.stderr);
    assert!(used.stderr.contains("help: "), "{}", used.stderr);
    let unknown = in_folder(folder.path(), RUN, &["--counters", "@clock"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.stderr.contains("unknown event set `clock`")
            && unknown.stderr.contains("did you mean clocks")
    );
    let other = in_folder(folder.path(), RUN, &["--counters", "@clocks"]);
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    let listed = in_folder(folder.path(), "counters sets --format json", &[]);
    assert_eq!(listed.code, Some(1), "the others are listed");
    assert!(listed.stderr.contains("bad.events.toml:12: "), "{}", listed.stderr);
    let sets = json(&listed);
    let names: Vec<&str> = sets.as_array().unwrap().iter().map(|set| set["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["branches", "cache", "clocks", "cycles", "energy", "faults", "scheduling", "time", "tlb"]
    );
    let clocks = &sets[2];
    assert_eq!(clocks["available"], serde_json::json!(["clock:thread-ns", "clock:ns"]));
}

#[test]
fn counts_that_cannot_be_are_kept_and_marked() {
    // That the thread takes a second less than the clock can't be, here.
    let folder = folder(&[("clocks", CLOCKS)]);
    let ran = in_folder(folder.path(), RUN, &["--counters", "clock:ns,clock:thread-ns"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let remark = "24 counts of 24 can't be: clock:thread-ns + 1e9 < clock:ns does not hold, as the event set `clocks` has it; they are kept";
    let warned = ran.stderr.replace('\n', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(warned.matches(remark).count(), 1, "{}", ran.stderr);
    let shown = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains(&format!("! {remark}")), "{}", ran.stdout);
    let counts = ran.stdout.split("clock:ns of the search").nth(1).unwrap();
    assert!(counts.lines().nth(3).unwrap().ends_with('!'), "{}", ran.stdout);
    let saved = fs::read_dir(folder.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let kept: Value = serde_json::from_str(&fs::read_to_string(saved.join("report.json")).unwrap()).unwrap();
    assert_eq!(kept["experiment"]["noise"]["impossible"][0]["counts"], 24);
    assert_eq!(kept["results"][0]["impossible"], serde_json::json!(["clock:ns", "clock:thread-ns"]));
    assert!(kept["results"][0]["counters"]["clock:ns"]["med"].is_number(), "they are kept");
    let fine =
        in_folder(&std::env::temp_dir(), RUN, &["--no-save", "--counters", "clock:ns,clock:thread-ns"]);
    assert!(
        !fine.stderr.contains("can't be") && !fine.stdout.contains('!'),
        "{}{}",
        fine.stdout,
        fine.stderr
    );
}

#[test]
fn the_cost_of_counting_is_measured_kept_and_subtracted_on_request() {
    let folder = folder(&[]);
    let ran = in_folder(folder.path(), RUN, &["--counters", "clock:ns", "--preprocessing"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("  an empty call counts ") && ran.stdout.contains("; a reading takes "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\nclock:ns of the preparation, median in ns:\n"), "{}", ran.stdout);
    let raw = in_folder(folder.path(), "report last --format json --metric clock:ns", &[]);
    let less =
        in_folder(folder.path(), "report last --format json --metric clock:ns --subtract-overhead", &[]);
    let saved = fs::read_dir(folder.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let kept: Value = serde_json::from_str(&fs::read_to_string(saved.join("report.json")).unwrap()).unwrap();
    let cost = &kept["experiment"]["counters"][0]["cost"];
    let empty = cost["empty"].as_f64().unwrap();
    assert!(empty > 0.0 && cost["read_ns"].as_f64().unwrap() > 0.0, "{cost}");
    let [raw, less] = [raw, less].map(|ran| json(&ran)["figures"][0]["value"].as_f64().unwrap());
    assert_eq!(less, raw - empty);
    let table = in_folder(folder.path(), "report last --subtract-overhead", &[]);
    assert!(table.stdout.contains("clock:ns of the search, median in ns, less "), "{}", table.stdout);
    let heading = in_folder(folder.path(), "report last --metric clock:ns --subtract-overhead", &[]);
    assert!(heading.stdout.contains("\noverhead     clock:ns less "), "{}", heading.stdout);
}

#[test]
fn a_subtraction_below_zero_is_said() {
    let folder = folder(&[]);
    let ran = in_folder(folder.path(), RUN, &["--counters", "clock:ns"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let saved = fs::read_dir(folder.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let file = saved.join("report.json");
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let of_both = |told: &str, shown: bool| {
        for words in ["report last --subtract-overhead", "report last --metric clock:ns --subtract-overhead"]
        {
            let ran = in_folder(folder.path(), words, &[]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let stderr = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(
                stderr.matches(&format!("warning: clock:ns: {told}")).count(),
                1,
                "{words}: {}",
                ran.stderr
            );
            let row = ran.stdout.lines().rfind(|line| line.to_lowercase().starts_with("hor")).unwrap();
            let figure = if words.contains("--metric") {
                row.ends_with(|letter: char| letter.is_ascii_digit())
            } else {
                !ran.stdout
                    .contains("clock:ns: its counts are below those of an empty call, so none is shown.")
            };
            assert_eq!(figure, shown, "{words}: {}", ran.stdout);
        }
    };
    let count = kept["results"][0]["counters"]["clock:ns"].clone();
    let [least, median] = ["min", "med"].map(|of| count[of].as_f64().unwrap());
    for (empty, told, shown) in [
        ((least + median) / 2.0, "some counts are below 0", true),
        (1e12, "some medians are below the count of an empty call", false),
    ] {
        kept["experiment"]["counters"][0]["cost"]["empty"] = empty.into();
        fs::write(&file, kept.to_string()).unwrap();
        of_both(told, shown);
    }
    kept["experiment"]["counters"][0]["cost"]["empty"] = Value::Null;
    fs::write(&file, kept.to_string()).unwrap();
    of_both("nothing could be subtracted", true);
}

/// What was counted around each round of the only run in a folder, and what its repetitions took.
fn rounds(results: &Path, counter: &str) -> Vec<(f64, f64)> {
    let saved = fs::read_dir(results).unwrap().next().unwrap().unwrap().path();
    let rows = csv::Reader::from_path(saved.join("measurements.csv")).unwrap();
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    for row in rows.into_deserialize::<HashMap<String, String>>() {
        let row = row.unwrap();
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        rounds.resize(number("round") as usize + 1, (0.0, 0.0));
        let (counted, taken) = rounds.last_mut().unwrap();
        *counted += number(counter);
        *taken += number("total_ns");
    }
    rounds
}

#[test]
fn what_moves_seldom_is_counted_around_whole_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let library = fixture("odd_kinds");
    fs::copy(&library, folder.path().join(library.file_name().unwrap())).unwrap();
    let words = "run bf --corpus rand4 --text-size 256KiB --plen 8 --runs 192 --rounds 8 --seed 1 --time-limit 60000 --format json";
    // Of a round in which a pause lay nothing is counted, and a busy machine has such rounds.
    let mut runs = (0..20).map(|i| {
        let out = format!("out{i}");
        let ran = in_folder(folder.path(), words, &["--counters", "slow:time", "--out", &out]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (out, json(&ran))
    });
    let calm =
        |(_, run): &(String, Value)| run["experiment"]["noise"]["left_out"].as_array().unwrap().is_empty();
    let (out, long) = runs.find(calm).expect("a run without a pause");
    let counter = &long["experiment"]["counters"][0];
    assert_eq!((&counter["per_round"], &counter["cost"]["empty"]), (&true.into(), &Value::Null));
    assert_eq!(long["results"][0]["prepare_counters"]["slow:time"], Value::Null);
    // The time of all repetitions with what lies between them is more than what they took; by about nothing,
    // if no other program had the CPU in between, as in the calmest round.
    let rounds = rounds(&folder.path().join(&out), "slow:time");
    assert_eq!(rounds.len(), 8);
    assert!(rounds.iter().all(|(counted, taken)| counted >= taken), "{rounds:?}");
    let calmest = rounds.iter().map(|(counted, taken)| counted / taken).fold(f64::INFINITY, f64::min);
    assert!(calmest < 1.5, "{rounds:?}");
    let shown = in_folder(folder.path(), "report last --out", &[&out]);
    assert!(shown.stdout.contains("slow:time of a repetition, per round, median in ns:"), "{}", shown.stdout);
    assert!(shown.stdout.contains("per round: counted around all repetitions"), "{}", shown.stdout);
    // No round takes ten hours.
    let short = in_folder(folder.path(), words, &["--counters", "slow:hours", "--no-save"]);
    assert_eq!(short.code, Some(0), "{}", short.stderr);
    assert!(short.stderr.contains("192 counts of 192 left out: the round was too short"), "{}", short.stderr);
    assert_eq!(json(&short)["results"][0]["counters"]["slow:hours"], Value::Null);
}

#[test]
fn a_set_is_asked_of_backends_that_there_are() {
    let folder = folder(&[("nothing", "summary = \"Nothing.\"\n[events]\n")]);
    let unknown = in_folder(folder.path(), RUN, &["--counters", "rusaeg@faults"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert!(unknown.stderr.contains("unknown counter backend `rusaeg`"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("did you mean rusage"), "{}", unknown.stderr);
    // It has events of two of these names.
    let lacks = in_folder(folder.path(), RUN, &["--counters", "rusage@faults"]);
    assert_eq!(lacks.code, Some(0), "{}", lacks.stderr);
    let told = "event set `faults`: rusage:page-faults is unknown here and not counted";
    assert_eq!(lacks.stderr.matches(told).count(), 1, "{}", lacks.stderr);
    assert!(lacks.stdout.contains("faults.per_search lacks a count"), "{}", lacks.stdout);
    let empty = in_folder(folder.path(), RUN, &["--counters", "@nothing"]);
    assert_eq!(empty.code, Some(0), "{}", empty.stderr);
    assert!(empty.stderr.contains("event set `nothing` has no events for this machine"), "{}", empty.stderr);
}

#[test]
fn a_file_that_cannot_be_read_ends_no_run_but_that_which_asks_for_it() {
    let folder = folder(&[]);
    std::os::unix::fs::symlink("/no/such/file", folder.path().join("lost.events.toml")).unwrap();
    std::os::unix::fs::symlink("/no/such/file", folder.path().join(".#edited.events.toml")).unwrap();
    let other = in_folder(folder.path(), RUN, &[]);
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    assert!(other.stderr.contains("note: can't read the event set `"), "{}", other.stderr);
    assert!(!other.stderr.contains("edited"), "{}", other.stderr);
    let asked = in_folder(folder.path(), RUN, &["--counters", "@lost"]);
    assert_eq!((asked.code, asked.stdout.as_str()), (Some(2), ""), "{}", asked.stderr);
}

#[test]
fn a_formula_over_nothing_gives_no_number_and_a_set_is_shown_in_full() {
    let set = "summary = \"Over 0.\"\n[events]\nwall = \"clock:ns\"\n[[metric]]\nname = \"none\"\nformula = \"wall / 0\"\n";
    let folder = folder(&[("over", set)]);
    let ran = in_folder(folder.path(), RUN, &["--counters", "@over"]);
    assert!(ran.stdout.contains("over.none: its formula gives no number, as over 0."), "{}", ran.stdout);
    let full = in_folder(folder.path(), "counters sets over", &[]);
    assert!(
        full.stdout.contains("@over: Over 0. (") && full.stdout.contains("  wall = clock:ns\n"),
        "{}",
        full.stdout
    );
    let brief = in_folder(folder.path(), "counters sets", &[]);
    assert!(
        brief.stdout.contains("over.none") && !brief.stdout.contains("wall = clock:ns"),
        "{}",
        brief.stdout
    );
}

//! `assay report` on saved runs, through the metrics and statistics of the real libraries.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use assay_tests::{Ran, assay, repository, run};
use serde_json::{Value, json};

fn fixtures() -> PathBuf {
    repository().join("tests/fixtures")
}

/// Reports on a saved run among the fixtures.
fn report(id: &str, arguments: &[&str]) -> Ran {
    run(assay().args(["report", id, "--out"]).arg(fixtures()).args(arguments))
}

/// Algorithm, pattern length and value of each row of a CSV report.
fn values(id: &str, arguments: &[&str]) -> Vec<String> {
    let ran = report(id, &[arguments, &["--format", "csv"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut reader = csv::Reader::from_reader(ran.stdout.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let columns = ["algorithm", "pattern_length", "value"].map(column);
    let records = reader.records().map(Result::unwrap);
    records.map(|record| columns.map(|column| record[column].to_owned()).join(" ")).collect()
}

fn has_row(table: &str, cells: &[&str]) -> bool {
    table.lines().any(|line| line.split_whitespace().eq(cells.iter().copied()))
}

#[test]
fn the_default_is_what_run_shows() {
    let search = ["--metric", "ns", "--call", "search"];
    let nanoseconds = values("saved_run", &search);
    let in_ns = |row: &String| {
        let (cell, value) = row.rsplit_once(' ').unwrap();
        let value = value.parse::<f64>().map_or(String::new(), |value| (value * 1000.0).round().to_string());
        format!("{cell} {value}")
    };
    assert_eq!(values("saved_run", &[]).iter().map(in_ns).collect::<Vec<_>>(), nanoseconds);
    assert_eq!(nanoseconds[0], "bf 4 2100");
    let notes = report("saved_run", &[]).stderr;
    assert!(notes.contains("note: so is not made for m=100") && !notes.contains("do not count"), "{notes}");
}

#[test]
fn a_statistic_is_printed_with_its_meaning_and_unit() {
    let said = |form: &str| {
        report("saved_run", &["--metric", "ns", "--stat", "med,cv,ci95", "--format", form]).stdout
    };
    let csv = said("csv");
    for row in ["bf,4,ns,ns,med,search,3,,", "bf,4,ns,,cv,search,3,,", "bf,4,ns,ns,ci95,search,3,0,"] {
        assert!(csv.contains(row), "{row}: {csv}");
    }
    for form in ["markdown", "latex"] {
        let caption = said(form);
        let told = caption.contains("by the bootstrap, as if repetitions were independent")
            && caption.contains("cv: The coefficient of variation")
            && caption.contains("It has no unit.");
        assert!(told, "{caption}");
    }
}

#[test]
fn calls_are_separate_and_the_first_repetition_can_be_discarded() {
    let search = values("saved_run", &["--metric", "gbps", "--call", "search", "--stat", "max"]);
    assert_eq!(search, ["bf 4 0.5", "bf 100 0.25", "so 4 1", "so 100 "]);
    let least = ["--metric", "ns", "--call", "prepare", "--stat", "min"];
    assert_eq!(values("saved_run", &least), ["bf 4 100", "bf 100 100", "so 4 100", "so 100 "]);
    let least = [&least[..], &["--discard-first"]].concat();
    assert_eq!(values("saved_run", &least), ["bf 4 200", "bf 100 200", "so 4 200", "so 100 "]);
}

#[test]
fn what_was_not_counted_in_one_repetition_has_no_statistic() {
    let arguments = ["--metric", "cycles_per_byte", "--stat", "all", "--call", "all", "--format", "json"];
    let json: Value = serde_json::from_str(&report("saved_run", &arguments).stdout).unwrap();
    let json = &json["figures"];
    assert_eq!(json[0]["value"], json!([6.0, 4.4, 4.8]));
    assert_eq!((&json[1]["value"], &json[1]["repetitions"]), (&json!([]), &json!(2)));
}

#[test]
fn the_counter_of_a_metric_is_named() {
    let named = |metric| {
        let table = report("saved_run", &["--metric", metric]).stdout;
        table.lines().any(|line| line == "counter      cycles = tsc:cycles")
    };
    assert!(named("cycles") && named("cycles_per_byte"));
    let ticks = report("saved_run", &["--metric", "cycles,cycles_per_byte"]).stdout;
    assert!(
        ticks.contains("cycles in ticks =") && ticks.contains("cycles_per_byte in ticks/byte ="),
        "{ticks}"
    );
    assert!(!named("tsc:cycles") && !named("gbps"));
    let measured = report("saved_run", &["--metric", "tsc:cycles"]).stdout;
    assert!(measured.starts_with("metric       tsc:cycles in ticks = as measured\n"), "{measured}");
}

#[test]
fn a_level_is_not_summed_over_the_calls() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["report.json", "measurements.csv"] {
        let text = fs::read_to_string(fixtures().join("saved_run").join(name)).unwrap();
        fs::write(folder.path().join(name), text.replace("\"counter\"", "\"instant\"")).unwrap();
    }
    let of = |call| {
        let arguments = ["--metric", "tsc:cycles", "--stat", "max", "--call", call];
        run(assay().arg("report").arg(folder.path()).args(arguments)).stdout
    };
    assert!(has_row(&of("all"), &["bf", "5800", "-"]), "one was not counted: {}", of("all"));
    assert!(has_row(&of("prepare"), &["bf", "600", "600"]), "{}", of("prepare"));
    assert!(of("all").contains("\ncounter      tsc:cycles: a level, as it was read last\n"));
}

#[test]
fn a_cell_that_failed_has_figures_only_if_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixtures().join("saved_run/report.json"), folder.path().join("report.json")).unwrap();
    let measurements = fs::read_to_string(fixtures().join("saved_run/measurements.csv")).unwrap();
    let crashed = measurements.replace("bf,100,2,ok,3,300,4100,4400,8200,600", "bf,100,2,crashed,,,,,,");
    assert_ne!(crashed, measurements);
    fs::write(folder.path().join("measurements.csv"), crashed).unwrap();
    let place = folder.path().to_str().unwrap();
    let asked = ["--metric", "ns", "--stat", "max"];
    assert_eq!(values(place, &asked), ["bf 4 2900", "bf 100 ", "so 4 1900", "so 100 "]);
    let included = [&asked[..], &["--include-failed"]].concat();
    assert_eq!(values(place, &included), ["bf 4 2900", "bf 100 4900", "so 4 1900", "so 100 "]);
    let said = "those of cells that failed later too";
    assert!(report(place, &included).stdout.contains(said) && !report(place, &asked).stdout.contains(said));
}

#[test]
fn a_metric_without_its_input_is_refused_and_says_what_to_measure() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixtures().join("saved_run/report.json"), folder.path().join("report.json")).unwrap();
    let measurements = fs::read_to_string(fixtures().join("saved_run/measurements.csv")).unwrap();
    let without_counters = measurements.lines().map(|line| line.rsplitn(3, ',').last().unwrap());
    let without_counters: String = without_counters.map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("measurements.csv"), without_counters).unwrap();
    let ran = run(assay().arg("report").arg(folder.path()).args(["--metric", "ns,cycles"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let reason = "`cycles` needs `cycles`, which this run did not measure; measure again with `--counters";
    assert_eq!(ran.stderr.matches(reason).count(), 1, "{}", ran.stderr);
    let after =
        ["run", "bf", "--data", "abcabc", "--plen", "2", "--runs", "2", "--no-save", "--metric", "cycles"];
    let ran = run(assay().args(after));
    assert_eq!(ran.code, Some(0), "what was measured is shown: {}", ran.stderr);
    assert!(has_row(&ran.stdout, &["bf", "-"]), "{}", ran.stdout);
    assert_eq!(ran.stderr.matches(reason).count(), 1, "{}", ran.stderr);
}

#[test]
fn a_file_that_was_cut_anywhere_in_its_last_two_lines_is_read_up_to_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixtures().join("saved_run/report.json"), folder.path().join("report.json")).unwrap();
    let whole = fs::read_to_string(fixtures().join("saved_run/measurements.csv")).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').take(7).collect();
    let begin = lines[..5].concat().len();
    let end = begin + lines[5].len();
    let whole = lines.concat();
    for cut in begin..=whole.len() {
        fs::write(folder.path().join("measurements.csv"), &whole[..cut]).unwrap();
        let words = ["--metric", "search_ns", "--stat", "all", "--format", "csv"];
        let ran = run(assay().arg("report").arg(folder.path()).args(words));
        assert_eq!(ran.code, Some(0), "cut at {cut}: {}", ran.stderr);
        let figures: Vec<&str> =
            ran.stdout.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
        let complete = [begin, end, whole.len()].iter().filter(|line| **line <= cut).count();
        assert_eq!(figures, ["2900", "2000", "2100", "4900", "4000", "4100"][..3 + complete], "cut at {cut}");
        let note = format!(
            "note: measurements.csv has no complete block after line {}: what follows is left out\n",
            4 + complete
        );
        let torn = ![begin, end, whole.len()].contains(&cut);
        assert_eq!(ran.stderr, if torn { note } else { String::new() }, "cut at {cut}");
    }
}

#[test]
fn the_table_says_what_is_included() {
    let asked = ["--metric", "gbps", "--stat", "med,max", "--discard-first", "--call", "all"];
    let table = report("saved_run", &asked).stdout;
    for line in [
        "metric       gbps in GB/s = text_length / ns",
        "included     preparation and search",
        "repetitions  2 of each algorithm and pattern length, the first discarded",
        "text         fixture.txt, 1,000 bytes",
    ] {
        assert!(table.lines().any(|printed| printed == line), "{line}\n{table}");
    }
    assert!(has_row(&table, &["algorithm", "statistic", "4", "100"]), "{table}");
}

#[test]
fn statistics_by_names_that_others_use_are_answered_with_ours() {
    for (name, ours) in [
        ("median", "med"),
        ("p50", "med"),
        ("mean", "avg"),
        ("Average", "avg"),
        ("minimum", "min"),
        ("maximum", "max"),
        ("stddev", "std"),
        ("sd", "std"),
        ("deviation", "std"),
    ] {
        let ran = report("saved_run", &["--stat", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        let said = format!("error: unknown statistic `{name}`\n  help: did you mean {ours}?");
        assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
    }
}

#[test]
fn an_instrumented_run_has_measurements_and_no_times() {
    assert_eq!(values("saved_stats", &[]), ["stat_hor 8 400.5"]);
    assert_eq!(values("saved_stats", &["--metric", "#small"]), ["stat_hor 8 6"]);
    for refused in ["gbps", "ns", "search_ns"] {
        let ran = report("saved_stats", &["--metric", refused]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        let reason = format!("`{refused}` is not available for an instrumented run");
        assert!(ran.stderr.contains(&reason), "{}", ran.stderr);
    }
    // Operations are declared, and are no times.
    for (id, metric, said) in [
        (
            "saved_stats",
            "flops",
            "does not declare how many operations its searches are; measure again with `--complexity",
        ),
        (
            "saved_run",
            "efficiency",
            "does not declare what the machine can do; measure again with `--peak-gflops N`",
        ),
    ] {
        let ran = report(id, &["--metric", metric]);
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
    }
    let by_call = report("saved_stats", &["--metric", "#small", "--call", "search"]);
    assert_eq!(by_call.code, Some(2));
    assert!(by_call.stderr.contains("`#small` is not measured by call"), "{}", by_call.stderr);
}

#[test]
fn names_that_are_not_known_are_answered_with_near_ones() {
    for (id, arguments, near) in [
        ("saved_run", ["--metric", "gbsp"], "unknown metric `gbsp`\n  help: did you mean gbps?"),
        ("saved_ran", ["--stat", "med"], "did you mean saved_run? If not,"),
        ("lst", ["--stat", "med"], "did you mean last? If not,"),
    ] {
        let ran = report(id, &arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(near), "{}", ran.stderr);
    }
}

#[test]
fn what_only_an_instrumented_run_counts_is_said_to_be_that() {
    for metric in ["branches", "#small"] {
        let ran = report("saved_run", &["--metric", metric]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{metric}");
        assert!(ran.stderr.contains("measure again with `--stats algo`"), "{}", ran.stderr);
    }
}

#[test]
fn a_report_on_several_runs_is_of_times_and_has_no_options_of_one_run() {
    let ran = report("saved_run", &["saved_stats"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("the run saved_stats is instrumented"), "{}", ran.stderr);
    let ran = report("saved_run", &["saved_stats", "--metric", "gbps"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("`assay compare saved_run saved_stats --out /"), "{}", ran.stderr);
}

#[test]
fn a_column_is_of_the_call_that_it_is_about() {
    let call = |id, column| {
        let json: Value =
            serde_json::from_str(&report(id, &["--metric", column, "--format", "json"]).stdout).unwrap();
        json["figures"][0]["call"].clone()
    };
    for (id, column, expected) in [
        ("saved_run", "search_ns", "search"),
        ("saved_run", "prepare_ns", "prepare"),
        ("saved_run", "total_ns", "all"),
        ("saved_run", "prepare:tsc:cycles", "prepare"),
        ("saved_stats", "text_bytes_read", "search"),
        ("saved_stats", "#small", "search"),
    ] {
        assert_eq!(call(id, column), expected, "{column}");
    }
}

#[test]
fn a_run_is_found_by_its_beginning_and_by_its_files() {
    assert_eq!(report("saved_r", &[]).code, Some(0));
    let ambiguous = report("saved", &[]).stderr;
    assert!(ambiguous.contains("saved_stats, saved_run"), "{ambiguous}");
    let file = fixtures().join("saved_run/measurements.csv");
    assert_eq!(run(assay().arg("report").arg(file)).code, Some(0));
}

/// The median as one does it by hand.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    if n % 2 == 1 { values[n / 2] } else { (values[n / 2 - 1] + values[n / 2]) / 2.0 }
}

#[test]
fn a_run_is_reported_with_the_figures_of_its_measurements() {
    const BYTES: f64 = 65536.0;
    let out = tempfile::tempdir().unwrap();
    let words =
        "run hor bm --runs 10 --plen 4 8 --counters clock:ns,tsc --rand 4 --text-size 64KiB --format json";
    let ran = run(assay().args(words.split(' ')).arg("--out").arg(out.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let saved: Value = serde_json::from_str(&ran.stdout).unwrap();
    let id = saved["experiment"]["id"].as_str().unwrap();
    let report = |arguments: &[&str]| {
        let ran = run(assay().args(["report", id, "--out"]).arg(out.path()).args(arguments));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };

    // By id and by folder, the same.
    let gbps = ["--metric", "gbps", "--stat", "med", "--call", "search", "--discard-first"];
    let by_folder = run(assay().arg("report").arg(out.path().join(id)).args(gbps));
    assert_eq!(report(&gbps), by_folder.stdout);

    // The throughput, computed here from the times of the repetitions but the first.
    let mut measurements = csv::Reader::from_path(out.path().join(id).join("measurements.csv")).unwrap();
    let rows: Vec<HashMap<String, String>> = measurements.deserialize().map(Result::unwrap).collect();
    let json: Value = serde_json::from_str(&report(&[&gbps[..], &["--format", "json"]].concat())).unwrap();
    let points = json["figures"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    for point in points {
        let counts = |row: &&HashMap<String, String>| {
            row["algorithm"] == point["algorithm"]
                && row["pattern_length"].parse().ok() == point["pattern_length"].as_u64()
                && row["repetition"] != "0"
        };
        let search = rows.iter().filter(counts).map(|row| row["search_ns"].parse::<f64>().unwrap());
        let throughput: Vec<f64> = search.map(|ns| BYTES / ns).collect();
        assert_eq!(throughput.len(), 9);
        assert_eq!(point["value"].as_f64(), Some(median(throughput)), "{point}");
    }

    // What `run` printed is what `report` computes, to the last digit.
    let mut compared = 0;
    for (metric, call, path) in [
        ("ns", "prepare", "/prepare_ns"),
        ("ns", "search", "/search_ns"),
        ("ns", "all", "/total_ns"),
        ("clock:ns", "search", "/counters/clock:ns"),
        ("tsc:cycles", "prepare", "/prepare_counters/tsc:cycles"),
    ] {
        let all = ["--metric", metric, "--stat", "min,med,avg,std,max", "--call", call, "--format", "json"];
        let points: Value = serde_json::from_str(&report(&all)).unwrap();
        for point in points["figures"].as_array().unwrap() {
            let same = |result: &&Value| {
                ["algorithm", "pattern_length"].iter().all(|name| result[*name] == point[*name])
            };
            let result = saved["results"].as_array().unwrap().iter().find(same).unwrap();
            let printed = &result.pointer(path).unwrap()[point["statistic"].as_str().unwrap()];
            assert!(printed.is_f64() && *printed == point["value"], "{path}: {printed}, {point}");
            compared += 1;
        }
    }
    assert_eq!(compared, 5 * 4 * 5);
}

#[test]
fn several_metrics_are_printed_one_after_the_other() {
    let asked = ["--metric", "gbps,ns_per_byte"];
    let table = report("saved_run", &asked).stdout;
    assert_eq!(table.matches("included     search alone").count(), 2, "{table}");
    let apart: Vec<String> =
        ["gbps", "ns_per_byte"].iter().flat_map(|m| values("saved_run", &["--metric", m])).collect();
    assert_eq!(values("saved_run", &asked), apart);
}

/// What `run` prints, `report` and the page tell in the same unit and order; a saved run is repeated by its
/// folder.
#[test]
fn a_run_prints_lists_and_repeats_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let assay = |words: &str| {
        let ran = run(assay().args(words.split(' ')).current_dir(folder.path()));
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
        ran.stdout
    };
    assay("run Quick-Search BM hor --runs 5 --plen 4,8 --seed 3 --description older --quiet");
    let printed = assay("run hor bm --runs 6 --plen 4,8 --description newer --quiet");
    let order = |text: &str| -> Vec<String> {
        // `run` marks what is not tested.
        let first = text.lines().filter_map(|line| line.split_whitespace().next()?.split('*').next());
        first.filter(|word| ["hor", "bm", "qs"].contains(word)).map(str::to_owned).collect()
    };
    assert_eq!(order(&printed), ["hor", "bm"]);
    assert!(printed.contains("Search, median in µs") && printed.contains("± %"), "{printed}");
    for words in ["report", "report last"] {
        assert_eq!(assay(words), printed, "{words}");
    }
    let computed = assay("report last --metric microseconds");
    assert_eq!((order(&computed), computed.contains("microseconds in µs")), (order(&printed), true));

    let runs: Value = serde_json::from_str(&assay("results --format json")).unwrap();
    let [older, newer] = [0, 1].map(|index| runs[index].clone());
    assert_eq!((&older["description"], &newer["description"]), (&json!("older"), &json!("newer")));
    assert_eq!((&older["algorithms"], &older["state"]), (&json!("qs bm hor"), &json!("complete")));
    let place = older["path"].as_str().unwrap();
    let page = fs::read_to_string(folder.path().join(place).join("report.html")).unwrap();
    assert!(page.contains("<small>in µs</small>"));
    let again = assay(&format!("run {place} --runs 6 --dry-run"));
    assert!(
        again.contains("runs = 6") && again.contains("seed = 3") && again.contains("lengths = [4, 8]"),
        "{again}"
    );

    // As a killed run leaves it: without results.
    let id = older["id"].as_str().unwrap();
    let before = assay(&format!("report {id}"));
    let facts = folder.path().join(place).join("report.json");
    let mut left: Value = serde_json::from_str(&fs::read_to_string(&facts).unwrap()).unwrap();
    left["results"] = json!([]);
    fs::write(&facts, left.to_string()).unwrap();
    fs::rename(folder.path().join(place), folder.path().join(format!("results/.{id}.partial"))).unwrap();
    assert!(assay("results").contains("interrupted"));
    assert_eq!(assay(&format!("report {id}")), before, "its figures are those of its rows");

    let gbps = assay("run hor --runs 3 --plen 8 --no-save --metric gbps,ns_per_byte --format csv");
    assert!(gbps.contains("hor,8,gbps,GB/s,med,search,3,,") && gbps.contains("hor,8,ns_per_byte,"), "{gbps}");
    assert_eq!(fs::read_dir(folder.path().join("results")).unwrap().count(), 2, "the last was not saved");
}

#[test]
fn what_run_prints_is_what_report_prints_of_the_same_run() {
    let kinds: [&[&str]; 7] = [
        &["hor", "bf", "--plen", "2,8"],
        &["hor", "bf", "--plen", "8,2", "--counters", "rusage:minor-faults"],
        &["hor", "bf", "--plen", "2", "--counters", "@faults"],
        &["hor", "bm", "--plen", "2,8", "--stats", "algo"],
        &["hor", "bf", "--plen", "4", "--range", "text-size=1KiB..4KiB", "--rand", "4"],
        &["hor", "bf", "--plen", "4", "--searches", "3", "--null"],
        &["hor", "bndm", "shc8", "epsma", "--plen", "2,4"],
    ];
    for words in kinds {
        let folder = tempfile::tempdir().unwrap();
        let out = ["--out", folder.path().to_str().unwrap()];
        let ran = run(assay().arg("run").args(words).args(["--runs", "20", "--seed", "1"]).args(out));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        let reported = run(assay().args(["report", "last"]).args(out));
        assert_eq!(reported.stdout, ran.stdout, "{words:?}");
    }
}

#[test]
fn the_last_run_is_the_newest_complete_one_and_a_note_names_a_newer_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut complete = assay();
    complete.args("run hor --runs 2 --plen 8 --out here".split(' ')).current_dir(folder.path());
    assert_eq!(run(&mut complete).code, Some(0));
    let saved = fs::read_dir(folder.path().join("here")).unwrap().next().unwrap().unwrap().path();
    let killed = folder.path().join("here/.29990101-000000-0000.partial");
    fs::create_dir(&killed).unwrap();
    for file in fs::read_dir(&saved).unwrap().map(|entry| entry.unwrap().path()) {
        fs::copy(&file, killed.join(file.file_name().unwrap())).unwrap();
    }
    let report = |id: &str| run(assay().args(["report", id, "--out", "here"]).current_dir(folder.path()));
    let (last, named) = (report("last"), report(&saved.file_name().unwrap().to_string_lossy()));
    assert_eq!(last.stdout, named.stdout);
    assert!(
        last.stderr.contains("note: the newest run, 29990101-000000-0000, is not complete; name its id"),
        "{}",
        last.stderr
    );
    assert!(!named.stderr.contains("the newest run"), "{}", named.stderr);
}

//! `assay compare`: saved runs beside each other, and the exit status for use in CI.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// Measures with words into a folder; the run's own folder.
fn measured(out: &Path, words: &str) -> PathBuf {
    let before = saved(out);
    let ran = run(assay().arg("run").args(words.split_whitespace()).arg("--out").arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    saved(out).into_iter().find(|folder| !before.contains(folder)).expect("it was saved")
}

fn saved(out: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(out).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn compare(runs: &[&Path], words: &str) -> Ran {
    run(assay().arg("compare").args(runs).args(words.split_whitespace()))
}

fn json(runs: &[&Path], words: &str) -> Value {
    let ran = compare(runs, &format!("{words} --format json"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON alone on standard output")
}

/// A copy of a run in which the times of an algorithm are so many times as long.
fn slowed(saved: &Path, algorithm: &str, factor: f64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| fs::copy(saved.join(name), folder.path().join(name)).unwrap();
    copy("report.json");
    let mut reader = csv::Reader::from_path(saved.join("measurements.csv")).unwrap();
    let head = reader.headers().unwrap().clone();
    let mut writer = csv::Writer::from_path(folder.path().join("measurements.csv")).unwrap();
    writer.write_record(&head).unwrap();
    for record in reader.records().map(Result::unwrap) {
        let is_it = record.iter().zip(&head).any(|(cell, name)| name == "algorithm" && cell == algorithm);
        let cell = |(cell, name): (&str, &str)| match (cell.parse::<f64>(), name) {
            (Ok(ns), "prepare_ns" | "search_ns" | "total_ns") if is_it => format!("{:.0}", ns * factor),
            _ => cell.to_owned(),
        };
        writer.write_record(record.iter().zip(&head).map(cell)).unwrap();
    }
    writer.flush().unwrap();
    folder
}

/// A copy of a run as versions without the throughput loop wrote it.
fn without_throughput_loop(saved: &Path) -> tempfile::TempDir {
    const COLUMN: &str = "throughput_ns";
    let folder = tempfile::tempdir().unwrap();
    fs::copy(saved.join("measurements.csv"), folder.path().join("measurements.csv")).unwrap();
    let mut report: Value = serde_json::from_slice(&fs::read(saved.join("report.json")).unwrap()).unwrap();
    let noise = report["experiment"]["noise"].as_object_mut().unwrap();
    assert!(noise.remove(COLUMN).is_some_and(|ns| ns.is_u64()), "a run of today has it");
    fs::write(folder.path().join("report.json"), report.to_string()).unwrap();
    let mut reader = csv::Reader::from_path(saved.join("blocks.csv")).unwrap();
    // That version had no checksums either.
    let places = [COLUMN, "crc32"]
        .map(|column| reader.headers().unwrap().iter().position(|name| name == column).unwrap());
    let rest = |record: &csv::StringRecord| -> csv::StringRecord {
        record.iter().enumerate().filter(|(i, _)| !places.contains(i)).map(|(_, cell)| cell).collect()
    };
    let mut writer = csv::Writer::from_path(folder.path().join("blocks.csv")).unwrap();
    writer.write_record(&rest(&reader.headers().unwrap().clone())).unwrap();
    reader.records().for_each(|record| writer.write_record(&rest(&record.unwrap())).unwrap());
    writer.flush().unwrap();
    folder
}

const WORDS: &str = "hor bf --plen 16,64 --runs 50";

#[test]
fn what_became_twice_as_slow_is_found_and_fails_in_ci() {
    let folder = tempfile::tempdir().unwrap();
    let before = measured(folder.path(), &format!("{WORDS} --seed 3"));
    let now = slowed(&before, "hor", 2.0);
    let object = json(&[&before, now.path()], "");
    let run = &object["now"][0];
    assert_eq!(run["by_pattern"], true, "{object:#}");
    let of = |id: &str| -> Vec<&Value> {
        run["cells"].as_array().unwrap().iter().filter(|cell| cell["algorithm"] == id).collect()
    };
    for cell in of("hor") {
        assert_eq!(cell["verdict"], "slower");
        assert!((cell["ratio"]["ratio"].as_f64().unwrap() - 2.0).abs() < 0.01, "{cell:#}");
    }
    assert!(of("bf").iter().all(|cell| cell["verdict"] == "same"), "{object:#}");
    let overall = run["overall"].as_array().unwrap();
    let all = overall.iter().find(|line| line["algorithm"].is_null()).unwrap();
    assert!((all["ratio"]["ratio"].as_f64().unwrap() - 2.0f64.sqrt()).abs() < 0.01, "{object:#}");
    let runs: [&Path; 2] = [&before, now.path()];
    let latex = compare(&runs, "--format latex").stdout;
    assert!(latex.contains("\\textbf{slower}") && latex.contains("bold: a difference."), "{latex}");
    let both = "Before (saved) and now (saved): Text: embedded";
    let same = latex.replace(before.file_name().unwrap().to_str().unwrap(), "saved");
    assert!(same.contains(both) && same.contains("50 repetitions of each algorithm"), "{latex}");
    let slow = compare(&runs, "--fail-if-slower 5%");
    assert_eq!(slow.code, Some(1), "{}", slow.stderr);
    assert!(slow.stdout.contains('!') && slow.stderr.contains("slower by more than 5 %"), "{}", slow.stderr);
    assert_eq!(compare(&runs, "--fail-if-slower 150%").code, Some(0), "slower, but not by so much");
    let faster: [&Path; 2] = [now.path(), &before];
    let ran = compare(&faster, "--fail-if-slower 5%");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("faster"), "{}", ran.stdout);
}

#[test]
fn a_run_without_the_throughput_loop_is_read_and_compare_says_what_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let new = measured(folder.path(), &format!("{WORDS} --seed 3"));
    let old = without_throughput_loop(&new);
    for words in ["", "--metric first_search_ns", "--baseline hor"] {
        let ran = run(assay().arg("report").arg(old.path()).args(words.split_whitespace()));
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
    }
    let speed = |runs: &[&Path]| {
        let object = json(runs, "");
        let lines = object["now"][0]["differs"].as_array().unwrap();
        lines.iter().filter_map(Value::as_str).any(|line| line.starts_with("speed: known in part"))
    };
    assert!(speed(&[old.path(), &new]) && speed(&[&new, old.path()]));
    let table = compare(&[old.path(), &new], "").stdout;
    assert!(table.contains("because a run has no throughput loop"), "{table}");
    let other = tempfile::tempdir().unwrap();
    for file in fs::read_dir(&new).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        fs::copy(&file, other.path().join(file.file_name().unwrap())).unwrap();
    }
    assert!(!speed(&[&new, other.path()]), "both runs timed both loops");
}

#[test]
fn a_difference_of_two_runs_is_marked_as_that_of_one_run_on_each_side() {
    let folder = tempfile::tempdir().unwrap();
    let before = measured(folder.path(), &format!("{WORDS} --seed 3"));
    let says = |factor: f64, words: &str| {
        let now = slowed(&before, "hor", factor);
        let ran = compare(&[&before, now.path()], words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (ran.stdout + &ran.stderr).contains("one run on each side")
    };
    assert!(says(2.0, "") && says(2.0, "--format markdown"));
    assert!(!says(1.0, ""), "no difference is told of a run and itself");
    assert!(!says(2.0, "--format csv") && !says(2.0, "--format json"));
}

#[test]
fn runs_of_other_seeds_are_compared_by_their_rounds_and_the_seed_is_reported_first() {
    let folder = tempfile::tempdir().unwrap();
    let first = measured(folder.path(), &format!("{WORDS} --seed 3"));
    let second = measured(folder.path(), &format!("{WORDS} --seed 4"));
    let runs: [&Path; 2] = [&first, &second];
    let object = json(&runs, "");
    assert_eq!(object["now"][0]["by_pattern"], false);
    let different: Vec<&str> =
        object["now"][0]["differs"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert!(different.iter().any(|line| line.starts_with("seed: 3 before, 4 now")), "{different:?}");
    let table = compare(&runs, "").stdout;
    let place = |what: &str| table.find(what).unwrap_or_else(|| panic!("{what} in {table}"));
    assert!(place("differs seed: 3") < place("ratio"), "{table}");
    assert!(table.contains("by the medians of the rounds"), "{table}");
    let csv = compare(&runs, "--format csv");
    assert!(
        csv.stdout.starts_with("before,now,algorithm,pattern_length,ratio,low,high,p,verdict,too_slow\n")
    );
    assert!(csv.stderr.contains("seed: 3 before"), "{}", csv.stderr);
    let markdown = compare(&runs, "--format markdown").stdout;
    assert!(
        markdown.contains("\n| algorithm | m | ratio |") && markdown.contains("- differs seed"),
        "{markdown}"
    );
    let file = folder.path().join("compared.tex");
    let latex = compare(&runs, &format!("--to {}", file.display()));
    assert_eq!((latex.code, &*latex.stdout), (Some(0), ""), "{}", latex.stderr);
    let latex = fs::read_to_string(file).unwrap();
    assert!(latex.contains("\\begin{tabular}{lr") && latex.contains("differs seed"), "{latex}");
    let caption = latex.split("\\caption{").nth(1).unwrap().lines().next().unwrap();
    for fact in ["Before (", "seed 3; ", "Now (", "seed 4; ", "; assay ", "Text: embedded"] {
        assert!(caption.contains(fact), "{fact} in {caption}");
    }
    let picture = compare(&runs, "--format svg");
    assert_eq!(picture.code, Some(0), "{}", picture.stderr);
    let drawn = &picture.stdout;
    assert!(drawn.starts_with("<svg ") && drawn.contains("search time, now over before"), "{drawn}");
    // What tables have in their headings, a picture has no room for.
    assert!(picture.stderr.contains("differs: seed: 3 before"), "{}", picture.stderr);
    let page = compare(&runs, "--format html");
    assert_eq!(page.code, Some(2));
    assert!(page.stderr.contains("invalid value 'html' for '--format"), "{}", page.stderr);
    let ranks = compare(&runs, "--ranks --format svg");
    assert_eq!(ranks.code, Some(2));
    assert!(ranks.stderr.starts_with("error: there is no svg of comparisons, ranks"), "{}", ranks.stderr);
}

#[test]
fn several_runs_are_compared_with_the_first_and_ids_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 1..=3 {
        measured(folder.path(), &format!("hor --plen 16 --runs 20 --seed {seed}"));
    }
    let mut ids: Vec<String> = saved(folder.path())
        .iter()
        .map(|run| run.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    ids.sort();
    let ran = run(assay().arg("compare").args(&ids).args(["--format", "json", "--out"]).arg(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((object["before"].as_str(), object["now"].as_array().unwrap().len()), (Some(&*ids[0]), 2));
    assert_eq!(object["comparisons"], 2, "{object:#}");
}

#[test]
fn more_than_two_runs_are_a_series_with_the_runs_at_which_times_changed() {
    let folder = tempfile::tempdir().unwrap();
    let before = measured(folder.path(), &format!("{WORDS} --seed 3"));
    let same = slowed(&before, "hor", 1.0);
    let (slower, still) = (slowed(&before, "hor", 2.0), slowed(&before, "hor", 2.0));
    let runs: [&Path; 4] = [&before, same.path(), slower.path(), still.path()];
    let object = json(&runs, "");
    let steps: Vec<Vec<&str>> = object["now"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            let of_hor = run["cells"].as_array().unwrap().iter().filter(|cell| cell["algorithm"] == "hor");
            of_hor.map(|cell| cell["step"]["verdict"].as_str().unwrap()).collect()
        })
        .collect();
    assert_eq!(steps, [["same"; 2], ["slower"; 2], ["same"; 2]], "{object:#}");
    // Two algorithms at two lengths, each of the two over both, and all together: at three runs.
    assert_eq!((&object["comparisons"], &object["steps"]), (&21.into(), &21.into()));
    let table = compare(&runs, "").stdout;
    let row = table.lines().find(|line| line.starts_with("hor ")).unwrap();
    assert!(row.ends_with("3: 2.000 slower") && row.matches(" slower").count() == 3, "{table}");
    assert!(table.starts_with("1:      ") && table.contains("\n4:      "), "{table}");
    let csv = compare(&runs, "--format csv").stdout;
    let head = "verdict,too_slow,previous,step_ratio,step_low,step_high,step_p,step_verdict\n";
    assert!(csv.lines().next().unwrap().ends_with(head.trim_end()) && csv.lines().count() == 22, "{csv}");
}

#[test]
fn other_texts_are_refused_unless_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let first = measured(folder.path(), "hor --plen 16 --runs 20 --seed 3");
    let second = measured(folder.path(), "hor --plen 16 --runs 20 --seed 3 --rand 4 --text-size 54675B");
    let runs: [&Path; 2] = [&first, &second];
    let ran = compare(&runs, "");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("did not do the same: text: embedded (54,675 bytes) before, rand4"),
        "{}",
        ran.stderr
    );
    let forced = compare(&runs, "--force");
    assert_eq!(forced.code, Some(0), "{}", forced.stderr);
    assert!(forced.stdout.contains("differs text: embedded"), "{}", forced.stdout);
}

/// Changes the model of the CPU of a saved run, as if another machine had measured it.
fn on_another_model(saved: &Path) {
    let path = saved.join("report.json");
    let mut report: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    report["experiment"]["machine"]["cpu"] = "Another CPU".into();
    report.as_object_mut().unwrap().remove("sha256");
    fs::write(&path, report.to_string()).unwrap();
}

#[test]
fn ranks_of_two_texts_on_two_cpus_name_both_differences() {
    let folder = tempfile::tempdir().unwrap();
    let words = "hor bf --plen 16 --runs 40 --seed 3";
    let first = measured(folder.path(), words);
    let second = measured(folder.path(), &format!("{words} --rand 4 --text-size 54675B"));
    let runs: [&Path; 2] = [&first, &second];
    let same = compare(&runs, "--ranks");
    assert!(same.code == Some(0) && !same.stdout.contains("machine: "), "{}{}", same.stdout, same.stderr);
    on_another_model(&second);
    let ran = compare(&runs, "--ranks");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(lines.contains("of 2 texts") && lines.contains("Another CPU now"), "{}", ran.stdout);
    let differs = json(&runs, "--ranks")["groups"][0]["runs"][1]["differs_from_first"].clone();
    assert!(differs.to_string().contains("machine: "), "{differs}");
}

#[test]
fn data_of_ranks_have_the_agreement_and_the_reversed_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let before = measured(folder.path(), "hor bf bndm --plen 16 --runs 40 --seed 3");
    // Each of two algorithms is made far slower than the other in one of the runs.
    let (one, other) = (slowed(&before, "bf", 1000.0), slowed(&before, "hor", 1000.0));
    on_another_model(other.path());
    let runs: [&Path; 2] = [one.path(), other.path()];
    let table = compare(&runs, "--ranks");
    let text = table.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("on 1 of 2 CPUs") && text.contains("are not contradicted"), "{}", table.stdout);
    let csv = compare(&runs, "--ranks --format csv");
    assert_eq!(csv.code, Some(0), "{}", csv.stderr);
    let mut reader = csv::Reader::from_reader(csv.stdout.as_bytes());
    let head = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cells = |kind: &str, name: &str| -> Vec<String> {
        let place = head.iter().position(|column| column == name).unwrap();
        let of_kind = records.iter().filter(|record| &record[0] == kind);
        of_kind.map(|record| record[place].to_owned()).collect()
    };
    assert_eq!(cells("rank", "rank").len(), 6);
    assert_eq!(
        (cells("agreement", "agreeing"), cells("agreement", "ranking")),
        (vec!["1".into()], vec!["2".into()])
    );
    assert_eq!(cells("agreement", "tau_algorithms"), ["3"]);
    let object = json(&runs, "--ranks");
    let cell = &object["groups"][0]["values"][0];
    let tau: f64 = cells("agreement", "tau")[0].parse().unwrap();
    assert!((tau - cell["tau"].as_f64().unwrap()).abs() < 1e-9, "{tau}");
    let place =
        cells("reversed", "algorithm").iter().position(|id| id == "hor").expect("it is faster in the first");
    let reversed = cell["reversed"].as_array().unwrap();
    assert_eq!(reversed.len(), cells("reversed", "p").len());
    assert_eq!(reversed[place]["faster_in_first"], "hor");
    for (name, known) in [
        ("ratio", &reversed[place]["ratios"][0]),
        ("other_ratio", &reversed[place]["ratios"][1]),
        ("p", &reversed[place]["p"]),
    ] {
        let number: f64 = cells("reversed", name)[place].parse().unwrap();
        assert!(
            (number - known.as_f64().unwrap()).abs() < 1e-9 && (name == "p") == (number < 0.05),
            "{name}: {number}"
        );
    }
}

#[test]
fn what_makes_no_comparison_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let timed = measured(out, "hor --plen 16 --runs 20 --seed 3");
    let counted = measured(out, "hor --plen 16 --runs 20 --seed 3 --stats algo");
    let other = measured(out, "bf --plen 16 --runs 20 --seed 3");
    let lone = measured(out, "hor --plen 16 --runs 20 --seed 3 --order sequential");
    let refused = |runs: &[&Path], words: &str| {
        let ran = compare(runs, words);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        ran.stderr
    };
    assert!(refused(&[&timed, &counted], "").contains("is instrumented"));
    assert!(
        refused(&[&timed, &other], "").contains("can be compared: not measured now, not measured before")
    );
    // That all fails is the worst that can be found, and no wrong use.
    let rows = fs::read_to_string(other.join("measurements.csv")).unwrap();
    let failed: Vec<String> = rows
        .lines()
        .enumerate()
        .map(|(i, line)| if i == 1 { line.replacen(",ok,", ",crashed,", 1) } else { line.to_owned() })
        .collect();
    let crashed = out.join("crashed");
    fs::create_dir(&crashed).unwrap();
    // Without `blocks.csv`, whose checksums would show that the row was edited.
    for file in ["report.json", "experiment.toml"] {
        fs::copy(other.join(file), crashed.join(file)).unwrap();
    }
    fs::write(crashed.join("measurements.csv"), failed.join("\n") + "\n").unwrap();
    assert!(refused(&[&other, &crashed], "").contains("can be compared: fails now"));
    let lost = compare(&[&other, &crashed], "--fail-if-slower 5%");
    assert_eq!(lost.code, Some(1), "{}{}", lost.stdout, lost.stderr);
    assert!(lost.stderr.contains("1 that did not fail before"), "{}", lost.stderr);
    assert!(refused(&[&timed, &timed], "").contains("is named twice"));
    assert!(refused(&[&timed], "").contains("a comparison needs two saved runs"));
    assert!(refused(&[&timed], "--ranks").contains("a comparison needs two saved runs"));
    assert!(refused(&[&timed, &lone], "--fail-if-slower 5%").contains("one round"));
    assert!(refused(&[&timed, &lone], "--fail-if-slower x").contains("a share in percent is expected"));
}

#[test]
fn what_fails_now_and_did_not_before_fails_in_ci() {
    let folder = tempfile::tempdir().unwrap();
    let before = measured(folder.path(), &format!("{WORDS} --seed 3"));
    let now = slowed(&before, "bf", 1.0);
    let path = now.path().join("measurements.csv");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = lines.iter().rposition(|line| line.starts_with("bf,64,")).expect("bf was measured");
    let place_of_status = lines[0].split(',').position(|name| name == "status").unwrap();
    let mut cells: Vec<&str> = lines[place].split(',').collect();
    cells[place_of_status] = "crashed";
    lines[place] = cells.join(",");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let ran = compare(&[&before, now.path()], "--fail-if-slower 5%");
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("bf: fails now (m=64)"), "{}", ran.stdout);
}

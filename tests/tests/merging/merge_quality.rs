//! `assay merge auto` and `exact` on the reference data, `--validate`, and a merger that somebody else wrote.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay::{Validation, validate};
use assay_plugin_api::Column;
use assay_tests::{Ran, assay, fixture, run, shared};
use tempfile::TempDir;

type Table = Vec<(String, Vec<f64>)>;

fn read(path: &Path) -> Table {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut table: Table = names.into_iter().map(|name| (name, Vec::new())).collect();
    for record in reader.records() {
        for ((_, values), cell) in table.iter_mut().zip(&record.unwrap()) {
            values.push(cell.parse().unwrap());
        }
    }
    table
}

fn write(path: &Path, table: &[(String, Vec<f64>)], rows: std::ops::Range<usize>) {
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let mut text = line(table.iter().map(|(name, _)| name.clone()).collect());
    text.extend(rows.map(|row| line(table.iter().map(|(_, values)| values[row].to_string()).collect())));
    fs::write(path, text).unwrap();
}

fn columns<'a>(table: impl IntoIterator<Item = &'a (String, Vec<f64>)>) -> Vec<Column<'static>> {
    let column =
        |(name, values): &(String, Vec<f64>)| Column { name: name.clone(), values: values.clone().into() };
    table.into_iter().map(column).collect()
}

fn merge(folder: &TempDir, arguments: &[&str]) -> Ran {
    run(assay().current_dir(folder.path()).arg("merge").args(arguments))
}

/// The mean of a measure's squares, and of its sizes.
fn measure(validation: &Validation, what: &str) -> (f64, f64) {
    let (measure, _) =
        validation.measures.iter().find(|(measure, _)| measure.what.starts_with(what)).unwrap();
    (measure.mean_square, measure.mean_size)
}

#[test]
fn auto_is_as_near_to_rows_that_it_has_not_seen_as_it_says() {
    let Some(raw) = shared("reference/merging/much_raw.csv") else { return };
    let raw = read(&raw);
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("first.csv"), &raw, 0..500);
    let ran = merge(&folder, &["auto", "first.csv", "--counters", "6", "--out", "merged.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let merged = read(&folder.path().join("merged.csv"));
    assert_eq!(merged.len(), 16);

    // What the other rows of all blocks say of each pair.
    let name = |title: &str| title.split('.').next().unwrap().to_owned();
    let mut unseen: BTreeMap<(String, String), [Vec<f64>; 2]> = BTreeMap::new();
    for block in raw.chunks(6) {
        for (i, (a, first)) in block.iter().enumerate() {
            for (b, second) in &block[i + 1..] {
                let (mut one, mut other) = ((name(a), first), (name(b), second));
                if one.0 > other.0 {
                    std::mem::swap(&mut one, &mut other);
                }
                let pair = unseen.entry((one.0, other.0)).or_default();
                pair[0].extend(&one.1[500..]);
                pair[1].extend(&other.1[500..]);
            }
        }
    }
    assert_eq!(unseen.len(), 120);
    let mut errors = [0.0; 3];
    for ((a, b), [first, second]) in unseen {
        let made = columns(merged.iter().filter(|(name, _)| [&a, &b].contains(&name)));
        let validation = validate(&made, &columns(&[(a, first), (b, second)]), None).unwrap();
        errors[0] += measure(&validation, "Pearson").0 / 120.0;
        errors[1] += measure(&validation, "Spearman").0 / 120.0;
        errors[2] += measure(&validation, "joint").1 / 120.0;
    }
    let [pearson, spearman, joint] = errors;
    assert!(pearson <= 1.2e-3 && spearman <= 1.2e-3 && joint <= 0.006, "{errors:?}");
}

/// Sum of squared differences of correlations, by the number of cells of their matrix.
fn error(merged: &Table, asked: &Table, rows: &[String]) -> f64 {
    let unit = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let length = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>().sqrt();
        values.iter().map(|value| (value - mean) / length).collect::<Vec<_>>()
    };
    let mut sum = 0.0;
    for (a, first) in merged {
        for (b, second) in merged {
            let r: f64 = unit(first).iter().zip(unit(second)).map(|(a, b)| a * b).sum();
            let row = rows.iter().position(|name| name == a).unwrap();
            sum += (r - asked.iter().find(|(name, _)| name == b).unwrap().1[row]).powi(2);
        }
    }
    sum / merged.len().pow(2) as f64
}

/// The correlations that MUCH expects, and the names of their rows.
fn expected_correlations(path: &Path) -> (Table, Vec<String>) {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).unwrap();
    let mut table: Table =
        reader.headers().unwrap().iter().skip(1).map(|name| (name.to_owned(), Vec::new())).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        rows.push(record[0].to_owned());
        table
            .iter_mut()
            .zip(record.iter().skip(1))
            .for_each(|((_, values), cell)| values.push(cell.parse().unwrap()));
    }
    (table, rows)
}

#[test]
fn exact_meets_the_correlations_that_it_is_given_or_that_were_measured() {
    let Some(reference) = shared("reference/merging") else { return };
    let (asked, rows) = expected_correlations(&reference.join("cor_expected.csv"));
    let kept = fs::read_to_string(reference.join("kept_0.85_expected.txt")).unwrap();
    let kept: Vec<&str> = kept.split_whitespace().collect();
    assert_eq!(kept.len(), 7);

    // The seven that MUCH keeps, by a table of their own.
    let folder = tempfile::tempdir().unwrap();
    let mut target = format!("HEM,{}\n", kept.join(","));
    for row in &kept {
        let at = rows.iter().position(|name| name == row).unwrap();
        let cells =
            kept.iter().map(|name| asked.iter().find(|(known, _)| known == name).unwrap().1[at].to_string());
        target += &format!("{row},{}\n", cells.collect::<Vec<_>>().join(","));
    }
    fs::write(folder.path().join("target.csv"), target).unwrap();
    let merged = |further: &[&str]| {
        let mut command = assay();
        command.current_dir(folder.path()).args([
            "merge",
            "exact",
            "--counters",
            "6",
            "--out",
            "merged.csv",
            "--names",
        ]);
        let ran = run(command
            .arg(reference.join("t2080_codes.csv"))
            .arg(reference.join("much_raw.csv"))
            .args(further));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (read(&folder.path().join("merged.csv")), ran.stderr)
    };
    let (seven, said) = merged(&["--target", "target.csv"]);
    assert!(said.contains("left out, as the target does not name them"), "{said}");
    assert_eq!(seven.len(), 7);
    let seven = error(&seven, &asked, &rows);
    assert!(seven <= 1e-12, "{seven:e}");

    // All sixteen contradict each other a little: the nearest table that there can be is 7.94e-6 away.
    let (sixteen, said) = merged(&[]);
    assert!(said.contains("no table has all the correlations asked"), "{said}");
    assert_eq!(sixteen.len(), 16);
    let sixteen = error(&sixteen, &asked, &rows);
    assert!((7.9e-6..=1.0e-5).contains(&sixteen), "{sixteen:e}");
}

/// A number without order, for each number (SplitMix64).
fn mixed(number: u64) -> u64 {
    let state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Three sub-experiments of the same kind of run, and one in which all was counted.
fn experiment() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows = |from: u64, n: u64| {
        (from..from + n)
            .map(|i| {
                let noise = |salt: u64| (mixed(4 * i + salt) % 1000) as f64;
                let (work, other) = (noise(1) + noise(2), noise(3));
                [1000.0 + work, 3.0 * work + other, 50.0 + other, 4000.0 - work]
            })
            .collect::<Vec<_>>()
    };
    let table = |rows: &[[f64; 4]], events: &[usize]| {
        let names = ["cycles", "loads", "misses", "idle"];
        events
            .iter()
            .map(|event| (names[*event].to_owned(), rows.iter().map(|row| row[*event]).collect()))
            .collect::<Table>()
    };
    for (file, from, events) in
        [("a.csv", 0, &[0, 1][..]), ("b.csv", 5000, &[1, 2]), ("c.csv", 9000, &[3, 0])]
    {
        write(&folder.path().join(file), &table(&rows(from, 300), events), 0..300);
    }
    write(&folder.path().join("ideal.csv"), &table(&rows(20_000, 600), &[0, 1, 2, 3]), 0..600);
    folder
}

#[test]
fn a_merge_is_held_against_a_table_of_everything() {
    let folder = experiment();
    let blocks = ["auto", "a.csv", "b.csv", "c.csv", "--validate", "ideal.csv"];
    let ran = merge(&folder, &[&blocks[..], &["--format", "json", "--out", "merged.json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["ideal_rows"], 600);
    let pearson = &json["measures"][0];
    assert_eq!(pearson["measure"], "Pearson correlation");
    assert!(pearson["size"].as_f64().unwrap() < 0.1, "{json:#}");
    assert!(pearson["size_by_chance"].as_f64().unwrap() > 0.0, "{json:#}");
    let merged: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("merged.json")).unwrap()).unwrap();
    assert_eq!(merged["rows"].as_array().unwrap().len(), 1000);

    let ran = merge(&folder, &blocks);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("Spearman correlation") && !ran.stdout.contains("4000,"), "{}", ran.stdout);
    fs::write(folder.path().join("other.csv"), "x,y\n1,2\n").unwrap();
    let ran = merge(&folder, &["auto", "a.csv", "b.csv", "--validate", "other.csv"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("less than two events in common"), "{}", ran.stderr);
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_one_processor_and_on_all() {
    let folder = experiment();
    for merger in ["auto", "exact"] {
        let arguments = ["merge", merger, "a.csv", "b.csv", "c.csv", "--seed", "7"];
        let all = merge(&folder, &arguments[1..]);
        assert_eq!(all.code, Some(0), "{}", all.stderr);
        let mut one = Command::new("taskset");
        one.args(["-c", "0"]).arg(assay().get_program()).args(arguments).current_dir(folder.path());
        assay().get_envs().for_each(|(name, value)| match value {
            Some(value) => drop(one.env(name, value)),
            None => drop(one.env_remove(name)),
        });
        assert_eq!(run(&mut one), all);
    }
}

#[test]
fn exact_warns_of_correlations_that_outliers_change_and_strict_refuses_them() {
    let folder = tempfile::tempdir().unwrap();
    // Counts without a relation, and in each block one row far away from all others in both.
    let block = |salt: u64| -> Table {
        let spike = |row: u64| if row == 7 { 1e5 } else { 0.0 };
        let column = |event: u64| -> Vec<f64> {
            (0..200).map(|row| (mixed(3 * row + event + salt) % 1000) as f64 + spike(row)).collect()
        };
        vec![("a".to_owned(), column(0)), ("b".to_owned(), column(1))]
    };
    for (file, salt) in [("one.csv", 0), ("two.csv", 5000)] {
        write(&folder.path().join(file), &block(salt), 0..200);
    }
    let exact = ["exact", "one.csv", "two.csv", "--out", "merged.csv"];
    let ran = merge(&folder, &exact);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("warning: correlations of 1 pair is asked as measured without outliers"),
        "{}",
        ran.stderr
    );
    fs::remove_file(folder.path().join("merged.csv")).unwrap();
    let ran = merge(&folder, &[&exact[..], &["--strict"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: the result is refused"), "{}", ran.stderr);
    assert!(!folder.path().join("merged.csv").exists());
}

#[test]
fn bad_targets_are_refused_with_what_to_do() {
    let folder = experiment();
    let refused = |arguments: &[&str], expected: &str| {
        let ran = merge(&folder, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    };
    fs::write(folder.path().join("target.csv"), "HEM,cycles,loads\ncycles,1,2\nloads,2,1\n").unwrap();
    refused(
        &["exact", "a.csv", "b.csv", "--target", "target.csv"],
        "correlation of cycles and loads is 2: it lies from -1 to 1",
    );
    refused(&["exact", "a.csv", "b.csv", "--target", "nowhere.csv"], "nowhere.csv");
    refused(&["auto", "a.csv", "b.csv", "--target", "target.csv"], "unknown option of merger auto: `target`");
    refused(
        &["auto", "a.csv", "b.csv", "--option", "quick=maybe"],
        "option quick: `yes` or `no`, not `maybe`",
    );
}

/// The merger of the book, alone in a folder.
fn third() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libthird_merger.so");
    fs::copy(fixture("third_merger"), &library).unwrap();
    (folder, library)
}

#[test]
fn a_merger_in_sixty_lines_is_a_merger_like_ours() {
    let source = include_str!("../../fixtures/third_merger/src/lib.rs");
    assert!(source.lines().count() <= 60);
    let (plugins, library) = third();
    let ran = run(assay().args(["plugins", "check"]).arg(&library));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let folder = experiment();
    let merged = |method: &str| {
        let mut command = assay();
        command.current_dir(folder.path()).arg("--plugin-dir").arg(plugins.path());
        command.args([
            "merge",
            method,
            "a.csv",
            "b.csv",
            "c.csv",
            "--validate",
            "ideal.csv",
            "--format",
            "json",
        ]);
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        (json["measures"][0]["size"].as_f64().unwrap(), ran.stderr)
    };
    let ((lost, said), (kept, _)) = (merged("independent"), merged("auto"));
    assert!(said.contains("all correlations are lost"), "{said}");
    assert!(lost > 0.3 && kept < lost / 3.0, "{lost} {kept}");
}

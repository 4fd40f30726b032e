//! The queries of `docs/src/sql.md`, run in DuckDB.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_report::Report;
use assay_tests::engines::duckdb;
use assay_tests::{assay, repository, run};
use serde_json::{Map, Value};

use crate::made_up::{make_up, measure};

/// Figures by run (or nothing), algorithm, range value (or nothing) and name.
type Figures = BTreeMap<(String, String, String, String), f64>;

/// Saved runs and the dataset of all of them.
struct Tried {
    folder: tempfile::TempDir,
    /// Two runs with times, on two CPUs, and one of twins.
    runs: [PathBuf; 3],
}

impl Tried {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runs = [("one", "perf"), ("two", "perf"), ("three", "algo")]
            .map(|(out, stats)| measure(&folder.path().join(out), &["--stats", stats]));
        make_up(&runs[0], 1, "One CPU", true);
        make_up(&runs[1], 2, "Another CPU", false);
        let tried = Tried { folder, runs };
        tried.export();
        tried
    }

    fn export(&self) {
        let ran = run(assay()
            .args(["results", "export", "--out"])
            .arg(self.folder.path().join("data"))
            .args(&self.runs));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }

    /// The rows of the query of this name.
    fn query(&self, duckdb: &Path, name: &str) -> Vec<Map<String, Value>> {
        let blocks = blocks("sql");
        let statements = format!("{}{}", blocks[""], blocks[name]);
        let mut command = Command::new(duckdb.join("duckdb"));
        command.args(["-batch", "-bail", "-json", "-init", "/dev/null", "-c", &statements]);
        let output = command.current_dir(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "`{name}`: {}", String::from_utf8_lossy(&output.stderr));
        // A list for each statement that gives rows.
        let answers = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
        answers.last().expect("the query gives rows").unwrap()
    }

    /// The figures of a query.
    fn queried(&self, duckdb: &Path, name: &str) -> Figures {
        let mut figures = Figures::new();
        for row in self.query(duckdb, name) {
            let text = |key: &str| match row.get(key) {
                Some(Value::String(text)) => text.clone(),
                Some(number) => number.to_string(),
                None => String::new(),
            };
            let keys = ["run", "algorithm", "range_value"];
            for (column, value) in row.iter().filter(|(column, _)| !keys.contains(&column.as_str())) {
                let [run, algorithm, value_of_range] = keys.map(text);
                let value = number(value).unwrap_or_else(|| panic!("`{name}`: {column} is {value}"));
                figures.insert((run, algorithm, value_of_range, column.clone()), value);
            }
        }
        figures
    }

    /// The lines of CSV that a command prints about the run of this number, as objects.
    fn printed(&self, arguments: &[&str], numbers: &[usize]) -> Vec<BTreeMap<String, String>> {
        let runs = numbers.iter().map(|number| &self.runs[*number]);
        let ran = run(assay().arg(arguments[0]).args(runs).args(&arguments[1..]).args(["--format", "csv"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        csv::Reader::from_reader(ran.stdout.as_bytes()).deserialize().map(Result::unwrap).collect()
    }

    fn id(&self, number: usize) -> String {
        self.runs[number].file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// The figures that `assay report` prints: by the statistic, or by the metric.
    fn reported(&self, number: usize, metrics: &str, statistics: &str, name: &str) -> Figures {
        let mut figures = Figures::new();
        for row in self.printed(&["report", "--metric", metrics, "--stat", statistics], &[number]) {
            let Some(value) = number_of(&row, "value") else { continue };
            let [algorithm, length] = [&row["algorithm"], &row["pattern_length"]];
            figures.insert((self.id(number), algorithm.clone(), length.clone(), row[name].clone()), value);
        }
        figures
    }
}

/// A number of DuckDB, which writes large whole ones and decimals as texts.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// The number in a column of a row of CSV; `None` if it is missing.
fn number_of(row: &BTreeMap<String, String>, column: &str) -> Option<f64> {
    Some(&row[column]).filter(|cell| !cell.is_empty()).map(|cell| cell.parse().unwrap())
}

/// The blocks of the page in a language, by the names after it; blocks of one name are joined.
fn blocks(language: &str) -> BTreeMap<String, String> {
    let page = fs::read_to_string(repository().join("docs/src/sql.md")).unwrap();
    let mut blocks = BTreeMap::<String, String>::new();
    let mut name: Option<String> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &name) {
            (Some(mark), None) => name = Some(mark.to_owned()),
            (Some(_), Some(_)) => name = None,
            (None, Some(mark)) => {
                if let Some(of_block) = mark.strip_prefix(language) {
                    *blocks.entry(of_block.trim().to_owned()).or_default() += &format!("{line}\n");
                }
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Checks that two sets of figures agree to this relative difference, which is the rounding of sums.
#[track_caller]
fn agree(queried: &Figures, reported: &Figures, tolerance: f64) {
    let keys = |figures: &Figures| figures.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(queried), keys(reported));
    assert!(!queried.is_empty());
    for (key, value) in reported {
        let found = queried[key];
        assert!((found - value).abs() <= tolerance * value.abs(), "{key:?}: {found} and not {value}");
    }
}

fn joined(figures: impl IntoIterator<Item = Figures>) -> Figures {
    figures.into_iter().flatten().collect()
}

#[test]
fn the_queries_of_the_book_give_the_figures_of_a_report() {
    let Some(duckdb) = duckdb() else { return };
    let tried = Tried::new();
    let timed = |metrics: &str, statistics: &str, name: &str| {
        joined([0, 1].map(|number| tried.reported(number, metrics, statistics, name)))
    };
    let queried = |name: &str| tried.queried(duckdb, name);
    // Sums are added up in another order; everything else is the same number.
    let statistics = queried("statistics");
    agree(&statistics, &timed("ns", "min,p25,med,p75,avg,std,max", "statistic"), 1e-12);
    for (key, value) in timed("ns", "min,med,max", "statistic") {
        assert_eq!(statistics[&key], value, "{key:?}");
    }
    agree(&queried("throughput"), &timed("gbps,ns_per_byte", "med", "metric"), 1e-15);
    agree(&queried("cycles"), &timed("cycles_per_byte", "med", "metric"), 1e-15);
    let twins = tried.reported(2, "text_bytes_read,jumps,text_read_percent", "avg", "metric");
    agree(&queried("twins"), &twins, 1e-12);
    agree(&queried("occurrences"), &occurrences(&tried), 0.0);
    agree(&queried("interval"), &intervals(&tried), 0.0);
    let (mut ratios, mut ranks, mut overall) = Default::default();
    baselines(&tried, &mut ratios, &mut ranks, &mut overall);
    agree(&queried("baseline"), &ratios, 1e-6);
    agree(&queried("ranks"), &ranks, 0.0);
    agree(&queried("overall"), &overall, 1e-12);
    let mut machines = Figures::new();
    for row in tried.printed(&["compare"], &[0, 1]).iter().filter(|row| !row["pattern_length"].is_empty()) {
        let key =
            (String::new(), row["algorithm"].clone(), row["pattern_length"].clone(), "ratio".to_owned());
        machines.extend(number_of(row, "ratio").map(|ratio| (key, ratio)));
    }
    agree(&queried("machines"), &machines, 1e-12);
}

#[test]
fn the_overall_mean_uses_the_rounds_that_all_lengths_have() {
    let Some(duckdb) = duckdb() else { return };
    let tried = Tried::new();
    // The last round was measured at some lengths only, as in a run that was interrupted.
    let path = tried.runs[1].join("measurements.csv");
    let text = fs::read_to_string(&path).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let [length, round] = ["pattern_length", "round"].map(place);
    let is_missing = |line: &&str| {
        let cells: Vec<&str> = line.split(',').collect();
        cells[length] == "8" && cells[round] == "9"
    };
    let kept: String =
        text.lines().filter(|line| !is_missing(line)).map(|line| format!("{line}\n")).collect();
    assert!(kept.len() < text.len());
    fs::write(&path, kept).unwrap();
    tried.export();
    let (mut ratios, mut ranks, mut overall) = Default::default();
    baselines(&tried, &mut ratios, &mut ranks, &mut overall);
    agree(&tried.queried(duckdb, "overall"), &overall, 1e-12);
}

#[test]
fn a_changed_row_changes_the_figures_of_its_cell_and_no_others() {
    let Some(duckdb) = duckdb() else { return };
    let tried = Tried::new();
    let before = tried.queried(duckdb, "statistics");
    let path = tried.runs[0].join("measurements.csv");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut cells: Vec<String> = lines[1].split(',').map(str::to_owned).collect();
    let places = ["algorithm", "pattern_length", "search_ns", "total_ns"]
        .map(|name| lines[0].split(',').position(|column| column == name).unwrap());
    places[2..].iter().for_each(|place| cells[*place] = "999999999".to_owned());
    lines[1] = cells.join(",");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    tried.export();
    let after = tried.queried(duckdb, "statistics");
    // DuckDB adds up with several threads, so the last digits of a sum differ from time to time.
    let is_changed = |key, value: f64| {
        let earlier: f64 = before[key];
        (earlier - value).abs() > 1e-9 * earlier.abs()
    };
    let changed: Vec<_> = after.iter().filter(|(key, value)| is_changed(*key, **value)).collect();
    let cell = |key: &(String, String, String, String)| (key.0.clone(), key.1.clone(), key.2.clone());
    let of_row = (tried.id(0), cells[places[0]].clone(), cells[places[1]].clone());
    assert!(changed.iter().all(|(key, _)| cell(key) == of_row), "{changed:?}");
    assert!(changed.iter().any(|(key, value)| key.3 == "max" && **value == 999_999_999.0), "{changed:?}");
    assert_eq!(after.len(), before.len(), "the run was replaced, not added");
}

/// The occurrences of all runs, summed over what a report lists.
fn occurrences(tried: &Tried) -> Figures {
    let mut figures = Figures::new();
    for number in 0..3 {
        for row in tried
            .printed(&["report", "--metric", "occurrences", "--stat", "all", "--include-failed"], &[number])
        {
            let key = (tried.id(number), row["algorithm"].clone(), row["pattern_length"].clone());
            let sum = figures.entry((key.0, key.1, key.2, "occurrences".to_owned())).or_insert(0.0);
            *sum += row["value"].parse::<f64>().unwrap();
        }
    }
    figures
}

/// The intervals of the medians of the runs with times. `statistics.csv` has them from the run itself, before
/// its times were made up, so they are computed again as `assay report` does for its tables.
fn intervals(tried: &Tried) -> Figures {
    let mut figures = Figures::new();
    for number in [0, 1] {
        let results = Report::load(&tried.runs[number]).unwrap().results().unwrap().results;
        for cell in results {
            let Some(search_ns) = cell.search_ns else { continue };
            let ci95 = search_ns.ci95.expect("there are ten rounds");
            for (name, end) in [("low", ci95.low), ("high", ci95.high)] {
                let length = cell.pattern_length.to_string();
                figures.insert((tried.id(number), cell.algorithm.clone(), length, name.to_owned()), end);
            }
        }
    }
    figures
}

/// The ratios to the baseline with their intervals, the ranks, and the means over all lengths.
fn baselines(tried: &Tried, ratios: &mut Figures, ranks: &mut Figures, overall: &mut Figures) {
    for number in [0, 1] {
        for row in tried.printed(&["report", "--baseline", "hor"], &[number]) {
            let [algorithm, length] = ["algorithm", "pattern_length"].map(|name| row[name].clone());
            let key = |name: &str| (tried.id(number), algorithm.clone(), length.clone(), name.to_owned());
            let number = |name: &str| Some((key(name), number_of(&row, name)?));
            if length.is_empty() {
                overall.extend(number("ratio").map(|(_, ratio)| (key("to_best"), ratio)));
                continue;
            }
            ranks.extend(number("rank"));
            if algorithm != "hor" {
                ratios.extend(["ratio", "low", "high"].into_iter().filter_map(number));
            }
        }
    }
}

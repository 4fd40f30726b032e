//! Libraries in SMART's form: how they are called and named, what is promised to them, whose times they have.

use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, c_library, run, shared};
use serde_json::Value;
use tempfile::TempDir;

/// What the sources have in common: a search that looks at each window, and SMART's two structs.
const HEAD: &str = "
    #include <string.h>
    typedef struct { long long figures[17]; } stats;
    typedef struct { char names[6][11]; } metadata;
    static int naive(unsigned char *p, int m, unsigned char *t, int n) {
        int found = 0;
        for (int s = 0; s + m <= n; s++) found += !memcmp(t + s, p, m);
        return found;
    }
    #define SEARCH int internal_search(unsigned char *p, int m, unsigned char *t, int n, \\
                                       double *pre, double *run, stats *s, metadata *names)
";

/// Right, with times that no clock would give.
const RIGHT: &str = "SEARCH { *pre = 0.001; *run = 0.25; return naive(p, m, t, n); }";

/// Compiles algorithms to a folder, each to a file that is called by its name.
fn folder(algorithms: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, body) in algorithms {
        let library = c_library(
            folder.path(),
            name,
            &format!("{HEAD}\n{body}\n"),
            &["-O1", "-w", "-falign-functions=64"],
        );
        fs::rename(library, folder.path().join(format!("{name}.so"))).unwrap();
    }
    folder
}

fn measure(folder: &Path, algorithms: &[&str], more: &[&str]) -> (Ran, Value) {
    let mut command = assay();
    command.arg("run").args(algorithms).arg("--plugin-dir").arg(folder);
    command.args(["--data", &"the cat sat on the mat, ".repeat(40)]);
    if !more.contains(&"--plen") {
        command.args(["--plen", "4", "8"]);
    }
    command.args(["--runs", "10", "--seed", "1", "--no-save", "--format", "json"]).args(more);
    let ran = run(&mut command);
    let json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}", ran.stderr));
    (ran, json)
}

/// The cell of an algorithm with patterns of 8 bytes.
fn cell<'a>(json: &'a Value, algorithm: &str) -> &'a Value {
    let mut cells = json["results"].as_array().unwrap().iter();
    let cell = cells.find(|cell| cell["algorithm"] == algorithm && cell["pattern_length"] == 8);
    cell.unwrap_or_else(|| panic!("no {algorithm} in {json:#}"))
}

fn ids(json: &Value) -> Vec<&str> {
    let cells = json["results"].as_array().unwrap().iter().filter(|cell| cell["pattern_length"] == 8);
    cells.map(|cell| cell["algorithm"].as_str().unwrap()).collect()
}

#[test]
fn one_is_measured_beside_ours_of_the_same_name_by_its_own_clock() {
    let folder = folder(&[("hor", RIGHT)]);
    let (ran, json) = measure(folder.path(), &["hor", "smart:hor"], &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let (ours, theirs) = (cell(&json, "hor"), cell(&json, "smart:hor"));
    assert_eq!(ours["occurrences"], theirs["occurrences"]);
    assert_eq!((&ours["clock"], &theirs["clock"]), (&Value::from("host"), &Value::from("own")));
    assert_eq!(theirs["prepare_ns"]["med"], 1000.0);
    assert_eq!(theirs["search_ns"]["med"], 250_000.0);
    assert_ne!(theirs["total_ns"]["med"], 251_000.0, "it is the host's");
    assert!(ours["library"] != theirs["library"]);

    let (_, table) = measure_table(folder.path(), &["hor", "smart:hor"]);
    assert!(
        table.contains("take the times of preparation and search themselves")
            && table.contains("counters are of both calls together: smart:hor\n"),
        "{table}"
    );
}

fn measure_table(folder: &Path, algorithms: &[&str]) -> (Option<i32>, String) {
    let mut command = assay();
    command.arg("run").args(algorithms).arg("--plugin-dir").arg(folder);
    let ran =
        run(command.args(["--data", "the cat sat on the mat", "--plen", "4", "--runs", "5", "--no-save"]));
    (ran.code, ran.stdout)
}

#[test]
fn a_counter_is_of_both_calls_since_only_the_algorithm_knows_where_one_ends() {
    let folder = folder(&[("mine", RIGHT)]);
    let (ran, json) = measure(folder.path(), &["mine", "hor"], &["--counters", "clock:ns"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (theirs, ours) = (cell(&json, "smart:mine"), cell(&json, "hor"));
    assert!(
        theirs["counters"]["clock:ns"]["med"].is_number()
            && ours["prepare_counters"]["clock:ns"]["med"].is_number()
    );
    assert_eq!(theirs["prepare_counters"]["clock:ns"], Value::Null);
}

#[test]
fn a_short_name_is_theirs_only_where_ours_is_not_there() {
    let folder = folder(&[("hor", RIGHT), ("mine", RIGHT), ("mine2", RIGHT)]);
    let called = |names: &[&str]| {
        let (ran, json) = measure(folder.path(), names, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ids(&json).join(" ")
    };
    assert_eq!(called(&["hor", "mine"]), "hor smart:mine");
    assert_eq!(called(&["mine.*|ho."]), "hor smart:mine smart:mine2");
    assert_eq!(called(&["smart:.*"]), "smart:hor smart:mine smart:mine2");
    assert_eq!(called(&["SMART:hor"]), "smart:hor");
}

#[test]
fn a_twin_reports_its_measurements_under_its_own_names() {
    let twin = r##"SEARCH {
        *pre = *run = 1;
        strcpy(names->names[0], "#first");
        strcpy(names->names[2], "third one");
        for (int i = 0; i < 17; i++) s->figures[i] = 100 + i;
        s->figures[3] = n;
        s->figures[8] = -1;
        return naive(p, m, t, n);
    }"##;
    let folder = folder(&[("hor", RIGHT), ("stat_hor", twin), ("mine", RIGHT)]);
    let (ran, json) = measure(folder.path(), &["smart:stat_hor", "hor", "mine"], &["--stats", "algo"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("skipped, because there is no instrumented twin: smart:mine"),
        "{}",
        ran.stderr
    );
    let (theirs, ours) = (cell(&json, "smart:hor"), cell(&json, "hor"));
    assert_eq!(
        (&theirs["variant"], &ours["variant"]),
        (&Value::from("smart:stat_hor"), &Value::from("stat_hor"))
    );
    let stats = &theirs["stats"];
    assert_eq!(
        (stats["memory_used"]["med"].as_f64(), stats["text_bytes_read"]["med"].as_f64()),
        (Some(100.0), Some(960.0))
    );
    assert_eq!(stats["verifications"]["med"], 110.0);
    assert_eq!(stats["jumps"], Value::Null, "nothing happens less than no times");
    let extra = theirs["extra"].as_object().unwrap();
    let extra: Vec<_> =
        extra.iter().map(|(name, figure)| (name.as_str(), figure["med"].as_f64().unwrap())).collect();
    assert_eq!(extra, [("#first", 111.0), ("third one", 113.0)]);
    assert_eq!((&theirs["clock"], &theirs["search_ns"]), (&Value::Null, &Value::Null));
}

#[test]
fn what_it_does_wrong_costs_its_own_row() {
    let cases = [
        (
            "refuses",
            "return m == 8 ? -1 : naive(p, m, t, n);",
            "cannot_search",
            "not made for this pattern or text",
        ),
        ("errs", "return -2;", "error", "the number -2"),
        ("errs-otherwise", "return -77;", "error", "the number -77"),
        ("miscounts", "return naive(p, m, t, n) + 1;", "wrong", "repetition 0 found"),
        ("crashes", "return *(volatile int *)0;", "crashed", "SIGSEGV"),
        ("writes-far-before", "t[-4096] = 1; return naive(p, m, t, n);", "crashed", "SIGSEGV"),
        (
            "overflows",
            "((long long *)s)[17] = 5; return naive(p, m, t, n);",
            "error",
            "more figures or names",
        ),
    ];
    let sources = cases.map(|(name, body, ..)| (name, format!("SEARCH {{ {body} }}")));
    let folder = folder(&sources.each_ref().map(|(name, source)| (*name, source.as_str())));
    let mut names = cases.map(|(name, ..)| name).to_vec();
    names.push("hor");
    let (ran, json) = measure(folder.path(), &names, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for (name, _, status, message) in cases {
        let cell = cell(&json, &format!("smart:{name}"));
        assert_eq!(cell["status"], status, "{name}: {cell:#}");
        assert!(cell["message"].as_str().unwrap().contains(message), "{name}: {cell:#}");
        assert_eq!((&cell["search_ns"], &cell["clock"]), (&Value::Null, &Value::Null), "{name}");
    }
    assert_eq!(cell(&json, "hor")["status"], "ok");
    let refuses =
        json["results"].as_array().unwrap().iter().find(|cell| cell["algorithm"] == "smart:refuses");
    assert_eq!(refuses.unwrap()["status"], "ok", "it takes patterns of 4 bytes");
    assert_eq!(refuses.unwrap()["search_ns"], Value::Null, "it took no times");
}

#[test]
fn a_byte_that_is_written_before_the_text_is_noticed() {
    let folder = folder(&[("before", "SEARCH { t[-1] = 1; return naive(p, m, t, n); }")]);
    let (_, json) = measure(folder.path(), &["before", "hor"], &[]);
    let theirs = cell(&json, "smart:before");
    // The page with that byte is protected, unless it also holds bytes after the text.
    match theirs["status"].as_str().unwrap() {
        "error" => assert_eq!(theirs["message"], "it writes to bytes around the text that it may only read"),
        status => assert_eq!(status, "crashed", "{theirs:#}"),
    }
    assert_eq!(cell(&json, "hor")["status"], "ok");
}

/// It looks for what it is promised, and leaves everything as it should not be found by the next search.
const GREEDY: &str = "SEARCH {
    volatile unsigned char sum = 0;
    for (int i = 1; i <= 16; i++) sum += t[-i];
    for (int i = 0; i < 2 * m + 16; i++) if (t[n + i]) return -90;
    for (int i = 0; i < m + 16; i++) if (p[-1 - i % 16] || p[m + i % 16]) return -91;
    if ((long)t % 16 || (long)s % 16 || (long)names % 16) return -92;
    int found = naive(p, m, t, n);
    for (int i = 0; i < 2 * m + 16; i++) t[n + i] = p[i % m];
    memset(p - 16, 'x', m + 32);
    *pre = *run = 0;
    return found;
}";

#[test]
fn it_gets_the_memory_that_it_is_promised_and_finds_nothing_of_the_search_before() {
    let folder = folder(&[("greedy", GREEDY)]);
    let (ran, json) = measure(folder.path(), &["greedy", "bf"], &["--plen", "1", "512", "--warmup", "3"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ids(&json), ["smart:greedy", "bf"]);
}

#[test]
fn one_in_the_older_form_is_an_algorithm_too() {
    let older = "double *_timer, *pre_time, *run_time;
        int search(unsigned char *p, int m, unsigned char *t, int n) {
            _timer[0] = _timer[3] = 7; *pre_time = 0.5; *run_time = 2; return m == 4 ? -1 : naive(p, m, t, n);
        }";
    let lacks = "int search(unsigned char *p, int m, unsigned char *t, int n) { return 0; }";
    let folder = folder(&[("older", older), ("lacks", lacks)]);
    let (ran, json) = measure(folder.path(), &["older"], &[]);
    assert!(ran.stderr.contains("lacks.so`: it has no entry point"), "{}", ran.stderr);
    let cell = cell(&json, "smart:older");
    assert_eq!((&cell["status"], &cell["search_ns"]["med"]), (&Value::from("ok"), &Value::from(2_000_000.0)));
}

#[test]
fn a_file_name_that_makes_no_id_is_refused_with_the_reason() {
    let folder = folder(&[("right", RIGHT)]);
    let original = folder.path().join("right.so");
    for name in ["Right", "a b", "a:b", "stat_"] {
        let renamed = folder.path().join(format!("{name}.so"));
        fs::copy(&original, &renamed).unwrap();
        let ran = run(assay().args(["list", "--strict", "--plugin-dir"]).arg(folder.path()));
        assert_eq!(ran.code, Some(2), "{name}");
        let reason = format!("would make the id {name:?}; expected a file that is named by its algorithm");
        assert!(ran.stderr.contains(&reason) && ran.stderr.contains("rename it"), "{}", ran.stderr);
        fs::remove_file(renamed).unwrap();
    }
}

#[test]
fn a_copy_under_another_name_is_another_algorithm() {
    let folder = folder(&[("one", RIGHT)]);
    let listed = || {
        let ran =
            run(assay().args(["plugins", "list", "--format", "csv", "--plugin-dir"]).arg(folder.path()));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let of_folder = |line: &&str| line.contains(folder.path().to_str().unwrap());
        let lines: Vec<String> = ran
            .stdout
            .lines()
            .filter(of_folder)
            .map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" "))
            .collect();
        lines
    };
    assert_eq!(listed(), ["used one"]);
    fs::copy(folder.path().join("one.so"), folder.path().join("two.so")).unwrap();
    assert_eq!(listed(), ["used one", "used two"]);
    fs::rename(folder.path().join("one.so"), folder.path().join("three.so")).unwrap();
    assert_eq!(listed(), ["used three", "used two"], "what is remembered goes by the name too");
    let (ran, json) = measure(folder.path(), &["two", "three"], &[]);
    assert_eq!((ran.code, ids(&json).join(" ")), (Some(0), "smart:two smart:three".to_owned()));
}

#[test]
fn a_twin_that_answers_no_search_is_refused() {
    let folder = folder(&[
        ("stat_mute", "SEARCH { return -1; }"),
        ("stat_bad", "SEARCH { strcpy(names->names[0], \"a,b\"); return 0; }"),
    ]);
    let ran = run(assay().args(["list", "--plugin-dir"]).arg(folder.path()));
    assert!(ran.stderr.contains("stat_mute.so`: asked for its extra fields"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("stat_bad.so`: its algorithm `smart:stat_bad` has an extra field"),
        "{}",
        ran.stderr
    );
}

#[test]
fn all_of_smarts_load() {
    let Some(folder) = shared("peers/smart") else { return };
    let files = fs::read_dir(&folder).unwrap().count();
    let ran = run(assay().args(["list", "algorithms", "--format", "csv", "--plugin-dir"]).arg(folder));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("algorithm,smart:")).count(), files);
}

#[test]
fn a_report_says_whose_clock_it_was() {
    let folder = folder(&[("mine", RIGHT)]);
    let mut command = assay();
    command.args(["run", "mine", "hor", "--data", "the cat sat on the mat", "--plen", "4", "--runs", "5"]);
    command.arg("--plugin-dir").arg(folder.path()).arg("--out").arg(folder.path().join("results"));
    assert_eq!(run(&mut command).code, Some(0));
    let saved = fs::read_dir(folder.path().join("results")).unwrap().map(|entry| entry.unwrap().path());
    let saved = saved.into_iter().find(|path| path.join("report.json").is_file()).unwrap();
    let report = run(assay().args(["report", "--metric", "ns", "--call", "search"]).arg(&saved));
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    assert!(report.stdout.contains("smart:mine") && report.stdout.contains("250000"), "{}", report.stdout);
    assert!(report.stdout.contains("clock        These take the times"), "{}", report.stdout);
    let page = fs::read_to_string(saved.join("report.html")).unwrap();
    assert!(page.contains("counters are of both calls together: smart:mine"));
}

/// Right, with no number where it was slow.
const KEEPS_SLOW_ONES: &str = "SEARCH {
    static int calls;
    *pre = 0.001; *run = ++calls % 3 ? 0.25 : 0.0 / 0.0;
    return naive(p, m, t, n);
}";

#[test]
fn an_algorithm_without_some_times_has_no_figures_in_any_format() {
    let results = tempfile::tempdir().unwrap();
    let saved = |body| {
        let folder = folder(&[("mine", body)]);
        let mut command = assay();
        command.args(["run", "mine", "hor", "--data"]).arg("the cat sat on the mat, ".repeat(40));
        command.args(["--plen", "4", "--rounds", "6", "--runs", "24", "--plugin-dir"]).arg(folder.path());
        command.args(["--until", "90%", "--most-runs", "400", "--seed", "1", "--out"]).arg(results.path());
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let mut all: Vec<_> =
            fs::read_dir(results.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.retain(|path| path.join("report.json").is_file());
        (ran, all.into_iter().max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap()).unwrap())
    };
    let (_, whole) = saved(RIGHT);
    let (ran, gaps) = saved(KEEPS_SLOW_ONES);
    let kept = "wrote no time for a repetition, or an impossible one: smart:mine (m=4)";
    assert!(words(&ran.stdout).contains(kept), "{}", ran.stdout);
    let rows = fs::read_to_string(gaps.join("measurements.csv")).unwrap().lines().count() - 1;
    assert!(rows < 400, "nobody waits for an interval that can't be: {rows} rows");
    assert!(fs::read_to_string(gaps.join("report.html")).unwrap().contains(kept));

    let report = |more: &[&str]| run(assay().arg("report").arg(&gaps).args(more));
    let figures = report(&["--metric", "ns", "--format", "csv"]);
    let of = |id: &str| figures.stdout.lines().find(|line| line.starts_with(id)).unwrap().to_owned();
    assert!(of("smart:mine,").ends_with(",,") && !of("hor,").ends_with(','), "{}", figures.stdout);
    assert!(figures.stderr.contains("ns of smart:mine: missing in "), "{}", figures.stderr);
    let baseline = report(&["--baseline", "hor"]);
    assert!(baseline.stdout.contains("times missing"), "{}", baseline.stdout);
    assert!(words(&baseline.stdout).contains("times of smart:mine are missing in "), "{}", baseline.stdout);
    let rows = report(&["--baseline", "hor", "--format", "csv"]);
    assert!(rows.stderr.contains("search_ns of smart:mine: missing in "), "{}", rows.stderr);
    let markdown = report(&["--format", "markdown"]).stdout;
    assert!(markdown.contains(" smart:mine: missing in "), "{markdown}");
    let chart = report(&["--chart"]);
    assert!(chart.stderr.contains("microseconds of smart:mine: missing in "), "{}", chart.stderr);

    let compare =
        |before, now| run(assay().arg("compare").args([before, now]).args(["--fail-if-slower", "9999%"]));
    let lost = compare(&whole, &gaps);
    assert_eq!(lost.code, Some(1), "{}", lost.stdout);
    assert!(lost.stdout.contains("not compared: smart:mine: times missing now (m=4)"), "{}", lost.stdout);
    let rows = run(assay().arg("compare").args([&whole, &gaps]).args(["--format", "csv"]));
    assert!(rows.stderr.contains("not compared: smart:mine: times missing now (m=4)"), "{}", rows.stderr);
    let found = compare(&gaps, &whole);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(found.stdout.contains("times missing before (m=4)"), "{}", found.stdout);
}

/// Without the breaks of lines.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_repetition_of_several_calls_is_not_for_it_and_the_reason_is_reported() {
    let folder = folder(&[("mine", RIGHT)]);
    for more in [["--searches", "2"], ["--sum-range", "text-size=64B,128B"]] {
        let (ran, json) = measure(folder.path(), &["hor", "mine"], &more);
        assert_eq!(
            (cell(&json, "hor")["status"].as_str(), ran.code),
            (Some("ok"), Some(0)),
            "{}",
            ran.stderr
        );
        let theirs = cell(&json, "smart:mine");
        assert_eq!(theirs["status"], "cannot_search");
        let message = theirs["message"].as_str().unwrap();
        assert!(
            message.starts_with("it prepares and searches in one call, and takes the times of both"),
            "{message}"
        );
    }
}

/// Begins 16 bytes after a multiple of 64.
const UNALIGNED: &str = "
    asm(\".section .odd,\\\"ax\\\"\\n.p2align 6\\n.skip 16\\n.text\\n\");
    __attribute__((section(\".odd\"), aligned(16)))
    SEARCH { *pre = 0.001; *run = 0.25; return naive(p, m, t, n); }";

#[test]
fn functions_that_begin_at_no_multiple_of_64_are_named_by_check_and_run() {
    let folder = folder(&[("even", RIGHT)]);
    let arguments = ["-O1", "-w", "-fno-toplevel-reorder"];
    let odd = c_library(folder.path(), "odd", &format!("{HEAD}\n{UNALIGNED}\n"), &arguments);
    fs::rename(odd, folder.path().join("odd.so")).unwrap();
    let line = "functions of smart:odd do not begin at multiples of 64 bytes";
    for (name, named) in [("odd.so", true), ("even.so", false)] {
        let ran = run(assay().args(["plugins", "check"]).arg(folder.path().join(name)));
        assert_eq!((ran.code, ran.stdout.contains(line)), (Some(0), named), "{}", ran.stdout);
    }
    let (ran, _) = measure(folder.path(), &["smart:odd", "smart:even", "hor"], &[]);
    assert!(ran.stderr.contains(&format!("note: {line}")), "{}", ran.stderr);
}

/// Searches a thousand times, says that nearly all of that was the preparation, and takes the time of it in
/// nanoseconds.
const WORK: &str = "
    #include <time.h>
    static long long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }
    static int work(unsigned char *p, int m, unsigned char *t, int n) {
        volatile int found; for (int i = 0; i < 1000; i++) found = naive(p, m, t, n); return found;
    }";

#[test]
fn own_times_that_the_host_s_clock_does_not_confirm_are_reported() {
    let short = format!("{WORK} SEARCH {{ *pre = 0; *run = 0.000001; return work(p, m, t, n); }}");
    let hides = format!(
        "{WORK} SEARCH {{ long long begun = now(); int found = work(p, m, t, n);
            *pre = (now() - begun) / 1e6; *run = *pre / 1000; return found; }}"
    );
    let folder = folder(&[("short", &short), ("hides", &hides)]);
    let out = tempfile::tempdir().unwrap();
    let mut command = assay();
    command.args([
        "run",
        "smart:short",
        "smart:hides",
        "hor",
        "--plen",
        "4",
        "8",
        "--runs",
        "5",
        "--plugin-dir",
    ]);
    command.arg(folder.path()).args(["--data", &"the cat sat on the mat, ".repeat(40)]);
    let ran = run(command.arg("--out").arg(out.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let doubts = |ran: &Ran| -> Vec<String> {
        let lines = ran.stderr.lines().filter(|line| line.contains("compare `total_ns`"));
        lines.map(str::to_owned).collect()
    };
    let lines = doubts(&ran);
    assert!(lines.len() == 2, "{}", ran.stderr);
    assert!(lines[0].starts_with("warning: smart:short m=4,8: its own clock shows 0.00 us for a search"));
    assert!(lines[1].starts_with("note: ") && lines[1].contains("(smart:hides m=4,8)"), "{}", lines[1]);
    let report = run(assay().args(["report", "last", "--out"]).arg(out.path()));
    assert_eq!(doubts(&report), lines, "{}", report.stderr);
}

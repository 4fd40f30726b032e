//! `assay adversary`: the input on which an algorithm works most, by the counts of its twin.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use assay_tests::processes::{await_that, signal};
use assay_tests::{Ran, assay, c_library, run};
use serde_json::Value;
use tempfile::TempDir;

fn adversary(arguments: &str) -> Ran {
    run(assay().arg("adversary").args(arguments.split(' ')))
}

/// The result of a search that ends as it should.
#[track_caller]
fn searched(arguments: &str) -> Value {
    let ran = adversary(&format!("{arguments} --format json"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments}");
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// Work for each character, by the length of the pattern.
fn per_character(result: &Value) -> Vec<(u64, f64)> {
    let sizes = result["sizes"].as_array().expect("sizes").iter();
    sizes
        .map(|size| {
            let work = size["work_per_character"].as_f64().expect("a number");
            (size["pattern_length"].as_u64().expect("a length"), work)
        })
        .collect()
}

#[test]
fn a_naive_search_and_horspool_compare_the_whole_pattern_everywhere_and_knuth_morris_pratt_twice_at_most() {
    for id in ["bf", "hor"] {
        let result = searched(&format!("{id} --by text_bytes_read --plen 4 16 --budget 600"));
        for (m, work) in per_character(&result) {
            assert!(work > 0.9 * m as f64, "{id}: {work} for patterns of {m}");
        }
        assert_eq!(result["verdict"], "not_refuted", "{id}: {}", result["claim"]);
    }
    let result = searched("kmp --by text_bytes_read --budget 1200");
    let works = per_character(&result);
    assert_eq!(works.len(), 4);
    assert!(works.iter().all(|(_, work)| (1.3..=2.0).contains(work)), "{works:?}");
    assert_eq!(result["verdict"], "not_refuted");
}

#[test]
fn a_seed_gives_the_same_output_and_the_table_names_the_input() {
    let words = "qs --alphabet 2 --plen 5,20 --text-length 300 --budget 300 --seed 9";
    let [first, again] = [adversary(words), adversary(words)];
    assert_eq!((first.code, &first), (Some(0), &again));
    assert!(first.stdout.contains("\npattern: ") && first.stdout.contains(", repeated to 300 characters\n"));
    assert!(first.stdout.contains("the claim is not judged: it takes three lengths"), "{}", first.stdout);
    let rows = adversary(&format!("{words} --format csv")).stdout;
    let begins: Vec<&str> = rows.lines().map(|row| &row[..row.len().min(10)]).collect();
    assert_eq!(begins, ["m,n,search", "5,300,150,", "20,300,150"], "{rows}");
}

#[test]
fn the_worst_input_is_kept_and_a_run_of_it_counts_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command.args(
        "adversary bm --by text_bytes_read --plen 6 --budget 200 --format json --save worst".split(' '),
    );
    let ran = run(command.current_dir(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let read = |name: &str| fs::read(folder.path().join("worst").join(name)).expect("it was saved");
    assert_eq!((read("pattern").len(), read("text").len()), (6, 384));
    let note = String::from_utf8(read("note.txt")).expect("a note is text");
    let again = note.lines().find_map(|line| line.trim().strip_prefix("assay ")).expect("a command");
    let again = run(assay().args(again.split(' ')).args(["--format", "json"]).current_dir(folder.path()));
    let counts: Value = serde_json::from_str(&again.stdout).unwrap_or_else(|_| panic!("{}", again.stderr));
    let counted = counts["results"][0]["stats"]["text_bytes_read"]["avg"].as_f64();
    assert_eq!(counted, result["sizes"][0]["work"].as_f64());
}

/// A folder with an algorithm in SMART's form and its twin, which does `wrong` with patterns of 16
/// bytes in texts of 1024. (It is searched with once when it is loaded, too.)
fn faulty(wrong: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "void *fopen(const char *, const char *);
         int fclose(void *);
         int internal_search(unsigned char *p, int m, unsigned char *t, int n, double *pre, double *run,
                             long long *figures, void *names) {{
             int found = 0;
             for (int s = 0; s + m <= n; s++) {{
                 int i = 0;
                 while (i < m && p[i] == t[s + i]) i++;
                 figures[3] += i + (i < m);
                 found += i == m;
             }}
             if (m == 16 && n == 1024) {{ {wrong} }}
             *pre = *run = 1;
             return found;
         }}"
    );
    for name in ["faulty", "stat_faulty"] {
        let library = c_library(folder.path(), name, &source, &["-O1", "-w", "-falign-functions=64"]);
        fs::rename(library, folder.path().join(format!("{name}.so"))).unwrap();
    }
    folder
}

fn of_faulty(folder: &Path, more: &str) -> Ran {
    let mut command = assay();
    command.args("adversary faulty --by text_bytes_read --plen 4 16 --budget 300".split(' '));
    command.arg("--plugin-dir").arg(folder).args(more.split(' ')).env("ASSAY_PATIENCE_MS", "2000");
    run(command.current_dir(folder))
}

#[test]
fn a_twin_that_crashes_hangs_or_counts_wrong_or_otherwise_costs_a_line_and_the_sizes_after_it() {
    for (wrong, message) in [
        ("__builtin_trap();", "crashes the process (SIGILL"),
        ("for (;;) figures[5]++;", "hangs: no answer within 2 s"),
        ("found++;", "occurrences, and a naive search finds"),
        ("figures[3] = 1LL << 53;", "reports an impossible figure: text_bytes_read: 9007199254740992"),
        ("static int calls; figures[3] += 100000 * calls++;", "counts otherwise if it searches again"),
    ] {
        let folder = faulty(wrong);
        let ran = of_faulty(folder.path(), "--format json --save kept");
        assert_eq!((ran.code, ran.warnings().len()), (Some(1), 1), "{}", ran.stderr);
        let line = ran.warnings()[0];
        assert!(line.starts_with("warning: `smart:faulty` ") && line.contains(message), "{line}");
        let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!((&result["end"], &result["failure"]["pattern_length"]), (&"failed".into(), &16.into()));
        let works = per_character(&result);
        assert!(works.len() == 2 && works.iter().all(|(m, work)| *work > 0.9 * *m as f64), "{works:?}");
        assert_eq!(fs::read(folder.path().join("kept/failed/pattern")).unwrap().len(), 16);
        assert_eq!(fs::read(folder.path().join("kept/pattern")).unwrap().len(), 8);
    }
}

#[test]
fn an_algorithm_that_can_not_search_costs_a_line() {
    let folder = faulty("return -1;");
    let ran = run(assay().args(["adversary", "faulty", "--plen", "16", "--plugin-dir"]).arg(folder.path()));
    assert_eq!((ran.code, ran.warnings().len()), (Some(1), 1), "{}", ran.stderr);
    assert!(ran.warnings()[0].contains("can't search for these patterns: "), "{}", ran.stderr);
}

#[test]
fn ctrl_c_prints_the_worst_so_far() {
    let marks = tempfile::tempdir().unwrap();
    let mark = marks.path().join("mark");
    // Requests have fewer inputs than this, so the first ones are answered by then.
    let folder = faulty(&format!(
        "static int calls; if (++calls == 100) fclose(fopen(\"{}\", \"w\"));",
        mark.display()
    ));
    let mut command = assay();
    command.args(
        "adversary faulty --by text_bytes_read --plen 16 --budget 1h --format json --no-sandbox".split(' '),
    );
    command.arg("--plugin-dir").arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    await_that(|| mark.exists().then_some(()));
    signal("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&result["end"], result["sizes"].as_array().map(Vec::len)), (&"interrupted".into(), Some(1)));
}

#[test]
fn wrong_usage_is_refused_in_a_sentence() {
    for (arguments, reason) in [
        ("memmem", "has no twin, and only a twin"),
        ("bndmq.*", "stands for"),
        ("horr", "unknown algorithm `horr`"),
        ("hor --by memory_used", "'memory_used'"),
        ("hor --budget 0", "a number of searches from 1 on or a time is expected"),
        ("hor --alphabet 257", "257"),
        ("hor --save /dev/null/worst", "can't make `/dev/null/worst`"),
        ("hor --plen 9 --text-length 8", "a text of 8 characters is not searched for patterns of 9"),
    ] {
        let ran = adversary(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{arguments}: {}", ran.stderr);
    }
}

//! `assay crossover`: where one algorithm overtakes another. No test depends on how fast anything is, so none of
//! them expects a border.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_tests::processes::{await_that, signal};
use assay_tests::{Ran, assay, c_library, run};
use serde_json::{Value, json};

const SHORT: &str = "--text-size 256KiB --runs 8 --rounds 2 --seed 1";

fn crossover(arguments: &str) -> Ran {
    run(assay().arg("crossover").args(arguments.split(' ')).args(SHORT.split(' ')))
}

#[track_caller]
fn json(arguments: &str) -> Value {
    let ran = crossover(&format!("{arguments} --format json"));
    assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} in {value}"))
}

fn number(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn borders_lie_between_points_that_were_measured_and_the_dispatcher_holds_them_all() {
    let found = json("hor bndm bf --range alphabet=2,16 --plen 2,8,32 --budget 1h");
    assert_eq!((&found["algorithms"], &found["end"]), (&json!(["hor", "bndm", "bf"]), &json!("complete")));
    let points = list(&found, "points");
    for length in [2, 8, 32] {
        for letters in [2, 16] {
            let is_there = |point: &Value| point["pattern_length"] == length && point["alphabet"] == letters;
            assert!(points.iter().any(is_there), "m={length}, {letters} letters");
        }
    }
    for point in points {
        assert!(number(point, "text_bytes") == 256 << 10 && !list(point, "leaders").is_empty(), "{point}");
        assert_eq!(list(point, "standings").len(), 3, "{point}");
    }
    let lines = list(&found, "lines");
    let along = |axis: &str| lines.iter().filter(|line| line["along"] == axis).count();
    assert_eq!((lines.len(), along("pattern_length"), along("alphabet")), (5, 2, 3));
    for line in lines {
        let mut last = 0;
        for region in list(line, "regions") {
            assert!(
                last < number(region, "from") && number(region, "from") <= number(region, "to"),
                "{line}"
            );
            last = number(region, "to");
        }
        for border in list(line, "borders") {
            assert!(number(border, "low") < number(border, "high"), "{line}");
            assert!(list(border, "from").iter().all(|id| !list(border, "to").contains(id)), "{line}");
        }
    }
    let dispatcher = &found["dispatcher"];
    for point in points {
        let holds = |cell: &&Value| {
            let is_within = |name: &str| {
                let ends: Vec<u64> =
                    list(cell, name).iter().map(|end| end.as_u64().expect("a number")).collect();
                (ends[0]..=ends[1]).contains(&number(point, name))
            };
            is_within("alphabet") && is_within("pattern_length")
        };
        assert_eq!(list(dispatcher, "cells").iter().filter(holds).count(), 1, "{point}");
    }
    assert_eq!(number(&dispatcher["regret"], "points"), points.len() as u64);
    let always = list(dispatcher, "always").iter().map(|always| always["regret"]["greatest"].as_f64());
    assert!(always.flatten().all(|greatest| greatest >= 0.0), "{dispatcher}");
}

#[test]
fn a_budget_of_points_is_kept_and_the_rest_is_noted() {
    let ran = crossover("hor bndm --plen 2 64 --rand 4 --budget 4");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("Patterns of 2 to 64 bytes. 4 points, 8 patterns each in 2 rounds; seed 1."));
    assert!(ran.stderr.contains("note: the budget was used up, and 2 points were left;"), "{}", ran.stderr);
    let rows = crossover("hor bndm --plen 2 64 --rand 4 --budget 4 --format csv").stdout;
    let (header, rows) = rows.split_once('\n').expect("a header");
    assert_eq!(
        header,
        "along,pattern_length,alphabet,text_bytes,from,to,points,leaders,lead_least,lead_greatest"
    );
    assert!(rows.lines().count() > 0 && rows.lines().all(|row| row.starts_with("pattern_length,,4,262144,")));
}

#[test]
fn the_dispatcher_is_written_as_source() {
    let folder = tempfile::tempdir().unwrap();
    let [rust, c] = ["choose.rs", "choose.h"].map(|name| folder.path().join(name));
    let arguments =
        format!("hor bndm --rand 4 --plen 4,16 --budget 2 --to {} --to {}", rust.display(), c.display());
    let ran = crossover(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("choose.rs is written") && ran.stderr.contains("choose.h is written"));
    for (file, function) in
        [(&rust, "\npub fn choose("), (&c, "\nstatic inline enum assay_algorithm assay_choose(")]
    {
        let source = fs::read_to_string(file).unwrap();
        assert!(source.contains(function) && source.contains("// Regret: "), "{source}");
    }
    fs::write(
        folder.path().join("main.c"),
        "#include \"choose.h\"\nint main(void) { return assay_choose(3, 4) != -1; }\n",
    )
    .unwrap();
    let compiled =
        Command::new("cc").args(["-Wall", "-Werror", "main.c", "-o", "main"]).current_dir(&folder).status();
    assert!(compiled.expect("the tests need a C compiler").success());
    assert!(Command::new(folder.path().join("main")).status().unwrap().success(), "3 was not measured");
    let ran = crossover("hor bndm --rand 4 --plen 4,16 --budget 2 --emit rust");
    assert!(ran.stdout.starts_with("// Which string-search algorithm to take"), "{}", ran.stdout);
}

#[test]
fn wrong_usage_is_refused_in_a_sentence() {
    for (arguments, reason) in [
        ("hor", "a border takes two algorithms, and there is `hor` alone"),
        ("hor horr", "unknown algorithm `horr`"),
        ("hor bndm --pattern abc", "pattern lengths vary here"),
        ("hor bndm --budget 0", "a time or a number of points from 1 on is expected"),
        ("hor bndm --range threads=1,2", "there are no borders along numbers of threads"),
        ("hor bndm --data abcabc --range alphabet=2,4", "needs a text that is generated"),
        ("hor bndm --to choose.txt", "ends in none of .rs, .c and .h"),
        ("hor bndm --emit rust --format json", "cannot be used with"),
    ] {
        let ran = crossover(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{arguments}: {}", ran.stderr);
    }
    let ran = run(assay().args("crossover hor bndm --range text-size=4KiB,8KiB --emit c".split(' ')));
    assert!(
        ran.code == Some(2) && ran.stderr.contains("a dispatcher does not know the size"),
        "{}",
        ran.stderr
    );
}

/// A folder with an algorithm in SMART's form that makes the file `mark` and searches forever in a text with the
/// letter 3, which is one of four letters, and none of two.
fn hanging(folder: &Path, mark: &Path) {
    let source = format!(
        "void *fopen(const char *, const char *);
         int fclose(void *);
         int internal_search(unsigned char *p, int m, unsigned char *t, int n, double *pre, double *run) {{
             int found = 0;
             if (n == 262144) {{
                 int last = 0;
                 for (int i = 0; i < n; i++) last |= t[i] == 3;
                 if (last) {{ fclose(fopen(\"{}\", \"w\")); for (;;) ((volatile int *)&found)[0]++; }}
             }}
             for (int s = 0; s + m <= n; s++) {{
                 int i = 0;
                 while (i < m && p[i] == t[s + i]) i++;
                 found += i == m;
             }}
             *pre = *run = 1;
             return found;
         }}",
        mark.display()
    );
    let library = c_library(folder, "hanging", &source, &["-O1", "-w", "-falign-functions=64"]);
    fs::rename(library, folder.join("hanging.so")).unwrap();
}

#[test]
fn ctrl_c_shows_what_was_measured_before() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    hanging(folder.path(), &mark);
    let mut command = assay();
    command
        .args("crossover hor hanging --range alphabet=2,4 --plen 4,8 --budget 1h --format json".split(' '));
    command
        .args(SHORT.split(' '))
        .args(["--time-limit", "600000", "--no-sandbox", "--plugin-dir"])
        .arg(folder.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_that(|| mark.exists().then_some(()));
    signal("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["end"], list(&found, "points").len()), (&json!("interrupted"), 2));
    assert!(list(&found, "points").iter().all(|point| point["alphabet"] == 2), "{found}");
}

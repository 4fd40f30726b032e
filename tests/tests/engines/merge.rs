//! `assay merge --engine duckdb`. Where DuckDB is not installed, a script that sorts takes its place.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assay_tests::engines::{duckdb, path_with};
use assay_tests::processes::{MARK, await_that, marked, signal};
use assay_tests::{Ran, assay, run, skip};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

/// A script that does what assay asks of DuckDB, with `sort`.
const SORTS: &str = r#"sort -t "$(printf '\t')" -k1,1g -k2,2n "rows-$n" | cut -f1,3 >"sorted-$n""#;
/// What a merge on disk says instead of its correlations.
const UNEXAMINED: &str = "note: correlations and distributions are not examined";

/// A folder with a program `duckdb` that does this in the folder of its files; `$n` is the number of the
/// file.
fn pretended(deed: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("duckdb");
    let number = r#"n=$(printf %s "$*" | sed -n "s/.*read_csv('rows-\([0-9]*\)'.*/\1/p")"#;
    let script = format!("#!/bin/sh\n[ \"$1\" = --version ] && exit\n{number}\n{deed}\n");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// The command `assay merge` in a folder, with the program `duckdb` of another folder.
fn merging(folder: &Path, engine: &Path, arguments: &[&str]) -> Command {
    let mut command = assay();
    command.current_dir(folder).env("PATH", path_with(engine)).arg("merge").args(arguments);
    command
}

fn merge(folder: &Path, engine: &Path, arguments: &[&str]) -> Ran {
    run(&mut merging(folder, engine, arguments))
}

/// Checks that a merge on disk is refused with these words, and leaves nothing.
#[track_caller]
fn refuse(folder: &TempDir, engine: &Path, arguments: &[&str], words: &str) {
    let before = entries(folder.path());
    let engine_too = [arguments, &["--engine", "duckdb"]].concat();
    let ran = merge(folder.path(), engine, &engine_too);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains(words) && ran.stderr.contains("\n  help: "), "{}", ran.stderr);
    assert_eq!(entries(folder.path()), before, "nothing is left");
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// The lines of standard error that a merge on disk has, too.
fn said(ran: &Ran) -> Vec<&str> {
    let examined =
        ["note: correlations of ", "warning: correlations of ", UNEXAMINED, "warning: distributions differ"];
    let inferred = |line: &str| line.contains("measured together");
    ran.stderr
        .lines()
        .filter(|line| !examined.iter().any(|start| line.starts_with(start)) && !inferred(line))
        .collect()
}

/// A cell of any kind: counts with many ties, large and small numbers, zeros of both signs, and missing ones.
fn cell(rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..40) {
        0 => ["", "NA", " nan "][rng.random_range(0..3)].to_owned(),
        1 => ["0", "-0", "-0.0", "007", "+3", "\"12\""][rng.random_range(0..6)].to_owned(),
        2..9 => format!("{}", rng.random_range(-1.0..1.0) * 10f64.powi(rng.random_range(-140..140))),
        9..15 => format!("{:e}", rng.random_range(0.0..1.0)),
        15..25 => rng.random_range(0..10).to_string(),
        _ => {
            let bits = rng.random_range(1..64);
            rng.random_range(0..u64::MAX >> bits).to_string()
        }
    }
}

/// A table of this many columns with these titles.
fn table(rng: &mut ChaCha8Rng, titles: &[&str], rows: usize) -> String {
    let mut table = titles.join(",") + "\n";
    for _ in 0..rows {
        let cells: Vec<String> = titles.iter().map(|_| cell(rng)).collect();
        table += &(cells.join(",") + "\n");
    }
    table
}

/// Folders with a program `duckdb`: the script, and the real one if it is there.
fn engines(script: &TempDir) -> Vec<&Path> {
    [Some(script.path()), duckdb()].into_iter().flatten().collect()
}

#[test]
fn a_merge_on_disk_gives_the_bytes_and_notes_of_one_in_memory() {
    let script = pretended(SORTS);
    let titles = [
        "it's cycles",
        "\"lo\"\"ads, x\"",
        "größe",
        "a;DROP TABLE b",
        "b c",
        "\u{1f41a}",
        "{x}",
        "it's cycles",
    ];
    for engine in engines(&script) {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (round, rows) in [(30, 17), (2, 40), (3000, 1)].into_iter().enumerate() {
            let raw = ["X1", "X2", "X3", "X1.1", "X2.1", "X4", "X1.2"];
            let files = folder(&[
                ("one, 'ä\".csv", &table(&mut rng, &titles[..4], rows.0)),
                (
                    "two.csv",
                    &table(&mut rng, &[titles[0], titles[2], titles[4], titles[5]], rows.0 + round % 2),
                ),
                ("three.csv", &table(&mut rng, &titles[6..], 20 + rows.1)),
                ("raw.csv", &table(&mut rng, &raw, 40 + rows.0)),
                ("codes.csv", "code,name\n1,the clock\n4,\"a \"\"b\"\"\"\n"),
            ]);
            let number = rows.1.to_string();
            let apart = ["hrm", "one, 'ä\".csv", "two.csv", "three.csv", "--anchor", titles[0]];
            let wide = ["hrm", "raw.csv", "--counters", "3", "--names", "codes.csv", "--anchor", "1"];
            let some = [
                "hrm",
                "one, 'ä\".csv",
                "two.csv",
                "--columns",
                "größe,b c,it's cycles",
                "--where",
                "größe=7",
            ];
            for arguments in [
                &apart[..],
                &[&apart[..], &["--rows", &number]].concat(),
                &[&apart[..4], &["--option", "anchor=it's cycles"]].concat(),
                &wide[..],
                &[&wide[..], &["--rows", "7"]].concat(),
                &["hrm", "raw.csv", "one, 'ä\".csv", "--counters", "1", "--anchor", "X1"],
                &some[..],
            ] {
                let merged = |name: &str, more: &[&str]| {
                    let ran = merge(files.path(), engine, &[arguments, &["--out", name], more].concat());
                    (ran, fs::read(files.path().join(name)).unwrap_or_default())
                };
                let (memory, expected) = merged("memory.csv", &[]);
                let (disk, found) = merged("disk.csv", &["--engine", "duckdb", "--memory-limit", "256MiB"]);
                assert_eq!(disk.code, memory.code, "{arguments:?}: {} {}", memory.stderr, disk.stderr);
                if memory.code == Some(0) {
                    assert!(disk.stderr.contains(UNEXAMINED), "{}", disk.stderr);
                    assert_eq!(said(&disk), said(&memory));
                }
                assert!(found == expected, "{arguments:?}: the tables differ");
                assert_eq!(entries(files.path()).iter().filter(|entry| entry.is_dir()).count(), 0);
                for name in ["memory.csv", "disk.csv"] {
                    let _ = fs::remove_file(files.path().join(name));
                }
            }
        }
    }
}

#[test]
fn bad_cells_are_refused_as_in_memory() {
    let script = pretended(SORTS);
    let good = "a,b\n1,2\n2,3\n";
    for bad in [
        "a,b\n1,x\n2,3\n",
        "a,b\n1,2\n2,inf\n",
        "a,b\n1,2\n2,1e200\n",
        "a,b\n1,2\n2\n",
        "a,b\n1,\n2,NA\n",
        "a,b\n1,2\n",
        "a,b\n",
        "",
        "a,b\r1,2\r",
        "a,\n1,2\n2,3\n",
        "a,a\n1,2\n2,3\n",
        "c,d\n1,2\n2,3\n",
    ] {
        let files = folder(&[("good.csv", good), ("bad.csv", bad)]);
        let arguments = ["hrm", "good.csv", "bad.csv", "--anchor", "a", "--out", "merged.csv"];
        let memory = merge(files.path(), script.path(), &arguments);
        let disk = merge(files.path(), script.path(), &[&arguments[..], &["--engine", "duckdb"]].concat());
        assert_eq!((memory.code, disk.code), (Some(2), Some(2)), "{bad:?}");
        if !bad.starts_with('c') {
            assert_eq!(disk.stderr, memory.stderr);
        }
        assert_eq!(entries(files.path()).len(), 2, "nothing is left");
    }
}

#[test]
fn what_a_merge_on_disk_cannot_do_is_refused() {
    let script = pretended(SORTS);
    let files = folder(&[("a.csv", "x,y\n1,2\n2,3\n"), ("b.csv", "x,y\n1,2\n2,3\n"), ("c.csv", "z\n1\n2\n")]);
    let refused = |words: &str, message: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        refuse(&files, script.path(), &words, message);
    };
    refused("much a.csv b.csv --out m.csv", "the merger much needs all tables in memory");
    refused("hrm a.csv b.csv", "--out <FILE>");
    refused("hrm a.csv b.csv --out m.json", "--engine writes CSV, not json");
    refused("hrm a.csv b.csv --anchor x --out m.csv --compat", "--compat needs the whole table in memory");
    refused("hrm a.csv b.csv --anchor x --out m.csv --check", "--check needs the whole table in memory");
    refused("hrm a.csv b.csv --anchor x --out m.csv --picture p.svg", "--picture needs the whole table");
    refused("hrm a.csv b.csv --anchor x --out m.csv --seed 3", "unknown option of merger hrm: `seed`");
    refused("hrm a.csv b.csv --out m.csv", "several events are in every block (x, y ..)");
    refused("hrm a.csv c.csv --out m.csv", "no event is in every block");
    refused("hrm a.csv c.csv --anchor x --out m.csv", "block 2 (c.csv) does not hold the anchor x");
    refused("hrm a.csv b.csv --anchor x --out m.csv --option rows=none", "`none` is no number of rows");
    refused("hrm a.csv - --anchor x --out m.csv", "`-` is no file, and can't be read twice");
    refused("hrm a.csv b.csv --anchor x --out a.csv", "`a.csv` is read and would be overwritten");
    refused("hrm a.csv b.csv --anchor x --out /dev/null", "name a folder for them with --temp");
    refused("hrm a.csv b.csv --anchor x --out m.csv --temp none", "can't write to `none`");
    refused("hrm a.csv b.csv --anchor x --out m.csv --memory-limit 100MiB", "100 MiB are too few for duckdb");
    refused(
        "hrm a.csv b.csv --anchor y --out m.csv --counters 3",
        "a.csv has 2 columns, fewer than --counters 3",
    );
    let ran = merge(files.path(), script.path(), &["hrm", "a.csv", "b.csv", "--temp", ".", "--out", "m.csv"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--engine <PROGRAM>"), "{}", ran.stderr);
    let constant = folder(&[("a.csv", "x,y\n1,2\n1,3\n"), ("b.csv", "x\n1\n2\n")]);
    let strict = ["hrm", "a.csv", "b.csv", "--anchor", "x", "--out", "m.csv", "--strict"];
    refuse(&constant, script.path(), &strict, "the anchor x never changes in block 1 (a.csv)");
}

/// Two tables that can be merged, and the words to merge them.
fn mergeable() -> (TempDir, [&'static str; 5]) {
    let files = folder(&[("a.csv", "x,y\n1,2\n2,3\n"), ("b.csv", "x,z\n1,2\n2,3\n"), ("m.csv", "old")]);
    (files, ["hrm", "a.csv", "b.csv", "--out", "m.csv"])
}

#[test]
fn an_engine_that_is_missing_or_fails_is_named_and_the_old_result_stays() {
    let (files, arguments) = mergeable();
    let empty = tempfile::tempdir().unwrap();
    let mut command = merging(files.path(), empty.path(), &arguments);
    let ran = run(command.args(["--engine", "duckdb"]).env("PATH", empty.path()));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("error: there is no program `duckdb` in the folders of PATH"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("pip install duckdb-cli"), "{}", ran.stderr);
    for (deed, words) in [
        (
            "echo 'IO Error: No space left on device' >&2; exit 1",
            "IO Error: No space left on device\n  help: if the disk",
        ),
        ("kill -9 $$", "signal: 9 (SIGKILL)"),
        ("exit 0", "can't read `"),
        ("cut -f1,3 rows-$n | tac >sorted-$n", "the order is wrong in what the engine has sorted"),
        ("cut -f1,3 rows-$n | head -n 1 >sorted-$n", "rows are missing in what the engine has sorted"),
        ("echo x >sorted-$n", "a line has no tab in what the engine has sorted"),
        ("printf 'x\\t,1\\n' >sorted-$n", "an anchor is no number in what the engine has sorted"),
    ] {
        refuse(&files, pretended(deed).path(), &arguments, words);
        assert_eq!(fs::read_to_string(files.path().join("m.csv")).unwrap(), "old");
    }
    let broken = pretended("");
    fs::write(broken.path().join("duckdb"), "#!/bin/sh\necho no such library >&2\nexit 1\n").unwrap();
    refuse(&files, broken.path(), &arguments, "--version` failed: no such library");
}

#[test]
fn an_interrupt_ends_the_engine_and_removes_its_files() {
    let (files, arguments) = mergeable();
    let temporary = tempfile::tempdir().unwrap();
    // As the script that pip installs does, it has another process work for it.
    let script = pretended("sleep 600 & touch begun; wait");
    for name in ["INT", "TERM"] {
        let mark = format!("merge on disk {name} {}", std::process::id());
        let mut command = merging(files.path(), script.path(), &arguments);
        command.args(["--engine", "duckdb", "--temp"]).arg(temporary.path()).env(MARK, &mark);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        await_that(|| entries(temporary.path()).first()?.join("begun").exists().then_some(()));
        signal(name, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(entries(temporary.path()).is_empty(), "temporary files are removed");
        await_that(|| marked(&mark).is_empty().then_some(()));
        assert_eq!(entries(files.path()).len(), 3);
        assert_eq!(fs::read_to_string(files.path().join("m.csv")).unwrap(), "old");
    }
}

#[test]
fn a_full_disk_is_named_with_what_to_do() {
    let Some(duckdb) = duckdb() else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let files = folder(&[("a.csv", &table(&mut rng, &["x", "y", "z"], 20_000))]);
    let small = tempfile::tempdir().unwrap();
    for kib in ["100", "1000"] {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "tmpfs"]).arg(small.path());
        if !mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
            skip("no small file system can be mounted here");
            return;
        }
        let place = small.path().to_str().unwrap();
        let arguments = [
            "hrm",
            "a.csv",
            "--counters",
            "3",
            "--anchor",
            "x",
            "--out",
            "m.csv",
            "--engine",
            "duckdb",
            "--temp",
            place,
        ];
        let ran = merge(files.path(), duckdb, &arguments);
        let left = entries(small.path());
        assert!(Command::new("umount").arg(small.path()).status().unwrap().success());
        assert_eq!(ran.code, Some(2), "{kib} KiB: {}", ran.stderr);
        assert!(ran.stderr.contains("No space left on device"), "{kib} KiB: {}", ran.stderr);
        assert!(ran.stderr.contains("help: ") && ran.stderr.contains("free some space"), "{}", ran.stderr);
        assert!(left.is_empty() && entries(files.path()).len() == 1, "nothing is left");
    }
}

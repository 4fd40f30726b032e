//! `assay run`: what people type, what they get, and what is left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assay_tests::processes::{await_that, once_it_measures, signal};
use assay_tests::{Ran, assay, run, shared, skip};
use serde_json::Value;

const TEXT: &str = "abracadabra, abracadabra; the pattern occurs here and there, abracadabra.";

/// `assay run` with words.
fn runs(words: &str) -> Command {
    let mut command = assay();
    command.arg("run").args(words.split_whitespace());
    command
}

/// The JSON of a run that ends well.
fn json(command: &mut Command) -> Value {
    let ran = run(command.args(["--format", "json", "--no-save"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON alone on standard output")
}

/// What ends with exit status 2 and one message.
#[track_caller]
fn refused(command: &mut Command, message: &str) {
    let Ran { code, stdout, stderr } = run(command);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.contains(message), "expected: {message}\ngot: {stderr}");
    assert!(stderr.starts_with("error: ") && !stderr.contains("panicked"), "{stderr}");
}

#[test]
fn instrumented_counts_are_those_of_smart() {
    let Some(reference) = shared("reference/smart_counts_bf_hor.csv") else { return };
    let Some(data) = shared("data") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for row in csv::Reader::from_path(reference).unwrap().into_deserialize() {
        let row: std::collections::HashMap<String, String> = row.unwrap();
        if row["text_kind"] != "file" {
            continue;
        }
        let (offset, length): (usize, usize) =
            (row["text_offset"].parse().unwrap(), row["text_length"].parse().unwrap());
        let text = fs::read(data.join(&row["text_spec"])).unwrap();
        let file = folder.path().join("text");
        fs::write(&file, &text[offset..offset + length]).unwrap();
        let mut command =
            runs(&format!("{} -stats algo --runs 2 --pattern-hex {}", row["algo"], row["pattern_hex"]));
        let json = json(command.arg("--text").arg(&file));
        let result = &json["results"][0];
        assert_eq!(result["occurrences"].as_u64().unwrap(), 2 * row["count"].parse::<u64>().unwrap());
        // Writes follow a rule of ours: `counts.rs` holds by how much they differ.
        let fields = "memory_used text_bytes_read pattern_bytes_read branches jumps lookups verifications computations";
        for field in fields.split(' ').chain(["lookup_entries", "lookup_entries2"]) {
            let theirs = match field {
                "memory_used" | "text_bytes_read" | "pattern_bytes_read" => field.to_owned(),
                "lookup_entries" => "num_lookup_entries1".to_owned(),
                "lookup_entries2" => "num_lookup_entries2".to_owned(),
                _ => format!("num_{field}"),
            };
            for statistic in ["min", "med", "max"] {
                let ours = &result["stats"][field][statistic];
                assert_eq!(ours.as_f64(), row[&theirs].parse().ok(), "{field} {statistic} of {row:?}");
            }
        }
        let read = result["stats"]["text_bytes_read"]["med"].as_f64().unwrap();
        assert_eq!(result["stats"]["text_read_percent"]["med"].as_f64(), Some(100.0 * read / length as f64));
        if row["extra_names"].starts_with("#small;") {
            assert_eq!(result["extra"]["#small"]["med"].as_f64(), row["extra0"].parse().ok());
        }
        compared += 1;
    }
    assert!(compared >= 6);
}

#[test]
fn smart_users_type_what_they_always_typed() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts/englishTexts");
    fs::create_dir_all(&texts).unwrap();
    fs::write(texts.join("book.txt"), TEXT.repeat(20)).unwrap();
    let mut command = runs("bf BM hor -text englishTexts -stats algo -runs 5 -rs 3 -plen 2 8 -inc +3 -ns");
    let ran = run(command.env("ASSAY_DATA_PATH", folder.path().join("texts")).current_dir(folder.path()));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for expected in ["bf", "bm", "hor", "text read percent", "average jump", "#small"] {
        assert!(ran.stdout.contains(expected), "{expected} in\n{}", ran.stdout);
    }
    assert!(!folder.path().join("results").exists(), "-ns keeps nothing");
}

#[test]
fn the_same_seed_gives_the_same_patterns_to_all_algorithms() {
    let occurrences = |seed: &str| {
        let mut command = runs("bf kmp so --rand 3 --text-size 4KiB --plen 2 4 --runs 20 --seed");
        let json = json(command.arg(seed));
        let results = json["results"].as_array().unwrap().clone();
        let counts: Vec<u64> = results.iter().map(|cell| cell["occurrences"].as_u64().unwrap()).collect();
        for same_length in counts.chunks(3) {
            assert!(same_length.iter().all(|count| *count == same_length[0]), "{counts:?}");
        }
        counts
    };
    assert_eq!(occurrences("5"), occurrences("5"));
    assert_ne!(occurrences("5"), occurrences("6"));
}

#[test]
fn the_json_is_that_of_the_contract() {
    let json =
        json(runs("hor --runs 7 --plen 4 --counters clock:ns,perf:page-faults").args(["--data", TEXT]));
    assert_eq!(json["schema"], 1);
    let experiment = &json["experiment"];
    assert_eq!(experiment["text"]["bytes"], TEXT.len());
    assert!(experiment["seed"].is_u64() && experiment["machine"]["cpus"].as_u64() > Some(0));
    assert_eq!(experiment["stats"], "perf");
    let cell = &json["results"][0];
    assert_eq!(
        (&cell["algorithm"], &cell["status"], &cell["repetitions"]),
        (&"hor".into(), &"ok".into(), &7.into())
    );
    for phase in ["prepare_ns", "search_ns", "total_ns"] {
        let [min, med, avg, max] =
            ["min", "med", "avg", "max"].map(|name| cell[phase][name].as_f64().unwrap());
        assert!(0.0 < min && min <= med && med <= max && min <= avg && avg <= max, "{cell:#}");
    }
    let [counted, timed] =
        [&cell["counters"]["clock:ns"]["min"], &cell["search_ns"]["min"]].map(|ns| ns.as_f64());
    assert!(counted >= timed, "the counter is read outside the clock: {cell:#}");
    assert!(cell.get("stats").is_none());
}

#[test]
fn a_saved_run_can_be_repeated_from_its_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = runs("hor bm --runs 6 --plen 2 4 --text-size 2KiB --seed 11 --out here");
    let first = run(command.current_dir(folder.path()));
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let saved = only_entry(&folder.path().join("here"));
    let names = [
        "blocks.csv",
        "experiment.toml",
        "measurements.csv",
        "patterns.csv",
        "report.html",
        "report.json",
        "statistics.csv",
    ];
    let mut found: Vec<String> = fs::read_dir(&saved)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, names);
    let rows = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
    assert_eq!(rows(&saved.join("measurements.csv")), 1 + 2 * 2 * 6);
    assert_eq!(rows(&saved.join("patterns.csv")), 1 + 2 * 6);

    let again = run(runs("--out there").arg(saved.join("experiment.toml")).current_dir(folder.path()));
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let patterns = |saved: &Path| fs::read_to_string(saved.join("patterns.csv")).unwrap();
    assert_eq!(patterns(&saved), patterns(&only_entry(&folder.path().join("there"))));
}

#[test]
fn the_bytes_of_a_pattern_are_where_the_book_says() {
    let folder = tempfile::tempdir().unwrap();
    let (text, out) = ("abracadabra", folder.path().join("drawn"));
    assert_eq!(run(runs("hor --runs 20 --plen 3 --data").arg(text).arg("--out").arg(&out)).code, Some(0));
    let rows = |out: &Path| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_path(only_entry(out).join("patterns.csv")).unwrap();
        let header: Vec<&str> = reader.headers().unwrap().iter().skip(2).collect();
        assert_eq!(header, ["position", "occurrences", "pattern_hex"]);
        reader.deserialize().map(Result::unwrap).collect()
    };
    for row in rows(&out) {
        let position: usize = row[2].parse().unwrap();
        let pattern = &text[position..][..3];
        let occurrences = (0..=text.len() - 3).filter(|&at| text[at..].starts_with(pattern)).count();
        assert_eq!((&row[3], row[4].as_str()), (&occurrences.to_string(), ""), "{pattern}");
    }
    let out = folder.path().join("given");
    assert_eq!(run(runs("hor --runs 2 --pattern bra --data").arg(text).arg("--out").arg(&out)).code, Some(0));
    assert_eq!(rows(&out), [["3", "0", "", "2", "627261"], ["3", "1", "", "2", "627261"]]);
}

#[test]
fn a_dry_run_measures_nothing_and_prints_what_would_be_measured() {
    let folder = tempfile::tempdir().unwrap();
    let dry = run(runs("hor --runs 9 --seed 4 --dry-run").current_dir(folder.path()));
    assert_eq!((dry.code, dry.stderr.as_str()), (Some(0), ""));
    assert!(!folder.path().join("results").exists());
    let file = folder.path().join("e.toml");
    fs::write(&file, &dry.stdout).unwrap();
    assert_eq!(run(runs("--dry-run").arg(&file)).stdout, dry.stdout);
    let changed = run(runs("--runs 3 --dry-run").arg(&file)).stdout;
    assert!(
        changed.contains("runs = 3") && changed.contains("seed = 4"),
        "flags win over the file: {changed}"
    );
}

#[test]
fn an_interrupted_run_keeps_what_it_measured() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = runs("bf --runs 100000 --plen 8 --out here --format json");
    let child = command.current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let partial = once_it_measures(&folder.path().join("here"));
    assert!(partial.to_string_lossy().ends_with(".partial"));
    signal("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let repetitions = json["results"][0]["repetitions"].as_u64().unwrap();
    assert!(0 < repetitions && repetitions < 100_000 && json["experiment"]["interrupted"] == true);
    let saved = only_entry(&folder.path().join("here"));
    let rows = fs::read_to_string(saved.join("measurements.csv")).unwrap().lines().count() as u64;
    assert_eq!(rows, 1 + repetitions);
}

#[test]
fn a_killed_run_leaves_what_explains_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = runs("bf --runs 100000 --plen 8 --seed 5 --out here");
    let mut child = command.current_dir(folder.path()).stdout(Stdio::null()).spawn().unwrap();
    let partial = once_it_measures(&folder.path().join("here"));
    signal("KILL", child.id());
    child.wait().unwrap();
    let repeated = run(runs("--dry-run").arg(partial.join("experiment.toml"))).stdout;
    assert!(repeated.contains("seed = 5") && repeated.contains("\"bf\""), "{repeated}");
    let json: Value = serde_json::from_slice(&fs::read(partial.join("report.json")).unwrap()).unwrap();
    assert_eq!((&json["experiment"]["interrupted"], &json["results"]), (&true.into(), &Value::Array(vec![])));
    assert_eq!(json["experiment"]["libraries"][0]["sha256"].as_str().map(str::len), Some(64));
    assert!(json["experiment"]["machine"]["cpus"].is_u64());
}

#[test]
fn an_interrupt_before_anything_is_measured_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = runs("bf --runs 100000 --plen 4096 --corpus rand2 --text-size 16MiB --out here");
    let child =
        command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let here = folder.path().join("here");
    await_that(|| fs::read_dir(&here).is_ok_and(|entries| entries.count() == 1).then_some(()));
    signal("INT", child.id());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert_eq!(stderr, "warning: interrupted: nothing was measured yet\n");
    assert_eq!((output.stdout.len(), fs::read_dir(&here).unwrap().count()), (0, 0));
}

#[test]
fn a_run_is_saved_whatever_becomes_of_its_output() {
    let folder = tempfile::tempdir().unwrap();
    let (reader, gone) = std::io::pipe().unwrap();
    drop(reader);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    for (name, output, code) in [("gone", Stdio::from(gone), 0), ("full", Stdio::from(full), 2)] {
        let mut command = runs("hor --runs 3 --plen 4 --out");
        let child = command.arg(folder.path().join(name)).stdout(output).stderr(Stdio::piped()).spawn();
        let ended = child.unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{name}: {stderr}");
        assert!(stderr.contains("saved in "), "{name}: {stderr}");
        assert!(only_entry(&folder.path().join(name)).join("report.html").is_file());
    }
}

#[test]
fn in_this_process_it_is_pinned_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = runs("bf --runs 100000 --plen 8 --in-process --pin last --out here");
    let mut child = command.current_dir(folder.path()).stdout(Stdio::null()).spawn().unwrap();
    let partial = once_it_measures(&folder.path().join("here"));
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    assert!(allowed.trim().parse::<usize>().is_ok(), "one CPU alone: {allowed}");
    let json: Value = serde_json::from_slice(&fs::read(partial.join("report.json")).unwrap()).unwrap();
    let cpus = std::thread::available_parallelism().unwrap().get();
    assert_eq!(json["experiment"]["machine"]["cpus"].as_u64(), Some(cpus as u64), "counted before pinning");
}

#[test]
fn an_algorithm_without_an_instrumented_variant_is_named_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let library = assay_tests::fixture("faulty_plugin");
    fs::copy(&library, folder.path().join("libfaulty.so")).unwrap();
    let mut command = runs("right hor --stats algo --runs 2 --plen 4 --no-save");
    let ran = run(command.arg("--plugin-dir").arg(folder.path()));
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.stderr, "warning: skipped, because there is no instrumented twin: right\n");
    assert!(ran.stdout.contains("hor"));
}

#[test]
fn a_counter_that_this_machine_does_not_have_is_reported_once_and_the_run_continues() {
    let ran =
        run(&mut runs("hor --runs 2 --plen 4 --no-save --counters perf:alignment-faults,perf:instructions"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    if ran.stdout.contains("perf:instructions") {
        skip("this machine counts instructions");
        return;
    }
    assert_eq!(ran.stderr.matches("perf:instructions is not counted").count(), 1, "{}", ran.stderr);
}

#[test]
fn bad_input_is_refused_with_one_message() {
    let empty = tempfile::NamedTempFile::new().unwrap();
    let malformed = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    fs::write(malformed.path(), "runs = \"many\"").unwrap();
    refused(&mut runs("hor --text no-such-text"), "there is no text `no-such-text`");
    refused(runs("hor --text").arg(empty.path()), "the text is empty");
    refused(&mut runs("hor --data abc --plen 4"), "a pattern of 4 bytes is longer than the text of 3 bytes");
    refused(
        &mut runs("hor --data abc --pattern abcd"),
        "a pattern of 4 bytes is longer than the text of 3 bytes",
    );
    refused(&mut runs("hor --runs 0"), "the number of runs must be at least 1");
    refused(&mut runs("hor --runs 18446744073709551615"), "more than 1000000000 measurements");
    refused(&mut runs("hor --plen 1 99999999 --increment +1"), "more than 10000 pattern lengths");
    refused(&mut runs("hor --rand 4 --text-size 130000GiB"), "there is no memory for a text");
    refused(&mut runs("hor --fill-buffer --text-size 130000GiB"), "there is no memory for a text");
    refused(&mut runs("hor --rand 4 --text-size 8000000GiB"), "is more than any process can hold");
    refused(&mut runs("hor --time-limit 0"), "the time limit must be at least 1 ms");
    refused(&mut runs("hor --plen 0"), "a pattern has 1 byte or more");
    refused(&mut runs("hor --pattern-hex 6"), "`6` is not a pattern in hexadecimal");
    refused(&mut runs("horr"), "unknown algorithm `horr`\n  help: did you mean hor");
    refused(&mut runs("h(r"), "`h(r` is neither an id nor a regular expression");
    refused(&mut runs(""), "no algorithm is named");
    refused(&mut runs("hor --counters perff:x"), "unknown counter backend `perff`");
    refused(&mut runs("hor --counters clock:nss"), "`nss`");
    refused(&mut runs("hor --counters clock:ns,clock:a/b=1,c=2/u"), "unknown event of clock `a/b=1,c=2/u`");
    refused(&mut runs("hor --stats algo --counters clock"), "count the instrumentation");
    refused(&mut runs("hor --corpus rand1"), "rand1");
    refused(&mut runs("hor --pin 999"), "CPU 999");
    refused(runs("").arg(malformed.path()), ".toml:1:");
    fs::write(malformed.path(), "algorithms = [\"hor\"]\npatterns = { lengths = [8, 8] }").unwrap();
    refused(runs("").arg(malformed.path()), "the pattern length 8 is given twice");
    refused(&mut runs("missing.toml"), "can't read `missing.toml`");
}

#[test]
fn a_text_without_end_is_read_as_far_as_it_is_needed() {
    let json = json(&mut runs("hor --runs 2 --plen 4 --text /dev/zero --text-size 64KiB"));
    let text = &json["experiment"]["text"];
    assert_eq!((&text["bytes"], &text["alphabet"]), (&65536.into(), &1.into()));
    let zeros = "de2f256064a0af797747c2b97505dc0b9f3df0de4f489eac731c23ae9ca9cc31";
    assert_eq!(text["sha256"], zeros);
}

#[test]
fn a_folder_that_cannot_be_written_is_found_before_anything_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    refused(runs("hor --runs 2 --out").arg(file.join("below")), "can't make the folder");
}

/// Runs on a file system of this number of bytes, and then looks at it. None, with the reason printed, where there
/// can be none.
fn on_a_disk_of<T>(bytes: usize, words: &str, look: impl FnOnce(&Ran, &Path) -> T) -> Option<T> {
    let folder = tempfile::tempdir().unwrap();
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"]).arg(folder.path());
    if !mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        skip("no small file system can be mounted here");
        return None;
    }
    let ran = run(runs(words).arg("--out").arg(folder.path()));
    let looked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| look(&ran, folder.path())));
    assert!(Command::new("umount").arg(folder.path()).status().unwrap().success());
    Some(looked.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

/// What `report` finds of a run that has no name yet, and what it says besides.
fn reported(out: &Path) -> (usize, String) {
    let name = only_entry(out).file_name().unwrap().to_str().unwrap().to_owned();
    let id =
        name.strip_prefix('.').and_then(|name| name.strip_suffix(".partial")).expect("it is not complete");
    let report = ["report", id, "--metric", "search_ns", "--stat", "all", "--format", "csv", "--out"];
    let ran = run(assay().args(report).arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (ran.stdout.lines().count() - 1, ran.stderr)
}

#[test]
fn a_full_disk_ends_a_run_and_what_was_measured_is_kept() {
    on_a_disk_of(64 << 10, "hor --runs 4000 --plen 4 --format json", |ran, out| {
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        let json: Value = serde_json::from_str(&ran.stdout).expect("figures are printed all the same");
        let kept = only_entry(out);
        let told = format!("what was measured is kept in `{}`", kept.display());
        for words in ["measurements.csv", "No space left", &told] {
            assert!(ran.stderr.contains(words), "{}", ran.stderr);
        }
        let measured = json["results"][0]["repetitions"].as_u64().unwrap();
        assert!(0 < measured && measured < 4000);
        let (found, said) = reported(out);
        assert_eq!(found as u64, measured, "the figures are those of the rows that are there");
        let begin =
            format!("warning: interrupted: {measured} of 4000 searches were measured; `assay run --resume ");
        assert!(said.starts_with(&begin) && said.lines().count() == 1, "{said}");
        assert!(kept.join("experiment.toml").is_file());
    });
}

#[test]
fn wherever_a_disk_is_full_no_file_is_there_in_part() {
    let (mut nothing, mut kept) = (false, false);
    for pages in 2.. {
        let complete = on_a_disk_of(pages << 12, "hor --runs 100 --plen 4", |ran, out| {
            if ran.code == Some(0) {
                return true;
            }
            assert_eq!(ran.code, Some(2), "{}", ran.stderr);
            if fs::read_dir(out).unwrap().next().is_none() {
                nothing = true;
                return false;
            }
            let (found, said) = reported(out);
            assert!(
                (1..=100).contains(&found) && !said.contains("is left out"),
                "{pages} pages: {found}, {said}"
            );
            let hidden = fs::read_dir(only_entry(out)).unwrap().map(|file| file.unwrap().file_name());
            assert!(hidden.filter(|name| name.to_string_lossy().starts_with('.')).count() == 0);
            kept = true;
            false
        });
        match complete {
            None => return,
            Some(true) => break,
            Some(false) => assert!(pages < 100, "it needs no more room than that"),
        }
    }
    assert!(nothing && kept, "it was full before and while something was measured");
}

fn only_entry(folder: &Path) -> PathBuf {
    let entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.into_iter().next().unwrap()
}

//! `assay run --resume`: runs that were killed or interrupted go on, and damage to what they left is found.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assay_tests::processes::{await_that, once_it_measures, signal};
use assay_tests::{Ran, assay, fixture, only_entry, reliability, run};
use serde_json::Value;

fn command(words: &str, out: &Path) -> Command {
    let mut command = assay();
    command.args(words.split(' ')).arg("--out").arg(out);
    command
}

fn started(words: &str, out: &Path) -> Child {
    command(words, out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn resumed(out: &Path) -> Ran {
    run(&mut command("run --resume last --format csv", out))
}

/// The columns of a run's rows that do not depend on time.
fn counts(folder: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join("measurements.csv")).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let records = reader.records().map(|record| {
        let record = record.unwrap();
        let kept =
            names.iter().zip(&record).filter(|(name, _)| !name.ends_with("_ns") && !name.contains(':'));
        kept.map(|(_, cell)| cell.to_owned()).collect()
    });
    records.collect()
}

fn facts(folder: &Path) -> Value {
    let json = fs::read_to_string(folder.join("report.json")).unwrap();
    serde_json::from_str::<Value>(&json).unwrap()["experiment"].clone()
}

/// Begins a run and kills it when it has measured two blocks. Returns its folder.
fn killed(words: &str, out: &Path) -> PathBuf {
    let mut child = started(words, out);
    let partial = once_it_measures(out);
    // A row counts when its block is complete.
    await_that(|| (fs::read_to_string(partial.join("blocks.csv")).ok()?.lines().count() > 2).then_some(()));
    child.kill().unwrap();
    child.wait().unwrap();
    partial
}

/// The size of what is known of the blocks of the runs in a folder.
fn blocks_in(out: &Path) -> u64 {
    let folders = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
    folders.filter_map(|folder| Some(fs::metadata(folder.join("blocks.csv")).ok()?.len())).sum()
}

#[test]
fn a_run_that_is_killed_at_any_moment_goes_on_and_measures_nothing_twice() {
    let kinds = [
        "run hor bf so --plen 4,16 --rand 4 --text-size 256KiB --runs 600 --seed 7 --order interleaved",
        "run hor bf so --plen 4,16 --rand 4 --text-size 256KiB --runs 600 --seed 7 --order shuffled --searches 2",
        "run hor bf so --plen 4,16 --rand 4 --text-size 256KiB --runs 600 --seed 7 --order sequential --counters tsc",
        "run hor bf so --plen 4,16 --rand 4 --text-size 256KiB --runs 600 --seed 7 --stats algo",
        "run hor bf so --rand 4 --range text-size=64KiB..256KiB --plen 8 --runs 600 --seed 7",
    ];
    // Moments between 0 and 500 ms after the start, or after the first block, the same in each test.
    let mut state = 1_u64;
    let mut moment = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Duration::from_millis((state >> 33) % 500)
    };
    let mut kills = 0;
    for words in kinds {
        let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        // On a busy machine a search may take longer than the usual limit.
        let words = &format!("{words} --time-limit 60000");
        let ran = run(&mut command(words, whole.path()));
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
        let out = parts.path();
        for kill in 0..10 {
            let is_begun =
                || fs::read_dir(out).unwrap().any(|entry| entry.unwrap().path().join("report.json").exists());
            let mut child = started(if is_begun() { "run --resume last" } else { words }, out);
            // On a slow machine, nothing is measured in the first half of a second.
            if kill % 2 == 1 {
                let before = blocks_in(out);
                while child.try_wait().unwrap().is_none() && blocks_in(out) == before {
                    sleep(Duration::from_millis(5));
                }
            }
            sleep(moment());
            let _ = child.kill();
            child.wait().unwrap();
            kills += 1;
        }
        let ran = resumed(out);
        let complete = ran.code == Some(2) && ran.stderr.contains("was interrupted");
        assert!(ran.code == Some(0) || complete, "{words}: {ran:?}");
        // A run that was killed before it had a name leaves a folder without rows.
        let is_complete = |path: &PathBuf| !path.file_name().unwrap().to_str().unwrap().starts_with('.');
        let mut folders = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).filter(is_complete);
        let folder = folders.next().unwrap();
        assert_eq!(folders.next(), None);
        assert!(counts(&folder) == counts(&only_entry(whole.path())), "{words}: other rows");
        let same = |name: &str| {
            fs::read(folder.join(name)).unwrap() == fs::read(only_entry(whole.path()).join(name)).unwrap()
        };
        assert!(same("patterns.csv") && same("experiment.toml"), "{words}");
        let report = run(assay().arg("report").arg(&folder));
        assert_eq!(report.code, Some(0), "{}", report.stderr);
        let parts = facts(&folder)["parts"].as_array().unwrap().len();
        assert_eq!(report.stdout.contains(&format!("Resumed: measured in {parts} parts (")), parts > 1);
    }
    let what = "`kill -9` at a random moment of a run, then `run --resume`: all rows are there once, and equal those \
                of an undisturbed run in everything but times";
    reliability::record(what, kills);
}

#[test]
fn a_run_that_decides_itself_when_to_stop_goes_on_with_what_it_knew() {
    let out = tempfile::tempdir().unwrap();
    let partial = killed(
        "run hor bf --plen 8 --runs 60 --rounds 6 --until 0.01% --most-runs 2000 --seed 1 --rand 4 --text-size 16KiB",
        out.path(),
    );
    let rows = fs::read_to_string(partial.join("measurements.csv")).unwrap().lines().count();
    let ran = resumed(out.path());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let folder = only_entry(out.path());
    let facts = facts(&folder);
    assert_eq!((&facts["parts"][0]["killed"], &facts["parts"][1]["killed"]), (&true.into(), &Value::Null));
    let noise = &facts["noise"];
    assert!(noise["load_before"].is_number(), "it is written before anything is measured");
    assert!(noise["steal_ms"].is_number(), "of both parts: {noise}");
    assert!(noise["shared_cpu"].is_null(), "tests have no folder for the locks of CPUs: {noise}");
    assert!(fs::read_to_string(folder.join("measurements.csv")).unwrap().lines().count() > rows);
    let mut repetitions: Vec<(String, u32)> =
        counts(&folder).iter().map(|row| (row[0].clone(), row[2].parse().unwrap())).collect();
    repetitions.sort_unstable();
    let most = repetitions.iter().map(|(_, repetition)| *repetition).max().unwrap();
    let expected =
        ["bf", "hor"].iter().flat_map(|id| (0..=most).map(|repetition| ((*id).to_owned(), repetition)));
    assert_eq!(repetitions, expected.collect::<Vec<_>>());
}

#[test]
fn a_run_that_was_interrupted_goes_on_and_says_when_its_parts_were_measured() {
    let out = tempfile::tempdir().unwrap();
    let words = "run bf --plen 8 --runs 6000 --seed 1 --text-size 256KiB --rand 4";
    let mut child = started(words, out.path());
    once_it_measures(out.path());
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let folder = only_entry(out.path());
    let report = run(assay().arg("report").arg(&folder));
    let id = folder.file_name().unwrap().to_str().unwrap();
    let hint = format!(
        "of 6000 searches were measured; `assay run --resume {id} --out {}` continues it",
        out.path().display()
    );
    assert!(report.stderr.replace("\n  ", " ").contains(&hint), "{}", report.stderr);
    let ran = run(&mut command(&format!("run --resume {id}"), out.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(only_entry(out.path()), folder);
    let facts = facts(&folder);
    let parts = facts["parts"].as_array().unwrap();
    assert_eq!((parts.len(), facts["interrupted"].as_bool()), (2, Some(false)));
    assert!(parts.iter().all(|part| part["began"].is_string() && part["ended"].is_string()), "{parts:?}");
    let seconds: f64 = parts.iter().map(|part| part["measuring_s"].as_f64().unwrap()).sum();
    assert!((facts["elapsed"]["measuring_s"].as_f64().unwrap() - seconds).abs() < 1e-9);
    assert_eq!(counts(&folder).len(), 6000);
    // What each part of the run measured of a round counts as a round.
    let mut blocks = csv::Reader::from_path(folder.join("blocks.csv")).unwrap();
    let places =
        ["round", "part"].map(|name| blocks.headers().unwrap().iter().position(|other| other == name));
    let rounds: HashSet<_> = blocks
        .records()
        .map(|block| places.map(|place| block.as_ref().unwrap()[place.unwrap()].to_owned()))
        .collect();
    let from_rounds = format!("(from {} rounds)", rounds.len());
    assert!(ran.stdout.replace("\n  ", " ").contains(&from_rounds), "{from_rounds}: {}", ran.stdout);
    let again = run(&mut command(&format!("run --resume {id}"), out.path()));
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("is complete") && again.stderr.contains("`assay run "), "{}", again.stderr);
    let last = resumed(out.path());
    assert!(last.code == Some(2) && last.stderr.contains("was interrupted"), "{}", last.stderr);
}

#[test]
fn a_changed_text_or_library_is_refused_and_forced_parts_are_marked_and_not_paired() {
    let folder = tempfile::tempdir().unwrap();
    let (out, library, text) =
        (folder.path().join("out"), folder.path().join("libfaulty_plugin.so"), folder.path().join("text"));
    fs::copy(fixture("faulty_plugin"), &library).unwrap();
    fs::write(&text, "abcdefgh".repeat(20_000)).unwrap();
    let words = format!(
        "run bf right --plen 8 --runs 2000 --seed 1 --text {} --plugin-dir {}",
        text.display(),
        folder.path().display()
    );
    killed(&words, &out);
    let options = format!("--plugin-dir {}", folder.path().display());
    let resume = |more: &str| run(&mut command(&format!("run --resume last {options}{more}"), &out));
    let other = resume(" --runs 5");
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(other.stderr.contains("and this command changes `runs`"), "{}", other.stderr);
    let whole = fs::read(&text).unwrap();
    fs::write(&text, "abcdefgi".repeat(20_000)).unwrap();
    let changed = resume("");
    assert_eq!(changed.code, Some(2), "{}", changed.stderr);
    assert!(
        changed.stderr.contains("the text: SHA-256 ") && changed.stderr.contains("restore what has changed"),
        "{}",
        changed.stderr
    );
    let forced = resume(" --force");
    assert_eq!(forced.code, Some(2), "{}", forced.stderr);
    assert!(forced.stderr.contains("the text: SHA-256 "), "{}", forced.stderr);
    assert!(forced.stderr.contains("rows of another experiment can't be in one run"), "{}", forced.stderr);
    fs::write(&text, whole).unwrap();
    build_anew(&library);
    assert_eq!(resume("").code, Some(2));
    let forced = resume(" --force");
    assert_eq!(forced.code, Some(0), "{}", forced.stderr);
    let folder = only_entry(&out);
    let differs = &facts(&folder)["parts"][1]["differs"];
    assert!(differs[0].as_str().unwrap_or_default().starts_with("the library `"), "{differs}");
    let report = run(assay().arg("report").arg(&folder));
    let said = report.stdout.replace("\n  ", " ");
    assert!(said.contains("Part 2 differs (the library `"), "{said}");
    assert!(said.contains("medians, ratios and ranks mix it with the others"), "{said}");
    assert_eq!(facts(&folder)["libraries"].as_array().unwrap().len(), 3, "the new library is listed, too");
    let whole = tempfile::tempdir().unwrap();
    assert_eq!(run(&mut command(&words, whole.path())).code, Some(0));
    let compared = run(assay().arg("compare").args([&only_entry(whole.path()), &folder]));
    assert_eq!(compared.code, Some(2), "{}", compared.stdout);
    assert!(compared.stderr.contains("part 2 of the later run"), "{}", compared.stderr);
}

/// Replaces a library by one with another content.
fn build_anew(library: &Path) {
    let mut bytes = fs::read(library).unwrap();
    bytes.extend(b"another build");
    fs::remove_file(library).unwrap();
    fs::write(library, bytes).unwrap();
}

#[test]
fn nothing_is_written_through_a_link_and_no_row_is_dropped_unseen() {
    let out = tempfile::tempdir().unwrap();
    let partial = killed("run bf --plen 8 --runs 100000 --seed 1 --rand 4", out.path());
    let (blocks, kept, key) = (partial.join("blocks.csv"), out.path().join("kept"), out.path().join("key"));
    fs::rename(&blocks, &kept).unwrap();
    let missing = resumed(out.path());
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.contains("blocks.csv` is missing"), "{}", missing.stderr);
    fs::write(&key, "secret").unwrap();
    std::os::unix::fs::symlink(&key, &blocks).unwrap();
    let linked = resumed(out.path());
    assert_eq!(linked.code, Some(2), "{}", linked.stderr);
    assert!(linked.stderr.contains("blocks.csv` is not a regular file"), "{}", linked.stderr);
    assert_eq!(fs::read_to_string(&key).unwrap(), "secret");
}

#[test]
fn rows_of_a_journal_whose_blocks_are_lost_are_measured_again_with_a_note() {
    let out = tempfile::tempdir().unwrap();
    let partial = killed("run bf --plen 8 --runs 1500 --seed 1 --text-size 256KiB --rand 4", out.path());
    fs::write(partial.join("blocks.csv"), "").unwrap();
    let ran = resumed(out.path());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said = ran.stderr.replace("\n  ", " ");
    assert!(said.contains("1 block or more had lost rows, as after a power cut"), "{said}");
    assert_eq!(counts(&only_entry(out.path())).len(), 1500);
}

#[test]
fn a_library_that_was_built_anew_is_named_with_both_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let (out, library) = (folder.path().join("out"), folder.path().join("libfaulty_plugin.so"));
    fs::copy(fixture("faulty_plugin"), &library).unwrap();
    let words = format!("run right --plen 8 --runs 20000 --seed 1 --plugin-dir {}", folder.path().display());
    killed(&words, &out);
    build_anew(&library);
    let ran = run(&mut command(&format!("run --resume last --plugin-dir {}", folder.path().display()), &out));
    assert_eq!(ran.code, Some(2));
    let said = ran.stderr.replace("\n  ", " ");
    assert!(
        said.contains("libfaulty_plugin.so`: SHA-256 ") && said.contains(".. when the run began, SHA-256 "),
        "{said}"
    );
    assert!(said.contains("--force continues it nevertheless"), "{said}");
}

#[test]
fn a_run_is_continued_by_one_process_at_a_time_and_is_listed_as_measuring() {
    let out = tempfile::tempdir().unwrap();
    let mut child = started("run bf --plen 8 --runs 100000 --seed 1 --rand 4", out.path());
    let partial = once_it_measures(out.path());
    let name = partial.file_name().unwrap().to_str().unwrap();
    let id = name.trim_start_matches('.').trim_end_matches(".partial");
    let second = run(&mut command(&format!("run --resume {id}"), out.path()));
    assert_eq!(second.code, Some(2));
    assert!(second.stderr.contains("another process measures into"), "{}", second.stderr);
    let last = resumed(out.path());
    assert!(last.stderr.contains("was interrupted; one is still being measured"), "{}", last.stderr);
    let list = || run(&mut command("results --format csv", out.path())).stdout;
    assert!(list().contains(",measuring,"), "{}", list());
    let report = run(assay().arg("report").arg(&partial));
    assert!(report.stderr.contains("this run is still being measured: "), "{}", report.stderr);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(list().contains(",interrupted,"), "{}", list());
}

#[test]
fn folders_of_runs_that_were_killed_before_their_first_row_are_removed() {
    let out = tempfile::tempdir().unwrap();
    let folder = |id: &str| out.path().join(format!(".{id}.partial"));
    let make = |id: &str, rows: &str, age: u64| {
        fs::create_dir(folder(id)).unwrap();
        fs::write(folder(id).join("measurements.csv"), rows).unwrap();
        let moment = std::time::SystemTime::now() - Duration::from_secs(age);
        fs::File::open(folder(id)).unwrap().set_modified(moment).unwrap();
    };
    make("20260102-030405-0001", "", 3600);
    make("20260102-030405-0002", "algorithm,pattern_length\n", 3600);
    make("20260102-030405-0003", "algorithm,pattern_length\nhor,8\n", 3600);
    make("20260102-030405-0004", "", 0);
    make("mine", "", 3600);
    assert_eq!(run(&mut command("run bf --plen 8 --runs 1 --data abcdefghi", out.path())).code, Some(0));
    let left = [
        "20260102-030405-0001",
        "20260102-030405-0002",
        "20260102-030405-0003",
        "20260102-030405-0004",
        "mine",
    ]
    .map(|id| folder(id).exists());
    assert_eq!(
        left,
        [false, false, true, true, true],
        "one has a row, one may be about to begin, one is no run's"
    );
}

#[test]
fn a_complete_run_whose_damaged_end_was_cut_off_is_completed() {
    let out = tempfile::tempdir().unwrap();
    assert_eq!(run(&mut command("run bf hor --plen 8,16 --runs 60 --seed 1", out.path())).code, Some(0));
    let folder = only_entry(out.path());
    let id = folder.file_name().unwrap().to_str().unwrap();
    let mut before = counts(&folder);
    before.sort_unstable();
    for file in ["measurements.csv", "blocks.csv"].map(|name| folder.join(name)) {
        let text = fs::read(&file).unwrap();
        let mut damaged = text.clone();
        let place = damaged.len() - 40;
        damaged[place] ^= 1;
        fs::write(&file, damaged).unwrap();
        let message = figures(&folder).unwrap_err().replace("\n  ", " ");
        let line: usize =
            message.split_once("cut it after line ").unwrap().1.split(',').next().unwrap().parse().unwrap();
        let kept: usize = text.split_inclusive(|byte| *byte == b'\n').take(line).map(<[u8]>::len).sum();
        fs::write(&file, &text[..kept]).unwrap();
        let cut = figures(&folder).unwrap_err().replace("\n  ", " ");
        assert!(cut.contains("measure the missing rows again with `assay run --resume ID`"), "{cut}");
        let ran = run(&mut command(&format!("run --resume {id}"), out.path()));
        assert_eq!(ran.code, Some(0), "{}: {}", file.display(), ran.stderr);
        let mut after = counts(&folder);
        after.sort_unstable();
        assert_eq!(before, after);
        figures(&folder).unwrap();
    }
}

#[test]
fn a_run_that_only_lacks_its_name_gets_it_and_measures_nothing() {
    let out = tempfile::tempdir().unwrap();
    assert_eq!(run(&mut command("run bf hor --plen 8 --runs 20 --seed 1", out.path())).code, Some(0));
    let folder = only_entry(out.path());
    let names = ["measurements.csv", "blocks.csv", "report.json", "statistics.csv", "report.html"];
    let read = || names.map(|name| fs::read_to_string(folder.join(name)).unwrap());
    let before = read();
    names[3..].iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    fs::rename(&folder, out.path().join(PARTIAL)).unwrap();
    let ran = resumed(out.path());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fs::rename(only_entry(out.path()), &folder).unwrap();
    assert!(read() == before, "{}", ran.stderr);
}

/// The figures of a run as `report` prints them, or the message with which it is refused.
fn figures(folder: &Path) -> Result<String, String> {
    let ran = run(assay().arg("report").arg(folder).args(["--metric", "microseconds", "--format", "csv"]));
    match ran.code {
        Some(0) => Ok(ran.stdout),
        Some(2) => Err(ran.stderr),
        _ => panic!("{ran:?}"),
    }
}

/// Calls `check` with the numbers of a list, in two threads.
fn each_of(numbers: &[usize], check: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            let check = &check;
            scope.spawn(move || numbers.iter().skip(half).step_by(2).for_each(|number| check(*number)));
        }
    });
}

/// A folder with the files of another.
fn copy(folder: &Path, name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let place = copy.path().join(name);
    fs::create_dir(&place).unwrap();
    for file in ["report.json", "measurements.csv", "blocks.csv", "experiment.toml"] {
        fs::copy(folder.join(file), place.join(file)).unwrap();
    }
    copy
}

const PARTIAL: &str = ".20260102-030405-0001.partial";

#[test]
fn a_journal_that_ends_anywhere_in_its_last_block_is_that_of_the_blocks_before() {
    let out = tempfile::tempdir().unwrap();
    let partial =
        killed("run bf hor --plen 8 --runs 4000 --rounds 2000 --seed 1 --text-size 64KiB", out.path());
    let last = |file: &str| {
        let text = fs::read_to_string(partial.join(file)).unwrap();
        let whole = text.rfind('\n').unwrap() + 1;
        (text[..whole - 1].rfind('\n').unwrap() + 1, whole)
    };
    // The last row of blocks.csv says where the lines before its own end.
    let blocks = fs::read_to_string(partial.join("blocks.csv")).unwrap();
    let (last_row, end_of_rows) = last("blocks.csv");
    let ends: Vec<usize> = csv::Reader::from_reader(&blocks.as_bytes()[..end_of_rows])
        .deserialize::<std::collections::HashMap<String, String>>()
        .map(|row| row.unwrap()["end"].parse().unwrap())
        .collect();
    let [before, end] = ends[ends.len() - 2..] else { panic!("{ends:?}") };
    let without = copy(&partial, PARTIAL);
    let cut = |copy: &tempfile::TempDir, file: &str, length: usize| {
        let file = fs::File::options().write(true).open(copy.path().join(PARTIAL).join(file)).unwrap();
        file.set_len(length as u64).unwrap();
    };
    cut(&without, "measurements.csv", before);
    cut(&without, "blocks.csv", last_row);
    let expected = figures(&without.path().join(PARTIAL)).unwrap();
    for (file, places) in [("measurements.csv", before..end), ("blocks.csv", last_row..end_of_rows)] {
        each_of(&places.collect::<Vec<_>>(), |place| {
            let copy = copy(&partial, PARTIAL);
            cut(&copy, file, place);
            assert_eq!(figures(&copy.path().join(PARTIAL)).as_ref(), Ok(&expected), "{file} cut at {place}");
        });
    }
    let what = "the journal of a killed run, cut at a byte of its last block: the report is that of the blocks before";
    reliability::record(what, "each byte");
}

#[test]
fn a_flipped_byte_is_refused_by_its_line_or_changes_no_figure() {
    let out = tempfile::tempdir().unwrap();
    let words = "run bf hor --plen 8,16 --runs 60 --seed 1 --text-size 16KiB --counters tsc";
    assert_eq!(run(&mut command(words, out.path())).code, Some(0));
    let folder = only_entry(out.path());
    let expected = figures(&folder).unwrap();
    let (files, flips) = (["measurements.csv", "blocks.csv", "report.json"], 500);
    let texts = files.map(|file| fs::read(folder.join(file)).unwrap());
    let refused = std::sync::atomic::AtomicUsize::new(0);
    each_of(&(0..flips).collect::<Vec<_>>(), |flip| {
        let (file, text) = (files[flip % 3], &texts[flip % 3]);
        let place = flip.wrapping_mul(2_654_435_761) % text.len();
        let mut bytes = text.clone();
        bytes[place] ^= 1 << (flip % 7);
        let copy = copy(&folder, "copy");
        fs::write(copy.path().join("copy").join(file), bytes).unwrap();
        match figures(&copy.path().join("copy")) {
            Ok(figures) => assert_eq!(figures, expected, "{file}, byte {place}"),
            Err(message) => {
                refused.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let is_named =
                    ["line", "column"].iter().any(|word| message.contains(word)) || file == "report.json";
                assert!(message.contains(file) && is_named, "{file}, byte {place}: {message}");
            }
        }
    });
    println!("{} of {flips} flipped bits were refused", refused.into_inner());
    let what = "a flipped bit in `measurements.csv`, `blocks.csv` or `report.json`: refused with its place, or no \
                figure changes";
    reliability::record(what, flips);
}

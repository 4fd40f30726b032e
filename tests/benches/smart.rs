//! Our algorithms against SMART's compiled ones: the time of a search alone, of a prepared pattern in 1 MiB.
//!
//! `cargo bench -p assay-tests --bench smart -- FOLDER [ID|TEXT ..]` takes every id for which FOLDER has a
//! library `ID.so` (no twin, which counts), or those named; and the first MiB of each text file named, else
//! of the English and the protein text of the reference data, and random texts of four and of two letters.
//! The two take turns on the same pattern in the same memory, and the fraction of their medians is printed:
//! below 1 ours is faster. Each id has a process of its own, since some of SMART's crash.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use assay_load::plugin::{Searcher, TextMemory, load};
use assay_plugin_api::Hints;
use assay_tests::{libraries, shared};

const TEXT: usize = 1 << 20;
const LENGTHS: [usize; 9] = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
const PATTERNS: usize = 15;
const ROUNDS: usize = 7;
/// What SMART's algorithms may touch before the text, and behind it beyond twice the pattern.
const MARGIN: usize = 4096;
/// The word by which a process is told to measure one id.
const ONE: &str = "__one";

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.split_first() {
        Some((one, rest)) if one == ONE => measure_one(rest),
        Some((folder, rest)) => compare(Path::new(folder), rest),
        None => println!(
            "skipped: name a folder of SMART's libraries: cargo bench -p assay-tests --bench smart -- FOLDER"
        ),
    }
    ExitCode::SUCCESS
}

/// Has each id measured by a process, and prints the table.
fn compare(folder: &Path, rest: &[String]) {
    let (texts, ids): (Vec<_>, Vec<_>) = rest.iter().cloned().partition(|word| Path::new(word).is_file());
    let drawn = tempfile::tempdir().expect("there is room for texts");
    let texts = if texts.is_empty() {
        reference_texts().into_iter().chain(drawn_texts(drawn.path())).collect()
    } else {
        texts.into_iter().map(PathBuf::from).collect::<Vec<_>>()
    };
    let ours = ours();
    let ids: Vec<&String> = ours
        .keys()
        .filter(|id| if ids.is_empty() { !id.starts_with("stat_") } else { ids.contains(id) })
        .filter(|id| folder.join(format!("{id}.so")).is_file())
        .collect();
    if ids.is_empty() || texts.is_empty() {
        return println!(
            "skipped: no library of {} has an id of ours, or there is no text",
            folder.display()
        );
    }
    println!("search time of ours / SMART's, {TEXT} bytes; in brackets ours in us");
    let mut all = Vec::new();
    for text in &texts {
        println!("\n{}\n{:<10}{}", text.display(), "id", LENGTHS.map(|m| format!("{m:>14}")).concat());
        for id in &ids {
            let program = std::env::current_exe().expect("a running program has a path");
            let files = [&ours[*id], &folder.join(format!("{id}.so")), text];
            let output = Command::new(program).arg(ONE).arg(id).args(files).stderr(Stdio::inherit()).output();
            let output = output.expect("it can be started again");
            print!("{id:<10}");
            for cell in String::from_utf8_lossy(&output.stdout).lines() {
                match cell.split_once(' ').map(|(ours, theirs)| (ours.parse::<f64>(), theirs.parse::<f64>()))
                {
                    Some((Ok(ours), Ok(theirs))) => {
                        all.push(ours / theirs);
                        print!("{:>14}", format!("{:.2} ({:.0})", ours / theirs, ours / 1e3));
                    }
                    _ => print!("{cell:>14}"),
                }
            }
            println!("{}", if output.status.success() { "" } else { "  crashed" });
        }
    }
    all.sort_by(f64::total_cmp);
    if let Some(worst) = all.last() {
        let slower = all.iter().filter(|ratio| **ratio > 1.03).count();
        println!(
            "\n{} cells: median {:.2}, greatest {worst:.2}, above 1.03: {slower}",
            all.len(),
            all[all.len() / 2]
        );
    }
}

fn reference_texts() -> Vec<PathBuf> {
    ["data/englishTexts/bible.txt", "data/protein/sc.txt"].into_iter().filter_map(shared).collect()
}

/// Random texts of four and of two letters, in a folder; the same every time.
fn drawn_texts(folder: &Path) -> Vec<PathBuf> {
    let mut state = 1_u64;
    let mut text = |letters: &[u8]| {
        let path = folder.join(format!("{} letters", letters.len()));
        let draws = std::iter::repeat_with(|| {
            // Knuth's linear congruential generator; its upper bits are the good ones.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            letters[(state >> 33) as usize % letters.len()]
        });
        std::fs::write(&path, draws.take(TEXT).collect::<Vec<u8>>()).expect("there is room for a text");
        path
    };
    vec![text(b"acgt"), text(b"ab")]
}

/// The libraries beside this program, by the ids that they bring.
fn ours() -> BTreeMap<String, PathBuf> {
    let files = std::fs::read_dir(libraries())
        .expect("it was built")
        .map(|file| file.expect("it can be read").path());
    let libraries = files.filter(|file| file.extension().is_some_and(|extension| extension == "so"));
    let ids = |file: PathBuf| {
        let brought = load(&file).map_or_else(|_| Vec::new(), |library| library.algorithms);
        brought.into_iter().map(move |entry| (entry.facts.id, file.clone()))
    };
    libraries.flat_map(ids).collect()
}

/// Measures an id: prints, for each length, the nanoseconds of ours and of theirs, or why there are none.
fn measure_one(arguments: &[String]) {
    let [id, ours, theirs, text] = arguments else { panic!("an id, two libraries and a text") };
    let bytes = std::fs::read(text).expect("it is a file");
    let bytes = &bytes[..TEXT.min(bytes.len())];
    let searcher = |library: &str, id: &str| {
        let library = load(Path::new(library)).expect("it can be loaded");
        let entry =
            library.algorithms.iter().find(|entry| entry.facts.id == id).expect("the library brings it");
        Searcher::new(entry).expect("it can be made")
    };
    let [mut ours, mut theirs] = [searcher(ours, id), searcher(theirs, &format!("smart:{id}"))];
    for m in LENGTHS {
        match cell([&mut ours, &mut theirs], bytes, m) {
            Ok([ours, theirs]) => println!("{ours} {theirs}"),
            Err(reason) => println!("{reason}"),
        }
    }
}

/// Medians over patterns of medians over rounds, in nanoseconds: ours, and theirs as their library takes it.
fn cell(searchers: [&mut Searcher; 2], bytes: &[u8], m: usize) -> Result<[f64; 2], &'static str> {
    let n = bytes.len();
    let [ours, theirs] = searchers;
    let needs = [&*ours, &*theirs].map(|searcher| searcher.needs(m));
    let [Ok(our_needs), Ok(their_needs)] = needs else { return Err("refused") };
    our_needs.accept(n).map_err(|_| "refused")?;
    let slack = our_needs.raw().slack.max(their_needs.raw().slack) + MARGIN;
    // Room in front, and a text that begins at a page.
    let mut memory = vec![0_u8; 2 * MARGIN + n + slack];
    let start = MARGIN + memory[MARGIN..].as_ptr().align_offset(MARGIN);
    memory[start..start + n].copy_from_slice(bytes);
    let text = memory[start..].as_mut_ptr();

    let mut medians = [Vec::new(), Vec::new()];
    for i in 0..PATTERNS {
        // A golden section apart: anywhere in the text, and the same on every run.
        let place = (i as f64 * 0.618_033_988_75).fract() * (n - m) as f64;
        let pattern = &bytes[place as usize..][..m];
        let hints = Hints { sample: &bytes[..our_needs.raw().sample.min(n)], text_length: n };
        let mut ours = ours.prepare(pattern, hints).map_err(|_| "refused")?;
        let mut theirs = theirs.prepare(pattern, hints).map_err(|_| "cannot")?;
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..=ROUNDS {
            // SAFETY: the text and what lies around it are in `memory`, which no other code uses during the
            // search.
            let view = unsafe { TextMemory::new(text, n, MARGIN, slack, [true; 2]) };
            let our_view = view.fit(&our_needs).map_err(|_| "refused")?;
            let begin = Instant::now();
            let count = ours.count(&our_view).map_err(|_| "refused")?;
            let own = begin.elapsed().as_nanos() as f64;
            let their_view = view.fit(&their_needs).map_err(|_| "cannot")?;
            if theirs.count(&their_view).map_err(|_| "cannot")? != count {
                return Err("differs");
            }
            let their_own = theirs.measurements().map_err(|_| "cannot")?.own_search_ns;
            // The first round warms up.
            if round > 0 {
                times[0].push(own);
                times[1].push(their_own.ok_or("no time")?);
            }
        }
        for (medians, times) in medians.iter_mut().zip(times) {
            medians.push(median(times));
        }
    }
    Ok(medians.map(median))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

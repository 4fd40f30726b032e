//! Our algorithms against SMART's compiled ones, or against another build of ours: the time of a search in
//! 1 MiB.
//!
//! `cargo bench -p assay-tests --bench smart -- FOLDER [WORD ..]` takes every id for which FOLDER has a
//! library `ID.so`, or a library of ours that brings it (no twin, which counts). Each word is one of
//!  - an id: only those that are named are compared;
//!  - a text file: its first MiB takes the place of the texts below;
//!  - a second folder: its libraries take the place of those that are built now;
//!  - `m=2,3`: the lengths of the patterns;
//!  - `prepare`: the time includes the preparation;
//!  - `seed=7`: draws the same as the run that printed this seed.
//!
//! No algorithm can be tuned to the texts, because each run draws them: a window of each of the English and
//! the protein text of the reference data, and random texts of two letters, of four, and of a number that is
//! drawn. The two algorithms take turns on the same pattern in the same memory. A time is the least of all
//! rounds, and a round in which the thread lost the CPU is repeated, because other programs make a search
//! slower, never faster. The printed ratio is that of the sums over all patterns: below 1 ours is faster.
//! Each id has a process of its own, because some of SMART's crash. After the table of a text, the bench prints
//! how alike the two sets rank the ids, and which ranks differ most.

mod ranks;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Instant, SystemTime};

use assay_load::plugin::{Searcher, TextMemory, load};
use assay_plugin_api::Hints;
use assay_tests::{libraries, shared};
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TEXT: usize = 1 << 20;
const LENGTHS: [usize; 15] = [1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 100, 128, 256, 512, 1024];
const PATTERNS: usize = 7;
const ROUNDS: usize = 7;
/// How often rounds are repeated for one pattern, so that a busy machine cannot stop the comparison.
const REPEATED: usize = 3 * ROUNDS;
/// What SMART's algorithms may touch before the text, and after it beyond twice the pattern.
const MARGIN: usize = 4096;
/// The word by which a process is told to measure one id.
const ONE: &str = "__one";

/// What to compare, and how.
struct Choice {
    ids: Vec<String>,
    texts: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    lengths: Vec<usize>,
    prepare: bool,
    seed: u64,
}

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.split_first() {
        Some((one, rest)) if one == ONE => measure_one(rest),
        Some(_) => compare(choose(&words)),
        None => println!(
            "skipped: name a folder of SMART's libraries: cargo bench -p assay-tests --bench smart -- FOLDER"
        ),
    }
    ExitCode::SUCCESS
}

fn choose(words: &[String]) -> Choice {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970");
    let mut choice = Choice {
        ids: Vec::new(),
        texts: Vec::new(),
        folders: Vec::new(),
        lengths: LENGTHS.to_vec(),
        prepare: false,
        seed: u64::from(now.subsec_nanos()),
    };
    for word in words {
        if let Some(lengths) = word.strip_prefix("m=") {
            choice.lengths = lengths.split(',').map(|m| m.parse().expect("a length is a number")).collect();
        } else if let Some(seed) = word.strip_prefix("seed=") {
            choice.seed = seed.parse().expect("a seed is a number");
        } else if word == "prepare" {
            choice.prepare = true;
        } else if Path::new(word).is_dir() {
            choice.folders.push(word.into());
        } else if Path::new(word).is_file() {
            choice.texts.push(word.into());
        } else {
            choice.ids.push(word.clone());
        }
    }
    choice
}

/// Has each id measured by a process, and prints the table.
fn compare(choice: Choice) {
    let Choice { ids, mut texts, folders, lengths, prepare, seed } = choice;
    let drawn = tempfile::tempdir().expect("there is room for texts");
    if texts.is_empty() {
        texts = draw_texts(drawn.path(), seed);
    }
    let Some(folder) = folders.first() else { return println!("skipped: none of the words is a folder") };
    let theirs = brought_by(folder);
    let ours = folders.get(1).map_or_else(|| brought_by(libraries()), |folder| brought_by(folder));
    let pairs: Vec<(&String, &PathBuf, PathBuf)> = ours
        .iter()
        .filter(|(id, _)| if ids.is_empty() { !id.starts_with("stat_") } else { ids.contains(id) })
        .filter_map(|(id, library)| {
            let compiled = folder.join(format!("{id}.so"));
            let theirs = if compiled.is_file() { compiled } else { theirs.get(id)?.clone() };
            Some((id, library, theirs))
        })
        .collect();
    if pairs.is_empty() {
        return println!("skipped: no library of {} has an id of ours", folder.display());
    }
    let what = if prepare { "preparation and search" } else { "search" };
    println!("time of {what}, ours / theirs, {TEXT} bytes; in brackets ours in us; seed={seed}");
    let mut all = Vec::new();
    for text in &texts {
        let head: String = lengths.iter().map(|m| format!("{m:>14}")).collect();
        println!("\n{}\n{:<10}{head}", text.file_name().unwrap_or_default().display(), "id");
        let mut cells: BTreeMap<usize, BTreeMap<String, ranks::Times>> = BTreeMap::new();
        for (id, ours, theirs) in &pairs {
            let program = std::env::current_exe().expect("a running program has a path");
            let mut command = Command::new(program);
            command.arg(ONE).arg(id).args([ours, theirs, text]).args([prepare.to_string(), seed.to_string()]);
            command.args(lengths.iter().map(usize::to_string)).stderr(Stdio::inherit());
            let output = command.output().expect("it can be started again");
            print!("{id:<10}");
            for (m, cell) in lengths.iter().zip(String::from_utf8_lossy(&output.stdout).lines()) {
                match cell.split_once(' ').map(|(ours, theirs)| (ours.parse::<f64>(), theirs.parse::<f64>()))
                {
                    Some((Ok(ours), Ok(theirs))) => {
                        all.push(ours / theirs);
                        cells.entry(*m).or_default().insert((*id).clone(), [ours, theirs]);
                        print!("{:>14}", format!("{:.2} ({:.1})", ours / theirs, ours / 1e3));
                    }
                    _ => print!("{cell:>14}"),
                }
            }
            println!("{}", if output.status.success() { "" } else { "  crashed" });
        }
        if pairs.len() > 1 {
            ranks::print(&cells);
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

/// A window of each reference text, and random texts, in files of this folder.
fn draw_texts(folder: &Path, seed: u64) -> Vec<PathBuf> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut texts = Vec::new();
    let mut keep = |name: String, text: &[u8]| {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("there is room for a text");
        texts.push(file);
    };
    let files = ["data/englishTexts/bible.txt", "data/protein/sc.txt"];
    for file in files.into_iter().filter_map(shared) {
        let bytes = std::fs::read(&file).expect("it is a file");
        let begin = random.random_range(0..=bytes.len().saturating_sub(TEXT));
        let name = file.file_stem().expect("a file has a name").display();
        keep(format!("{name} from {begin} on"), &bytes[begin..][..TEXT.min(bytes.len())]);
    }
    for size in [2, 4, random.random_range(8..=250)] {
        let letters = sample(&mut random, 256, size).into_vec();
        let text: Vec<u8> = (0..TEXT).map(|_| letters[random.random_range(0..size)] as u8).collect();
        keep(format!("{size} letters"), &text);
    }
    texts
}

/// The libraries of a folder, by the ids that they bring.
fn brought_by(folder: &Path) -> BTreeMap<String, PathBuf> {
    let files =
        std::fs::read_dir(folder).expect("it is a folder").map(|file| file.expect("it can be read").path());
    let libraries = files.filter(|file| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libassay"))
            && file.extension().is_some_and(|extension| extension == "so")
    });
    let ids = |file: PathBuf| {
        let brought = load(&file).map_or_else(|_| Vec::new(), |library| library.algorithms);
        brought.into_iter().map(move |entry| (entry.facts.id, file.clone()))
    };
    libraries.flat_map(ids).collect()
}

/// Measures an id: prints, for each length, the nanoseconds of ours and of theirs, or why there are none.
fn measure_one(arguments: &[String]) {
    let [id, ours, theirs, text, prepare, seed, lengths @ ..] = arguments else {
        panic!("an id, two libraries, a text, whether to prepare, a seed and lengths")
    };
    let bytes = std::fs::read(text).expect("it is a file");
    let bytes = &bytes[..TEXT.min(bytes.len())];
    let searcher = |library: &str| {
        let library = load(Path::new(library)).expect("it can be loaded");
        let found = library
            .algorithms
            .iter()
            .find(|entry| entry.facts.id.strip_prefix("smart:").unwrap_or(&entry.facts.id) == id.as_str());
        Searcher::new(found.expect("the library brings it")).expect("it can be made")
    };
    let [mut ours, mut theirs] = [searcher(ours), searcher(theirs)];
    let seed: u64 = seed.parse().expect("a seed is a number");
    for m in lengths {
        let m: usize = m.parse().expect("a length is a number");
        // The same patterns for each id.
        let random = ChaCha8Rng::seed_from_u64(seed + m as u64);
        match cell([&mut ours, &mut theirs], bytes, m, prepare == "true", random) {
            Ok([ours, theirs]) => println!("{ours} {theirs}"),
            Err(reason) => println!("{reason}"),
        }
    }
}

/// Sums over patterns of the least times of all rounds, in nanoseconds for a pattern: ours, and theirs as
/// their library takes it, if it does.
fn cell(
    searchers: [&mut Searcher; 2],
    bytes: &[u8],
    m: usize,
    prepare: bool,
    mut random: ChaCha8Rng,
) -> Result<[f64; 2], &'static str> {
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

    let mut sums = [0.0; 2];
    for _ in 0..PATTERNS {
        let place = random.random_range(0..=n - m);
        let pattern = &bytes[place..][..m];
        let mut least = [f64::INFINITY; 2];
        let (mut round, mut repeated) = (0, 0);
        while round <= ROUNDS {
            // SAFETY: the text and what lies around it are in `memory`, which no other code uses during the
            // search.
            let view = unsafe { TextMemory::new(text, n, MARGIN, slack, [true; 2]) };
            let switches = context_switches();
            let mut count = [0; 2];
            let mut times = [0.0; 2];
            let mut both = [(0, &mut *ours, &our_needs), (1, &mut *theirs, &their_needs)];
            // In turns, because a search is faster after some than after others.
            both.rotate_left(round % 2);
            for (i, searcher, needs) in both {
                let fitted = view.fit(needs).map_err(|_| "refused")?;
                let hints = Hints { sample: &bytes[..needs.raw().sample.min(n)], text_length: n };
                let begin = Instant::now();
                let mut prepared = searcher.prepare(pattern, hints).map_err(|_| "cannot")?;
                let begin = if prepare { begin } else { Instant::now() };
                count[i] = prepared.count(&fitted).map_err(|_| "cannot")?;
                let elapsed = begin.elapsed().as_nanos() as f64;
                let own = prepared.measurements().map_err(|_| "cannot")?;
                let preparation = own.own_prepare_ns.filter(|_| prepare).unwrap_or(0.0);
                times[i] = own.own_search_ns.map_or(elapsed, |search| search + preparation);
            }
            if count[0] != count[1] {
                return Err("differs");
            }
            if context_switches() != switches && repeated < REPEATED {
                repeated += 1;
                continue;
            }
            // The first round warms up.
            if round > 0 {
                least = [0, 1].map(|i| times[i].min(least[i]));
            }
            round += 1;
        }
        sums = [0, 1].map(|i| sums[i] + least[i] / PATTERNS as f64);
    }
    Ok(sums)
}

/// How often this thread has got the CPU; none where the kernel does not say so.
fn context_switches() -> Option<String> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    line.split_whitespace().nth(2).map(str::to_owned)
}

//! Our algorithms against SMART's compiled ones: the time of a search alone, of a prepared pattern in 1 MiB.
//!
//! `cargo bench -p assay-tests --bench smart -- FOLDER [ID|TEXT ..]` takes every id for which FOLDER has a library `ID.so`
//! with SMART's entry (no twin, which counts), or those named; and the first MiB of each text file named, else the English and the protein text of
//! the reference data. The two take turns on the same pattern in the same memory, and the fraction of their medians is
//! printed: below 1 ours is faster. Each id has a process of its own, since some of SMART's crash.

use std::collections::BTreeMap;
use std::ffi::{c_double, c_int, c_uchar};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use assay::plugin::{Searcher, TextMemory, load};
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
    let texts =
        if texts.is_empty() { reference_texts() } else { texts.into_iter().map(PathBuf::from).collect() };
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
    let smart = Smart::load(Path::new(theirs));
    let library = load(Path::new(ours)).expect("it was loaded before");
    let entry = library.algorithms.iter().find(|entry| entry.facts.id == *id).expect("the library brings it");
    let mut searcher = Searcher::new(entry).expect("it can be made");
    for m in LENGTHS {
        match cell(&mut searcher, &smart, bytes, m) {
            Ok([ours, theirs]) => println!("{ours} {theirs}"),
            Err(reason) => println!("{reason}"),
        }
    }
}

/// Medians over patterns of medians over rounds, in nanoseconds: ours and theirs.
fn cell(searcher: &mut Searcher, smart: &Smart, bytes: &[u8], m: usize) -> Result<[f64; 2], &'static str> {
    let n = bytes.len();
    let needs = searcher.needs(m).map_err(|_| "refused")?;
    needs.accept(n).map_err(|_| "refused")?;
    let slack = (2 * m).max(needs.raw().slack) + MARGIN;
    // Room in front, and a text that begins at a page.
    let mut memory = vec![0_u8; 2 * MARGIN + n + slack];
    let start = MARGIN + memory[MARGIN..].as_ptr().align_offset(MARGIN);
    memory[start..start + n].copy_from_slice(bytes);
    let text = memory[start..].as_mut_ptr();

    let mut medians = [Vec::new(), Vec::new()];
    for i in 0..PATTERNS {
        // A golden section apart: anywhere in the text, and the same on every run.
        let place = (i as f64 * 0.618_033_988_75).fract() * (n - m) as f64;
        // A byte more than the pattern: SMART promises its algorithms a zero there.
        let mut pattern = bytes[place as usize..][..m].to_vec();
        pattern.push(0);
        let own_pattern = pattern[..m].to_vec();
        let hints = Hints { sample: &bytes[..needs.raw().sample.min(n)], text_length: n };
        let mut prepared = searcher.prepare(&own_pattern, hints).map_err(|_| "refused")?;
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..=ROUNDS {
            // SAFETY: the text and what lies around it are in `memory`, which nobody else uses during the search.
            let view = unsafe { TextMemory::new(text, n, MARGIN, slack, true) };
            let view = view.fit(&needs).map_err(|_| "refused")?;
            let begin = Instant::now();
            let count = prepared.count(&view).map_err(|_| "refused")?;
            let own = begin.elapsed().as_nanos() as f64;
            // SAFETY: pattern and text lie in memory that may be written, with the room that SMART promises.
            let (their_count, theirs) = unsafe { smart.search(&mut pattern, m, text, n) };
            if their_count < 0 {
                return Err("cannot");
            }
            if their_count as u64 != count {
                return Err("differs");
            }
            // The first round warms up.
            if round > 0 {
                times[0].push(own);
                times[1].push(theirs);
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

/// SMART's measurements and the names of its extra fields: it writes to both.
#[derive(Default)]
#[repr(C, align(16))]
struct Written {
    stats: [i64; 17],
    names: [[u8; 11]; 6],
}

type Search = unsafe extern "C" fn(
    pattern: *mut c_uchar,
    m: c_int,
    text: *mut c_uchar,
    n: c_int,
    prepare_ms: *mut c_double,
    search_ms: *mut c_double,
    stats: *mut [i64; 17],
    names: *mut [[u8; 11]; 6],
) -> c_int;

/// An algorithm of SMART's.
struct Smart(libloading::Library);

impl Smart {
    fn load(library: &Path) -> Self {
        // SAFETY: loading runs constructors, of which these libraries have none.
        Smart(unsafe { libloading::Library::new(library) }.expect("it loads"))
    }

    /// The number of occurrences, and the nanoseconds of the search as the library takes them itself.
    ///
    /// # Safety
    /// Pattern and text must lie in memory that may be written, with a zero behind the pattern, and around the text what
    /// SMART promises.
    unsafe fn search(&self, pattern: &mut [u8], m: usize, text: *mut u8, n: usize) -> (c_int, f64) {
        let (mut prepare_ms, mut search_ms, mut written) = (0.0, 0.0, Written::default());
        // SAFETY: the symbol has this type; all that it writes to is there.
        let count = unsafe {
            let search = self.0.get::<Search>(b"internal_search").expect("it is SMART's");
            let (m, n) = (m as c_int, n as c_int);
            let Written { stats, names } = &mut written;
            search(pattern.as_mut_ptr(), m, text, n, &mut prepare_ms, &mut search_ms, stats, names)
        };
        (count, search_ms * 1e6)
    }
}

//! The algorithm `own` against the best of all others, cell by cell of text and length: preparation and search.
//!
//! `cargo bench -p assay-tests --bench fastest -- [FOLDER] [TEXT ..] [m=1,2,..] [bytes=1048576]` takes the libraries
//! beside this program, and those of SMART in FOLDER if it is named, with the texts named (files, or `genome`, `rand2`,
//! `source`, `log` ..; all without). First each algorithm alone has a few patterns for each cell, in a process of its
//! own, because some of SMART's crash. Then the best of each cell, from ours and from others, take turns with `own` on
//! 40 patterns; the table has the medians over patterns of the least of five rounds. Patterns are drawn from the text;
//! all overlapping occurrences are counted, and a wrong count is left out (of `own`: it ends the bench).
//! `read` is a loop that adds up the text with the widest registers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use assay_load::plugin::{Searcher, TextMemory, load};
use assay_plugin_api::Hints;
use assay_tests::{libraries, repository, shared};

const LENGTHS: [usize; 19] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096];
const TEXTS: [&str; 10] =
    ["english", "protein", "genome", "rand2", "rand4", "rand16", "rand128", "rand250", "source", "log"];
/// What SMART's algorithms may touch before the text, and behind it beyond twice the pattern.
const MARGIN: usize = 4096;
/// How many of each side are measured again.
const FINALISTS: usize = 6;
const PATTERNS: [usize; 2] = [3, 40];
const ROUNDS: [usize; 2] = [2, 5];
/// The words by which a process is told to measure one algorithm, or one cell.
const ONE: &str = "__one";
const CELL: &str = "__cell";

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.split_first() {
        Some((word, rest)) if word == ONE => measure_one(rest),
        Some((word, rest)) if word == CELL => measure_cell(rest),
        _ => compare(&arguments),
    }
    ExitCode::SUCCESS
}

/// A library, an id, and whether it is of our catalogue.
#[derive(Clone)]
struct Entrant {
    library: PathBuf,
    id: String,
    of_ours: bool,
}

fn compare(arguments: &[String]) {
    let value = |name: &str| arguments.iter().find_map(|argument| argument.strip_prefix(name));
    let lengths: Vec<usize> = value("m=").map_or(LENGTHS.to_vec(), |list| {
        list.split(',').map(|m| m.parse().expect("lengths are numbers")).collect()
    });
    let bytes: usize = value("bytes=").map_or(1 << 20, |bytes| bytes.parse().expect("a number of bytes"));
    let words: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|argument| !argument.contains('=')).collect();
    let folder = words.first().filter(|word| Path::new(word).is_dir());
    let texts: Vec<&str> = words.iter().copied().filter(|word| !Path::new(word).is_dir()).collect();
    let texts = if texts.is_empty() { TEXTS.to_vec() } else { texts };
    let entrants = entrants(folder.map(Path::new));
    println!("{} algorithms, texts of {bytes} bytes; times in us, of preparation and search", entrants.len());
    println!(
        "{:<10}{:>6}{:>8}{:>8}{:>18}{:>8}{:>18}{:>8}{:>7}{:>7}",
        "text", "m", "read", "own", "best of others", "us", "best of ours", "us", "/other", "/ours"
    );
    let mut ratios = Vec::new();
    for name in texts {
        let Some(text) = text(name, bytes) else {
            println!("{name}: skipped, because there are no reference texts");
            continue;
        };
        let file = tempfile::NamedTempFile::new().expect("there is room for a text");
        std::fs::write(file.path(), &text).expect("there is room for a text");
        let times = first_look(&entrants, file.path(), &lengths);
        for (cell, &m) in lengths.iter().enumerate().filter(|(_, m)| **m <= text.len()) {
            let best = |of_ours: bool| {
                let mut known: Vec<_> = entrants
                    .iter()
                    .zip(&times)
                    .filter(|(entrant, _)| entrant.of_ours == of_ours)
                    .filter_map(|(entrant, times)| Some((*times.get(cell)?.as_ref()?, entrant.clone())))
                    .collect();
                known.sort_by(|(one, _), (other, _)| one.total_cmp(other));
                known.truncate(FINALISTS);
                known.into_iter().map(|(_, entrant)| entrant)
            };
            let finalists: Vec<Entrant> = best(false).chain(best(true)).collect();
            ratios.extend(print_cell(name, m, file.path(), &finalists));
        }
    }
    summarise("others", ratios.iter().map(|[other, _]| *other).collect());
    summarise("others and ours", ratios.iter().map(|[other, ours]| other.max(*ours)).collect());
}

/// Measures a cell again and prints its line; the ratios to the best of others and of ours.
fn print_cell(name: &str, m: usize, text: &Path, finalists: &[Entrant]) -> Option<[f64; 2]> {
    let own = libraries().join("libassay_own.so");
    let mut arguments = vec![text.display().to_string(), m.to_string(), own.display().to_string()];
    for entrant in finalists {
        arguments.extend([entrant.library.display().to_string(), entrant.id.clone()]);
    }
    let output = start(CELL, &arguments);
    let times: Vec<f64> = output.split_whitespace().filter_map(|time| time.parse().ok()).collect();
    let [read, own, others @ ..] = times.as_slice() else {
        println!("{name:<10}{m:>6}  failed");
        return None;
    };
    let best = |of_ours: bool| {
        let times = finalists.iter().zip(others).filter(|(entrant, _)| entrant.of_ours == of_ours);
        times
            .filter(|(_, time)| time.is_finite())
            .min_by(|(_, one), (_, other)| one.total_cmp(other))
            .map_or(("-", f64::NAN), |(entrant, time)| (entrant.id.as_str(), *time))
    };
    let [(other, other_time), (ours, our_time)] = [best(false), best(true)];
    let ratios = [own / other_time, own / our_time];
    println!(
        "{name:<10}{m:>6}{:>8.2}{:>8.2}{other:>18}{:>8.2}{ours:>18}{:>8.2}{:>7.2}{:>7.2}",
        read / 1e3,
        own / 1e3,
        other_time / 1e3,
        our_time / 1e3,
        ratios[0],
        ratios[1]
    );
    Some(ratios)
}

fn summarise(whom: &str, mut ratios: Vec<f64>) {
    ratios.retain(|ratio| ratio.is_finite());
    ratios.sort_by(f64::total_cmp);
    let Some(worst) = ratios.last() else { return };
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    let above = ratios.iter().filter(|ratio| **ratio > 0.95).count();
    println!(
        "own / the best of {whom}: {} cells, geometric mean {:.3}, worst {worst:.2}, above 0.95: {above}",
        ratios.len(),
        mean.exp()
    );
}

/// The algorithms of all libraries without twins and without the family `own`: ours but for the engines, and others.
fn entrants(folder: Option<&Path>) -> Vec<Entrant> {
    let mut entrants = Vec::new();
    for folder in [Some(libraries()), folder].into_iter().flatten() {
        let files = std::fs::read_dir(folder).expect("it can be read");
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("it can be read").path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "so"));
        files.sort();
        for library in files {
            let Ok(brought) = load(&library) else { continue };
            for entry in &brought.algorithms {
                let (id, family) = (entry.facts.id.clone(), entry.facts.get("family").unwrap_or_default());
                if id.starts_with("stat_") || id.starts_with("smart:stat_") || family == "own" {
                    continue;
                }
                let of_ours = !id.starts_with("smart:") && family != "engine";
                entrants.push(Entrant { library: library.clone(), id, of_ours });
            }
        }
    }
    entrants
}

/// For each algorithm the nanoseconds of each length, where it can search and counts right.
fn first_look(entrants: &[Entrant], text: &Path, lengths: &[usize]) -> Vec<Vec<Option<f64>>> {
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    let look = |entrant: &Entrant| {
        let arguments =
            [text.display().to_string(), entrant.library.display().to_string(), entrant.id.clone()];
        let output = start(ONE, &[&arguments[..], &lengths[..]].concat());
        output.lines().map(|line| line.parse().ok()).collect()
    };
    entrants.iter().map(look).collect()
}

/// What a process of this program prints.
fn start(word: &str, arguments: &[String]) -> String {
    let program = std::env::current_exe().expect("a running program has a path");
    let output = Command::new(program).arg(word).args(arguments).stderr(Stdio::null()).output();
    String::from_utf8_lossy(&output.expect("it can be started again").stdout).into_owned()
}

fn measure_one(arguments: &[String]) {
    let [text, library, id, lengths @ ..] = arguments else { panic!("a text, a library, an id and lengths") };
    let mut memory = Memory::new(&std::fs::read(text).expect("it is a file"));
    let mut searcher = searcher(Path::new(library), id);
    for m in lengths {
        let m = m.parse().expect("a length");
        match memory.times(&mut [&mut searcher], m, PATTERNS[0], ROUNDS[0])[0] {
            Some(time) => println!("{time}"),
            None => println!("-"),
        }
    }
}

fn measure_cell(arguments: &[String]) {
    let [text, m, own, others @ ..] = arguments else { panic!("a text, a length, and libraries with ids") };
    let mut memory = Memory::new(&std::fs::read(text).expect("it is a file"));
    let mut searchers = vec![searcher(Path::new(own), "own")];
    searchers.extend(others.chunks(2).map(|entrant| searcher(Path::new(&entrant[0]), &entrant[1])));
    let mut searchers: Vec<&mut Searcher> = searchers.iter_mut().collect();
    let read = memory.read();
    let times = memory.times(&mut searchers, m.parse().expect("a length"), PATTERNS[1], ROUNDS[1]);
    println!("{read} {}", times[0].expect("`own` can search everything, and counts right"));
    for time in &times[1..] {
        println!("{}", time.unwrap_or(f64::NAN));
    }
}

fn searcher(library: &Path, id: &str) -> Searcher {
    let library = load(library).expect("it can be loaded");
    let entry = library.algorithms.iter().find(|entry| entry.facts.id == id).expect("the library brings it");
    Searcher::new(entry).expect("it can be made")
}

/// A text with room around it.
struct Memory {
    bytes: Vec<u8>,
    start: usize,
    n: usize,
    slack: usize,
}

impl Memory {
    fn new(text: &[u8]) -> Self {
        let slack = 4 * MARGIN + 2 * 4096;
        let mut bytes = vec![0_u8; 2 * MARGIN + text.len() + slack];
        let start = MARGIN + bytes[MARGIN..].as_ptr().align_offset(MARGIN);
        bytes[start..start + text.len()].copy_from_slice(text);
        Memory { bytes, start, n: text.len(), slack: slack - MARGIN }
    }

    /// For each searcher the median over patterns of its least time in nanoseconds; they take turns. None if one can't
    /// search a pattern, or its count is wrong.
    fn times(
        &mut self,
        searchers: &mut [&mut Searcher],
        m: usize,
        patterns: usize,
        rounds: usize,
    ) -> Vec<Option<f64>> {
        let (n, slack) = (self.n, self.slack);
        let mut times = vec![Some(Vec::new()); searchers.len()];
        for i in 0..patterns {
            // A golden section apart: anywhere in the text, and the same on every run.
            let place = ((i + 1) as f64 * 0.618_033_988_75).fract() * (n - m) as f64;
            let pattern = self.bytes[self.start + place as usize..][..m].to_vec();
            let expected = count(&pattern, &self.bytes[self.start..][..n]);
            let mut least = vec![f64::INFINITY; searchers.len()];
            for _ in 0..rounds {
                for ((searcher, least), times) in searchers.iter_mut().zip(&mut least).zip(&mut times) {
                    if times.is_none() {
                        continue;
                    }
                    match self.time(searcher, &pattern, n, slack) {
                        Some((found, time)) if found == expected => *least = least.min(time),
                        _ => *times = None,
                    }
                }
            }
            for (times, least) in times.iter_mut().zip(least) {
                if let Some(times) = times {
                    times.push(least);
                }
            }
        }
        times.into_iter().map(|times| times.map(median)).collect()
    }

    fn time(
        &mut self,
        searcher: &mut Searcher,
        pattern: &[u8],
        n: usize,
        slack: usize,
    ) -> Option<(u64, f64)> {
        let needs = searcher.needs(pattern.len()).ok()?;
        needs.accept(n).ok()?;
        let text = self.bytes[self.start..].as_mut_ptr();
        let sample = needs.raw().sample.min(n);
        let sample = self.bytes[self.start..][..sample].to_vec();
        let begin = Instant::now();
        let mut prepared = searcher.prepare(pattern, Hints { sample: &sample, text_length: n }).ok()?;
        // SAFETY: the text and what lies around it are in `bytes`, which no other code uses during the search.
        let view = unsafe { TextMemory::new(text, n, MARGIN, slack, [true; 2]) };
        let found = prepared.count(&view.fit(&needs).ok()?).ok()?;
        Some((found, begin.elapsed().as_nanos() as f64))
    }

    /// The least time in which all of the text is added up.
    fn read(&self) -> f64 {
        let text = &self.bytes[self.start..][..self.n];
        let time = || {
            let begin = Instant::now();
            std::hint::black_box(sum(text));
            begin.elapsed().as_nanos() as f64
        };
        (0..50).map(|_| time()).fold(f64::INFINITY, f64::min)
    }
}

/// The sum of the words of a text, with the widest registers.
fn sum(text: &[u8]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f")]
        fn wide(text: &[u8]) -> u64 {
            plain(text)
        }
        #[target_feature(enable = "avx2")]
        fn middle(text: &[u8]) -> u64 {
            plain(text)
        }
        // SAFETY: the CPU has the instructions.
        unsafe {
            if std::is_x86_feature_detected!("avx512f") {
                return wide(text);
            }
            if std::is_x86_feature_detected!("avx2") {
                return middle(text);
            }
        }
    }
    plain(text)
}

#[inline(always)]
fn plain(text: &[u8]) -> u64 {
    let mut sums = [0_u64; 32];
    for block in text.chunks_exact(256) {
        for (sum, word) in sums.iter_mut().zip(block.chunks_exact(8)) {
            *sum = sum.wrapping_add(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
    }
    sums.iter().fold(0, |all, sum| all.wrapping_add(*sum))
}

fn count(pattern: &[u8], text: &[u8]) -> u64 {
    let mut occurrences = 0;
    let mut begin = 0;
    while let Some(at) = memchr::memmem::find(&text[begin..], pattern) {
        occurrences += 1;
        begin += at + 1;
    }
    occurrences
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A text of this name; none if it is a reference text and there are none.
fn text(name: &str, bytes: usize) -> Option<Vec<u8>> {
    let repeated = |text: Vec<u8>| text.iter().copied().cycle().take(bytes).collect();
    let read = |path: PathBuf| std::fs::read(path).expect("it can be read");
    let mut draws = Draws(1);
    if let Some(letters) = name.strip_prefix("rand") {
        let letters: usize = letters.parse().expect("rand, and a number of letters");
        return Some((0..bytes).map(|_| draws.below(letters) as u8 ^ b'a').collect());
    }
    Some(match name {
        "english" => repeated(read(shared("data/englishTexts/bible.txt")?)),
        "protein" => repeated(read(shared("data/protein/sc.txt")?)),
        "genome" => genome(&mut draws, bytes),
        "log" => log(&mut draws, bytes),
        "source" => repeated(source(&repository().join("host"))),
        file => repeated(read(PathBuf::from(file))),
    })
}

/// Knuth's linear congruential generator; its upper bits are the good ones.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Four letters, each with a probability that depends on the two before it.
fn genome(draws: &mut Draws, bytes: usize) -> Vec<u8> {
    let weights: [[usize; 4]; 16] = std::array::from_fn(|_| std::array::from_fn(|_| 20 + draws.below(100)));
    let mut state = 0;
    let letter = |_| {
        let mut draw = draws.below(weights[state].iter().sum());
        let mut letter = 0;
        while draw >= weights[state][letter] {
            draw -= weights[state][letter];
            letter += 1;
        }
        state = (4 * state + letter) % 16;
        b"ACGT"[letter]
    };
    (0..bytes).map(letter).collect()
}

/// Lines of a web server.
fn log(draws: &mut Draws, bytes: usize) -> Vec<u8> {
    let mut lines = String::new();
    let mut second = 0;
    while lines.len() < bytes {
        second += draws.below(5);
        let level = ["INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"][draws.below(6)];
        let page =
            ["GET /index.html", "GET /search?q=abc", "POST /login", "GET /static/app.js"][draws.below(4)];
        lines += &format!(
            "2026-11-{:02} {:02}:{:02}:{:02} {level} [worker-{}] {page} from 10.{}.{}.{} in {} us\n",
            1 + second / 86_400 % 30,
            second / 3_600 % 24,
            second / 60 % 60,
            second % 60,
            draws.below(16),
            draws.below(4),
            draws.below(256),
            draws.below(256),
            draws.below(100_000)
        );
    }
    lines.truncate(bytes);
    lines.into_bytes()
}

/// All Rust files of a folder, in the order of their names.
fn source(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).expect("it can be read");
    let mut files: BTreeMap<PathBuf, bool> = files
        .map(|file| file.expect("it can be read").path())
        .map(|path| (path.clone(), path.is_dir()))
        .collect();
    let mut bytes = Vec::new();
    while let Some((path, is_folder)) = files.pop_first() {
        if is_folder {
            bytes.extend(source(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            bytes.extend(std::fs::read(&path).expect("it can be read"));
        }
    }
    bytes
}

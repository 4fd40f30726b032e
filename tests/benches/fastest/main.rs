//! The algorithm `own` against the best of all others, cell by cell of text and length: preparation and
//! search.
//!
//! `cargo bench -p assay-tests --bench fastest -- [FOLDER] [TEXT ..] [m=1,2,..] [bytes=1048576] [within=avx2]
//! [patterns=reversed]` takes the libraries beside this program, and those of SMART in FOLDER if it is named
//! (an absolute path). Texts are files, `english`, `protein`, `genome`, `rand2`, `source`, `log`, `one`,
//! `periodic`, `fibonacci` ..; without, ten of them. `within=avx2` leaves out what may use AVX-512 (also all
//! of the family packed, which may choose its instructions itself), and limits `own`. `patterns=reversed`
//! searches the reverse of each pattern, which seldom occurs if it is long.
//!
//! First each algorithm alone has a few patterns for each cell, in a process of its own, because some of
//! SMART's crash. Then the best of each cell, from ours and from others, take turns with `own` and its
//! methods on 40 patterns; lines and tables have the medians over patterns of the least of five rounds.
//! Patterns are drawn from the text; all overlapping occurrences are counted, and an algorithm whose count is
//! wrong is left out. If that is `own`, or an algorithm crashes, the cell fails, and the bench ends with 1.
//!
//! `limit` is the least time to read what any search must look at: all of the text, joined by `xor` in the
//! widest registers, or eight bytes of each `m`, whatever takes less. The best of the methods of `own` says
//! what their choice costs. A table beside these says how many bytes must be looked at.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use assay_load::plugin::{Searcher, TextMemory, load};
use assay_plugin_api::Hints;
use assay_tests::libraries;

mod least;
mod texts;

const LENGTHS: [usize; 19] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096];
const TEXTS: [&str; 10] =
    ["english", "protein", "genome", "rand2", "rand4", "rand16", "rand128", "rand250", "source", "log"];
/// Bytes that SMART's algorithms may touch before the text, and after it beyond twice the pattern.
const MARGIN: usize = 4096;
/// How many of each side are measured again.
const FINALISTS: usize = 6;
/// Patterns of the first look, and of the finalists.
const PATTERNS: [usize; 2] = [3, 40];
/// Rounds of the first look, and of the finalists.
const ROUNDS: [usize; 2] = [2, 5];
/// An algorithm whose first search takes more than this number of nanoseconds has no other pattern in the
/// first look: nothing that slow is ever among the best.
const HOPELESS: f64 = 1e6;
/// What the names of options begin with.
const OPTIONS: [&str; 4] = ["m=", "bytes=", "within=", "patterns="];
/// The environment variable by which a process learns that patterns are reversed, and its value.
const PATTERNS_VARIABLE: &str = "ASSAY_BENCH_PATTERNS";
const REVERSED: &str = "reversed";
/// The words by which a process is told to measure one algorithm, or one cell.
const ONE: &str = "__one";
const CELL: &str = "__cell";

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.split_first() {
        Some((word, rest)) if word == ONE => measure_one(rest),
        Some((word, rest)) if word == CELL => measure_cell(rest),
        _ => return compare(&arguments),
    }
    ExitCode::SUCCESS
}

/// Whom `own` is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Others,
    Ours,
    Parts,
}

impl Side {
    const ALL: [Side; 3] = [Side::Others, Side::Ours, Side::Parts];
}

/// An algorithm of a library.
#[derive(Clone)]
struct Entrant {
    library: PathBuf,
    id: String,
    side: Side,
    may_use_avx512: bool,
}

/// Algorithms that choose AVX-512 at run time, so their needs don't name it.
const WITH_AVX512: [&str; 2] = ["stringzilla", "meta-tw"];

fn compare(arguments: &[String]) -> ExitCode {
    let value = |name: &str| arguments.iter().find_map(|argument| argument.strip_prefix(name));
    let lengths: Vec<usize> = value("m=").map_or(LENGTHS.to_vec(), |list| {
        list.split(',').map(|m| m.parse().expect("lengths are numbers")).collect()
    });
    let bytes: usize = value("bytes=").map_or(1 << 20, |bytes| bytes.parse().expect("a number of bytes"));
    let (options, words): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.contains('='));
    let known = |option: &&&str| OPTIONS.iter().any(|name| option.starts_with(name));
    if let Some(option) = options.iter().find(|option| !known(option)) {
        panic!("`{option}` is none of {}", OPTIONS.join(", "));
    }
    let (folders, texts): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| Path::new(word).is_dir());
    assert!(folders.len() <= 1, "one folder of SMART's algorithms, and not {}", folders.join(", "));
    let texts = if texts.is_empty() { TEXTS.to_vec() } else { texts };
    let (limit, patterns) = (value("within="), value("patterns="));
    if let Some(limit) = limit {
        assert_eq!(limit, "avx2", "`within=avx2` is the only limit");
        // SAFETY: this program has no other thread yet. The processes that it starts inherit the variable.
        unsafe { std::env::set_var("ASSAY_FINDER", limit) };
    }
    if let Some(patterns) = patterns {
        assert_eq!(patterns, REVERSED, "`patterns=reversed` are the only other patterns");
        // SAFETY: as above.
        unsafe { std::env::set_var(PATTERNS_VARIABLE, REVERSED) };
    }
    let mut entrants = entrants(folders.first().map(Path::new));
    entrants.retain(|entrant| limit.is_none() || !entrant.may_use_avx512);
    println!("{} algorithms, texts of {bytes} bytes; times in us, of preparation and search", entrants.len());
    println!(
        "{:<10}{:>6}{:>8}{:>8}{:>18}{:>8}{:>18}{:>8}{:>13}{:>8}",
        "text", "m", "limit", "own", "best of others", "us", "best of ours", "us", "best method", "us"
    );
    if !options.is_empty() {
        println!("{}", options.join(" "));
    }
    let (mut cells, mut searched, mut failed) = (Vec::new(), Vec::new(), false);
    for name in texts {
        let Some(text) = texts::text(name, bytes) else {
            println!("{name}: skipped, because there are no reference texts (set ASSAY_SHARED)");
            continue;
        };
        searched.push((name, least::effective_letters(&text)));
        let file = tempfile::NamedTempFile::new().expect("there is room for a text");
        std::fs::write(file.path(), &text).expect("there is room for a text");
        let times = first_look(&entrants, file.path(), &lengths);
        for (cell, &m) in lengths.iter().enumerate().filter(|(_, m)| **m <= text.len()) {
            let best = |side: Side| {
                let mut known: Vec<_> = entrants
                    .iter()
                    .zip(&times)
                    .filter(|(entrant, _)| entrant.side == side)
                    .filter_map(|(entrant, times)| Some((*times.get(cell)?.as_ref()?, entrant.clone())))
                    .collect();
                known.sort_by(|(one, _), (other, _)| one.total_cmp(other));
                known.truncate(FINALISTS);
                known.into_iter().map(|(_, entrant)| entrant)
            };
            let finalists: Vec<Entrant> = Side::ALL.into_iter().flat_map(best).collect();
            let cell = Cell::measured(name, m, file.path(), &finalists);
            failed |= cell.is_none();
            cells.extend(cell);
        }
    }
    print_table("own / the best of others", &cells, |cell| cell.ratio(Side::Others));
    print_table("own / the best of ours", &cells, |cell| cell.ratio(Side::Ours));
    print_table("own / the best of its methods", &cells, |cell| cell.ratio(Side::Parts));
    print_table("own / limit", &cells, |cell| cell.own / cell.limit);
    least::print_table(bytes, &searched, &lengths);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Nanoseconds of a text and a length.
struct Cell {
    text: String,
    m: usize,
    limit: f64,
    own: f64,
    /// The best of each side, in the order of [`Side::ALL`].
    best: Vec<(String, f64)>,
}

impl Cell {
    /// Measures the finalists again, in a process of its own, and prints a line.
    fn measured(name: &str, m: usize, text: &Path, finalists: &[Entrant]) -> Option<Self> {
        let own = libraries().join("libassay_own.so");
        let mut arguments = vec![text.display().to_string(), m.to_string(), own.display().to_string()];
        for entrant in finalists {
            arguments.extend([entrant.library.display().to_string(), entrant.id.clone()]);
        }
        let output = start(CELL, &arguments);
        let times: Vec<f64> = output.split_whitespace().filter_map(|time| time.parse().ok()).collect();
        let [limit, own, others @ ..] = times.as_slice() else {
            println!("{name:<10}{m:>6}  failed: `own` counted wrong, or an algorithm crashed");
            return None;
        };
        let best = |side: Side| {
            let times = finalists.iter().zip(others).filter(|(entrant, _)| entrant.side == side);
            times
                .filter(|(_, time)| time.is_finite())
                .min_by(|(_, one), (_, other)| one.total_cmp(other))
                .map_or(("-".to_owned(), f64::NAN), |(entrant, time)| (entrant.id.clone(), *time))
        };
        let best = Side::ALL.map(best).to_vec();
        print!("{name:<10}{m:>6}{:>8.2}{:>8.2}", limit / 1e3, own / 1e3);
        for ((id, time), width) in best.iter().zip([18, 18, 13]) {
            print!("{id:>width$}{:>8.2}", time / 1e3);
        }
        println!();
        Some(Cell { text: name.to_owned(), m, limit: *limit, own: *own, best })
    }

    fn ratio(&self, side: Side) -> f64 {
        self.own / self.best[side as usize].1
    }
}

/// A table in Markdown: a row for each text, a column for each length; and how many there are, their mean and
/// the worst.
fn print_table(title: &str, cells: &[Cell], ratio: impl Fn(&Cell) -> f64) {
    let mut lengths: Vec<usize> = cells.iter().map(|cell| cell.m).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let heads: String = lengths.iter().map(|m| format!(" {m} |")).collect();
    println!("\n{title}\n\n| text |{heads}\n|{}", " --- |".repeat(lengths.len() + 1));
    for row in cells.chunk_by(|one, other| one.text == other.text) {
        let entry = |m: &usize| row.iter().find(|cell| cell.m == *m).map_or(f64::NAN, &ratio);
        let entries: String = lengths.iter().map(entry).map(|ratio| format!(" {ratio:.2} |")).collect();
        println!("| {} |{entries}", row[0].text);
    }
    let mut ratios: Vec<f64> = cells.iter().map(ratio).filter(|ratio| ratio.is_finite()).collect();
    ratios.sort_by(f64::total_cmp);
    let Some(worst) = ratios.last() else { return };
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let above = ratios.iter().filter(|ratio| **ratio > 0.95).count();
    println!("\n{} cells: geometric mean {mean:.3}, worst {worst:.2}, above 0.95: {above}", ratios.len());
}

/// The algorithms of all libraries without twins and without `own`.
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
                if id.starts_with("stat_") || id.starts_with("smart:stat_") || id == "own" {
                    continue;
                }
                let side = match family {
                    "own" => Side::Parts,
                    "engine" => Side::Others,
                    _ if id.starts_with("smart:") => Side::Others,
                    _ => Side::Ours,
                };
                let may_use_avx512 = entry.cpu.iter().any(|name| name.starts_with("avx512"))
                    || WITH_AVX512.contains(&id.as_str())
                    || family == "packed";
                entrants.push(Entrant { library: library.clone(), id, side, may_use_avx512 });
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
        let first = memory.times(&mut [&mut searcher], m, 1, 1)[0];
        let is_hopeless = first.is_none_or(|time| time > HOPELESS);
        match if is_hopeless {
            first
        } else {
            memory.times(&mut [&mut searcher], m, PATTERNS[0], ROUNDS[0])[0]
        } {
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
    let m = m.parse().expect("a length");
    let limit = memory.limit(m);
    let times = memory.times(&mut searchers, m, PATTERNS[1], ROUNDS[1]);
    println!("{limit} {}", times[0].expect("`own` can search everything, and counts right"));
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

    /// For each searcher the median over patterns of its least time in nanoseconds; they take turns. None if
    /// one can't search a pattern, or its count is wrong.
    fn times(
        &mut self,
        searchers: &mut [&mut Searcher],
        m: usize,
        patterns: usize,
        rounds: usize,
    ) -> Vec<Option<f64>> {
        let (n, slack) = (self.n, self.slack);
        let reversed = std::env::var_os(PATTERNS_VARIABLE).is_some();
        let mut times = vec![Some(Vec::new()); searchers.len()];
        let (mut draws, mut order) = (texts::Draws(m as u64), (0..searchers.len()).collect::<Vec<_>>());
        for i in 0..patterns {
            // A golden section apart: anywhere in the text, and the same on every run.
            let place = ((i + 1) as f64 * 0.618_033_988_75).fract() * (n - m) as f64;
            let mut pattern = self.bytes[self.start + place as usize..][..m].to_vec();
            if reversed {
                pattern.reverse();
            }
            let expected = count(&pattern, &self.bytes[self.start..][..n]);
            let mut least = vec![f64::INFINITY; searchers.len()];
            for _ in 0..rounds {
                // In another order each time, because a search is faster after some than after others.
                for last in (1..order.len()).rev() {
                    order.swap(last, draws.below(last + 1));
                }
                for &k in &order {
                    if times[k].is_none() {
                        continue;
                    }
                    match self.time(searchers[k], &pattern, n, slack) {
                        Some((found, time)) if found == expected => least[k] = least[k].min(time),
                        _ => times[k] = None,
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
        // SAFETY: the text and what lies around it are in `bytes`, which no other code uses during the
        // search.
        let view = unsafe { TextMemory::new(text, n, MARGIN, slack, [true; 2]) };
        let found = prepared.count(&view.fit(&needs).ok()?).ok()?;
        Some((found, begin.elapsed().as_nanos() as f64))
    }

    /// The least time in which all of the text is read, or eight bytes of each `m` if that takes less.
    fn limit(&self, m: usize) -> f64 {
        let text = &self.bytes[self.start..][..self.n];
        let word = |part: &[u8]| part.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let time = |part: bool| {
            let begin = Instant::now();
            std::hint::black_box(if part {
                text.chunks(m).map(word).fold(0, u64::wrapping_add)
            } else {
                read(text)
            });
            begin.elapsed().as_nanos() as f64
        };
        (0..100).map(|i| time(m >= 8 && i % 2 == 0)).fold(f64::INFINITY, f64::min)
    }
}

/// Joins all words of a text, with the widest registers.
fn read(text: &[u8]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;

        #[target_feature(enable = "avx512f")]
        fn wide(text: &[u8]) -> u64 {
            let mut all = [_mm512_setzero_si512(); 4];
            for block in text.as_chunks::<256>().0 {
                for (all, bytes) in all.iter_mut().zip(block.as_chunks::<64>().0) {
                    // SAFETY: the array has 64 bytes.
                    *all = _mm512_xor_si512(*all, unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) });
                }
            }
            let [a, b, c, d] = all;
            _mm512_reduce_add_epi64(_mm512_xor_si512(_mm512_xor_si512(a, b), _mm512_xor_si512(c, d))) as u64
        }

        #[target_feature(enable = "avx2")]
        fn half(text: &[u8]) -> u64 {
            let mut all = [_mm256_setzero_si256(); 4];
            for block in text.as_chunks::<128>().0 {
                for (all, bytes) in all.iter_mut().zip(block.as_chunks::<32>().0) {
                    // SAFETY: the array has 32 bytes.
                    *all = _mm256_xor_si256(*all, unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) });
                }
            }
            let [a, b, c, d] = all;
            let joined = _mm256_xor_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d));
            let halves = _mm_xor_si128(_mm256_castsi256_si128(joined), _mm256_extracti128_si256::<1>(joined));
            (_mm_extract_epi64::<0>(halves) ^ _mm_extract_epi64::<1>(halves)) as u64
        }

        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has the instructions.
            return unsafe { wide(text) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has the instructions.
            return unsafe { half(text) };
        }
    }
    text.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).fold(0, u64::wrapping_add)
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

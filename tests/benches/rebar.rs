//! `assay-finder` beside memchr and StringZilla, on the benchmarks by which those two measure themselves.
//!
//! `cargo bench -p assay-tests --bench rebar -- [FOLDER] [words=FILE ..] [only=PART]`
//!
//! FOLDER is `benchmarks` of a checkout of memchr. Its definitions for rebar (`definitions/memmem`) name needles,
//! haystacks and the numbers of matches; all models that they use for `memmem` are known here. `words=FILE` is what
//! StringZilla's own benchmark does with a text file: it searches the file for its words, from both ends. `only=en-`
//! takes the benchmarks whose names have this part.
//!
//! Searches take turns, and the time of one is the least of all rounds, because other programs make a search slower,
//! never faster. *One-shot* includes the preparation of the needle, for each match again; *prepared* does not. A wrong
//! number of matches ends the bench. `ASSAY_FINDER` in the
//! environment limits the instructions of `assay-finder`, not those of the others.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_finder::Finder;
use assay_finder::cpu::Available;
use memchr::memmem;
use stringzilla::stringzilla::StringZillableBinary;
use toml::{Table, Value};

/// Calls that are timed together take at least this long: a thousand times the error of a clock.
const BATCH: Duration = Duration::from_micros(30);

/// The time for all rounds of one search, and the limits of their number.
const ROUNDS: (Duration, usize, usize) = (Duration::from_millis(150), 5, 400);

/// Words of a file that are searched.
const WORDS: usize = 300;

fn main() {
    let mut benchmarks = Vec::new();
    let mut only = String::new();
    // Cargo adds `--bench`.
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match argument.split_once('=') {
            Some(("words", file)) => benchmarks.extend(words(Path::new(file))),
            Some(("only", part)) => part.clone_into(&mut only),
            _ => benchmarks.extend(definitions(Path::new(&argument))),
        }
    }
    benchmarks.retain(|benchmark| benchmark.name.contains(&only));
    if benchmarks.is_empty() {
        println!("Nothing to measure: name the folder `benchmarks` of a checkout of memchr, or words=FILE.");
        return;
    }
    println!("Instructions: {}. Times are in ns.", Available::best().get().name());
    let mut means = BTreeMap::<&str, Vec<f64>>::new();
    let width = benchmarks.iter().map(|benchmark| benchmark.name.len()).max().unwrap_or(0);
    for benchmark in &benchmarks {
        let entrants = benchmark.entrants();
        let times = times(&entrants, benchmark.count);
        let time = |name: &str| entrants.iter().position(|entrant| entrant.name == name).map(|at| times[at]);
        let mut line = format!("{:width$}", benchmark.name);
        for (entrant, time) in entrants.iter().zip(&times) {
            write!(line, "  {} {time:.1}", entrant.name).expect("a string takes all");
        }
        for (ours, theirs, ratio) in [
            ("one-shot", "memchr", "one-shot / memchr"),
            ("one-shot", "stringzilla", "one-shot / stringzilla"),
            ("prepared", "memchr-prepared", "prepared / memchr"),
        ] {
            if let (Some(ours), Some(theirs)) = (time(ours), time(theirs)) {
                write!(line, "  [{ratio}: {:.2}]", ours / theirs).expect("a string takes all");
                means.entry(ratio).or_default().push(ours / theirs);
            }
        }
        println!("{line}");
    }
    for (ratio, values) in means {
        let mean = (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp();
        let worst = values.iter().copied().fold(0.0, f64::max);
        let above = values.iter().filter(|value| **value > 1.1).count();
        println!(
            "{ratio}: {} benchmarks, geometric mean {mean:.3}, worst {worst:.2}, above 1.1: {above}",
            values.len()
        );
    }
}

/// What is searched in a round.
enum Model {
    /// All occurrences of the needle that do not overlap.
    Count,
    /// The first occurrence of each needle.
    NeedlesInHaystack,
    /// The first occurrence of each needle in itself and in each later one.
    NeedlesInNeedles,
    /// All occurrences of each needle that do not overlap, from the beginning or from the end.
    Words { reverse: bool },
}

/// A benchmark.
struct Benchmark {
    name: String,
    model: Model,
    needles: Vec<Vec<u8>>,
    haystack: Vec<u8>,
    /// Matches, if the definition says so.
    count: Option<usize>,
}

/// A way to search, which returns the number of matches.
struct Entrant<'a> {
    name: &'static str,
    search: Box<dyn Fn() -> usize + 'a>,
}

/// Counts occurrences from left to right, each found by a call of `find`.
#[inline(always)]
fn count_with(haystack: &[u8], length: usize, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let (mut count, mut begin) = (0, 0);
    while let Some(at) = haystack.get(begin..).and_then(&find) {
        count += 1;
        begin += at + length.max(1);
    }
    count
}

/// The same from right to left.
#[inline(always)]
fn count_back(haystack: &[u8], rfind: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let (mut count, mut end) = (0, haystack.len());
    while let Some(at) = rfind(&haystack[..end]) {
        count += 1;
        end = at;
    }
    count
}

impl<'a> Entrant<'a> {
    fn new(name: &'static str, search: impl Fn() -> usize + 'a) -> Self {
        Entrant { name, search: Box::new(search) }
    }
}

impl Benchmark {
    /// All ways to search that the model allows.
    fn entrants(&self) -> Vec<Entrant<'_>> {
        let (needles, haystack) = (&self.needles, self.haystack.as_slice());
        match self.model {
            Model::Count => of_count(haystack, &needles[0]),
            Model::NeedlesInHaystack => of_firsts(needles, |_| std::slice::from_ref(&self.haystack)),
            Model::NeedlesInNeedles => of_firsts(needles, |i| &needles[i..]),
            Model::Words { reverse: false } => of_words(haystack, needles),
            Model::Words { reverse: true } => of_words_reversed(haystack, needles),
        }
    }
}

/// Searches for all occurrences of one needle.
fn of_count<'a>(haystack: &'a [u8], needle: &'a [u8]) -> Vec<Entrant<'a>> {
    let (m, ours, theirs) = (needle.len(), Finder::new(needle), memmem::Finder::new(needle));
    vec![
        Entrant::new("one-shot", move || count_with(haystack, m, |text| assay_finder::find(text, needle))),
        Entrant::new("memchr", move || count_with(haystack, m, |text| memmem::find(text, needle))),
        Entrant::new("stringzilla", move || count_with(haystack, m, |text| text.sz_find(needle))),
        // Not `count`, which an iterator may answer without its items.
        Entrant::new("prepared", move || ours.find_iter(haystack).fold(0, |count, _| count + 1)),
        Entrant::new("memchr-prepared", move || theirs.find_iter(haystack).fold(0, |count, _| count + 1)),
    ]
}

/// Prepared searches for the first occurrence of the needle of each number, in each of its haystacks.
fn of_firsts<'a>(
    needles: &'a [Vec<u8>],
    haystacks: impl Fn(usize) -> &'a [Vec<u8>] + Copy + 'a,
) -> Vec<Entrant<'a>> {
    let ours: Vec<Finder<'_>> = needles.iter().map(Finder::new).collect();
    let theirs: Vec<memmem::Finder<'_>> = needles.iter().map(memmem::Finder::new).collect();
    let with_ours = move || {
        let found = |i: usize| haystacks(i).iter().filter(|text| ours[i].find(text).is_some()).count();
        (0..ours.len()).map(found).sum()
    };
    let with_theirs = move || {
        let found = |i: usize| haystacks(i).iter().filter(|text| theirs[i].find(text).is_some()).count();
        (0..theirs.len()).map(found).sum()
    };
    vec![Entrant::new("prepared", with_ours), Entrant::new("memchr-prepared", with_theirs)]
}

/// Searches for all occurrences of all words.
fn of_words<'a>(haystack: &'a [u8], needles: &'a [Vec<u8>]) -> Vec<Entrant<'a>> {
    let searches = needles.iter().map(|needle| of_count(haystack, needle)).collect::<Vec<_>>();
    let names: Vec<&'static str> = searches[0].iter().map(|entrant| entrant.name).collect();
    let searches = std::rc::Rc::new(searches);
    let all = |(at, name): (usize, &'static str)| {
        let searches = searches.clone();
        Entrant::new(name, move || searches.iter().map(|entrants| (entrants[at].search)()).sum())
    };
    names.into_iter().enumerate().map(all).collect()
}

/// The same from the end.
fn of_words_reversed<'a>(haystack: &'a [u8], needles: &'a [Vec<u8>]) -> Vec<Entrant<'a>> {
    let ours = |needle: &Vec<u8>| count_back(haystack, |text| assay_finder::rfind(text, needle));
    let memchr = |needle: &Vec<u8>| count_back(haystack, |text| memmem::rfind(text, needle));
    let stringzilla = |needle: &Vec<u8>| count_back(haystack, |text| text.sz_rfind(needle));
    vec![
        Entrant::new("one-shot", move || needles.iter().map(ours).sum()),
        Entrant::new("memchr", move || needles.iter().map(memchr).sum()),
        Entrant::new("stringzilla", move || needles.iter().map(stringzilla).sum()),
    ]
}

/// The least time of each search, in nanoseconds; they take turns.
fn times(entrants: &[Entrant<'_>], count: Option<usize>) -> Vec<f64> {
    let mut batches = Vec::new();
    for entrant in entrants {
        let found = (entrant.search)();
        let expected = count.unwrap_or_else(|| (entrants[0].search)());
        assert_eq!(found, expected, "matches of {}", entrant.name);
        let mut batch = 1;
        while elapsed(entrant, batch) < BATCH {
            batch *= 2;
        }
        batches.push(batch);
    }
    let round: Duration =
        entrants.iter().zip(&batches).map(|(entrant, batch)| elapsed(entrant, *batch)).sum();
    let (budget, least, most) = ROUNDS;
    let rounds = budget.as_nanos() * entrants.len() as u128 / round.as_nanos().max(1);
    let rounds = usize::try_from(rounds).unwrap_or(most).clamp(least, most);
    let mut times = vec![f64::INFINITY; entrants.len()];
    for _ in 0..rounds {
        for ((entrant, batch), time) in entrants.iter().zip(&batches).zip(&mut times) {
            *time = time.min(elapsed(entrant, *batch).as_nanos() as f64 / *batch as f64);
        }
    }
    times
}

/// The time of some calls.
fn elapsed(entrant: &Entrant<'_>, calls: usize) -> Duration {
    let begin = Instant::now();
    for _ in 0..calls {
        black_box((entrant.search)());
    }
    begin.elapsed()
}

/// The two benchmarks of a text file and its words.
fn words(file: &Path) -> [Benchmark; 2] {
    let haystack = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let words: Vec<&[u8]> = haystack.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let step = words.len().div_ceil(WORDS).max(1);
    let needles: Vec<Vec<u8>> = words.iter().step_by(step).map(|word| word.to_vec()).collect();
    [false, true].map(|reverse| Benchmark {
        name: format!(
            "words/{}/{}",
            file.file_name().unwrap_or_default().display(),
            if reverse { "rfind" } else { "find" }
        ),
        model: Model::Words { reverse },
        needles: needles.clone(),
        haystack: haystack.clone(),
        count: None,
    })
}

/// All benchmarks of memchr's definitions; says which are left out.
fn definitions(folder: &Path) -> Vec<Benchmark> {
    let mut benchmarks = Vec::new();
    let definitions = folder.join("definitions/memmem");
    let mut folders = vec![definitions.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("it can be listed").path()) {
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "toml")) {
        let group = file.strip_prefix(&definitions).expect("it was found there").with_extension("");
        let text = fs::read_to_string(file).expect("a definition is text");
        let table: Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for bench in table.get("bench").and_then(Value::as_array).into_iter().flatten() {
            let name = format!("{}/{}", group.display(), bench["name"].as_str().expect("a name is text"));
            match definition(folder, &name, bench) {
                Ok(benchmark) => benchmarks.push(benchmark),
                Err(reason) => println!("left out: {name}: {reason}"),
            }
        }
    }
    benchmarks
}

/// A benchmark of a definition, or why it can't be measured.
fn definition(folder: &Path, name: &str, bench: &Value) -> Result<Benchmark, String> {
    let read = |path: &PathBuf| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    // Text, or a table with the path of a file and nothing else that is not known here.
    let bytes = |key: &str, base: &str, known: &str| match bench.get(key) {
        Some(Value::String(text)) => Ok((text.clone().into_bytes(), false)),
        Some(Value::Table(table)) => match table.keys().find(|key| *key != "path" && *key != known) {
            Some(unknown) => Err(format!("`{key}.{unknown}` is not known here")),
            None => {
                let path = table.get("path").and_then(Value::as_str).ok_or(format!("`{key}` has no path"))?;
                Ok((read(&folder.join(base).join(path))?, true))
            }
        },
        _ => Err(format!("`{key}` is missing")),
    };
    let model = match bench.get("model").and_then(Value::as_str) {
        Some("count") => Model::Count,
        Some("needles-in-haystack") => Model::NeedlesInHaystack,
        Some("needles-in-needles") => Model::NeedlesInNeedles,
        other => return Err(format!("the model {other:?} is not known here")),
    };
    let needles = match bytes("regex", "regexes", "per-line")? {
        (text, false) => vec![unescaped(&text)],
        (text, true) => {
            text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(unescaped).collect()
        }
    };
    let (haystack, _) = bytes("haystack", "haystacks", "path")?;
    let count = bench.get("count").and_then(Value::as_integer).and_then(|count| usize::try_from(count).ok());
    Ok(Benchmark { name: name.to_owned(), model, needles, haystack, count })
}

/// A needle without the escapes that rebar allows: `\xHH`, `\n`, `\r`, `\t`, `\0` and `\\`.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let [byte, after @ ..] = rest {
        let escape = match rest {
            [b'\\', b'x', high, low, ..] => {
                let digits = [*high, *low];
                let digits =
                    str::from_utf8(&digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
                digits.map(|byte| (byte, 4))
            }
            [b'\\', b'n', ..] => Some((b'\n', 2)),
            [b'\\', b'r', ..] => Some((b'\r', 2)),
            [b'\\', b't', ..] => Some((b'\t', 2)),
            [b'\\', b'0', ..] => Some((0, 2)),
            [b'\\', b'\\', ..] => Some((b'\\', 2)),
            _ => None,
        };
        match escape {
            Some((byte, length)) => {
                bytes.push(byte);
                rest = &rest[length..];
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    bytes
}

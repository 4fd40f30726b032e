//! The texts that are searched.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_tests::{repository, shared};

/// A text of this name; none if it is a reference text and there are none.
pub fn text(name: &str, bytes: usize) -> Option<Vec<u8>> {
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
        "one" => vec![b'a'; bytes],
        "periodic" => repeated(b"abaab".to_vec()),
        "fibonacci" => fibonacci(bytes),
        "source" => repeated(source(&repository().join("host"))),
        file => repeated(read(PathBuf::from(file))),
    })
}

/// Knuth's linear congruential generator; its upper bits are the good ones.
pub struct Draws(pub u64);

impl Draws {
    /// A number below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
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

/// The Fibonacci string. Its words are b, a, ab, aba, abaab ..: each is the one before it and the one before
/// that, joined.
fn fibonacci(bytes: usize) -> Vec<u8> {
    let (mut before, mut text) = (b"b".to_vec(), b"a".to_vec());
    while text.len() < bytes {
        let next = [text.as_slice(), &before].concat();
        before = std::mem::replace(&mut text, next);
    }
    text.truncate(bytes);
    text
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

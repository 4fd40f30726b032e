//! Texts that are made of files. The files are found, compared with what is recorded of them, joined, and cut
//! to the length of the text.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;
use assay_base::io::numbers::grouped;
use assay_load::plugin::Registry;

use super::recorded::{self, TextRecord};
use super::text_spec::TextSpec;
use super::{selection, texts};

/// A text that was named and found: a file or a folder.
struct NamedText {
    name: String,
    path: PathBuf,
}

/// Files that were joined to a text.
#[derive(Debug)]
pub(crate) struct JoinedFiles {
    /// The joined bytes, at most as many as the text may have.
    pub(crate) bytes: Vec<u8>,
    /// Paths of the files that contributed bytes.
    pub(crate) sources: Vec<String>,
    /// The names that the user gave, in order, each with its files.
    parts: Vec<NamedFiles>,
}

/// Finds the files of a text and joins them.
///
/// # Errors
/// If a file is missing, can't be read, or differs from what is recorded of it.
pub(crate) fn read(spec: &TextSpec, registry: &Registry, console: &Console) -> Result<JoinedFiles> {
    let places = find_all(spec, registry, console)?;
    let then = if spec.force { &[] } else { spec.recorded.as_slice() };
    let joined = join(&places, spec.bytes, then, console)?;
    if let Some(cut) = joined.cut(spec.bytes) {
        console.note(&cut);
    }
    Ok(joined)
}

/// The files that a name contributed to a text.
#[derive(Debug)]
struct NamedFiles {
    name: String,
    files: Vec<TextRecord>,
}

/// Joins files until the text has `most` bytes. No more than that is read, because a file such as `/dev/zero`
/// may have no end; except that as much of each file is read as is recorded in `then`, to compare it.
fn join(places: &[NamedText], most: usize, then: &[TextRecord], console: &Console) -> Result<JoinedFiles> {
    let (mut bytes, mut sources, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for NamedText { name, path } in places {
        let paths = texts::files(path)?;
        let mut files: Vec<TextRecord> = paths.iter().map(|file| unread(name, path, file)).collect();
        let then: Vec<&TextRecord> = then.iter().filter(|then| then.name == *name).collect();
        recorded::same_files(&then, &files)?;
        for (index, (file, path)) in files.iter_mut().zip(&paths).enumerate() {
            let (start, missing) = (bytes.len(), most - bytes.len());
            let compared = then.get(index).map_or(0, |then| then.used);
            let needed = compared.max(missing as u64);
            if needed > 0 {
                read_file(path, needed, &mut bytes, console)
                    .map_err(|error| Error::io("read the text", path, &error))?;
            }
            *file = file.using(&bytes[start..], missing);
            then.get(index).map_or(Ok(()), |then| then.check(file, &bytes[start..]))?;
            bytes.truncate(most);
            if missing > 0 {
                sources.push(path.display().to_string());
            }
        }
        parts.push(NamedFiles { name: name.clone(), files });
    }
    Ok(JoinedFiles { bytes, sources, parts })
}

/// After this time without the end of a pipe, the user learns what the program waits for.
const SILENCE: Duration = Duration::from_secs(1);

/// Reads at most this number of bytes of a file. The writer of a pipe may never come, or never end.
fn read_file(path: &Path, most: u64, bytes: &mut Vec<u8>, console: &Console) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    // In advance, because a list that grows by doubling may ask for twice the memory of a large text.
    bytes.try_reserve_exact(usize::try_from(metadata.len().min(most)).unwrap_or(usize::MAX))?;
    let mut read = || File::open(path)?.take(most).read_to_end(bytes).map(drop);
    if !metadata.file_type().is_fifo() {
        return read();
    }
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
                let path = path.display();
                console.note(&format!("waiting for the text from the pipe `{path}`; Ctrl-C ends this"));
            }
        });
        let result = read();
        drop(done);
        result
    })
}

/// The record of a file before it is read.
fn unread(name: &str, place: &Path, file: &Path) -> TextRecord {
    let path = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    let size = fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    let inside = (place != file).then(|| file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    TextRecord {
        name: name.to_owned(),
        path: Some(path.display().to_string()),
        file: inside,
        seed: None,
        bytes: size,
        used: 0,
        sha256: None,
    }
}

/// How many names a note spells out, so that it stays a line.
const NAMED: usize = 3;

impl JoinedFiles {
    /// The records of the files, for repetitions of the experiment. A text that is named twice is recorded
    /// once.
    pub(crate) fn records(&self) -> Vec<TextRecord> {
        let mut names = HashSet::new();
        let parts = self.parts.iter().filter(|part| names.insert(part.name.as_str()));
        parts.flat_map(|part| part.files.iter().cloned()).collect()
    }

    /// The note that a text of at most `most` bytes does not hold all of its files; `None` if it does.
    fn cut(&self, most: usize) -> Option<String> {
        let files = || self.parts.iter().flat_map(|part| &part.files);
        let used: u64 = files().map(|file| file.used).sum();
        let all: u64 = files().map(|file| file.bytes.unwrap_or(0).max(file.used)).sum();
        // The length of a device or a pipe is unknown.
        let endless = used == most as u64 && files().any(|file| file.bytes.is_none());
        if used == all && !endless {
            return None;
        }
        let (of_all, size) = if endless {
            (String::new(), "for more".to_owned())
        } else {
            (format!(" of {}", grouped(all as f64, 0)), format!("{} for all", size(all)))
        };
        let unused = |part: &&NamedFiles| part.files.iter().all(|file| file.used == 0);
        let unused: Vec<&str> = self.parts.iter().filter(unused).map(|part| part.name.as_str()).collect();
        let without =
            if unused.is_empty() { String::new() } else { format!(", nothing of {}", list(&unused)) };
        let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
        let used = grouped(used as f64, 0);
        Some(format!(
            "text: the first {used}{of_all} bytes of {}{without} (--text-size {size})",
            list(&names)
        ))
    }
}

/// The first names, and the number of others.
fn list(names: &[&str]) -> String {
    match names.get(NAMED..).map_or(0, <[_]>::len) {
        0 => names.join(", "),
        others => format!("{} and {others} more", names[..NAMED].join(", ")),
    }
}

/// A size for `--text-size` of at least this many bytes, in a unit that suits it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..0x10_0000 => format!("{}KiB", bytes.div_ceil(1024)),
        _ => format!("{}MiB", bytes.div_ceil(1 << 20)),
    }
}

/// Finds the texts that are named, by their names or else at their recorded paths.
///
/// # Errors
/// If there is no such text. If the name is that of an algorithm or a corpus, the message says so.
fn find_all(spec: &TextSpec, registry: &Registry, console: &Console) -> Result<Vec<NamedText>> {
    let mut found = Vec::with_capacity(spec.files.len());
    for name in &spec.files {
        let Some(path) = path_of(name, spec, console) else {
            // A text that is there shows that only some of the words are wrong.
            let other = spec.files.iter().find(|other| texts::find(other).is_some());
            let others = other.map_or_else(String::new, |other| format!("`{other}` is there; "));
            return Err(not_a_text(name, spec, registry, &others));
        };
        found.push(NamedText { name: name.clone(), path });
    }
    Ok(found)
}

/// The path that the name of a text leads to, or else its recorded path, with a note.
fn path_of(name: &str, spec: &TextSpec, console: &Console) -> Option<PathBuf> {
    texts::find(name).or_else(|| {
        let path = before(name, &spec.recorded).filter(|path| path.exists())?;
        console.note(&format!("text: `{name}` is not found here, and taken from {}", path.display()));
        Some(path)
    })
}

/// The error that there is no text of this name. `others` is a clause about texts that are there.
fn not_a_text(name: &str, spec: &TextSpec, registry: &Registry, others: &str) -> Error {
    if let Some(path) = before(name, &spec.recorded) {
        return texts::missing(name)
            .after(&format!("{others}the text that was {} is gone; ", path.display()));
    }
    let (what, remedy) = if selection::named(name, registry).is_ok() {
        ("an algorithm", format!("all words after --text are texts; write `assay run {name} --text ..`"))
    } else if registry.corpus(name).is_ok() {
        ("a corpus", format!("write `--corpus {name}`, or `corpus:{name}` in a range and a call"))
    } else {
        return texts::missing(name).after(others);
    };
    Error::new(format!("{others}there is no text `{name}`, but {what} of this name")).remedy(remedy)
}

/// The recorded path of a text.
fn before(name: &str, recorded: &[TextRecord]) -> Option<PathBuf> {
    recorded.iter().find(|then| then.name == name)?.path.as_ref().map(PathBuf::from)
}

#[cfg(test)]
mod tests;

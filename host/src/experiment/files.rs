//! A text of files: found, held to what is recorded of them, joined, and cut to length.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::definition::TextSpec;
use super::recorded::{self, Recorded};
use super::text::Text;
use super::{selection, texts};
use crate::error::{Error, Result};
use crate::io::console::Console;
use crate::io::numbers::grouped;
use crate::plugin::Registry;

/// A text that is found: a file, or a folder of them.
struct Place {
    name: String,
    path: PathBuf,
}

/// Finds the files of a text and joins them.
///
/// # Errors
/// If one is missing, can't be read, or is not what is recorded of it.
pub fn read(spec: &TextSpec, registry: &Registry, console: &Console) -> Result<(Text, Vec<Recorded>)> {
    let places = find_all(spec, registry, console)?;
    let then = if spec.force { &[] } else { spec.recorded.as_slice() };
    let joined = join(&places, spec.bytes, then)?;
    if let Some(cut) = joined.cut(spec.bytes) {
        console.note(&cut);
    }
    let mut recorded = Vec::<Recorded>::new();
    for Part { name, files } in joined.parts {
        // A text may be named twice.
        if !recorded.iter().any(|known| known.name == name) {
            recorded.extend(files);
        }
    }
    Ok((joined.text, recorded))
}

/// Files, one after the other.
struct Joined {
    text: Text,
    parts: Vec<Part>,
}

/// What a name has given to a text.
struct Part {
    name: String,
    files: Vec<Recorded>,
}

/// Joins files until the text is long enough. No more is read of them, since one may have no end; but as much as is recorded of
/// each is compared.
fn join(places: &[Place], most: usize, then: &[Recorded]) -> Result<Joined> {
    let (mut text, mut sources, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for Place { name, path } in places {
        let paths = texts::files(path)?;
        let mut files: Vec<Recorded> = paths.iter().map(|file| unread(name, path, file)).collect();
        let then: Vec<&Recorded> = then.iter().filter(|then| then.name == *name).collect();
        recorded::same_files(&then, &files)?;
        for (index, (file, path)) in files.iter_mut().zip(&paths).enumerate() {
            let (start, missing) = (text.len(), most - text.len());
            let compared = then.get(index).map_or(0, |then| then.used);
            let needed = compared.max(missing as u64);
            if needed > 0 {
                File::open(path)
                    .and_then(|open| open.take(needed).read_to_end(&mut text))
                    .map_err(|error| Error::io("read the text", path, &error))?;
            }
            *file = file.using(&text[start..], missing);
            then.get(index).map_or(Ok(()), |then| then.check(file, &text[start..]))?;
            text.truncate(most);
            if missing > 0 {
                sources.push(path.display().to_string());
            }
        }
        parts.push(Part { name: name.clone(), files });
    }
    Ok(Joined { text: Text { bytes: text, sources }, parts })
}

/// What is known of a file before it is read.
fn unread(name: &str, place: &Path, file: &Path) -> Recorded {
    let path = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    let size = fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    let inside = (place != file).then(|| file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    Recorded {
        name: name.to_owned(),
        path: Some(path.display().to_string()),
        file: inside,
        seed: None,
        bytes: size,
        used: 0,
        sha256: None,
    }
}

/// Names that a note spells out.
const NAMED: usize = 3;

impl Joined {
    /// Says what of the files is not in a text of at most so many bytes, if there is something.
    fn cut(&self, most: usize) -> Option<String> {
        let files = || self.parts.iter().flat_map(|part| &part.files);
        let used: u64 = files().map(|file| file.used).sum();
        let all: u64 = files().map(|file| file.bytes.unwrap_or(0).max(file.used)).sum();
        // How long a device or a pipe is, nobody knows.
        let endless = used == most as u64 && files().any(|file| file.bytes.is_none());
        if used == all && !endless {
            return None;
        }
        let (of, size) = match endless {
            true => (String::new(), "for more".to_owned()),
            false => (format!(" of {}", grouped(all as f64, 0)), format!("{} for all", size(all))),
        };
        let unused = |part: &&Part| part.files.iter().all(|file| file.used == 0);
        let unused: Vec<&str> = self.parts.iter().filter(unused).map(|part| part.name.as_str()).collect();
        let without =
            if unused.is_empty() { String::new() } else { format!(", nothing of {}", list(&unused)) };
        let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
        let used = grouped(used as f64, 0);
        Some(format!("text: the first {used}{of} bytes of {}{without} (--text-size {size})", list(&names)))
    }
}

/// A few names, and how many others there are.
fn list(names: &[&str]) -> String {
    match names.get(NAMED..).map_or(0, <[_]>::len) {
        0 => names.join(", "),
        others => format!("{} and {others} more", names[..NAMED].join(", ")),
    }
}

/// A size that is not exceeded, in the unit that fits.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..0x10_0000 => format!("{}KiB", bytes.div_ceil(1024)),
        _ => format!("{}MiB", bytes.div_ceil(1 << 20)),
    }
}

/// Finds the texts of these names, or else where they were before. A word that is no text may be something else that the user
/// knows.
fn find_all(spec: &TextSpec, registry: &Registry, console: &Console) -> Result<Vec<Place>> {
    let names = &spec.files;
    let found = |name: &String| {
        let path = texts::find(name).or_else(|| {
            let path = before(name, &spec.recorded).filter(|path| path.exists())?;
            console.note(&format!("text: `{name}` is not found here, and taken from {}", path.display()));
            Some(path)
        })?;
        Some(Place { name: name.clone(), path })
    };
    let places: Vec<Option<Place>> = names.iter().map(found).collect();
    let Some(missing) = places.iter().position(Option::is_none) else {
        return Ok(places.into_iter().flatten().collect());
    };
    let name = &names[missing];
    let others = places.iter().flatten().map(|place| format!("`{}` is there; ", place.name));
    let others: String = others.take(1).collect();
    let instead = |what: &str, remedy: String| {
        Error::new(format!("{others}there is no text `{name}`, but {what} of this name")).remedy(remedy)
    };
    Err(if let Some(path) = before(name, &spec.recorded) {
        texts::missing(name).after(&format!("{others}the text that was {} is gone; ", path.display()))
    } else if selection::named(name, registry).is_ok() {
        let remedy = format!("all words behind --text are texts; write `assay run {name} --text ..`");
        instead("an algorithm", remedy)
    } else if registry.corpus(name).is_ok() {
        instead("a corpus", format!("write `--corpus {name}`, or `corpus:{name}` in a range and a call"))
    } else {
        texts::missing(name).after(&others)
    })
}

/// Where a text was.
fn before(name: &str, recorded: &[Recorded]) -> Option<PathBuf> {
    recorded.iter().find(|then| then.name == name)?.path.as_ref().map(PathBuf::from)
}

#[cfg(test)]
mod tests;

//! Remembers between runs which algorithms have passed their test, by the content of their libraries.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::error::Result;
use assay_base::io::atomic::Output;
use assay_base::io::folders;
use assay_base::moment;
use assay_load::plugin::exposure;
use serde::{Deserialize, Serialize};

use super::subject::Subject;

const FILE: &str = "tested.json";
/// How many builds of a library are remembered for an id, because checkouts beside each other share the
/// cache. More than a few are builds that no longer exist.
const MOST_CONTENTS: usize = 8;

/// The tests that algorithms have passed.
#[derive(Debug)]
pub struct Passes {
    folder: Option<PathBuf>,
    stored: StoredPasses,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredPasses {
    /// Version of the program that wrote the file. Another version may try other cases, so its passes do not
    /// count.
    version: String,
    /// Passes by the id of the algorithm, the newest last.
    passes: BTreeMap<String, Vec<StoredPass>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredPass {
    /// SHA-256 of the libraries of an algorithm and its twin, in hexadecimal.
    libraries: Vec<String>,
    #[serde(flatten)]
    pass: Pass,
}

/// A test that was passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Time of the test, such as `2026-01-02T03:04:05Z`.
    pub at: String,
    /// Whether it was a quick test, which tries only some of the cases.
    pub quick: bool,
}

impl Pass {
    /// A pass at the present time.
    pub fn now(quick: bool) -> Self {
        Pass { at: moment::now(), quick }
    }
}

impl Passes {
    /// Reads the passes in the user's cache folder. A file that can't be read, or that another version wrote,
    /// is ignored.
    pub fn open() -> Self {
        Passes::open_in(folders::cache())
    }

    fn open_in(folder: Option<PathBuf>) -> Self {
        // Where others may write, they could claim passes, and let a link lead to any file of the user.
        let folder = folder.filter(|folder| !exposure::is_exposed(folder, FILE));
        let file = folder.as_ref().map(|folder| folder.join(FILE));
        let text = file.filter(|file| file.is_file()).and_then(|file| fs::read(file).ok());
        let stored = text.and_then(|text| serde_json::from_slice::<StoredPasses>(&text).ok());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let stored = stored.filter(|stored| stored.version == version);
        Passes {
            folder,
            stored: stored.unwrap_or_else(|| StoredPasses { version, ..StoredPasses::default() }),
        }
    }

    /// The last full test that a subject has passed with its present libraries, or else the last quick one.
    pub fn latest(&self, subject: &Subject) -> Option<&Pass> {
        let libraries = libraries(subject);
        let newest_first = self.stored.passes.get(&subject.id)?.iter().rev();
        let passes = newest_first.filter(|stored| stored.libraries == libraries).map(|stored| &stored.pass);
        passes.min_by_key(|pass| pass.quick)
    }

    /// Whether a subject has passed a full test.
    pub fn has_passed(&self, subject: &Subject) -> bool {
        self.latest(subject).is_some_and(|pass| !pass.quick)
    }

    /// Remembers that a subject has passed a test, or forgets its passes if `pass` is `None`, because it
    /// failed. If the file can't be written, the result is lost when the program ends.
    pub fn remember(&mut self, subject: &Subject, pass: Option<Pass>) {
        // The file is read again, because another process may have written it.
        *self = Passes::open_in(self.folder.take());
        let libraries = libraries(subject);
        let passes = self.stored.passes.entry(subject.id.clone()).or_default();
        // A quick pass does not replace a full one.
        passes.retain(|old| {
            old.libraries != libraries || pass.as_ref().is_some_and(|new| new.quick && !old.pass.quick)
        });
        passes.extend(pass.map(|pass| StoredPass { libraries, pass }));
        passes.drain(..passes.len().saturating_sub(MOST_CONTENTS));
        self.stored.passes.retain(|_, passes| !passes.is_empty());
        if let Some(folder) = &self.folder {
            let _ = self.write(folder);
        }
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let file = Output::in_folder(folder, FILE)?;
        file.write(|out| Ok(serde_json::to_writer(out, &self.stored)?))
    }
}

fn libraries(subject: &Subject) -> Vec<String> {
    subject.variants.iter().map(|variant| variant.library.sha256.clone()).collect()
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::InspectedLibrary;

    use super::super::TestedVariant;
    use super::*;

    fn subject(id: &str, libraries: &[&str]) -> Subject {
        let variant = |sha256: &&str| TestedVariant {
            id: id.to_owned(),
            library: InspectedLibrary { path: PathBuf::new(), sha256: (*sha256).to_owned(), identity: None },
            cpu: Vec::new(),
        };
        Subject { id: id.to_owned(), variants: libraries.iter().map(variant).collect() }
    }

    #[test]
    fn a_pass_is_that_of_its_libraries_and_a_quick_one_is_no_full_one() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Passes::open_in(Some(folder.path().to_owned()));
        let (hor, changed) = (subject("hor", &["1", "2"]), subject("hor", &["1", "3"]));
        let passed = |quick| Some(Pass { at: "now".to_owned(), quick });
        let state = |subject| (open().latest(subject).is_some(), open().has_passed(subject));
        assert_eq!(state(&hor), (false, false));
        open().remember(&hor, passed(true));
        assert_eq!((state(&hor), state(&changed)), ((true, false), (false, false)));
        open().remember(&hor, passed(false));
        open().remember(&changed, passed(true));
        open().remember(&hor, passed(true));
        assert_eq!((state(&hor), state(&changed)), ((true, true), (true, false)));
        open().remember(&hor, None);
        assert_eq!((state(&hor), state(&changed)), ((false, false), (true, false)));
    }

    #[test]
    fn contents_that_are_long_gone_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut passes = Passes::open_in(Some(folder.path().to_owned()));
        for content in 0..20 {
            passes.remember(&subject("hor", &[&content.to_string()]), Some(Pass::now(false)));
        }
        assert!(passes.has_passed(&subject("hor", &["19"])) && !passes.has_passed(&subject("hor", &["0"])));
        assert_eq!(passes.stored.passes["hor"].len(), MOST_CONTENTS);
    }
}

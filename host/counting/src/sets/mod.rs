//! Event sets: named groups of events with formulas, in TOML files that users can drop into a folder of
//! plugins. A set has the same name on all machines, although it may stand for other events on each.

mod bound;
mod file;
mod relation;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

pub use bound::{BoundRelation, bound};
pub use file::INPUTS;
pub(crate) use file::Processor;
pub(crate) use relation::Relation;

use assay_base::error::{Error, Result, reason, unknown};
use assay_base::formula::Formula;
use assay_load::plugin::{is_id, printable};

/// The suffix of the file of a set. The name of the set stands before it.
const SUFFIX: &str = ".events.toml";

/// Sets that come with the program. A file of the same name is used in their place.
const SHIPPED: [(&str, &str); 8] = [
    ("branches", include_str!("shipped/branches.toml")),
    ("cache", include_str!("shipped/cache.toml")),
    ("cycles", include_str!("shipped/cycles.toml")),
    ("energy", include_str!("shipped/energy.toml")),
    ("faults", include_str!("shipped/faults.toml")),
    ("scheduling", include_str!("shipped/scheduling.toml")),
    ("time", include_str!("shipped/time.toml")),
    ("tlb", include_str!("shipped/tlb.toml")),
];

/// An event set: events with names of their own, metrics and relations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventSet {
    /// Its name, which users write after an `@`.
    pub name: String,
    /// What it is about, in a sentence.
    #[serde(deserialize_with = "in_one_line")]
    pub summary: String,
    /// The events by their names in formulas, each as `backend:event`. Events that the machine does not have
    /// are left out.
    pub events: BTreeMap<String, String>,
    /// The metrics, each computed for each search.
    pub metrics: Vec<SetMetric>,
    /// Relations that must hold for the counts of each call, such as `misses <= accesses`.
    #[serde(default)]
    pub always: Vec<String>,
}

/// A metric of an event set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetMetric {
    /// Its name within the set.
    pub name: String,
    /// Its unit; empty for plain numbers.
    #[serde(deserialize_with = "in_one_line")]
    pub unit: String,
    /// Formula over the names of the set and the facts about each search.
    #[serde(deserialize_with = "in_one_line")]
    pub formula: String,
    /// What it shows, in a sentence; empty if the formula is clear enough.
    #[serde(deserialize_with = "in_one_line")]
    pub summary: String,
}

/// Reads a text of a saved run as one printable line, because anybody may have written the file.
fn in_one_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).map(|text| printable::line(&text))
}

impl EventSet {
    /// The set with the events of the same names of another backend.
    #[must_use]
    pub fn for_backend(mut self, backend: &str) -> Self {
        for event in self.events.values_mut() {
            let name = event.split_once(':').map_or(event.as_str(), |(_, name)| name);
            *event = format!("{backend}:{name}");
        }
        self
    }

    /// The metrics by their names in results, `set.metric`, each with its parsed formula.
    pub fn formulas(&self) -> impl Iterator<Item = (String, &SetMetric, Formula)> {
        self.metrics.iter().filter_map(|metric| {
            // A run that a later version saved may have formulas that this version can't parse.
            Some((format!("{}.{}", self.name, metric.name), metric, Formula::parse(&metric.formula).ok()?))
        })
    }

    /// What a name in a formula stands for: an event, or a fact about each search.
    pub fn input<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        let known = || INPUTS.contains(&name).then_some(name);
        self.events.get(name).map(String::as_str).or_else(known)
    }
}

/// The event sets that users can name.
#[derive(Debug)]
pub struct EventSets {
    /// By name: the path of the file, and its content or the reason why it can't be read.
    sets: BTreeMap<String, (PathBuf, Result<String, String>)>,
    /// Files whose names are not valid names of sets.
    misnamed: Vec<PathBuf>,
    processor: Processor,
}

/// Greatest size of the file of a set, in bytes. A larger file is none that a person wrote.
const LARGEST: u64 = 1 << 20;

impl EventSets {
    /// The sets in the files of these folders, and those that come with the program. Of several files of the
    /// same name, the first counts.
    pub fn among(folders: &[PathBuf]) -> Self {
        Self::for_processor(folders, Processor::here())
    }

    /// The sets for this processor; see [`among`](Self::among).
    pub(crate) fn for_processor(folders: &[PathBuf], processor: Processor) -> Self {
        let (mut sets, mut misnamed) = (BTreeMap::new(), Vec::new());
        for folder in folders {
            // The search for libraries reports a folder that can't be read.
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
                let file =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                // Hidden files are skipped, because editors leave them beside the files that they edit.
                let Some(name) = file.strip_suffix(SUFFIX).filter(|name| !name.starts_with('.')) else {
                    continue;
                };
                if !is_id(name) {
                    misnamed.push(path);
                } else if !sets.contains_key(name) {
                    let text = text_of(&path);
                    sets.insert(name.to_owned(), (path, text));
                }
            }
        }
        for (name, text) in SHIPPED {
            let shipped = || (PathBuf::from(format!("built-in {name}.toml")), Ok(text.to_owned()));
            sets.entry(name.to_owned()).or_insert_with(shipped);
        }
        EventSets { sets, misnamed, processor }
    }

    /// A sentence for each file that no run can use, because it can't be read or its name is not valid.
    pub fn unusable(&self) -> impl Iterator<Item = String> + '_ {
        let unread = self
            .sets
            .values()
            .filter_map(|(path, text)| Some(unreadable(path, text.as_ref().err()?).to_string()));
        let misnamed = self.misnamed.iter().map(|path| {
            format!(
                "`{}` is no event set that can be asked for: a name has small letters, digits, `-` and `_`",
                printable::line(&path.display().to_string())
            )
        });
        unread.chain(misnamed)
    }

    /// Whether a set comes with the program.
    pub(crate) fn is_shipped(&self, name: &str) -> bool {
        let text = self.sets.get(name).and_then(|(_, text)| text.as_deref().ok());
        SHIPPED.iter().any(|(shipped, its)| *shipped == name && text == Some(*its))
    }

    /// The names of all sets.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.sets.keys().map(String::as_str)
    }

    /// The file of a set; `built-in NAME.toml` if it comes with the program.
    pub fn place(&self, name: &str) -> Option<&Path> {
        self.sets.get(name).map(|(path, _)| path.as_path())
    }

    /// A set by its name, for this machine.
    ///
    /// # Errors
    /// If there is none; the message has similar names. If its file is wrong; the message has file, line and
    /// what is wrong.
    pub fn find(&self, name: &str) -> Result<EventSet> {
        let (path, text) = self.sets.get(name).ok_or_else(|| unknown("event set", name, self.names()))?;
        let text = text.as_ref().map_err(|reason| unreadable(path, reason))?;
        file::read(name, text, &self.processor).map_err(|(line, message)| {
            Error::new(format!("{}:{line}: {message}", path.display()))
                .remedy("`assay counters sets --format json` shows sets to start from; leave the file out, or mend that line")
        })
    }

    /// All sets whose files are right.
    pub(crate) fn usable(&self) -> impl Iterator<Item = EventSet> {
        self.names().filter_map(|name| self.find(name).ok())
    }
}

/// The content of a regular file. Others are refused, because reading a pipe could wait for ever.
fn text_of(path: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| reason(&error);
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(failed)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("it is larger than {LARGEST} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

fn unreadable(path: &Path, reason: &str) -> Error {
    Error::new(format!(
        "can't read the event set `{}`: {reason}",
        printable::line(&path.display().to_string())
    ))
    .remedy("mend the file, or take it out of the folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_sets_are_in_order_on_every_machine() {
        let machine =
            |arch: &str, vendor: &str| Processor { arch: arch.to_owned(), vendor: vendor.to_owned() };
        let machines = [
            machine("x86_64", "GenuineIntel"),
            machine("x86_64", "AuthenticAMD"),
            machine("aarch64", "0x41"),
            machine("riscv64", ""),
        ];
        for (name, text) in SHIPPED {
            for processor in &machines {
                let set =
                    file::read(name, text, processor).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
                assert!(!set.events.is_empty() && set.formulas().count() == set.metrics.len(), "{set:?}");
                assert!(!set.metrics.is_empty() && set.summary.ends_with('.'), "{set:?}");
            }
        }
    }

    #[test]
    fn a_file_comes_before_what_is_built_in_and_a_broken_one_is_reported_only_where_it_is_used() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let set = "summary = \"Mine.\"\n[events]\nx = \"clock:ns\"\n";
        std::fs::write(first.path().join("branches.events.toml"), set).unwrap();
        std::fs::write(second.path().join("branches.events.toml"), "broken").unwrap();
        std::fs::write(second.path().join("bad.events.toml"), format!("{set}\ny = 3\n")).unwrap();
        std::fs::write(second.path().join("other.toml"), "broken").unwrap();
        let folders = [first.path().to_owned(), second.path().to_owned(), "/no/such/folder".into()];
        let sets = EventSets::among(&folders);
        assert_eq!(sets.find("branches").unwrap().summary, "Mine.");
        assert!(sets.find("cache").is_ok() && sets.names().any(|name| name == "bad"));
        let error = sets.find("bad").unwrap_err().to_string();
        assert!(error.contains("bad.events.toml:5: "), "{error}");
        assert!(sets.find("brnaches").unwrap_err().to_string().contains("did you mean branches"));
        assert_eq!(sets.usable().count() + 1, sets.names().count());
    }

    #[test]
    fn what_is_no_readable_file_costs_only_who_asks_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(format!("{name}.events.toml"));
        std::os::unix::fs::symlink("/no/such/file", at("dangling")).unwrap();
        std::os::unix::fs::symlink("/no/such/file", at(".#edited")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("endless")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        std::fs::write(at("latin-1"), b"summary = \"\xe9\"").unwrap();
        std::fs::write(at("large"), vec![b'#'; LARGEST as usize + 1]).unwrap();
        std::fs::write(at("a,b"), "summary = \"\"\n[events]\n").unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let sets = EventSets::among(&[folder.path().to_owned()]);
        assert_eq!(sets.usable().count(), SHIPPED.len());
        for (name, why) in [
            ("dangling", "No such file"),
            ("endless", "it is no file"),
            ("folder", "it is no file"),
            ("latin-1", "it is not UTF-8"),
            ("large", "it is larger than 1048576 bytes"),
            ("pipe", "it is no file"),
        ] {
            let error = sets.find(name).unwrap_err().to_string();
            assert!(error.contains(&format!("{name}.events.toml`: ")) && error.contains(why), "{error}");
        }
        assert_eq!(sets.unusable().count(), 7, "{:?}", sets.unusable().collect::<Vec<_>>());
        assert!(
            sets.unusable()
                .any(|told| told.contains("a,b.events.toml` is no event set that can be asked for"))
        );
        assert!(
            !sets.find("a").unwrap_err().to_string().contains("a,b"),
            "who can't be asked for is not proposed"
        );
    }

    #[test]
    fn texts_of_a_saved_run_are_lines() {
        let saved =
            r#"{"name":"n","unit":"\u001b]0;x\u0007us\nfoo","formula":"1\n","summary":"a\u001b[31m"}"#;
        let metric: SetMetric = serde_json::from_str(saved).unwrap();
        assert_eq!(
            (metric.unit.as_str(), metric.formula.as_str(), metric.summary.as_str()),
            ("us foo", "1 ", "a")
        );
    }

    #[test]
    fn a_set_can_be_counted_by_another_backend() {
        let set = EventSets::among(&[]).find("branches").unwrap().for_backend("cachegrind");
        assert!(set.events.values().all(|event| event.starts_with("cachegrind:branch")), "{set:?}");
        assert_eq!((set.input("ns"), set.input("other")), (Some("ns"), None));
    }
}

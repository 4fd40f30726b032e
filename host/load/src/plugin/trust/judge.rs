//! Decides which of the libraries that were found may be loaded, before anything of them is.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::{abridged, counted};
use assay_base::io::shell::quoted;

use super::policy::{POLICY_OPTION, POLICY_VARIABLE, TrustPolicies, TrustPolicy};
use super::{AcceptedLibraries, Trust, exposure, shipped, short};
use crate::plugin::cache::Cache;
use crate::plugin::discovery::FoundFile;
use crate::plugin::elf;
use crate::plugin::failure::{LoadFailure, Stage};
use crate::plugin::registry::Problem;

/// Asks the user whether a library is to be trusted.
type Ask = Box<dyn FnMut(&TrustQuestion<'_>) -> Result<bool>>;

/// Decides about libraries by the policies, by what the user has accepted, and by what the user answers.
pub struct Judge {
    policies: TrustPolicies,
    accepted: AcceptedLibraries,
    ask: Option<Ask>,
    /// Hashes of the shipped libraries. A copy of one is as good, wherever it lies.
    shipped: HashSet<String>,
    /// Names of libraries that are used although they are not trusted, by their folder.
    used: BTreeMap<PathBuf, Vec<String>>,
    /// Names of libraries that are left out because they are not trusted, by their folder.
    left_out: BTreeMap<PathBuf, Vec<String>>,
    problems: Vec<Problem>,
}

/// A library about which the user is asked.
#[derive(Clone, Copy, Debug)]
pub struct TrustQuestion<'a> {
    /// The file.
    pub path: &'a Path,
    /// SHA-256 of its content.
    pub sha256: &'a str,
    /// SHA-256 of the content that the user has accepted earlier.
    pub accepted: Option<&'a str>,
}

/// A decision about a library.
#[derive(Debug)]
pub(in crate::plugin) struct TrustVerdict {
    /// What is known of it.
    pub trust: Trust,
    /// Why it is not loaded; `None` if it may be.
    pub refusal: Option<LoadFailure>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("policies", &self.policies).finish_non_exhaustive()
    }
}

impl Judge {
    /// A judge with the libraries that the user has accepted, who asks nobody.
    ///
    /// # Errors
    /// If the list of accepted libraries can't be read.
    pub fn new(policies: TrustPolicies) -> Result<Self> {
        Ok(Judge {
            policies,
            accepted: AcceptedLibraries::open()?,
            ask: None,
            shipped: HashSet::new(),
            used: BTreeMap::new(),
            left_out: BTreeMap::new(),
            problems: Vec::new(),
        })
    }

    /// A judge who asks the user in this way where the policy wants it.
    #[must_use]
    pub fn asking(self, ask: impl FnMut(&TrustQuestion<'_>) -> Result<bool> + 'static) -> Self {
        Judge { ask: Some(Box::new(ask)), ..self }
    }

    /// Notes the hash of a file if it is a shipped library. All files are noted before the first is judged.
    pub(in crate::plugin) fn note(&mut self, path: &Path, sha256: &str) {
        if shipped::is_shipped(path) && matches!(exposure::of_library(path), Ok(None)) {
            self.shipped.insert(sha256.to_owned());
        }
    }

    /// Notes all shipped libraries, for a judge of a single library, because a copy of one is as good.
    pub(in crate::plugin) fn note_shipped(&mut self, cache: &mut Cache) {
        for file in shipped::files() {
            if let Ok((sha256, _)) = cache.hash(&file) {
                self.note(&file, &sha256);
            }
        }
    }

    /// What is known of a library that the user names for a closer look, which needs no trust.
    pub(in crate::plugin) fn look(&self, path: &Path, sha256: &str) -> TrustVerdict {
        match exposed(path) {
            Some(failure) => TrustVerdict { trust: Trust::Exposed, refusal: Some(failure) },
            None => TrustVerdict { trust: self.known(path, sha256), refusal: None },
        }
    }

    /// The SHA-256 of a library that the user names, and what is known of it. It is not loaded.
    ///
    /// # Errors
    /// If it can't be read, is no shared library for this machine, or if others may write to it.
    pub fn trust_of(&mut self, path: &Path) -> Result<(String, Trust)> {
        let mut cache = Cache::open();
        self.note_shipped(&mut cache);
        let hash = cache.hash(path).map_err(|error| Error::io("read plugin library", path, &error));
        cache.save();
        let (sha256, _) = hash?;
        let TrustVerdict { trust, refusal } = self.look(path, &sha256);
        match refusal.or_else(|| elf::check(path).err()) {
            Some(failure) => Err(Error::new(failure.to_string())),
            None => Ok((sha256, trust)),
        }
    }

    /// Decides about a library that was found.
    ///
    /// # Errors
    /// If the user can't be asked, or if the answer can't be kept.
    pub(in crate::plugin) fn judge(&mut self, file: &FoundFile, sha256: &str) -> Result<TrustVerdict> {
        let path = file.path.as_path();
        let TrustVerdict { trust, refusal } = self.look(path, sha256);
        if let Some(failure) = refusal {
            self.report_exposed(&failure);
            return Ok(TrustVerdict { trust, refusal: Some(failure) });
        }
        let earlier = match &trust {
            Trust::Shipped | Trust::Accepted => return Ok(TrustVerdict { trust, refusal: None }),
            Trust::Changed { accepted } => Some(accepted.as_str()),
            Trust::Unknown | Trust::Exposed => None,
        };
        let policy = if file.named { &self.policies.named } else { &self.policies.found };
        let is_used = match policy.value {
            TrustPolicy::Allow => return Ok(TrustVerdict { trust, refusal: None }),
            TrustPolicy::Warn => true,
            TrustPolicy::Deny => false,
            TrustPolicy::Ask => match &mut self.ask {
                None => false,
                Some(ask) => {
                    if ask(&TrustQuestion { path, sha256, accepted: earlier })? {
                        self.accepted.accept(path, sha256);
                        self.accepted.save()?;
                        return Ok(TrustVerdict { trust: Trust::Accepted, refusal: None });
                    }
                    // The user knows already, so there is nothing to warn of.
                    return Ok(TrustVerdict {
                        trust,
                        refusal: Some(not_trusted(path, "you have refused it")),
                    });
                }
            },
        };
        match earlier {
            Some(earlier) => self.report_changed(path, (earlier, sha256), is_used),
            None => {
                let names = if is_used { &mut self.used } else { &mut self.left_out };
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                names.entry(path.parent().unwrap_or(path).to_owned()).or_default().push(name);
            }
        }
        Ok(TrustVerdict { trust, refusal: (!is_used).then(|| not_trusted(path, "it is not trusted")) })
    }

    fn known(&self, path: &Path, sha256: &str) -> Trust {
        if self.shipped.contains(sha256) {
            return Trust::Shipped;
        }
        if self.accepted.content(sha256).is_some() {
            return Trust::Accepted;
        }
        match self.accepted.path(path) {
            Some(earlier) => Trust::Changed { accepted: earlier.sha256.clone() },
            None => Trust::Unknown,
        }
    }

    fn report_exposed(&mut self, failure: &LoadFailure) {
        let message = failure.to_string();
        // The remedy names the folder at fault, of which one line is enough.
        let is_new = |known: &&Problem| known.message.ends_with(&failure.remedy);
        match self.problems.iter().find(is_new) {
            Some(_) => {}
            None => self.problems.push(Problem::new(message)),
        }
    }

    fn report_changed(&mut self, path: &Path, (earlier, now): (&str, &str), is_used: bool) {
        let shown = path.display();
        let message = format!(
            "`{shown}` has changed since you accepted it: its SHA-256 begins with {}, that of the accepted content with {}; \
             it is {}; {}",
            short(now),
            short(earlier),
            if is_used { "used nevertheless" } else { "left out" },
            remedy(path, "what it is now"),
        );
        self.problems.push(Problem { is_used, ..Problem::new(message) });
    }

    /// The problems of all libraries that were judged: a line for each folder.
    pub(in crate::plugin) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems;
        for (folder, names) in self.left_out {
            let message = format!(
                "{} of `{}` {} left out, because you have not accepted {}: {}; {}; {POLICY_OPTION} warn or \
                 {POLICY_VARIABLE}=warn loads what is not accepted, with a warning",
                counted_libraries(names.len()),
                folder.display(),
                if names.len() == 1 { "is" } else { "are" },
                if names.len() == 1 { "it" } else { "them" },
                abridged(&names),
                remedy(&folder, "what is there now"),
            );
            problems.push(Problem::new(message));
        }
        for (folder, names) in self.used {
            let message = format!(
                "{} of `{}` {} not trusted, and used nevertheless: {}; {}",
                counted_libraries(names.len()),
                folder.display(),
                if names.len() == 1 { "is" } else { "are" },
                abridged(&names),
                remedy(&folder, "what is there now"),
            );
            problems.push(Problem { is_used: true, ..Problem::new(message) });
        }
        problems
    }
}

/// "1 library", "2 libraries".
fn counted_libraries(number: usize) -> String {
    if number == 1 { counted(1, "library") } else { format!("{number} libraries") }
}

/// The command that accepts a file or a folder.
fn remedy(path: &Path, what: &str) -> String {
    format!("`assay plugins trust {}` accepts {what}", quoted(&path.to_string_lossy()))
}

/// The failure of a library that is not loaded because it is not trusted.
fn not_trusted(path: &Path, found: &str) -> LoadFailure {
    let remedy = remedy(path, "it");
    LoadFailure::new(path, Stage::Trust, found, "a library that you trust", &remedy).passing()
}

/// The failure of a library to which others may write.
fn exposed(path: &Path) -> Option<LoadFailure> {
    // A file that is gone has no owner; reading it says so.
    let exposure = exposure::of_library(path).ok().flatten()?;
    let expected = "a file and a folder to which only you and root may write";
    Some(LoadFailure::new(path, Stage::Trust, exposure.to_string(), expected, &exposure.remedy()).passing())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use assay_base::io::setting::Setting;

    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222222222222222222222222222";

    /// A judge with nothing accepted.
    fn judge(named: TrustPolicy, found: TrustPolicy) -> Judge {
        Judge {
            policies: TrustPolicies { named: Setting::default(named), found: Setting::default(found) },
            accepted: AcceptedLibraries::default(),
            ask: None,
            shipped: HashSet::new(),
            used: BTreeMap::new(),
            left_out: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    fn library(folder: &Path, name: &str, named: bool) -> FoundFile {
        let path = folder.join(name);
        fs::write(&path, name).unwrap();
        FoundFile { path, named }
    }

    #[test]
    fn a_folder_gets_one_line_and_what_is_trusted_none() {
        let (named, found) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut judge = judge(TrustPolicy::Warn, TrustPolicy::Ask);
        let mut is_used =
            |file: &FoundFile, sha256: &str| judge.judge(file, sha256).unwrap().refusal.is_none();
        assert!(is_used(&library(named.path(), "a.so", true), ONE));
        assert!(is_used(&library(named.path(), "b.so", true), TWO));
        assert!(!is_used(&library(found.path(), "c.so", false), ONE), "there is nobody to ask");
        let trusted = library(named.path(), "d.so", true);
        judge.accepted.accept(&trusted.path, &ONE.replace('1', "3"));
        assert_eq!(judge.judge(&trusted, &ONE.replace('1', "3")).unwrap().trust, Trust::Accepted);
        let problems = judge.into_problems();
        let lines: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        let [named, found] = [named.path(), found.path()].map(Path::display);
        assert_eq!(
            lines,
            [
                format!(
                    "1 library of `{found}` is left out, because you have not accepted it: c.so; \
                     `assay plugins trust {found}` accepts what is there now; --trust warn or ASSAY_TRUST=warn \
                     loads what is not accepted, with a warning"
                ),
                format!(
                    "2 libraries of `{named}` are not trusted, and used nevertheless: a.so b.so; \
                     `assay plugins trust {named}` accepts what is there now"
                ),
            ]
        );
        assert_eq!(problems.iter().map(|problem| problem.is_used).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn a_changed_library_is_named_with_both_hashes() {
        let folder = tempfile::tempdir().unwrap();
        let mut judge = judge(TrustPolicy::Warn, TrustPolicy::Deny);
        let file = library(folder.path(), "a.so", true);
        judge.accepted.accept(&file.path, ONE);
        let verdict = judge.judge(&file, TWO).unwrap();
        assert_eq!((verdict.trust, verdict.refusal), (Trust::Changed { accepted: ONE.to_owned() }, None));
        let message = judge.into_problems().remove(0).message;
        assert!(message.contains("begins with 222222222222, that of the accepted content with 111111111111"));
    }

    #[test]
    fn others_may_not_write_even_to_what_is_trusted_or_allowed() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o757)).unwrap();
        let mut judge = judge(TrustPolicy::Allow, TrustPolicy::Allow);
        for name in ["a.so", "b.so"] {
            let file = library(folder.path(), name, true);
            judge.accepted.accept(&file.path, ONE);
            let verdict = judge.judge(&file, ONE).unwrap();
            assert_eq!((verdict.trust, verdict.refusal.unwrap().stage), (Trust::Exposed, Stage::Trust));
        }
        let problems = judge.into_problems();
        let remedy = format!("run `chmod o-w {}`", folder.path().display());
        assert!(problems.len() == 1 && problems[0].message.ends_with(&remedy), "{problems:?}");
    }
}

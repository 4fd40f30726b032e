//! Errors that the user can fix.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;

use crate::natural_order;

/// Wrong usage or unusable input: one message that names the culprit, and what to do about it. The program
/// ends with exit status 2. Whatever is not the user's to fix is a bug, and may panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    remedy: Option<String>,
    interruption: bool,
    kind: Option<io::ErrorKind>,
}

/// The result of functions that depend on the input of the user.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A message that names the file, line or flag at fault.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), remedy: None, interruption: false, kind: None }
    }

    /// The error that the user has interrupted the program, which then ends with exit status 130.
    pub fn interruption(message: impl Into<String>) -> Self {
        Error { interruption: true, ..Error::new(message) }
    }

    /// Whether the user has interrupted the program.
    pub fn is_interruption(&self) -> bool {
        self.interruption
    }

    /// Whether a disk was full, so that the same may succeed when it is not.
    pub fn is_no_space(&self) -> bool {
        matches!(self.kind, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
    }

    /// Whether a file may not be used, which says nothing about its content.
    pub fn is_denied(&self) -> bool {
        self.kind == Some(io::ErrorKind::PermissionDenied)
    }

    /// What is wrong and where, without the remedy, for a message that says itself what to do.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Adds the remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// Adds the remedy if there is none yet.
    #[must_use]
    pub fn remedy_otherwise(self, remedy: impl Into<String>) -> Self {
        if self.remedy.is_some() { self } else { self.remedy(remedy) }
    }

    /// Puts the file before the message: "`x.csv`: line 3 ..".
    #[must_use]
    pub fn within(self, path: &Path) -> Self {
        Error { message: format!("`{}`: {}", path.display(), self.message), ..self }
    }

    /// Says the same in other words.
    #[must_use]
    pub fn map(self, mut words: impl FnMut(&str) -> String) -> Self {
        Error { message: words(&self.message), remedy: self.remedy.as_deref().map(words), ..self }
    }

    /// Puts words before the message.
    #[must_use]
    pub fn after(self, words: &str) -> Self {
        Error { message: format!("{words}{}", self.message), ..self }
    }

    /// A failed operation on a file: "can't read `x.csv`: No such file or directory".
    pub fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        let message = Error::new(format!("can't {what} `{}`: {}", path.display(), reason(error)));
        Error { kind: Some(error.kind()), ..message.remedy(remedy(path, error)) }
    }

    /// A file, or a place in it, that holds other bytes than text.
    pub fn not_text(place: &str) -> Self {
        Error::new(format!("{place}: this is not a text file"))
            .remedy("a CSV file is expected, in UTF-8 (`iconv` converts other encodings)")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.remedy {
            Some(remedy) => write!(f, "\n  help: {remedy}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// What to do if there is no room for a file.
pub(crate) const NO_SPACE: &str = "free some space, or name a place elsewhere";

/// The remedy for a failed operation on a file.
fn remedy(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match error.kind() {
        io::ErrorKind::NotFound => match folder.filter(|folder| !folder.exists()) {
            Some(folder) => format!("there is no folder `{}`: make it, or name another", folder.display()),
            None => "check the spelling of the path; relative paths begin in the current folder".to_owned(),
        },
        io::ErrorKind::PermissionDenied => {
            let shown = folder.filter(|_| !path.exists()).unwrap_or(path);
            format!(
                "`ls -ld {}` shows whose it is and who may use it; ask the owner, or name another path",
                shown.display()
            )
        }
        io::ErrorKind::IsADirectory => "this is a folder: name a file".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is a file: name a folder there".to_owned(),
        io::ErrorKind::AlreadyExists => "name another, or move the old one away".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => {
            "its file system is read-only: name a place elsewhere".to_owned()
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            NO_SPACE.to_owned()
        }
        io::ErrorKind::InvalidData => "it should be a text in UTF-8: name another file".to_owned(),
        _ => format!("correct the cause, or name another file than `{}`", path.display()),
    }
}

/// An error of the system in words, without its number.
pub fn reason(error: &io::Error) -> String {
    let mut reason = error.to_string();
    reason.truncate(reason.find(" (os error").unwrap_or(reason.len()));
    reason
}

/// Greatest number of characters of a text that a message quotes, so that it stays readable.
const EXCERPT: usize = 60;

/// The beginning of a text, short enough to be quoted in a message.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(EXCERPT) {
        None => text.into(),
        Some((end, _)) => format!("{}..", &text[..end]).into(),
    }
}

/// The names of `known` that are similar to one that was not found, for an error message: those with the same
/// beginning, and those that differ by a few typing errors. Shorter names may have fewer errors; swapped
/// letters are one error.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > MOST_COMPARED {
        return Vec::new();
    }
    let name = name.to_lowercase();
    let slips = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let length = name.chars().count().max(candidate.chars().count());
        let slips = strsim::osa_distance(&name, &candidate);
        let shares = |one: &str, other: &str| !one.is_empty() && other.starts_with(one);
        let begins = shares(&name, &candidate) || shares(&candidate, &name);
        (begins || (slips <= (length / 3).max(1) && slips < length)).then_some((slips, !begins))
    };
    let mut scored: Vec<((usize, bool), &str)> =
        known.into_iter().filter_map(|candidate| Some((slips(candidate)?, candidate))).collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(5).map(|(_, candidate)| candidate).collect()
}

/// The most bytes of a name to which others may be similar. No name is as long, and the time grows with its square.
const MOST_COMPARED: usize = 200;

/// The most bytes of names that are listed if none is similar: a few lines.
const MOST_LISTED: usize = 500;

/// The names of `known` that have the most parts in common with one that was not found, such as
/// `kernel.all.load` for `kernel.percpu.load`: at least one part, apart from the first.
fn akin<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let parts = |name: &str| -> Vec<String> {
        let parts = name.split(|letter: char| !letter.is_alphanumeric()).filter(|part| part.len() > 1);
        parts.map(str::to_lowercase).collect()
    };
    let wanted = parts(name);
    let score = |candidate: &str| {
        let parts = parts(candidate);
        let shared = wanted.iter().filter(|part| parts.iter().skip(1).any(|other| other == *part)).count();
        (shared, shared + usize::from(parts.first() == wanted.first()))
    };
    let scored = known.into_iter().map(|candidate| (score(candidate), candidate));
    let mut scored: Vec<((usize, usize), &str)> = scored.filter(|((shared, _), _)| *shared > 0).collect();
    scored.sort_unstable_by(|(a, name), (b, other)| b.1.cmp(&a.1).then(name.cmp(other)));
    scored.dedup();
    scored.into_iter().take(5).map(|(_, candidate)| candidate).collect()
}

/// "unknown metric `gpbs`", with what was probably meant.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Error {
    let mut close = near(name, known.clone());
    if close.is_empty() {
        close = akin(name, known.clone());
    }
    let remedy = if close.is_empty() {
        let mut all: Vec<&str> = known.into_iter().collect();
        all.sort_unstable_by(|one, other| natural_order(one, other));
        let mut length = 0;
        let fits = |name: &&&str| {
            length += name.len() + ", ".len();
            length <= MOST_LISTED
        };
        let listed = all.iter().take_while(fits).count().max(1).min(all.len());
        let more = all.len() - listed;
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        format!("there are: {}{more}", all[..listed].join(", "))
    } else {
        format!("did you mean {}?", close.join(", "))
    };
    Error::new(format!("unknown {what} `{}`", excerpt(name))).remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_a_few_slips_away() {
        let near = |name| near(name, ["bf", "bm", "bndm", "hor", "hrm", "qs", "stat_hor", "tunedbm"]);
        assert_eq!(near("hro"), ["hor", "hrm"]);
        assert_eq!(near("HMR"), ["hor", "hrm"]);
        assert_eq!(near("mb"), ["bm"]);
        assert_eq!(near("horspool"), ["hor"]);
        assert_eq!(near("b"), ["bf", "bm", "bndm"]);
        assert_eq!(near("tuendbm"), ["tunedbm"]);
        assert!(near("zz").is_empty() && near("foo").is_empty() && near("").is_empty());
    }

    #[test]
    fn long_texts_are_quoted_in_part() {
        assert_eq!(excerpt("short"), "short");
        let error = unknown("metric", &"é".repeat(5000), ["gbps"]).to_string();
        assert_eq!(error, format!("unknown metric `{}..`\n  help: there are: gbps", "é".repeat(60)));
        let many: Vec<String> = (0..2000).map(|number| format!("metric-{number:04}")).collect();
        let error = unknown("metric", "zz", many.iter().map(String::as_str)).to_string();
        assert!(error.ends_with("metric-0036, metric-0037, and 1962 more") && error.len() < 600, "{error}");
        let long = "x".repeat(MOST_LISTED);
        assert!(
            unknown("metric", "zz", [long.as_str()]).to_string().ends_with(&long),
            "one is always listed"
        );
    }

    #[test]
    fn of_many_names_in_parts_those_are_meant_that_share_parts() {
        let names = ["kernel.all.load", "kernel.all.cpu.user", "mem.util.free", "disk.dev.read"];
        let meant = |name| unknown("event", name, names).to_string();
        assert!(meant("load_average_load").ends_with("did you mean kernel.all.load?"));
        assert!(meant("kernel.percpu.cpu.user").ends_with("did you mean kernel.all.cpu.user?"));
        assert!(
            meant("kernel.nothing.such").contains("there are: disk.dev.read, "),
            "the first part is no sign"
        );
    }

    #[test]
    fn every_failed_operation_on_a_file_has_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let remedy = |path: &Path, kind: io::ErrorKind| {
            let error = Error::io("read", path, &kind.into());
            error.remedy.clone().unwrap()
        };
        let missing = folder.path().join("missing/x.csv");
        assert!(remedy(&missing, io::ErrorKind::NotFound).starts_with("there is no folder `"));
        assert!(remedy(Path::new("x.csv"), io::ErrorKind::NotFound).starts_with("check the spelling"));
        let ours = folder.path().join("x.csv");
        let parent = format!("`ls -ld {}`", folder.path().display());
        assert!(remedy(&ours, io::ErrorKind::PermissionDenied).starts_with(&parent));
        let other = remedy(&ours, io::ErrorKind::Other);
        assert!(other.contains("x.csv"), "{other}");
    }

    #[test]
    fn the_kind_of_an_error_is_kept_whatever_is_said_about_it() {
        let worded = |kind: io::ErrorKind| {
            let error = Error::io("read", Path::new("x"), &kind.into()).within(Path::new("y")).after("z: ");
            let error = error.map(str::to_uppercase).remedy("ask").remedy_otherwise("wait");
            (error.is_denied(), error.is_no_space())
        };
        assert_eq!(worded(io::ErrorKind::PermissionDenied), (true, false));
        assert_eq!(worded(io::ErrorKind::StorageFull), (false, true));
        assert_eq!(worded(io::ErrorKind::NotFound), (false, false));
    }
}

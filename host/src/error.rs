//! What the user can fix.

use std::fmt;
use std::io;
use std::path::Path;

/// Wrong usage or unusable input: one message that names the culprit, and what to do about it. The program ends with
/// exit status 2. Whatever is not the user's to fix is a bug, and may panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    remedy: Option<String>,
}

/// The result of everything that depends on what the user gave.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A message that names the file, line or flag at fault.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), remedy: None }
    }

    /// Adds what to do.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// Says in which file it is: "`x.csv`: line 3 ..".
    #[must_use]
    pub fn within(self, path: &Path) -> Self {
        Error { message: format!("`{}`: {}", path.display(), self.message), ..self }
    }

    /// A failed operation on a file: "can't read `x.csv`: No such file or directory".
    pub fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or(&reason);
        Error::new(format!("can't {what} `{}`: {reason}", path.display()))
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

/// The names of `known` nearest to one that was not found, for an error message.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score > 0.7)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(5).map(|(_, candidate)| candidate).collect()
}

/// "unknown metric `gpbs`", with what was probably meant.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Error {
    let close = near(name, known.clone());
    let remedy = if close.is_empty() {
        let mut all: Vec<&str> = known.into_iter().collect();
        all.sort_unstable();
        format!("there are: {}", all.join(", "))
    } else {
        format!("did you mean {}?", close.join(", "))
    };
    Error::new(format!("unknown {what} `{name}`")).remedy(remedy)
}

//! Settings: values with the place that they come from, for messages and for `assay config`.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// A value in force, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: SettingSource,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// An option of the command line.
    Option(&'static str),
    /// An environment variable.
    Variable(&'static str),
    /// A file of the user's configuration.
    File(PathBuf),
    /// Nothing was set.
    Default,
}

impl<T> Setting<T> {
    /// The value of an option.
    pub fn option(name: &'static str, value: T) -> Self {
        Setting { value, source: SettingSource::Option(name) }
    }

    /// The value of an environment variable.
    pub fn variable(name: &'static str, value: T) -> Self {
        Setting { value, source: SettingSource::Variable(name) }
    }

    /// The value in force if nothing is set.
    pub fn default(value: T) -> Self {
        Setting { value, source: SettingSource::Default }
    }

    /// Another value that comes from the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: change(self.value), source: self.source }
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::Option(name) | SettingSource::Variable(name) => f.write_str(name),
            SettingSource::File(path) => write!(f, "{}", path.display()),
            SettingSource::Default => f.write_str("default"),
        }
    }
}

/// The value of an environment variable that is set and not empty.
pub fn variable(name: &'static str) -> Option<Setting<OsString>> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(Setting::variable(name, value))
}

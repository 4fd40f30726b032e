//! The folders of the user, by the XDG rules.

use std::env;
use std::path::PathBuf;

use super::setting::{Setting, variable};

/// The folder for data, such as plugin libraries: `assay` in `XDG_DATA_HOME`.
pub fn data() -> Option<PathBuf> {
    data_setting().map(|setting| setting.value)
}

/// The folder for files that can be made again: `ASSAY_CACHE_DIR`, or else `assay` in `XDG_CACHE_HOME`.
pub fn cache() -> Option<PathBuf> {
    cache_setting().map(|setting| setting.value)
}

/// The folder for settings: `ASSAY_CONFIG_DIR`, or else `assay` in `XDG_CONFIG_HOME`.
pub fn config() -> Option<PathBuf> {
    config_setting().map(|setting| setting.value)
}

/// As [`data`], with where it comes from.
pub fn data_setting() -> Option<Setting<PathBuf>> {
    below("XDG_DATA_HOME", ".local/share")
}

/// As [`cache`], with where it comes from.
pub fn cache_setting() -> Option<Setting<PathBuf>> {
    chosen("ASSAY_CACHE_DIR").or_else(|| below("XDG_CACHE_HOME", ".cache"))
}

/// As [`config`], with where it comes from.
pub fn config_setting() -> Option<Setting<PathBuf>> {
    chosen("ASSAY_CONFIG_DIR").or_else(|| below("XDG_CONFIG_HOME", ".config"))
}

fn chosen(name: &'static str) -> Option<Setting<PathBuf>> {
    variable(name).map(|setting| setting.map(PathBuf::from))
}

/// The folder `assay` in the folder of a variable if this is an absolute path, or else in one below the home
/// folder.
fn below(name: &'static str, below_home: &str) -> Option<Setting<PathBuf>> {
    let set = chosen(name).filter(|setting| setting.value.is_absolute());
    let folder = set.or_else(|| Some(Setting::default(env::home_dir()?.join(below_home))))?;
    Some(folder.map(|folder| folder.join("assay")))
}

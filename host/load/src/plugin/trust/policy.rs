//! What happens with a library that is not trusted.

use std::fmt;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::setting::{Setting, SettingSource, variable};
use assay_base::io::{folders, toml_input};
use clap::ValueEnum;
use serde::Deserialize;

use super::exposure;

/// The option of the command line that sets the policy.
pub const POLICY_OPTION: &str = "--trust";
/// The environment variable that sets the policy.
pub const POLICY_VARIABLE: &str = "ASSAY_TRUST";
/// The file of the user's settings, in the folder for configuration.
pub const POLICY_FILE: &str = "config.toml";

/// What happens with a library that is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TrustPolicy {
    /// The user is asked on a terminal; without a terminal, the library is left out.
    Ask,
    /// It is loaded, with a warning.
    Warn,
    /// It is left out, with a warning.
    Deny,
    /// It is loaded without a warning.
    Allow,
}

impl fmt::Display for TrustPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().expect("no value is skipped").get_name())
    }
}

/// The policies in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustPolicies {
    /// That of folders that the user names on the command line.
    pub named: Setting<TrustPolicy>,
    /// That of folders that are found otherwise.
    pub found: Setting<TrustPolicy>,
}

/// The file of the user's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ConfigFile {
    trust: TrustSection,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TrustSection {
    named: Option<TrustPolicy>,
    found: Option<TrustPolicy>,
}

impl TrustPolicies {
    /// The policies of the option `--trust` if it is given, or else of `ASSAY_TRUST`, or else of the user's
    /// file, or else the defaults.
    ///
    /// # Errors
    /// If the variable or the file holds something else.
    pub fn resolve(option: Option<TrustPolicy>) -> Result<Self> {
        let given = match option {
            Some(policy) => Some(Setting::option(POLICY_OPTION, policy)),
            None => variable(POLICY_VARIABLE).map(parsed).transpose()?,
        };
        if let Some(policy) = given {
            return Ok(TrustPolicies { named: policy.clone(), found: policy });
        }
        TrustPolicies::in_folder(folders::config().as_deref())
    }

    /// The policies of the user's file, or the defaults.
    ///
    /// # Errors
    /// If the file can't be read or holds something else.
    fn in_folder(folder: Option<&Path>) -> Result<Self> {
        let path: Option<PathBuf> = folder.map(|folder| folder.join(POLICY_FILE));
        // If the file may be there but can't be read, reading it gives the reason.
        let path = path.filter(|path| path.try_exists().unwrap_or(true));
        if let Some(path) = &path {
            exposure::refuse(path)?;
        }
        let file = match &path {
            Some(path) => toml_input::read::<ConfigFile>(path).map_err(|error| {
                error.remedy("correct the file; [trust] has `named` and `found`: ask, warn, deny or allow")
            })?,
            None => ConfigFile::default(),
        };
        let setting = |given: Option<TrustPolicy>, default| match (given, &path) {
            (Some(value), Some(path)) => Setting { value, source: SettingSource::File(path.clone()) },
            _ => Setting::default(default),
        };
        Ok(TrustPolicies {
            // The user typed the folder, so a question would only repeat it.
            named: setting(file.trust.named, TrustPolicy::Warn),
            // Anything that can write to the user's folders can drop a library there.
            found: setting(file.trust.found, TrustPolicy::Ask),
        })
    }
}

/// The policy in an environment variable.
fn parsed(given: Setting<std::ffi::OsString>) -> Result<Setting<TrustPolicy>> {
    let text = given.value.to_string_lossy().into_owned();
    let policy = TrustPolicy::from_str(&text, false).map_err(|_| {
        Error::new(format!("{POLICY_VARIABLE} is `{text}`")).remedy("set it to ask, warn, deny or allow")
    })?;
    Ok(given.map(|_| policy))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_file_sets_what_it_names_and_mistakes_are_refused_with_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(POLICY_FILE);
        let read = || TrustPolicies::in_folder(Some(folder.path()));
        let values = |policies: TrustPolicies| (policies.named.value, policies.found.value);
        assert_eq!(values(read().unwrap()), (TrustPolicy::Warn, TrustPolicy::Ask));
        fs::write(&path, "[trust]\nnamed = \"allow\"\n").unwrap();
        let policies = read().unwrap();
        assert_eq!(policies.named.source, SettingSource::File(path.clone()));
        assert_eq!(policies.found.source, SettingSource::Default);
        assert_eq!(values(policies), (TrustPolicy::Allow, TrustPolicy::Ask));
        for (text, wrong) in [
            ("[trust]\nfound = \"never\"\n", ":2: unknown value `never`"),
            ("[trust]\nfond = \"ask\"\n", ":2: unknown field `fond`"),
            ("[tust]\n", ":1: unknown field `tust`"),
        ] {
            fs::write(&path, text).unwrap();
            let error = read().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}{wrong}", path.display())), "{error}");
        }
    }
}

//! Options of commands that take sets of algorithms.

use assay_base::error::{Error, Result, excerpt};
use assay_experiment::selection;
use assay_load::plugin::Registry;

use super::Session;

/// The name in `--help` of a value that is the name of a set. Completion recognises such values by it.
pub(super) const SET: &str = "SET";

/// Whether a command is for all algorithms.
///
/// # Errors
/// If algorithms are named in addition to `--all`.
pub(super) fn all_or_named(all: bool, names: &[impl AsRef<str>]) -> Result<bool> {
    match names {
        [name, ..] if all => {
            let name = excerpt(name.as_ref());
            Err(Error::new(format!("--all takes all algorithms, but `{name}` is named as well")).remedy(
                format!(
                    "leave out --all to take only `{name}` and what else is named, or leave out the names"
                ),
            ))
        }
        _ => Ok(all),
    }
}

/// The sets of algorithms that take part.
#[derive(clap::Args, Debug)]
pub(super) struct SetOptions {
    /// Also take the algorithms of a set that `assay select save` keeps (repeatable)
    #[arg(long = "use", value_name = SET, conflicts_with = "all")]
    sets: Vec<String>,
    /// Also take the algorithms that `assay select` has selected
    #[arg(long, conflicts_with = "all")]
    selected: bool,
}

impl SetOptions {
    /// Whether a set is asked for.
    pub(super) fn any(&self) -> bool {
        self.selected || !self.sets.is_empty()
    }

    /// The named algorithms and those of the sets.
    ///
    /// # Errors
    /// As [`selection::with_sets`].
    pub(super) fn with(
        &self,
        names: &[String],
        registry: &Registry,
        session: &Session,
    ) -> Result<Vec<String>> {
        selection::with_sets(names, &self.sets, self.selected, registry, &session.console)
    }
}

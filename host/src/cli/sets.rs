//! The options of commands that take sets of algorithms.

use super::Session;
use crate::error::Result;
use crate::experiment::sets;
use crate::plugin::Registry;

/// How a value is called that is the name of a set: completion knows it by that.
pub const SET: &str = "SET";

/// Which sets of algorithms take part.
#[derive(clap::Args, Debug)]
pub struct InUse {
    /// The algorithms of a set that `assay select save` keeps, too (repeatable)
    #[arg(long = "use", value_name = SET, conflicts_with = "all")]
    sets: Vec<String>,
    /// The algorithms that `assay select` has selected, too
    #[arg(long, conflicts_with = "all")]
    selected: bool,
}

impl InUse {
    /// Whether a set is asked for.
    pub fn any(&self) -> bool {
        self.selected || !self.sets.is_empty()
    }

    /// The named algorithms and those of the sets.
    ///
    /// # Errors
    /// As [`sets::joined`].
    pub fn with(&self, names: &[String], registry: &Registry, session: &Session) -> Result<Vec<String>> {
        sets::joined(names, &self.sets, self.selected, registry, &session.console)
    }
}

//! The machine on which a task is measured: what must be the same for an interrupted run to go on there.

use assay_load::plugin::printable::line;
use assay_store::provenance::Machine;
use serde::{Deserialize, Serialize};

/// A machine, as batch systems call it: a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its name.
    pub node: String,
    /// The model of its CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Its operating system with the release of the kernel.
    pub kernel: String,
}

impl Node {
    /// The machine on which this runs.
    pub fn here() -> Self {
        let Machine { cpu, kernel, .. } = Machine::here();
        let name = line(&rustix::system::uname().nodename().to_string_lossy());
        Node { node: name, cpu, kernel }
    }

    /// Its name as a part of the name of a file.
    pub(crate) fn file_name(&self) -> String {
        self.node.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect()
    }

    /// The same with names that can be shown, whoever has written them.
    pub(crate) fn printable(self) -> Self {
        Node { node: line(&self.node), cpu: self.cpu.as_deref().map(line), kernel: line(&self.kernel) }
    }
}

//! The machine on which a task is measured: what must be the same for an interrupted run to go on there.

use assay_load::plugin::printable::line;
use assay_store::provenance::Machine;
use serde::{Deserialize, Serialize};

/// Greatest number of characters of a name. Names of hosts have at most 64, and files are named by them.
const MOST_NAME_CHARACTERS: usize = 64;
/// Greatest number of characters of a model of CPU and of a kernel, which have less than 100.
const MOST_MODEL_CHARACTERS: usize = 400;

/// A text of a file as one line, and its beginning if it is longer than all that machines report.
fn short(text: &str, most: usize) -> String {
    line(text).chars().take(most).collect()
}

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
        let node = rustix::system::uname().nodename().to_string_lossy().into_owned();
        Node { node, cpu, kernel }.printable()
    }

    /// Its name as a part of the name of a file.
    pub(crate) fn file_name(&self) -> String {
        self.node.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect()
    }

    /// The same with names that can be shown, whoever has written them.
    pub(crate) fn printable(self) -> Self {
        let cpu = self.cpu.as_deref().map(|cpu| short(cpu, MOST_MODEL_CHARACTERS));
        Node {
            node: short(&self.node, MOST_NAME_CHARACTERS),
            cpu,
            kernel: short(&self.kernel, MOST_MODEL_CHARACTERS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line_whoever_has_written_it() {
        let kernel = "Linux\n6".to_owned();
        let node = Node { node: format!("n\x1b[31m{}", "x".repeat(1 << 20)), cpu: None, kernel }.printable();
        assert_eq!((node.node, node.kernel.as_str()), (format!("n{}", "x".repeat(63)), "Linux 6"));
    }
}

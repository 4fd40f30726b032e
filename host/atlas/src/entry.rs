//! What the atlas knows of an algorithm besides its figures.

use std::fmt::Write as _;

use crate::TracedExample;

/// An algorithm, with the facts that its library reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtlasEntry {
    /// Its id.
    pub id: String,
    /// Its name; empty if its library gives none.
    pub name: String,
    /// The facts as `assay info` shows them, in its order.
    pub facts: Vec<(String, String)>,
    /// The year of its publication.
    pub year: Option<u32>,
    /// What it builds on.
    pub builds_on: Vec<Relative>,
    /// What builds on it.
    pub built_upon_by: Vec<Relative>,
    /// Its reference as BibTeX, if there is one.
    pub bibtex: Option<String>,
    /// What its twin did with the standard example; `None` if it has no twin.
    pub trace: Option<TracedExample>,
}

/// An algorithm to which another is related, or several variants of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// What a reader should call it: `hash3..8`.
    pub label: String,
    /// The id of the first of the variants, if the libraries bring it.
    pub id: Option<String>,
}

impl AtlasEntry {
    /// A fact by its name in `assay info`; empty if there is none.
    pub(crate) fn fact(&self, name: &str) -> &str {
        self.facts.iter().find(|(fact, _)| fact == name).map_or("", |(_, value)| value)
    }

    /// The name of its page.
    pub(crate) fn file(&self) -> String {
        format!("{}.html", file_stem(&self.id))
    }
}

/// An id as the name of a file. What is neither a small letter, a digit, a hyphen nor a dot is written in
/// hexadecimal after `_`, because file systems and addresses give other characters a meaning.
pub(crate) fn file_stem(id: &str) -> String {
    let mut stem = String::new();
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => stem.push(byte.into()),
            b'.' if !stem.is_empty() => stem.push('.'),
            _ => _ = write!(stem, "_{byte:02x}"),
        }
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_safe_and_no_two_ids_share_one() {
        let stems = ["hor", "sbndm-b2.1", "peer:hor", "a_3a", "../x", "A"].map(file_stem);
        assert_eq!(stems, ["hor", "sbndm-b2.1", "peer_3ahor", "a_5f3a", "_2e._2fx", "_41"]);
    }
}

//! How sure it is that an algorithm is the published one, and which ids it had before.

/// How sure it is that an algorithm is the published one. Each status has a sentence for the users of its
/// figures: what of the publication was seen, and what in the code is our own.
///
/// ```
/// use assay_plugin_api::prelude::*;
///
/// const ABOUT: About = About {
///     id: "mine",
///     name: "My reading of a paper",
///     status: Status::FromAbstract("The abstract was seen; how the window shifts is our own."),
///     ..About::UNKNOWN
/// };
///
/// assert_eq!(ABOUT.status.words(), "from an abstract");
/// assert_eq!(ABOUT.status.note(), "The abstract was seen; how the window shifts is our own.");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The author of the algorithm says nothing. It is the value of
    /// [`About::UNKNOWN`](crate::About::UNKNOWN), and never written out.
    Undeclared,
    /// Written from the publication, or from a handbook that describes the algorithm completely.
    FromPaper(&'static str),
    /// Written from the program of those who invented it, or that program itself.
    FromAuthorsProgram(&'static str),
    /// As somebody else has implemented it, where that differs from the publication or replaces it.
    FromAnotherImplementation(&'static str),
    /// Written from an abstract, a first page, or what others say about the publication.
    FromAbstract(&'static str),
    /// The publication was not seen, or leaves open what decides the search, and that part is our own.
    Reconstructed(&'static str),
    /// Searches otherwise than the publication on purpose, because that is better. Such an algorithm has an
    /// id of its own, because figures under the id of the publication would be taken for those of the
    /// publication.
    ImprovedHere(&'static str),
}

impl Status {
    /// The words of the two statuses with which figures are those of the published algorithm. Tables mark
    /// all others.
    pub const AS_PUBLISHED: [&'static str; 2] = ["from the paper", "from the authors' program"];

    /// The status in words, as lists show it; empty if it is not declared.
    pub const fn words(self) -> &'static str {
        let [paper, program] = Status::AS_PUBLISHED;
        match self {
            Status::Undeclared => "",
            Status::FromPaper(_) => paper,
            Status::FromAuthorsProgram(_) => program,
            Status::FromAnotherImplementation(_) => "from another implementation",
            Status::FromAbstract(_) => "from an abstract",
            Status::Reconstructed(_) => "reconstructed",
            Status::ImprovedHere(_) => "improved here",
        }
    }

    /// What was seen of the publication, and what is our own; empty if the status is not declared.
    pub const fn note(self) -> &'static str {
        match self {
            Status::Undeclared => "",
            Status::FromPaper(note)
            | Status::FromAuthorsProgram(note)
            | Status::FromAnotherImplementation(note)
            | Status::FromAbstract(note)
            | Status::Reconstructed(note)
            | Status::ImprovedHere(note) => note,
        }
    }
}

/// The ids that an algorithm had before. Runs and sets that name one of them say so when they are read,
/// because the id now means another algorithm, or none.
///
/// ```
/// use assay_plugin_api::prelude::*;
///
/// const ABOUT: About = About {
///     id: "lbndm-t",
///     formerly: Formerly { ids: &["lbndm"], until: "0.1.0" },
///     ..About::UNKNOWN
/// };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formerly {
    /// The ids, each complete: of a variant, with the values of its parameters.
    pub ids: &'static [&'static str],
    /// The last version of the library in which they meant this algorithm.
    pub until: &'static str,
}

impl Formerly {
    /// It has always had its id.
    pub const NEVER: Formerly = Formerly { ids: &[], until: "" };

    /// Whether each of the ids is an id, and a version is given if there are any.
    pub(crate) const fn is_complete(&self) -> bool {
        let mut at = 0;
        while at < self.ids.len() {
            if !crate::registry::is_id(self.ids[at], &[]) {
                return false;
            }
            at += 1;
        }
        self.ids.is_empty() == self.until.is_empty()
    }
}

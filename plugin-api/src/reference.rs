//! The publication that an algorithm comes from, as data.

/// The publication that an algorithm comes from. Its fields are those of BibTeX; leave out what is not known,
/// and always end it with `..Reference::UNKNOWN`, because later versions may add fields.
///
/// The place where it was published decides what kind of entry `assay bibtex` makes of it: an article if
/// `journal` is given, a paper at a conference if `booktitle` is, and so on (see each field). A paper that
/// several algorithms come from is best written once, as a constant:
///
/// ```
/// use assay_plugin_api::prelude::*;
///
/// /// The paper of `so` and `sa`.
/// const NEW_APPROACH: Reference = Reference {
///     authors: &["R. Baeza-Yates", "G. H. Gonnet"],
///     title: "A new approach to text searching",
///     journal: "Commun. ACM",
///     volume: "35",
///     number: "10",
///     pages: "74-82",
///     year: 1992,
///     doi: "10.1145/135239.135243",
///     ..Reference::UNKNOWN
/// };
///
/// const ABOUT: About =
///     About { id: "so", name: "Shift-Or", reference: NEW_APPROACH, ..About::UNKNOWN };
///
/// let line = "A new approach to text searching. Commun. ACM 35(10):74-82, 1992";
/// assert_eq!(ABOUT.reference.line(), line);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Names with the given names or initials first: `R. N. Horspool`. A name has no comma, because a library
    /// hands the list over with commas between the names. A group's last word begins with a small letter:
    /// `The Rust project`; it is kept together.
    pub authors: &'static [&'static str],
    /// Title of the publication. Leave it out where there is none: `assay bibtex` then takes the algorithm's
    /// name.
    pub title: &'static str,
    /// Journal of an article.
    pub journal: &'static str,
    /// Conference of a paper, with its year: `SEA 2010`.
    pub booktitle: &'static str,
    /// Series in which the proceedings appeared: `LNCS`.
    pub series: &'static str,
    /// Volume of the journal or of the series.
    pub volume: &'static str,
    /// Issue of the journal, or number of the technical report.
    pub number: &'static str,
    /// First and last page: `501-506`.
    pub pages: &'static str,
    /// Number of the article, where articles are numbered instead of pages.
    pub eid: &'static str,
    /// Publisher of a book.
    pub publisher: &'static str,
    /// Institution that issued a technical report.
    pub institution: &'static str,
    /// University of a doctoral thesis.
    pub school: &'static str,
    /// Number of a preprint at arXiv: `2303.05799`.
    pub arxiv: &'static str,
    /// Place of anything else: a program, a web site, a talk.
    pub howpublished: &'static str,
    /// Address of a program or of a page.
    pub url: &'static str,
    /// Year of the publication; 0 if unknown.
    pub year: u16,
    /// Digital object identifier, without a resolver's address.
    pub doi: &'static str,
    /// What a reader should know besides, in a few words.
    pub note: &'static str,
    /// Another publication, and what it has to do with this one: `("variant of", &WEAK_FACTORS)`.
    pub related: Option<(&'static str, &'static Reference)>,
}

impl Reference {
    /// Nothing known.
    pub const UNKNOWN: Reference = Reference {
        authors: &[],
        title: "",
        journal: "",
        booktitle: "",
        series: "",
        volume: "",
        number: "",
        pages: "",
        eid: "",
        publisher: "",
        institution: "",
        school: "",
        arxiv: "",
        howpublished: "",
        url: "",
        year: 0,
        doi: "",
        note: "",
        related: None,
    };

    /// An algorithm that is common knowledge and was never published.
    pub const FOLKLORE: Reference =
        Reference { authors: &["folklore"], note: "folklore", ..Reference::UNKNOWN };

    /// The publication in one line: `Title. Journal 10(6):501-506, 1980`, without its authors.
    pub fn line(&self) -> String {
        let place = self.place();
        let work =
            if place.is_empty() { self.dated(self.title) } else { joined(". ", &[self.title, &place]) };
        let source = joined(": ", &[&work, self.url]);
        let remarks = self.remarks();
        if source.is_empty() || remarks.is_empty() {
            source + &remarks
        } else {
            format!("{source} ({remarks})")
        }
    }

    /// All that is known, as facts of an algorithm. From the year on they bear the names of BibTeX's fields,
    /// except for `reference`, the line for people.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let line = self.line();
        let entry_type = if line.is_empty() && self.doi.is_empty() { "" } else { self.entry_type() };
        let facts = [
            ("authors", self.authors.join(", ")),
            ("year", self.year_in_words()),
            ("reference", line),
            ("doi", self.doi.to_owned()),
            ("entry_type", entry_type.to_owned()),
            ("title", self.title.to_owned()),
            ("journal", self.journal.to_owned()),
            ("booktitle", self.booktitle.to_owned()),
            ("series", self.series.to_owned()),
            ("volume", self.volume.to_owned()),
            ("number", self.number.to_owned()),
            ("pages", self.pages.to_owned()),
            ("eid", self.eid.to_owned()),
            ("publisher", self.publisher.to_owned()),
            ("institution", self.institution.to_owned()),
            ("school", self.school.to_owned()),
            ("eprint", self.arxiv.to_owned()),
            ("eprinttype", if self.arxiv.is_empty() { "" } else { "arXiv" }.to_owned()),
            ("howpublished", self.howpublished.to_owned()),
            ("url", self.url.to_owned()),
            ("note", self.remarks()),
        ];
        facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// Type of the entry in BibTeX, which follows from the place.
    fn entry_type(&self) -> &'static str {
        let places = [
            (self.journal, "article"),
            (self.booktitle, "inproceedings"),
            (self.publisher, "book"),
            (self.institution, "techreport"),
            (self.school, "phdthesis"),
        ];
        places.iter().find(|(place, _)| !place.is_empty()).map_or("misc", |(_, entry_type)| entry_type)
    }

    /// Where it was published, and when; empty if only the year is known.
    fn place(&self) -> String {
        let article = prefixed("art. ", self.eid);
        let year = self.year_in_words();
        match self.entry_type() {
            "article" => {
                let issue = if self.number.is_empty() { String::new() } else { format!("({})", self.number) };
                let volume = joined(" ", &[self.journal, &format!("{}{issue}", self.volume)]);
                joined(", ", &[&joined(":", &[&volume, self.pages]), &article, &year])
            }
            "inproceedings" => {
                let volume = joined(" ", &[self.series, self.volume]);
                let pages = prefixed("pp. ", self.pages);
                joined(", ", &[&self.dated(self.booktitle), &volume, &pages, &article])
            }
            "book" => joined(", ", &[self.publisher, &year]),
            "techreport" => {
                joined(", ", &[&prefixed("Technical Report ", self.number), self.institution, &year])
            }
            "phdthesis" => joined(", ", &["PhD thesis", self.school, &year]),
            _ if !self.arxiv.is_empty() => joined(", ", &[&prefixed("arXiv ", self.arxiv), &year]),
            _ if self.howpublished.is_empty() => String::new(),
            _ => self.dated(self.howpublished),
        }
    }

    /// A name with the year after it, unless the name contains the year already: `SEA 2010`.
    fn dated(&self, name: &str) -> String {
        let year = self.year_in_words();
        if name.contains(&year) { name.to_owned() } else { joined(", ", &[name, &year]) }
    }

    fn year_in_words(&self) -> String {
        if self.year == 0 { String::new() } else { self.year.to_string() }
    }

    /// The note, and the related publication.
    fn remarks(&self) -> String {
        let related = self.related.map_or_else(String::new, |(relation, other)| {
            let line = joined(", doi ", &[&other.line(), other.doi]);
            format!("{relation}: {}", joined(". ", &[&other.authors.join(", "), &line]))
        });
        joined("; ", &[self.note, &related])
    }
}

/// Joins the parts that are not empty.
fn joined(separator: &str, parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

/// The value with a word before it; empty if there is no value.
fn prefixed(prefix: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!("{prefix}{value}") }
}

/// Whether no name has a comma, by which lists of authors are taken apart again.
pub(crate) const fn names_have_no_comma(authors: &[&str]) -> bool {
    let mut author = 0;
    while author < authors.len() {
        let name = authors[author].as_bytes();
        let mut at = 0;
        while at < name.len() {
            if name[at] == b',' {
                return false;
            }
            at += 1;
        }
        author += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Reference = Reference {
        authors: &["A. One", "B. Two"],
        title: "Title",
        booktitle: "SEA 2010",
        series: "LNCS",
        volume: "6049",
        pages: "129-140",
        year: 2010,
        ..Reference::UNKNOWN
    };

    const ARTICLE: Reference = Reference {
        authors: &["A. One"],
        title: "Title",
        journal: "J. ACM",
        year: 1991,
        doi: "10.1/2",
        ..Reference::UNKNOWN
    };

    #[test]
    fn the_line_has_what_is_known_in_the_order_of_the_literature() {
        let article = Reference { title: "Title", journal: "J. ACM", year: 1991, ..Reference::UNKNOWN };
        for (reference, line) in [
            (Reference::UNKNOWN, ""),
            (Reference::FOLKLORE, "folklore"),
            (article, "Title. J. ACM, 1991"),
            (
                Reference { volume: "38", number: "3", pages: "1-2", ..article },
                "Title. J. ACM 38(3):1-2, 1991",
            ),
            (Reference { volume: "24", eid: "1.8", ..article }, "Title. J. ACM 24, art. 1.8, 1991"),
            (PAPER, "Title. SEA 2010, LNCS 6049, pp. 129-140"),
            (Reference { booktitle: "Workshop", ..PAPER }, "Title. Workshop, 2010, LNCS 6049, pp. 129-140"),
            (
                Reference {
                    title: "T",
                    number: "40",
                    institution: "Univ. X",
                    year: 1970,
                    ..Reference::UNKNOWN
                },
                "T. Technical Report 40, Univ. X, 1970",
            ),
            (
                Reference { title: "T", school: "Univ. X", year: 1993, ..Reference::UNKNOWN },
                "T. PhD thesis, Univ. X, 1993",
            ),
            (Reference { title: "T", publisher: "P", year: 1994, ..Reference::UNKNOWN }, "T. P, 1994"),
            // The year is not missing because a page has the same number.
            (Reference { volume: "1", pages: "1991-1999", ..article }, "Title. J. ACM 1:1991-1999, 1991"),
            (Reference { title: "T", year: 2021, ..Reference::UNKNOWN }, "T, 2021"),
            (Reference { title: "T", arxiv: "2303.05799", ..Reference::UNKNOWN }, "T. arXiv 2303.05799"),
            (
                Reference { title: "Crate x", url: "https://docs.rs/x", ..Reference::UNKNOWN },
                "Crate x: https://docs.rs/x",
            ),
            (
                Reference {
                    howpublished: "musl, 2005-2020",
                    year: 2005,
                    note: "n",
                    related: Some(("variant of", &PAPER)),
                    ..Reference::UNKNOWN
                },
                "musl, 2005-2020 (n; variant of: A. One, B. Two. Title. SEA 2010, LNCS 6049, pp. 129-140)",
            ),
            (
                Reference { related: Some(("in full", &ARTICLE)), ..PAPER },
                "Title. SEA 2010, LNCS 6049, pp. 129-140 (in full: A. One. Title. J. ACM, 1991, doi 10.1/2)",
            ),
        ] {
            assert_eq!(reference.line(), line);
        }
    }

    #[test]
    fn facts_are_fields_of_bibtex_and_what_is_unknown_is_left_out() {
        let facts = [
            ("authors", "A. One, B. Two"),
            ("year", "2010"),
            ("reference", "Title. SEA 2010, LNCS 6049, pp. 129-140"),
            ("entry_type", "inproceedings"),
            ("title", "Title"),
            ("booktitle", "SEA 2010"),
            ("series", "LNCS"),
            ("volume", "6049"),
            ("pages", "129-140"),
        ];
        assert_eq!(PAPER.facts(), facts.map(|(name, value)| (name, value.to_owned())));
        assert_eq!(Reference::UNKNOWN.facts(), []);
    }

    #[test]
    fn a_comma_in_a_name_is_found() {
        assert!(names_have_no_comma(&["A. One", "The Rust project"]) && names_have_no_comma(&[]));
        assert!(!names_have_no_comma(&["A. One", "Smith, Jr."]));
    }
}

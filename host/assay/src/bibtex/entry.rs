//! One entry of a bibliography, in UTF-8.

use std::fmt::Write;

use assay_base::io::latex_escape::escaped;

use super::Citation;

/// Fields of an entry that are printed as the algorithms hold them, in this order.
pub(super) const FIELDS: [&str; 14] = [
    "journal",
    "booktitle",
    "series",
    "volume",
    "number",
    "pages",
    "eid",
    "publisher",
    "institution",
    "school",
    "eprinttype",
    "eprint",
    "howpublished",
    "url",
];

/// Types of entries that an algorithm can ask for; everything else becomes `misc`, which every style knows.
const TYPES: [&str; 6] = ["article", "inproceedings", "book", "techreport", "phdthesis", "misc"];

/// A publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BibEntry {
    /// Ids of the algorithms that come from it; the first is the key of the entry.
    pub ids: Vec<String>,
    text: String,
}

impl BibEntry {
    /// Name by which `\cite` finds the entry.
    pub fn key(&self) -> &str {
        &self.ids[0]
    }

    /// The entry as BibTeX, with a line feed at its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The entry of all algorithms that come from one publication. If the first algorithm has no value for a
    /// field, it is taken from the others, because not every file repeats everything.
    pub(super) fn new(citations: &[&Citation]) -> Self {
        let ids: Vec<String> = citations.iter().map(|citation| citation.id.clone()).collect();
        let mut text = comment(first(citations, "unverified"));
        let entry_type = TYPES.iter().find(|known| **known == first(citations, "entry_type"));
        let _ = writeln!(text, "@{}{{{},", entry_type.unwrap_or(&"misc"), ids[0]);
        write_field(&mut text, "author", &authors(citations));
        write_field(&mut text, "title", &title(citations));
        for name in FIELDS {
            write_field(&mut text, name, &field(name, first(citations, name)));
        }
        write_field(&mut text, "year", &escaped(first(citations, "year")));
        write_field(&mut text, "doi", &verbatim(first(citations, "doi")));
        write_field(&mut text, "note", &note(citations));
        write_field(&mut text, "ids", &ids[1..].join(", "));
        write_field(&mut text, "keywords", &ids.join(", "));
        BibEntry { ids, text: text + "}\n" }
    }
}

/// The first value of a fact that is not empty.
fn first<'a>(citations: &[&'a Citation], fact: &str) -> &'a str {
    let mut values = citations.iter().map(|citation| citation.fact(fact));
    values.find(|value| !value.is_empty()).unwrap_or_default()
}

/// Doubts about a publication, before its entry: BibTeX takes everything between entries for a comment, up to
/// an `@`.
fn comment(unverified: &str) -> String {
    if unverified.is_empty() {
        String::new()
    } else {
        format!("Not verified: {}\n", unverified.replace('@', " at "))
    }
}

/// Writes a line with a field that has a value.
fn write_field(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = writeln!(text, "  {name:<12} = {{{value}}},");
    }
}

/// The value of one of [`FIELDS`].
fn field(name: &str, value: &str) -> String {
    match name {
        "url" => verbatim(value),
        "pages" => escaped(value).replace(['-', '–'], "--"),
        _ => escaped(value),
    }
}

/// The authors in BibTeX's form. The text of a library without fields is kept together, because its form is
/// not known. A text without any capital letter, such as "folklore", is not a name.
fn authors(citations: &[&Citation]) -> String {
    let authors = first(citations, "authors");
    if !authors.contains(char::is_uppercase) {
        String::new()
    } else if has_fields(citations) {
        let names: Vec<String> = authors.split(", ").map(author).collect();
        names.join(" and ")
    } else {
        format!("{{{}}}", escaped(authors))
    }
}

/// One author. A group such as "The Rust project" is recognised by the small letter of its last word; braces
/// keep its words together.
fn author(name: &str) -> String {
    let last = name.rsplit(' ').next().unwrap_or_default();
    if last.starts_with(char::is_uppercase) { escaped(name) } else { format!("{{{}}}", escaped(name)) }
}

/// The title in braces of its own, which keep its capital letters. If a publication has no title, the name of
/// the algorithm replaces it, without parameters if the algorithms have different names.
fn title(citations: &[&Citation]) -> String {
    let name = citations[0].fact("name");
    let is_alone = citations.iter().all(|citation| citation.fact("name") == name);
    let title = match first(citations, "title") {
        "" if is_alone => name,
        "" => without_parameters(name),
        title => title,
    };
    if title.is_empty() { String::new() } else { format!("{{{}}}", escaped(title)) }
}

/// The name of an algorithm without its parameters: "Tuned WFR" of "Tuned WFR (q=2)".
fn without_parameters(name: &str) -> &str {
    name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")).map_or(name, |(name, _)| name)
}

/// The note: that of the fields, or the whole reference if a library has no fields.
fn note(citations: &[&Citation]) -> String {
    escaped(first(citations, if has_fields(citations) { "note" } else { "reference" }))
}

/// Whether the library hands over the fields of an entry. Libraries that were built with the first
/// `assay-plugin-api`, or in other languages, have the reference as a text only.
fn has_fields(citations: &[&Citation]) -> bool {
    !first(citations, "entry_type").is_empty()
}

/// An identifier as it is, because LaTeX reads no commands in it. Only a character that would end the field
/// is written as in an address.
fn verbatim(text: &str) -> String {
    text.replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn citation(id: &str, facts: &[(&str, &str)]) -> Citation {
        let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Citation { id: id.to_owned(), facts: facts.collect() }
    }

    fn text(facts: &[(&str, &str)]) -> String {
        BibEntry::new(&[&citation("x", facts)]).text
    }

    #[test]
    fn an_entry_has_what_is_known() {
        let article = text(&[
            ("entry_type", "article"),
            ("authors", "R. N. Horspool, A. Other"),
            ("title", "Practical {fast} 100% searching"),
            ("journal", "Softw. Pract. Exp."),
            ("volume", "10"),
            ("number", "6"),
            ("pages", "501-506"),
            ("year", "1980"),
            ("doi", "10.1/a_b"),
        ]);
        assert_eq!(
            article,
            "@article{x,\n  \
               author       = {R. N. Horspool and A. Other},\n  \
               title        = {{Practical \\textbraceleft{}fast\\textbraceright{} 100\\% searching}},\n  \
               journal      = {Softw. Pract. Exp.},\n  \
               volume       = {10},\n  \
               number       = {6},\n  \
               pages        = {501--506},\n  \
               year         = {1980},\n  \
               doi          = {10.1/a_b},\n  \
               keywords     = {x},\n}\n"
        );
        let folklore = text(&[("entry_type", "misc"), ("name", "Brute Force"), ("authors", "folklore")]);
        assert_eq!(folklore, "@misc{x,\n  title        = {{Brute Force}},\n  keywords     = {x},\n}\n");
    }

    #[test]
    fn the_name_of_a_group_is_kept_together() {
        let group = text(&[("entry_type", "misc"), ("authors", "The Rust project, W. Muła")]);
        assert!(group.contains("= {{The Rust project} and W. Muła},\n"), "{group}");
    }

    #[test]
    fn a_reference_without_fields_is_a_note_in_its_own_words() {
        let entry = text(&[
            ("name", "Horspool"),
            ("authors", "Horspool, R. N."),
            ("year", "1980"),
            ("reference", "Practical fast searching. Softw. Pract. Exp. 10, 1980"),
        ]);
        assert_eq!(
            entry,
            "@misc{x,\n  \
               author       = {{Horspool, R. N.}},\n  \
               title        = {{Horspool}},\n  \
               year         = {1980},\n  \
               note         = {Practical fast searching. Softw. Pract. Exp. 10, 1980},\n  \
               keywords     = {x},\n}\n"
        );
    }

    #[test]
    fn an_unknown_type_of_entry_is_misc() {
        assert!(text(&[("entry_type", "video")]).starts_with("@misc{x,\n"));
    }

    #[test]
    fn a_publication_without_a_title_has_the_name_of_the_algorithm_without_parameters() {
        let two = citation("x2", &[("name", "X (q=2)"), ("entry_type", "misc")]);
        let three = citation("x3", &[("name", "X (q=3)"), ("entry_type", "misc")]);
        assert!(BibEntry::new(&[&two, &three]).text.contains("title        = {{X}},"));
        assert!(BibEntry::new(&[&two]).text.contains("title        = {{X (q=2)}},"));
    }
}

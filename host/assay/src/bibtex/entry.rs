//! One entry of a bibliography, in UTF-8.

use std::fmt::Write;

use assay_base::io::latex_escape::escaped;
use assay_plugin_api::Status;

use super::Citation;

/// Fields of an entry that are printed as the algorithms hold them, in this order.
pub(crate) const FIELDS: [&str; 14] = [
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
        let mut text = comment(citations);
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

/// The ids of algorithms, by status and its sentence, in the order of their first appearance.
fn by_status<'a>(citations: &[&'a Citation]) -> Vec<([&'a str; 2], Vec<&'a str>)> {
    let mut groups = Vec::<([&str; 2], Vec<&str>)>::new();
    for citation in citations {
        let status = ["status", "status_note"].map(|fact| citation.fact(fact));
        match groups.iter_mut().find(|(other, _)| *other == status) {
            Some((_, ids)) => ids.push(&citation.id),
            None if status[0].is_empty() => {}
            None => groups.push((status, vec![&citation.id])),
        }
    }
    groups
}

/// How sure it is that the algorithms are the published ones, a line for each status before the entry: BibTeX
/// takes everything between entries for a comment, up to an `@`.
fn comment(citations: &[&Citation]) -> String {
    let lines = by_status(citations).into_iter().map(|([status, note], ids)| {
        let line = format!("{}: {status}. {note}", ids.join(", "));
        format!("{}\n", line.trim_end().replace('@', " at "))
    });
    lines.collect()
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

/// The note: that of the fields, or the whole reference if a library has no fields; and the algorithms that
/// are not as published, because who cites the publication for their figures must know.
fn note(citations: &[&Citation]) -> String {
    let note = first(citations, if has_fields(citations) { "note" } else { "reference" });
    let unpublished = by_status(citations)
        .into_iter()
        .filter(|([status, _], _)| !Status::AS_PUBLISHED.contains(status))
        .map(|([status, _], ids)| format!("{}: {status}", ids.join(", ")));
    let parts = Some(note.to_owned()).filter(|note| !note.is_empty()).into_iter().chain(unpublished);
    escaped(&parts.collect::<Vec<_>>().join("; "))
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
    fn statuses_stand_before_the_entry_and_those_that_are_not_as_published_in_its_note() {
        let algorithm = |id, status, note| {
            let facts = [("entry_type", "misc"), ("title", "T"), ("note", "a talk")];
            citation(id, &[&facts[..], &[("status", status), ("status_note", note)]].concat())
        };
        let algorithms = [
            algorithm("b", "from the paper", "Seen @ home."),
            algorithm("b-t", "improved here", "Ours."),
            algorithm("b-t2", "improved here", "Ours."),
            algorithm("c", "", ""),
        ];
        let entry = BibEntry::new(&algorithms.iter().collect::<Vec<_>>());
        assert_eq!(
            entry.text,
            "b: from the paper. Seen  at  home.\nb-t, b-t2: improved here. Ours.\n@misc{b,\n  \
             title        = {{T}},\n  note         = {a talk; b-t, b-t2: improved here},\n  \
             ids          = {b-t, b-t2, c},\n  keywords     = {b, b-t, b-t2, c},\n}\n"
        );
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

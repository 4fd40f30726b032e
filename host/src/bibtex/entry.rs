//! One entry of a bibliography, in UTF-8.

use std::fmt::Write;

use super::Cited;
use super::authors::{self, Authors, OTHERS};
use super::reference;
use crate::io::tex::escaped;

/// A publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Ids of the algorithms that come from it; the first is its key.
    pub ids: Vec<String>,
    text: String,
}

impl Entry {
    /// By what `\cite` calls it.
    pub fn key(&self) -> &str {
        &self.ids[0]
    }

    /// As BibTeX, ending with a line feed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The entry of algorithms that come from one publication. What is not said of the first, the others may say.
    pub(super) fn of(source: &[&Cited]) -> Self {
        let said =
            |what: fn(&Cited) -> &str| source.iter().map(|cited| what(cited)).find(|text| !text.is_empty());
        let reference = reference::parsed(said(|cited| &cited.reference).unwrap_or_default());
        let (authors, remark) = authors::parsed(said(|cited| &cited.authors).unwrap_or_default());
        let told = |field| reference.fields.iter().find(|(name, _)| *name == field).map(|(_, value)| *value);
        // What has no title of its own is called as its first algorithm.
        let alone = source.iter().all(|cited| cited.name == source[0].name);
        let name =
            Some(if alone { &source[0].name } else { base_name(source[0]) }).filter(|name| !name.is_empty());
        let mut fields = Vec::new();
        match authors {
            Authors::Nobody => {}
            Authors::Listed(names) => {
                let names: Vec<String> = names.iter().map(|name| author(name)).collect();
                fields.push(("author", names.join(" and ")));
            }
            Authors::AsWritten(names) => fields.push(("author", format!("{{{}}}", escaped(&names)))),
        }
        // Braces of its own keep the capital letters of a title.
        fields.extend(told("title").or(name).map(|title| ("title", format!("{{{}}}", escaped(title)))));
        for (field, value) in &reference.fields {
            match *field {
                "title" | "year" => {}
                "pages" => fields.push((field, escaped(value).replace(['-', '–'], "--"))),
                field => fields.push((field, escaped(value))),
            }
        }
        fields.extend(said(|cited| &cited.year).or(told("year")).map(|year| ("year", escaped(year))));
        fields.extend(said(|cited| &cited.doi).map(|doi| ("doi", verbatim(doi))));
        let notes: Vec<String> = [remark, reference.note].into_iter().flatten().map(escaped).collect();
        fields.push(("note", notes.join("; ")));
        let ids: Vec<String> = source.iter().map(|cited| cited.id.clone()).collect();
        fields.push(("ids", ids[1..].join(", ")));
        fields.push(("keywords", ids.join(", ")));
        // Between entries, BibTeX takes everything for a comment.
        let doubts = said(|cited| &cited.unverified)
            .map(|doubt| format!("Not verified: {}\n", doubt.replace('@', " at ")));
        let mut text = format!("{}@{}{{{},\n", doubts.unwrap_or_default(), reference.entry_type, ids[0]);
        for (field, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(text, "  {field:<12} = {{{value}}},");
        }
        Entry { ids, text: text + "}\n" }
    }
}

/// The name without its parameters: "Tuned WFR" of "Tuned WFR (q=2)".
fn base_name(cited: &Cited) -> &str {
    cited.name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")).map_or(&cited.name, |(name, _)| name)
}

/// A family name begins with a capital letter: "The Rust project" is no person, and its words stay together.
fn author(name: &str) -> String {
    let last = name.rsplit(' ').next().unwrap_or_default();
    let person = name == OTHERS || last.starts_with(char::is_uppercase);
    if person { escaped(name) } else { format!("{{{}}}", escaped(name)) }
}

/// An identifier as it is: nothing in it is for LaTeX. Only what would end the field is written as in an address.
fn verbatim(text: &str) -> String {
    text.replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, authors: &str, year: &str, reference: &str, doi: &str) -> String {
        let [name, authors, year, reference, doi] = [name, authors, year, reference, doi].map(str::to_owned);
        Entry::of(&[&Cited { id: "x".to_owned(), name, authors, year, reference, doi, ..Cited::default() }])
            .text
    }

    #[test]
    fn an_entry_has_what_is_known() {
        let article = text(
            "Horspool",
            "R. N. Horspool, A. Other",
            "1980",
            "Practical {fast} 100% searching. Softw. Pract. Exp. 10(6):501-506, 1980",
            "10.1/a_b",
        );
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
        let group = text("", "The Rust project, W. Muła et al.", "", "A crate", "");
        assert!(group.contains("= {{The Rust project} and W. Muła and others},\n"), "{group}");
        let folklore = text("Brute Force", "folklore", "", "folklore", "");
        assert_eq!(
            folklore,
            "@misc{x,\n  title        = {{Brute Force}},\n  note         = {folklore},\n  keywords     = {x},\n}\n"
        );
    }

    #[test]
    fn what_has_no_title_is_called_as_the_algorithm_without_the_parameters_of_variants() {
        let variant = |id: &str, name: &str| Cited {
            id: id.to_owned(),
            name: name.to_owned(),
            reference: "A crate".to_owned(),
            ..Cited::default()
        };
        let (two, three) = (variant("x2", "X (q=2)"), variant("x3", "X (q=3)"));
        assert!(Entry::of(&[&two, &three]).text.contains("title        = {{X}},"));
        assert!(Entry::of(&[&two]).text.contains("title        = {{X (q=2)}},"));
    }

    #[test]
    fn the_year_that_is_told_stands_before_that_of_the_reference() {
        let entry = text("", "A. One (after B. Two)", "1999", "A title. PSC 2001; and more", "");
        assert!(entry.contains("year         = {1999}") && !entry.contains("{2001}"), "{entry}");
        assert!(entry.contains("note         = {after B. Two; and more}"), "{entry}");
    }
}

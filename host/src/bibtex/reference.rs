//! A reference, read as far as its form tells what is what.

use std::sync::LazyLock;

use regex::Regex;

/// What a reference says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reference<'a> {
    /// Its type in BibTeX.
    pub entry_type: &'static str,
    /// Fields of BibTeX with what they hold, the title first; none where the form is not known.
    pub fields: Vec<(&'static str, &'a str)>,
    /// The rest, in its own words.
    pub note: Option<&'a str>,
}

/// Types of BibTeX, and the forms of what stands behind the title. The names of the groups are fields.
static FORMS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let forms = [
        (
            "techreport",
            r"^(?:Technical Report|Tech\. Rep\.) (?<number>[\w./-]+), (?<institution>.+), (?<year>\d{4})$",
        ),
        ("phdthesis", r"^(?:PhD|Ph\.D\.|Doctoral) thesis, (?<school>.+), (?<year>\d{4})$"),
        // Journal 10(6):501-506, 1980
        (
            "article",
            r"^(?<journal>.+?) (?<volume>\d+)(?:\((?<number>[^()]+)\))?(?::(?<pages>[\w.:–-]+)|, art\. (?<eid>[\w.]+)), (?<year>\d{4})$",
        ),
        ("article", r"^(?<journal>.+?) (?<volume>\d{1,3})(?:\((?<number>[^()]+)\))?, (?<year>\d{4})$"),
        // SEA 2010, LNCS 6049, pp. 129-140
        (
            "inproceedings",
            r"^(?<booktitle>[^,]+ (?<year>\d{4}))(?:, (?<series>[A-Z][A-Za-z ]*?) (?<volume>\d+))?(?:(?::|, pp?\. )(?<pages>[\d–-]+)|, art\. (?<eid>[\w.]+))?$",
        ),
        ("misc", r"^(?<eprinttype>arXiv) (?<eprint>\d{4}\.\d{4,5})$"),
        ("misc", r"^(?<howpublished>.+), (?<year>\d{4})$"),
    ];
    forms.map(|(entry_type, form)| (entry_type, Regex::new(form).expect("the expression is right"))).into()
});

/// Reads a reference: "Title. Journal 10(6):501-506, 1980". What follows behind a semicolon, or at the end in brackets, is a
/// note; all of it is, if the form is not known.
pub fn parsed(text: &str) -> Reference<'_> {
    let behind = |(first, rest)| (first, Some(rest));
    let semicolon = text.split_once("; ").map(behind);
    let bracket = text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")).map(behind);
    let mut readings = [semicolon, Some((text, None)), bracket].into_iter().flatten();
    let read = readings.find_map(|(first, note)| Some(Reference { note, ..form(first)? }));
    read.unwrap_or(Reference { entry_type: "misc", fields: Vec::new(), note: Some(text) })
}

fn form(text: &str) -> Option<Reference<'_>> {
    let (title, place) = titled(text)?;
    let (entry_type, form, found) =
        FORMS.iter().find_map(|(entry_type, form)| Some((entry_type, form, form.captures(place)?)))?;
    let told = form.capture_names().flatten().filter_map(|field| Some((field, found.name(field)?.as_str())));
    let fields = std::iter::once(("title", title)).chain(told).collect();
    Some(Reference { entry_type, fields, note: None })
}

/// Title, and what stands behind it. A point behind "vs" ends no title; where the first one that might is behind a single
/// letter, names are listed in its place.
fn titled(text: &str) -> Option<(&str, &str)> {
    let ends = text.match_indices(". ").map(|(at, _)| (&text[..at], &text[at + 2..]));
    let last_word = |title: &str| title.rsplit([' ', '-']).next().unwrap_or_default().to_owned();
    let (title, place) = ends.into_iter().find(|(title, _)| last_word(title) != "vs")?;
    (last_word(title).chars().count() > 1).then_some((title, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields as one text.
    fn read(text: &str) -> String {
        let reference = parsed(text);
        let fields = reference.fields.iter().map(|(field, value)| format!("{field}={value}"));
        let note = reference.note.map(|note| format!("note={note}"));
        let told: Vec<String> = fields.chain(note).collect();
        format!("{}: {}", reference.entry_type, told.join("|"))
    }

    #[test]
    fn the_forms_of_the_literature_are_known() {
        for (text, told) in [
            (
                "Practical fast searching in strings. Softw. Pract. Exp. 10(6):501-506, 1980",
                "article: title=Practical fast searching in strings|journal=Softw. Pract. Exp.|volume=10|number=6|\
                 pages=501-506|year=1980",
            ),
            (
                "A weak one. Theor. Comput. Sci. 332(1-3):391-404, 2005",
                "article: title=A weak one|journal=Theor. Comput. Sci.|volume=332|number=1-3|pages=391-404|year=2005",
            ),
            (
                "Weak Factors. ACM J. Exp. Algorithmics 24, art. 1.8, 2019",
                "article: title=Weak Factors|journal=ACM J. Exp. Algorithmics|volume=24|eid=1.8|year=2019",
            ),
            (
                "Factor Oracle: A New Structure. SOFSEM 1999, LNCS 1725, pp. 295-310",
                "inproceedings: title=Factor Oracle: A New Structure|booktitle=SOFSEM 1999|year=1999|series=LNCS|\
                 volume=1725|pages=295-310",
            ),
            (
                "Linked Weak Factors. SEA 2024, LIPIcs 301, art. 24",
                "inproceedings: title=Linked Weak Factors|booktitle=SEA 2024|year=2024|series=LIPIcs|volume=301|eid=24",
            ),
            ("Two-Way. PSC 2014", "inproceedings: title=Two-Way|booktitle=PSC 2014|year=2014"),
            (
                "Self-Tuned. PSC 2013, pp. 92-106 (cited otherwise elsewhere)",
                "inproceedings: title=Self-Tuned|booktitle=PSC 2013|year=2013|pages=92-106|note=cited otherwise elsewhere",
            ),
            (
                "Packed. ALENEX 2013, pp. 113-121; Flexible. J. Discrete Algorithms 28:61-72, 2014",
                "inproceedings: title=Packed|booktitle=ALENEX 2013|year=2013|pages=113-121|\
                 note=Flexible. J. Discrete Algorithms 28:61-72, 2014",
            ),
            (
                "A linear algorithm. Technical Report 40, University of California, Berkeley, 1970",
                "techreport: title=A linear algorithm|number=40|institution=University of California, Berkeley|year=1970",
            ),
            (
                "Analyse exacte. PhD thesis, Université Paris 7, 1993",
                "phdthesis: title=Analyse exacte|school=Université Paris 7|year=1993",
            ),
            (
                "Text Algorithms. Oxford University Press, 1994",
                "misc: title=Text Algorithms|howpublished=Oxford University Press|year=1994",
            ),
            (
                "Distances of q-grams. arXiv 2002.08004",
                "misc: title=Distances of q-grams|eprinttype=arXiv|eprint=2002.08004",
            ),
        ] {
            assert_eq!(read(text), told);
        }
    }

    #[test]
    fn what_has_another_form_stays_in_its_own_words() {
        for text in [
            "folklore",
            "",
            "A title without a place",
            "A title. And a place without a year",
            "Variant in a repository of: M. N. Palmer, S. Faro. Weak Factors. SEA 2024, LIPIcs 301, art. 24",
            "Part I. The Beginning. J. ACM 1(1):1-2, 1990",
        ] {
            assert_eq!(read(text), format!("misc: note={text}"));
        }
        assert!(
            read("Scan vs. Skip. J. ACM 1(1):1-2, 1990")
                .starts_with("article: title=Scan vs. Skip|journal=J. ACM|")
        );
    }
}

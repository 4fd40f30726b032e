//! Authors, as the facts list them.

use std::sync::LazyLock;

use regex::Regex;

static BETWEEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:\s*[,;]\s*and|\s+and|\s*[,;&])\s+").expect("the expression is right"));

/// What stands for authors that are not listed.
pub const OTHERS: &str = "others";

/// Who wrote it.
#[derive(Debug, PartialEq, Eq)]
pub enum Authors {
    /// "folklore": a text without a capital letter names nobody.
    Nobody,
    /// Each with the given names first; the last may be "others".
    Listed(Vec<String>),
    /// Names that are not written like that, "Horspool, R. N.": they stay as they are.
    AsWritten(String),
}

/// The authors, and what is said of them in brackets.
pub fn parsed(text: &str) -> (Authors, Option<&str>) {
    let (text, remark) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((before, remark)) => (before, Some(remark)),
        None => (text, None),
    };
    if !text.contains(char::is_uppercase) {
        return (Authors::Nobody, remark);
    }
    let text = text.trim().trim_end_matches(',');
    let (text, others) = match text.strip_suffix("et al.") {
        Some(text) => (text.trim_end().trim_end_matches(','), true),
        None => (text, false),
    };
    let mut listed: Vec<String> =
        BETWEEN.split(text).map(|name| name.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    // A family name has a small letter, and is not a rank.
    let whole = |name: &String| {
        name.contains(char::is_lowercase) && !["Jr", "Jr.", "Sr", "Sr."].contains(&name.as_str())
    };
    if !listed.iter().all(whole) {
        return (Authors::AsWritten(text.to_owned()), remark);
    }
    if others {
        listed.push(OTHERS.to_owned());
    }
    (Authors::Listed(listed), remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_commas() {
        let listed = |names: &[&str]| Authors::Listed(names.iter().map(|name| (*name).to_owned()).collect());
        for (text, authors, remark) in [
            ("R. N. Horspool", listed(&["R. N. Horspool"]), None),
            ("B. Ďurian, S. Sai Lakshmi", listed(&["B. Ďurian", "S. Sai Lakshmi"]), None),
            ("A. Hume and D. Sunday", listed(&["A. Hume", "D. Sunday"]), None),
            ("A. One, B. Two, and C.  Three", listed(&["A. One", "B. Two", "C. Three"]), None),
            ("S. Vilardell et al.", listed(&["S. Vilardell", "others"]), None),
            (
                "M. N. Palmer (after D. Cantone, S. Faro)",
                listed(&["M. N. Palmer"]),
                Some("after D. Cantone, S. Faro"),
            ),
            ("folklore", Authors::Nobody, None),
            ("Horspool, R. N.", Authors::AsWritten("Horspool, R. N.".to_owned()), None),
            ("J. Smith, Jr.", Authors::AsWritten("J. Smith, Jr.".to_owned()), None),
        ] {
            assert_eq!(parsed(text), (authors, remark), "{text}");
        }
    }
}

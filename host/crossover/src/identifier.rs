//! Names of algorithms that Rust and C accept.

use std::collections::HashSet;

/// For each id the name of a variant of an enum in Rust: `bndmq2`, `peer:hor` become `Bndmq2`, `PeerHor`.
pub(crate) fn variants(ids: &[String]) -> Vec<String> {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    // `Self` is a word of the language.
    distinct(ids.iter().map(|id| words(id).map(capitalised).collect()), "Self")
}

/// For each id the name of an enumerator in C: `bndmq2` becomes `ASSAY_BNDMQ2`.
pub(crate) fn enumerators(ids: &[String]) -> Vec<String> {
    let upper = |id: &String| {
        let words: Vec<String> = words(id).map(str::to_ascii_uppercase).collect();
        format!("ASSAY_{}", words.join("_"))
    };
    distinct(ids.iter().map(upper), NOT_MEASURED)
}

/// The enumerator for what was not measured.
pub(crate) const NOT_MEASURED: &str = "ASSAY_NOT_MEASURED";

/// The words of an id.
fn words(id: &str) -> impl Iterator<Item = &str> {
    id.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Names that begin with a letter, differ from each other and from `reserved`.
fn distinct(names: impl Iterator<Item = String>, reserved: &str) -> Vec<String> {
    let mut taken = HashSet::from([reserved.to_owned()]);
    let mut all = Vec::new();
    for name in names {
        let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        let name = if begins { name } else { format!("A{name}") };
        let numbered = (2..).map(|number| format!("{name}V{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| taken.insert(name.clone()));
        all.push(free.expect("there are numbers without end"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_the_language_and_differ() {
        let ids = ["hor", "hor@2", "peer:hor", "b.m", "b-m", "2way", "self", "not_measured"];
        let ids: Vec<String> = ids.into_iter().map(str::to_owned).collect();
        assert_eq!(
            variants(&ids),
            ["Hor", "Hor2", "PeerHor", "BM", "BMV2", "A2way", "SelfV2", "NotMeasured"]
        );
        let expected = ["HOR", "HOR_2", "PEER_HOR", "B_M", "B_MV2", "2WAY", "SELF", "NOT_MEASUREDV2"];
        assert_eq!(enumerators(&ids), expected.map(|name| format!("ASSAY_{name}")));
    }
}

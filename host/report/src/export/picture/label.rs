//! The width of labels in pictures, and labels that are shortened to fit.
//!
//! Widths are estimates, because whoever shows an SVG picture chooses the font.

/// The font size in pixels.
pub(super) const FONT_SIZE: f64 = 12.0;

/// The width of most letters in pixels. Those of sans-serif fonts are somewhat narrower on average, so labels that fit
/// by this width do not touch.
const LETTER_WIDTH: f64 = 0.6 * FONT_SIZE;

/// The letters that are about as wide as the font size in sans-serif fonts.
const WIDE_LETTERS: &str = "mwMW@%—…";

/// The width of a label in pixels.
pub(super) fn width(label: &str) -> f64 {
    let wide = label.chars().filter(|letter| WIDE_LETTERS.contains(*letter)).count();
    FONT_SIZE * wide as f64 + LETTER_WIDTH * (label.chars().count() - wide) as f64
}

/// A label that is no wider than this number of pixels. If it must be shortened, its middle is left out, because
/// both ends distinguish names.
pub(super) fn shortened(label: &str, pixels: f64) -> String {
    if width(label) <= pixels {
        return label.to_owned();
    }
    let letters: Vec<char> = label.chars().collect();
    let without_middle = |kept: usize| -> String {
        let (start, end) = (&letters[..kept.div_ceil(2)], &letters[letters.len() - kept / 2..]);
        start.iter().chain(&['…']).chain(end).collect()
    };
    // Not even the first letter may fit; a label is never empty.
    (1..letters.len())
        .rev()
        .map(without_middle)
        .find(|short| width(short) <= pixels)
        .unwrap_or_else(|| without_middle(1))
}

/// Labels that are no wider than this number of pixels, of which no two different ones look the same. Of labels
/// that would do so if their middle were left out, the words that all of them have in common are left out, but not
/// the first word; or else everything before the first difference.
pub(super) fn shortened_apart(labels: &[String], pixels: f64) -> Vec<String> {
    let mut short: Vec<String> = labels.iter().map(|label| shortened(label, pixels)).collect();
    for distinguish in [without_common_words, from_first_difference] {
        let before = short.clone();
        for (place, label) in labels.iter().enumerate() {
            let alike = (0..labels.len()).filter(|other| before[*other] == before[place]);
            let alike: Vec<&str> = alike.map(|other| labels[other].as_str()).collect();
            if alike.iter().any(|other| other != label) {
                short[place] = without_end(&distinguish(label, &alike), pixels);
            }
        }
    }
    short
}

/// The beginning of a label, no wider than this number of pixels.
fn without_end(label: &str, pixels: f64) -> String {
    if width(label) <= pixels {
        return label.to_owned();
    }
    let mut start = label.trim_end_matches('…').to_owned();
    while width(&start) + width("…") > pixels && start.pop().is_some() {}
    start + "…"
}

/// A label without the words that all of these labels begin and end with, except for the first word.
fn without_common_words(label: &str, alike: &[&str]) -> String {
    let words = |label: &str| label.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let all: Vec<Vec<String>> = alike.iter().map(|label| words(label)).collect();
    let words = words(label);
    let begins = |count: usize| all.iter().all(|other| other.get(..count) == words.get(..count));
    let ends = |count: usize| {
        let end = |words: &[String]| Some(words[words.len().checked_sub(count)?..].to_vec());
        all.iter().all(|other| end(other) == end(&words))
    };
    let shortest = all.iter().map(Vec::len).min().unwrap_or_default();
    let start = (0..=shortest).rev().find(|count| begins(*count)).unwrap_or_default();
    let end = (0..=shortest - start).rev().find(|count| ends(*count)).unwrap_or_default();
    let middle = words[start..words.len() - end].join(" ");
    let first = if start > 0 { format!("{} ", words[0]) } else { String::new() };
    let (before, after) = (if start > 1 { "…" } else { "" }, if end > 0 { "…" } else { "" });
    format!("{first}{before}{middle}{after}")
}

/// The end of a label from the first letter in which these labels differ.
fn from_first_difference(label: &str, alike: &[&str]) -> String {
    let is_common = |(place, letter): &(usize, char)| {
        alike.iter().all(|other| other.get(*place..).is_some_and(|rest| rest.starts_with(*letter)))
    };
    let place =
        label.char_indices().find(|letter| !is_common(letter)).map_or(label.len(), |(place, _)| place);
    format!("…{}", &label[place..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_differ_look_different() {
        let cpu = |model: &str| format!("english, AMD EPYC {model}-Core Processor");
        let names = [cpu("9654 96"), cpu("9754 128"), cpu("9654 96"), "tale, Another".to_owned()];
        let short = shortened_apart(&names, 160.0);
        assert_eq!(short[..2], ["english, …9654 96-C…", "english, …9754 128-…"].map(str::to_owned));
        assert_eq!((&short[0], short[3].as_str()), (&short[2], "tale, Another"));
        let long = |letter: &str| format!("{}{letter}{}", "a".repeat(40), "b".repeat(40));
        let short = shortened_apart(&[long("x"), long("y")], 160.0);
        assert!(short[0].starts_with("…x") && short[1].starts_with("…y"), "{short:?}");
        assert!(short.iter().all(|name| width(name) <= 160.0));
        assert_eq!(shortened_apart(&["english".to_owned()], 160.0), ["english"]);
    }

    #[test]
    fn a_label_that_is_too_wide_keeps_its_ends() {
        assert_eq!(shortened("texts/english.txt", 17.0 * LETTER_WIDTH), "texts/english.txt");
        let short = shortened("texts/english.txt", 11.0 * LETTER_WIDTH);
        assert_eq!((short.as_str(), width(&short) <= 11.0 * LETTER_WIDTH), ("texts….txt", true));
        let two = ["ä".repeat(9), "ab".to_owned()].map(|label| shortened(&label, 3.0 * LETTER_WIDTH));
        assert_eq!(two, ["ä…", "ab"]);
        assert_eq!(shortened("mm", 1.0), "m…", "a label is never empty");
    }

    #[test]
    fn wide_letters_take_more_room() {
        assert!(width("memmem") > width("normal") && width("memmem") < width("normals!!"));
    }
}

//! The Fibonacci word: the simplest text that never becomes periodic, full of squares and long borders.

use assay_plugin_api::{Corpus, Request, register};

const FIBONACCI: Corpus = Corpus {
    id: "fibonacci",
    summary: "The Fibonacci word abaababa.. over a and b, from its start; there is one only, so the seed has no meaning.",
    reference: "J. Berstel, Fibonacci words: a survey, in The Book of L, Springer 1986, pages 13-27",
    generate,
    ..Corpus::UNKNOWN
};
register!(corpus FIBONACCI);

/// Each word is the last one followed by the one before it, so all of them are prefixes of the text.
fn generate(_: Request, text: &mut [u8]) -> Result<(), String> {
    for (byte, letter) in text.iter_mut().zip(*b"ab") {
        *byte = letter;
    }
    let (mut before, mut last) = (1, 2);
    while last < text.len() {
        text.copy_within(..before.min(text.len() - last), last);
        (before, last) = (last, last + before);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fingerprint, text};

    #[test]
    fn the_text_is_the_fibonacci_word() {
        assert_eq!(str::from_utf8(&text(&FIBONACCI, 1, 0, 21)), Ok("abaababaabaababaababa"));
        assert_eq!(fingerprint(&FIBONACCI, 0), 0xca45204033c4cd47);
        assert_eq!(text(&FIBONACCI, 1, 0, 1), b"a");
        assert!(text(&FIBONACCI, 1, 0, 0).is_empty());
    }

    #[test]
    fn the_word_is_its_own_image_under_a_to_ab_and_b_to_a() {
        let word = text(&FIBONACCI, 1, 0, 5000);
        let image: Vec<u8> =
            word.iter().flat_map(|&letter| if letter == b'a' { &b"ab"[..] } else { b"a" }).copied().collect();
        assert_eq!(word, image[..word.len()]);
    }
}

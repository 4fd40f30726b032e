//! Synthetic English: the 50 commonest words at their published rates, and made-up words for the rest.
//!
//! A made-up word takes its length and its letters, each independently, from what the common words leave over
//! of the published rates, so that the whole text has the word lengths and letter frequencies of English.
//! There are neither capitals nor punctuation, nor any relation between neighbouring words.
//!
//! Sources: P. Norvig, English Letter Frequency Counts: Mayzner Revisited, 2012, norvig.com/mayzner.html
//! (words, and lengths of words up to 17 letters); R. E. Lewand, Cryptological Mathematics, MAA 2000, page 36
//! (letters).

use assay_plugin_api::{Corpus, Request, register};

use crate::draws::{Draws, Weighted};

const ENGLISH: Corpus = Corpus {
    id: "english",
    summary: "Synthetic: lower-case words and spaces; the 50 commonest English words at their rates, made-up words between.",
    reference: "P. Norvig, English Letter Frequency Counts: Mayzner Revisited, 2012; \
                R. E. Lewand, Cryptological Mathematics, MAA 2000",
    generate,
    ..Corpus::UNKNOWN
};
register!(corpus ENGLISH);

/// Of 10,000 words, how many are this one.
const WORDS: [(&str, u64); 50] = [
    ("the", 714),
    ("of", 416),
    ("and", 304),
    ("to", 260),
    ("in", 227),
    ("a", 206),
    ("is", 113),
    ("that", 108),
    ("for", 88),
    ("it", 77),
    ("as", 77),
    ("was", 74),
    ("with", 70),
    ("be", 65),
    ("by", 63),
    ("on", 62),
    ("not", 61),
    ("he", 55),
    ("i", 52),
    ("this", 51),
    ("are", 50),
    ("or", 49),
    ("his", 49),
    ("from", 47),
    ("at", 46),
    ("which", 42),
    ("but", 38),
    ("have", 37),
    ("an", 37),
    ("had", 35),
    ("they", 33),
    ("you", 31),
    ("were", 31),
    ("their", 29),
    ("one", 29),
    ("all", 28),
    ("we", 28),
    ("can", 22),
    ("her", 22),
    ("has", 22),
    ("there", 22),
    ("been", 22),
    ("if", 21),
    ("more", 21),
    ("when", 20),
    ("will", 20),
    ("would", 20),
    ("who", 20),
    ("so", 19),
    ("no", 19),
];

/// Of 100,000 words, how many have 1, 2, 3 .. letters.
const LENGTHS: [u64; 17] =
    [2998, 17651, 20511, 14787, 10700, 8388, 7939, 5943, 4437, 3076, 1761, 958, 518, 222, 76, 20, 10];

/// Of 100,000 letters, how many are a, b, c ..
const LETTERS: [u64; 26] = [
    8167, 1492, 2782, 4253, 12702, 2228, 2015, 6094, 6966, 153, 772, 4025, 2406, 6749, 7507, 1929, 95, 5987,
    6327, 9056, 2758, 978, 2360, 150, 1974, 74,
];

/// Stands for a made-up word where a word is drawn by its index.
const MADE_UP: u8 = WORDS.len() as u8;

fn generate(request: Request, text: &mut [u8]) -> Result<(), String> {
    let (words, lengths, letters) = (words(), made_up_lengths(), made_up_letters());
    let mut draws = Draws::new(request.seed);
    let mut at = 0;
    while at < text.len() {
        let mut made_up = [0; LENGTHS.len()];
        let word = match words.draw(&mut draws) {
            MADE_UP => {
                let word = &mut made_up[..usize::from(lengths.draw(&mut draws))];
                word.fill_with(|| letters.draw(&mut draws));
                word
            }
            common => WORDS[usize::from(common)].0.as_bytes(),
        };
        let end = text.len().min(at + word.len());
        text[at..end].copy_from_slice(&word[..end - at]);
        if let Some(byte) = text.get_mut(end) {
            *byte = b' ';
        }
        at = end + 1;
    }
    Ok(())
}

fn words() -> Weighted {
    let common: u64 = WORDS.iter().map(|(_, weight)| weight).sum();
    let mut weights: Vec<(u8, u64)> = (0..).zip(WORDS.map(|(_, weight)| weight)).collect();
    weights.push((MADE_UP, 10_000 - common));
    Weighted::new(&weights)
}

fn made_up_lengths() -> Weighted {
    let mut left = LENGTHS;
    for (word, weight) in WORDS {
        left[word.len() - 1] -= 10 * weight;
    }
    Weighted::new(&(1..).zip(left).collect::<Vec<_>>())
}

/// Counted in 100,000 words, and each letter 100,000 times to stay with whole numbers.
fn made_up_letters() -> Weighted {
    let letters_in_all: u64 = (1..).zip(LENGTHS).map(|(length, words)| length * words).sum();
    let mut left = LETTERS.map(|weight| weight * letters_in_all);
    for (word, weight) in WORDS {
        for letter in word.bytes() {
            left[usize::from(letter - b'a')] -= 100_000 * 10 * weight;
        }
    }
    Weighted::new(&(b'a'..).zip(left).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fingerprint, shares, text};

    #[test]
    fn the_same_seed_gives_the_same_bytes_everywhere() {
        assert_eq!(
            str::from_utf8(&text(&ENGLISH, 1, 0, 60)),
            Ok("the inyab the a to ioe vedunrmlt redha iegrearle nnsectxceyi")
        );
        assert_eq!(fingerprint(&ENGLISH, 0), 0x431c2e0176e3df05);
    }

    #[test]
    fn letters_lengths_and_words_have_their_published_rates() {
        let text = String::from_utf8(text(&ENGLISH, 7, 0, 1 << 22)).unwrap();
        let letters: Vec<u8> = text.bytes().filter(|&byte| byte != b' ').collect();
        let shares = shares(&letters);
        for (letter, expected) in (b'a'..).zip(LETTERS) {
            let share = shares[usize::from(letter)];
            assert!((share - expected as f64 / 1e5).abs() < 0.001, "{}: {share}", letter as char);
        }
        let words: Vec<&str> = text.split(' ').collect();
        let share = |chosen: &dyn Fn(&str) -> bool| {
            words.iter().filter(|word| chosen(word)).count() as f64 / words.len() as f64
        };
        for (length, expected) in (1..).zip(LENGTHS) {
            let share = share(&|word| word.len() == length);
            assert!((share - expected as f64 / 1e5).abs() < 0.002, "{length} letters: {share}");
        }
        for (common, expected) in WORDS.into_iter().filter(|(word, _)| word.len() > 2) {
            let share = share(&|word| word == common);
            assert!((share - expected as f64 / 1e4).abs() < 0.001, "{common}: {share}");
        }
    }

    #[test]
    fn a_text_may_end_anywhere() {
        let whole = text(&ENGLISH, 3, 0, 40);
        for length in 0..40 {
            assert_eq!(text(&ENGLISH, 3, 0, length), whole[..length]);
        }
    }
}

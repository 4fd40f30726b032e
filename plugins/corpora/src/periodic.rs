//! A short block over and over: long borders, and after a mismatch every shift but one is wrong.

use assay_plugin_api::{Corpus, Request, register};

use crate::draws::Draws;

const PERIODIC: Corpus = Corpus {
    id: "periodic",
    summary: "A block of 32 letters from a to d, drawn by the seed, over and over.",
    generate,
    ..Corpus::UNKNOWN
};
register!(corpus PERIODIC);

const PERIOD: usize = 32;

fn generate(request: Request, text: &mut [u8]) -> Result<(), String> {
    let mut draws = Draws::new(request.seed);
    let block: [u8; PERIOD] = std::array::from_fn(|_| b'a' + draws.below(4) as u8);
    for part in text.chunks_mut(PERIOD) {
        part.copy_from_slice(&block[..part.len()]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fingerprint, text};

    #[test]
    fn the_same_seed_gives_the_same_bytes_everywhere() {
        assert_eq!(str::from_utf8(&text(&PERIODIC, 1, 0, PERIOD)), Ok("acbbcdaaaaacabcadddbadcccbdbbcaa"));
        assert_eq!(fingerprint(&PERIODIC, 0), 0xd8ee9dd37a742d5e);
    }

    #[test]
    fn the_block_comes_again_and_the_seed_changes_it() {
        let [one, other] = [1, 2].map(|seed| text(&PERIODIC, seed, 0, 1000));
        assert_eq!(one[PERIOD..], one[..1000 - PERIOD]);
        assert_ne!(one, other);
    }
}

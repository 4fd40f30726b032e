//! Generated texts. The same seed gives the same bytes on every machine, now and in later versions: the tests
//! hold fingerprints of each corpus.

mod draws;
pub mod english;
pub mod fibonacci;
pub mod genome;
pub mod periodic;
pub mod protein;
pub mod rand;

#[cfg(test)]
mod testing {
    use assay_plugin_api::{Corpus, Request};

    /// A text of `length` bytes.
    pub fn text(corpus: &Corpus, seed: u64, parameter: usize, length: usize) -> Vec<u8> {
        let mut text = vec![0; length];
        (corpus.generate)(Request { seed, parameter }, &mut text).unwrap();
        text
    }

    /// FNV-1a of the first 100,000 bytes of the text with seed 1.
    pub fn fingerprint(corpus: &Corpus, parameter: usize) -> u64 {
        text(corpus, 1, parameter, 100_000).iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// How often each byte occurs in a text, as a share of its length.
    pub fn shares(text: &[u8]) -> [f64; 256] {
        let mut shares = [0.0; 256];
        for &byte in text {
            shares[usize::from(byte)] += 1.0 / text.len() as f64;
        }
        shares
    }
}

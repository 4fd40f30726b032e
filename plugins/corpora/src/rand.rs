//! Uniform random text: what SMART calls `rand2`, `rand4` .. `rand250`.

use assay_plugin_api::{Corpus, Request, register};

use crate::draws::Draws;

const RAND: Corpus = Corpus {
    id: "rand",
    summary: "Uniform and independent bytes below the number after the name: `rand4` holds the bytes 0 to 3.",
    parameter: Some(2..=256),
    generate,
    ..Corpus::UNKNOWN
};
register!(corpus RAND);

fn generate(Request { seed, parameter }: Request, text: &mut [u8]) -> Result<(), String> {
    let alphabet = u32::try_from(parameter).ok().filter(|size| (2..=256).contains(size));
    let alphabet = alphabet.ok_or_else(|| format!("an alphabet has 2 to 256 letters, not {parameter}"))?;
    let mut draws = Draws::new(seed);
    text.fill_with(|| draws.below(alphabet) as u8);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fingerprint, shares, text};

    #[test]
    fn the_same_seed_gives_the_same_bytes_everywhere() {
        assert_eq!(text(&RAND, 1, 4, 16), [0, 2, 1, 1, 2, 3, 0, 0, 0, 0, 0, 2, 0, 1, 2, 0]);
        assert_eq!(
            [2, 4, 100, 256].map(|size| fingerprint(&RAND, size)),
            [0x8e082142695d6782, 0x1af81305906e6239, 0xce07278ec368941a, 0xdfe121e28d71fb7b]
        );
    }

    #[test]
    fn every_letter_is_drawn_and_no_other() {
        for size in [2, 3, 100, 256] {
            let shares = shares(&text(&RAND, 7, size, 1 << 20));
            for (byte, &share) in shares.iter().enumerate() {
                let expected = if byte < size { 1.0 / size as f64 } else { 0.0 };
                // Five standard deviations.
                assert!(
                    (share - expected).abs() <= 5.0 * (expected / (1 << 20) as f64).sqrt(),
                    "{size}: {byte}"
                );
            }
        }
    }

    #[test]
    fn an_alphabet_out_of_range_is_refused() {
        for parameter in [0, 1, 257] {
            let error = generate(Request { seed: 1, parameter }, &mut [0; 4]).unwrap_err();
            assert!(error.contains(&parameter.to_string()), "{error}");
        }
    }
}

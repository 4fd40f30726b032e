//! Synthetic protein: independent amino acids at their rates in Swiss-Prot.

use assay_plugin_api::{Corpus, Request, register};

use crate::draws::{Draws, Weighted};

const PROTEIN: Corpus = Corpus {
    id: "protein",
    summary: "Synthetic: the 20 amino acids (one-letter codes) drawn independently, at their rates in Swiss-Prot.",
    reference: "Amino acid composition of UniProtKB/Swiss-Prot, statistics of release 2013_04",
    generate,
    ..Corpus::UNKNOWN
};
register!(corpus PROTEIN);

/// Hundredths of a percent.
const COMPOSITION: [(u8, u64); 20] = [
    (b'A', 825),
    (b'R', 553),
    (b'N', 406),
    (b'D', 545),
    (b'C', 137),
    (b'Q', 393),
    (b'E', 675),
    (b'G', 707),
    (b'H', 227),
    (b'I', 596),
    (b'L', 966),
    (b'K', 584),
    (b'M', 242),
    (b'F', 386),
    (b'P', 470),
    (b'S', 656),
    (b'T', 534),
    (b'W', 108),
    (b'Y', 292),
    (b'V', 687),
];

fn generate(request: Request, text: &mut [u8]) -> Result<(), String> {
    let (mut draws, letters) = (Draws::new(request.seed), Weighted::new(&COMPOSITION));
    text.fill_with(|| letters.draw(&mut draws));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fingerprint, shares, text};

    #[test]
    fn the_same_seed_gives_the_same_bytes_everywhere() {
        assert_eq!(str::from_utf8(&text(&PROTEIN, 1, 0, 24)), Ok("ALEGLVAAADNLAGKDSSVQRYLF"));
        assert_eq!(fingerprint(&PROTEIN, 0), 0x1e5e2120b84ab8e3);
    }

    #[test]
    fn amino_acids_have_their_published_rates() {
        let shares = shares(&text(&PROTEIN, 7, 0, 1 << 20));
        for (letter, weight) in COMPOSITION {
            let (share, expected) = (shares[usize::from(letter)], weight as f64 / 9989.0);
            assert!((share - expected).abs() < 0.002, "{}: {share} for {expected}", letter as char);
        }
    }
}

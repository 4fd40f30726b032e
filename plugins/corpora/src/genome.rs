//! Synthetic DNA: a Markov chain of order 1 with the transition probabilities of human DNA outside CpG
//! islands.
//!
//! Source: R. Durbin, S. Eddy, A. Krogh, G. Mitchison, Biological Sequence Analysis, Cambridge University
//! Press 1998, section 3.1, the table of the "-" model. The chain has the known shortage of CG (a G follows a
//! C in 8 % of cases); genes, repeats and the long-range structure of real genomes it has not.

use assay_plugin_api::{Corpus, Request, register};

use crate::draws::{Draws, Weighted};

const GENOME: Corpus = Corpus {
    id: "genome",
    summary: "Synthetic: letters A, C, G and T, each drawn by the one before it, as in human DNA outside CpG islands.",
    reference: "R. Durbin et al. Biological Sequence Analysis, Cambridge University Press 1998, section 3.1, model -",
    generate,
    ..Corpus::UNKNOWN
};
register!(corpus GENOME);

const LETTERS: [u8; 4] = *b"ACGT";

/// For each letter, how often in a thousand A, C, G and T come next.
const NEXT: [[u64; 4]; 4] =
    [[300, 205, 285, 210], [322, 298, 78, 302], [248, 246, 298, 208], [177, 239, 292, 292]];

fn generate(request: Request, text: &mut [u8]) -> Result<(), String> {
    let next = NEXT.map(|[a, c, g, t]| Weighted::new(&[(0, a), (1, c), (2, g), (3, t)]));
    let mut draws = Draws::new(request.seed);
    let mut letter = draws.below(4) as usize;
    for byte in text {
        *byte = LETTERS[letter];
        letter = usize::from(next[letter].draw(&mut draws));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fingerprint, text};

    #[test]
    fn the_same_seed_gives_the_same_bytes_everywhere() {
        assert_eq!(str::from_utf8(&text(&GENOME, 1, 0, 24)), Ok("AGCCCTAAAAAGACGATTTCATGG"));
        assert_eq!(fingerprint(&GENOME, 0), 0x3daddf0fabe64d48);
    }

    #[test]
    fn letters_follow_each_other_at_the_published_rates() {
        let text = text(&GENOME, 7, 0, 1 << 20);
        for (row, first) in NEXT.iter().zip(LETTERS) {
            let followers: Vec<u8> =
                text.windows(2).filter(|pair| pair[0] == first).map(|pair| pair[1]).collect();
            for (&expected, second) in row.iter().zip(LETTERS) {
                let count = followers.iter().filter(|&&letter| letter == second).count();
                let share = count as f64 / followers.len() as f64;
                assert!((share - expected as f64 / 1000.0).abs() < 0.005, "{first} {second}: {share}");
            }
        }
    }
}

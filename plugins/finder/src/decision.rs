//! The kinds of methods, and what is decided where one begins to search: a text that counts shows each
//! choice.

use crate::cpu::Instructions;
use crate::found::Found;
use crate::method::Method;
#[cfg(target_arch = "x86_64")]
use crate::packed;
#[cfg(target_arch = "x86_64")]
use crate::planes;
use crate::{all_characters, some_characters, windows};

/// A kind of method, for a search that may not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All characters of the pattern, which has at most eight, are compared at all alignments.
    AllCharacters,
    /// Two, three, four or eight characters of the pattern are compared at all alignments.
    SomeCharacters,
    /// One or two bits of each character are joined into words, which are compared.
    Packed,
    /// A few bits of some characters are compared at all alignments.
    Planes,
    /// One q-gram of each window is looked up.
    Windows,
    /// Two Way, which is linear in the worst case.
    TwoWay,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] =
        [Kind::AllCharacters, Kind::SomeCharacters, Kind::Packed, Kind::Planes, Kind::Windows, Kind::TwoWay];

    /// Lengths of the patterns that it can search.
    pub const fn lengths(self) -> (usize, usize) {
        match self {
            Kind::AllCharacters => (1, 8),
            Kind::SomeCharacters => (3, usize::MAX),
            Kind::Packed => (6, usize::MAX),
            Kind::Planes => (4, usize::MAX),
            Kind::Windows => (40, usize::MAX),
            Kind::TwoWay => (1, usize::MAX),
        }
    }

    /// Whether it can search patterns of `m` bytes.
    pub fn takes(self, m: usize) -> bool {
        let (least, most) = self.lengths();
        (least..=most).contains(&m)
    }

    /// The least instruction set that the method needs.
    pub fn instructions(self) -> Instructions {
        match self {
            Kind::Planes => Instructions::Avx512Planes,
            Kind::Packed => Instructions::Avx2,
            Kind::AllCharacters | Kind::SomeCharacters | Kind::Windows | Kind::TwoWay => Instructions::Plain,
        }
    }
}

/// What a method does in a search. A figure is 0 where the method has no such choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The kind of the method.
    pub kind: Kind,
    /// Bytes of a register; 0 if characters are compared one by one.
    pub lanes: usize,
    /// Characters of the pattern that are compared before a window is verified.
    pub compared: usize,
    /// Characters of a q-gram.
    pub gram: usize,
    /// Distance of the pattern's q-grams that are in the table.
    pub gram_step: usize,
    /// Codes that characters are packed into.
    pub codes: usize,
    /// Characters from one compared word of the text to the next.
    pub word_step: usize,
    /// Parities that are compared of a character.
    pub parities: usize,
    /// Blocks or windows that share one branch.
    pub unrolled: usize,
    /// Mean distance in bytes of candidates in vain below which the method gives up.
    pub least_gap: usize,
}

/// Bytes of the widest register that these instructions have and this number of alignments fills; 0 if it
/// fills none. [`search`](mod@crate::search) takes the same for methods whose registers depend on the text.
pub(crate) fn lanes(instructions: Instructions, alignments: usize) -> usize {
    let most = match instructions {
        Instructions::Avx512Planes | Instructions::Avx512 => 64,
        Instructions::Avx2 => 32,
        Instructions::Sse2 | Instructions::Plain => 16,
    };
    [64, 32, 16].into_iter().find(|lanes| *lanes <= most.min(alignments)).unwrap_or(0)
}

impl Method {
    /// What this method does in a search for a pattern of `m` bytes with registers of `lanes` bytes, if any,
    /// which gives up below a distance of candidates.
    pub(crate) fn decision<F: Found>(self, m: usize, lanes: usize, least_gap: usize) -> Decision {
        let plain = Decision {
            kind: self.kind(),
            lanes,
            compared: m,
            gram: 0,
            gram_step: 0,
            codes: 0,
            word_step: 0,
            parities: 0,
            unrolled: 1,
            least_gap,
        };
        match self {
            Method::TwoWay => Decision { lanes: 0, ..plain },
            #[cfg(target_arch = "x86_64")]
            Method::Planes(choice) => {
                let (parities, compared) = planes::shape(m, choice.useful);
                Decision { lanes: 64, compared, parities, unrolled: planes::GROUP, ..plain }
            }
            _ if lanes == 0 => Decision { least_gap: 0, ..plain },
            Method::AllCharacters => {
                Decision { unrolled: if F::POSITIONS { 1 } else { all_characters::BLOCKS }, ..plain }
            }
            Method::Two(_) => Decision { compared: 2, unrolled: some_characters::GROUP, ..plain },
            Method::Three(_) => Decision { compared: 3, unrolled: some_characters::GROUP, ..plain },
            Method::Four(_) => Decision { compared: 4, unrolled: some_characters::GROUP, ..plain },
            Method::Eight(_) => Decision { compared: 8, unrolled: some_characters::GROUP, ..plain },
            Method::Windows(grams) => {
                let (gram, gram_step) = grams.shape();
                Decision { compared: gram, gram, gram_step, unrolled: windows::GROUP, ..plain }
            }
            #[cfg(target_arch = "x86_64")]
            Method::Packed(packed) => Decision {
                compared: packed.codes.characters_of_a_word(),
                codes: 1 << packed.codes.bits,
                word_step: packed.period,
                unrolled: packed::GROUP,
                ..plain
            },
            #[cfg(not(target_arch = "x86_64"))]
            Method::Planes(_) | Method::Packed(_) => unreachable!("chosen where there are the instructions"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counted::Work;
    use crate::tests::random;

    #[test]
    fn what_a_method_does_is_shown_where_it_begins() {
        let text = random(b"acgt").repeat(4);
        let nothing = Decision {
            kind: Kind::TwoWay,
            lanes: 0,
            compared: 0,
            gram: 0,
            gram_step: 0,
            codes: 0,
            word_step: 0,
            parities: 0,
            unrolled: 0,
            least_gap: 0,
        };
        for (m, kind, instructions, decision) in [
            (
                3,
                Kind::AllCharacters,
                Instructions::Avx2,
                Decision { lanes: 32, compared: 3, unrolled: 255, ..nothing },
            ),
            (40, Kind::TwoWay, Instructions::Sse2, Decision { compared: 40, unrolled: 1, ..nothing }),
            (
                12,
                Kind::SomeCharacters,
                Instructions::Sse2,
                Decision { lanes: 16, compared: 8, unrolled: 8, least_gap: 256, ..nothing },
            ),
            (
                12,
                Kind::Packed,
                Instructions::Avx2,
                Decision {
                    lanes: 32,
                    compared: 8,
                    codes: 4,
                    word_step: 8,
                    unrolled: 2,
                    least_gap: 128,
                    ..nothing
                },
            ),
            (
                500,
                Kind::Windows,
                Instructions::Sse2,
                Decision { lanes: 16, compared: 16, gram: 16, gram_step: 1, unrolled: 4, ..nothing },
            ),
            (
                2000,
                Kind::Windows,
                Instructions::Sse2,
                Decision { lanes: 16, compared: 16, gram: 16, gram_step: 2, unrolled: 4, ..nothing },
            ),
            (
                6,
                Kind::Planes,
                Instructions::Avx512Planes,
                Decision { lanes: 64, compared: 6, parities: 2, unrolled: 1, least_gap: 300, ..nothing },
            ),
        ] {
            let Some(available) = instructions.available() else { continue };
            let (work, _) = Work::measured(&text[100..100 + m], &text, Some(kind), available);
            assert_eq!(work.decisions.borrow()[0], Decision { kind, ..decision }, "m = {m}");
        }
    }
}

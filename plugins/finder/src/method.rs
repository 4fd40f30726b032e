//! The choice of a method, by the lengths of pattern and text, the CPU, and a sample of the text.

use crate::code::Code;
use crate::cpu::Instructions;
use crate::sample::Frequencies;
use crate::some_characters::Place;
use crate::text::Text;

/// How a text is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// All characters of the pattern, which has at most four, are compared at all alignments.
    AllCharacters,
    /// These characters are compared at all alignments.
    Three([Place; 3]),
    /// The same with four.
    Four([Place; 4]),
    /// The same with eight.
    Eight([Place; 8]),
    /// A few bits of some characters are compared at all alignments.
    Planes(Code),
    /// One q-gram of each window is looked up.
    Windows(Gram),
    /// Two Way, which is linear in the worst case.
    TwoWay,
}

/// The q-grams of [`Method::Windows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gram {
    /// Eight characters, all q-grams of the pattern.
    Eight,
    /// Sixteen characters, all q-grams of the pattern.
    Sixteen,
    /// Sixteen characters, each second q-gram of the pattern.
    SixteenOfTwo,
    /// Twenty-four characters, all q-grams of the pattern.
    TwentyFour,
    /// Twenty-four characters, each second q-gram of the pattern.
    TwentyFourOfTwo,
    /// This bit of each of thirty-two characters, all q-grams of the pattern.
    Bits(u8),
}

/// A kind of method, for a search that may not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Method::AllCharacters`]
    AllCharacters,
    /// [`Method::Three`], [`Method::Four`] or [`Method::Eight`]
    SomeCharacters,
    /// [`Method::Planes`]
    Planes,
    /// [`Method::Windows`]
    Windows,
    /// [`Method::TwoWay`]
    TwoWay,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] =
        [Kind::AllCharacters, Kind::SomeCharacters, Kind::Planes, Kind::Windows, Kind::TwoWay];

    /// Lengths of the patterns that it can search.
    pub const fn lengths(self) -> (usize, usize) {
        match self {
            Kind::AllCharacters => (1, 4),
            Kind::SomeCharacters => (5, usize::MAX),
            Kind::Planes => (4, usize::MAX),
            Kind::Windows => (48, usize::MAX),
            Kind::TwoWay => (1, usize::MAX),
        }
    }

    /// Whether it can search patterns of `m` bytes.
    pub fn takes(self, m: usize) -> bool {
        let (least, most) = self.lengths();
        (least..=most).contains(&m)
    }
}

/// The text is sampled if it is longer than this: before, a sample costs more than it saves.
const SAMPLED: usize = 2048;
/// Planes pay in longer texts than this.
const LEAST_TEXT_FOR_PLANES: usize = 1024;

impl Method {
    /// The method for this pattern of at least one byte in this text, with these instructions.
    pub fn choose<T: Text>(pattern: &[u8], text: T, instructions: Instructions) -> Self {
        let (m, n) = (pattern.len(), text.len());
        let planes = instructions == Instructions::Avx512Planes && n > LEAST_TEXT_FOR_PLANES;
        if Kind::AllCharacters.takes(m) {
            // Where four planes tell as much as they can, hardly a window is verified in vain.
            if planes && Kind::Planes.takes(m) && n > SAMPLED {
                let code = Code::of(text);
                if code.even {
                    return Method::Planes(code);
                }
            }
            return Method::AllCharacters;
        }
        let kind = if Kind::Windows.takes(m) && windows_pay(m, n, planes) {
            Kind::Windows
        } else if planes {
            Kind::Planes
        } else {
            Kind::SomeCharacters
        };
        Self::of_kind(kind, pattern, text, instructions)
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Method::AllCharacters => Kind::AllCharacters,
            Method::Three(_) | Method::Four(_) | Method::Eight(_) => Kind::SomeCharacters,
            Method::Planes(_) => Kind::Planes,
            Method::Windows(_) => Kind::Windows,
            Method::TwoWay => Kind::TwoWay,
        }
    }

    /// The method that goes on where this one gives up; none where Two Way must.
    pub fn next<T: Text>(self, pattern: &[u8], text: T, instructions: Instructions) -> Option<Self> {
        let Method::Windows(gram) = self else { return None };
        let wider = match gram {
            Gram::Eight => Some(Gram::Sixteen),
            Gram::Sixteen => Some(Gram::TwentyFour),
            Gram::SixteenOfTwo => Some(Gram::TwentyFourOfTwo),
            Gram::TwentyFour | Gram::TwentyFourOfTwo | Gram::Bits(_) => None,
        };
        let kind =
            if instructions == Instructions::Avx512Planes { Kind::Planes } else { Kind::SomeCharacters };
        Some(match wider.filter(|_| pattern.len() >= 100) {
            Some(wider) => Method::Windows(wider),
            None => Self::of_kind(kind, pattern, text, instructions),
        })
    }

    /// The method of this kind.
    ///
    /// # Panics
    /// If the kind can't search patterns of this length, or if the CPU lacks the instructions.
    pub fn of_kind<T: Text>(kind: Kind, pattern: &[u8], text: T, instructions: Instructions) -> Self {
        assert!(kind.takes(pattern.len()), "a pattern of {} bytes for {kind:?}", pattern.len());
        assert!(
            kind != Kind::Planes || instructions == Instructions::Avx512Planes,
            "planes without instructions"
        );
        let sampled = text.len() > SAMPLED;
        let code = || if sampled { Code::of(text) } else { Code::UNKNOWN };
        match kind {
            Kind::AllCharacters => Method::AllCharacters,
            Kind::TwoWay => Method::TwoWay,
            Kind::Planes => Method::Planes(code()),
            Kind::Windows => Method::Windows(match pattern {
                [start @ .., _] if instructions >= Instructions::Avx512 && of_two_characters(start) => {
                    match code() {
                        Code { masks: [mask, ..], useful: 1, .. } if mask.is_power_of_two() => {
                            Gram::Bits(mask)
                        }
                        _ => Gram::by_length(pattern.len()),
                    }
                }
                _ => Gram::by_length(pattern.len()),
            }),
            Kind::SomeCharacters => {
                if !sampled {
                    return Method::Three(spread(pattern));
                }
                let frequencies = Frequencies::of(text);
                let (three, chance) = frequencies.rarest::<3>(pattern);
                if chance < 1.0 / 8192.0 {
                    return Method::Three(three);
                }
                let (four, chance) = frequencies.rarest::<4>(pattern);
                if chance < 1.0 / 4096.0 || pattern.len() < 8 {
                    return Method::Four(four);
                }
                Method::Eight(frequencies.rarest::<8>(pattern).0)
            }
        }
    }
}

/// `K` characters of the pattern from the first to the last, as far apart as they can be.
pub fn spread<const K: usize>(pattern: &[u8]) -> [Place; K] {
    core::array::from_fn(|k| {
        let offset = k * (pattern.len() - 1) / (K - 1);
        Place { offset, byte: pattern[offset] }
    })
}

/// Whether a pattern begins with 63 characters, at most two different ones.
fn of_two_characters(pattern: &[u8]) -> bool {
    pattern.first_chunk::<63>().is_some_and(|start| {
        let other = start.iter().find(|byte| **byte != start[0]);
        start.iter().all(|byte| *byte == start[0] || Some(byte) == other)
    })
}

impl Gram {
    /// A longer pattern has more q-grams, so each must be rarer in texts; and its table takes longer to fill.
    fn by_length(m: usize) -> Self {
        match m {
            ..400 => Gram::Eight,
            400..2000 => Gram::Sixteen,
            _ => Gram::SixteenOfTwo,
        }
    }
}

/// Whether a look at each window, and the table, take less time than a look at each character.
fn windows_pay(m: usize, n: usize, planes: bool) -> bool {
    // Times in nanoseconds, as measured on an Intel of family 6 model 207; only their ratios matter.
    let window = 0.8 + m as f32 / 1000.0;
    let windows = 300.0 + m as f32 + n as f32 / (m - 7) as f32 * window;
    let character = if planes { 0.0165 } else { 0.030 };
    windows < 150.0 + n as f32 * character
}

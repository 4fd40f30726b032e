//! The random generator of the cases.

/// A linear congruential generator with the constants of D. E. Knuth's MMIX. Draws use the upper half of its
/// state, because the lower bits have short periods.
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// The generator of a group. Each group has its own, so that it does not depend on the other groups.
    pub fn new(seed: u64, group: &str) -> Self {
        Draws(group.bytes().fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))))
    }

    /// A random number below this one.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as usize % bound
    }

    /// A random one of these values.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A random text.
    pub fn letters(&mut self, alphabet: Alphabet, length: usize) -> Vec<u8> {
        (0..length).map(|_| alphabet.first.wrapping_add(self.below(alphabet.size) as u8)).collect()
    }

    /// A random alphabet of this size: the least bytes, the greatest, or some in the middle. This detects
    /// algorithms that take bytes for signed numbers or for printable text.
    pub fn alphabet(&mut self, size: usize) -> Alphabet {
        let last = 256_usize.wrapping_sub(size) as u8;
        Alphabet { first: self.one_of(&[0, last, last, b'a', 120]), size }
    }

    /// A pattern from a random position of the text; in one of three cases, one byte is changed.
    pub fn pattern_of(&mut self, text: Vec<u8>) -> super::Case {
        let (from, to) = (self.below(text.len()), self.below(text.len()));
        let mut pattern = text[from.min(to)..=from.max(to)].to_vec();
        if self.below(3) == 0 {
            let place = self.below(pattern.len());
            pattern[place] = self.below(256) as u8;
        }
        (pattern, text)
    }
}

/// An alphabet: `size` letters from `first` on. Letter 0 follows letter 255.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// The first letter.
    pub first: u8,
    /// Number of letters.
    pub size: usize,
}

//! What cases are drawn with.

/// A linear congruential generator with the constants of D. E. Knuth's MMIX; its upper half is drawn from.
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// The draws of a group: other groups have others.
    pub fn new(seed: u64, group: &str) -> Self {
        Draws(group.bytes().fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))))
    }

    /// A number below this.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as usize % bound
    }

    /// One of a few.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A random text.
    pub fn letters(&mut self, alphabet: Alphabet, length: usize) -> Vec<u8> {
        (0..length).map(|_| alphabet.first.wrapping_add(self.below(alphabet.size) as u8)).collect()
    }

    /// An alphabet of this number of letters: the first of all bytes, the last, or some in the middle. So
    /// what takes bytes for signed numbers, or for text, is found out.
    pub fn alphabet(&mut self, size: usize) -> Alphabet {
        let last = 256_usize.wrapping_sub(size) as u8;
        Alphabet { first: self.one_of(&[0, last, last, b'a', 120]), size }
    }

    /// A pattern of the text, from anywhere in it, and in one case of three with one byte changed.
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

/// This number of letters from the first on, around the end of all bytes.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// The first.
    pub first: u8,
    /// How many.
    pub size: usize,
}

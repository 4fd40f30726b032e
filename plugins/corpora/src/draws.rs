//! Random draws from a seed: ChaCha with 8 rounds, read as 16-bit numbers, and integer arithmetic from there
//! on.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random 16-bit numbers.
pub struct Draws {
    rng: ChaCha8Rng,
    buffer: [u8; Self::BUFFER],
    used: usize,
}

impl Draws {
    const BUFFER: usize = 4096;

    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Draws { rng: ChaCha8Rng::seed_from_u64(seed), buffer: [0; Self::BUFFER], used: Self::BUFFER }
    }

    /// The next number: each equally likely.
    #[inline]
    pub fn next(&mut self) -> u16 {
        if self.used == Self::BUFFER {
            self.rng.fill_bytes(&mut self.buffer);
            self.used = 0;
        }
        let number = u16::from_le_bytes([self.buffer[self.used], self.buffer[self.used + 1]]);
        self.used += 2;
        number
    }

    /// A number below `bound`, which is at most 2^16: each equally likely. The few draws that would favour
    /// some numbers are thrown away (D. Lemire, Fast random integer generation in an interval, ACM TOMACS
    /// 29(1), 2019).
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let unfair = (1 << 16) % bound;
        loop {
            let product = u32::from(self.next()) * bound;
            if product & 0xffff >= unfair {
                return product >> 16;
            }
        }
    }
}

/// A choice between values with weights: 2^16 slots, of which each value has as many as its weight deserves,
/// to within one.
pub struct Weighted(Box<[u8; 1 << 16]>);

impl Weighted {
    /// Shares the slots out by the largest remainders. At least one weight must be positive.
    pub fn new(weights: &[(u8, u64)]) -> Self {
        let slots = Box::new([0; 1 << 16]);
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        let quota = |weight: u64| ((weight << 16) / total, (weight << 16) % total);
        let whole: u64 = weights.iter().map(|&(_, weight)| quota(weight).0).sum();
        let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
        by_remainder.sort_by_key(|&i| std::cmp::Reverse(quota(weights[i].1).1));
        let extra = &by_remainder[..slots.len() - whole as usize];

        let mut choice = Weighted(slots);
        let mut start = 0;
        for (i, &(value, weight)) in weights.iter().enumerate() {
            let end = start + quota(weight).0 as usize + usize::from(extra.contains(&i));
            choice.0[start..end].fill(value);
            start = end;
        }
        choice
    }

    /// Draws a value.
    #[inline]
    pub fn draw(&self, draws: &mut Draws) -> u8 {
        self.0[usize::from(draws.next())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_the_weights() {
        let Weighted(slots) = Weighted::new(&[(b'x', 1), (b'y', 2), (b'-', 0), (b'z', 3)]);
        let count = |value| slots.iter().filter(|&&slot| slot == value).count();
        assert_eq!([count(b'x'), count(b'y'), count(b'-'), count(b'z')], [10923, 21845, 0, 32768]);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        // Each of the 2^16 draws once, as the last of a buffer: one that is thrown away makes `below` fill
        // the buffer anew.
        let mut draws = Draws::new(1);
        for bound in [2, 3, 100, 255, 256] {
            let mut counts = vec![0; bound as usize];
            for draw in 0..=u16::MAX {
                draws.used = Draws::BUFFER - 2;
                draws.buffer[draws.used..].copy_from_slice(&draw.to_le_bytes());
                let number = draws.below(bound);
                if draws.used == Draws::BUFFER {
                    counts[number as usize] += 1;
                }
            }
            assert!(counts.iter().all(|&count| count == (1 << 16) / bound), "{bound}: {counts:?}");
        }
    }
}

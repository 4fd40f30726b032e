//! Random draws of tests.

/// Knuth's linear congruential generator; its upper bits are the good ones.
pub struct Draws(pub u64);

impl Draws {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

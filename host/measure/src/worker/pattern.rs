//! Memory for patterns.

/// Patterns, one after the other, that all begin at the same place of memory.
#[derive(Debug)]
pub(crate) struct PatternMemory {
    memory: Vec<u8>,
    /// How many bytes after a multiple of [`PAGE`](Self::PAGE) a pattern begins.
    offset: usize,
    start: usize,
    length: usize,
}

impl PatternMemory {
    const PAGE: usize = 4096;

    /// Patterns will begin this many bytes after the beginning of a page.
    pub(super) fn new(offset: usize) -> Self {
        PatternMemory { memory: Vec::new(), offset, start: 0, length: 0 }
    }

    /// Copies a pattern there.
    pub(super) fn take(&mut self, pattern: &[u8]) {
        let needed = Self::PAGE + self.offset + pattern.len();
        if self.memory.len() < needed {
            self.memory = vec![0; needed];
            self.start = self.memory.as_ptr().align_offset(Self::PAGE) + self.offset;
        }
        self.length = pattern.len();
        self.memory[self.start..][..self.length].copy_from_slice(pattern);
    }

    /// The pattern.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory[self.start..][..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_begins_at_its_place() {
        let mut memory = PatternMemory::new(128);
        for pattern in [&b"abc"[..], &[7; 9000], b"x"] {
            memory.take(pattern);
            assert_eq!(memory.bytes(), pattern);
            assert_eq!(memory.bytes().as_ptr().addr() % 4096, 128);
        }
    }
}

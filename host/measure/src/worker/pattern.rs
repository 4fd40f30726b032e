//! Memory for patterns, at a place that the round has drawn.

/// Holds one pattern at a time. All of them begin at the same place in memory, so that their place can't
/// explain why one takes longer than another.
#[derive(Debug)]
pub(crate) struct PatternMemory {
    memory: Vec<u8>,
    /// Number of bytes from a multiple of [`PAGE`](Self::PAGE) to a pattern.
    offset: usize,
    start: usize,
    length: usize,
}

impl PatternMemory {
    const PAGE: usize = 4096;

    /// Memory for patterns that begin `offset` bytes after the begin of a page.
    pub(super) fn new(offset: usize) -> Self {
        PatternMemory { memory: Vec::new(), offset, start: 0, length: 0 }
    }

    /// Copies a pattern to the place.
    pub(super) fn take(&mut self, pattern: &[u8]) {
        let needed = Self::PAGE + self.offset + pattern.len();
        if self.memory.len() < needed {
            self.memory = vec![0; needed];
            self.start = self.memory.as_ptr().align_offset(Self::PAGE) + self.offset;
        }
        self.length = pattern.len();
        self.memory[self.start..][..self.length].copy_from_slice(pattern);
    }

    /// The pattern that was copied last.
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

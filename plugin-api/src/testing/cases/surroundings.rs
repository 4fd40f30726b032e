//! The memory around a text during a search.

/// The bytes around a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Around {
    /// Bytes that complete each part of the pattern with which the text begins or ends, so that an algorithm
    /// that reads too far finds an occurrence. Repetitions of the pattern follow.
    #[default]
    Continuing,
    /// Zeros.
    Zeros,
}

/// The side on which accessible memory ends, for candidates that can place a text next to a protected page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Memory ends before the bytes that may be accessed before the text.
    Before,
    /// Memory ends after the bytes that may be accessed after the text.
    After,
}

impl Around {
    /// The `length` bytes before a text, in their order.
    pub fn before(self, pattern: &[u8], text: &[u8], length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        if self == Around::Continuing {
            let ended = (0..pattern.len())
                .rev()
                .find(|&end| text.starts_with(&pattern[pattern.len() - end..]))
                .unwrap_or(0);
            let backward = pattern[..pattern.len() - ended].iter().rev().chain(pattern.iter().rev().cycle());
            bytes.iter_mut().rev().zip(backward).for_each(|(place, byte)| *place = *byte);
        }
        bytes
    }

    /// The `length` bytes after a text.
    pub fn after(self, pattern: &[u8], text: &[u8], length: usize) -> Vec<u8> {
        if self == Around::Zeros {
            return vec![0; length];
        }
        let begun = (0..pattern.len()).rev().find(|&length| text.ends_with(&pattern[..length])).unwrap_or(0);
        pattern[begun..].iter().chain(pattern.iter().cycle()).take(length).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_around_a_text_continue_a_match() {
        let continuing = Around::Continuing;
        assert_eq!(continuing.after(b"abcab", b"xxabca", 9), b"babcababc");
        assert_eq!(continuing.before(b"abcab", b"cabxx", 7), b"abcabab");
        assert_eq!(
            (continuing.before(b"ab", b"xy", 3), continuing.after(b"ab", b"xy", 3)),
            (b"bab".to_vec(), b"aba".to_vec())
        );
        assert_eq!(Around::Zeros.before(b"ab", b"ab", 2), [0, 0]);
    }
}

//! What lies around a text while it is searched.

/// Which bytes lie around a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Around {
    /// Those that tempt who looks too far: with them, what of the pattern begins before the text or ends
    /// after it would be an occurrence; then the whole pattern, again and again.
    #[default]
    Continuing,
    /// Zeros.
    Zeros,
}

/// Where the memory ends, for those who can make it end: a byte further can't be touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Before the bytes that may be touched before the text.
    Before,
    /// After the bytes that may be touched after the text.
    After,
}

impl Around {
    /// `length` bytes to lie before a text, in their order.
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

    /// `length` bytes to lie after a text.
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
    fn what_lies_around_a_text_continues_what_it_begins_or_ends() {
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

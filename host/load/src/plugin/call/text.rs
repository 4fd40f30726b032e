//! Texts in memory, with the room around them that algorithms may use.

use std::marker::PhantomData;

use assay_abi::Growing;
use assay_abi::algorithm::RawText;

use super::searcher::Needs;

/// A text in memory, with the number of bytes before and after it that algorithms may use.
#[derive(Clone, Copy, Debug)]
pub struct TextMemory<'a> {
    start: *mut u8,
    length: usize,
    before: usize,
    slack: usize,
    writable: [bool; 2],
    memory: PhantomData<&'a [u8]>,
}

impl<'a> TextMemory<'a> {
    /// Describes a text of `length` bytes with `before` bytes before it and `slack` bytes after it.
    ///
    /// # Safety
    /// All these bytes must be valid for reads during the lifetime of the value. `writable` says whether
    /// those before and those after the text must also be valid for writes; then nothing else may access them
    /// meanwhile. Nothing may write to the text.
    pub unsafe fn new(
        start: *mut u8,
        length: usize,
        before: usize,
        slack: usize,
        writable: [bool; 2],
    ) -> Self {
        TextMemory { start, length, before, slack, writable, memory: PhantomData }
    }

    /// Whether the text is aligned as an algorithm needs it.
    pub fn is_aligned(&self, needs: &Needs) -> bool {
        let alignment = needs.raw().alignment;
        alignment.is_power_of_two() && self.start.addr().is_multiple_of(alignment)
    }

    /// Returns the text with the room that an algorithm needs.
    ///
    /// # Errors
    /// If the algorithm needs more than there is: one sentence.
    pub fn fit(&self, needs: &Needs) -> Result<FittedText<'a>, String> {
        let raw = needs.raw();
        if raw.before > self.before {
            let (needed, there) = (raw.before, self.before);
            return Err(format!(
                "it needs {needed} bytes before the text, more than the {there} that there are"
            ));
        }
        if raw.slack > self.slack {
            let (needed, there) = (raw.slack, self.slack);
            return Err(format!(
                "it needs {needed} bytes after the text, more than the {there} that there are"
            ));
        }
        if needs.writes_around().iter().zip(self.writable).any(|(&writes, writable)| writes && !writable) {
            return Err("it writes around the text, which may only be read here".to_owned());
        }
        if !self.is_aligned(needs) {
            return Err(format!("it needs a text that is aligned to {} bytes", raw.alignment));
        }
        let (start, length) = (self.start, self.length);
        let raw = RawText { start, length, before: raw.before, slack: raw.slack, ..RawText::empty() };
        Ok(FittedText { raw, written: needs.writes_around(), serves: needs.serves(), memory: PhantomData })
    }
}

/// A text with the room that one algorithm needs for patterns of one length.
#[derive(Clone, Copy, Debug)]
pub struct FittedText<'a> {
    pub(super) raw: RawText,
    /// Whether the algorithm writes to the bytes before the text, and to those after it.
    written: [bool; 2],
    /// Number of the searcher, and length of the patterns.
    pub(super) serves: (u64, usize),
    memory: PhantomData<&'a [u8]>,
}

impl<'a> FittedText<'a> {
    /// The bytes of the text.
    pub fn bytes(&self) -> &'a [u8] {
        // SAFETY: promised to `TextMemory::new`.
        unsafe { std::slice::from_raw_parts(self.raw.start, self.raw.length) }
    }

    /// Fills the room that the algorithm writes to with zeros, because what one search leaves there must
    /// neither help nor harm the next one.
    pub fn clear_around(&mut self) {
        let RawText { start, length, before, slack, .. } = self.raw;
        let around = [(start.wrapping_sub(before), before), (start.wrapping_add(length), slack)];
        for (part, size) in
            around.into_iter().zip(self.written).filter_map(|(part, written)| written.then_some(part))
        {
            // SAFETY: `fit` checked that this many bytes are there, and can be written to.
            unsafe { part.write_bytes(0, size) };
        }
    }
}

/// A text in memory of its own, with the room that one algorithm needs.
#[derive(Debug)]
pub struct TextBuffer {
    memory: Vec<u8>,
    start: usize,
    length: usize,
    slack: usize,
}

/// Greatest room and alignment that an algorithm gets. Known algorithms need two pattern lengths and a few
/// KiB; a library may declare anything.
const MOST_ROOM: usize = 1 << 20;

impl TextBuffer {
    /// Checks that an algorithm does not need more room than it can get.
    ///
    /// # Errors
    /// If it does: one sentence.
    pub fn affords(needs: &Needs) -> Result<(), String> {
        let raw = needs.raw();
        let unusable = |need: String| Err(format!("it needs {need}, which the host can't give it"));
        if !raw.alignment.is_power_of_two() || raw.alignment > MOST_ROOM {
            return unusable(format!("an alignment of {} bytes", raw.alignment));
        }
        for (bytes, place) in [(raw.slack, "of slack"), (raw.before, "before the text")] {
            if bytes > MOST_ROOM {
                return unusable(format!("{bytes} bytes {place} for a pattern of {}", needs.serves().1));
            }
        }
        Ok(())
    }

    /// Copies a text to memory with the room that an algorithm needs, which is zero.
    ///
    /// # Errors
    /// If the algorithm needs more room than it can get: one sentence.
    pub fn new(text: &[u8], needs: &Needs) -> Result<Self, String> {
        TextBuffer::affords(needs)?;
        let raw = needs.raw();
        let mut memory = vec![0; raw.before + raw.alignment + text.len() + raw.slack];
        let start = raw.before + memory[raw.before..].as_ptr().align_offset(raw.alignment);
        memory[start..][..text.len()].copy_from_slice(text);
        Ok(TextBuffer { memory, start, length: text.len(), slack: raw.slack })
    }

    /// Returns the text with the room that an algorithm needs.
    ///
    /// # Errors
    /// If the algorithm needs more than the one that the buffer was made for.
    pub fn fit(&mut self, needs: &Needs) -> Result<FittedText<'_>, String> {
        let start = self.memory[self.start..].as_mut_ptr();
        // SAFETY: the memory holds as much before the text, the text and the slack, and is borrowed as long
        // as the value lasts.
        unsafe { TextMemory::new(start, self.length, self.start, self.slack, [true; 2]) }.fit(needs)
    }
}

#[cfg(test)]
mod tests {
    use assay_abi::algorithm::RawNeeds;

    use super::*;

    #[test]
    fn what_may_be_written_to_is_cleared_and_nothing_else() {
        for (flags, left) in [
            (0, [b'x'; 12]),
            (RawNeeds::WRITES_SLACK, *b"xxxxxxx\0\0\0xx"),
            (RawNeeds::WRITES_BEFORE, *b"xx\0\0xxxxxxxx"),
        ] {
            let mut memory = [b'x'; 12];
            let needs = Needs::from_raw(RawNeeds { before: 2, slack: 3, flags, ..RawNeeds::NOTHING });
            let start = memory.as_mut_ptr().wrapping_add(4);
            // SAFETY: there are four bytes before it, three of text, and five after.
            unsafe { TextMemory::new(start, 3, 4, 5, [true; 2]) }.fit(&needs).unwrap().clear_around();
            assert_eq!(memory, left);
        }
    }
}

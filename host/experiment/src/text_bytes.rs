//! The bytes of a text, which host and workers share if they are many.

use std::io;
use std::ops::Deref;
use std::sync::Arc;

use assay_load::process::SharedBytes;

/// A text of this size or more is shared. It is larger than the caches of any CPU, so the place where it
/// begins in memory, which is drawn for each round of a shorter text, makes no difference.
const LARGE: usize = 256 << 20;
/// Room before a shared text: a page, as before other texts.
const BEFORE: usize = 4096;

/// The bytes of a text.
#[derive(Clone, Debug)]
pub enum TextBytes {
    /// Those of a text that is copied to shared memory for each round, to another place.
    Own(Vec<u8>),
    /// Those of a large text, which is there once.
    Shared(Arc<SharedBytes>),
}

impl TextBytes {
    /// The bytes of a text, shared if they are many.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub(crate) fn new(bytes: Vec<u8>) -> io::Result<Self> {
        if bytes.len() < LARGE {
            return Ok(TextBytes::Own(bytes));
        }
        // After it, an algorithm may need two patterns and a page, and no pattern is longer than the text.
        let spare = 2 * bytes.len() + 4096;
        Ok(TextBytes::Shared(Arc::new(SharedBytes::new("assay-text", bytes, BEFORE, spare)?)))
    }
}

impl From<Vec<u8>> for TextBytes {
    fn from(bytes: Vec<u8>) -> Self {
        TextBytes::Own(bytes)
    }
}

impl Deref for TextBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            TextBytes::Own(bytes) => bytes,
            TextBytes::Shared(bytes) => bytes,
        }
    }
}

impl PartialEq for TextBytes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

//! Reads files of text.

use std::path::Path;

use crate::error::{Error, Result};

/// The text in a file.
///
/// # Errors
/// If the file can't be read, or holds other bytes than UTF-8. The message names the file, and the line of
/// the first such byte.
pub fn read(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let text = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = memchr::memchr_iter(b'\n', text).count() + 1;
        Error::new(format!("{}:{line}: this is no text in UTF-8", path.display()))
            .remedy("`iconv` converts other encodings")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_named_with_its_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            read(file.path())
        };
        assert_eq!(read("é\n".as_bytes()).unwrap(), "é\n");
        let place = format!("{}:2: this is no text", file.path().display());
        assert!(read(b"a\nb\xffc\n").unwrap_err().to_string().starts_with(&place));
    }
}

//! Reads files of text.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::error::{Error, Result};

/// The text in a file of at most this number of bytes, or in a pipe that a link leads to, such as that of
/// `<(..)` in a shell.
///
/// # Errors
/// If it can't be read, is a device or a pipe, has more bytes, or holds other bytes than UTF-8. The message
/// names the file, and the line of the first such byte.
pub fn read(path: &Path, most: u64) -> Result<String> {
    let failed = |error: &io::Error| Error::io("read", path, error);
    // Opening some devices already has an effect, and others have no end.
    let kind = fs::metadata(path).map_err(|error| failed(&error))?.file_type();
    if kind.is_char_device() || kind.is_block_device() {
        return Err(
            Error::new(format!("`{}` is a device and no file", path.display())).remedy("name a file of text")
        );
    }
    // A pipe with a name may have no writer, and reading it would wait for ever.
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo()) {
        return Err(
            Error::new(format!("`{}` is a pipe and no file", path.display())).remedy("name a file of text")
        );
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| failed(&error))?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() as u64 > most {
        let message = format!("`{}` has more than {} MiB", path.display(), most >> 20);
        return Err(Error::new(message).remedy("name a smaller file of text"));
    }
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
            fs::write(&file, bytes).unwrap();
            read(file.path(), 1 << 20)
        };
        assert_eq!(read("é\n".as_bytes()).unwrap(), "é\n");
        let place = format!("{}:2: this is no text", file.path().display());
        assert!(read(b"a\nb\xffc\n").unwrap_err().to_string().starts_with(&place));
    }

    #[test]
    fn devices_pipes_and_files_that_are_too_long_are_refused() {
        let error = read(Path::new("/dev/zero"), 1 << 20).unwrap_err().to_string();
        assert!(error.contains("`/dev/zero` is a device and no file"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let error = read(&pipe, 1 << 20).unwrap_err().to_string();
        assert!(error.contains("is a pipe and no file"), "{error}");
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len((1 << 20) + 1).unwrap();
        let error = read(file.path(), 1 << 20).unwrap_err().to_string();
        assert!(error.contains("has more than 1 MiB"), "{error}");
        file.as_file().set_len(1 << 20).unwrap();
        assert!(read(file.path(), 1 << 20).is_ok());
    }
}

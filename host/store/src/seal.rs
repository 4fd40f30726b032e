//! The checksum in `report.json`, with which damage to the file is found: its last field, the SHA-256 of the
//! file without this field.

use std::io::{self, Write};

use assay_base::error::{Error, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};

const BEFORE: &str = ",\n  \"sha256\": \"";
const AFTER: &str = "\"\n}\n";
/// What ends an object that has no checksum.
const END: &str = "\n}\n";

/// Number of bytes that are written at a time.
const PIECE: usize = 1 << 16;

/// Writes an object in pretty JSON with its checksum, in pieces, because the object of a run with many cells
/// is long.
///
/// # Errors
/// If it can't be written.
pub(crate) fn write(file: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    let mut sealed = SealedFile { file, hasher: Sha256::new(), held: Vec::new() };
    serde_json::to_writer_pretty(&mut sealed, object)?;
    sealed.write_all(b"\n")?;
    sealed.end()
}

/// A file that is written and hashed. Its end is held back, because the checksum belongs before it.
struct SealedFile<'a> {
    file: &'a mut dyn Write,
    hasher: Sha256,
    held: Vec<u8>,
}

impl SealedFile<'_> {
    fn end(mut self) -> io::Result<()> {
        let fields = self.held.strip_suffix(END.as_bytes()).expect("pretty JSON ends like this");
        self.hasher.update(&self.held);
        let hash = hex::encode(self.hasher.finalize());
        self.file.write_all(fields)?;
        write!(self.file, "{BEFORE}{hash}{AFTER}")
    }
}

impl Write for SealedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= PIECE {
            let piece = self.held.len() - END.len();
            self.hasher.update(&self.held[..piece]);
            self.file.write_all(&self.held[..piece])?;
            self.held.drain(..piece);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Checks an object, if it has a checksum. An object of an earlier version has none, and neither has one that
/// was not saved by a run.
///
/// # Errors
/// If the checksum is another.
pub(crate) fn check(json: &str) -> Result<()> {
    let Some((fields, rest)) = json.rsplit_once("\"sha256\"").filter(|(fields, _)| fields.ends_with(",\n  "))
    else {
        return Ok(());
    };
    let fields = fields.trim_end_matches(",\n  ");
    let recorded = rest.strip_prefix(": \"").and_then(|rest| rest.strip_suffix(AFTER));
    if recorded == Some(hash(fields, END).as_str()) {
        return Ok(());
    }
    Err(Error::new("it is not what the run wrote: its checksum is another, so it was edited or damaged")
        .remedy("restore it from a copy; if you edited it, remove its last field, `sha256`, and the comma before it"))
}

/// The SHA-256 of an object in two parts, which are not joined because the first may be long.
fn hash(fields: &str, end: &str) -> String {
    hex::encode(Sha256::new().chain_update(fields).chain_update(end).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object with its checksum.
    fn sealed(object: &serde_json::Value) -> String {
        let mut file = Vec::new();
        write(&mut file, object).unwrap();
        String::from_utf8(file).unwrap()
    }

    #[test]
    fn a_sealed_object_is_an_object_and_no_byte_of_it_can_change() {
        let object = serde_json::json!({ "a": 1, "library": { "sha256": "00" } });
        let sealed = sealed(&object);
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        let plain = serde_json::to_string_pretty(&object).unwrap() + "\n";
        assert_eq!(
            (value["a"].as_u64(), value["sha256"].as_str()),
            (Some(1), Some(hash(&plain, "").as_str()))
        );
        assert_eq!((check(&sealed), check(&plain), check("")), (Ok(()), Ok(()), Ok(())));
        let end = sealed.len() - BEFORE.len() - AFTER.len() - 64;
        for place in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[place] ^= 1;
            // In the name of the field, a change removes the checksum: everything else is what it was.
            if let Ok(text) = String::from_utf8(bytes)
                && check(&text).is_ok()
            {
                assert!((end..end + BEFORE.len()).contains(&place), "byte {place}");
            }
        }
    }

    #[test]
    fn an_object_of_several_pieces_is_sealed_as_a_whole() {
        for length in (PIECE - 40..PIECE + 10).chain([3 * PIECE]) {
            let object = serde_json::json!({ "a": "x".repeat(length) });
            let sealed = sealed(&object);
            assert_eq!(check(&sealed), Ok(()), "{length}");
            assert!(sealed.starts_with("{\n  \"a\": \"xxx") && sealed.ends_with(AFTER), "{length}");
        }
    }
}

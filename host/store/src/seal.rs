//! The checksum in `report.json`, with which damage to the file is found: its last field, the SHA-256 of the
//! file without this field.

use assay_base::error::{Error, Result};
use sha2::{Digest, Sha256};

const BEFORE: &str = ",\n  \"sha256\": \"";
const AFTER: &str = "\"\n}\n";
/// What ends an object that has no checksum.
const END: &str = "\n}\n";

/// Adds the checksum to an object in pretty JSON that ends with a line feed.
pub(crate) fn seal(json: &str) -> String {
    let fields = json.strip_suffix(END).expect("pretty JSON ends like this");
    format!("{fields}{BEFORE}{}{AFTER}", hash(fields, END))
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

    const JSON: &str = "{\n  \"a\": 1,\n  \"library\": {\n    \"sha256\": \"00\"\n  }\n}\n";

    #[test]
    fn a_sealed_object_is_an_object_and_no_byte_of_it_can_change() {
        let sealed = seal(JSON);
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        assert_eq!((value["a"].as_u64(), value["sha256"].as_str()), (Some(1), Some(hash(JSON, "").as_str())));
        assert_eq!(check(&sealed), Ok(()));
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
    fn an_object_without_a_checksum_is_not_checked() {
        assert_eq!((check(JSON), check("")), (Ok(()), Ok(())));
    }
}

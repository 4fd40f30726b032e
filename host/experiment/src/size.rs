//! Sizes of texts, as people write and read them.

use assay_base::io::numbers::grouped;

/// Units of bytes, powers of 2^10, the greatest first.
pub const UNITS: [(usize, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];

/// Greatest size, 128 TiB, because a process on a 64-bit machine has no more addresses.
const MOST: usize = 1 << 47;

/// Reads a size such as `64KiB`, and returns it in bytes. A bare number is in mebibytes, because SMART's
/// option is.
///
/// # Errors
/// Says what is wrong, and what to write.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "b" => 0,
        "k" | "kib" => 10,
        "" | "m" | "mib" => 20,
        "g" | "gib" => 30,
        _ => return Err(format!("`{unit}` is none of B, KiB, MiB, GiB")),
    };
    let size = number.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    if size.is_some_and(|size| size > MOST) {
        return Err(format!("`{text}` is more than any process can hold, 131072GiB"));
    }
    size.ok_or_else(|| format!("`{text}` is not a size: write, for example, 64KiB, or 4 for 4 MiB"))
}

/// A size in the greatest unit in which it is a whole number: "64 KiB".
pub fn words(bytes: usize) -> String {
    match UNITS.iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", grouped((bytes / unit) as f64, 0)),
        None => format!("{} B", grouped(bytes as f64, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_a_bare_number_is_mebibytes() {
        assert_eq!(parse_size("64KiB"), Ok(64 << 10));
        assert_eq!(parse_size("4"), Ok(4 << 20));
        assert_eq!(parse_size("100B"), Ok(100));
        assert!(parse_size("4XB").is_err() && parse_size("MiB").is_err());
        assert!(parse_size("99999999999999GiB").is_err() && parse_size("131073GiB").is_err());
        assert_eq!(parse_size("131072GiB"), Ok(MOST));
    }

    #[test]
    fn a_size_is_printed_exactly() {
        assert_eq!([4096, 3 << 20, 1000, 1536].map(words), ["4 KiB", "3 MiB", "1,000 B", "1,536 B"]);
    }
}

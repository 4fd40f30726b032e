//! Whether most characters of a text are foreign to the pattern. Then most windows end with the first
//! character that is read.

/// Length of the sample of the text.
pub(super) const SAMPLE: usize = 64;

/// Whether three characters of five in the sample, or more, are not `known`. A loop of its own for windows
/// that end with such a character pays from about there on, by measurement: else the processor cannot predict
/// when it ends.
pub(super) fn mostly_foreign(sample: &[u8], known: impl Fn(u8) -> bool) -> bool {
    let foreign = sample.iter().filter(|&&byte| !known(byte)).count();
    foreign > 0 && 5 * foreign >= 3 * sample.len()
}

//! Patterns of lengths that an algorithm does not take. The host never passes them, but `prepare` is a safe
//! function that anybody may call, so an algorithm whose unchecked reads rest on the length must refuse them
//! itself.

use crate::export::guard::guard;
use crate::probe::Off;
use crate::{Algorithm, Hints, Needs};

/// Greatest length that is tried. Longer ones prove nothing more about a limit that is computed with the same
/// comparison, and a limit such as `u32::MAX` could not be tried at all.
const LONGEST: usize = 512;

/// Tries to prepare an algorithm for patterns that are too short or too long. Each must be refused, by a
/// panic or by [`CannotSearch`](crate::CannotSearch). Of the empty pattern, which the host never passes, only
/// the process must survive.
///
/// # Errors
/// Says which length was accepted, and what to do.
pub fn refuses_other_lengths<A: Algorithm>() -> Result<(), String> {
    let Needs { min_pattern, max_pattern, .. } = A::NEEDS;
    let too_short = 0..min_pattern.min(LONGEST);
    let too_long = max_pattern.saturating_add(1)..LONGEST.min(max_pattern.saturating_add(3));
    for length in too_short.chain(too_long) {
        for letters in [1, 256] {
            let pattern: Vec<u8> = (0..length).map(|i| (i % letters) as u8).collect();
            let prepared = guard(|| A::default().prepare_with(&pattern, Hints::default(), Off));
            if matches!(prepared, Ok(Ok(()))) && length > 0 {
                return Err(format!(
                    "prepared for a pattern of {length} bytes, where NEEDS says {min_pattern} to {max_pattern}: begin \
                     `prepare` with `Self::NEEDS.assert_takes(pattern.len())`"
                ));
            }
        }
    }
    Ok(())
}

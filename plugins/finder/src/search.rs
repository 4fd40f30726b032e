//! One search: a method, with the instructions of this CPU.

use core::ops::Range;

use crate::candidates::{Effort, difference, occurs};
use crate::cpu::{Available, Instructions};
use crate::decision::{Kind, lanes};
use crate::found::Found;
use crate::method::{Gram, Method, spread};
#[cfg(target_arch = "x86_64")]
use crate::packed;
use crate::parities::Parities;
use crate::region::{self, PLACES, Region};
use crate::some_characters::Place;
use crate::text::Text;
#[cfg(target_arch = "x86_64")]
use crate::vector::{Bytes16, Bytes32, Bytes64};
use crate::vector::{Plain16, Vector};
use crate::{all_characters, gram_hash, some_characters, two_way, windows};

/// Reports all occurrences of a pattern of at least one byte.
///
/// # Panics
/// If the pattern is empty.
///
/// ```
/// use assay_finder::cpu::Available;
/// use assay_finder::found::Count;
/// use assay_finder::search::search;
/// use assay_finder::text::Bytes;
///
/// let mut count = Count::default();
/// search(b"ana", Bytes(b"bananas"), Available::best(), &mut count);
/// assert_eq!(count.0, 2);
/// ```
pub fn search<T: Text, F: Found>(pattern: &[u8], text: T, instructions: Available, found: &mut F) {
    assert!(!pattern.is_empty(), "a pattern of at least one byte");
    if text.len() >= pattern.len() {
        _ = run(Method::choose(pattern, text, instructions.get()), pattern, text, instructions, found);
    }
}

/// The same with a method of this kind, whatever would be chosen.
///
/// # Panics
/// If the kind can't search patterns of this length, or if the CPU lacks the instructions.
///
/// ```
/// use assay_finder::cpu::Available;
/// use assay_finder::found::First;
/// use assay_finder::method::Kind;
/// use assay_finder::search::search_by;
/// use assay_finder::text::Bytes;
///
/// let mut first = First::default();
/// search_by(Kind::TwoWay, b"ana", Bytes(b"bananas"), Available::best(), &mut first);
/// assert_eq!(first.0, Some(1));
/// ```
pub fn search_by<T: Text, F: Found>(
    kind: Kind,
    pattern: &[u8],
    text: T,
    instructions: Available,
    found: &mut F,
) {
    if text.len() >= pattern.len() {
        _ = run(Method::of_kind(kind, pattern, text, instructions.get()), pattern, text, instructions, found);
    }
}

/// Searches with a method, and goes on with another where it gives up. Returns the one that it ended with;
/// the first one if that was Two Way.
pub(crate) fn run<T: Text, F: Found>(
    method: Method,
    pattern: &[u8],
    text: T,
    instructions: Available,
    found: &mut F,
) -> Method {
    let least_gap = method.least_gap(pattern.len(), text.len(), instructions.get());
    match with_instructions(method, least_gap, pattern, text, 0, instructions, found) {
        Ok(()) => method,
        Err(untried) => go_on(method, pattern, text, untried, instructions, found),
    }
}

/// Goes on at `untried`, where a method gave up that has begun with the text. It is tried again after each
/// stretch of Two Way, because bad luck may end: a run of spaces at the beginning must not decide how the
/// rest is searched.
#[cold]
#[inline(never)]
fn go_on<T: Text, F: Found>(
    chosen: Method,
    pattern: &[u8],
    text: T,
    mut untried: usize,
    instructions: Available,
    found: &mut F,
) -> Method {
    let (mut method, mut lessons, mut stretch) = (chosen, Lessons::default(), STRETCHES.start);
    while untried + pattern.len() <= text.len() {
        let mut begin = untried;
        text.gives_up();
        // What the method passed before it gave up.
        text.jump();
        // SAFETY: a method ends after a window of the text.
        let place = unsafe { difference(pattern, text, begin - 1) };
        if let Some(offset) = place {
            lessons.add(Place { offset, byte: pattern[offset] });
        }
        let next = if lessons.followed { None } else { method.next(pattern, text, instructions.get()) };
        method = match next {
            Some(next) => next,
            None if place.is_some() && lessons.known <= Lessons::MOST => lessons.follow(),
            None => {
                text.begins(|| Method::TwoWay.decision::<F>(pattern.len(), 0, 0));
                let long_enough = stretch.max(16 * pattern.len());
                match two_way::search(pattern, text, begin, begin + long_enough, found) {
                    Ok(()) => return chosen,
                    Err(end) => begin = end,
                }
                stretch = STRETCHES.end.min(2 * stretch);
                lessons = Lessons::default();
                chosen
            }
        };
        // Two Way comes next where lessons are followed: it takes as long for 32 bytes as a candidate.
        let least_gap = if lessons.followed {
            32
        } else {
            method.least_gap(pattern.len(), text.len(), instructions.get())
        };
        match with_instructions(method, least_gap, pattern, text, begin, instructions, found) {
            Ok(()) => return method,
            Err(end) => untried = end,
        }
    }
    method
}

/// Bytes that Two Way searches before other methods are tried again, the first time and at most; more for a
/// long pattern, because each trial reads it some times. The longest takes ten times as long as all of them
/// need to give up again.
const STRETCHES: Range<usize> = 1 << 12..1 << 16;

/// Places of the pattern at which windows differed where a method gave up. No sample shows them, and a search
/// that compares them has few candidates where others had many.
#[derive(Default)]
struct Lessons {
    places: [Place; 4],
    known: usize,
    followed: bool,
}

impl Lessons {
    /// The most: a text in which that many places don't help is left to Two Way.
    const MOST: usize = 8;

    fn add(&mut self, place: Place) {
        self.places[self.known % self.places.len()] = place;
        self.known += 1;
    }

    /// The method that compares the last places.
    fn follow(&mut self) -> Method {
        self.followed = true;
        let different = self.known.min(self.places.len());
        Method::Four(core::array::from_fn(|i| self.places[i % different]))
    }
}

/// Searches from `begin` on. If the method gives up, ends with the first alignment that was not tried.
pub(crate) fn with_instructions<T: Text, F: Found>(
    method: Method,
    least_gap: usize,
    pattern: &[u8],
    text: T,
    begin: usize,
    instructions: Available,
    found: &mut F,
) -> Result<(), usize> {
    text.begins(|| {
        let lanes = lanes(instructions.get(), text.len() - begin - (pattern.len() - 1));
        method.decision::<F>(pattern.len(), lanes, least_gap)
    });
    if method == Method::TwoWay {
        return two_way::search(pattern, text, begin, usize::MAX, found);
    }
    // Registers are filled from alignments of the text, which is shorter than some.
    let alignments = text.len() - begin - (pattern.len() - 1);
    let region = region::select::<T, F>(instructions, alignments);
    // SAFETY: instructions are what the CPU has, and the text has as many alignments as a register has bytes.
    unsafe {
        if let (Method::Windows(gram), Some(region)) = (method, region) {
            return with_windows(gram, region, pattern, text, begin, found);
        }
        #[cfg(target_arch = "x86_64")]
        {
            use Instructions::*;
            let instructions = instructions.get();
            if let (Method::Planes(parities), Avx512Planes) = (method, instructions) {
                return with_planes(parities, least_gap, pattern, text, begin, found);
            }
            if let (Method::Packed(packed), true, Some(region)) = (method, instructions >= Avx2, region) {
                macro_rules! search {
                    ($bits:literal, $period:literal) => {
                        packed::search::<$bits, $period, T, F>(
                            pattern, &packed, least_gap, region, text, begin, found,
                        )
                    };
                }
                return match (packed.codes.bits, packed.period) {
                    (1, _) => search!(1, 16),
                    (_, 8) => search!(2, 8),
                    _ => search!(2, 16),
                };
            }
            if instructions >= Avx512 && alignments >= 64 {
                return with_avx512(method, least_gap, pattern, text, begin, found);
            }
            if instructions >= Avx2 && alignments >= 32 {
                return with_avx2(method, least_gap, pattern, text, begin, found);
            }
            if instructions >= Sse2 && alignments >= 16 {
                return with_registers::<Bytes16, T, F>(method, least_gap, pattern, text, begin, found);
            }
        }
        if alignments >= 16 {
            return with_registers::<Plain16, T, F>(method, least_gap, pattern, text, begin, found);
        }
        let mut effort = Effort::new(begin, 0);
        for s in begin..begin + alignments {
            if occurs(pattern, text, s, &mut effort) {
                found.at(s);
                if found.is_full() {
                    break;
                }
            }
            text.jump();
        }
    }
    Ok(())
}

/// The methods that compare characters at all alignments.
///
/// # Safety
/// As for [`Vector`]; the text has at least `LANES` alignments from `begin` on.
#[inline(always)]
unsafe fn with_registers<V: Vector, T: Text, F: Found>(
    method: Method,
    least_gap: usize,
    pattern: &[u8],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    // SAFETY: the caller's promise, and methods are chosen for the pattern.
    unsafe {
        match method {
            Method::AllCharacters => {
                match *pattern {
                    [a] => all_characters::search::<V, 1, T, F>(&[a], text, begin, found),
                    [a, b] => all_characters::search::<V, 2, T, F>(&[a, b], text, begin, found),
                    [a, b, c] => all_characters::search::<V, 3, T, F>(&[a, b, c], text, begin, found),
                    [a, b, c, d] => all_characters::search::<V, 4, T, F>(&[a, b, c, d], text, begin, found),
                    [a, b, c, d, e] => {
                        all_characters::search::<V, 5, T, F>(&[a, b, c, d, e], text, begin, found)
                    }
                    [a, b, c, d, e, f] => {
                        all_characters::search::<V, 6, T, F>(&[a, b, c, d, e, f], text, begin, found)
                    }
                    [a, b, c, d, e, f, g] => {
                        all_characters::search::<V, 7, T, F>(&[a, b, c, d, e, f, g], text, begin, found)
                    }
                    [a, b, c, d, e, f, g, h] => {
                        all_characters::search::<V, 8, T, F>(&[a, b, c, d, e, f, g, h], text, begin, found)
                    }
                    _ => unreachable!("chosen for at most eight characters"),
                }
                Ok(())
            }
            Method::Two(places) => {
                some_characters::search::<V, 2, T, F>(pattern, &places, least_gap, text, begin, found)
            }
            Method::Three(places) => {
                some_characters::search::<V, 3, T, F>(pattern, &places, least_gap, text, begin, found)
            }
            Method::Four(places) => {
                some_characters::search::<V, 4, T, F>(pattern, &places, least_gap, text, begin, found)
            }
            Method::Eight(places) => {
                some_characters::search::<V, 8, T, F>(pattern, &places, least_gap, text, begin, found)
            }
            Method::Windows(_) | Method::Packed(_) | Method::Planes(_) | Method::TwoWay => {
                unreachable!("{:?} has a function of its own", method.kind())
            }
        }
    }
}

/// Windows, whose q-grams are looked up without vectors.
///
/// # Safety
/// As for [`Region`].
// A function of its own, because its table would take 32 KiB of the stack in each search.
#[inline(never)]
unsafe fn with_windows<T: Text, F: Found>(
    gram: Gram,
    region: Region<T, F>,
    pattern: &[u8],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    let places = spread(pattern);
    macro_rules! search {
        ($gram:expr, $of:literal) => {
            windows::search::<_, $of, T, F>(pattern, $gram, region, &places, text, begin, found)
        };
    }
    // SAFETY: the caller's promise, and q-grams are chosen for the pattern.
    unsafe {
        match gram {
            Gram::Eight => search!(gram_hash::Eight, 1),
            Gram::Sixteen => search!(gram_hash::Sixteen, 1),
            Gram::SixteenOfTwo => search!(gram_hash::Sixteen, 2),
            Gram::TwentyFour => search!(gram_hash::TwentyFour, 1),
            Gram::TwentyFourOfTwo => search!(gram_hash::TwentyFour, 2),
            #[cfg(target_arch = "x86_64")]
            Gram::Bits(bit) => with_windows_of_bits(bit, region, &places, pattern, text, begin, found),
            #[cfg(not(target_arch = "x86_64"))]
            Gram::Bits(_) => unreachable!("chosen where there are the instructions"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn with_windows_of_bits<T: Text, F: Found>(
    bit: u8,
    region: Region<T, F>,
    places: &[Place; PLACES],
    pattern: &[u8],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    let gram = gram_hash::ThirtyTwoBits { bit };
    // SAFETY: the caller's promise.
    unsafe { windows::search::<_, 1, T, F>(pattern, gram, region, places, text, begin, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn with_avx2<T: Text, F: Found>(
    method: Method,
    least_gap: usize,
    pattern: &[u8],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    // SAFETY: the caller's promise.
    unsafe { with_registers::<Bytes32, T, F>(method, least_gap, pattern, text, begin, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn with_avx512<T: Text, F: Found>(
    method: Method,
    least_gap: usize,
    pattern: &[u8],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    // SAFETY: the caller's promise.
    unsafe { with_registers::<Bytes64, T, F>(method, least_gap, pattern, text, begin, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn with_planes<T: Text, F: Found>(
    parities: Parities,
    least_gap: usize,
    pattern: &[u8],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    use crate::planes::{ComparedBits, search, shape};
    let m = pattern.len();
    // As far apart as the pattern allows, because neighbours in a text depend on each other; but never as far
    // as a word.
    macro_rules! search {
        ($masks:expr, $half:literal) => {{
            const MOST: usize = 63 / $half;
            let stride = ((m - 1) / (2 * $half - 1)).clamp(1, MOST);
            let distance = ($half * stride).min(m - $half);
            let compared = ComparedBits { masks: $masks, stride, distance };
            // SAFETY: the caller's promise; `distance + ($half - 1) * stride` is at most `m - 1`.
            unsafe { search::<_, $half, T, F>(pattern, &compared, least_gap, text, begin, found) }
        }};
    }
    let Parities { masks: [a, b, c, d], useful, .. } = parities;
    match shape(m, useful) {
        (4, _) => search!([a, b, c, d], 2),
        (3, _) => search!([a, b, c], 3),
        (2, 6) => search!([a, b], 3),
        (2, _) => search!([a, b], 4),
        (_, 6) => search!([a], 3),
        (_, 8) => search!([a], 4),
        (_, 10) => search!([a], 5),
        (_, 12) => search!([a], 6),
        _ => search!([a], 7),
    }
}

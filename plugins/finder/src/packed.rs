//! Packed characters: a code of one or two bits for each character is joined into words of 16 bits, and only
//! words at multiples of their length are compared.
//!
//! A word holds 16 characters of one bit each, or 8 characters of two bits each. An occurrence may begin at
//! each of the 16 or 8 places of a word, and then covers most of that word or of the next one. So for each
//! place, one word of the pattern is compared with the words of the text. Bits that the pattern does not
//! cover are masked out. EPSM (Faro and Külekci, 2013) looks at the text in the same way, but with hash
//! values. From 23 characters of two bits on, an occurrence covers one word in two, so only each second word
//! is compared.
//!
//! Multiply-add instructions make the words: 1 and 4 times the codes of two neighbours, then 1 and 16 times
//! these.

use core::arch::x86_64::*;

use crate::candidates::{Effort, occurs};
use crate::found::Found;
use crate::method::spread;
use crate::packing::{PackedPattern, WORDS};
use crate::region::Region;
use crate::text::Text;

/// What the rounds need of a packed pattern, in registers.
struct Constants {
    codes: __m256i,
    words: [__m256i; WORDS],
    masks: [__m256i; WORDS],
}

/// Reports the occurrences from `begin` on. If too much is verified in vain, ends with the first alignment
/// that was not tried.
///
/// # Safety
/// The CPU has AVX2 and what [`Region`] asks for. The packed pattern has `BITS` bits and this period.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn search<const BITS: usize, const PERIOD: usize, T: Text, F: Found>(
    pattern: &[u8],
    packed: &PackedPattern,
    least_gap: usize,
    region: Region<T, F>,
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    let (last, places) = (text.len() - pattern.len(), spread(pattern));
    let mut effort = Effort::new(begin, least_gap);
    let constants = Constants {
        // SAFETY: the array has 16 bytes.
        codes: _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(packed.codes.codes.as_ptr().cast()) }),
        words: packed.words.map(|word| _mm256_set1_epi16(word.cast_signed())),
        masks: packed.masks.map(|mask| _mm256_set1_epi16(mask.cast_signed())),
    };
    // The first block is read at a multiple of 32, and its first words belong to the first alignments or to
    // earlier ones.
    let mut x = begin + packed.first;
    x = match (text.misalignment() + x) % 32 {
        beyond if beyond <= x => x - beyond,
        beyond => x + 32 - beyond,
    };
    // Alignments before this one are tried.
    let mut next = begin;
    // SAFETY: the caller's promise; blocks are read where they lie in the text.
    unsafe {
        macro_rules! region {
            ($last:expr) => {
                let last = $last;
                if next <= last {
                    region(pattern, &places, text, next, last, &mut effort, found)?;
                    if found.is_full() {
                        return Ok(());
                    }
                }
            };
        }
        if let Some(before) = x.checked_sub(packed.first + 1) {
            region!(before.min(last));
        }
        let whole = packed.whole();
        let most = if F::AT_ONCE { 1 } else { LIST };
        let mut list = [Hits::default(); LIST];
        loop {
            let begun = x;
            let hits = if whole {
                rounds::<BITS, PERIOD, true, T>(&constants, text, &mut x, &mut list[..most])
            } else {
                rounds::<BITS, PERIOD, false, T>(&constants, text, &mut x, &mut list[..most])
            };
            next = next.max(x.saturating_sub(packed.first));
            verify::<BITS, PERIOD, T, F>(pattern, packed, &list[..hits], text, begin, &mut effort, found)?;
            if found.is_full() {
                return Ok(());
            }
            text.jumps((x - begun) / (GROUP * block::<PERIOD>()));
            if hits == 0 {
                break;
            }
        }
        region!(last);
    }
    Ok(())
}

/// Blocks with one branch: the words of a pair fill one mask.
pub const GROUP: usize = 2;

/// Characters of a register of words.
const fn block<const PERIOD: usize>() -> usize {
    WORDS * PERIOD
}

/// The most pairs of blocks that are written down before their candidates are verified. Leaving the loop for
/// each pair would cost about 80 ns. With 8 and with 128, searches take the same time within 2 %.
const LIST: usize = 32;

/// Words of the pattern that two blocks have.
#[derive(Clone, Copy, Debug, Default)]
struct Hits {
    /// Where the first of the blocks begins.
    at: usize,
    /// A bit for each word: in each half, those of each second 16 characters.
    words: u32,
}

/// Goes on from `x` and writes down the pairs of blocks that have words of the pattern, until the list is
/// full or the text ends. Returns their number.
///
/// This is a function of its own, so that all registers are free for the loop.
///
/// # Safety
/// As for [`search`]; the list is not empty.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn rounds<const BITS: usize, const PERIOD: usize, const WHOLE: bool, T: Text>(
    constants: &Constants,
    text: T,
    x: &mut usize,
    list: &mut [Hits],
) -> usize {
    let (mut at, mut hits) = (*x, 0);
    let end = text.len();
    while text.branch(at + GROUP * block::<PERIOD>() <= end && hits < list.len()) {
        // SAFETY: the blocks end in the text.
        let words = unsafe {
            [
                words::<BITS, PERIOD, T>(constants.codes, text, at),
                words::<BITS, PERIOD, T>(constants.codes, text, at + block::<PERIOD>()),
            ]
        };
        let mut same = [_mm256_setzero_si256(); 2];
        for k in 0..PERIOD {
            let (word, mask) = (constants.words[k], constants.masks[k]);
            for (same, words) in same.iter_mut().zip(words) {
                let covered = if WHOLE { words } else { _mm256_and_si256(words, mask) };
                *same = _mm256_or_si256(*same, _mm256_cmpeq_epi16(covered, word));
            }
        }
        let [one, two] = same;
        let words = _mm256_movemask_epi8(_mm256_packs_epi16(one, two)).cast_unsigned();
        // Without a branch, because the CPU would mispredict it at each hit.
        list[hits] = Hits { at, words };
        hits += usize::from(words != 0);
        at += GROUP * block::<PERIOD>();
    }
    *x = at;
    hits
}

/// Words of the characters from `x` on. In each half of the register there are those of each second 16
/// characters.
///
/// # Safety
/// As for [`search`]; the block ends in the text.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn words<const BITS: usize, const PERIOD: usize, T: Text>(
    codes: __m256i,
    text: T,
    x: usize,
) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let one = bytes::<BITS, PERIOD, T>(codes, text, x);
        if BITS == 2 {
            return one;
        }
        // Four bits of four characters are in each byte: two bytes make eight bits.
        let weights = _mm256_set1_epi16(0x1001);
        let two = bytes::<BITS, PERIOD, T>(codes, text, x + 128);
        _mm256_packus_epi16(_mm256_maddubs_epi16(one, weights), _mm256_maddubs_epi16(two, weights))
    }
}

/// The 32 characters from `x` on.
///
/// # Safety
/// As for [`search`]; they lie in the text.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load<T: Text>(text: T, x: usize) -> __m256i {
    // SAFETY: the caller's promise; the array has 32 bytes.
    unsafe { _mm256_loadu_si256(text.read::<32>(x).as_ptr().cast()) }
}

/// A byte of each four of the 128 characters from `x` on, or of each first eight of sixteen of the next 256.
///
/// # Safety
/// As for [`search`]; the characters lie in the text.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn bytes<const BITS: usize, const PERIOD: usize, T: Text>(
    codes: __m256i,
    text: T,
    x: usize,
) -> __m256i {
    let (pairs, fours) = if BITS == 2 { (0x0401, 0x0010_0001) } else { (0x0201, 0x0004_0001) };
    let whole = PERIOD * BITS == 16;
    let (pairs, fours) = (_mm256_set1_epi16(pairs), _mm256_set1_epi32(fours));
    macro_rules! four {
        ($i:literal) => {{
            // SAFETY: the caller's promise.
            let characters = unsafe {
                if whole {
                    load(text, x + 32 * $i)
                } else {
                    // The first eight of each sixteen.
                    _mm256_unpacklo_epi64(load(text, x + 64 * $i), load(text, x + 64 * $i + 32))
                }
            };
            let codes = _mm256_shuffle_epi8(codes, _mm256_and_si256(characters, _mm256_set1_epi8(15)));
            _mm256_madd_epi16(_mm256_maddubs_epi16(codes, pairs), fours)
        }};
    }
    text.computes(16);
    _mm256_packus_epi16(_mm256_packus_epi32(four!(0), four!(1)), _mm256_packus_epi32(four!(2), four!(3)))
}

/// Verifies the alignments whose words are in the list. If too much is verified in vain, ends with the first
/// alignment that was not tried. This is a function of its own so that the registers of the rounds stay free.
///
/// # Safety
/// As for [`search`]; the blocks of the list end in the text.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn verify<const BITS: usize, const PERIOD: usize, T: Text, F: Found>(
    pattern: &[u8],
    packed: &PackedPattern,
    list: &[Hits],
    text: T,
    begin: usize,
    effort: &mut Effort,
    found: &mut F,
) -> Result<(), usize> {
    /// A mask of bytes has two bits for each word: this keeps one.
    const ONE_OF_TWO: u32 = 0x5555_5555;
    // Where the words of the lower half belong, for each second 16 characters are one word or two.
    let lower = if PERIOD == 8 { 0x3333_3333 } else { 0x5555_5555 };
    let last = text.len() - pattern.len();
    // SAFETY: the arrays have the bytes that are loaded; words of the blocks and alignments from `begin` to
    // `last` lie in the text.
    unsafe {
        let codes = _mm_loadu_si128(packed.codes.codes.as_ptr().cast());
        let wanted = _mm256_loadu_si256(packed.words.as_ptr().cast());
        let masks = _mm256_loadu_si256(packed.masks.as_ptr().cast());
        for hits in list {
            let mut words = _pdep_u32(hits.words & 0xFFFF, lower) | _pdep_u32(hits.words >> 16, !lower);
            while text.branch(words != 0) {
                let at = hits.at + words.trailing_zeros() as usize * PERIOD;
                words &= words - 1;
                let word = word_at::<BITS, T>(codes, text, at);
                let covered = _mm256_and_si256(_mm256_set1_epi16(word.cast_signed()), masks);
                let same = _mm256_movemask_epi8(_mm256_cmpeq_epi16(covered, wanted)).cast_unsigned();
                let mut same = same & ONE_OF_TWO;
                while text.branch(same != 0) {
                    let s = (at + same.trailing_zeros() as usize / 2).wrapping_sub(packed.first);
                    same &= same - 1;
                    if s < begin.max(found.from()) || s > last {
                        continue;
                    }
                    if occurs(pattern, text, s, effort) {
                        found.at(s);
                        if found.is_full() {
                            return Ok(());
                        }
                    }
                    if effort.too_much(s) {
                        return Err(s + 1);
                    }
                }
            }
        }
    }
    Ok(())
}

/// The word of the characters from `at` on.
///
/// # Safety
/// As for [`search`]; the word lies in the text.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn word_at<const BITS: usize, T: Text>(codes: __m128i, text: T, at: usize) -> u16 {
    text.computes(1);
    let low = _mm_set1_epi8(15);
    // SAFETY: the caller's promise.
    unsafe {
        if BITS == 1 {
            let characters = _mm_loadu_si128(text.read::<16>(at).as_ptr().cast());
            let codes = _mm_shuffle_epi8(codes, _mm_and_si128(characters, low));
            _mm_movemask_epi8(_mm_slli_epi16::<7>(codes)) as u16
        } else {
            let characters = _mm_loadl_epi64(text.read::<8>(at).as_ptr().cast());
            let codes = _mm_shuffle_epi8(codes, _mm_and_si128(characters, low));
            _pext_u64(_mm_cvtsi128_si64(codes).cast_unsigned(), 0x0303_0303_0303_0303) as u16
        }
    }
}

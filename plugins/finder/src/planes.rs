//! Bit planes: a few bits of each character are compared at 512 alignments with one instruction.
//!
//! One multiplication of bit matrices (`gf2p8affineqb`, with the text as the matrix) takes a parity of some
//! bits of each of 64 characters. A permutation of bytes then puts the parities of 512 characters into one
//! register: a *plane*. An alignment is a candidate while the planes, shifted by the place of a character,
//! agree with the parities of that character.
//!
//! The places form two groups of the same shape, `0, stride, 2 stride ..` and as many from `distance` on: the
//! planes are shifted for the first group only, and what the second group leaves is shifted once.

use core::arch::x86_64::*;

use crate::candidates::{Effort, occurs};
use crate::found::Found;
use crate::text::{Bytes, Text};

/// Characters of a block.
const BLOCK: usize = 512;

/// Blocks with one branch.
pub const GROUP: usize = 1;

/// How many parities of how many characters are compared for a pattern of `m` bytes, if this number of
/// parities is useful: the fewer distinguish the characters of a short pattern, the more are taken.
pub const fn shape(m: usize, useful: usize) -> (usize, usize) {
    match (m, useful) {
        (..5, _) => (4, 4),
        (5..7, 3..) => (3, 6),
        (5..7, 2) => (2, 6),
        (5..7, _) => (1, 6),
        (7.., 2..) => (2, 8),
        (7..9, _) => (1, 8),
        (9..11, _) => (1, 10),
        (11..13, _) => (1, 12),
        (13.., _) => (1, 14),
    }
}

/// Which parities of which characters are compared: `B` of each of `2 H` characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedBits<const B: usize> {
    /// The bits of a character whose parity makes each plane.
    pub masks: [u8; B],
    /// Distance of two neighbouring places of a group.
    pub stride: usize,
    /// Distance from the first group to the second.
    pub distance: usize,
}

/// Vectors of the text whose parities fit into one register, with `planes` of them.
const fn vectors(planes: usize) -> usize {
    match planes {
        1 => 8,
        2 => 4,
        _ => 2,
    }
}

/// In each eight bytes, those that the first vector of the text fills, by the number of planes.
const LANES: [u64; 5] =
    [0, 0x0101_0101_0101_0101, 0x0303_0303_0303_0303, 0x0F0F_0F0F_0F0F_0F0F, 0x0F0F_0F0F_0F0F_0F0F];

/// What the rounds need of the pattern and its compared bits, in registers.
#[derive(Clone, Copy)]
struct Constants<const B: usize, const H: usize> {
    /// In each eight bytes, the mask of each plane.
    selected: __m512i,
    /// Which byte of the parities goes where in each plane.
    order: [__m512i; B],
    /// How far the planes are shifted for each place of a group.
    shifts: [__m512i; H],
    /// How far the second group is shifted.
    distance: __m512i,
    /// The parities of the pattern, of each group, place and plane.
    wanted: [[[__m512i; B]; H]; 2],
}

/// What a round leaves for the next ones.
struct State<const B: usize> {
    /// Parities of a block, not yet in order.
    parities: [__m512i; 4],
    /// Planes of the two blocks before it.
    planes: [[__m512i; B]; 2],
    /// Alignments at which the groups agree, of the two blocks before these.
    left: [[__m512i; 2]; 2],
}

/// Reports the occurrences from `begin` on. If too much is verified in vain, ends with the first alignment
/// that was not tried.
///
/// # Safety
/// The CPU has AVX-512 F, BW, VBMI and VBMI2, and GFNI. `distance + (H - 1) * stride` is less than the length
/// of the pattern, and both terms are below 64. `B` is at most 4.
pub unsafe fn search<const B: usize, const H: usize, T: Text, F: Found>(
    pattern: &[u8],
    compared: &ComparedBits<B>,
    least_gap: usize,
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    let n = text.len();
    // SAFETY: the caller's promise; blocks of the text are read where they lie in it, and of `rest` in its
    // length.
    unsafe {
        let constants = Constants::<B, H>::new(pattern, compared);
        let mut effort = Effort::new(begin, least_gap).with_free_candidates(FREE);
        let mut state = State::<B>::new();
        let most = if F::AT_ONCE { 1 } else { LIST };
        let mut list = [Candidates { at: 0, words: [0; 8] }; LIST];
        // Looks at all whole blocks of a text, which begins at `$from` of the one that is searched.
        macro_rules! search_blocks {
            ($blocks:ident, $next:ident, $from:expr) => {
                loop {
                    let begun = $next;
                    let hits = rounds(&constants, &mut state, $blocks, &mut $next, &mut list[..most]);
                    verify(pattern, text, begin, $from, &list[..hits], &mut effort, found)?;
                    if found.is_full() {
                        return Ok(());
                    }
                    $blocks.jumps(($next - begun) / BLOCK);
                    if hits == 0 {
                        break;
                    }
                }
            };
        }
        let mut next = begin;
        search_blocks!(text, next, 0);
        // What is left of the text, and zeros until all blocks have passed all rounds.
        let mut bytes = [0; 7 * BLOCK];
        for (i, byte) in bytes.iter_mut().enumerate().take(n - next) {
            *byte = text.read::<1>(next + i)[0];
        }
        text.jump();
        let rest = Rest { bytes: &bytes, text };
        let mut further = 0;
        search_blocks!(rest, further, next);
    }
    Ok(())
}

/// Verifies the candidates of a list, whose blocks count from `from` on. If too much is verified in vain,
/// ends with the first alignment that was not tried.
///
/// # Safety
/// As for [`search`].
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
unsafe fn verify<T: Text, F: Found>(
    pattern: &[u8],
    text: T,
    begin: usize,
    from: usize,
    list: &[Candidates],
    effort: &mut Effort,
    found: &mut F,
) -> Result<(), usize> {
    let last = text.len() - pattern.len();
    for &Candidates { at, words } in list {
        for (i, word) in words.into_iter().enumerate() {
            let mut word = word;
            while text.branch(word != 0) {
                let first = word.leading_zeros() as usize;
                word &= !(1 << 63 >> first);
                let s = (from + at + 64 * i + first).wrapping_sub(5 * BLOCK);
                if s < begin.max(found.from()) || s > last {
                    continue;
                }
                // SAFETY: `s` is an alignment of the text.
                if unsafe { occurs(pattern, text, s, effort) } {
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
    Ok(())
}

/// The most blocks that are written down before their candidates are verified, because leaving the loop for
/// each would cost more.
const LIST: usize = 16;

/// Candidates that don't count, because the first ones of a text may be an exception.
const FREE: usize = 50;

/// Alignments that may be occurrences.
#[derive(Clone, Copy)]
struct Candidates {
    /// The block that was read in the same round; they are of five blocks before.
    at: usize,
    /// A bit for each alignment, the first the highest of the first word.
    words: [u64; 8],
}

/// Takes blocks of the text from `next` on and writes down those that have candidates, until the list is full
/// or no whole block is left. Returns their number.
///
/// This is a function of its own, so that all registers are free for the loop.
///
/// # Safety
/// As for [`search`]; the list is not empty.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni")]
unsafe fn rounds<const B: usize, const H: usize, T: Text>(
    constants: &Constants<B, H>,
    state: &mut State<B>,
    text: T,
    next: &mut usize,
    list: &mut [Candidates],
) -> usize {
    let constants = *constants;
    let Constants { selected, order, distance, .. } = constants;
    let State { mut parities, mut planes, mut left } = *state;
    // In each eight bytes of a register of parities, those of one vector of the text; and in each plane,
    // those that come from one register.
    let lanes: [u64; 8] = core::array::from_fn(|v| {
        if v < vectors(B) { kept_in_register(LANES[B] << (v * 8 / vectors(B))) } else { 0 }
    });
    let parts: [u64; 4] = core::array::from_fn(|register| {
        if register > 0 && register < 8 / vectors(B) {
            kept_in_register((!0 >> (64 - 8 * vectors(B))) << (8 * vectors(B) * register))
        } else {
            0
        }
    });
    let mut s = *next;
    let end = text.len();
    let mut hits = 0;
    // Each round works on six blocks: it looks at what is left of the first, compares the third, orders the
    // planes of the fifth, and takes the parities of the sixth. So hardly an instruction waits for another of
    // the same round.
    while text.branch(s + BLOCK <= end && hits < list.len()) {
        let mut fresh = [_mm512_setzero_si512(); B];
        for (fresh, order) in fresh.iter_mut().zip(order) {
            *fresh = _mm512_permutexvar_epi8(order, parities[0]);
            for register in 1..8 / vectors(B) {
                *fresh = _mm512_mask_permutexvar_epi8(*fresh, parts[register], order, parities[register]);
            }
        }
        let second = _mm512_alignr_epi64::<1>(left[1][1], left[0][1]);
        let candidates = _mm512_and_si512(left[0][0], _mm512_shldv_epi64(left[0][1], second, distance));
        left = [left[1], agreeing(&constants, &planes)];
        for v in 0..8 {
            // SAFETY: the block ends in the text.
            let block = unsafe { _mm512_loadu_si512(text.read::<64>(s + 64 * v).as_ptr().cast()) };
            let part = &mut parities[v / vectors(B)];
            *part = match v % vectors(B) {
                0 => _mm512_gf2p8affine_epi64_epi8::<0>(selected, block),
                v => _mm512_mask_gf2p8affine_epi64_epi8::<0>(*part, lanes[v], selected, block),
            };
        }
        planes = [planes[1], fresh];
        // Without a branch, because the CPU would mispredict it at each candidate.
        let entry = &mut list[hits];
        entry.at = s;
        // SAFETY: the array has 64 bytes.
        unsafe { _mm512_storeu_si512(entry.words.as_mut_ptr().cast(), candidates) };
        hits += usize::from(_mm512_test_epi64_mask(candidates, candidates) != 0);
        s += BLOCK;
    }
    *state = State { parities, planes, left };
    *next = s;
    hits
}

/// The alignments of a block at which each group of places agrees with the pattern, by the planes of the
/// block and of the next one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni")]
fn agreeing<const B: usize, const H: usize>(
    constants: &Constants<B, H>,
    planes: &[[__m512i; B]; 2],
) -> [__m512i; 2] {
    // `!(b ^ c)` and `a & !(b ^ c)`: the bit of each of the eight inputs `abc`.
    const SAME: i32 = 0b1001_1001;
    const AND_SAME: i32 = 0b1001_0000;
    let following: [__m512i; B] =
        core::array::from_fn(|plane| _mm512_alignr_epi64::<1>(planes[1][plane], planes[0][plane]));
    let mut agreeing = [_mm512_setzero_si512(); 2];
    for j in 0..H {
        for plane in 0..B {
            let shifted = if j == 0 {
                planes[0][plane]
            } else {
                _mm512_shldv_epi64(planes[0][plane], following[plane], constants.shifts[j])
            };
            for (agreeing, wanted) in agreeing.iter_mut().zip(&constants.wanted) {
                let wanted = wanted[j][plane];
                *agreeing = if (j, plane) == (0, 0) {
                    _mm512_ternarylogic_epi64::<SAME>(shifted, shifted, wanted)
                } else {
                    _mm512_ternarylogic_epi64::<AND_SAME>(*agreeing, shifted, wanted)
                };
            }
        }
    }
    agreeing
}

/// The end of a text, copied: it was read already, so only what is done with it is reported.
#[derive(Clone, Copy)]
struct Rest<'a, T> {
    bytes: &'a [u8],
    text: T,
}

// SAFETY: the bytes don't change while they are borrowed.
unsafe impl<T: Text> Text for Rest<'_, T> {
    fn len(self) -> usize {
        self.bytes.len()
    }

    fn misalignment(self) -> usize {
        self.bytes.as_ptr().addr() % 64
    }

    #[inline(always)]
    unsafe fn read<const N: usize>(self, index: usize) -> [u8; N] {
        // SAFETY: the caller's promise.
        unsafe { Bytes(self.bytes).read::<N>(index) }
    }

    #[inline(always)]
    fn branch(self, condition: bool) -> bool {
        self.text.branch(condition)
    }
}

impl<const B: usize, const H: usize> Constants<B, H> {
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(pattern: &[u8], compared: &ComparedBits<B>) -> Self {
        let ComparedBits { masks, stride, distance } = *compared;
        let wanted = core::array::from_fn(|group| {
            core::array::from_fn(|j| {
                let character = pattern[group * distance + j * stride];
                masks.map(|mask| _mm512_set1_epi64(-i64::from((character & mask).count_ones() % 2)))
            })
        });
        let order = core::array::from_fn(|plane| {
            // Byte 8 v + 7 - t of a plane, of group t of vector v.
            let order: [u8; 64] = core::array::from_fn(|i| {
                let (v, t) = (i / 8, 7 - i % 8);
                (8 * t + v % vectors(B) * (8 / vectors(B)) + plane) as u8
            });
            // SAFETY: the array has 64 bytes.
            unsafe { _mm512_loadu_si512(order.as_ptr().cast()) }
        });
        Constants {
            selected: _mm512_set1_epi32(i32::from_le_bytes(core::array::from_fn(|i| {
                masks[i % (8 / vectors(B)) % B]
            }))),
            order,
            shifts: core::array::from_fn(|j| _mm512_set1_epi64((j * stride) as i64)),
            distance: _mm512_set1_epi64(distance as i64),
            wanted,
        }
    }
}

impl<const B: usize> State<B> {
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        let zero = _mm512_setzero_si512();
        State { parities: [zero; 4], planes: [[zero; B]; 2], left: [[zero; 2]; 2] }
    }
}

/// A mask whose value the compiler does not know: it would otherwise load each mask again in each round.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn kept_in_register(mut mask: u64) -> u64 {
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {0} */", inout(kreg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

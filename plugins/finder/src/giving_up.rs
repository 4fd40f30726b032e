//! When a method gives up, and which one goes on in its place.

use crate::cpu::Instructions;
use crate::decision::Kind;
use crate::method::{CHOSEN_BY_SAMPLE, Gram, Method, SAMPLED, SECOND_WORDS, windows_pay};
use crate::sample::Sample;
use crate::text::Text;

impl Method {
    /// Mean distance of false candidates, in bytes, below which this method gives up; 0 if it does not depend
    /// on that.
    ///
    /// Measured on an AMD of family 25 model 1, where a candidate of some characters takes 25 to 40 ns: at
    /// these distances the other method takes as long. Planes were measured on an Intel of family 6 model
    /// 207.
    pub(crate) fn least_gap(self, m: usize, n: usize, instructions: Instructions) -> usize {
        match (self, self.next_kind(m, n, instructions)) {
            (Method::Two(_), _) => 8192,
            // To compare all characters takes as long as planes with one candidate in this number of bytes.
            (Method::Planes(_), Some(Kind::AllCharacters)) => 300,
            // Closer candidates take longer than everything else.
            (Method::Packed(_), _) => 128,
            _ if self.kind() != Kind::SomeCharacters => 0,
            (_, Some(Kind::AllCharacters)) => 512,
            // The choice of packed characters takes as long as 16 KiB of a search.
            (_, Some(Kind::Packed)) if n <= CHOSEN_BY_SAMPLE => 64,
            _ if n <= CHOSEN_BY_SAMPLE => 16,
            (_, Some(Kind::Packed)) if m >= SECOND_WORDS => 1024,
            (_, Some(Kind::Packed)) => 512,
            _ => 256,
        }
    }

    /// Kind of the method to switch to when too many characters match by chance; `None` if only other
    /// characters of the pattern remain.
    fn next_kind(self, m: usize, n: usize, instructions: Instructions) -> Option<Kind> {
        let packed = n > SAMPLED && instructions >= Kind::Packed.instructions();
        match self.kind() {
            // What follows two characters depends on more: see `next`.
            _ if matches!(self, Method::Two(_)) => None,
            Kind::Planes | Kind::SomeCharacters | Kind::Packed if Kind::AllCharacters.takes(m) => {
                Some(Kind::AllCharacters)
            }
            Kind::SomeCharacters if packed => Some(Kind::Packed),
            _ => None,
        }
    }

    /// The method that goes on where this one gives up; none where only other characters or Two Way are left.
    pub(crate) fn next<T: Text>(self, pattern: &[u8], text: T, instructions: Instructions) -> Option<Self> {
        if let Method::Two(_) = self {
            let m = pattern.len();
            if m <= 4 {
                return Some(Method::AllCharacters);
            }
            if Kind::Windows.takes(m) && windows_pay(m, text.len(), false) {
                return Some(Self::of_kind(Kind::Windows, pattern, text, instructions));
            }
            return Some(Method::Three(Sample::of_text(text).rarest_of(pattern).take_all()));
        }
        if let Some(kind) = self.next_kind(pattern.len(), text.len(), instructions) {
            return Some(Self::of_kind(kind, pattern, text, instructions));
        }
        let Method::Windows(gram) = self else { return None };
        let wider = match gram {
            Gram::Eight => Some(Gram::Sixteen),
            Gram::Sixteen => Some(Gram::TwentyFour),
            Gram::SixteenOfTwo => Some(Gram::TwentyFourOfTwo),
            Gram::TwentyFour | Gram::TwentyFourOfTwo | Gram::Bits(_) => None,
        };
        Some(match wider.filter(|_| pattern.len() >= 100) {
            Some(wider) => Method::Windows(wider),
            // Not two again, which may have given up before.
            None => Self::of_all_text(pattern, text, instructions, 3),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{Place, spread};
    use crate::tests::random;
    use crate::text::Bytes;

    #[test]
    fn two_characters_that_are_frequent_are_followed_by_all_by_windows_or_by_three() {
        let text = random(b"acgt").repeat(4);
        for (m, kind) in [(4, Kind::AllCharacters), (12, Kind::SomeCharacters), (100, Kind::Windows)] {
            let pattern = &text[100..100 + m];
            let next = Method::Two(spread(pattern)).next(pattern, Bytes(&text), Instructions::Sse2);
            assert_eq!(next.map(Method::kind), Some(kind), "m = {m}");
            assert!(!matches!(next, Some(Method::Two(_))), "m = {m}");
        }
    }

    #[test]
    fn each_method_gives_up_at_the_distance_that_was_measured() {
        use Instructions::{Avx2, Sse2};
        let long = 1 << 20;
        let two = Method::Two([Place::default(); 2]);
        let four = Method::Four([Place::default(); 4]);
        for (method, m, n, instructions, distance) in [
            (two, 4, long, Sse2, 8192),
            (two, 50, long, Avx2, 8192),
            (four, 8, CHOSEN_BY_SAMPLE, Avx2, 512),
            (four, 8, long, Sse2, 512),
            (four, 9, CHOSEN_BY_SAMPLE, Avx2, 64),
            (four, 9, SAMPLED, Avx2, 16),
            (four, 9, CHOSEN_BY_SAMPLE, Sse2, 16),
            (four, SECOND_WORDS - 1, long, Avx2, 512),
            (four, SECOND_WORDS, long, Avx2, 1024),
            (four, 9, long, Sse2, 256),
            (Method::AllCharacters, 8, long, Avx2, 0),
            (Method::Windows(Gram::Eight), 50, long, Avx2, 0),
            (Method::TwoWay, 9, long, Avx2, 0),
        ] {
            let name = instructions.name();
            assert_eq!(
                method.least_gap(m, n, instructions),
                distance,
                "{method:?}: m = {m}, n = {n}, {name}"
            );
        }
    }

    #[test]
    fn windows_that_give_up_look_at_longer_q_grams_and_then_at_all_of_the_text() {
        let text = random(b"acgt").repeat(4);
        let next = |gram, m: usize| {
            Method::Windows(gram).next(&text[100..100 + m], Bytes(&text), Instructions::Sse2)
        };
        assert_eq!(next(Gram::Eight, 100), Some(Method::Windows(Gram::Sixteen)));
        assert_eq!(next(Gram::Sixteen, 100), Some(Method::Windows(Gram::TwentyFour)));
        assert_eq!(next(Gram::SixteenOfTwo, 100), Some(Method::Windows(Gram::TwentyFourOfTwo)));
        for (gram, m) in [(Gram::Eight, 99), (Gram::TwentyFour, 100), (Gram::TwentyFourOfTwo, 100)] {
            assert_eq!(next(gram, m).map(Method::kind), Some(Kind::SomeCharacters), "{gram:?}, m = {m}");
        }
    }
}

//! Which instructions the CPU has.

/// Instructions that the methods are compiled for, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// What every CPU has.
    Plain,
    /// SSE2: registers of 16 bytes.
    Sse2,
    /// AVX2: registers of 32 bytes.
    Avx2,
    /// AVX-512 F, BW and VL: registers of 64 bytes.
    Avx512,
    /// Also AVX-512 VBMI and VBMI2, and GFNI: bit planes.
    Avx512Planes,
}

impl Instructions {
    /// All of them.
    pub const ALL: [Instructions; 5] = [
        Instructions::Plain,
        Instructions::Sse2,
        Instructions::Avx2,
        Instructions::Avx512,
        Instructions::Avx512Planes,
    ];

    /// Their name: what the environment variable `ASSAY_FINDER` takes.
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Plain => "plain",
            Instructions::Sse2 => "sse2",
            Instructions::Avx2 => "avx2",
            Instructions::Avx512 => "avx512",
            Instructions::Avx512Planes => "avx512-planes",
        }
    }

    /// Whether this CPU has them.
    #[cfg(target_arch = "x86_64")]
    fn usable(self) -> bool {
        macro_rules! has {
            ($($feature:tt),+) => {
                $({
                    #[cfg(feature = "std")]
                    { std::is_x86_feature_detected!($feature) }
                    #[cfg(not(feature = "std"))]
                    { cfg!(target_feature = $feature) }
                })&&+
            };
        }
        match self {
            Instructions::Plain => true,
            Instructions::Sse2 => cfg!(target_feature = "sse2"),
            Instructions::Avx2 => has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt"),
            Instructions::Avx512 => Instructions::Avx2.usable() && has!("avx512f", "avx512bw", "avx512vl"),
            Instructions::Avx512Planes => {
                Instructions::Avx512.usable() && has!("avx512vbmi", "avx512vbmi2", "gfni")
            }
        }
    }

    /// Whether this CPU has them.
    #[cfg(not(target_arch = "x86_64"))]
    fn usable(self) -> bool {
        self == Instructions::Plain
    }

    /// A proof that this CPU has the instructions; `None` if it has not.
    pub fn available(self) -> Option<Available> {
        self.usable().then_some(Available(self))
    }
}

/// Instructions that this CPU was found to have: what a search needs to use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Available(Instructions);

impl Available {
    /// The largest instruction set of this CPU, or the one that the environment variable `ASSAY_FINDER` names
    /// if the CPU has that. It is detected once.
    #[inline]
    pub fn best() -> Self {
        #[cfg(feature = "std")]
        {
            static BEST: std::sync::OnceLock<Available> = std::sync::OnceLock::new();
            *BEST.get_or_init(|| {
                let named = std::env::var("ASSAY_FINDER").ok();
                let named =
                    Instructions::ALL.into_iter().find(|known| named.as_deref() == Some(known.name()));
                named.and_then(Instructions::available).unwrap_or_else(Self::most)
            })
        }
        #[cfg(not(feature = "std"))]
        Self::most()
    }

    /// All instruction sets that the CPU has, from the least to the most.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        Instructions::ALL.into_iter().filter_map(Instructions::available)
    }

    /// The instruction set.
    #[inline]
    pub fn get(self) -> Instructions {
        self.0
    }

    fn most() -> Self {
        Self::all().next_back().unwrap_or(Available(Instructions::Plain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_code_can_always_be_used_and_more_instructions_include_fewer() {
        assert!(Instructions::Plain.usable() && Available::best().get().usable());
        let usable = Instructions::ALL.map(Instructions::usable);
        assert!(usable.is_sorted_by(|less, more| less >= more), "{usable:?}");
    }
}

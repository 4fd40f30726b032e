//! Corpora across the boundary.

use std::ffi::c_void;
use std::fmt;
use std::ops::RangeInclusive;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RSliceMut, RString};

use super::facts::{Facts, FactsAbi};
use super::guard::guard;
use crate::corpus::{Corpus, Request};

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = CorpusAbiRef)))]
pub struct CorpusAbi {
    facts: FactsAbi,
    /// Least and greatest parameter; 0 and 0 for none.
    least: usize,
    greatest: usize,
    corpus: *const c_void,
    #[sabi(last_prefix_field)]
    generate: unsafe extern "C" fn(*const c_void, u64, usize, RSliceMut<'_, u8>) -> RResult<(), RString>,
}

/// A corpus that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    /// The numbers that may stand behind the id.
    pub parameter: Option<RangeInclusive<usize>>,
    abi: CorpusAbiRef,
}

impl Entry {
    /// Fills a text.
    ///
    /// # Errors
    /// One sentence, or the message of a panic.
    pub fn generate(&self, request: Request, text: &mut [u8]) -> Result<(), String> {
        // SAFETY: the function belongs to this pointer.
        let result =
            unsafe { self.abi.generate()(self.abi.corpus(), request.seed, request.parameter, text.into()) };
        result.into_result().map_err(RString::into_string)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<CorpusAbiRef> for Entry {
    fn from(abi: CorpusAbiRef) -> Self {
        let parameter = (abi.greatest() > 0).then(|| abi.least()..=abi.greatest());
        Entry { facts: abi.facts().into(), parameter, abi }
    }
}

pub fn export(corpus: &'static Corpus) -> CorpusAbiRef {
    let (least, greatest) = corpus.parameter.as_ref().map_or((0, 0), |range| (*range.start(), *range.end()));
    let mut facts = vec![("summary", corpus.summary.to_owned()), ("reference", corpus.reference.to_owned())];
    if greatest > 0 {
        facts.push(("parameter", format!("{least} to {greatest}")));
    }
    CorpusAbi {
        facts: FactsAbi::new(corpus.id, facts),
        least,
        greatest,
        corpus: std::ptr::from_ref(corpus).cast(),
        generate,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn generate(
    corpus: *const c_void,
    seed: u64,
    parameter: usize,
    mut text: RSliceMut<'_, u8>,
) -> RResult<(), RString> {
    // SAFETY: `export` put the corpus there.
    let corpus = unsafe { &*corpus.cast::<Corpus>() };
    let filled = guard(|| (corpus.generate)(Request { seed, parameter }, text.as_mut_slice()));
    filled.and_then(|done| done).map_err(RString::from).into()
}

//! Corpora across the boundary.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RSliceMut, RString};

use super::facts::{Facts, FactsAbi};
use super::foreign::Address;
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
    corpus: Address,
    #[sabi(last_prefix_field)]
    generate: unsafe extern "C" fn(Address, u64, usize, RSliceMut<'_, u8>) -> RResult<(), RString>,
}

/// Fills a text.
type Generate = dyn Fn(Request, &mut [u8]) -> Result<(), String> + Send + Sync;

/// A corpus that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    /// The numbers that may stand behind the id.
    pub parameter: Option<RangeInclusive<usize>>,
    generate: Arc<Generate>,
}

impl Entry {
    /// A corpus of any dialect.
    pub fn new(
        facts: Facts,
        parameter: Option<RangeInclusive<usize>>,
        generate: impl Fn(Request, &mut [u8]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Entry { facts, parameter, generate: Arc::new(generate) }
    }

    /// Fills a text.
    ///
    /// # Errors
    /// One sentence, or the message of a panic.
    pub fn generate(&self, request: Request, text: &mut [u8]) -> Result<(), String> {
        (self.generate)(request, text)
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
        let (corpus, generate) = (abi.corpus(), abi.generate());
        Entry::new(abi.facts().into(), parameter, move |request, text| {
            // SAFETY: the function belongs to this address.
            let result = unsafe { generate(corpus, request.seed, request.parameter, text.into()) };
            result.into_result().map_err(RString::into_string)
        })
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
        corpus: Address::of(corpus),
        generate,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn generate(
    corpus: Address,
    seed: u64,
    parameter: usize,
    mut text: RSliceMut<'_, u8>,
) -> RResult<(), RString> {
    // SAFETY: `export` put the corpus there.
    let corpus = unsafe { corpus.get::<Corpus>() };
    let filled = guard(|| (corpus.generate)(Request { seed, parameter }, text.as_mut_slice()));
    filled.and_then(|done| done).map_err(RString::from).into()
}

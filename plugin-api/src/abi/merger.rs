//! Mergers across the boundary.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RSlice, RStr, RString, RVec};

use super::facts::{Facts, FactsAbi, list, owned};
use super::guard::guard;
use crate::merger::{Block, Column, Merged, Merger, Options};

#[repr(C)]
#[derive(StableAbi)]
struct ColumnAbi<'a> {
    name: RStr<'a>,
    values: RSlice<'a, f64>,
}

#[repr(C)]
#[derive(StableAbi)]
struct BlockAbi<'a> {
    source: RStr<'a>,
    columns: RVec<ColumnAbi<'a>>,
}

#[repr(C)]
#[derive(StableAbi)]
struct OptionAbi<'a> {
    name: RStr<'a>,
    value: RStr<'a>,
}

#[repr(C)]
#[derive(StableAbi)]
struct MergedAbi {
    names: RVec<RString>,
    columns: RVec<RVec<f64>>,
    notes: RVec<RString>,
}

/// Tells the host how much is done.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
struct ProgressAbi {
    context: *const c_void,
    tell: unsafe extern "C" fn(*const c_void, f64),
}

type MergeResult = RResult<MergedAbi, RString>;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = MergerAbiRef)))]
pub struct MergerAbi {
    facts: FactsAbi,
    options: RSlice<'static, RStr<'static>>,
    merger: *const c_void,
    #[sabi(last_prefix_field)]
    merge: unsafe extern "C" fn(
        *const c_void,
        RSlice<'_, BlockAbi<'_>>,
        RSlice<'_, OptionAbi<'_>>,
        ProgressAbi,
    ) -> MergeResult,
}

/// A merger that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    /// Names of the options that it reads.
    pub options: Vec<String>,
    abi: MergerAbiRef,
}

impl Entry {
    /// Merges blocks.
    ///
    /// # Errors
    /// One sentence that names the block or event at fault, or the message of a panic.
    pub fn merge(&self, blocks: &[Block<'_>], options: &Options<'_>) -> Result<Merged, String> {
        let blocks: Vec<BlockAbi<'_>> = blocks
            .iter()
            .map(|block| BlockAbi {
                source: block.source.into(),
                columns: block
                    .columns
                    .iter()
                    .map(|column| ColumnAbi { name: column.name.into(), values: column.values.into() })
                    .collect(),
            })
            .collect();
        let given: Vec<OptionAbi<'_>> = options
            .given
            .iter()
            .map(|(name, value)| OptionAbi { name: (*name).into(), value: (*value).into() })
            .collect();
        let progress = ProgressAbi { context: (&raw const options.progress).cast(), tell };
        // SAFETY: the function belongs to this pointer, and the progress lasts during the call.
        let result = unsafe {
            self.abi.merge()(self.abi.merger(), blocks.as_slice().into(), given.as_slice().into(), progress)
        };
        let merged = result.into_result().map_err(RString::into_string)?;
        let names = merged.names.into_iter().map(RString::into_string);
        Ok(Merged {
            columns: names.zip(merged.columns.into_iter().map(RVec::into_vec)).collect(),
            notes: merged.notes.into_iter().map(RString::into_string).collect(),
        })
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<MergerAbiRef> for Entry {
    fn from(abi: MergerAbiRef) -> Self {
        Entry { facts: abi.facts().into(), options: owned(abi.options()), abi }
    }
}

unsafe extern "C" fn tell(context: *const c_void, done: f64) {
    // SAFETY: `Entry::merge` put the reference there.
    let progress = unsafe { *context.cast::<&dyn Fn(f64)>() };
    progress(done);
}

pub fn export(merger: &'static Merger) -> MergerAbiRef {
    let options: Vec<String> = merger.options.iter().map(|(name, what)| format!("{name}: {what}")).collect();
    let facts = [
        ("summary", merger.summary.to_owned()),
        ("reference", merger.reference.to_owned()),
        ("options", options.join("; ")),
    ];
    MergerAbi {
        facts: FactsAbi::new(merger.id, facts),
        options: list(merger.options.iter().map(|(name, _)| RStr::from_str(name))),
        merger: std::ptr::from_ref(merger).cast(),
        merge,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn merge(
    merger: *const c_void,
    blocks: RSlice<'_, BlockAbi<'_>>,
    options: RSlice<'_, OptionAbi<'_>>,
    progress: ProgressAbi,
) -> MergeResult {
    // SAFETY: `export` put the merger there.
    let merger = unsafe { &*merger.cast::<Merger>() };
    let tell_host = |done: f64| {
        // SAFETY: the function belongs to this context, and both last during the call.
        unsafe { (progress.tell)(progress.context, done) }
    };
    let merged = guard(|| {
        let blocks: Vec<Block<'_>> = blocks
            .iter()
            .map(|block| Block {
                source: block.source.as_str(),
                columns: block
                    .columns
                    .iter()
                    .map(|column| Column { name: column.name.as_str(), values: column.values.as_slice() })
                    .collect(),
            })
            .collect();
        let given: Vec<(&str, &str)> =
            options.iter().map(|option| (option.name.as_str(), option.value.as_str())).collect();
        (merger.merge)(&blocks, &Options { given: &given, progress: &tell_host })
    });
    let abi = |merged: Merged| {
        let (names, columns) = merged
            .columns
            .into_iter()
            .map(|(name, values)| (RString::from(name), RVec::from(values)))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        MergedAbi {
            names: names.into(),
            columns: columns.into(),
            notes: merged.notes.into_iter().map(RString::from).collect(),
        }
    };
    merged.and_then(|done| done).map(abi).map_err(RString::from).into()
}

//! Mergers across the boundary.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RSlice, RStr, RString, RVec};

use super::facts::{Facts, FactsAbi, list, owned};
use super::foreign::Address;
use super::guard::guard;
use crate::merger::{Block, Column, Merged, Merger, Options};

/// The values of a column: a list that changes sides without being copied, and is freed by the side that made it. It is
/// used as the slice that it dereferences to.
#[repr(transparent)]
#[derive(StableAbi, Clone, Debug, PartialEq)]
pub struct Values(RVec<f64>);

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Values(values.into())
    }
}

impl FromIterator<f64> for Values {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Values(values.into_iter().collect())
    }
}

impl Deref for Values {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.0
    }
}

#[repr(C)]
#[derive(StableAbi)]
struct ColumnAbi {
    name: RString,
    values: Values,
}

/// A table with a title: a block, the result, or a table beside it.
#[repr(C)]
#[derive(StableAbi)]
struct TableAbi {
    title: RString,
    columns: RVec<ColumnAbi>,
}

impl TableAbi {
    fn new(title: String, columns: Vec<Column>) -> Self {
        let column = |column: Column| ColumnAbi { name: column.name.into(), values: column.values };
        TableAbi { title: title.into(), columns: columns.into_iter().map(column).collect() }
    }

    fn into_parts(self) -> (String, Vec<Column>) {
        let column = |column: ColumnAbi| Column { name: column.name.into(), values: column.values };
        (self.title.into(), self.columns.into_iter().map(column).collect())
    }
}

#[repr(C)]
#[derive(StableAbi)]
struct OptionAbi<'a> {
    name: RStr<'a>,
    value: RStr<'a>,
}

/// The result is the first table; others are beside it.
#[repr(C)]
#[derive(StableAbi)]
struct MergedAbi {
    tables: RVec<TableAbi>,
    notes: RVec<RString>,
}

/// Tells the host how much is done, and is told whether to go on.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
struct ProgressAbi {
    context: Address,
    tell: unsafe extern "C" fn(Address, f64) -> bool,
}

type MergeResult = RResult<MergedAbi, RString>;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = MergerAbiRef)))]
pub struct MergerAbi {
    facts: FactsAbi,
    options: RSlice<'static, RStr<'static>>,
    merger: Address,
    #[sabi(last_prefix_field)]
    merge:
        unsafe extern "C" fn(Address, RVec<TableAbi>, RSlice<'_, OptionAbi<'_>>, ProgressAbi) -> MergeResult,
}

/// Merges blocks.
type Merge = dyn Fn(Vec<Block>, &Options<'_>) -> Result<Merged, String> + Send + Sync;

/// A merger that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    /// Names of the options that it reads.
    pub options: Vec<String>,
    merge: Arc<Merge>,
}

impl Entry {
    /// A merger of any dialect.
    pub fn new(
        facts: Facts,
        options: Vec<String>,
        merge: impl Fn(Vec<Block>, &Options<'_>) -> Result<Merged, String> + Send + Sync + 'static,
    ) -> Self {
        Entry { facts, options, merge: Arc::new(merge) }
    }

    /// Merges blocks.
    ///
    /// # Errors
    /// One sentence that names the block or event at fault, or the message of a panic.
    pub fn merge(&self, blocks: Vec<Block>, options: &Options<'_>) -> Result<Merged, String> {
        (self.merge)(blocks, options)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<MergerAbiRef> for Entry {
    fn from(abi: MergerAbiRef) -> Self {
        let (merger, merge) = (abi.merger(), abi.merge());
        Entry::new(abi.facts().into(), owned(abi.options()), move |blocks, options| {
            let blocks = blocks.into_iter().map(|block| TableAbi::new(block.source, block.columns)).collect();
            let given = options.given.iter();
            let given: Vec<OptionAbi<'_>> = given
                .map(|(name, value)| OptionAbi { name: (*name).into(), value: (*value).into() })
                .collect();
            // SAFETY: the reference lasts during the call, and the merger uses it no longer; it is `Sync`.
            let context = unsafe { Address::foreign((&raw const options.progress).cast()) };
            // SAFETY: the function belongs to this address.
            let result =
                unsafe { merge(merger, blocks, given.as_slice().into(), ProgressAbi { context, tell }) };
            let merged = result.into_result().map_err(RString::into_string)?;
            let mut tables = merged.tables.into_iter().map(TableAbi::into_parts);
            Ok(Merged {
                columns: tables.next().map(|(_, columns)| columns).unwrap_or_default(),
                notes: merged.notes.into_iter().map(RString::into_string).collect(),
                tables: tables.collect(),
            })
        })
    }
}

unsafe extern "C" fn tell(context: Address, done: f64) -> bool {
    // SAFETY: the host's side of the call put the reference there, and it lasts as long as the call.
    let progress = unsafe { *context.pointer().cast::<&(dyn Fn(f64) -> bool + Sync)>() };
    progress(done)
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
        merger: Address::of(merger),
        merge,
    }
    .leak_into_prefix()
}

unsafe extern "C" fn merge(
    merger: Address,
    blocks: RVec<TableAbi>,
    options: RSlice<'_, OptionAbi<'_>>,
    progress: ProgressAbi,
) -> MergeResult {
    // SAFETY: `export` put the merger there.
    let merger = unsafe { merger.get::<Merger>() };
    let tell_host = |done: f64| {
        // SAFETY: the function belongs to this context, and both last during the call.
        unsafe { (progress.tell)(progress.context, done) }
    };
    let merged = guard(|| {
        let block = |table: TableAbi| {
            let (source, columns) = table.into_parts();
            Block { source, columns }
        };
        let given: Vec<(&str, &str)> =
            options.iter().map(|option| (option.name.as_str(), option.value.as_str())).collect();
        let options = Options { given: &given, progress: &tell_host };
        (merger.merge)(blocks.into_iter().map(block).collect(), &options)
    });
    let abi = |merged: Merged| {
        let result = TableAbi::new(String::new(), merged.columns);
        let beside = merged.tables.into_iter().map(|(title, columns)| TableAbi::new(title, columns));
        MergedAbi {
            tables: std::iter::once(result).chain(beside).collect(),
            notes: merged.notes.into_iter().map(RString::from).collect(),
        }
    };
    merged.and_then(|done| done).map(abi).map_err(RString::from).into()
}

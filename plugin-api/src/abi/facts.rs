//! What a library says about each thing it brings, for readers: names with values, so that saying more changes no layout.

use abi_stable::StableAbi;
use abi_stable::std_types::{RSlice, RStr};

/// The id of a thing and the facts about it, in the order in which they should be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Short id, unique within its kind.
    pub id: String,
    /// Names with values.
    pub facts: Vec<(String, String)>,
}

impl Facts {
    /// A fact by name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| value.as_str())
    }
}

/// [`Facts`] as they cross. They are made once for each library and never freed, as the library itself.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct FactsAbi {
    id: RStr<'static>,
    facts: RSlice<'static, FactAbi>,
}

#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
struct FactAbi {
    name: RStr<'static>,
    value: RStr<'static>,
}

impl FactsAbi {
    pub fn new(id: impl Into<String>, facts: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let fact = |(name, value)| FactAbi { name: RStr::from_str(name), value: text(value) };
        FactsAbi { id: text(id), facts: list(facts.into_iter().map(fact)) }
    }
}

impl From<FactsAbi> for Facts {
    fn from(abi: FactsAbi) -> Self {
        let facts = abi.facts.iter().map(|fact| (fact.name.to_string(), fact.value.to_string()));
        Facts { id: abi.id.to_string(), facts: facts.collect() }
    }
}

/// A text that is never freed.
pub fn text(text: impl Into<String>) -> RStr<'static> {
    RStr::from_str(Box::leak(text.into().into_boxed_str()))
}

/// A list that is never freed.
pub fn list<T>(items: impl IntoIterator<Item = T>) -> RSlice<'static, T> {
    RSlice::from_slice(Box::leak(items.into_iter().collect()))
}

/// Names that are never freed.
pub fn names(names: &[&'static str]) -> RSlice<'static, RStr<'static>> {
    list(names.iter().map(|name| RStr::from_str(name)))
}

/// Names as the host keeps them.
pub fn owned(names: RSlice<'static, RStr<'static>>) -> Vec<String> {
    names.iter().map(RStr::to_string).collect()
}

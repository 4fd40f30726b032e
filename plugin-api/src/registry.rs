//! Registration where a thing is defined: `register!` beside it, and the library exports it.

use crate::export;
use crate::{Algorithm, Backend, Corpus, Merger, Metric, Statistic};

/// One thing that a library brings. Made by [`register!`](crate::register).
#[doc(hidden)]
pub struct Registration {
    pub krate: &'static str,
    pub version: &'static str,
    pub item: Item,
}

#[doc(hidden)]
pub enum Item {
    Algorithm(export::algorithm::Export, Option<Variant>),
    Backend(export::counter::Export),
    Metric(&'static Metric),
    Statistic(&'static Statistic),
    Merger(&'static Merger),
    Corpus(&'static Corpus),
    Twins(Twins),
}

impl Item {
    pub const fn algorithm<A: Algorithm>() -> Self {
        const {
            assert!(!A::ABOUT.id.is_empty(), "an algorithm needs an id");
            assert!(A::EXTRA.len() <= crate::EXTRA_FIELDS, "too many extra fields");
            let mut i = 0;
            while i < A::EXTRA.len() {
                assert!(
                    A::EXTRA[i].len() <= crate::EXTRA_NAME_LENGTH,
                    "the name of an extra field is too long"
                );
                i += 1;
            }
        }
        Item::Algorithm(export::algorithm::export::<A>, None)
    }

    pub const fn variant<A: Algorithm>(id: &'static str, name: &'static str) -> Self {
        Item::Algorithm(export::algorithm::export::<A>, Some(Variant { id, name }))
    }

    pub const fn backend<B: Backend>() -> Self {
        Item::Backend(export::counter::export::<B>)
    }
}

/// One of several algorithms made from one type with parameters.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub id: &'static str,
    pub name: &'static str,
}

/// Which readings of its algorithms a library exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twins {
    /// The counting readings beside those that are timed.
    Too,
    /// The counting readings alone: a library of twins, which names the library of algorithms with `use .. as _;`.
    Only,
}

inventory::collect!(Registration);

/// Registers an algorithm, a counter backend, a metric, a statistic, a merger or a corpus, where it is defined:
///
/// ```
/// use assay_plugin_api::{Statistic, register};
/// register!(statistic Statistic {
///     id: "count",
///     summary: "how many there are",
///     reduce: |values| vec![values.len() as f64],
/// });
/// ```
///
/// Algorithms and backends are types: `register!(algorithm Horspool)`, `register!(backend Clock)`. An algorithm with
/// parameters is registered once for each choice: `register!(algorithm Bndmq<4>, id: "bndmq4", name: "BNDM (q=4)")`. The
/// other four are values, as above. `register!(twins Too)` makes the library export the instrumented twins of its algorithms as well,
/// under `stat_` ids; `register!(twins Only)` instead.
#[macro_export]
macro_rules! register {
    (algorithm $algorithm:ty) => { $crate::register!(@ $crate::private::Item::algorithm::<$algorithm>()); };
    (algorithm $algorithm:ty, id: $id:literal, name: $name:literal) => {
        $crate::register!(@ $crate::private::Item::variant::<$algorithm>($id, $name));
    };
    (backend $backend:ty) => { $crate::register!(@ $crate::private::Item::backend::<$backend>()); };
    (metric $metric:expr) => { $crate::register!(@ $crate::private::Item::Metric(&$metric)); };
    (statistic $statistic:expr) => { $crate::register!(@ $crate::private::Item::Statistic(&$statistic)); };
    (merger $merger:expr) => { $crate::register!(@ $crate::private::Item::Merger(&$merger)); };
    (corpus $corpus:expr) => { $crate::register!(@ $crate::private::Item::Corpus(&$corpus)); };
    (twins $twins:ident) => {
        $crate::register!(@ $crate::private::Item::Twins($crate::private::Twins::$twins));
    };
    (@ $item:expr) => {
        $crate::private::inventory::submit! {
            $crate::private::Registration {
                krate: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                item: $item,
            }
        }
    };
}

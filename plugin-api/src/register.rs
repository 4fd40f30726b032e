//! The macro `register!`, which makes the library export the item beside which it is written.

/// Registers an algorithm, a counter backend, a metric, a statistic, a merger or a corpus, where it is
/// defined:
///
/// ```
/// use assay_plugin_api::{Statistic, register};
/// register!(statistic Statistic {
///     id: "count",
///     summary: "how many there are",
///     reduce: |values| vec![values.len() as f64],
///     ..Statistic::UNKNOWN
/// });
/// ```
///
/// Algorithms and backends are types: `register!(algorithm Horspool)`, `register!(backend Clock)`; the other
/// four are values, as above.
///
/// An algorithm with parameters is a type with constants, registered for each choice of them. If its
/// [`About`](crate::About) has the id `bndmq` and the name `BNDM with q-grams`, then
/// `register!(algorithm Bndmq, q: [2, 4, 6])` makes the algorithms `bndmq2`, `bndmq4` and `bndmq6` of
/// `Bndmq<2>`, `Bndmq<4>` and `Bndmq<6>`. The first is called "BNDM with q-grams (q=2)", and its fact
/// `parameters` is "q=2". For several parameters write `register!(algorithm Qf, q, s: [(2, 6), (3, 4)])`,
/// which makes `qf26` and `qf34`. An id that follows no rule is written out: `register!(algorithm Bsdm<1>,
/// id: "bsdm", name: "Backward SNR DAWG Matching", parameters: "q=1")`.
///
/// In the tests of your crate the macro also makes a module `conformance`, with one test that runs
/// [`testing::check`](crate::testing::check) on all algorithms of the registration. A module can have this
/// name only once, so register several algorithms of one module together, with `;` between them.
///
/// `register!(family "automata")` sets the family of all algorithms in this module and the modules below it.
/// `register!(twins Too)` makes the library export the instrumented twins of its algorithms as well, under
/// `stat_` ids; `register!(twins Only)` makes it export the twins alone.
#[macro_export]
macro_rules! register {
    (algorithm $($algorithms:tt)+) => {
        $crate::register!(@each submit $($algorithms)+);
        #[cfg(test)]
        mod conformance {
            use super::*;

            #[test]
            fn finds_what_a_naive_search_finds() {
                $crate::register!(@each check $($algorithms)+);
            }
        }
    };
    (backend $backend:ty $(;)?) => { $crate::register!(@item $crate::private::Item::backend::<$backend>()); };
    (metric $metric:expr $(;)?) => { $crate::register!(@item $crate::private::Item::Metric(&$metric)); };
    (statistic $statistic:expr $(;)?) => {
        $crate::register!(@item $crate::private::Item::Statistic(&$statistic));
    };
    (merger $merger:expr $(;)?) => { $crate::register!(@item $crate::private::Item::Merger(&$merger)); };
    (corpus $corpus:expr $(;)?) => { $crate::register!(@item $crate::private::Item::Corpus(&$corpus)); };
    (family $family:literal $(;)?) => { $crate::register!(@item $crate::private::Item::Family($family)); };
    (twins $twins:ident $(;)?) => {
        $crate::register!(@item $crate::private::Item::Twins($crate::private::Twins::$twins));
    };

    // What is done with each algorithm: `submit` it, or `check` it in tests.
    (@each $do:ident) => {};
    (@each $do:ident $algorithm:ident, $($name:ident),+: [$($values:tt),+ $(,)?] $(; $($more:tt)*)?) => {
        $crate::register!(@list $do $algorithm [$($name)+] $($values)+);
        $($crate::register!(@each $do $($more)*);)?
    };
    (@each $do:ident $algorithm:ty, id: $id:literal, name: $name:literal, parameters: $parameters:literal $(,)?
        $(; $($more:tt)*)?) => {
        $crate::register!(@$do $algorithm, $crate::private::Variant::Named {
            id: $id, name: $name, parameters: $parameters
        });
        $($crate::register!(@each $do $($more)*);)?
    };
    (@each $do:ident $algorithm:ty $(; $($more:tt)*)?) => {
        $crate::register!(@$do $algorithm, $crate::private::Variant::Only);
        $($crate::register!(@each $do $($more)*);)?
    };
    (@each submit $($other:tt)*) => {
        ::core::compile_error! { "an algorithm is registered in one of these forms, several with `;` between:\n\
            Type\n\
            Type, q: [2, 4]\n\
            Type, q, s: [(2, 6), (3, 4)]\n\
            Type<1>, id: \"..\", name: \"..\", parameters: \"q=1\"" }
    };
    // The error was reported where the item was submitted.
    (@each check $($other:tt)*) => {};

    // Gives each parameter its value, one after the other.
    (@list $do:ident $algorithm:ident $names:tt $($values:tt)+) => {
        $($crate::register!(@variant $do $algorithm $names $values);)+
    };
    (@variant $do:ident $algorithm:ident $names:tt ($($value:tt),+ $(,)?)) => {
        $crate::register!(@pairs $do $algorithm [] $names [$($value)+]);
    };
    (@variant $do:ident $algorithm:ident $names:tt $value:tt) => {
        $crate::register!(@pairs $do $algorithm [] $names [$value]);
    };
    (@pairs $do:ident $algorithm:ident [$($pair:tt)*] [$name:ident $($names:ident)*] [$value:literal $($values:tt)*]) => {
        $crate::register!(@pairs $do $algorithm [$($pair)* ($name $value)] [$($names)*] [$($values)*]);
    };
    (@pairs $do:ident $algorithm:ident [$(($name:ident $value:literal))+] [] []) => {
        $crate::register!(@$do $algorithm<$($value),+>, $crate::private::Variant::Of(
            &[$((stringify!($name), stringify!($value))),+]
        ));
    };
    (@pairs submit $algorithm:ident $pairs:tt $names:tt $values:tt) => {
        ::core::compile_error! { concat!(
            "each variant of ", stringify!($algorithm), " has as many values as there are parameters, each of them a literal:\n\
            Type, q: [2, 4]\n\
            Type, q, s: [(2, 6), (3, 4)]"
        ) }
    };
    (@pairs check $($other:tt)*) => {};
    (@submit $algorithm:ty, $variant:expr) => {
        $crate::register!(@item $crate::private::Item::algorithm::<$algorithm>($variant));
    };
    (@check $algorithm:ty, $variant:expr) => { $crate::testing::check::<$algorithm>(); };
    (@item $item:expr) => {
        $crate::private::inventory::submit! {
            $crate::private::Registration {
                krate: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                module: module_path!(),
                debug: cfg!(debug_assertions),
                item: $item,
            }
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error! { "register! takes a kind (algorithm, backend, metric, statistic, merger, corpus) and what is \
            of that kind, `family \"..\"`, `twins Too` or `twins Only`" }
    };
}

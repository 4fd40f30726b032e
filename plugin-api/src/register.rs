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
/// Several published algorithms may be one search. Such a search is a type whose `About` holds what is true
/// of all of them, such as the costs, and each algorithm is a registration of it `about` its own facts. It
/// needs no type of its own, and any form can end like this:
///
/// ```
/// use assay_plugin_api::prelude::*;
///
/// /// Compares each window if its first and its last character agree with the pattern's, in this order or
/// /// in the other.
/// #[derive(Default)]
/// struct Ends<const LAST_FIRST: bool>;
///
/// impl<const LAST_FIRST: bool> Algorithm for Ends<LAST_FIRST> {
///     const ABOUT: About = About { worst_case: "O(mn)", ..About::UNKNOWN };
///
///     fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
///         let m = pattern.len();
///         let [first, second] = if LAST_FIRST { [m - 1, 0] } else { [0, m - 1] };
///         let mut s = 0;
///         probe.writes(1);
///         while probe.branch(s + m <= text.len()) {
///             if probe.branch(pattern.at(first) == text.at(s + first))
///                 && probe.branch(pattern.at(second) == text.at(s + second))
///                 && pattern.occurs(text, s, 0..m)
///             {
///                 found.at(s);
///             }
///             s += 1;
///             probe.writes(1);
///             probe.jump();
///         }
///     }
/// }
///
/// const FIRST_LAST: About = About { id: "first-last", name: "First and last", ..Ends::<false>::ABOUT };
/// const LAST_FIRST: About = About { id: "last-first", name: "Last and first", ..Ends::<true>::ABOUT };
///
/// register!(algorithm Ends<false>, about: FIRST_LAST; Ends<true>, about: LAST_FIRST);
/// # use assay_plugin_api::private::{Registration, inventory};
/// # let known: Vec<_> = inventory::iter::<Registration>().filter_map(Registration::algorithm).collect();
/// # let name = |id: &str| &*known.iter().find(|(_, identity)| identity.id == id).unwrap().1.facts[0].1;
/// # assert_eq!([name("first-last"), name("last-first")], ["First and last", "Last and first"]);
/// ```
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

    // What is done with each algorithm: `submit` it, or `check` it in tests. Facts that are not those of the
    // type are handed on in brackets.
    (@each $do:ident) => {};
    (@each $do:ident $algorithm:ident, $($name:ident),+: [$($values:tt),+ $(,)?] $(, about: $about:expr)?
        $(; $($more:tt)*)?) => {
        $crate::register!(@list $do $algorithm [$($about)?] [$($name)+] $($values)+);
        $($crate::register!(@each $do $($more)*);)?
    };
    (@each $do:ident $algorithm:ty, id: $id:literal, name: $name:literal, parameters: $parameters:literal
        $(, about: $about:expr)? $(,)? $(; $($more:tt)*)?) => {
        $crate::register!(@$do $algorithm, [$($about)?], $crate::private::Variant::Named {
            id: $id, name: $name, parameters: $parameters
        });
        $($crate::register!(@each $do $($more)*);)?
    };
    (@each $do:ident $algorithm:ty $(, about: $about:expr)? $(; $($more:tt)*)?) => {
        $crate::register!(@$do $algorithm, [$($about)?], $crate::private::Variant::Only);
        $($crate::register!(@each $do $($more)*);)?
    };
    (@each submit $($other:tt)*) => {
        ::core::compile_error! { "an algorithm is registered in one of these forms, several with `;` between:\n\
            Type\n\
            Type, q: [2, 4]\n\
            Type, q, s: [(2, 6), (3, 4)]\n\
            Type<1>, id: \"..\", name: \"..\", parameters: \"q=1\"\n\
            and any of them with `, about: ABOUT` at its end, if its facts are not those of the type" }
    };
    // The error was reported where the item was submitted.
    (@each check $($other:tt)*) => {};

    // Gives each parameter its value, one after the other.
    (@list $do:ident $algorithm:ident $about:tt $names:tt $($values:tt)+) => {
        $($crate::register!(@variant $do $algorithm $about $names $values);)+
    };
    (@variant $do:ident $algorithm:ident $about:tt $names:tt ($($value:tt),+ $(,)?)) => {
        $crate::register!(@pairs $do $algorithm $about [] $names [$($value)+]);
    };
    (@variant $do:ident $algorithm:ident $about:tt $names:tt $value:tt) => {
        $crate::register!(@pairs $do $algorithm $about [] $names [$value]);
    };
    (@pairs $do:ident $algorithm:ident $about:tt [$($pair:tt)*] [$name:ident $($names:ident)*]
        [$value:literal $($values:tt)*]) => {
        $crate::register!(@pairs $do $algorithm $about [$($pair)* ($name $value)] [$($names)*] [$($values)*]);
    };
    (@pairs $do:ident $algorithm:ident $about:tt [$(($name:ident $value:literal))+] [] []) => {
        $crate::register!(@$do $algorithm<$($value),+>, $about, $crate::private::Variant::Of(
            &[$((stringify!($name), stringify!($value))),+]
        ));
    };
    (@pairs submit $algorithm:ident $about:tt $pairs:tt $names:tt $values:tt) => {
        ::core::compile_error! { concat!(
            "each variant of ", stringify!($algorithm), " has as many values as there are parameters, each of them a literal:\n\
            Type, q: [2, 4]\n\
            Type, q, s: [(2, 6), (3, 4)]"
        ) }
    };
    (@pairs check $($other:tt)*) => {};
    (@submit $algorithm:ty, [], $variant:expr) => {
        $crate::register!(@submit $algorithm, [<$algorithm as $crate::Algorithm>::ABOUT], $variant);
    };
    (@submit $algorithm:ty, [$about:expr], $variant:expr) => {
        $crate::register!(@item $crate::private::Item::algorithm::<$algorithm>(const { &$about }, $variant));
    };
    (@check $algorithm:ty, $about:tt, $variant:expr) => { $crate::testing::check::<$algorithm>(); };
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

//! Registered items, with their ids and all known facts.

use crate::export;
use crate::reference::names_have_no_comma;
use crate::{About, Algorithm, Backend, Corpus, Merger, Metric, Needs, Statistic};

/// One thing that a library brings, and where it was registered. Made by [`register!`](crate::register).
#[doc(hidden)]
pub struct Registration {
    pub krate: &'static str,
    pub version: &'static str,
    pub module: &'static str,
    /// Whether that crate was compiled with debug assertions.
    pub debug: bool,
    pub item: Item,
}

#[doc(hidden)]
pub enum Item {
    Algorithm(Registered),
    Backend(export::counter::Export),
    Metric(&'static Metric),
    Statistic(&'static Statistic),
    Merger(&'static Merger),
    Corpus(&'static Corpus),
    /// The family of all algorithms in the module and below it.
    Family(&'static str),
    Twins(Twins),
}

/// An algorithm, or one of several that are made from one type with parameters.
#[doc(hidden)]
pub struct Registered {
    pub about: &'static About,
    pub needs: &'static Needs,
    pub instrumented: bool,
    pub export: export::algorithm::Export,
    /// Path and name of the type, as a Rust program writes it.
    rust_type: fn() -> &'static str,
    variant: Variant,
}

/// The part of an algorithm's identity that is not in its [`About`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Variant {
    /// The `About` is complete.
    Only,
    /// The parameters with their values, which end its id and its name.
    Of(&'static [(&'static str, &'static str)]),
    /// An id, a name and parameters of its own.
    Named { id: &'static str, name: &'static str, parameters: &'static str },
}

impl Item {
    /// An algorithm with these facts, which are those of the type unless the registration has others.
    ///
    /// # Panics
    /// At compile time, where the algorithm breaks a rule. So this is refused, of a variant as of any other:
    ///
    /// ```compile_fail,E0080
    /// use assay_plugin_api::prelude::*;
    /// #[derive(Default)]
    /// struct Loud<const Q: usize>;
    /// impl<const Q: usize> Algorithm for Loud<Q> {
    ///     const ABOUT: About = About { id: "LOUD", ..About::UNKNOWN };
    ///     fn search<P: Probe>(&mut self, _: Pattern<P>, _: Text<P>, _: &mut impl Found, _: P) {}
    /// }
    /// register!(algorithm Loud, q: [2]);
    /// ```
    pub const fn algorithm<A: Algorithm>(about: &'static About, variant: Variant) -> Self {
        const {
            assert!(A::EXTRA.len() <= crate::EXTRA_FIELDS, "too many extra fields");
            let mut i = 0;
            while i < A::EXTRA.len() {
                let fits = !A::EXTRA[i].is_empty() && A::EXTRA[i].len() <= crate::EXTRA_NAME_LENGTH;
                assert!(fits, "the name of an extra field has 1 to 10 bytes");
                i += 1;
            }
            assert!(A::NEEDS.alignment.is_power_of_two(), "an alignment is a power of two");
            assert!(A::NEEDS.min_pattern <= A::NEEDS.max_pattern, "no pattern length is within the needs");
        }
        assert!(names_have_no_comma(about.reference.authors), "the name of an author has no comma");
        assert!(about.formerly.is_complete(), "former ids are ids, with the last version that had them");
        assert!(are_ids(about.after), "an algorithm builds on others, which are named by their ids");
        let fits = match variant {
            Variant::Only => is_id(about.id, &[]),
            Variant::Of(parameters) => is_id(about.id, parameters),
            Variant::Named { id, .. } => is_id(id, &[]),
        };
        assert!(
            fits,
            "an id is a lower case letter or digit, then these, `-`, `_` and `.`; 64 bytes at most"
        );
        Item::Algorithm(Registered {
            about,
            needs: const { &A::NEEDS },
            instrumented: A::INSTRUMENTED,
            export: export::algorithm::export::<A>,
            rust_type: std::any::type_name::<A>,
            variant,
        })
    }

    pub const fn backend<B: Backend>() -> Self {
        Item::Backend(export::counter::export::<B>)
    }
}

/// Greatest length of an id in bytes.
const LONGEST_ID: usize = 64;

/// Whether an id, followed by the values of parameters, can be used in commands, file names and columns.
pub(crate) const fn is_id(id: &str, parameters: &[(&str, &str)]) -> bool {
    let (mut length, mut right) =
        (id.len(), !id.is_empty() && starts_an_id(id.as_bytes()[0]) && continues_an_id(id));
    let mut i = 0;
    while i < parameters.len() {
        length += parameters[i].1.len();
        right &= continues_an_id(parameters[i].1);
        i += 1;
    }
    right && length <= LONGEST_ID
}

/// Whether each of these can be the id of an algorithm, or the beginning of one.
pub(crate) const fn are_ids(ids: &[&str]) -> bool {
    let mut at = 0;
    while at < ids.len() {
        if !is_id(ids[at], &[]) {
            return false;
        }
        at += 1;
    }
    true
}

const fn starts_an_id(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

const fn continues_an_id(part: &str) -> bool {
    let mut i = 0;
    while i < part.len() {
        if !starts_an_id(part.as_bytes()[i]) && !matches!(part.as_bytes()[i], b'-' | b'_' | b'.') {
            return false;
        }
        i += 1;
    }
    true
}

/// The id of an algorithm, and all known facts about it, in the order in which they should be shown.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub id: String,
    pub facts: Vec<(&'static str, String)>,
}

impl Registration {
    /// The algorithm that was registered, if it is one.
    pub fn algorithm(&self) -> Option<(&Registered, Identity)> {
        let Item::Algorithm(algorithm) = &self.item else { return None };
        Some((algorithm, algorithm.identity(self.module)))
    }
}

impl Registered {
    fn identity(&self, module: &str) -> Identity {
        let about = self.about;
        let (id, name, own) = match self.variant {
            Variant::Only => (about.id.to_owned(), about.name.to_owned(), String::new()),
            Variant::Named { id, name, parameters } => {
                (id.to_owned(), name.to_owned(), parameters.to_owned())
            }
            Variant::Of(parameters) => {
                let values: String = parameters.iter().map(|(_, value)| *value).collect();
                let pairs: Vec<_> =
                    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let name = format!("{} ({})", about.name, pairs.join(", "));
                (about.id.to_owned() + &values, name, pairs.join("; "))
            }
        };
        let parameters = [own.as_str(), about.parameters].into_iter().filter(|part| !part.is_empty());
        let parameters = parameters.collect::<Vec<_>>().join("; ");
        let family = if about.family.is_empty() { family_of(module) } else { about.family };
        let mut facts = vec![("name", name)];
        facts.extend(about.reference.facts());
        facts.extend([
            ("status", about.status.words().to_owned()),
            ("status_note", about.status.note().to_owned()),
            ("formerly", about.formerly.ids.join(", ")),
            ("formerly_until", about.formerly.until.to_owned()),
            ("after", about.after.join(", ")),
            ("family", family.to_owned()),
            ("parameters", parameters),
            ("min_pattern", self.needs.min_pattern.to_string()),
            (
                "max_pattern",
                if self.needs.max_pattern == usize::MAX {
                    String::new()
                } else {
                    self.needs.max_pattern.to_string()
                },
            ),
            ("version", (about.version)()),
            ("idea", about.idea.to_owned()),
            ("preparation_time", about.preparation_time.to_owned()),
            ("space", about.space.to_owned()),
            ("worst_case", about.worst_case.to_owned()),
            ("average_case", about.average_case.to_owned()),
            ("yardstick", if about.yardstick { "timed as counted".to_owned() } else { String::new() }),
            ("rust_type", (self.rust_type)().to_owned()),
        ]);
        Identity { id, facts: facts.into_iter().filter(|(_, value)| !value.is_empty()).collect() }
    }
}

/// The family that the nearest module around an algorithm's module registers.
fn family_of(module: &str) -> &'static str {
    let around = |outer: &str| {
        module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let families = inventory::iter::<Registration>().filter_map(|registration| match registration.item {
        Item::Family(family) if around(registration.module) => Some((registration.module.len(), family)),
        _ => None,
    });
    families.max().map_or("", |(_, family)| family)
}

/// Which readings of its algorithms a library exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twins {
    /// The counting readings beside those that are timed.
    Too,
    /// The counting readings alone: a library of twins, which names the library of algorithms with `use .. as
    /// _;`.
    Only,
}

inventory::collect!(Registration);

#[cfg(test)]
mod tests;

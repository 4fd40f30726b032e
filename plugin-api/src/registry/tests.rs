//! Tests of what `register!` records of algorithms, families and their parameters.

use crate::prelude::*;
use crate::registry::{Identity, Registration, are_ids, is_id};

register!(family "test");

/// Finds every occurrence, whatever its parameters.
#[derive(Default)]
struct Plain<const Q: usize, const F: usize>;

impl<const Q: usize, const F: usize> Algorithm for Plain<Q, F> {
    const ABOUT: About = About { id: "plain", name: "Plain search", parameters: "u=2", ..About::UNKNOWN };
    const EXTRA: &'static [&'static str] = &["#", "#ten bytes"];

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let m = pattern.len();
        for s in 0..=text.len() - m {
            probe.jump();
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
        }
    }
}

/// The same with one parameter.
type Single<const Q: usize> = Plain<Q, 0>;

mod regular {
    use super::*;
    register!(algorithm Plain, q, f: [(2, 0), (3, 1)]; Single, q: [4, 6]);
}

mod irregular {
    use super::*;
    register!(family "other");
    register!(algorithm Plain<0, 0>; Plain<1, 0>, id: "plain-one", name: "The first", parameters: "q=1";);
}

/// One search under other facts, in each of the forms.
mod shared {
    use super::*;

    const OTHER: About = About { id: "other", name: "Other search", ..Plain::<0, 0>::ABOUT };

    /// The facts of an algorithm with this name.
    const fn named(name: &'static str) -> About {
        About { id: "third", name, ..About::UNKNOWN }
    }

    register!(algorithm
        Plain<2, 0>, about: OTHER;
        Plain, q, f: [(2, 0)], about: OTHER;
        Single, q: [4, 6], about: named("Third search");
        Plain<8, 0>, id: "other-eight", name: "The last", parameters: "q=8", about: OTHER
    );
}

/// Id, name, parameters and family.
fn registered() -> Vec<[String; 4]> {
    let tell = |registration: &Registration| {
        let identity = registration.algorithm()?.1;
        let fact =
            |name| identity.facts.iter().find(|(fact, _)| *fact == name).map_or("", |(_, value)| value);
        Some([&identity.id, fact("name"), fact("parameters"), fact("family")].map(str::to_owned))
    };
    let mut all: Vec<_> = inventory::iter::<Registration>().filter_map(tell).collect();
    all.sort();
    all
}

#[test]
fn variants_get_ids_names_and_parameters_by_rule_and_irregular_ones_as_written() {
    let expected = [
        ["foreign", "", "", "test"],
        ["other", "Other search", "u=2", "test"],
        ["other-eight", "The last", "q=8; u=2", "test"],
        ["other20", "Other search (q=2, f=0)", "q=2; f=0; u=2", "test"],
        ["plain", "Plain search", "u=2", "other"],
        ["plain-one", "The first", "q=1; u=2", "other"],
        ["plain20", "Plain search (q=2, f=0)", "q=2; f=0; u=2", "test"],
        ["plain31", "Plain search (q=3, f=1)", "q=3; f=1; u=2", "test"],
        ["plain4", "Plain search (q=4)", "q=4; u=2", "test"],
        ["plain6", "Plain search (q=6)", "q=6; u=2", "test"],
        ["third4", "Third search (q=4)", "q=4", "test"],
        ["third6", "Third search (q=6)", "q=6", "test"],
    ];
    assert_eq!(registered(), expected);
}

mod opaque {
    use super::*;

    /// Somebody else's code.
    #[derive(Default)]
    struct Foreign;

    impl Algorithm for Foreign {
        const ABOUT: About = About { id: "foreign", version: || 7.to_string(), ..About::UNKNOWN };
        const INSTRUMENTED: bool = false;

        fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
            let windows = text.bytes().windows(pattern.len()).enumerate();
            windows.filter(|(_, window)| *window == pattern.bytes()).for_each(|(s, _)| found.at(s));
        }
    }

    register!(algorithm Foreign);
}

#[test]
fn an_id_leads_to_the_type_of_its_variant() {
    let rust_type = |id: &str| {
        let mut algorithms = inventory::iter::<Registration>().filter_map(Registration::algorithm);
        let (_, identity) = algorithms.find(|(_, identity)| identity.id == id).unwrap();
        identity.facts.into_iter().find(|(fact, _)| *fact == "rust_type").unwrap().1
    };
    assert_eq!(rust_type("plain31"), "assay_plugin_api::registry::tests::Plain<3, 1>");
    assert_eq!(rust_type("plain4"), "assay_plugin_api::registry::tests::Plain<4, 0>");
    assert_eq!(rust_type("foreign"), "assay_plugin_api::registry::tests::opaque::Foreign");
}

#[test]
fn what_is_not_instrumented_has_a_version_and_no_twin() {
    let known = |id| {
        let mut algorithms = inventory::iter::<Registration>().filter_map(Registration::algorithm);
        algorithms.find(|(_, identity)| identity.id == id).unwrap()
    };
    let version = |identity: &Identity| identity.facts.iter().find(|(fact, _)| *fact == "version").cloned();
    let ((foreign, identity), (plain, about_plain)) = (known("foreign"), known("plain"));
    assert_eq!((foreign.instrumented, version(&identity)), (false, Some(("version", "7".to_owned()))));
    assert_eq!((plain.instrumented, version(&about_plain)), (true, None));
}

#[test]
fn ids_can_stand_in_commands_files_and_columns() {
    for id in ["hor", "2block", "fs-w", "tsa_q2", "a.b"] {
        assert!(is_id(id, &[]), "{id}");
    }
    for id in ["", "-x", ".a", "_a", "HOR", "hör", "a b", "a/b", "a,b"] {
        assert!(!is_id(id, &[]), "{id}");
    }
    let (longest, longer) = ("a".repeat(64), "a".repeat(65));
    assert!(is_id(&longest, &[]) && !is_id(&longer, &[]));
    assert!(is_id(&longest[1..], &[("q", "2")]) && !is_id(&longest, &[("q", "2")]));
    assert!(is_id("a", &[("q", "16")]) && !is_id("a", &[("q", "'x'")]));
    assert!(are_ids(&[]) && are_ids(&["hor", "fs-w"]) && !are_ids(&["hor", "bm, qs"]));
}

#[test]
fn known_facts_are_printed_in_order_and_unknown_ones_left_out() {
    mod known {
        use super::*;

        #[derive(Default)]
        struct Known;

        impl Algorithm for Known {
            const ABOUT: About = About {
                id: "known",
                name: "n",
                reference: Reference {
                    authors: &["a"],
                    title: "r",
                    year: 1977,
                    doi: "d",
                    ..Reference::UNKNOWN
                },
                status: Status::Reconstructed("o"),
                formerly: Formerly { ids: &["old", "older"], until: "0.1.0" },
                after: &["first", "second"],
                family: "f",
                parameters: "p=1",
                idea: "i",
                preparation_time: "t",
                space: "s",
                worst_case: "w",
                average_case: "v",
                yardstick: true,
                ..About::UNKNOWN
            };

            fn search<P: Probe>(
                &mut self,
                pattern: Pattern<P>,
                text: Text<P>,
                found: &mut impl Found,
                probe: P,
            ) {
                Plain::<0, 0>.search(pattern, text, found, probe);
            }
        }

        pub fn item() -> Registration {
            let item =
                crate::registry::Item::algorithm::<Known>(&Known::ABOUT, crate::registry::Variant::Only);
            Registration { krate: "", version: "", module: "", debug: false, item }
        }
    }
    let known = known::item();
    let expected = [
        ("name", "n"),
        ("authors", "a"),
        ("year", "1977"),
        ("reference", "r, 1977"),
        ("doi", "d"),
        ("entry_type", "misc"),
        ("title", "r"),
        ("status", "reconstructed"),
        ("status_note", "o"),
        ("formerly", "old, older"),
        ("formerly_until", "0.1.0"),
        ("after", "first, second"),
        ("family", "f"),
        ("parameters", "p=1"),
        ("min_pattern", "1"),
        ("idea", "i"),
        ("preparation_time", "t"),
        ("space", "s"),
        ("worst_case", "w"),
        ("average_case", "v"),
        ("yardstick", "timed as counted"),
    ];
    let mut facts = known.algorithm().unwrap().1.facts;
    assert_eq!(facts.pop().map(|(name, _)| name), Some("rust_type"));
    assert_eq!(facts, expected.map(|(name, value)| (name, value.to_owned())));
    let mut all = inventory::iter::<Registration>().filter_map(Registration::algorithm);
    let (_, plain) = all.find(|(_, identity)| identity.id == "plain").unwrap();
    let told: Vec<&str> = plain.facts.iter().map(|(name, _)| *name).collect();
    assert_eq!(told, ["name", "family", "parameters", "min_pattern", "rust_type"], "no year 0");
}

#[test]
fn a_family_is_that_of_the_nearest_module_around() {
    let family = crate::registry::family_of;
    let here = module_path!();
    assert_eq!(family(here), "test");
    assert_eq!(
        [family(&format!("{here}::irregular")), family(&format!("{here}::irregular::deeper"))],
        ["other"; 2]
    );
    assert_eq!(family(&format!("{here}::irregular_too")), "test", "another module");
    assert_eq!(family("elsewhere"), "");
}

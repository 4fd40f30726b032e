//! Tests of the selection of algorithms: by id, by expression, and copies of one algorithm.

use assay_base::io::console::Color;
use assay_load::plugin::testing::{listing, registry};

use super::*;

#[test]
fn a_copy_has_a_number_from_2_on() {
    assert_eq!(without_copy("hor@2"), ("hor", Some(2)));
    for name in ["hor", "hor@1", "hor@x", "hor@"] {
        assert_eq!(without_copy(name), (name, None));
    }
    assert!(is_id("HOR", "hor") && is_id("stat_hor", "hor") && !is_id("h.*", "hor"));
}

#[test]
fn names_are_those_of_the_literature_in_any_spelling() {
    let known = BTreeMap::from([("bm", "Boyer-Moore"), ("hor", "Horspool"), ("mine", "horspool")]);
    assert_eq!(with_name("boyer moore", &known), ["bm"]);
    assert_eq!(with_name("HORSPOOL", &known), ["hor", "mine"]);
    assert!(with_name("Moore", &known).is_empty() && with_name("-", &known).is_empty());
}

#[test]
fn names_match_whole_ids_in_any_case() {
    let ids = ["bm", "bndm", "bndmq2", "hor"];
    assert_eq!(matching("BM", &ids).unwrap(), ["bm"]);
    assert_eq!(matching("bndm.*", &ids).unwrap(), ["bndm", "bndmq2"]);
    assert_eq!(matching("stat_hor", &ids).unwrap(), ["hor"]);
    assert_eq!(matching("a.b", &["a.b", "axb"]).unwrap(), ["a.b"], "an id is no expression");
    assert_eq!(matching("a.", &["ab", "ax"]).unwrap(), ["ab", "ax"]);
    assert_eq!(matching("b", &ids).unwrap(), [] as [&str; 0]);
    assert!(matching("(", &ids).unwrap_err().to_string().contains("`(`"));
}

#[test]
fn the_ids_of_an_expression_are_ordered_by_the_numbers_in_them() {
    let known = ["hash10", "hash3", "bm-ft", "bm", "hash5"].map(|id| (id, "")).into();
    assert_eq!(among(".*", &known).unwrap(), ["bm", "bm-ft", "hash3", "hash5", "hash10"]);
}

#[test]
fn a_prefix_may_be_left_out_where_no_other_algorithm_has_the_name() {
    let ids = ["bm", "hor", "far:ag", "far:hor"];
    let called = |name| matching(name, &ids).unwrap();
    assert_eq!(
        (called("hor"), called("far:hor"), called("FAR:HOR")),
        (vec!["hor"], vec!["far:hor"], vec!["far:hor"])
    );
    assert_eq!((called("ag"), called("far:ag")), (vec!["far:ag"], vec!["far:ag"]));
    assert_eq!((called("stat_ag"), called("far:stat_hor")), (vec!["far:ag"], vec!["far:hor"]));
    assert_eq!((called("[a-h].*r"), called("a.*")), (vec!["hor", "far:hor"], vec!["far:ag"]));
    assert_eq!((called("far:.*"), called(".*").len()), (vec!["far:ag", "far:hor"], 4));
}

fn algorithm(id: &str, name: &str) -> Listing {
    Listing { facts: vec![("name".to_owned(), name.to_owned())], ..listing(Kind::Algorithm, id, "", "") }
}

fn twin(of: &str, name: &str) -> Listing {
    Listing { instrumented: true, twin_of: Some(of.to_owned()), ..algorithm(&twin_id(of), name) }
}

/// `bm` has no twin, `lone` is nothing but one; two libraries bring `dup`, and two the twin of `bndm`.
fn algorithms() -> Registry {
    let first = vec![
        algorithm("bm", "Boyer-Moore"),
        algorithm("bndm", ""),
        algorithm("hor", "Horspool"),
        algorithm("dup", "Duplicate"),
        twin("dup", "Duplicate"),
        twin("hor", "Horspool"),
        twin("lone", "Lone"),
        twin("bndm", ""),
        listing(Kind::Metric, "gbps", "", ""),
    ];
    registry(vec![("/a.so", first), ("/b.so", vec![algorithm("dup", "Duplicate"), twin("bndm", "")])])
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What takes part under which id, and what is left out.
fn chosen(given: &[&str], stats: Stats) -> (Vec<(String, String)>, Vec<String>) {
    let registry = algorithms();
    let (chosen, skipped) = choose(&names(given), stats, &registry).unwrap();
    (chosen.into_iter().map(|chosen| (chosen.id, chosen.listing.id)).collect(), names(&skipped))
}

fn ids_of(given: &[&str], stats: Stats) -> Vec<String> {
    chosen(given, stats).0.into_iter().map(|(id, _)| id).collect()
}

#[test]
fn what_is_named_again_takes_part_again_and_what_an_expression_matches_again_does_not() {
    let timed = |names| ids_of(names, Stats::Perf);
    assert_eq!(timed(&["hor", "bm", "hor", "hor"]), ["hor", "bm", "hor@2", "hor@3"]);
    assert_eq!(timed(&["hor", "h.*", "horspool"]), ["hor", "hor@2"], "a name is meant, an expression is not");
    assert_eq!(timed(&["h.*", "hor"]), ["hor", "hor@2"]);
    assert_eq!(timed(&["hor@3", "hor", "hor"]), ["hor@3", "hor", "hor@2"]);
    assert_eq!(timed(&["b.*"]), ["bm", "bndm"]);
}

#[test]
fn the_algorithm_is_timed_and_its_twin_counts() {
    let pair = |id: &str, run: &str| (id.to_owned(), run.to_owned());
    for name in ["hor", "stat_hor"] {
        assert_eq!(chosen(&[name], Stats::Perf), (vec![pair("hor", "hor")], vec![]));
        assert_eq!(chosen(&[name], Stats::Algo), (vec![pair("hor", "stat_hor")], vec![]));
    }
}

#[test]
fn algorithms_without_the_variant_are_left_out_once_and_reported() {
    let (counted, skipped) = chosen(&["bm", ".*", "bm"], Stats::Algo);
    assert_eq!(counted.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["hor", "lone"]);
    assert_eq!(skipped, ["bm", "bndm"]);
    assert_eq!(chosen(&["lone", "bm"], Stats::Perf).1, ["lone"]);
    let warning = "skipped, because there is no instrumented twin: bm, bndm";
    assert_eq!(skip_warning(&["bm", "bndm"], Stats::Algo).unwrap(), warning);
    assert!(
        skip_warning(&["lone"], Stats::Perf).unwrap().ends_with("there is only an instrumented twin: lone")
    );
    assert_eq!(skip_warning(&[], Stats::Perf), None);
    let quiet = Console::new(false, true, Color::Never);
    let select = |name| select(&names(&[name]), Stats::Algo, &algorithms(), &quiet);
    assert_eq!(select("hor").unwrap()[0].listing.id, "stat_hor");
    assert!(select("bm").unwrap_err().to_string().contains("none of the chosen algorithms"));
}

#[test]
fn naming_a_twin_to_be_timed_reports_the_algorithm_that_is_timed() {
    let warning = |given: &[&str], stats| timed_instead(&names(given), stats);
    let note = "`stat_hor` is timed as hor: its instrumented twin runs with --stats algo";
    assert_eq!(warning(&["bm", "stat_hor"], Stats::Perf).unwrap(), note);
    assert_eq!((warning(&["stat_hor"], Stats::Algo), warning(&["bm"], Stats::Perf)), (None, None));
}

#[test]
fn what_several_libraries_bring_is_refused_where_it_is_meant() {
    let registry = algorithms();
    let fault = |name, stats| choose(&names(&[name]), stats, &registry).unwrap_err().to_string();
    for name in ["dup", "DUP", "stat_dup"] {
        let error = fault(name, Stats::Perf);
        assert!(error.contains("algorithm `dup` is brought by `/a.so` and `/b.so`"), "{name}: {error}");
    }
    assert!(fault("bndm", Stats::Algo).contains("`stat_bndm` is brought by"));
    let nothing = registry_of_nothing();
    assert!(choose(&names(&["hor"]), Stats::Perf, &nothing).unwrap_err().to_string().contains("no plugin"));
    assert!(choose(&[], Stats::Perf, &registry).unwrap_err().to_string().contains("no algorithm is named"));
}

fn registry_of_nothing() -> Registry {
    registry(vec![("/a.so", vec![listing(Kind::Metric, "gbps", "", "")])])
}

#[test]
fn ids_are_those_of_the_algorithms_with_their_names() {
    let registry = algorithms();
    let expected = [("bm", "Boyer-Moore"), ("bndm", ""), ("hor", "Horspool"), ("lone", "Lone")];
    assert_eq!(ids(&registry), BTreeMap::from(expected));
    let listed = |id| listing_of(id, &registry);
    assert_eq!(["hor", "lone"].map(listed), [Some("hor".to_owned()), Some("stat_lone".to_owned())]);
    assert_eq!(listed("gbps"), None);
}

fn listing_of(id: &str, registry: &Registry) -> Option<String> {
    super::listing(id, registry).map(|listing| listing.id.clone())
}

#[test]
fn names_stand_for_ids_each_once_in_the_order_of_the_names() {
    let registry = algorithms();
    let found = |given| named_ids(&names(given), &registry);
    assert_eq!(found(&["hor@2", ".*o.*", "boyer moore"]).unwrap(), ["hor", "lone", "bm"]);
    assert!(found(&["hor", "horr"]).unwrap_err().to_string().contains("unknown algorithm `horr`"));
    let known = BTreeMap::from([("bm", "Boyer-Moore"), ("hor", "Horspool"), ("mine", "horspool")]);
    assert_eq!(among("h.*", &known).unwrap(), ["hor"]);
    assert_eq!(among("Boyer-Moore", &known).unwrap(), ["bm"]);
    assert!(among("x", &known).unwrap().is_empty());
    let several = among("Horspool", &known).unwrap_err().to_string();
    assert!(several.contains("2 algorithms are called `Horspool`") && several.contains(": hor, mine"));
}

#[test]
fn algorithms_of_a_saved_run_are_named_as_those_of_a_new_one() {
    let known =
        BTreeMap::from([("bndm", "BNDM"), ("bndmq2", ""), ("epsma", ""), ("hor", "Horspool"), ("hor@2", "")]);
    let found = |given: &[&str]| measured_ids(&names(given), &known).unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(found(&["horspool", "bndm.*"]), ["bndm", "bndmq2", "hor"]);
    assert_eq!((found(&["hor@2"]), found(&["hor.*"])), (vec!["hor@2"], vec!["hor", "hor@2"]));
    let fault = |name: &str| measured_ids(&names(&["hor", name]), &known).unwrap_err().to_string();
    for (name, remedy) in [
        ("bndmq3", "did you mean bndmq2, bndm?"),
        ("espma.*", "did you mean epsma?"),
        ("zz.*", "there are: bndm, bndmq2, epsma, hor, hor@2"),
        ("bndm,hor", "separate algorithms by blanks: bndm hor"),
        ("epsx*", "names are regular expressions for whole ids: 'epsx.*'"),
    ] {
        let error = fault(name);
        assert_eq!(error, format!("unknown algorithm of this run `{name}`\n  help: {remedy}"));
    }
    assert!(fault("(").contains("neither an id nor a regular expression"));
}

#[test]
fn a_name_of_nothing_is_answered_with_what_was_probably_meant() {
    let (registry, file) = (algorithms(), tempfile::NamedTempFile::new().unwrap());
    let fault = |name: &str| named(name, &registry).unwrap_err().to_string();
    for (name, remedy) in [
        ("hro", "did you mean hor?"),
        ("Horspol", "did you mean Horspool, hor?"),
        ("zzz", "`assay list algorithms`"),
        ("bm,hor", "separate algorithms by blanks: bm hor"),
        ("z{2,3}", "`assay list algorithms`"),
        ("bnd*", "names are regular expressions for whole ids: 'bnd.*'"),
        ("z.*", "`assay list algorithms`"),
        (file.path().to_str().unwrap(), "the name of an experiment's file ends with .toml"),
    ] {
        let error = fault(name);
        assert!(error.contains(&format!("unknown algorithm `{name}")) && error.contains(remedy), "{error}");
    }
    assert!(fault("(").contains("neither an id nor a regular expression"));
}

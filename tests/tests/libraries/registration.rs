//! What `register!` says to an author who has written it wrongly: the forms that there are, not how the macro
//! works.

use std::fs;

use assay_tests::{foreign_build, repository, run, scratch};

/// Wrong registrations, each with what the compiler must say of it.
const WRONG: [(&str, &str); 10] = [
    ("algorithm One, id: \"x\", name: \"X\"", "an algorithm is registered in one of these forms"),
    ("algorithm One, q = 2", "an algorithm is registered in one of these forms"),
    ("algorithm One, q: 2", "an algorithm is registered in one of these forms"),
    ("algorithm One<1>, about", "an algorithm is registered in one of these forms"),
    ("algorithm One, about: FACTS, q: [2]", "an algorithm is registered in one of these forms"),
    (
        "algorithm One, q: [(1, 2)], about: FACTS",
        "each variant of One has as many values as there are parameters",
    ),
    ("algorithm One, q: [(1, 2)]", "each variant of One has as many values as there are parameters"),
    ("algorithm Two, q, s: [2, 4]", "each variant of Two has as many values as there are parameters"),
    ("algorithm Two, q, s: [(2, 4), (2)]", "each variant of Two has as many values as there are parameters"),
    ("metrics NONE", "register! takes a kind (algorithm, backend, metric, statistic, merger, corpus)"),
];

#[test]
fn a_wrong_form_is_answered_with_the_right_ones() {
    let folder = scratch().join("wrong-registrations");
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = fs::read_to_string(repository().join("tests/fixtures/foreign_plugin/Cargo.toml")).unwrap();
    let api = repository().join("plugin-api");
    fs::write(folder.join("Cargo.toml"), manifest.replace("../../../plugin-api", api.to_str().unwrap()))
        .unwrap();
    let lock = repository().join("tests/fixtures/foreign_plugin/Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).unwrap();
    let mut source = String::from("use assay_plugin_api::prelude::*;\n");
    for (name, parameters) in
        [("One<const Q: usize>", "One<Q>"), ("Two<const Q: usize, const S: usize>", "Two<Q, S>")]
    {
        let (_, constants) = name.split_once('<').unwrap();
        source +=
            &format!("#[derive(Default)] struct {name};\nimpl<{constants} Algorithm for {parameters} {{\n");
        source += "    const ABOUT: About = About { id: \"a\", ..About::UNKNOWN };\n";
        source +=
            "    fn search<P: Probe>(&mut self, _: Pattern<P>, _: Text<P>, _: &mut impl Found, _: P) {}\n}\n";
    }
    for (i, (wrong, _)) in WRONG.iter().enumerate() {
        source += &format!("mod m{i} {{\n    use super::*;\n    register!({wrong});\n}}\n");
    }
    fs::write(folder.join("src/lib.rs"), &source).unwrap();
    let mut build = foreign_build(&folder.join("Cargo.toml"));
    let ran = run(build.args(["--quiet", "--locked", "--message-format=short"]));
    assert_ne!(ran.code, Some(0), "it compiles");
    for (i, (wrong, answer)) in WRONG.iter().enumerate() {
        let line =
            1 + source.lines().position(|line| line.contains(&format!("register!({wrong});"))).unwrap();
        let told = ran.stderr.lines().find(|told| told.starts_with(&format!("src/lib.rs:{line}:")));
        assert!(told.is_some_and(|told| told.contains(answer)), "{i}: `{wrong}`: {told:?} in {}", ran.stderr);
    }
    // The forms are shown, and nothing of how the macro works.
    for form in ["Type, q, s: [(2, 6), (3, 4)]", "and any of them with `, about: ABOUT` at its end"] {
        assert!(ran.stderr.contains(form), "{form}: {}", ran.stderr);
    }
    for inside in ["no rules expected", "repeats", "@each", "@pairs"] {
        assert!(!ran.stderr.contains(inside), "{inside}: {}", ran.stderr);
    }
}

//! The backend `pcp`, through the program, with a daemon of the test's own.

use assay_tests::pmcd::Pmcd;
use assay_tests::{Ran, assay, run};
use serde_json::Value;

fn ask(host: &str, arguments: &[&str]) -> Ran {
    run(assay().env("PCP_HOST", host).args(arguments))
}

/// What a short run counts.
fn count(host: &str, counters: &str) -> Ran {
    ask(
        host,
        &[
            "run",
            "hor",
            "--no-save",
            "--runs",
            "5",
            "--plen",
            "4",
            "--format",
            "json",
            "--counters",
            counters,
        ],
    )
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn counters_instances_and_levels_of_a_daemon_are_counted() {
    let Some(pmcd) = Pmcd::start() else { return };
    let counters =
        "pcp:kernel.all.pswitch,pcp:kernel.all.load[5 minute],pcp:kernel.all.load[15 minute],pcp:hinv.ncpu";
    let ran = count(&pmcd.host(), counters);
    let json = json(&ran);
    assert!(ran.warnings().is_empty(), "{}", ran.stderr);
    let facts = |counter: &Value| {
        ["name", "unit", "semantics", "scope"].map(|fact| counter[fact].as_str().unwrap().to_owned())
    };
    let told: Vec<_> = json["experiment"]["counters"].as_array().unwrap().iter().map(facts).collect();
    assert_eq!(told[0], ["pcp:kernel.all.pswitch", "events", "counter", "system"]);
    assert_eq!(told[1], ["pcp:kernel.all.load[5 minute]", "number", "instant", "system"]);

    let counts = &json["results"][0]["counters"];
    let medians: Vec<f64> = told.iter().map(|[name, ..]| counts[name]["med"].as_f64().unwrap()).collect();
    // The daemon itself is woken for each answer.
    assert!(medians[0] >= 1.0, "{medians:?}");
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap().matches("processor\t").count();
    assert_eq!(medians[3], cpus as f64);
}

#[test]
fn every_number_of_a_daemon_is_listed_with_its_unit() {
    let Some(pmcd) = Pmcd::start() else { return };
    let ran = ask(&pmcd.host(), &["counters", "list", "--format", "json"]);
    let events: Vec<Value> = json(&ran).as_array().unwrap().clone();
    let event =
        |name: &str| events.iter().find(|event| event["event"] == name).unwrap_or_else(|| panic!("{name}"));
    for (name, unit, semantics) in [
        ("pcp:kernel.all.load[1 minute]", "number", "instant"),
        ("pcp:kernel.all.cpu.user", "ms", "counter"),
        ("pcp:hinv.physmem", "MiB", "instant"),
    ] {
        let event = event(name);
        assert_eq!(
            (&event["unit"], &event["semantics"], &event["available"]),
            (&unit.into(), &semantics.into(), &"yes".into())
        );
        assert!(event["summary"].as_str().unwrap().len() > 10, "{event}");
    }
    assert!(events.iter().all(|event| event["event"] != "pcp:kernel.uname.sysname"), "it is a text");
    // Of many instances there is one line, which says that one is to be named.
    let of_daemon =
        events.iter().filter(|event| event["event"].as_str().unwrap().starts_with("pcp:")).count();
    assert!(of_daemon <= 2000 + 16, "{of_daemon}");
    let names: Vec<&str> = events.iter().map(|event| event["name"].as_str().unwrap_or_default()).collect();
    let mut instances: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for (metric, _) in names.iter().filter_map(|name| name.split_once('[')) {
        *instances.entry(metric).or_default() += 1;
    }
    assert!(instances.values().all(|count| *count <= 16), "{instances:?}");
    let wanted = |event: &&Value| event["reason"].as_str().is_some_and(|reason| reason.contains("instances"));
    for event in events.iter().filter(wanted) {
        let name = event["name"].as_str().unwrap();
        assert!(!name.contains('[') && !instances.contains_key(name), "{event}");
    }
    assert!(events.iter().any(|event| wanted(&event)), "the kernel's slabs are more than 16");
}

#[test]
fn what_a_daemon_can_not_count_has_its_reason() {
    let Some(pmcd) = Pmcd::start() else { return };
    let cases = [
        ("kernel.all", "pmcd says error -12394, "),
        ("kernel.all.load", "it has 3 instances\n  help: name one, as in kernel.all.load[1 minute]; "),
        ("kernel.all.load[2 weeks]", "pmcd says error -12360, "),
        ("kernel.uname.sysname", "it is no number\n  help: choose a metric of numbers"),
        ("hinv.ncpu[1]", "it has no instances\n  help: write pcp:hinv.ncpu"),
    ];
    for (name, reason) in cases {
        let ran = count(&pmcd.host(), &format!("clock:ns,pcp:{name}"));
        let wanted = format!("warning: pcp:{name} is not counted: {reason}");
        let warnings = ran.warnings();
        assert!(warnings.len() == 1 && ran.stderr.contains(&wanted), "{}", ran.stderr);
        assert!(json(&ran)["results"][0]["counters"]["clock:ns"]["med"].is_number());
    }
    let ran = count(&pmcd.host(), "pcp:kernel.all.pswitsh");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("unknown event of pcp `kernel.all.pswitsh`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean kernel.all.pswitch"), "{}", ran.stderr);
    assert!(ran.stderr.len() < 1000, "it lists all metrics: {}", ran.stderr);
}

#[test]
fn without_a_daemon_it_is_said_where_one_was_asked() {
    let ran = count("unix:///no/such/socket", "clock:ns,pcp:kernel.all.pswitch");
    let warnings = ran.warnings();
    assert_eq!(warnings.len(), 1, "{}", ran.stderr);
    // libpcp may be missing too, where there is no daemon.
    let reasons = [
        "no daemon of PCP answers at `unix:///no/such/socket` (error -",
        "libpcp is not installed\n  help: Debian: apt install libpcp3",
    ];
    let told =
        |reason| ran.stderr.contains(&format!("warning: pcp:kernel.all.pswitch is not counted: {reason}"));
    assert!(reasons.into_iter().any(told), "{}", ran.stderr);
    assert!(json(&ran)["results"][0]["counters"]["clock:ns"]["med"].is_number());
}

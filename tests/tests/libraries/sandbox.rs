//! Libraries that attack the machine: the sandbox stops each attack, it costs only the row of the library,
//! and the world is as it was.

mod world;

use std::fmt::Write;

use assay_load::process::sandbox::Support;
use assay_tests::{Ran, only_entry, reliability, run, skip};
use serde_json::Value;

use world::World;

/// What must come of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The library is refused what it asks for: it answers so, or the filter ends its process.
    Refused,
    /// It is no attack: the library can do it.
    Allowed,
    /// The library may succeed or not, but nobody else notices.
    Contained,
}
use Outcome::{Allowed, Contained, Refused};

/// The attacks of `attacks.c`, by the words of their names.
const ATTACKS: [(&str, Outcome); 75] = [
    ("read-key", Refused),
    ("read-shadow", Refused),
    ("read-passwd", Refused),
    ("read-environment", Refused),
    ("list-home", Refused),
    ("write-home", Refused),
    ("create-home", Refused),
    ("truncate-home", Refused),
    ("remove-home", Refused),
    ("folder-home", Refused),
    ("link-home", Refused),
    ("mode-home", Refused),
    ("owner-home", Refused),
    ("times-home", Refused),
    ("attribute-home", Refused),
    ("rename-home", Refused),
    ("write-cache", Refused),
    ("write-results", Refused),
    ("write-library", Refused),
    ("write-shm", Refused),
    ("write-tmp", Refused),
    ("connect-tcp", Refused),
    ("bind-tcp", Refused),
    ("send-udp", Refused),
    ("connect-unix", Refused),
    ("run-shell", Refused),
    ("exec-shell", Refused),
    ("spawn-program", Refused),
    ("fork-daemon", Refused),
    ("raw-fork", Refused),
    ("clone3-fork", Refused),
    ("shared-fork", Refused),
    ("vfork-child", Refused),
    ("kill-host", Refused),
    ("tgkill-host", Refused),
    ("tkill-host", Refused),
    ("queue-host", Refused),
    ("pidfd-host", Refused),
    ("owner-host", Refused),
    ("kill-parent", Refused),
    ("stop-parent", Refused),
    ("kill-bystander", Refused),
    ("trace-host", Refused),
    ("trace-bystander", Refused),
    ("vm-host", Refused),
    ("host-memory", Refused),
    ("own-memory", Refused),
    ("steal-descriptor", Refused),
    ("set-clock", Refused),
    ("set-time-of-day", Refused),
    ("set-host-name", Refused),
    ("mount-home", Refused),
    ("change-root", Refused),
    ("new-namespace", Refused),
    ("reboot-badly", Refused),
    ("load-module", Refused),
    ("load-bpf", Refused),
    ("start-uring", Refused),
    ("count-events", Refused),
    ("add-key", Refused),
    ("be-fifo", Refused),
    ("be-nice", Refused),
    ("be-elsewhere", Refused),
    ("raise-limits", Refused),
    ("limit-host", Refused),
    ("all-memory", Refused),
    ("all-anonymous", Refused),
    ("all-memory-files", Refused),
    ("system-v-memory", Refused),
    ("all-descriptors", Refused),
    ("all-disk", Refused),
    // Threads are allowed. Their number is bounded for all users but root, and by the memory of their stacks.
    ("all-threads", Contained),
    ("make-code", Allowed),
    ("one-thread", Allowed),
    ("own-signal", Allowed),
];

/// The errors by which the system refuses: EPERM, EAGAIN, ENOMEM, EACCES, EMFILE, EFBIG, ENOSYS.
const REFUSALS: [i32; 7] = [1, 11, 12, 13, 24, 27, 38];

/// Whether this kernel can enforce the whole sandbox. If it can't, the reason why the test is skipped is
/// printed.
fn is_enforced() -> bool {
    let missing = Support::here().missing();
    if let Some(missing) = &missing {
        skip(&format!("this kernel lacks Landlock or seccomp: it does not keep plugins from {missing}"));
    }
    missing.is_none()
}

/// The row of an algorithm.
fn row<'a>(rows: &'a Value, algorithm: &str) -> Option<&'a Value> {
    rows["results"].as_array().unwrap().iter().find(|row| row["algorithm"] == algorithm)
}

/// The number of the system's error that an attacking library answers.
fn answered(message: &str) -> Option<i32> {
    let number: i32 = message.strip_prefix("it reports an error, the number -")?.parse().ok()?;
    Some(number - 1000)
}

/// Whether a row or a refusal says that an attack was stopped: the library answers an error by which the
/// system refuses, or the filter has ended the process.
fn was_stopped(message: &str) -> bool {
    // `system` and `posix_spawn` block all signals, and then nobody learns the name of the call.
    let stopped_by_filter = ["that the sandbox forbids: `", "it made a forbidden system call"];
    answered(message).is_some_and(|error| REFUSALS.contains(&error))
        || stopped_by_filter.iter().any(|words| message.contains(words))
}

/// It has two occurrences of the pattern, which is searched for four times.
const TEXT: &str = "the cat sat on the mat, on which the dog sat";

/// The command that runs all attacks of a moment, and ours among them.
const SEARCH: [&str; 15] = [
    "run",
    "hor",
    "smart:.*",
    "so",
    "--data",
    TEXT,
    "--pattern",
    "sat",
    "--runs",
    "4",
    "--time-limit",
    "60000",
    "--format",
    "json",
    "--no-save",
];

/// Tries all attacks at a moment, `load` or `search`, and lists what did not end as it must.
fn all_attacks(moment: &str) {
    if !is_enforced() {
        return;
    }
    let mut world = World::new();
    let names: Vec<String> = ATTACKS.iter().map(|(name, _)| format!("{moment}-{name}")).collect();
    world.add_attacks(names.iter().map(String::as_str));
    let ran = run(world.command(&SEARCH).args(["--memory-limit", "256MiB"]));
    assert_eq!(ran.code, Some(1), "some rows have failed: {}", ran.stderr);
    let rows: Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut wrong = world.damage().join("\n");
    for ours in ["hor", "so"] {
        let row = row(&rows, ours).unwrap_or(&Value::Null);
        if (&row["status"], &row["occurrences"]) != (&"ok".into(), &8.into()) {
            writeln!(wrong, "{ours}: {row}").unwrap();
        }
    }
    for ((_, outcome), name) in ATTACKS.into_iter().zip(&names) {
        let found = outcome_of(&ran, &rows, name);
        let as_it_must = match outcome {
            Refused => was_stopped(&found),
            Allowed => found == "ok",
            Contained => !found.is_empty(),
        };
        if !as_it_must {
            writeln!(wrong, "{name}: {outcome:?}, but: {found}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let stopped = ATTACKS.iter().filter(|(_, outcome)| *outcome == Refused).count();
    let place = if moment == "load" { "a constructor" } else { "a search" };
    let what = format!(
        "an attack from {place} of a library: refused, nothing else is touched, and other rows are right"
    );
    reliability::record(&what, stopped);
}

/// What came of an attack, as a user reads it: the message of the row, `ok`, or the warning that the library
/// is refused.
fn outcome_of(ran: &Ran, rows: &Value, name: &str) -> String {
    if let Some(row) = row(rows, &format!("smart:{name}")) {
        return row["message"].as_str().or(row["status"].as_str()).unwrap_or_default().to_owned();
    }
    let refused = ran.stderr.lines().find(|line| line.contains(&format!("/{name}.so`: ")));
    refused.unwrap_or_default().to_owned()
}

#[test]
fn each_attack_of_a_search_is_stopped() {
    all_attacks("search");
}

#[test]
fn each_attack_of_a_constructor_is_stopped() {
    all_attacks("load");
}

/// Attacks that succeed without the sandbox, whoever runs the test: that the sandbox stops them says
/// something. Those of a group do not get in each other's way.
const UNHINDERED: [&[&str]; 3] = [
    &[
        "read-key",
        "read-passwd",
        "read-environment",
        "list-home",
        "write-home",
        "create-home",
        "truncate-home",
        "folder-home",
        "mode-home",
        "times-home",
        "write-cache",
        "write-results",
        "write-shm",
        "write-tmp",
        "connect-tcp",
        "bind-tcp",
        "send-udp",
        "connect-unix",
        "run-shell",
        "spawn-program",
        "fork-daemon",
        "raw-fork",
        "shared-fork",
        "vfork-child",
        "kill-bystander",
        "own-memory",
        "limit-host",
        "system-v-memory",
        "make-code",
        "one-thread",
        "own-signal",
    ],
    &["link-home", "remove-home"],
    &["rename-home"],
];

/// Attacks that succeed without the sandbox, but not unnoticed: what their rows say, and the capability that
/// they need.
const NOTICED: [(&str, &str, Option<u32>); 4] = [
    ("exec-shell", "ends the process with exit status 0", None),
    ("write-library", "was replaced while it was in use", None),
    ("be-fifo", "policy 1, priority 1, nice 0", Some(23)),
    ("be-nice", "policy 0, priority 0, nice -20", Some(23)),
];

/// Attacks that end the host without the sandbox.
const DEADLY: [&str; 6] =
    ["kill-host", "tgkill-host", "tkill-host", "queue-host", "pidfd-host", "owner-host"];

/// Attacks that succeed without the sandbox, for a user with this capability (its number is that of
/// `linux/capability.h`) outside of containers. They change nothing that lasts, except `owner-home`.
const PRIVILEGED: [(&str, u32); 11] = [
    ("owner-home", 0),
    ("read-shadow", 2),
    ("change-root", 18),
    ("clone3-fork", 21),
    ("set-host-name", 21),
    ("new-namespace", 21),
    ("load-bpf", 21),
    ("count-events", 21),
    ("add-key", 21),
    ("reboot-badly", 22),
    ("raise-limits", 24),
];

/// The capabilities of this process as bits; none in a container that has users of its own, because there
/// they do not reach the machine.
fn capabilities() -> u64 {
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    if !read("/proc/self/uid_map").split_whitespace().eq(["0", "0", "4294967295"]) {
        return 0;
    }
    let status = read("/proc/self/status");
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    effective.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

/// Attacks that succeed without the sandbox if the system lets a process of a user look into another.
const TRACING: [&str; 4] = ["trace-bystander", "vm-host", "host-memory", "steal-descriptor"];

/// Whether the system lets a process of a user look into another that it has not started.
fn may_trace() -> bool {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    scope.is_err() || scope.is_ok_and(|scope| scope.trim() == "0")
}

/// Runs these attacks once, from searches without the sandbox.
fn without_sandbox(world: &World, attacks: &[&str]) -> Ran {
    let names: Vec<String> = attacks.iter().map(|name| format!("search-{name}")).collect();
    world.add_attacks(names.iter().map(String::as_str));
    run(world.command(&SEARCH).args(["--no-sandbox", "--rounds", "1"]))
}

#[test]
fn without_the_sandbox_the_same_attacks_succeed() {
    let tracing: &[&str] = if may_trace() { &TRACING } else { &[] };
    let capabilities = capabilities();
    let may = |capability: u32| capabilities >> capability & 1 == 1;
    let privileged: Vec<&str> =
        PRIVILEGED.into_iter().filter(|(_, needed)| may(*needed)).map(|(name, _)| name).collect();
    let groups = UNHINDERED.into_iter().chain([tracing, &privileged]);
    for attacks in groups.filter(|attacks| !attacks.is_empty()) {
        let mut world = World::new();
        let ran = without_sandbox(&world, attacks);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let rows: Value = serde_json::from_str(&ran.stdout).unwrap();
        for name in attacks {
            assert_eq!(outcome_of(&ran, &rows, &format!("search-{name}")), "ok", "{name}");
        }
        let is_noticed = !world.damage().is_empty();
        assert_eq!(
            is_noticed,
            UNHINDERED.contains(&attacks) || attacks.contains(&"owner-home"),
            "{attacks:?}"
        );
    }
    let noticed = NOTICED.into_iter().filter(|(_, _, needed)| needed.is_none_or(may));
    let mut world = World::new();
    let ran = without_sandbox(&world, &noticed.clone().map(|(name, _, _)| name).collect::<Vec<_>>());
    let rows: Value = serde_json::from_str(&ran.stdout).unwrap();
    for (name, words, _) in noticed.clone() {
        let found = outcome_of(&ran, &rows, &format!("search-{name}"));
        assert!(found.contains(words), "{name}: {found}");
    }
    assert!(!world.damage().is_empty(), "the shell writes to the home folder");
    for attack in DEADLY {
        let ran = without_sandbox(&World::new(), &[attack]);
        assert_eq!((ran.code, ran.stdout.as_str()), (None, ""), "{attack}: {}", ran.stderr);
    }
    let everywhere = NOTICED.iter().filter(|(_, _, needed)| needed.is_none()).map(|(name, _, _)| name);
    let everywhere = UNHINDERED.into_iter().flatten().chain(&DEADLY).chain(everywhere);
    let is_attack = |name: &&&str| ATTACKS.contains(&(**name, Refused));
    let what = "such an attack without the sandbox, of those that need no special rights: it succeeds";
    reliability::record(what, everywhere.filter(is_attack).count());
}

#[test]
fn the_call_that_the_filter_stopped_is_named() {
    if !is_enforced() {
        return;
    }
    let world = World::new();
    world.add_attacks(["search-connect-tcp", "search-kill-host", "search-read-key", "load-fork-daemon"]);
    let ran = run(&mut world.command(&SEARCH));
    let rows: Value = serde_json::from_str(&ran.stdout).unwrap();
    for (name, call) in
        [("search-connect-tcp", "`socket`"), ("search-kill-host", "`kill`"), ("load-fork-daemon", "`clone`")]
    {
        let found = outcome_of(&ran, &rows, name);
        assert!(found.contains(call) && found.contains("sandbox"), "{name}: {found}");
    }
    // Landlock reports to nobody but the library, so the row has its answer.
    assert_eq!(outcome_of(&ran, &rows, "search-read-key"), "it reports an error, the number -1013");
}

#[test]
fn metrics_statistics_mergers_and_corpora_reach_nothing() {
    if !is_enforced() {
        return;
    }
    let mut world = World::new();
    world.add_intruder();
    let refused = |ran: &Ran| {
        assert!(ran.stderr.contains("key: false home: false"), "{}", ran.stderr);
    };
    let words = ["run", "hor", "--corpus", "intrudes", "--plen", "4", "--no-save"];
    refused(&run(&mut world.command(&words)));
    for name in ["a.csv", "b.csv"] {
        std::fs::write(world.path().join(name), format!("{name}\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")).unwrap();
    }
    refused(&run(&mut world.command(&["merge", "intrudes", "a.csv", "b.csv"])));

    let measured = ["run", "hor", "--data", TEXT, "--pattern", "sat", "--runs", "5", "--out", "out"];
    let ran = run(&mut world.command(&measured));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let saved = only_entry(&world.path().join("out"));
    let report = |words: &[&str]| {
        let ran = run(world.command(&["report", saved.to_str().unwrap(), "--format", "csv"]).args(words));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let refused_as = |error: &str, table: &str| {
        let last: Vec<&str> = table.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
        assert!(!last.is_empty() && last.iter().all(|value| *value == error), "{table}");
    };
    // EACCES, and twice that.
    refused_as("13", &report(&["--metric", "reads-key", "--stat", "med"]));
    refused_as("13", &report(&["--metric", "writes-home", "--stat", "med"]));
    refused_as("26", &report(&["--metric", "ns", "--stat", "reads-key"]));
    assert_eq!(world.damage(), [] as [&str; 0]);
}

#[test]
fn a_counter_backend_gets_what_it_declares_and_no_more() {
    if !is_enforced() {
        return;
    }
    let world = World::new();
    world.add_intruder();
    let ran = run(&mut world.command(&["counters", "list", "--format", "json"]));
    let events: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    let event = |backend: &str| {
        let found = events.iter().find(|event| event["backend"] == backend);
        found.unwrap_or_else(|| panic!("no {backend}: {}", ran.stdout)).clone()
    };
    for (backend, available) in
        [("reads-declared", "yes"), ("connects-declared", "yes"), ("reads-others", "no"), ("reads-key", "no")]
    {
        assert_eq!(event(backend)["available"], available, "{}", event(backend));
    }
    assert!(ran.stderr.contains("makes a system call that the sandbox forbids: `socket`"), "{}", ran.stderr);
    let library = world.path().join("plugins/libintruder.so");
    let info = run(&mut world.command(&["plugins", "info", library.to_str().unwrap()])).stdout;
    assert!(info.contains("may      read /proc/loadavg\n"), "{info}");
}

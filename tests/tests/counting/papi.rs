//! The backend `papi`, through the program: libpapi with software-defined events, and what is said where it
//! is missing.

use std::fs;
use std::path::Path;
use std::process::Command;

use assay_tests::{Ran, assay, c_library, run, skip};
use serde_json::Value;
use tempfile::TempDir;

/// An algorithm that tells PAPI how many windows it compares.
const TELLING: &str = r#"
#include <string.h>
#include <time.h>
void *papi_sde_init(const char *library);
int papi_sde_register_counter(void *handle, const char *name, int mode, int type, void *counter);
static long long windows = 100;
__attribute__((constructor)) static void begin(void) {
    papi_sde_register_counter(papi_sde_init("telling"), "windows", 0, 0, &windows);
}
static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
int internal_search(unsigned char *pattern, int m, unsigned char *text, int n,
                    double *pre_ms, double *search_ms, void *stats, void *names) {
    double begin = now_ms();
    int found = 0;
    for (int s = 0; s + m <= n; s++, windows++) found += !memcmp(text + s, pattern, m);
    *pre_ms = 0;
    *search_ms = now_ms() - begin;
    return found;
}
"#;

/// Gives PAPI a unit of hardware counters on a machine without any. PAPI counts nothing of the kernel
/// otherwise, its software events included; here, what it takes for hardware is the kernel's own list of
/// events.
const HARDWARE: &str = r#"
#include <dlfcn.h>
#include <string.h>
struct info {
    const char *name, *description;
    unsigned long size;
    int unit, type, events, first, longest, counters, fixed;
    unsigned is_present : 1, is_default : 1;
};
enum { CORE = 1, UNITS = 2000 };
int pfm_get_pmu_info(int unit, struct info *info) {
    // PAPI is loaded where the search for the next function of this name does not look.
    int (*real)(int, struct info *) = dlsym(dlopen("libpfm.so.4", RTLD_LAZY), "pfm_get_pmu_info");
    static int has_core = -1;
    for (int i = has_core < 0 ? has_core = 0 : UNITS; i < UNITS; i++) {
        struct info other = {.size = info->size};
        has_core |= real(i, &other) == 0 && other.is_present && other.is_default && other.type == CORE;
    }
    int answer = real(unit, info);
    if (answer == 0 && !has_core && !strcmp(info->name, "perf")) {
        info->type = CORE;
        info->is_default = 1;
        info->counters = 8;
    }
    return answer;
}
"#;

/// An algorithm that leaves its core ten times in each search.
const SLEEPING: &str = r#"
#include <string.h>
#include <unistd.h>
int internal_search(unsigned char *pattern, int m, unsigned char *text, int n,
                    double *pre_ms, double *search_ms, void *stats, void *names) {
    int found = 0;
    for (int s = 0; s + m <= n; s++) found += !memcmp(text + s, pattern, m);
    for (int i = 0; i < 10; i++) usleep(1000);
    *pre_ms = *search_ms = 0.001;
    return found;
}
"#;

/// What is listed of papi where PAPI lists nothing.
fn of_papi(command: &mut Command) -> Option<Value> {
    let ran = run(command.args(["counters", "list", "--format", "json"]));
    let events: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    events.into_iter().find(|event| event["event"] == "papi:PAPI_TOT_INS")
}

/// Whether libpapi and libsde are there; if not, the package that is missing is printed.
fn installed(folder: &Path) -> bool {
    let mut link = Command::new("cc");
    link.args(["-shared", "-l:libsde.so.1", "-o"]).arg(folder.join("linked"));
    if run(&mut link).code != Some(0) {
        skip("package libsde1 is missing");
        return false;
    }
    fs::remove_file(folder.join("linked")).unwrap();
    if of_papi(&mut assay()).is_some_and(|event| event["reason"] == "libpapi is not installed") {
        skip("package libpapi7.0 is missing");
        return false;
    }
    true
}

/// Lets the algorithm and `bf` search in 1000 characters, counting this.
fn count(counters: &str) -> Option<Ran> {
    let folder: TempDir = tempfile::tempdir().unwrap();
    if !installed(folder.path()) {
        return None;
    }
    let library = c_library(folder.path(), "telling", TELLING, &["-l:libsde.so.1"]);
    fs::rename(library, folder.path().join("telling.so")).unwrap();
    fs::write(folder.path().join("text"), [b'a'; 1000]).unwrap();
    let mut command = assay();
    command.args([
        "run",
        "smart:telling",
        "bf",
        "--no-save",
        "--runs",
        "5",
        "--plen",
        "4",
        "--format",
        "json",
    ]);
    command.args(["--counters", counters, "--plugin-dir"]).arg(folder.path());
    Some(run(command.arg("--text").arg(folder.path().join("text"))))
}

/// The counts of the algorithms, in the order in which they were named.
fn counts(ran: &Ran) -> [Value; 2] {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let cells = json["results"].as_array().unwrap();
    assert!(cells.iter().all(|cell| cell["repetitions"] == 5), "{json:#}");
    ["smart:telling", "bf"].map(|algorithm| {
        cells.iter().find(|cell| cell["algorithm"] == algorithm).unwrap()["counters"].clone()
    })
}

#[test]
fn counters_that_an_algorithm_registers_with_papi_are_counted_in_its_process_only() {
    let Some(ran) = count("papi:sde:::telling::windows") else { return };
    assert!(ran.warnings().is_empty(), "{}", ran.stderr);
    let [telling, bf] = counts(&ran).map(|counts| counts["papi:sde:::telling::windows"].clone());
    assert_eq!((telling["min"].as_f64(), telling["max"].as_f64()), (Some(997.0), Some(997.0)));
    assert!(bf["med"].is_null(), "bf tells PAPI nothing, and that is not 0: {bf:#}");
}

#[test]
fn counters_that_papi_refuses_cost_their_column_and_have_the_words_of_papi() {
    let Some(ran) = count("papi:no_component:::x,clock:ns") else { return };
    for counts in counts(&ran) {
        assert!(counts["clock:ns"]["med"].is_number(), "{counts:#}");
        assert_eq!(counts.as_object().unwrap().len(), 1, "{counts:#}");
    }
    let warnings = ran.warnings();
    assert_eq!(warnings.len(), 1, "{}", ran.stderr);
    assert!(
        warnings[0].starts_with("warning: papi:no_component:::x is not counted: PAPI "),
        "{}",
        ran.stderr
    );
    assert!(warnings[0].contains(" says error -"), "{}", ran.stderr);
}

#[test]
fn an_unusable_library_is_reported_with_the_missing_function() {
    let folder = tempfile::tempdir().unwrap();
    let source = "int PAPI_get_opt(int option, void *value) { return 0x07000000; }";
    let library = c_library(folder.path(), "papi", source, &[]);
    fs::rename(library, folder.path().join("libpapi.so.7.0")).unwrap();
    let event = of_papi(assay().env("LD_LIBRARY_PATH", folder.path())).unwrap();
    assert_eq!(event["available"], "no");
    assert_eq!(event["reason"], "libpapi can't be used: it has no PAPI_library_init");
    assert_eq!(event["remedy"], "Debian: apt install libpapi7.0 (papi-tools)");
}

/// The event of papi in the list.
fn listed<'a>(events: &'a [Value], name: &str) -> Option<&'a Value> {
    events.iter().find(|event| event["event"] == format!("papi:{name}"))
}

#[test]
fn switches_of_the_kernel_are_counted_in_the_kernel_or_listed_as_not_countable() {
    let folder = tempfile::tempdir().unwrap();
    if !installed(folder.path()) {
        return;
    }
    let hardware = c_library(folder.path(), "hardware", HARDWARE, &["-ldl"]);
    let listing =
        run(assay().env("LD_PRELOAD", &hardware).args(["counters", "list", "papi", "--format", "json"]));
    assert_eq!(listing.code, Some(0), "{}", listing.stderr);
    let events: Vec<Value> = serde_json::from_str(&listing.stdout).unwrap();
    let switches = ["CONTEXT-SWITCHES", "perf::CONTEXT-SWITCHES"].map(|name| listed(&events, name));
    let Some(event) = switches.into_iter().flatten().next() else {
        return skip("no event of perf can be counted here: PAPI lists no software events");
    };
    let name = event["event"].as_str().unwrap();
    let clock =
        listed(&events, &name.replace("papi:", "").replace("CONTEXT-SWITCHES", "TASK-CLOCK")).unwrap();
    assert_eq!((&clock["unit"], &event["unit"]), (&"ns".into(), &"events".into()));
    if event["available"] == "no" {
        let remedy = event["remedy"].as_str().unwrap();
        assert!(remedy.contains("it happens in the kernel alone"), "{event:#}");
        return skip("no event of perf can be counted here: the kernel is out of bounds for this user");
    }

    let library = c_library(folder.path(), "sleeping", SLEEPING, &[]);
    fs::rename(library, folder.path().join("sleeping.so")).unwrap();
    fs::write(folder.path().join("text"), [b'a'; 1000]).unwrap();
    let mut command = assay();
    command.env("LD_PRELOAD", &hardware);
    command.args(["run", "smart:sleeping", "--no-save", "--runs", "5", "--plen", "4", "--format", "json"]);
    command.args(["--counters", &format!("{name},rusage:voluntary-switches"), "--plugin-dir"]);
    let ran = run(command.arg(folder.path()).arg("--text").arg(folder.path().join("text")));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let counters = &json["results"][0]["counters"];
    // Each sleep leaves the core once; the scheduler may take it away more often.
    for counter in [name, "rusage:voluntary-switches"] {
        assert!(counters[counter]["min"].as_f64() >= Some(10.0), "{counters:#}");
    }
}

//! The real libpapi, with counters that the test defines. Where it is missing, the test says so and ends.

use std::ffi::{CString, c_char, c_int, c_void};

use assay_plugin_api::testing::skip;

use super::*;
use crate::c_library::{self, functions};

functions! {
    /// How software registers counters.
    Sde {
        init: "papi_sde_init" = fn(*const c_char) -> *mut c_void;
        register: "papi_sde_register_counter" = fn(*mut c_void, *const c_char, c_int, c_int, *mut c_void) -> c_int;
    }
}

/// Both libraries, or why the test is skipped.
fn sde() -> Option<Sde> {
    let missing = |package: &str| skip(&format!("package {package} is missing"));
    let Ok(library) = c_library::open(&["libsde.so.1"], true) else {
        missing("libsde1");
        return None;
    };
    if let Err(refusal) = libpapi() {
        assert_eq!(refusal.reason, "libpapi is not installed");
        missing("libpapi7.0");
        return None;
    }
    let sde = Sde::look_up(&library).unwrap();
    c_library::keep(library);
    Some(sde)
}

/// A counter of the process, by the name `sde:::library::name`.
fn register(sde: &Sde, library: &str, name: &str) -> &'static mut i64 {
    let counter: *mut i64 = Box::leak(Box::new(0));
    let (library, name) = (CString::new(library).unwrap(), CString::new(name).unwrap());
    const READ_ONLY: c_int = 0;
    const LONG_LONG: c_int = 0;
    // SAFETY: the names end with zero; the counter lives for ever.
    unsafe {
        let handle = (sde.init)(library.as_ptr());
        assert_eq!((sde.register)(handle, name.as_ptr(), READ_ONLY, LONG_LONG, counter.cast()), 0);
        &mut *counter
    }
}

#[test]
fn a_counter_of_the_process_is_counted_exactly_and_from_zero() {
    let Some(sde) = sde() else { return };
    let comparisons = register(&sde, "assay_a", "comparisons");
    let shifts = register(&sde, "assay_a", "shifts");
    let (one, other) = ("sde:::assay_a::comparisons", "sde:::assay_a::shifts");
    for name in [one, other] {
        let found = Papi::find(name).unwrap().unwrap();
        assert_eq!(
            (found.availability, found.scope, found.cost),
            (Availability::Available, Scope::Process, Cost::Register)
        );
    }
    let mut set = Papi::open(&Open::events(&[other, one, other])).unwrap();
    let mut counts = [EventCount::default(); 3];
    for _ in 0..3 {
        *comparisons += 1000;
        set.start().unwrap();
        *comparisons += 5;
        *shifts += 2;
        set.read(&mut counts).unwrap();
        assert_eq!(counts, [2.0, 5.0, 2.0].map(EventCount::complete));
        *comparisons += 1;
        set.read(&mut counts).unwrap();
        assert_eq!(counts[1], EventCount::complete(6.0));
        set.stop().unwrap();
    }
}

#[test]
fn a_counter_is_missing_until_it_is_registered() {
    let Some(sde) = sde() else { return };
    let mut set = Papi::open(&Open::events(&["sde:::assay_b::later"])).unwrap();
    let mut counts = [EventCount::default()];
    for _ in 0..2 {
        set.start().unwrap();
        set.read(&mut counts).unwrap();
        assert_eq!(counts, [EventCount::missing()]);
        set.stop().unwrap();
    }
    set.start().unwrap();
    let later = register(&sde, "assay_b", "later");
    *later += 3;
    set.read(&mut counts).unwrap();
    assert_eq!(counts, [EventCount::complete(3.0)]);
}

#[test]
fn a_second_set_that_counts_is_refused_and_a_closed_one_makes_room() {
    let Some(sde) = sde() else { return };
    register(&sde, "assay_c", "it");
    let open = || Papi::open(&Open::events(&["sde:::assay_c::it"])).unwrap();
    let (mut first, mut second) = (open(), open());
    first.start().unwrap();
    let error = second.start().unwrap_err();
    assert!(error.starts_with("papi: the events of sde could not be started: error -10, "), "{error}");
    assert!(error.ends_with("one set of a component at a time for a thread"), "{error}");
    drop(first);
    second.start().unwrap();
}

#[test]
fn a_refused_event_is_reported_with_number_message_components_and_remedy() {
    if sde().is_none() {
        return;
    }
    let found = Papi::find("no_component:::x").unwrap().unwrap();
    let Availability::Missing { reason, remedy } = found.availability else { panic!("{found:?}") };
    assert!(reason.starts_with("PAPI ") && reason.contains(" says error -"), "{reason}");
    assert!(reason.contains("(its components: ") && reason.contains("sde"), "{reason}");
    let error = Papi::open(&Open::events(&["no_component:::x"])).unwrap_err();
    assert_eq!(error, format!("papi:no_component:::x can't be counted here: {reason}; {remedy}"));
    assert!(Papi::together(&["no_component:::x"]).is_err());
    let half = Papi::find("sde:::half").unwrap().unwrap().availability;
    assert!(matches!(&half, Availability::Missing { remedy, .. } if remedy.contains("libsde1")), "{half:?}");
}

#[test]
fn every_number_has_its_remedy() {
    if sde().is_none() {
        return;
    }
    let library = libpapi().unwrap();
    let cases = [
        (NO_EVENT, "papi_native_avail"),
        (NOT_SUPPORTED, "papi_avail"),
        (DISABLED, "which components are disabled"),
        (CONFLICT, "fewer events"),
        (PERMISSION, "perf_event_paranoid"),
        (DELAYED, "ask once more"),
        (Code(-3), "papi_component_avail"),
        (Code(-99), "papi_component_avail"),
    ];
    for (code, remedy) in cases {
        let refusal = refused(library, "x", code);
        assert!(refusal.remedy.contains(remedy), "{refusal:?}");
        assert!(refusal.reason.contains(&format!("error {}", code.0)), "{refusal:?}");
    }
}

#[test]
fn listed_events_are_available_exactly_if_they_open() {
    let events = Papi::events();
    assert!((1..=MOST).contains(&events.len()));
    for event in events.iter().take(200) {
        let opened = Papi::open(&Open::events(&[&event.name]));
        match &event.availability {
            Availability::Available => assert!(opened.is_ok(), "{opened:?}"),
            // Not for the same reason: of an event that the CPU refuses, PAPI 7.0 says "not supported" (-4)
            // when it is first added, and "does not exist" (-7) from then on.
            Availability::Missing { reason, .. } => {
                let cause = if reason.starts_with("libpapi ") { reason.as_str() } else { "PAPI " };
                let refused = format!("papi:{} can't be counted here: {cause}", event.name);
                assert!(
                    opened.as_ref().is_err_and(|error| error.starts_with(&refused)),
                    "{opened:?} {event:?}"
                );
            }
        }
    }
}

#[test]
fn a_list_holds_no_name_with_a_comma() {
    assert!(listable("sde:::a::b") && !listable("a,b") && !listable("") && !listable("a\n"));
}

//! The self-test of a counter backend.

use std::ffi::c_void;

use assay_abi::self_test::{CheckSink, RawCheck};
use assay_abi::{Growing, Str};
use assay_plugin_api::{Check, Verdict};

use super::super::printable;
use super::counter::CounterEntry;
use super::{Failure, call_for_status};

impl CounterEntry {
    /// Runs a part of the self-test, in a thread that is bound to this CPU.
    ///
    /// # Errors
    /// If the backend has no self-test, or could not run the part: a sentence.
    pub fn self_test(&self, part: &str, cpu: Option<usize>) -> Result<Vec<Check>, String> {
        unsafe extern "C" fn take(context: *mut c_void, check: *const RawCheck) {
            // SAFETY: the context is the list below, and the check lasts during the call.
            unsafe {
                if let Ok(raw) = assay_abi::read(check) {
                    (*context.cast::<Vec<Check>>()).push(received(&raw));
                }
            }
        }
        let (context, self_test) = self.calls.self_test.ok_or("it has no self-test")?;
        let cpu = cpu.and_then(|cpu| i64::try_from(cpu).ok()).unwrap_or(-1);
        let mut checks: Vec<Check> = Vec::new();
        let sink = CheckSink { context: (&raw mut checks).cast(), take: Some(take), ..CheckSink::empty() };
        // SAFETY: the context belongs to the function; the name and the sinks last during the call.
        call_for_status(|message| unsafe { self_test(context, Str::new(part), cpu, &sink, message) })
            .map_err(Failure::message)?;
        Ok(checks)
    }
}

/// A result as it crossed. A verdict that this host does not know counts as wrong, so that it is looked at.
///
/// # Safety
/// The texts must last during the call.
unsafe fn received(raw: &RawCheck) -> Check {
    let number = |number: f64| number.is_finite().then_some(number);
    // SAFETY: the caller's promise.
    let text = |text: Str| printable::message(&unsafe { text.text() });
    Check {
        name: text(raw.name),
        verdict: match raw.verdict {
            RawCheck::OK => Verdict::Ok,
            RawCheck::ABSENT => Verdict::Absent,
            _ => Verdict::Wrong,
        },
        measured: number(raw.measured),
        expected: number(raw.expected),
        reason: text(raw.reason),
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::private::Item;
    use assay_plugin_api::{Backend, Event, EventCount, Open};

    use super::super::Facts;
    use super::*;

    /// A backend that counts nothing and tests itself.
    struct Tested;

    impl Backend for Tested {
        const ID: &'static str = "tested";
        const SUMMARY: &'static str = "Counts nothing.";
        const SELF_TESTS: &'static [&'static str] = &["one", "two"];

        fn events() -> Vec<Event> {
            Vec::new()
        }

        fn self_test(part: &str, cpu: Option<usize>) -> Result<Vec<Check>, String> {
            match part {
                "one" => Ok(vec![
                    Check::new("a", Verdict::Ok, "within 1 %").numbers(99.5, 100.0),
                    Check::new("b", Verdict::Wrong, format!("CPU {cpu:?}")),
                    Check::new("c", Verdict::Absent, "not here"),
                ]),
                _ => Err(format!("{part} can't be run")),
            }
        }

        fn open(_: &Open<'_>) -> Result<Self, String> {
            Ok(Tested)
        }

        fn start(&mut self) -> Result<(), String> {
            Ok(())
        }

        fn read(&mut self, _: &mut [EventCount]) -> Result<(), String> {
            Ok(())
        }
    }

    #[test]
    fn results_arrive_as_the_backend_has_made_them() {
        let Item::Backend(export) = Item::backend::<Tested>() else { unreachable!() };
        // SAFETY: the item is made just now, with a table of this type.
        let entry = unsafe { CounterEntry::read(Facts::default(), export().table) }.unwrap();
        assert_eq!(entry.self_tests, ["one", "two"]);
        assert_eq!(entry.self_test("one", Some(3)), Tested::self_test("one", Some(3)));
        assert_eq!(entry.self_test("one", None), Tested::self_test("one", None));
        assert_eq!(entry.self_test("two", None), Err("two can't be run".to_owned()));
    }

    #[test]
    fn a_verdict_that_this_host_does_not_know_is_wrong_and_numbers_that_are_none_are_missing() {
        let raw = RawCheck { verdict: 9, measured: f64::NAN, expected: f64::INFINITY, ..RawCheck::empty() };
        // SAFETY: its texts are empty.
        let check = unsafe { received(&raw) };
        assert_eq!((check.verdict, check.measured, check.expected), (Verdict::Wrong, None, None));
    }
}

//! An open set of events: the safe side of a counter backend's plain C functions.

use std::ffi::c_void;

use assay_abi::counter::{EventCount, RawRecipe};
use assay_abi::{Growing, Status, ticks};

use super::counter::CounterFunctions;
use super::receive_text;
use crate::process::call_without_copies;

/// Events of one backend that are counted together, by the thread that opened them.
#[derive(Debug)]
pub struct CounterSet {
    calls: CounterFunctions,
    handle: *mut c_void,
    counts: Vec<EventCount>,
    /// The ticks at the start, if the backend leaves it to the host to read them.
    first_ticks: Option<u64>,
}

impl CounterSet {
    /// # Safety
    /// `open` of these calls must have made the set, with this number of events.
    pub(super) unsafe fn new(calls: CounterFunctions, handle: *mut c_void, events: usize) -> Self {
        CounterSet { calls, handle, counts: vec![EventCount::default(); events], first_ticks: None }
    }

    /// Starts counting, from zero.
    ///
    /// # Errors
    /// The backend's message.
    pub fn start(&mut self) -> Result<(), String> {
        let (status, first_ticks) = call_without_copies(|| {
            // SAFETY: the handle is this backend's.
            let status = unsafe { (self.calls.start)(self.handle) };
            (status, if status == Status::OK { self.recipe() } else { None })
        });
        self.first_ticks = first_ticks;
        if first_ticks.is_some() {
            // All but the value stays the same in each reading.
            self.counts.fill(EventCount::complete(0.0));
        }
        self.check(status)
    }

    /// Asks how the host can read the started set by itself. Returns the ticks at the start; `None` if it must
    /// call `read`.
    fn recipe(&self) -> Option<u64> {
        let mut recipe = RawRecipe::empty();
        // SAFETY: the handle is this backend's, and the struct begins with its size.
        let status = unsafe { self.calls.recipe?(self.handle, &raw mut recipe) };
        (status == Status::OK && recipe.kind == RawRecipe::TICKS && ticks::KNOWN).then_some(recipe.base)
    }

    /// Reads all events of the set, in the order in which they were named, without stopping them.
    ///
    /// # Errors
    /// The backend's message.
    #[inline]
    pub fn read(&mut self) -> Result<&[EventCount], String> {
        if let Some(first) = self.first_ticks {
            // SAFETY: with this recipe, the backend promises that the CPU has the instruction.
            let ticks = unsafe { ticks::ticks() }.wrapping_sub(first).cast_signed();
            self.counts.iter_mut().for_each(|count| count.value = ticks as f64);
            return Ok(&self.counts);
        }
        let (start, length) = (self.counts.as_mut_ptr(), self.counts.len());
        // SAFETY: the handle is this backend's, and there is a place for each event.
        let status = unsafe { (self.calls.read)(self.handle, start, length, size_of::<EventCount>()) };
        self.check(status)?;
        Ok(&self.counts)
    }

    /// Stops counting.
    ///
    /// # Errors
    /// The backend's message.
    pub fn stop(&mut self) -> Result<(), String> {
        self.first_ticks = None;
        // SAFETY: the handle is this backend's.
        let status = call_without_copies(|| unsafe { (self.calls.stop)(self.handle) });
        self.check(status)
    }

    #[inline]
    fn check(&self, status: Status) -> Result<(), String> {
        if status == Status::OK {
            return Ok(());
        }
        // SAFETY: the handle is this backend's, and the sink lasts during the call.
        Err(receive_text(|sink| unsafe { (self.calls.message)(self.handle, sink) }))
    }
}

impl Drop for CounterSet {
    fn drop(&mut self) {
        // SAFETY: `open` made the handle, and it is used no more.
        call_without_copies(|| unsafe { (self.calls.close)(self.handle) });
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;

    use assay_abi::counter::CounterTable;
    use assay_plugin_api::private::Item;
    use assay_plugin_api::testing::skip;
    use assay_plugin_api::{Backend, Event, Open, Recipe, ticks};

    use super::super::Facts;
    use super::super::counter::CounterEntry;
    use super::*;

    /// A backend whose recipe counts ticks, and whose own readings are all 7.
    struct Ticking(u64);

    impl Backend for Ticking {
        const ID: &'static str = "ticking";
        const SUMMARY: &'static str = "Ticks.";

        fn events() -> Vec<Event> {
            Vec::new()
        }

        fn open(_: &Open<'_>) -> Result<Self, String> {
            Ok(Ticking(0))
        }

        fn start(&mut self) -> Result<(), String> {
            // SAFETY: the test has looked for the instruction.
            self.0 = unsafe { ticks() };
            Ok(())
        }

        fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
            counts.fill(EventCount::complete(7.0));
            Ok(())
        }

        fn recipe(&self) -> Option<Recipe> {
            Some(Recipe::Ticks { base: self.0 })
        }
    }

    /// An open set of the backend, whose table has been changed.
    fn open(change: fn(&mut CounterTable)) -> Option<CounterSet> {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        if !ticks::KNOWN || cfg!(target_arch = "x86_64") && !cpu.contains(" rdtscp ") {
            skip("the CPU has no counter of ticks");
            return None;
        }
        let Item::Backend(export) = Item::backend::<Ticking>() else { unreachable!() };
        // SAFETY: the item is made just now, with a table of this type, which lasts for ever.
        let entry = unsafe {
            let mut table: CounterTable = assay_abi::read(export().table.cast()).unwrap();
            change(&mut table);
            CounterEntry::read(Facts::default(), std::ptr::from_ref(Box::leak(Box::new(table))).cast())
        };
        Some(entry.unwrap().open(&Open::events(&["a", "b"])).unwrap())
    }

    /// Two readings of the first event, after a check that both events agree.
    fn values(set: &mut CounterSet) -> [f64; 2] {
        [(); 2].map(|()| {
            let counts = set.read().unwrap();
            assert_eq!(counts[0], counts[1]);
            counts[0].value
        })
    }

    #[test]
    fn ticks_are_read_without_the_backend_as_long_as_the_set_runs() {
        let Some(mut set) = open(|_| {}) else { return };
        assert_eq!(values(&mut set), [7.0; 2]);
        for _ in 0..2 {
            set.start().unwrap();
            let [first, second] = values(&mut set);
            assert!(0.0 <= first && first <= second, "{first} {second}");
            assert_ne!([first, second], [7.0; 2], "the backend was called");
            set.stop().unwrap();
            assert_eq!(values(&mut set), [7.0; 2]);
        }
    }

    #[test]
    fn a_recipe_that_is_missing_unknown_or_refused_leaves_the_reading_to_the_backend() {
        unsafe extern "C" fn unknown(_: *mut c_void, recipe: *mut RawRecipe) -> Status {
            // SAFETY: the host gives a struct of this version.
            unsafe { (*recipe).kind = 99 };
            Status::OK
        }
        unsafe extern "C" fn refused(_: *mut c_void, recipe: *mut RawRecipe) -> Status {
            // SAFETY: as above.
            unsafe { (*recipe).kind = RawRecipe::TICKS };
            Status::FAILED
        }
        let changes: [fn(&mut CounterTable); 4] = [
            |table| table.recipe = None,
            |table| table.recipe = Some(unknown),
            |table| table.recipe = Some(refused),
            // A table of a library that was built before there were recipes.
            |table| table.size = std::mem::offset_of!(CounterTable, recipe),
        ];
        for change in changes {
            let Some(mut set) = open(change) else { return };
            set.start().unwrap();
            assert_eq!(values(&mut set), [7.0; 2]);
        }
    }
}

//! A simulated page of an event, kept by a simulated kernel, and the registers of a simulated CPU.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use perf_event_open_sys::bindings::perf_event_mmap_page;

use super::mapped_page::{Page, PageCount, PageTimes, Registers, Unreadable, UserReading};

/// The capabilities of a page, by the bits of linux/perf_event.h.
pub const RDPMC: u64 = 4;
pub const TIME: u64 = 8;
pub const TIME_SHORT: u64 = 32;

/// A CPU with four counters, one of which may serve the event, and the page of the event.
pub struct FakeCpu {
    memory: RefCell<perf_event_mmap_page>,
    /// Bits of a counter, whatever the page says.
    width: u16,
    counters: RefCell<[u64; 4]>,
    pub ticks: Cell<u64>,
    /// What the kernel does after each of the next readings of a counter.
    pub interruptions: RefCell<VecDeque<fn(&FakeCpu)>>,
}

impl FakeCpu {
    /// Counters of this number of bits, and an event that has none of them.
    pub fn new(capabilities: u64, width: u16) -> Rc<Self> {
        let mut memory = perf_event_mmap_page { pmc_width: width, ..Default::default() };
        memory.__bindgen_anon_1.capabilities = capabilities;
        Rc::new(FakeCpu {
            memory: RefCell::new(memory),
            width,
            counters: RefCell::default(),
            ticks: Cell::default(),
            interruptions: RefCell::default(),
        })
    }

    /// Changes the page as the kernel does.
    pub fn change(&self, change: impl FnOnce(&mut perf_event_mmap_page)) {
        let mut memory = self.memory.borrow_mut();
        memory.lock = memory.lock.wrapping_add(1);
        change(&mut memory);
        memory.lock = memory.lock.wrapping_add(1);
    }

    /// Gives the event a counter, which begins as many steps before it wraps around.
    pub fn begin(&self, counter: u32, steps_before_wrap: i64) {
        let mask = self.mask();
        self.counters.borrow_mut()[counter as usize] = (-steps_before_wrap).cast_unsigned() & mask;
        self.change(|page| {
            page.index = counter + 1;
            page.offset = page.offset.wrapping_add(steps_before_wrap);
        });
    }

    /// Takes the counter away. The page then has all that was counted.
    pub fn end(&self) {
        let index = self.memory.borrow().index;
        let Some(counter) = index.checked_sub(1) else { return };
        let unused = 64 - u32::from(self.width);
        let counted = (self.counters.borrow()[counter as usize] << unused).cast_signed() >> unused;
        self.change(|page| {
            page.index = 0;
            page.offset = page.offset.wrapping_add(counted);
        });
    }

    /// The event happens; it is counted if it has a counter.
    pub fn happen(&self, times: u64) {
        let (mask, index) = (self.mask(), self.memory.borrow().index);
        if let Some(counter) = index.checked_sub(1) {
            let register = &mut self.counters.borrow_mut()[counter as usize];
            *register = register.wrapping_add(times) & mask;
        }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - u32::from(self.width))
    }
}

impl Registers for Rc<FakeCpu> {
    fn counter(&self, number: u32) -> Option<u64> {
        assert_ne!(self.memory.borrow().index, 0, "the CPU would end the program");
        let register = self.counters.borrow()[number as usize];
        let interruption = self.interruptions.borrow_mut().pop_front();
        interruption.into_iter().for_each(|interruption| interruption(self));
        Some(register)
    }

    fn ticks(&self) -> Option<u64> {
        Some(self.ticks.get())
    }
}

impl std::fmt::Debug for FakeCpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FakeCpu").field("counters", &self.counters).finish_non_exhaustive()
    }
}

/// The page of an event of this CPU.
#[derive(Clone, Debug)]
pub struct FakePage(Rc<FakeCpu>);

impl FakePage {
    pub fn new(cpu: &Rc<FakeCpu>) -> Self {
        FakePage(cpu.clone())
    }

    fn page(&self) -> Page<Rc<FakeCpu>> {
        // SAFETY: the CPU holds the page, and the value holds the CPU.
        unsafe { Page::new(self.0.memory.as_ptr(), self.0.clone()) }
    }
}

impl UserReading for FakePage {
    fn count(&self) -> Result<PageCount, Unreadable> {
        self.page().count()
    }

    fn times(&self) -> Result<PageTimes, Unreadable> {
        self.page().times()
    }
}

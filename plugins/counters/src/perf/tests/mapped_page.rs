//! Readings by a page that a simulated kernel changes.

use std::rc::Rc;

use super::super::fake_page::{FakeCpu, FakePage, RDPMC, TIME, TIME_SHORT};
use super::super::mapped_page::{PageCount, PageTimes, Unreadable, UserReading};

fn page(capabilities: u64, width: u16) -> (Rc<FakeCpu>, FakePage) {
    let cpu = FakeCpu::new(capabilities, width);
    let page = FakePage::new(&cpu);
    (cpu, page)
}

fn count(page: &FakePage) -> Result<u64, Unreadable> {
    page.count().map(|reading| reading.count)
}

#[test]
fn a_count_is_the_register_and_what_the_page_adds() {
    let (cpu, page) = page(RDPMC, 48);
    cpu.begin(2, 1000);
    assert_eq!(count(&page), Ok(0));
    cpu.happen(400);
    assert_eq!(page.count(), Ok(PageCount { count: 400, waited: 0 }));
}

#[test]
fn a_counter_of_any_width_may_wrap_around() {
    for width in [32, 40, 48, 63, 64] {
        let (cpu, page) = page(RDPMC, width);
        cpu.begin(0, 3);
        let counts: Vec<_> = (0..6).map(|_| (count(&page).unwrap(), cpu.happen(1)).0).collect();
        assert_eq!(counts, [0, 1, 2, 3, 4, 5], "{width} bits");
    }
}

#[test]
fn a_page_without_a_sensible_width_is_not_read() {
    for width in [0, 65, u16::MAX] {
        let (cpu, page) = page(RDPMC, 48);
        cpu.begin(0, 10);
        cpu.change(|page| page.pmc_width = width);
        assert_eq!(count(&page), Err(Unreadable::Forbidden), "{width} bits");
    }
}

#[test]
fn an_event_that_moves_to_another_counter_during_a_reading_is_read_again() {
    let (cpu, page) = page(RDPMC, 48);
    cpu.begin(0, 1_000_000);
    cpu.happen(500);
    // The register of the first core, with the offset for the second, would give some other number.
    cpu.interruptions.borrow_mut().push_back(|cpu| {
        cpu.end();
        cpu.begin(3, 70_000);
        cpu.happen(7);
    });
    assert_eq!(count(&page), Ok(507));
    assert!(cpu.interruptions.borrow().is_empty());
}

#[test]
fn an_event_that_loses_its_counter_during_a_reading_is_not_read() {
    let (cpu, page) = page(RDPMC, 48);
    cpu.begin(0, 1000);
    cpu.happen(500);
    cpu.interruptions.borrow_mut().push_back(FakeCpu::end);
    assert_eq!(count(&page), Err(Unreadable::NoCounter));
}

#[test]
fn a_page_that_never_settles_is_given_up() {
    let (cpu, page) = page(RDPMC, 48);
    cpu.begin(0, 1000);
    for _ in 0..4 {
        cpu.interruptions.borrow_mut().push_back(|cpu| cpu.change(|_| ()));
    }
    assert_eq!(count(&page), Err(Unreadable::Unsettled));
    assert_eq!(count(&page), Ok(0), "a later reading may succeed");
}

#[test]
fn an_event_that_takes_turns_has_no_count_out_of_turn_and_reports_for_how_long_it_waited() {
    let (cpu, page) = page(RDPMC, 48);
    cpu.begin(1, 1000);
    cpu.happen(10);
    assert_eq!(page.count(), Ok(PageCount { count: 10, waited: 0 }));
    cpu.end();
    cpu.happen(99);
    assert_eq!(count(&page), Err(Unreadable::NoCounter));
    cpu.begin(0, 1000);
    cpu.change(|page| (page.time_enabled, page.time_running) = (5000, 3000));
    cpu.happen(20);
    assert_eq!(page.count(), Ok(PageCount { count: 30, waited: 2000 }));
}

#[test]
fn no_register_is_touched_without_permission() {
    for capabilities in [0, TIME, !RDPMC] {
        // The simulated CPU fails the test if a register is read whose event has no counter.
        let (cpu, page) = page(capabilities, 48);
        assert_eq!(count(&page), Err(Unreadable::Forbidden));
        cpu.begin(0, 10);
        cpu.interruptions.borrow_mut().push_back(|_| panic!("the CPU would end the program"));
        assert_eq!(count(&page), Err(Unreadable::Forbidden));
    }
}

#[test]
fn times_advance_with_the_ticks() {
    let (cpu, page) = page(TIME, 48);
    cpu.change(|page| {
        (page.time_enabled, page.time_running) = (9000, 8000);
        // 2.5 ns a tick, from tick 1000 on.
        (page.time_mult, page.time_shift) = (5 << 20, 21);
        page.time_offset = 0_u64.wrapping_sub(2500);
    });
    cpu.ticks.set(1400);
    assert_eq!(page.times(), Ok(PageTimes { enabled: 10_000, running: 8000 }), "it waits for a counter");
    cpu.begin(0, 10);
    assert_eq!(page.times(), Ok(PageTimes { enabled: 10_000, running: 9000 }));
    // A machine that has run for a century.
    let century = 4_u64.pow(31);
    cpu.ticks.set(century);
    let enabled = 9000 + century / 2 * 5 - 2500;
    assert_eq!(page.times().map(|times| times.enabled), Ok(enabled));
}

#[test]
fn short_counters_of_ticks_are_continued() {
    let (cpu, page) = page(TIME | TIME_SHORT, 48);
    cpu.change(|page| {
        (page.time_mult, page.time_shift) = (1, 0);
        // The counter has 8 bits. It showed 0xf0 when 0x1f0 ticks had passed.
        (page.time_cycles, page.time_mask) = (0x1f0, 0xff);
    });
    cpu.ticks.set(0x05);
    assert_eq!(page.times(), Ok(PageTimes { enabled: 0x205, running: 0 }));
}

#[test]
fn times_that_the_page_does_not_have_are_not_made_up() {
    let (cpu, page) = page(RDPMC, 48);
    cpu.begin(0, 10);
    assert_eq!(page.times(), Err(Unreadable::Forbidden));
}

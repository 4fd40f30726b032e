//! The calls that counter backends make for a reading, without the backends.

use std::ffi::{CString, c_char, c_int, c_longlong, c_void};
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::FileExt;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use perf_event_open_sys::bindings::{
    PERF_FORMAT_GROUP, PERF_FORMAT_TOTAL_TIME_ENABLED, PERF_FORMAT_TOTAL_TIME_RUNNING, PERF_TYPE_SOFTWARE,
    perf_event_attr,
};
use perf_event_open_sys::{ioctls, perf_event_open};

use super::Reader;

/// The register of the time stamp counter.
pub struct Ticks;

impl Reader for Ticks {
    #[inline]
    fn read(&mut self) {
        // SAFETY: the backend has opened a set, so the CPU has the instruction.
        black_box(unsafe { assay_plugin_api::ticks() });
    }
}

/// A clock of the C library.
pub struct Clock(pub libc::clockid_t);

impl Reader for Clock {
    #[inline]
    fn read(&mut self) {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time has its place.
        unsafe { libc::clock_gettime(self.0, &raw mut time) };
        black_box(time);
    }
}

/// The kernel's accounts of the thread.
pub struct Usage;

impl Reader for Usage {
    #[inline]
    fn read(&mut self) {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: the accounts have their place.
        unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) };
        black_box(&usage);
    }
}

/// A text that the kernel generates each time it is read.
pub struct KernelText(File);

impl KernelText {
    pub fn open(path: &str) -> Option<Self> {
        File::open(path).ok().map(KernelText)
    }
}

impl Reader for KernelText {
    #[inline]
    fn read(&mut self) {
        let mut text = [0; 256];
        let length = self.0.read_at(&mut text, 0).expect("it was opened for reading");
        black_box((text, length));
    }
}

/// Software events of the kernel, by name and number, which every user may count. Their order is that in which
/// the backend opens them, because the time of a reading depends on it.
pub const SOFTWARE: [(&str, u64); 8] = [
    ("task-clock", 1),
    ("cpu-clock", 0),
    ("page-faults", 2),
    ("minor-faults", 5),
    ("major-faults", 6),
    ("alignment-faults", 7),
    ("emulation-faults", 8),
    ("dummy", 9),
];

/// Events of the kernel: a group of several, or one that is alone.
pub struct Perf {
    /// The leader is the first.
    events: Vec<File>,
    words: Vec<u8>,
}

impl Perf {
    pub fn open(asked: &[(&str, u64)]) -> Option<Self> {
        let mut events: Vec<File> = Vec::new();
        for (_, config) in asked {
            let group = if asked.len() == 1 { 0 } else { PERF_FORMAT_GROUP };
            let times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
            let mut attributes = perf_event_attr {
                type_: PERF_TYPE_SOFTWARE,
                size: size_of::<perf_event_attr>() as u32,
                config: *config,
                read_format: (group | times).into(),
                ..perf_event_attr::default()
            };
            attributes.set_disabled(events.is_empty().into());
            attributes.set_exclude_kernel(1);
            attributes.set_exclude_hv(1);
            let leader = events.first().map_or(-1, AsRawFd::as_raw_fd);
            // SAFETY: the attributes are complete, and the leader is open.
            let descriptor = unsafe { perf_event_open(&raw mut attributes, 0, -1, leader, 0) };
            if descriptor < 0 {
                return None;
            }
            // SAFETY: it was opened just now, and no other code has it.
            events.push(unsafe { File::from_raw_fd(descriptor) });
        }
        let words = if events.len() == 1 { 3 } else { 3 + events.len() };
        Some(Perf { events, words: vec![0; words * size_of::<u64>()] })
    }
}

impl Reader for Perf {
    fn start(&mut self) {
        // Members run as long as their leader.
        // SAFETY: the event is open, and the call takes a number.
        unsafe { ioctls::ENABLE(self.events[0].as_raw_fd(), 0) };
    }

    #[inline]
    fn read(&mut self) {
        let read = self.events[0].read(&mut self.words).expect("it counts");
        assert_eq!(read, self.words.len());
        black_box(&self.words);
    }

    fn stop(&mut self) {
        // SAFETY: as for `start`.
        unsafe { ioctls::DISABLE(self.events[0].as_raw_fd(), 0) };
    }
}

/// A function of a library that is never closed.
fn function<F: Copy>(library: &Library, name: &str) -> Option<F> {
    // SAFETY: each caller names a function with its type.
    unsafe { library.get::<F>(name.as_bytes()) }.ok().map(|found| *found)
}

/// A library of the system, which stays open.
fn library(name: &str, flags: c_int) -> Option<&'static Library> {
    // SAFETY: the libraries of the system that are named here may be loaded.
    let library = unsafe { Library::open(Some(name), RTLD_NOW | flags) }.ok()?;
    Some(Box::leak(Box::new(library)))
}

/// Registers a counter of this process with libsde, and returns its name for PAPI.
pub fn software_defined_counter() -> Option<&'static str> {
    type Init = unsafe extern "C" fn(*const c_char) -> *mut c_void;
    type Register = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, c_int, *mut c_void) -> c_int;
    let sde = library("libsde.so.1", RTLD_GLOBAL)?;
    let init: Init = function(sde, "papi_sde_init")?;
    let register: Register = function(sde, "papi_sde_register_counter")?;
    let counter: &'static mut i64 = Box::leak(Box::new(0));
    // SAFETY: the names end with zero, and the counter lives for ever.
    let registered = unsafe {
        register(init(c"bench".as_ptr()), c"counter".as_ptr(), 0, 0, std::ptr::from_mut(counter).cast())
    };
    (registered == 0).then_some("sde:::bench::counter")
}

/// An event of PAPI, which the backend has initialised. PAPI counts one set at a time, so it runs only
/// during a sample.
pub struct Papi {
    set: c_int,
    start: unsafe extern "C" fn(c_int) -> c_int,
    read: ReadSet,
    stop: ReadSet,
}

type ReadSet = unsafe extern "C" fn(c_int, *mut c_longlong) -> c_int;

impl Papi {
    pub fn open(event: &str) -> Option<Self> {
        type Create = unsafe extern "C" fn(*mut c_int) -> c_int;
        type Add = unsafe extern "C" fn(c_int, *const c_char) -> c_int;
        let papi = library("libpapi.so.7.0", 0)?;
        let create: Create = function(papi, "PAPI_create_eventset")?;
        let add: Add = function(papi, "PAPI_add_named_event")?;
        let (name, mut set) = (CString::new(event).ok()?, -1);
        // SAFETY: the set has its place, and the name ends with zero.
        let made = unsafe { create(&raw mut set) == 0 && add(set, name.as_ptr()) == 0 };
        let [read, stop] = [function(papi, "PAPI_read")?, function(papi, "PAPI_stop")?];
        made.then_some(Papi { set, start: function(papi, "PAPI_start")?, read, stop })
    }
}

impl Reader for Papi {
    fn start(&mut self) {
        // SAFETY: the set is open.
        assert_eq!(unsafe { (self.start)(self.set) }, 0, "no other set runs");
    }

    #[inline]
    fn read(&mut self) {
        let mut count = 0;
        // SAFETY: there is room for the count of the only event.
        black_box(unsafe { (self.read)(self.set, &raw mut count) });
        black_box(count);
    }

    fn stop(&mut self) {
        let mut count = 0;
        // SAFETY: as for `read`.
        unsafe { (self.stop)(self.set, &raw mut count) };
    }
}

/// A metric of a daemon of PCP.
pub struct Pcp {
    metric: u32,
    fetch: unsafe extern "C" fn(c_int, *const u32, *mut *mut c_void) -> c_int,
    free: unsafe extern "C" fn(*mut c_void),
    context: c_int,
    select: unsafe extern "C" fn(c_int) -> c_int,
}

impl Pcp {
    pub fn open(host: &str, metric: &str) -> Option<Self> {
        type NewContext = unsafe extern "C" fn(c_int, *const c_char) -> c_int;
        type LookUp = unsafe extern "C" fn(c_int, *const *const c_char, *mut u32) -> c_int;
        let pcp = library("libpcp.so.3", 0)?;
        let new_context: NewContext = function(pcp, "pmNewContext")?;
        let look_up: LookUp = function(pcp, "pmLookupName")?;
        let (host, metric) = (CString::new(host).ok()?, CString::new(metric).ok()?);
        let (daemon, mut id) = (1, 0);
        // SAFETY: the texts end with zero, and the number has its place.
        let (context, found) =
            unsafe { (new_context(daemon, host.as_ptr()), look_up(1, &metric.as_ptr(), &raw mut id)) };
        let [fetch, free] = ["pmFetch", "pmFreeResult"];
        let (fetch, free) = (function(pcp, fetch)?, function(pcp, free)?);
        let select = function(pcp, "pmUseContext")?;
        (context >= 0 && found >= 0).then_some(Pcp { metric: id, fetch, free, context, select })
    }
}

impl Reader for Pcp {
    fn start(&mut self) {
        // SAFETY: the context is open.
        unsafe { (self.select)(self.context) };
    }

    #[inline]
    fn read(&mut self) {
        let mut result = std::ptr::null_mut();
        // SAFETY: one metric, and the place of the answer, which is freed once.
        unsafe {
            assert!((self.fetch)(1, &raw const self.metric, &raw mut result) >= 0, "the daemon answers");
            (self.free)(black_box(result));
        }
    }
}

//! libpapi, loaded at run time.

use std::ffi::{CString, c_char, c_int, c_longlong, c_uint, c_ulong, c_void};
use std::sync::OnceLock;

use nix::libc::pthread_self;

use crate::c_library::{self, Absent, check, functions, text};
use crate::refusal::Refusal;

/// Names of the library: first that of Debian, then newer versions first. Only functions that are the same in
/// all of these versions are used.
const NAMES: [&str; 7] = [
    "libpapi.so.7.0",
    "libpapi.so.7.3",
    "libpapi.so.7.2",
    "libpapi.so.7.1",
    "libpapi.so.6.0",
    "libpapi.so.7",
    "libpapi.so",
];

/// The library of software-defined events. PAPI looks for its symbols in the process when it is initialised.
const SOFTWARE_DEFINED: [&str; 2] = ["libsde.so.1", "libsde.so"];

functions! {
    /// Functions of libpapi, without its prefix.
    Functions {
        get_opt: "PAPI_get_opt" = fn(c_int, *mut c_void) -> c_int;
        library_init: "PAPI_library_init" = fn(c_int) -> c_int;
        thread_init: "PAPI_thread_init" = fn(unsafe extern "C" fn() -> c_ulong) -> c_int;
        register_thread: "PAPI_register_thread" = fn() -> c_int;
        strerror: "PAPI_strerror" = fn(c_int) -> *const c_char;
        num_components: "PAPI_num_components" = fn() -> c_int;
        get_component_info: "PAPI_get_component_info" = fn(c_int) -> *const c_char;
        enum_cmp_event: "PAPI_enum_cmp_event" = fn(*mut c_int, c_int, c_int) -> c_int;
        event_code_to_name: "PAPI_event_code_to_name" = fn(c_int, *mut c_char) -> c_int;
        event_name_to_code: "PAPI_event_name_to_code" = fn(*const c_char, *mut c_int) -> c_int;
        get_event_component: "PAPI_get_event_component" = fn(c_int) -> c_int;
        create_eventset: "PAPI_create_eventset" = fn(*mut c_int) -> c_int;
        add_named_event: "PAPI_add_named_event" = fn(c_int, *const c_char) -> c_int;
        start: "PAPI_start" = fn(c_int) -> c_int;
        read: "PAPI_read" = fn(c_int, *mut c_longlong) -> c_int;
        stop: "PAPI_stop" = fn(c_int, *mut c_longlong) -> c_int;
        cleanup_eventset: "PAPI_cleanup_eventset" = fn(c_int) -> c_int;
        destroy_eventset: "PAPI_destroy_eventset" = fn(*mut c_int) -> c_int;
    }
}

/// An error of PAPI: a negative number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub c_int);

/// The library, initialised in this process.
#[derive(Debug)]
pub struct Libpapi {
    pub functions: Functions,
    /// Version, such as 7.0.0.
    pub version: String,
    /// The names of its components, those that are disabled included.
    pub components: Vec<String>,
}

/// The library, which is loaded and initialised when this is first called: some milliseconds, and in the
/// process that counts, since its children could not go on with what it holds. The thread that asks may then
/// use it.
pub fn libpapi() -> Result<&'static Libpapi, Refusal> {
    static LIBRARY: OnceLock<Result<Libpapi, Refusal>> = OnceLock::new();
    let library = LIBRARY.get_or_init(load).as_ref().map_err(Clone::clone)?;
    // SAFETY: the library is initialised. In a thread that it does not know, much of it would crash.
    check(unsafe { (library.functions.register_thread)() }, Code)
        .map_err(|code| library.without_threads(code))?;
    Ok(library)
}

fn load() -> Result<Libpapi, Refusal> {
    if let Ok(library) = c_library::open(&SOFTWARE_DEFINED, true) {
        c_library::keep(library);
    }
    let library = c_library::open(&NAMES, false).map_err(absent)?;
    let functions = Functions::look_up(&library).map_err(unusable)?;
    c_library::keep(library);
    initialise(functions)
}

const REMEDY: &str = "Debian: apt install libpapi7.0 (papi-tools)";

fn absent(absent: Absent) -> Refusal {
    match absent {
        Absent::NotFound => Refusal::new("libpapi is not installed", REMEDY),
        Absent::Broken(message) => unusable(message),
    }
}

fn unusable(message: String) -> Refusal {
    Refusal::new(format!("libpapi can't be used: {message}"), REMEDY)
}

const LIBRARY_VERSION: c_int = 21;

fn initialise(functions: Functions) -> Result<Libpapi, Refusal> {
    // SAFETY: this may be asked before the library is initialised.
    let version = unsafe { (functions.get_opt)(LIBRARY_VERSION, std::ptr::null_mut()) };
    let part = |shift| (version >> shift) & 0xff;
    let mut library = Libpapi {
        functions,
        version: format!("{}.{}.{}", part(24), part(16), part(8)),
        components: Vec::new(),
    };
    let wanted = (version.cast_unsigned() & 0xffff_0000).cast_signed();
    // SAFETY: nothing else of the library runs yet: the caller initialises it once in a process.
    let answer = unsafe { (library.functions.library_init)(wanted) };
    if answer != wanted {
        let message = library.message(Code(answer));
        return Err(unusable(format!("PAPI {} can't be initialised: {message}", library.version)));
    }
    // SAFETY: the library is initialised; the function tells threads apart. Without it one thread alone could
    // count.
    check(unsafe { (library.functions.thread_init)(pthread_self) }, Code)
        .map_err(|code| library.without_threads(code))?;
    // SAFETY: the library is initialised.
    let components = unsafe { (library.functions.num_components)() };
    library.components = (0..components).map(|component| library.name_of_component(component)).collect();
    Ok(library)
}

/// Where an enumeration begins.
const NATIVE: c_uint = 0x4000_0000;
const PRESETS: c_uint = 0x8000_0000;
const FIRST: c_int = 1;
const NEXT: c_int = 0;

/// Room for the name of an event, by the documentation of `PAPI_event_code_to_name`.
const LONGEST_NAME: usize = 1024;

impl Libpapi {
    /// The message of an error: its number, and the sentence of PAPI.
    pub fn message(&self, Code(code): Code) -> String {
        // SAFETY: it answers a text of its own, or null.
        let words = unsafe { text((self.functions.strerror)(code)) };
        if words.is_empty() { format!("error {code}") } else { format!("error {code}, {words}") }
    }

    fn without_threads(&self, code: Code) -> Refusal {
        unusable(format!("PAPI {} does not support threads: {}", self.version, self.message(code)))
    }

    fn name_of_component(&self, component: c_int) -> String {
        // SAFETY: it answers null, or a struct that begins with the name.
        unsafe { text((self.functions.get_component_info)(component)) }
    }

    /// The component of an event.
    pub fn component(&self, name: &str) -> Result<usize, Code> {
        let mut code = 0;
        // SAFETY: the name ends with zero, and the code has its place.
        let answer =
            unsafe { (self.functions.event_name_to_code)(zero_ended(name)?.as_ptr(), &raw mut code) };
        check(answer, Code)?;
        // SAFETY: any code may be asked for.
        let component = check(unsafe { (self.functions.get_event_component)(code) }, Code)?;
        Ok(component.cast_unsigned() as usize)
    }

    /// The names of the events that the components list: presets first, at most this number.
    pub fn listed(&self, most: usize) -> Vec<String> {
        let mut names = Vec::new();
        for begin in [PRESETS, NATIVE] {
            for component in 0..self.components.len() {
                self.list(component as c_int, begin.cast_signed(), most, &mut names);
            }
        }
        names
    }

    fn list(&self, component: c_int, mut code: c_int, most: usize, names: &mut Vec<String>) {
        let mut which = FIRST;
        let mut buffer = [0; LONGEST_NAME];
        // SAFETY: the code has its place, and the name has the room that the documentation asks for.
        unsafe {
            while names.len() < most && (self.functions.enum_cmp_event)(&raw mut code, which, component) == 0
            {
                which = NEXT;
                if (self.functions.event_code_to_name)(code, buffer.as_mut_ptr()) == 0 {
                    names.push(text(buffer.as_ptr()));
                }
            }
        }
    }
}

/// The error of PAPI for an invalid argument.
const INVALID: Code = Code(-1);

/// A name as a C string.
pub fn zero_ended(name: &str) -> Result<CString, Code> {
    CString::new(name).map_err(|_| INVALID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_reported_with_its_package() {
        assert_eq!(absent(Absent::NotFound), Refusal::new("libpapi is not installed", REMEDY));
        let broken = absent(Absent::Broken("x: file too short".to_owned()));
        assert_eq!(broken.reason, "libpapi can't be used: x: file too short");
    }

    #[test]
    fn a_name_with_a_zero_is_no_name() {
        assert_eq!(zero_ended("a\0b"), Err(INVALID));
    }
}

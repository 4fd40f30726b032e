//! A connection to a daemon of PCP, with its requests.

use std::ffi::{CString, c_char, c_int, c_void};

use super::library::{Code, Descriptor, Functions, RawResult, RawValue, libpcp};
use super::metric::Value;
use crate::c_library::{check, text};
use crate::refusal::Refusal;

/// An open connection.
#[derive(Debug)]
pub struct Context {
    pub functions: &'static Functions,
    handle: c_int,
}

/// Of `pmNewContext`: a daemon, rather than an archive.
const DAEMON: c_int = 1;
/// Of `pmLookupText`: one line.
const ONE_LINE: c_int = 1;

impl Context {
    /// Connects to a daemon: `local:`, `unix://SOCKET` or `HOST:PORT`.
    pub fn new(host: &str) -> Result<Self, Refusal> {
        let functions = libpcp()?;
        let c_host =
            CString::new(host).map_err(|_| Refusal::new("its host has a zero byte", "name a host"))?;
        // SAFETY: the host ends with zero.
        match check(unsafe { (functions.new_context)(DAEMON, c_host.as_ptr()) }, Code) {
            Ok(handle) => Ok(Context { functions, handle }),
            Err(code) => Err(Refusal::new(
                format!("no daemon of PCP answers at `{host}` ({})", code.message(functions)),
                "start it (systemctl start pmcd), or say in PCP_HOST where it is: local:, unix://SOCKET or HOST:PORT",
            )),
        }
    }

    /// Makes this the connection of the following calls, because libpcp uses one at a time for a thread.
    #[inline]
    fn select(&self) -> Result<(), Code> {
        // SAFETY: the context is open.
        check(unsafe { (self.functions.use_context)(self.handle) }, Code).map(|_| ())
    }

    /// The names of all metrics.
    pub fn names(&self) -> Result<Vec<String>, Code> {
        unsafe extern "C" fn push(name: *const c_char, names: *mut c_void) {
            // SAFETY: a text of libpcp's, and the list of the call below.
            unsafe { (*names.cast::<Vec<String>>()).push(text(name)) };
        }
        self.select()?;
        let mut names: Vec<String> = Vec::new();
        // SAFETY: `push` gets the list, which outlives the call.
        let answer = unsafe { (self.functions.traverse)(c"".as_ptr(), push, (&raw mut names).cast()) };
        check(answer, Code)?;
        Ok(names)
    }

    /// The descriptor of a metric.
    pub fn descriptor(&self, metric: &str) -> Result<Descriptor, Code> {
        self.select()?;
        let name = CString::new(metric).map_err(|_| Code::NAME)?;
        let (mut id, mut descriptor) = (0, Descriptor::default());
        // SAFETY: one name, that ends with zero, and the places of one answer.
        unsafe {
            check((self.functions.lookup_name)(1, &name.as_ptr(), &raw mut id), Code)?;
            check((self.functions.lookup_desc)(id, &raw mut descriptor), Code)?;
        }
        Ok(descriptor)
    }

    /// The one-line help text of a metric; empty if it has none.
    pub fn summary(&self, metric: u32) -> String {
        let mut line = std::ptr::null_mut();
        // SAFETY: libpcp allocates the text, which is freed once.
        unsafe {
            if self.select().is_err() || (self.functions.lookup_text)(metric, ONE_LINE, &raw mut line) < 0 {
                return String::new();
            }
            let summary = text(line);
            nix::libc::free(line.cast());
            summary
        }
    }

    /// The number of an instance, by its name or the first word of that.
    pub fn instance(&self, domain: u32, name: &str) -> Result<c_int, Code> {
        self.select()?;
        let name = CString::new(name).map_err(|_| Code::INSTANCE)?;
        // SAFETY: the name ends with zero.
        check(unsafe { (self.functions.lookup_in_dom)(domain, name.as_ptr()) }, Code)
    }

    /// All instances of a domain, by number and name.
    pub fn instances(&self, domain: u32) -> Result<Vec<(c_int, String)>, Code> {
        self.select()?;
        let (mut numbers, mut names) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: libpcp fills in two lists of this length, each in one piece of memory, which is freed once.
        unsafe {
            let count = check((self.functions.get_in_dom)(domain, &raw mut numbers, &raw mut names), Code)?;
            if count == 0 {
                return Ok(Vec::new());
            }
            let found = (0..count as usize).map(|i| (*numbers.add(i), text(*names.add(i)))).collect();
            nix::libc::free(numbers.cast());
            nix::libc::free(names.cast());
            Ok(found)
        }
    }

    /// Restricts later answers to these instances of a domain.
    pub fn only(&self, domain: u32, instances: &[c_int]) -> Result<(), Code> {
        self.select()?;
        // SAFETY: none of the instances, then as many as the list has.
        unsafe {
            check((self.functions.delete_profile)(domain, 0, std::ptr::null()), Code)?;
            check((self.functions.add_profile)(domain, instances.len() as c_int, instances.as_ptr()), Code)?;
        }
        Ok(())
    }

    /// Requests all of these metrics at once.
    #[inline]
    pub fn fetch(&self, metrics: &[u32]) -> Result<Answer, Code> {
        self.select()?;
        let mut result = std::ptr::null_mut();
        let count = metrics.len() as c_int;
        // SAFETY: as many metrics as the list has, and the place of one answer.
        let answer = unsafe { (self.functions.fetch)(count, metrics.as_ptr(), &raw mut result) };
        check(answer, Code)?;
        Ok(Answer { functions: self.functions, result })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is open, and is not used any more.
        unsafe { (self.functions.destroy_context)(self.handle) };
    }
}

/// The number that stands for the instance of a metric without instances.
pub const NO_INSTANCE: c_int = -1;

/// The answer of a daemon.
pub struct Answer {
    functions: &'static Functions,
    result: *mut RawResult,
}

impl Answer {
    /// The value of an instance of the metric at this place of the request.
    #[inline]
    pub fn value(&self, place: usize, descriptor: &Descriptor, instance: c_int) -> Result<Value, Code> {
        let widest = Value::widest(descriptor.kind).ok_or(Code::VALUE)?;
        let mut bits = 0;
        // SAFETY: libpcp has filled in this number of lists of values, each with as many as it says.
        unsafe {
            if place >= (*self.result).metrics as usize {
                return Err(Code::VALUE);
            }
            let values =
                *(&raw const (*self.result).values).cast::<*const super::library::RawValues>().add(place);
            let number = check((*values).number, Code)? as usize;
            let first = (&raw const (*values).values).cast::<RawValue>();
            let found = (0..number).map(|i| first.add(i)).find(|value| (**value).instance == instance);
            let found = found.ok_or(Code::VALUE)?;
            check(
                (self.functions.extract_value)(
                    (*values).format,
                    found,
                    descriptor.kind,
                    &raw mut bits,
                    widest,
                ),
                Code,
            )?;
        }
        Ok(Value::from_bits(widest, bits))
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // SAFETY: libpcp has allocated it, and it is not used any more.
        unsafe { (self.functions.free_result)(self.result) };
    }
}

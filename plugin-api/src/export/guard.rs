//! Catches panics, with their message and place, so that none leaves a library.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a part of the library; a panic becomes an error with its message and its place in the source.
pub fn guard<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let (mut run, mut result) = (Some(run), None);
    catch(&mut || result = run.take().map(|run| run()))?;
    Ok(result.expect("it ran to its end"))
}

/// As [`guard`], but compiled into the caller, because the indirect calls of `guard` take longer than what
/// some counter backends do in a reading.
#[inline(always)]
pub fn guard_inlined<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    set_hook();
    // The address of a variable of the thread costs a call in a shared library, so it is looked up once.
    let result = ARMED.with(|armed| {
        armed.set(armed.get() + 1);
        // A value that panicked halfway is used only for its message, and then dropped.
        let result = catch_unwind(AssertUnwindSafe(run));
        armed.set(armed.get() - 1);
        result
    });
    result.map_err(message)
}

/// The part of [`guard`] that does not depend on the type, so that it is compiled only once.
fn catch(run: &mut dyn FnMut()) -> Result<(), String> {
    guard_inlined(run)
}

/// Sets the hook that keeps the place of a panic.
#[inline]
fn set_hook() {
    static HOOK: Once = Once::new();
    // Every library has its own copy of the standard library, so this hook is the library's own. In a program
    // that links this crate, the program's hook stays in force for panics elsewhere: it is called unless the
    // guard is armed.
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if ARMED.get() == 0 {
                return others(panic);
            }
            let place =
                panic.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
            PLACE.set(place);
        }));
    });
}

/// The message of a panic, with its place.
#[cold]
fn message(payload: Box<dyn Any + Send>) -> String {
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    // Dropping the payload may panic again, and nothing would catch that panic.
    std::mem::forget(payload);
    // A panic that is resumed has no place.
    match PLACE.take().as_str() {
        "" => format!("panicked: {message}"),
        place => format!("panicked at {place}: {message}"),
    }
}

thread_local! {
    static ARMED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_becomes_its_message_and_place() {
        let error = super::guard(|| -> u8 { [1u8, 2][std::hint::black_box(2)] }).unwrap_err();
        assert!(error.contains("guard.rs:") && error.contains("index out of bounds"), "{error}");
        assert_eq!(super::guard(|| 7), Ok(7));
        let inlined = super::guard_inlined(|| -> u8 { [1u8, 2][std::hint::black_box(3)] }).unwrap_err();
        assert!(inlined.contains("guard.rs:") && inlined.contains("index is 3"), "{inlined}");
        assert_eq!(super::guard_inlined(|| 7), Ok(7));
    }
}

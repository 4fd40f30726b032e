//! The algorithm of a command that takes only one.

use assay_base::error::{Error, Result};
use assay_experiment::cpu;
use assay_experiment::selection::named;
use assay_load::plugin::{Kind, Registry, twin_id};
use assay_trace::TracedTwin;

/// The id of the one algorithm that a name stands for, with its twin, which this CPU can run. `command` is
/// the command that takes it.
///
/// # Errors
/// If the name stands for none or for several, if there is no twin, or if this CPU can't run it.
pub(super) fn with_twin(name: &str, command: &str, registry: &Registry) -> Result<(String, TracedTwin)> {
    let id = match named(name, registry)?[..] {
        [id] => id.to_owned(),
        ref ids => {
            return Err(Error::new(format!("`{name}` stands for {} algorithms", ids.len()))
                .remedy(format!("name one of them, for example `assay {command} {}`", ids[0])));
        }
    };
    let twin = TracedTwin::new(&id, registry)?;
    let listing = registry.find(Kind::Algorithm, &twin_id(&id))?;
    if let Some(lacks) = cpu::lacks(&listing.cpu) {
        return Err(Error::new(format!("`{id}` can't search here: {lacks}"))
            .remedy("take another algorithm, or do it on another machine"));
    }
    Ok((id, twin))
}

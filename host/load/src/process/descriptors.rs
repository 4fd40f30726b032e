//! The limit of open files of this process, which decides how many children it can have at a time.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Number of descriptors that are kept for files that belong to no child: libraries, the journal, texts in
/// memory.
const OTHERS: usize = 100;

/// Raises the limit of open files so that there can be this number of children, each with `descriptors` of
/// them, and returns how many children there can be. A process begins with a low limit, often 1024, and may
/// raise it to a greater one by itself.
pub fn room_for(children: usize, descriptors: usize) -> usize {
    let wanted = children.saturating_mul(descriptors).saturating_add(OTHERS) as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let [current, most] = [current, maximum].map(|limit| limit.unwrap_or(u64::MAX));
    let mut allowed = current;
    let more = wanted.min(most);
    if more > current && setrlimit(Resource::Nofile, Rlimit { current: Some(more), maximum }).is_ok() {
        allowed = more;
    }
    let room = usize::try_from(allowed).unwrap_or(usize::MAX).saturating_sub(OTHERS) / descriptors;
    room.clamp(1, children.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_as_many_as_are_wanted_or_as_the_system_allows() {
        let most = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
        assert_eq!(room_for(0, 3), 1);
        let children = (usize::try_from(most).unwrap_or(usize::MAX).min(3000) - OTHERS) / 3;
        assert_eq!(room_for(children, 3), children);
        assert!(getrlimit(Resource::Nofile).current.is_none_or(|now| now >= (3 * children + OTHERS) as u64));
        if most < 1 << 40 {
            assert_eq!(room_for(usize::MAX, 3), (most as usize - OTHERS) / 3);
        }
    }
}

//! What to say of algorithms whose functions begin elsewhere than those of all others.

/// One sentence on these algorithms; none if there are none.
pub fn remark_on_alignment(ids: &[&str]) -> Option<String> {
    if ids.is_empty() {
        return None;
    }
    Some(format!(
        "functions of {} do not begin at multiples of 64 bytes: where they lie moves their times by up to 20 %; build with \
         RUSTFLAGS='-C llvm-args=-align-all-functions=6', or C with -falign-functions=64",
        ids.join(", ")
    ))
}

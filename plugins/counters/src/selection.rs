//! Events chosen by name, and the two sentences that say why one can't be.

/// What the user asked for, in the order of the names; an event may be asked for twice.
pub fn select<'a, E>(
    backend: &str,
    known: &'a [E],
    name: fn(&E) -> &str,
    wanted: &[&str],
) -> Result<Vec<&'a E>, String> {
    let find = |wanted: &&str| {
        known.iter().find(|event| name(event) == *wanted).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(name).collect();
            format!("{backend} has no event `{wanted}`: choose from {}", names.join(", "))
        })
    };
    wanted.iter().map(find).collect()
}

/// An event that exists and can't be counted here.
pub fn cannot_count(backend: &str, event: &str, reason: &str, remedy: &str) -> String {
    format!("{backend}:{event} can't be counted here: {reason}; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_event_is_named_with_the_known_ones() {
        let known = ["ns", "thread-ns"];
        assert_eq!(
            select("clock", &known, |event| event, &["thread-ns", "ns"]),
            Ok(vec![&"thread-ns", &"ns"])
        );
        let error = select("clock", &known, |event| event, &["ns", "ms"]).unwrap_err();
        assert_eq!(error, "clock has no event `ms`: choose from ns, thread-ns");
    }
}

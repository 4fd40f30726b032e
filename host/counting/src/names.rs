//! Lists of names, separated by commas, where names may hold commas, too.

/// The names in a list, separated by commas. A comma between two slashes or in brackets belongs to a name, as
/// in `perf:cpu/event=0x3c,umask=0x0/`.
pub fn split(list: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while let Some(found) = list[at..].find([',', '/', '(', '[', '{']) {
        let next = at + found + 1;
        let closing = match list.as_bytes()[next - 1] {
            b'/' => '/',
            b'(' => ')',
            b'[' => ']',
            b'{' => '}',
            _ => {
                names.push(&list[begin..next - 1]);
                (begin, at) = (next, next);
                continue;
            }
        };
        // A slash or bracket that is never closed is an ordinary letter.
        at = list[next..].find(closing).map_or(next, |end| next + end + 1);
    }
    names.push(&list[begin..]);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_names() {
        assert_eq!(split("tsc,perf:page-faults"), ["tsc", "perf:page-faults"]);
        assert_eq!(split("é"), ["é"]);
        assert_eq!(split("a,,b,"), ["a", "", "b", ""]);
        assert_eq!(split(""), [""]);
    }

    #[test]
    fn commas_between_slashes_and_in_brackets_belong_to_a_name() {
        assert_eq!(
            split("tsc,perf:cpu/event=0x3c,umask=0x0/u,clock:ns"),
            ["tsc", "perf:cpu/event=0x3c,umask=0x0/u", "clock:ns"]
        );
        for name in
            ["papi:sde:::f(a,b)", "pcp:disk[sda,sdb].read", "perf:{cycles,instructions}", "a/,é,/b[,]"]
        {
            assert_eq!(split(&format!("{name},tsc")), [name, "tsc"]);
        }
    }

    #[test]
    fn what_nothing_closes_separates_nothing_else() {
        assert_eq!(split("io:read/s,tsc"), ["io:read/s", "tsc"]);
        assert_eq!(split("a(b,c)d)e,f["), ["a(b,c)d)e", "f["]);
    }
}

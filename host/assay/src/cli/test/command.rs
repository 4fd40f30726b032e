//! The command that shows a failure again.

use std::str::FromStr;

use assay_conformance::Repeat;

use super::Args;
use crate::cli::Session;
use crate::cli::shell::quoted;

/// A text given in hexadecimal, which may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HexBytes(pub Vec<u8>);

impl FromStr for HexBytes {
    type Err = String;

    fn from_str(digits: &str) -> Result<Self, String> {
        let wrong = |_| format!("`{digits}` is no text in hexadecimal: two digits a byte, 616263 is abc");
        hex::decode(digits).map(HexBytes).map_err(wrong)
    }
}

/// As the user would write it in a shell.
pub(super) fn command_line(id: &str, repeat: &Repeat, args: &Args, session: &Session) -> String {
    let mut words = vec!["assay".to_owned(), "test".to_owned(), quoted(id)];
    let mut plan = || {
        words.push(format!("--seed {}", args.seed));
        words.extend(args.quick.then(|| "--quick".to_owned()));
        let lengths = args.plen.as_ref().and_then(|lengths| lengths.all(args.increment).ok());
        words.extend(lengths.map(|lengths| {
            let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
            format!("--plen {}", lengths.join(","))
        }));
    };
    match repeat {
        Repeat::Case((pattern, text)) => words.extend([bytes("pattern", pattern), bytes("text", text)]),
        Repeat::Place(place) => {
            plan();
            words.push(format!("--case {place}"));
        }
        Repeat::Plan => plan(),
    }
    if let Some(ms) = args.time_limit {
        words.push(format!("--time-limit {ms}"));
    }
    for folder in &session.common.plugin_dir {
        words.push(format!("--plugin-dir {}", quoted(&folder.to_string_lossy())));
    }
    words.join(" ")
}

/// An option with bytes: as they are, where a terminal and a shell leave them so.
fn bytes(option: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text)
            if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') && !text.starts_with('-') =>
        {
            format!("--{option} {}", quoted(text))
        }
        _ => format!("--{option}-hex {}", hex::encode(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_a_shell_takes_them() {
        for (given, written) in [
            (&b"abc"[..], "--text abc"),
            (b"", "--text ''"),
            (b"it's", r"--text 'it'\''s'"),
            (b"-a", "--text-hex 2d61"),
            (b"a\n", "--text-hex 610a"),
            (&[255, 0], "--text-hex ff00"),
        ] {
            assert_eq!(bytes("text", given), written);
        }
        assert_eq!("".parse(), Ok(HexBytes(Vec::new())));
        assert!("6".parse::<HexBytes>().is_err());
    }
}

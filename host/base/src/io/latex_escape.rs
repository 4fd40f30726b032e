//! Escapes texts for TeX.

/// A text in which no character is a command for LaTeX, and no brace has a meaning for BibTeX.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '#' | '$' | '%' | '&' | '_' => escaped.extend(['\\', letter]),
            '{' => escaped.push_str(r"\textbraceleft{}"),
            '}' => escaped.push_str(r"\textbraceright{}"),
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '^' => escaped.push_str(r"\textasciicircum{}"),
            '~' => escaped.push_str(r"\textasciitilde{}"),
            // The old fonts of TeX have other characters at these codes, or none.
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            '|' => escaped.push_str(r"\textbar{}"),
            'µ' | 'μ' => escaped.push_str(r"$\mu$"),
            '±' => escaped.push_str(r"$\pm$"),
            '×' => escaped.push_str(r"$\times$"),
            '†' => escaped.push_str(r"\dag{}"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A text that LaTeX prints as it is written: hyphens do not join to dashes. Options of the command line and
/// text between backquotes are in typewriter.
pub fn as_typed(text: &str) -> String {
    let quoted = text.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)));
    let Some((before, (code, after))) = quoted else { return prose(text) };
    // Some typewriter fonts join hyphens as well.
    let code = escaped(code).replace("--", "-{}-").replace("--", "-{}-");
    format!(r"{}\texttt{{{code}}}{}", prose(before), as_typed(after))
}

fn prose(text: &str) -> String {
    let mut typed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, from) = rest.split_at(at);
        let after = from.trim_start_matches('-');
        let hyphens = vec!["-"; from.len() - after.len()].join("{}");
        let is_option = after.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !before.ends_with(char::is_alphanumeric);
        let end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
        let name = after.split(end).next().and_then(|name| name.split("--").next()).filter(|_| is_option);
        typed += &escaped(before);
        typed += &name.map_or_else(|| hyphens.clone(), |name| format!(r"\texttt{{{hyphens}{name}}}"));
        rest = &after[name.map_or(0, str::len)..];
    }
    typed + &escaped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_a_command() {
        assert_eq!(
            escaped(r"50 % of a_b & \x{}"),
            r"50 \% of a\_b \& \textbackslash{}x\textbraceleft{}\textbraceright{}"
        );
        assert_eq!(escaped("µs < ~^"), r"$\mu$s \textless{} \textasciitilde{}\textasciicircum{}");
        assert_eq!(escaped("2 × 3 ± 1†"), r"2 $\times$ 3 $\pm$ 1\dag{}");
    }
    #[test]
    fn options_are_printed_as_they_are_typed() {
        assert_eq!(
            as_typed("more --rounds narrow it (--most-runs); 50 %"),
            r"more \texttt{-{}-rounds} narrow it (\texttt{-{}-most-runs}); 50 \%"
        );
        assert_eq!(as_typed("a--b_c --- and 1 --2"), r"a-{}-b\_c -{}-{}- and 1 -{}-2");
        assert_eq!(as_typed("--a--b --"), r"\texttt{-{}-a}\texttt{-{}-b} -{}-");
        assert_eq!(as_typed("well-known"), "well-known");
        assert_eq!(as_typed("by `run --null`, `a_b` or `"), r"by \texttt{run -{}-null}, \texttt{a\_b} or `");
    }
}

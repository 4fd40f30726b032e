//! Texts in TeX.

/// A text in which LaTeX takes no character for a command, and BibTeX no brace for its own.
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
            // The old fonts of TeX have other signs in these places, or none.
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            '|' => escaped.push_str(r"\textbar{}"),
            'µ' | 'μ' => escaped.push_str(r"$\mu$"),
            _ => escaped.push(letter),
        }
    }
    escaped
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
    }
}

//! How many bytes of a text a search must look at, whatever it does.

/// At least: one of each `m` in a row, because otherwise an occurrence fits between two that were looked at.
fn least(n: usize, m: usize) -> usize {
    n / m
}

/// On average, in its order: `n log m / m`, with the logarithm to the number of letters (Yao, The complexity of
/// pattern matching for a random string, 1979). It is never less than the least number and never more than `n`.
fn mean_order(n: usize, m: usize, letters: f64) -> f64 {
    let of_each_window = ((m as f64).ln() / letters.ln()).max(1.0);
    (n as f64 / m as f64 * of_each_window).min(n as f64).floor()
}

/// How many equally frequent letters would agree as often as two characters of the text do: in a random text over
/// `s` letters, about `s`.
pub fn effective_letters(text: &[u8]) -> f64 {
    let mut counts = [0_u64; 256];
    for byte in text {
        counts[usize::from(*byte)] += 1;
    }
    let n = text.len() as f64;
    1.0 / counts.iter().map(|count| (*count as f64 / n).powi(2)).sum::<f64>()
}

/// A table in Markdown of texts of `n` bytes, with their effective numbers of letters, and lengths of patterns.
pub fn print_table(n: usize, texts: &[(&str, f64)], lengths: &[usize]) {
    let heads: String = lengths.iter().map(|m| format!(" {m} |")).collect();
    println!("\nbytes that must be looked at: at least, and on average in the order of n log m / m (Yao)\n");
    println!("| text | letters |{heads}\n|{}", " --- |".repeat(lengths.len() + 2));
    let entries: String = lengths.iter().map(|m| format!(" {} |", least(n, *m))).collect();
    println!("| any, at least | |{entries}");
    for (name, letters) in texts {
        let entries: String =
            lengths.iter().map(|m| format!(" {:.0} |", mean_order(n, *m, *letters))).collect();
        println!("| {name} | {letters:.1} |{entries}");
    }
}

//! Tests of the views of text and pattern.

use super::*;
use crate::{Checked, Counters, Counting, Field, Off};

fn message(read: impl FnOnce() + std::panic::UnwindSafe) -> String {
    *std::panic::catch_unwind(read).unwrap_err().downcast::<String>().unwrap()
}

#[test]
fn a_read_outside_is_reported_with_its_offset() {
    assert!(
        message(|| {
            Text::new(b"abc", Off).at(3);
        })
        .contains("offset 3: the text has 3 bytes")
    );
    assert!(
        message(|| {
            Text::new(b"abc", Off).block::<2>(2);
        })
        .contains("2 byte(s) at text offset 2")
    );
    let read = || {
        let text = Text::new(b"abc", Checked);
        // SAFETY: the checked reading refuses what is out of bounds before it touches memory.
        unsafe { text.at_unchecked(9) };
    };
    assert!(message(read).contains("offset 9"));
    let read = || {
        let text = Text::new(b"abc", Checked);
        // SAFETY: as above.
        unsafe { text.block_unchecked::<4>(0) };
    };
    assert!(message(read).contains("4 byte(s) at text offset 0"));
}

#[test]
fn a_q_gram_is_a_number_of_its_bytes_in_all_readings() {
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    fn all<P: Probe>(text: Text<P>) -> [u64; 8] {
        // SAFETY: the text has nine bytes.
        unsafe {
            [
                text.gram_unchecked::<1>(1),
                text.gram_unchecked::<2>(1),
                text.gram_unchecked::<3>(1),
                text.gram_unchecked::<4>(1),
                text.gram_unchecked::<5>(1),
                text.gram_unchecked::<6>(1),
                text.gram_unchecked::<7>(1),
                text.gram_unchecked::<8>(1),
            ]
        }
    }
    let expected = std::array::from_fn(|q| 0x0908_0706_0504_0302 & (u64::MAX >> (56 - 8 * q)));
    let counters = Counters::default();
    assert_eq!(all(Text::new(&bytes, Off)), expected);
    assert_eq!(all(Text::new(&bytes, Counting::new(&counters))), expected);
    assert_eq!(counters.get(Field::TextBytesRead), (1..=8).sum::<u64>());
}

#[test]
fn a_q_gram_in_eight_bytes_is_the_same_and_is_counted_without_the_others() {
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let counters = Counters::default();
    // SAFETY: the text has nine bytes.
    let read = unsafe {
        let counted = Text::new(&bytes, Counting::new(&counters));
        [counted.gram_in_eight::<7>(1), Text::new(&bytes, Off).gram_in_eight::<8>(1)]
    };
    assert_eq!(read, [0x08_0706_0504_0302, 0x0908_0706_0504_0302]);
    assert_eq!(counters.get(Field::TextBytesRead), 7);
    let beyond = || {
        let text = Text::new(&[0; 9], Checked);
        // SAFETY: the checked reading refuses what is out of bounds before it touches memory.
        unsafe { text.gram_in_eight::<7>(2) };
    };
    assert!(message(beyond).contains("8 byte(s) at text offset 2"));
}

#[test]
fn slack_can_be_read_and_written_and_the_text_cannot() {
    let mut memory = *b"abcd..";
    // SAFETY: the array outlives the view, and nothing else touches it meanwhile.
    let text = unsafe { Text::with_slack(memory.as_mut_ptr(), 4, 2, true, Off) };
    text.set_slack(5, b'x');
    assert_eq!((text.len(), text.at(4), text.at(5)), (4, b'.', b'x'));
    let start = memory.as_mut_ptr().expose_provenance();
    let write = move |index| {
        // SAFETY: as above.
        let text = unsafe { Text::with_slack(std::ptr::with_exposed_provenance_mut(start), 4, 2, true, Off) };
        text.set_slack(index, 0);
    };
    assert!(message(move || write(3)).contains("write of 1 byte(s) at text offset 3"));
    assert!(message(move || write(6)).contains("offset 6"));
}

#[test]
fn slack_that_is_not_declared_writable_can_only_be_read() {
    let start = [0_u8; 6].as_mut_ptr().expose_provenance();
    let write = move || {
        // SAFETY: the view refuses to write before it touches memory.
        let text =
            unsafe { Text::with_slack(std::ptr::with_exposed_provenance_mut(start), 4, 2, false, Off) };
        text.set_slack(5, 0);
    };
    assert!(message(write).contains("writes_slack is not declared"));
}

#[test]
fn a_window_is_compared_and_counted_as_the_loop_that_it_is() {
    // Part of the pattern, and text whose window at 1 it is compared with; whether it occurs; bytes of
    // each, writes and branches.
    let cases = [
        (0..3, "xabc", true, [3, 4, 5]),
        (0..3, "xabx", false, [3, 3, 4]),
        (1..2, "xabx", true, [1, 2, 3]),
        (0..3, "xxxx", false, [1, 1, 2]),
        (3..3, "xxxx", true, [0, 1, 2]),
    ];
    for (part, text, occurs, [read, writes, branches]) in cases {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let (pattern, view) = (Pattern::new(b"abc", probe), Text::new(text.as_bytes(), probe));
        assert_eq!(pattern.occurs(view, 1, part.clone()), occurs, "{part:?} in {text}");
        let fields = [Field::TextBytesRead, Field::PatternBytesRead, Field::Writes, Field::Branches];
        let counted = fields.map(|field| counters.get(field));
        assert_eq!(counted, [read, read, writes, branches], "{part:?} in {text}");
        assert_eq!(counters.get(Field::Verifications), 1);
    }
    let outside = || {
        Pattern::new(b"abc", Off).occurs(Text::new(b"abab", Off), 2, 0..3);
    };
    assert!(message(outside).contains("3 byte(s) at text offset 2"));
}

#[test]
fn foreign_code_gets_the_bytes_without_the_slack_if_nothing_is_counted() {
    // SAFETY: the array outlives the view, and nothing else touches it meanwhile.
    let text = unsafe { Text::with_slack(b"abc..".as_ptr().cast_mut(), 3, 2, false, Off) };
    assert_eq!((text.bytes(), Pattern::new(b"ab", Checked).bytes()), (&b"abc"[..], &b"ab"[..]));
    let counters = std::panic::AssertUnwindSafe(Counters::default());
    let counted = || {
        Text::new(b"abc", Counting::new(&{ counters }.0)).bytes();
    };
    assert!(message(counted).contains("INSTRUMENTED = false"));
}

#[test]
fn every_read_is_counted() {
    let counters = Counters::default();
    let probe = Counting::new(&counters);
    let (text, pattern) = (Text::new(b"abcdef", probe), Pattern::new(b"ab", probe));
    text.at(0);
    text.block::<4>(2);
    pattern.at(1);
    assert_eq!(counters.get(Field::TextBytesRead), 5);
    assert_eq!(counters.get(Field::PatternBytesRead), 1);
}

#[test]
fn the_last_bytes_of_text_and_slack_can_be_read_in_every_reading() {
    fn read<P: Probe>(probe: P) {
        let memory = b"abcd..xx";
        // SAFETY: the bytes are a constant, which is never written to; the slack is not writable.
        let text = unsafe { Text::with_slack(memory.as_ptr().cast_mut(), 4, 2, false, probe) };
        assert_eq!(
            (text.at(3), text.at(5), text.block::<2>(4), text.block::<6>(0)),
            (b'd', b'.', *b"..", *b"abcd..")
        );
        // SAFETY: five and four and two lie within the six bytes of text and slack.
        unsafe {
            assert_eq!((text.at_unchecked(5), text.block_unchecked::<2>(4)), (b'.', *b".."));
        }
        assert_eq!(text.block::<0>(6), []);
        let pattern = Pattern::new(b"ab", probe);
        assert_eq!((pattern.len(), pattern.at(1)), (2, b'b'));
        // SAFETY: the pattern has two bytes.
        assert_eq!(unsafe { pattern.at_unchecked(1) }, b'b');
        assert!(pattern.occurs(text, 0, 0..2) && !pattern.occurs(text, 4, 0..2));
    }
    read(Off);
    read(Checked);
    let counters = Counters::default();
    read(Counting::new(&counters));
    // One by one: 1 + 1 + 2 + 6 + 1 + 2 and none, then 2 and 1 compared; of the pattern 2, then as many.
    assert_eq!([Field::TextBytesRead, Field::PatternBytesRead].map(|field| counters.get(field)), [16, 5]);
}

#[test]
fn a_read_or_window_beyond_the_slack_is_reported_with_both_lengths() {
    let start = b"abcd..".as_ptr().expose_provenance();
    // SAFETY: the bytes are a constant; the slack is not writable.
    let text =
        move || unsafe { Text::with_slack(std::ptr::with_exposed_provenance_mut(start), 4, 2, false, Off) };
    let said = "read of 1 byte(s) at text offset 6: the text has 4 bytes, then 2 of slack";
    assert_eq!(message(move || _ = text().at(6)), said);
    let block = move |index| message(move || _ = text().block::<3>(index));
    assert!(block(4).contains("3 byte(s) at text offset 4") && block(7).contains("offset 7"));
    let window = move |s, part| message(move || _ = Pattern::new(b"abc", Off).occurs(text(), s, part));
    assert!(window(7, 0..0).contains("offset 7") && window(4, 0..3).contains("3 byte(s) at text offset 4"));
    assert!(window(0, 0..4).contains("4 byte(s)"), "the pattern has three");
}

// Axes: the position of a value, and the values that are written beside an axis.

/** A scale from values to pixels; `log` as far as all values are above 0. */
function scale(least, most, start, end, log) {
    log = log && least > 0;
    const to = log ? Math.log : value => value;
    let [low, high] = [to(least), to(most)];
    if (low === high) [low, high] = log ? [low - 0.5, high + 0.5] : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
    return { at: value => start + (to(value) - low) / (high - low) * (end - start), log, least, most };
}

/** Round values between the ends of a scale: powers of ten, with 2 and 5 times those if there are few. */
function ticks({ least, most, log }, about) {
    const found = [];
    if (log) {
        const few = Math.log10(most / least) < about - 1;
        for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
            for (const times of few ? [1, 2, 5] : [1]) found.push(times * 10 ** power);
        }
        const inside = found.filter(value => value >= least && value <= most);
        if (inside.length > 1) return inside;
    }
    const rough = (most - least || Math.abs(most) || 1) / about;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find(times => times * power >= rough) * power;
    const inside = [];
    for (let n = Math.ceil(least / step); n * step <= most * (1 + 1e-12); n++) inside.push(n * step);
    return inside;
}

/** A tick as text: 1,000 or 0.05. */
const ticked = value => Math.abs(value) >= 1e7 ? value.toExponential().replace("e+", "e")
    : value.toLocaleString("en-US", { maximumSignificantDigits: 6 });

const pen = document.createElement("canvas").getContext("2d");
pen.font = "12px system-ui, sans-serif";

/** How wide a text is in pixels, as drawings have it. */
const widthOf = words => pen.measureText(words).width;

/** A text that is no wider than this: what has no room is left out in the middle, since both ends tell names apart. */
function shortened(words, room) {
    if (widthOf(words) <= room) return words;
    const letters = [...words];
    for (let kept = letters.length - 1; kept > 0; kept--) {
        const short = `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${letters.slice(letters.length - Math.floor(kept / 2)).join("")}`;
        if (widthOf(short) <= room) return short;
    }
    return "";
}

/**
 * Where labels stand along an axis: those that have room, in the middle of their places, or moved inwards at the ends of the
 * drawing.
 */
function spaced(values, at, label, from, to) {
    let free = -Infinity;
    return values.flatMap(value => {
        const words = label(value);
        const half = widthOf(words) / 2;
        const middle = Math.min(Math.max(at(value), from + half), to - half);
        if (middle - half < free) return [];
        free = middle + half + 8;
        return [{ value, words, middle }];
    });
}

// Axes: where a value lies, and which values are written beside them.

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

/** Those of some values that have room for their names, at these places. */
function spaced(values, at, room) {
    let last = -Infinity;
    return values.filter(value => at(value) - last >= room && ((last = at(value)), true));
}

// Draws values of a range without an order, such as texts. There is nothing between them, so points have equal distances and no lines.

/** Names below steps stand so many degrees aslant where they have no room beside each other; a line of them is so wide then. */
const SLANT = { degrees: 40, apart: 22, longest: 150 };

/** Points in equal steps: each algorithm has a place of its own in a step, with its band as a whisker. */
function drawSteps(quantity, lines, range, width, height, small) {
    const [right, top, bottom] = small ? [width - 8, 8, height - 20] : [width - 10, 12, height - 46];
    const { y, left, upTo } = upright(quantity, range, top, bottom, small);
    const step = (right - left) / columns().length;
    const middle = column => left + step * (column - state.from + 0.5);
    let body = upTo(right);
    columns().forEach((_, i) => { body += rule(left + step * i, top, left + step * i, bottom); });
    const below = small ? level(middle, step < 24 ? 0 : step, bottom + 14) : namesBelow(middle, step, bottom);
    const high = height + below.more;
    body += below.body;
    if (!small) body += text((left + right) / 2, high - 8, data.axis.title);
    const points = [];
    const apart = Math.min(24, step * 0.8 / lines.length);
    lines.forEach(({ algorithm, points: known }, i) => {
        const drawn = known.filter(point => point).map(({ column, value, band }) => {
            const [px, py] = [middle(column) + apart * (i - (lines.length - 1) / 2), y.at(value)];
            points.push({ x: px, y: py, algorithm, column });
            const at = `translate(${px.toFixed(1)} ${py.toFixed(1)})${small ? " scale(.7)" : ""}`;
            const whisker = band ? `<path d="M${px.toFixed(1)} ${y.at(band[0]).toFixed(1)}V${y.at(band[1]).toFixed(1)}" stroke="${algorithm.colour}" stroke-width="1.5"/>` : "";
            return `${whisker}<g transform="${at}">${marker(algorithm)}</g>`;
        });
        body += `<g class="line" data-algorithm="${algorithm.index}">${drawn.join("")}</g>`;
    });
    return { body, points, high };
}

/** The names of steps that are so wide, each below its own: short ones where they have no room, and none where that says nothing. */
function level(middle, step, y) {
    const told = column => text(middle(column), y, shortened(data.axis.labels[column], step - 6), "middle", "", data.axis.labels[column]);
    return { body: columns().map(told).join(""), more: 0 };
}

/** The names below steps, aslant if they have no room beside each other; and how much more room that takes than a line. */
function namesBelow(middle, step, bottom) {
    const names = data.axis.labels;
    if (columns().every(column => widthOf(names[column]) <= step - 6)) return level(middle, step, bottom + 18);
    const [across, down] = [Math.cos, Math.sin].map(of => of(SLANT.degrees * Math.PI / 180));
    // If steps are narrow, some have no name; the table has all names.
    const every = Math.ceil(SLANT.apart / step);
    let longest = 0;
    const told = column => {
        const x = middle(column) + 4;
        const words = shortened(names[column], Math.min(SLANT.longest, (x - 6) / across));
        longest = Math.max(longest, widthOf(words));
        return text(0, 0, words, "end", ` transform="translate(${x.toFixed(1)} ${bottom + 14}) rotate(-${SLANT.degrees})"`, names[column]);
    };
    const body = columns().filter(column => (column - state.from) % every === 0).map(told).join("");
    return { body, more: Math.round(longest * down) };
}

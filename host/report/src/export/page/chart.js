// Draws a quantity as the text of an SVG.

const MARKERS = {
    disk: "M4 0A4 4 0 1 1-4 0 4 4 0 1 1 4 0z",
    square: "M-3.5-3.5h7v7h-7z",
    triangle: "M0-4.5L4.5 3.5h-9z",
    diamond: "M0-5L5 0 0 5-5 0z",
    wedge: "M0 4.5L4.5-3.5h-9z",
    cross: "M-4-4L4 4M-4 4L4-4",
};

const marker = ({ marker, colour }) =>
    `<path d="${MARKERS[marker]}" ${marker === "cross" ? `fill="none" stroke="${colour}" stroke-width="2"` : `fill="${colour}"`}/>`;
const key = algorithm => `<svg class="key" width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">${marker(algorithm)}</svg>`;

/** Words at a place; `whole` is what they were before they were shortened. */
const text = (x, y, words, anchor = "middle", more = "", whole = words) =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${escaped(words)}${whole === words ? "" : `<title>${escaped(whole)}</title>`}</text>`;
const rule = (x1, y1, x2, y2) => `<path class="rule" d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}"/>`;

/** What is drawn of a quantity: a list of points for each algorithm. */
function linesOf(quantity, list) {
    return list.map(algorithm => {
        const points = [];
        for (let column = state.from; column <= state.to; column++) {
            const value = figure(quantity, algorithm.index, column, state.statistic);
            points.push(value === null ? null : { column, value, band: bandOf(quantity, algorithm.index, column) });
        }
        return { algorithm, points };
    });
}

/** The least and the greatest of some lines, bands included. */
function ends(lines) {
    let [least, most] = [Infinity, -Infinity];
    for (const point of lines.flatMap(({ points }) => points)) {
        if (!point) continue;
        least = Math.min(least, point.value, ...(point.band ?? []));
        most = Math.max(most, point.value, ...(point.band ?? []));
    }
    return least <= most ? [least, most] : null;
}

/** A drawing of this size: its SVG, and where its points are. A small one has neither names nor, on lines, markers. */
function chart(quantity, width, height, small) {
    const strong = coloured(quantity);
    const lines = linesOf(quantity, strong);
    // Only lines over a range have room for all of many algorithms, and only in a large drawing.
    const are = new Set(strong);
    const isLines = valuesNow().length > 1 && data.axis.scale;
    const others = isLines && !small ? linesOf(quantity, shown().filter(algorithm => !are.has(algorithm))) : [];
    const range = ends([...lines, ...others]);
    const label = `${STATISTICS[state.statistic]} ${quantity.name}${unitOf(quantity)} over the ${data.axis.name}`;
    const open = high => `<svg class="drawn" viewBox="0 0 ${width} ${high}" width="${width}" height="${high}" role="img" aria-label="${escaped(capitalised(label))}"${small ? "" : ' tabindex="0"'}>`;
    if (!range) return { svg: `${open(height)}${text(width / 2, height / 2, "nothing is shown")}</svg>`, points: [] };
    const draw = valuesNow().length === 1 ? drawBars : data.axis.scale ? drawLines : drawSteps;
    const { body, points, high = height } = draw(quantity, lines, range, width, height, small, others);
    return { svg: `${open(high)}<title>${escaped(capitalised(label))}</title>${body}</svg>`, points };
}

/** The axis on the left: where a value lies, where its figures leave room for a drawing, and its lines up to some place. */
function upright(quantity, [least, most], top, bottom, small) {
    const log = state.logY && least > 0;
    const y = scale(log ? least / 1.08 : Math.min(0, least), log ? most * 1.08 : most * 1.03, bottom, top, log);
    const figures = ticks(y, small ? 3 : 6).map(tick => ({ at: y.at(tick), words: ticked(tick) }));
    const left = (small ? 10 : 34) + Math.max(0, ...figures.map(({ words }) => widthOf(words)));
    const name = small ? "" : text(0, 0, `${STATISTICS[state.statistic]}, ${quantity.name}${unitOf(quantity)}`, "middle",
        ` transform="translate(14 ${(top + bottom) / 2}) rotate(-90)"`);
    const upTo = right => name + figures.map(({ at, words }) => rule(left, at, right, at) + text(left - 6, at + 4, words, "end")).join("");
    return { y, left, upTo };
}

function drawLines(quantity, lines, range, width, height, small, others) {
    const values = valuesNow();
    const named = !small && width > 560 && lines.length * 13 < height - 60;
    const names = named ? 14 + Math.max(...lines.map(({ algorithm }) => widthOf(algorithm.id))) : 10;
    const [right, top, bottom] = small ? [width - 8, 8, height - 20] : [width - names, 12, height - 46];
    const { y, left, upTo } = upright(quantity, range, top, bottom, small);
    const x = scale(values[0], values.at(-1), left + 6, right - 6, state.logX);
    let body = upTo(right);
    const label = value => data.axis.labels[data.axis.values.indexOf(value)];
    for (const { value, words, middle } of spaced(values, x.at, label, left, width)) {
        body += (small ? "" : rule(x.at(value), top, x.at(value), bottom)) + text(middle, bottom + (small ? 14 : 18), words);
    }
    body += marksOf(x, values, top, bottom, width, small);
    if (!small) body += text((left + right) / 2, height - 8, data.axis.title);
    const points = [];
    const place = point => [x.at(data.axis.values[point.column]), y.at(point.value)];
    // One path for all grey lines, because a browser takes long for many elements.
    let grey = "";
    const greyPoints = [];
    for (const { algorithm, points: known } of others) {
        known.forEach((point, i) => {
            if (!point) return;
            const [px, py] = place(point);
            grey += `${known[i - 1] ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`;
            greyPoints.push({ x: px, y: py, algorithm, column: point.column });
        });
    }
    if (grey) body += `<path class="grey" d="${grey}"/>`;
    if (!small) body += `<path class="guide" data-top="${top}" data-bottom="${bottom}"/><path class="over"/>`;
    for (const { algorithm, points: known } of lines) {
        let [line, bands, marks] = ["", "", ""];
        known.forEach((point, i) => {
            if (!point) return;
            const [px, py] = place(point);
            line += `${known[i - 1] ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`;
            marks += `<g transform="translate(${px.toFixed(1)} ${py.toFixed(1)})">${marker(algorithm)}</g>`;
            points.push({ x: px, y: py, algorithm, column: point.column });
            const next = known[i + 1];
            if (!point.band || !next?.band) return;
            const [x2] = place(next);
            const corners = [[px, point.band[1]], [x2, next.band[1]], [x2, next.band[0]], [px, point.band[0]]];
            bands += `M${corners.map(([at, value]) => `${at.toFixed(1)} ${y.at(value).toFixed(1)}`).join("L")}z`;
        });
        body += `<g class="line" data-algorithm="${algorithm.index}"><path d="${bands}" fill="${algorithm.colour}" fill-opacity=".18"/>`
            + `<path d="${line}" fill="none" stroke="${algorithm.colour}" stroke-width="${small ? 1.4 : 2}"/>${small ? "" : marks}</g>`;
    }
    return { body: body + (named ? labels(lines, place, right, top, bottom) : ""), points: [...points, ...greyPoints] };
}

/** Dashes where something is different beyond a value, with names beside them that are within the drawing and on no other. */
function marksOf(x, values, top, bottom, width, small) {
    let [free, row] = [-Infinity, 0];
    return data.axis.marks.filter(([value]) => value > values[0] && value < values.at(-1)).map(([value, name]) => {
        const dashes = `<path class="mark" d="M${x.at(value).toFixed(1)} ${top}V${bottom}"/>`;
        const wide = widthOf(name) + 4;
        const start = x.at(value) + wide <= width ? x.at(value) + 4 : x.at(value) - wide;
        row = start < free ? row + 1 : 0;
        free = start + wide;
        return dashes + (small ? "" : text(start, bottom - 6 - 14 * row, name, "start"));
    }).join("");
}

/** Names at the ends of lines, moved apart; each with a thin line to its end. */
function labels(lines, place, right, top, bottom) {
    const placed = lines.flatMap(({ algorithm, points }) => {
        const last = points.findLast(point => point);
        if (!last) return [];
        const [x, y] = place(last);
        return [{ algorithm, x, end: y, y }];
    }).sort((a, b) => a.y - b.y);
    let free = top + 4;
    for (const label of placed) free = (label.y = Math.max(label.y, free)) + 13;
    free = bottom;
    for (const label of placed.toReversed()) free = (label.y = Math.min(label.y, free)) - 13;
    return placed.map(({ algorithm, x, end, y }) =>
        `<g class="line" data-algorithm="${algorithm.index}"><path d="M${(x + 6).toFixed(1)} ${end.toFixed(1)}L${right + 6} ${y.toFixed(1)}" stroke="${algorithm.colour}" fill="none"/>`
        + `${text(right + 9, y + 4, algorithm.id, "start")}</g>`).join("");
}

/** A row for each algorithm, where there is one value of the range: bars from 0, or points on a logarithmic axis, which has none. */
function drawBars(quantity, lines, [least, most], width, height, small) {
    const names = Math.max(...lines.map(({ algorithm }) => widthOf(algorithm.id)));
    const [left, right, top, bottom] = [small ? 46 : Math.min(width / 3, 16 + names), width - 16, 6, height - (small ? 20 : 42)];
    const log = state.logY && least > 0;
    const x = scale(log ? least / 1.3 : Math.min(0, least), most * 1.03, left, right, log);
    const step = (bottom - top) / lines.length;
    let body = "";
    for (const { value, words, middle } of spaced(ticks(x, small ? 3 : 6), x.at, ticked, 0, width)) {
        body += rule(x.at(value), top, x.at(value), bottom) + text(middle, bottom + 16, words);
    }
    if (!small) body += text((left + right) / 2, height - 6, `${STATISTICS[state.statistic]}, ${quantity.name}${unitOf(quantity)}`);
    const points = [];
    lines.forEach(({ algorithm, points: [point] }, row) => {
        const y = top + step * (row + 0.5);
        if (step > 9) body += text(left - 6, y + 4, shortened(algorithm.id, left - 8), "end", "", algorithm.id);
        if (!point) return;
        const [end, half] = [x.at(point.value), Math.min(9, step * 0.36)];
        body += `<g class="line" data-algorithm="${algorithm.index}">${
            log ? `<g transform="translate(${end.toFixed(1)} ${y.toFixed(1)})">${marker(algorithm)}</g>`
                : `<path d="M${left} ${y - half}H${end}V${y + half}H${left}z" fill="${algorithm.colour}"/>`}`;
        if (point.band) body += `<path class="whisker" d="M${x.at(point.band[0])} ${y}H${x.at(point.band[1])}"/>`;
        body += "</g>";
        points.push({ x: end, y, algorithm, column: point.column });
    });
    return { body, points };
}

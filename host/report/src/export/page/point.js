// Describes the point of the drawing or the cell of the table that the mouse or the arrow keys have reached, and what else is drawn
// above the same value of the range.

/** A tip lists up to this many algorithms: the nearest in the order of their figures. */
const LISTED = 12;

let points = [];
let current = null;
const tip = document.getElementById("tip");
const figureElement = document.getElementById("chart");

/** Draws the chart anew, as wide as there is room. */
function drawChart() {
    const width = Math.max(280, figureElement.clientWidth);
    const rowsOfBars = valuesNow().length > 1 ? 0 : shown().length;
    const height = Math.max(Math.round(Math.min(390, Math.max(300, width * 0.6))), rowsOfBars * 22 + 50);
    const drawn = chart(quantityNow(), width, height, false);
    figureElement.innerHTML = drawn.svg;
    points = drawn.points;
    hide();
}

/** Brings out the line of an algorithm; of none, all are alike. */
function bringOut(algorithm) {
    for (const line of document.querySelectorAll(".line")) {
        line.classList.toggle("weak", algorithm !== null && line.dataset.algorithm !== String(algorithm));
    }
}

function describe(point) {
    current = point;
    const { algorithm, column } = point;
    const quantity = quantityNow();
    const [rank, ratio] = rankOf(quantity, algorithm.index, column) ?? [];
    const value = withUnit(quantity, written(figure(quantity, algorithm.index, column, state.statistic)));
    const band = bandOf(quantity, algorithm.index, column);
    const lines = [`${STATISTICS[state.statistic]} ${value}`];
    if (band) lines.push(`${state.band === "range" ? "least to greatest" : "95 % interval"} ${band.map(written).join(" to ")}`);
    if (rank === 1) lines.push("best, or tied with it");
    if (rank > 1) lines.push(`× ${ratio.toFixed(2)} the time of the best`);
    tip.innerHTML = `<b>${escaped(algorithm.id)}</b>, ${escaped(data.axis.headings[column])}<br>${lines.map(escaped).join("<br>")}${others(quantity, point)}`;
    const box = figureElement.getBoundingClientRect();
    const x = box.left + point.x + 14;
    const left = x + tip.offsetWidth > document.documentElement.clientWidth ? box.left + point.x - tip.offsetWidth - 14 : x;
    tip.style.left = `${Math.max(4, left) + window.scrollX}px`;
    tip.style.top = `${box.top + point.y + 10 + window.scrollY}px`;
    bringOut(algorithm.index);
    drawGuide(point);
}

/** The figures of all coloured algorithms at the value of a point, least first; of many, those nearest to the point. Screen readers get the point alone. */
function others(quantity, { algorithm, column }) {
    const strong = coloured(quantity);
    const known = [...new Set([...strong, algorithm])]
        .map(other => ({ other, value: figure(quantity, other.index, column, state.statistic) }))
        .filter(({ value }) => value !== null).sort((a, b) => a.value - b.value);
    const place = known.findIndex(({ other }) => other === algorithm);
    const start = Math.max(0, Math.min(place - LISTED / 2, known.length - LISTED));
    const rows = known.slice(start, start + LISTED).map(({ other, value }) =>
        `<tr${other === algorithm ? ' class="now"' : ""}><td>${strong.includes(other) ? key(other) : ""} ${escaped(other.id)}</td><td>${written(value)}</td></tr>`);
    return known.length > 1 && valuesNow().length > 1 ? `<table aria-hidden="true">${rows.join("")}</table>` : "";
}

/** A line through all points above the value of this one; and the line of an algorithm that is grey otherwise. */
function drawGuide({ x, algorithm }) {
    const guide = figureElement.querySelector(".guide");
    guide?.setAttribute("d", `M${x.toFixed(1)} ${guide.dataset.top}V${guide.dataset.bottom}`);
    const isGrey = !figureElement.querySelector(`.line[data-algorithm="${algorithm.index}"]`);
    const line = isGrey ? points.filter(point => point.algorithm === algorithm).map(point => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`) : [];
    figureElement.querySelector(".over")?.setAttribute("d", line.length ? `M${line.join("L")}` : "");
}

function hide() {
    tip.innerHTML = "";
    for (const path of figureElement.querySelectorAll(".guide, .over")) path.setAttribute("d", "");
    current = null;
    bringOut(null);
}

/** The point nearest to a place, at most so far from it. */
function nearest(x, y, reach) {
    let best = null;
    for (const point of points) {
        const distance = Math.hypot(point.x - x, point.y - y);
        if (distance < reach) [best, reach] = [point, distance];
    }
    return best;
}

figureElement.addEventListener("pointermove", event => {
    const box = figureElement.getBoundingClientRect();
    const point = nearest(event.clientX - box.left, event.clientY - box.top, 40);
    if (point) describe(point);
    else hide();
});
figureElement.addEventListener("pointerleave", hide);
figureElement.addEventListener("focusout", hide);

/** Arrows go along a line and from line to line; the tip says what they find. */
figureElement.addEventListener("keydown", event => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape") hide();
    if (!steps || !points.length) return;
    event.preventDefault();
    let next = points[0];
    if (current) {
        const sign = steps[0] || steps[1];
        const same = steps[0] ? point => point.algorithm === current.algorithm : point => point.column === current.column;
        const place = steps[0] ? point => point.column : point => point.y;
        const beyond = points.filter(point => point !== current && same(point) && sign * (place(point) - place(current)) >= 0);
        beyond.sort((a, b) => sign * (place(a) - place(b)));
        next = beyond[0] ?? current;
    }
    describe(next);
});

/** Says below the table what is known of a cell. */
function tellCell(algorithm, column) {
    document.getElementById("detail").textContent = sentence(quantityNow(), algorithm, column);
}

const table = document.getElementById("table");
table.addEventListener("focusin", event => {
    const { algorithm, column } = event.target.dataset;
    if (algorithm !== undefined) tellCell(Number(algorithm), Number(column));
});
table.addEventListener("pointerover", event => {
    const { algorithm, column } = event.target.closest("td")?.dataset ?? {};
    if (algorithm !== undefined) tellCell(Number(algorithm), Number(column));
});
table.addEventListener("keydown", event => {
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    const cell = event.target.closest("td");
    if (across === undefined || !cell) return;
    const row = [...cell.parentElement.parentElement.rows][cell.parentElement.sectionRowIndex + down];
    const next = row?.cells[cell.cellIndex + across];
    if (next?.tagName !== "TD") return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
});

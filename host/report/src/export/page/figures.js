"use strict";
// Looks up and formats the figures of the run.

const element = id => document.getElementById(id);

const everything = JSON.parse(document.getElementById("data").textContent);
/** The runs of the page: for each its name, and its figures. */
const runs = everything.runs ?? [{ name: "", data: everything }];
/** The figures of the run that is shown, and its algorithms. */
let data = runs[0].data;
let algorithms = numbered();

function numbered() {
    return data.algorithms.map((algorithm, index) => ({ ...algorithm, index }));
}

const STATISTICS = { med: "median", min: "least", avg: "mean", max: "greatest", std: "standard deviation" };
const PLACE = { min: 0, med: 1, avg: 2, max: 3, std: 4, low: 5, high: 6 };
// A quantity per time has its maximum at the minimum of the time.
const MIRRORED = { min: "max", max: "min", low: "high", high: "low" };

/** Up to this many algorithms, the chart has a colour for each, and the table a row. */
const MANY = 15;

/** What the page shows: the choices of its reader. Of many algorithms, some are picked; of few, some are off. */
const state = { run: 0, ...defaults() };

/** The choices before the reader has made any. Without a range, bars are drawn from 0. */
function defaults() {
    return {
        quantity: 0, statistic: "med", band: "interval", from: 0, to: data.axis.values.length - 1, logX: true,
        logY: data.axis.values.length !== 1, off: new Set(), picked: new Set(), filter: "", column: null, down: false, all: false,
    };
}

const quantityNow = () => data.quantities[state.quantity];
const valuesNow = () => data.axis.values.slice(state.from, state.to + 1);
/** The values of the range that are shown, by their numbers. */
const columns = () => valuesNow().map((_, i) => state.from + i);

/** The cell of an algorithm in a column, that of a value of the range, by their numbers; of a derived quantity that of what it comes from. */
function cellOf(quantity, algorithm, column) {
    return (quantity.cells ?? data.quantities[quantity.of].cells)[algorithm][column];
}

/** A statistic, or null where there is none. */
function figure(quantity, algorithm, column, statistic) {
    const cell = cellOf(quantity, algorithm, column);
    if (!cell) return null;
    if (quantity.over) {
        const under = cell.s[PLACE[MIRRORED[statistic] ?? statistic]];
        return statistic === "std" || !under ? null : quantity.factor[column] / under;
    }
    const value = cell.s[PLACE[statistic]];
    return value === undefined ? null : value * (quantity.factor?.[column] ?? 1);
}

/** The ends of the chosen band, or null. */
function bandOf(quantity, algorithm, column) {
    const names = { interval: ["low", "high"], range: ["min", "max"] }[state.band];
    if (!names || (state.statistic !== "med" && state.band === "interval") || state.statistic === "std") return null;
    const ends = names.map(name => figure(quantity, algorithm, column, name));
    return ends.includes(null) ? null : ends;
}

/** Rank, ratio to the best and its interval, or null. */
const rankOf = (quantity, algorithm, column) => cellOf(quantity, algorithm, column)?.r ?? null;
const markOf = (quantity, algorithm, column) => cellOf(quantity, algorithm, column)?.mark ?? "";
const overallOf = quantity => quantity.overall ?? (quantity.of === undefined ? null : data.quantities[quantity.of].overall);
const legendOf = quantity => quantity.legend ?? (quantity.of === undefined ? [] : data.quantities[quantity.of].legend ?? []);

/** Half of the interval of the median, in percent of its middle; null of one around 0. */
function halfWidth(quantity, algorithm, column) {
    const [low, high] = ["low", "high"].map(name => figure(quantity, algorithm, column, name));
    return low === null || high === null || low + high === 0 ? null : 100 * (high - low) / (high + low);
}

/** The algorithms that pass the filter: each has one of its words in its name. */
function passing() {
    const words = state.filter.toLowerCase().split(/[\s,]+/).filter(word => word);
    const passes = ({ id }) => !words.length || words.some(word => id.toLowerCase().includes(word));
    return algorithms.filter(passes);
}
const areMany = () => algorithms.length > MANY;
const shown = () => areMany() ? passing() : passing().filter(({ index }) => !state.off.has(index));

/** The algorithms in the order of their ranks over all values, if the quantity has ranks and no other order was asked for. */
function ranked(list, quantity) {
    const overall = data.ordered ? null : overallOf(quantity);
    if (!overall) return list;
    const order = ({ index }) => [overall[index]?.[0] ?? Infinity, overall[index]?.[1][0] ?? Infinity];
    return [...list].sort((a, b) => {
        const [[rank, mean], [other, otherMean]] = [order(a), order(b)];
        return rank === other ? (mean === otherMean ? 0 : mean - otherMean) : rank - other;
    });
}

/**
 * The algorithms with a colour in the drawing of a quantity: all of few; of many, those that are picked, and those that are best at
 * the most values that are shown.
 */
function coloured(quantity) {
    const list = shown();
    if (list.length <= MANY) return list;
    const times = new Map();
    for (const column of columns()) {
        const known = list.filter(({ index }) => figure(quantity, index, column, state.statistic) !== null);
        let best = known.filter(({ index }) => markOf(quantity, index, column) === "+");
        if (!best.length && known.length) {
            const value = ({ index }) => figure(quantity, index, column, state.statistic);
            best = [known.reduce((one, other) => value(other) < value(one) ? other : one)];
        }
        for (const { index } of best) times.set(index, (times.get(index) ?? 0) + 1);
    }
    const best = new Set([...times].sort((a, b) => b[1] - a[1]).slice(0, MANY).map(([index]) => index));
    const chosen = list.filter(({ index }) => state.picked.has(index) || best.has(index));
    giveLooks(chosen);
    return chosen;
}

/**
 * Gives some of many algorithms looks that differ: each keeps its colour and its marker if no other has them. Those that share a colour
 * differ in their markers.
 */
function giveLooks(list) {
    const all = part => [...new Set(data.algorithms.map(algorithm => algorithm[part]))];
    const [colours, markers] = [all("colour"), all("marker")];
    const taken = new Map(colours.map(colour => [colour, []]));
    for (const algorithm of list) {
        const own = data.algorithms[algorithm.index];
        const from = colours.indexOf(own.colour);
        const order = [...colours.slice(from), ...colours.slice(0, from)];
        const colour = order.reduce((one, other) => taken.get(other).length < taken.get(one).length ? other : one);
        const choices = [own.marker, ...markers];
        const anywhere = [...taken.values()].flat();
        const marker = choices.find(name => !anywhere.includes(name)) ?? choices.find(name => !taken.get(colour).includes(name)) ?? own.marker;
        taken.get(colour).push(marker);
        Object.assign(algorithm, { colour, marker });
    }
}

/** The decimals of a column: none of whole numbers, else three digits of the smallest. */
function decimals(values) {
    const known = values.filter(value => value !== null);
    if (known.every(Number.isInteger)) return 0;
    const smallest = Math.min(...known.filter(value => value !== 0).map(Math.abs));
    return Math.min(6, Math.max(1, 2 - Math.floor(Math.log10(smallest))));
}
/** With so many decimals and groups of three digits. An exact half goes to the even digit, as where no script runs. */
function grouped(value, digits) {
    const exact = value.toFixed(digits + 40);
    const [cut, tail] = [exact.slice(0, -40), exact.slice(-40)];
    const stays = /^50*$/.test(tail) && "02468".includes(cut.replace(".", "").at(-1));
    const [whole, part] = (stays ? cut : value.toFixed(digits)).split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? `.${part}` : "");
}
/** A number by itself, with four digits at least. */
const written = value => grouped(value, Number.isInteger(value) ? 0 : Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))))));

const escaped = text => String(text).replace(/[&<>"]/g, sign => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const capitalised = text => text.charAt(0).toUpperCase() + text.slice(1);
const unitOf = quantity => quantity.unit ? ` in ${quantity.unit}` : "";
const withUnit = (quantity, text) => quantity.unit ? `${text} ${quantity.unit}` : text;

"use strict";
// Looks up and formats the figures of the run.

const data = JSON.parse(document.getElementById("data").textContent);
const algorithms = data.algorithms.map((algorithm, index) => ({ ...algorithm, index }));

const STATISTICS = { med: "median", min: "least", avg: "mean", max: "greatest", std: "standard deviation" };
const PLACE = { min: 0, med: 1, avg: 2, max: 3, std: 4, low: 5, high: 6 };
// A quantity per time has its maximum at the minimum of the time.
const MIRRORED = { min: "max", max: "min", low: "high", high: "low" };

/** What the page shows: the choices of its reader. */
const state = {
    quantity: 0, statistic: "med", band: "interval", from: 0, to: data.axis.values.length - 1,
    logX: true, logY: true, off: new Set(), filter: "", column: null, down: false, strong: null,
};

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
const shown = () => passing().filter(({ index }) => !state.off.has(index));

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

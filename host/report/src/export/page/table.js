// The table of a quantity, and the list of the algorithms with their overall rank.

/** Among the best is only what is known to take less than this many times as long as the best; the host has the same number. */
const WIDEST_TIE = 2;

/** So many columns have room for two figures beside each other. */
const ROOMY = 10;

/** So many rows of a table of many algorithms are shown before the reader asks for all: more take long to lay out. */
const ROWS = 40;

/** The algorithms that are shown, in the order that was asked for; those without a figure last. */
function rows() {
    const by = state.column;
    const list = shown();
    if (by === null) return ranked(list, quantityNow());
    const value = ({ id, index }) => by === "algorithm" ? id : figure(quantityNow(), index, by, state.statistic);
    return sortedBy(list, value, state.down);
}

/** What stands in a cell: the figure with its mark, whether nobody is known to be better, and what is said below. */
function told(quantity, algorithm, column, digits) {
    const value = figure(quantity, algorithm, column, state.statistic);
    if (value === null) {
        const words = cellOf(quantity, algorithm, column) ? "-" : data.absent[algorithm][column];
        return { text: words || "-", kind: words ? "status" : "faint" };
    }
    const [rank, ratio] = rankOf(quantity, algorithm, column) ?? [];
    const mark = state.statistic === "med" ? markOf(quantity, algorithm, column) : "";
    const width = state.statistic === "med" ? halfWidth(quantity, algorithm, column) : null;
    return {
        value, text: grouped(value, digits), mark, best: mark === "+", kind: mark === "+" ? "best" : "",
        ratio: mark !== undefined && state.statistic === "med" && ratio !== undefined && mark !== "+" ? `× ${ratio.toFixed(2)}` : "",
        known: width === null ? "" : `± ${width.toFixed(1)} %`,
    };
}

const digitsOf = quantity =>
    decimals(shown().flatMap(({ index }) => columns().map(column => figure(quantity, index, column, state.statistic))));

function drawTable() {
    const quantity = quantityNow();
    const digits = digitsOf(quantity);
    const list = rows();
    const some = state.all || !areMany() ? list : list.slice(0, ROWS);
    const body = some.map(({ id, index }) => {
        const cells = columns().map(column => {
            const { text, mark, kind, ratio, known } = told(quantity, index, column, digits);
            const below = [ratio, known].filter(words => words).map(words => `<span>${words}</span>`).join(" ");
            return `<td class="${kind}" tabindex="-1" data-algorithm="${index}" data-column="${column}">${escaped(text)}${escaped(mark ?? "")}${below && `<small>${below}</small>`}</td>`;
        });
        return `<tr><th scope="row">${escaped(id)}</th>${cells.join("")}</tr>`;
    });
    document.getElementById("table").innerHTML = `<table class="${columns().length > ROOMY ? "" : "roomy"}" style="--columns: ${columns().length}"><thead><tr>${sortingHead("algorithm", "algorithm", state)}${
        columns().map(column => sortingHead(column, data.axis.labels[column], state)).join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
    element("rest").hidden = list.length <= ROWS || !areMany();
    element("rest").innerHTML = some.length < list.length
        ? `The first ${some.length} of ${list.length} rows. <button type="button" data-rows="all">all rows</button>`
        : `<button type="button" data-rows="some">the first ${ROWS} rows</button>`;
    hintAtColumns(element("table"));
    // Tab reaches one cell, and the arrow keys lead to the others.
    document.querySelector("#table td")?.setAttribute("tabindex", "0");
}

/** The order of the list of algorithms: the ranks, unless a head was clicked. */
let listOrder = { column: null, down: false };

/** The algorithms of the list in its order. */
function listed(quantity) {
    const ranks = ranked(passing(), quantity);
    const overall = overallOf(quantity);
    const { column, down } = overall || listOrder.column === "algorithm" ? listOrder : { column: null };
    if (column === null) return ranks;
    const values = {
        algorithm: ({ id }) => id,
        rank: ({ index }) => overall[index]?.[0] ?? null,
        mean: ({ index }) => overall[index]?.[1][0] ?? null,
    };
    return sortedBy(ranks, values[column], down);
}

/** The list of algorithms: each can be switched off, and has its place over all values where that is known. */
function drawList() {
    const quantity = quantityNow();
    const overall = overallOf(quantity);
    const place = ({ index }) => overall?.[index];
    const counted = Math.max(...(overall ?? []).map(known => known?.[2] ?? 0));
    const sorted = listed(quantity);
    const strong = new Set(coloured(quantity));
    const standing = algorithm => {
        const known = place(algorithm);
        if (!known) return "<td>-</td><td>-</td>";
        const [rank, [mean, low, high], values] = known;
        const some = rank === null ? ` title="of the ${values} ${escaped(data.axis.plural)} that it did: no rank"` : "";
        return `<td class="${rank === 1 && high < WIDEST_TIE ? "best" : ""}">${rank ?? "-"}</td><td${some}>${mean.toFixed(2)}<small>${low.toFixed(2)} to ${high.toFixed(2)}</small></td>`;
    };
    const line = algorithm => {
        const isOn = areMany() ? state.picked.has(algorithm.index) : !state.off.has(algorithm.index);
        const sign = strong.has(algorithm) || !areMany() ? key(algorithm) : "";
        const name = `<label><input type="checkbox" data-switch="${algorithm.index}"${isOn ? " checked" : ""}> ${sign} ${escaped(algorithm.id)}</label>`;
        return `<tr data-algorithm="${algorithm.index}"><th scope="row">${name}</th>${overall ? standing(algorithm) : ""}</tr>`;
    };
    const heading = (overall ? ["algorithm", "rank", "mean"] : ["algorithm"]).map(name => sortingHead(name, name, listOrder)).join("");
    const caption = overall ? `<caption>Rank by ${escaped(quantity.over || quantity.of !== undefined ? "the time" : quantity.name)} over ${counted < data.axis.values.length ? `${counted} of the ${data.axis.values.length}` : "all"} ${escaped(data.axis.plural)}; mean: times as long as the best</caption>` : "";
    const buttons = `<p class="tools"><button type="button" data-all="on">${areMany() ? "pick all" : "all"}</button> <button type="button" data-all="off">${areMany() ? "pick none" : "none"}</button></p>`;
    const some = state.all || !areMany() ? sorted : sorted.filter((algorithm, i) => i < ROWS || state.picked.has(algorithm.index));
    const more = some.length < sorted.length ? `<p class="tools">${some.length} of ${sorted.length} <button type="button" data-rows="all">all</button></p>` : "";
    const grey = areMany() && strong.size < sorted.length
        ? `<p class="legend">In colour: the best, and what is picked here. Grey: ${sorted.length - strong.size} others.</p>` : "";
    document.querySelector(".view").classList.toggle("many", areMany());
    document.getElementById("overall").innerHTML =
        `${grey}${buttons}<table>${caption}<thead><tr>${heading}</tr></thead><tbody>${some.map(line).join("")}</tbody></table>${more}`;
}

/** Everything that is known of a cell, in a line. */
function sentence(quantity, algorithm, column) {
    const head = `${algorithms[algorithm].id}, ${data.axis.headings[column]}`;
    if (figure(quantity, algorithm, column, "med") === null) return `${head}: ${data.absent[algorithm][column] || data.dash}`;
    const say = name => figure(quantity, algorithm, column, name) === null ? "" : withUnit(quantity, written(figure(quantity, algorithm, column, name)));
    const parts = Object.entries(STATISTICS).map(([name, words]) => [words, say(name)]).filter(([, said]) => said);
    const interval = say("low") && `; 95 % interval of the median ${say("low")} to ${say("high")}`;
    const [rank, ratio, low, high] = rankOf(quantity, algorithm, column) ?? [];
    const standing = rank === undefined ? "" : rank === 1 ? "; best, or tied with it"
        : `; rank ${rank}, × ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) the time of the best`;
    return `${head}: ${parts.map(([words, said]) => `${words} ${said}`).join(", ")}${interval}${standing}; ${data.repetitions[algorithm][column]} repetitions`;
}

/** Says above a table how many of its columns lie beyond its right edge, because scroll bars may be invisible. */
function hintAtColumns(box) {
    const edge = box.getBoundingClientRect().right;
    const beyond = [...box.querySelectorAll("thead th")].filter(head => head.getBoundingClientRect().right > edge + 1).length;
    if (!box.previousElementSibling?.classList.contains("more")) {
        box.before(Object.assign(document.createElement("p"), { className: "legend more" }));
    }
    box.previousElementSibling.textContent = beyond ? `${beyond} more column${beyond === 1 ? "" : "s"} to the right →` : "";
    box.classList.toggle("cut", beyond > 0);
}

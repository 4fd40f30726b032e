// The orders of rows that a click on the head of a column chooses.

/** The order after a click: ascending by the column, descending, and the first order again. */
function turned(order, column) {
    if (order.column !== column) return { column, down: false };
    return order.down ? { column: null, down: false } : { column, down: true };
}

/** The head of a column, which shows by what the rows are sorted; `words` are HTML. */
function sortingHead(column, words, order) {
    const sorted = order.column === column ? (order.down ? "descending" : "ascending") : "none";
    const arrow = { ascending: " ▲", descending: " ▼", none: "" }[sorted];
    return `<th scope="col" aria-sort="${sorted}"><button type="button" data-sort="${column}" title="sort">${words}${arrow}</button></th>`;
}

/** The column whose head was clicked, beside its words too; undefined elsewhere. */
const columnOf = event => event.target.closest("th")?.querySelector("[data-sort]")?.dataset.sort;

/** Compares two names by their words and numbers: hash3 comes before hash12. */
const byName = (one, other) => one.localeCompare(other, undefined, { numeric: true });

/** Sorts by a name or by a figure; rows without a figure come last in both directions. */
function sortedBy(list, valueOf, down) {
    const turn = down ? -1 : 1;
    return [...list].sort((a, b) => {
        const [one, other] = [valueOf(a), valueOf(b)];
        if (one === null || other === null) return (one === null) - (other === null);
        return turn * (typeof one === "string" ? byName(one, other) : one - other);
    });
}

/** The value of a cell: the name in the first column, and the first number of its text in the others. */
function valueOfCell(row, column) {
    const words = row.cells[column].textContent;
    const number = parseFloat(words.replaceAll(",", ""));
    return column === 0 ? words.trim() : Number.isNaN(number) ? null : number;
}

/** Sorts a table that does not depend on the choices of the reader by the clicks on its heads. */
function letSort(table) {
    const [head, body] = [table.tHead.rows[0], table.tBodies[0]];
    const [words, first] = [[...head.cells].map(cell => cell.innerHTML), [...body.rows]];
    let order = { column: null, down: false };
    const drawHeads = () => { head.innerHTML = words.map((word, column) => sortingHead(column, word, order)).join(""); };
    drawHeads();
    head.addEventListener("click", event => {
        const clicked = columnOf(event);
        if (clicked === undefined) return;
        order = turned(order, Number(clicked));
        const { column, down } = order;
        body.append(...(column === null ? first : sortedBy(first, row => valueOfCell(row, column), down)));
        drawHeads();
        head.querySelector(`[data-sort="${clicked}"]`).focus();
    });
}

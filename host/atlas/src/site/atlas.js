"use strict";
// Sorts and searches the tables of a page. Without it, each page shows the same.

/** What a cell is sorted by: the number in `data-value`, or its text. Cells without a value come last. */
function sortKey(row, column) {
    const cell = row.cells[column];
    const value = cell.dataset.value;
    if (value === undefined) return cell.textContent.trim();
    return value === "" ? null : Number(value);
}

function compare(one, other) {
    if (one === null || other === null) return (one === null) - (other === null);
    return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en", { numeric: true });
}

function sortBy(table, column, heading) {
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].map(row => [sortKey(row, column), row]);
    rows.sort(([one], [other]) => (one === null || other === null || !down ? compare(one, other) : compare(other, one)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...heading.childNodes);
        heading.append(button);
        if (!heading.hasAttribute("aria-sort")) heading.setAttribute("aria-sort", "none");
        button.onclick = () => sortBy(table, column, heading);
    });
}

/** A field that shows the rows that have all of its words. */
for (const form of document.querySelectorAll("form.search")) {
    const table = document.getElementById(form.dataset.table);
    const rows = [...table.tBodies[0].rows].map(row => [row.textContent.toLowerCase(), row]);
    const field = form.querySelector("input");
    const found = form.querySelector("output");
    const search = () => {
        const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
        let count = 0;
        for (const [text, row] of rows) {
            row.hidden = !words.every(word => text.includes(word));
            count += !row.hidden;
        }
        found.textContent = words.length ? `${count} of ${rows.length}` : "";
    };
    field.oninput = search;
    form.onsubmit = event => event.preventDefault();
    form.hidden = false;
    search();
}

/** Menus that show the rows whose cells are as chosen. */
for (const form of document.querySelectorAll("form.filter")) {
    const rows = [...document.getElementById(form.dataset.table).tBodies[0].rows];
    const menus = [...form.querySelectorAll("select")];
    const filter = () => {
        const fits = row => menus.every(({ value, dataset }) => value === "" || row.cells[dataset.column].textContent === value);
        for (const row of rows) row.hidden = !fits(row);
        form.querySelector("output").textContent = rows.every(row => row.hidden) ? "No run measured this." : "";
    };
    form.onchange = filter;
    form.onsubmit = event => event.preventDefault();
    form.hidden = false;
    filter();
}

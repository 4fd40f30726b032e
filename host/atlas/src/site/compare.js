"use strict";
// Compares the two algorithms that the address names.
{
    const data = JSON.parse(document.getElementById("figures").textContent);
    const byFile = new Map(data.algorithms.map(algorithm => [algorithm.file, algorithm]));
    const asked = new URLSearchParams(location.search);
    const chosen = ["a", "b"].map(key => {
        const menu = document.getElementById(key);
        if (byFile.has(asked.get(key))) menu.value = asked.get(key);
        return byFile.get(menu.value);
    });
    const place = document.getElementById("comparison");

    const element = (tag, text, ...children) => {
        const made = document.createElement(tag);
        made.append(text, ...children);
        return made;
    };
    const number = (value, digits) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const link = (text, href) => Object.assign(element("a", text), { href });

    /** A table with these headings and rows, in a box that scrolls. */
    const table = (headings, rows) => {
        const head = element("tr", "");
        for (const heading of headings) head.append(Object.assign(element("th", heading), { scope: "col" }));
        const body = rows.map(([first, ...cells]) => element("tr", Object.assign(element("th", first), { scope: "row" }), ...cells));
        const made = element("table", element("thead", head), element("tbody", "", ...body));
        return Object.assign(element("div", made), { className: "scroll" });
    };
    const time = cell => {
        if (cell === null || cell === undefined) return element("td", "-");
        if (typeof cell === "string") return Object.assign(element("td", cell), { className: "status" });
        const [median, low, high] = cell;
        return low === undefined ? element("td", number(median, 2)) : element("td", number(median, 2), element("small", `${number(low, 2)} to ${number(high, 2)}`));
    };
    /** The time of a call, or the status if there is none. */
    const timeOf = (cell, call) => (Array.isArray(cell) ? cell[call] : cell);
    const ratio = (one, other) => (Array.isArray(one) && Array.isArray(other) && one[0] > 0 ? number(other[0] / one[0], 2) : "-");

    const [a, b] = chosen;
    if (a && b) {
        const title = `${a.id} and ${b.id}`;
        document.querySelector("h1").textContent = `${title}, compared`;
        place.append(element("p", link(a.id, `algorithm/${a.file}.html`), `: ${a.name}; `, link(b.id, `algorithm/${b.file}.html`), `: ${b.name}`));
        if (a.traced && b.traced) place.append(element("p", link("Play both searches side by side", `trace.html?a=${a.file}&b=${b.file}`)));
        data.timed.forEach((run, index) => {
            place.append(element("h2", run.name));
            for (const [call, heading] of ["Search", "Preparation and search"].entries()) {
                const rows = run.lengths.map((length, at) => {
                    const [one, other] = [a, b].map(({ times }) => timeOf(times[index][at], call));
                    return [String(length), time(one), time(other), element("td", ratio(one, other))];
                });
                place.append(element("h3", heading), table(["pattern length", a.id, b.id, `${b.id} / ${a.id}`], rows));
            }
            const command = element("pre", `assay report ${run.id} --claim ${a.id} ${b.id}`);
            place.append(command);
        });
        data.counted.forEach((run, index) => {
            place.append(element("h2", `${run.name}: counts for each character of the text`));
            const count = value => element("td", value === null || value === undefined ? "-" : number(value, 3));
            const rows = run.lengths.flatMap((length, at) => data.counts.map((name, field) => {
                return [`${length}: ${name}`, count(a.counts[index][at]?.[field]), count(b.counts[index][at]?.[field])];
            }));
            place.append(table(["pattern length", a.id, b.id], rows));
        });
    }
}

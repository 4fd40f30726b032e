// Writes the table as text for other programs and for papers: to the clipboard, or into a file.

/** The table that is shown: its heading, and rows of cells. */
function grid() {
    const quantity = quantityNow();
    const digits = digitsOf(quantity);
    const heading = ["algorithm", ...columns().map(column => data.axis.labels[column])];
    const lines = rows().map(({ id, index }) => ({ id, cells: columns().map(column => told(quantity, index, column, digits)) }));
    const best = lines.some(({ cells }) => cells.some(cell => cell.best));
    const caption = `${capitalised(quantity.name)}${unitOf(quantity)} (${STATISTICS[state.statistic]}) by ${data.axis.title}.`
        + `${best ? " Bold: best, or not known to be slower than the best (paired by pattern)." : ""} ${data.caption}`;
    return { heading, lines, caption };
}

/** Lines of cells as CSV. */
function commaSeparated(lines) {
    const quoted = word => /[",\n]/.test(word) ? `"${String(word).replaceAll('"', '""')}"` : word;
    return lines.map(cells => cells.map(quoted).join(",")).join("\n") + "\n";
}

/** Every figure of the page: a line for each algorithm, value of the range and quantity that was measured. */
function allFigures() {
    const ends = ["low", "high"];
    const heading = [...(runs.length > 1 ? ["run"] : []), "algorithm", data.axis.name, "quantity", "unit", ...Object.values(STATISTICS), ...ends];
    const lines = [];
    const before = data;
    for (const run of runs) {
        data = run.data;
        for (const quantity of data.quantities.filter(({ cells }) => cells)) {
            data.algorithms.forEach(({ id }, algorithm) => data.axis.labels.forEach((label, column) => {
                if (!cellOf(quantity, algorithm, column)) return;
                const figures = [...Object.keys(STATISTICS), ...ends].map(name => figure(quantity, algorithm, column, name) ?? "");
                lines.push([...(runs.length > 1 ? [run.name] : []), id, label, quantity.name, quantity.unit, ...figures]);
            }));
        }
    }
    data = before;
    return commaSeparated([heading, ...lines]);
}

/** Hands a text over as a file. */
function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    say(`downloaded: ${name}`);
}

const FORMS = {
    csv() {
        const { heading, lines } = grid();
        return commaSeparated([heading, ...lines.map(({ id, cells }) => [id, ...cells.map(({ value }) => value ?? "")])]);
    },
    markdown() {
        const { heading, lines, caption } = grid();
        const safe = word => word.replace(/[|\\*_<]/g, "\\$&");
        const cell = ({ text, best }) => best ? `**${text}**` : safe(text);
        const line = cells => `| ${cells.join(" | ")} |`;
        const rule = line(heading.map((_, i) => i ? "---:" : "---"));
        const body = lines.map(({ id, cells }) => line([safe(id), ...cells.map(cell)]));
        return [line(heading), rule, ...body, "", safe(caption)].join("\n") + "\n";
    },
    latex() {
        const { heading, lines, caption } = grid();
        const names = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "µ": "\\textmu{}", "×": "$\\times$" };
        const safe = word => word.replace(/[\\~^µ×{}%$&#_]/g, sign => names[sign] ?? `\\${sign}`);
        const cell = ({ text, best }) => best ? `\\textbf{${safe(text)}}` : safe(text);
        const line = cells => `${cells.join(" & ")} \\\\`;
        const body = lines.map(({ id, cells }) => line([safe(id), ...cells.map(cell)]));
        return [
            "\\begin{table}", "\\centering", `\\caption{${safe(caption)}}`, `\\begin{tabular}{l${"r".repeat(heading.length - 1)}}`,
            "\\toprule", line(heading), "\\midrule", ...body, "\\bottomrule", "\\end{tabular}", "\\end{table}",
        ].join("\n") + "\n";
    },
};

/** Puts the table on the clipboard; where the browser does not let a page do so, through a selection. */
async function copy(form) {
    const text = FORMS[form]();
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        if (!done) return say("the browser does not let this page copy");
    }
    const count = rows().length;
    say(`copied: ${count} row${count === 1 ? "" : "s"}`);
}
const say = words => { document.getElementById("copied").textContent = words; };

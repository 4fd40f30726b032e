// Runs inside a page: does what a reader would, and tells the test what is seen then.
addEventListener("load", async () => {
    const told = { faults: window.faults, width: innerWidth, wide: document.documentElement.scrollWidth };
    const one = selector => document.querySelector(selector);
    const all = selector => [...document.querySelectorAll(selector)];
    const texts = selector => all(selector).map(found => found.textContent.trim());
    const choose = (id, value) => {
        if (value === undefined) one(id).click();
        else {
            one(id).value = value;
            one(id).dispatchEvent(new Event("input", { bubbles: true }));
        }
    };
    const key = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const lines = () => new Set(all("#chart .line").map(line => line.dataset.algorithm)).size;
    const figures = () => all("#table tbody tr").map(row => [...row.querySelectorAll("td")].map(cell => cell.firstChild.data));
    const names = () => texts("#table tbody th");
    const seen = () => ({ heading: one("#heading").textContent.trim(), lines: lines(), names: names(), figures: figures() });
    // Words of the chart that lie outside of the window, or on others; those aslant lie on others by their boxes alone.
    const box = found => found.getBoundingClientRect();
    const cut = () => all("#chart text").filter(found => box(found).left < 0 || box(found).right > document.documentElement.clientWidth).map(found => found.textContent);
    const overlapping = () => {
        const level = all("#chart text:not([transform])");
        const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
        return level.flatMap((one, i) => level.slice(i + 1).filter(other => meet(box(one), box(other))).map(other => `${one.textContent} ${other.textContent}`));
    };
    const aslant = () => all("#chart text[transform]").slice(1).map(found => found.getCTM().e);
    const copied = [];
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async text => { copied.push(text); } } });
    try {
        told.first = seen();
        told.before = window.before;
        told.after = one("#table tbody").textContent.replace(/\s/g, "");
        told.ranks = texts("#overall tbody td:nth-child(2)");
        told.listed_order = texts("#overall tbody th");
        told.best = all("#table td.best").length;
        told.table = one("#table table").getBoundingClientRect().toJSON();
        told.columns = texts("#table thead th");
        told.quantities = texts("#quantity option");
        told.multiples = texts("#multiples span");
        told.joined = all("#chart .line > path[fill=none]").length > 0;
        told.cut = cut();
        told.overlapping = overlapping();
        told.aslant = aslant();
        told.marks = all("#chart .mark").length;
        told.titles = texts("#chart text title");
        told.log_x = !one("#log-x").parentElement.hidden;
        told.explained = all("#multiples button").every(button => button.title.length > 10);

        one("#overall [data-switch='0']").click();
        told.without_first = seen();
        one("#overall [data-all='off']").click();
        told.none = { lines: lines(), names: names(), said: one("#chart").textContent };
        one("#overall [data-all='on']").click();
        told.again = seen();

        told.log_ticks = texts("#chart text");
        choose("#log-y");
        told.linear_ticks = texts("#chart text");
        choose("#log-y");

        choose("#statistic", "min");
        told.least = seen();
        choose("#statistic", "med");
        const option = all("#quantity option").find(option => option.textContent.startsWith("throughput"));
        if (option) {
            choose("#quantity", option.value);
            told.throughput = seen();
            choose("#quantity", "0");
        }
        choose("#from", "1");
        choose("#to", "2");
        told.range = texts("#table thead th");
        choose("#from", "0");
        choose("#to", String(all("#to option").length - 1));

        for (const click of ["up", "down", "back"]) {
            // Anywhere in the head, not at its word alone.
            one("#table [data-sort='1']").closest("th").click();
            told[click] = { figures: figures().map(row => row[1]), names: names(), sorted: texts("#table [aria-sort]:not([aria-sort=none])") };
        }
        told.focus = document.activeElement.dataset.sort;
        // The list beside the chart, and a table that no choice changes.
        const sortedBy = (table, name, cells) => [1, 2, 3].map(() => {
            one(`${table} [data-sort='${name}']`).closest("th").click();
            return all(`${table} ${cells}`).map(cell => (cell.querySelector("label") ?? cell.firstChild).textContent.trim());
        });
        told.list_by_name = sortedBy("#overall", "algorithm", "tbody th");
        if (one("#overall [data-sort=mean]")) told.list_by_mean = sortedBy("#overall", "mean", "tbody td:nth-of-type(2)");
        if (one("table.sorts")) told.starts_by_load = sortedBy("table.sorts", "2", "tbody td:nth-of-type(2)");

        choose("#filter", "bn");
        told.filtered = seen();
        told.address = location.hash;
        const files = [];
        URL.createObjectURL = blob => { files.push(blob); return "data:text/csv,"; };
        for (const what of ["table", "all"]) one(`[data-download=${what}]`).click();
        told.downloaded = await Promise.all(files.map(file => file.text()));
        for (const form of ["csv", "markdown", "latex"]) {
            one(`[data-copy=${form}]`).click();
            await new Promise(done => setTimeout(done, 20));
        }
        told.copied = copied;
        told.said = one("#copied").textContent;
        choose("#filter", "");

        const point = box(one("#chart .line g[transform]"));
        one("#chart svg").dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: point.x + point.width / 2, clientY: point.y + point.height / 2 }));
        told.tip = one("#tip").textContent;
        told.listed = texts("#tip tr td:first-child");
        told.live = one("#tip").getAttribute("role");
        told.guide = one("#chart .guide")?.getAttribute("d") ?? null;
        told.weak = all("#chart .line.weak").length > 0;
        key(one("#chart svg"), "Escape");
        told.escaped = one("#tip").textContent === "";
        key(one("#chart svg"), "ArrowRight");
        key(one("#chart svg"), "ArrowRight");
        told.along = one("#tip").textContent;

        const cell = one("#table td[tabindex='0']");
        cell.focus();
        told.cell = one("#detail").textContent;
        key(cell, "ArrowRight");
        told.next = one("#detail").textContent;

        const buttons = all("#multiples button");
        if (buttons.length > 1) {
            buttons[1].click();
            told.second = seen();
        }
        // A view that is linked is the same view.
        const link = new URLSearchParams({ show: "search time", statistic: "min", to: told.columns.at(-2), filter: "b", sort: told.columns[1] });
        location.hash = link;
        await new Promise(done => setTimeout(done, 20));
        told.linked = { ...seen(), columns: texts("#table thead th"), statistic: one("#statistic").value, filter: one("#filter").value };
    } catch (fault) {
        told.faults.push(String(fault.stack));
    }
    parent.postMessage(JSON.stringify(told), "*");
});

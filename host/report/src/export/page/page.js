// Applies the choices of the reader to the page.

/** Headings and everything below them. */
function draw() {
    const quantity = quantityNow();
    element("heading").innerHTML = `${escaped(capitalised(quantity.name))} <small>${escaped(unitOf(quantity))}</small>`;
    element("about").textContent = quantity.about;
    element("legend").innerHTML = legendOf(quantity).map(line => `<p>${escaped(line)}</p>`).join("");
    element("detail").textContent = "";
    for (const part of document.querySelectorAll("[data-run]")) part.hidden = Number(part.dataset.run) !== state.run;
    // The list does not take width from the chart.
    drawList();
    drawChart();
    drawTable();
    drawMultiples();
    say("");
    document.querySelectorAll(".scroll").forEach(hintAtColumns);
    keepInAddress();
}

/** A small drawing of each quantity, if there are several. */
function drawMultiples() {
    const measured = data.quantities.map((quantity, index) => ({ quantity, index })).filter(({ quantity }) => quantity.cells);
    element("others").hidden = measured.length < 2;
    if (measured.length < 2) return;
    element("multiples").innerHTML = measured.map(({ quantity, index }) =>
        `<button type="button" data-quantity="${index}" title="${escaped(quantity.about)}" aria-pressed="${index === state.quantity}">`
        + `<span>${escaped(quantity.name)}<small>${escaped(unitOf(quantity))}</small></span>${chart(quantity, 250, 150, true).svg}</button>`).join("");
}

const option = (value, words, title = "") => `<option value="${value}"${title && ` title="${escaped(title)}"`}>${escaped(words)}</option>`;

function fillChoices() {
    const groups = new Map();
    data.quantities.forEach((quantity, index) => {
        groups.set(quantity.group, (groups.get(quantity.group) ?? "") + option(index, quantity.name + unitOf(quantity), quantity.about));
    });
    element("quantity").innerHTML = [...groups].map(([group, options]) => `<optgroup label="${escaped(group)}">${options}</optgroup>`).join("");
    element("statistic").innerHTML = Object.entries(STATISTICS).map(([name, words]) => option(name, words)).join("");
    const values = data.axis.labels.map((label, index) => option(index, label)).join("");
    element("from").innerHTML = element("to").innerHTML = values;
    for (const id of ["from", "to"]) element(id).parentElement.hidden = data.axis.values.length === 1;
    element("log-x").parentElement.hidden = !data.axis.scale || data.axis.values.length === 1;
    for (const name of ["quantity", "statistic", "band", "from", "to", "filter"]) element(name).value = state[name];
    element("log-x").checked = state.logX;
    element("log-y").checked = state.logY;
    element("runs").hidden = runs.length === 1;
    element("runs-list").innerHTML = runs.map(({ name }, index) =>
        `<label><input type="radio" name="run" value="${index}"${index === state.run ? " checked" : ""}> ${escaped(name)}</label>`).join("");
}

/** Shows what names say: those of the address, or those of the choices in another run. */
function show(names) {
    chooseNamed(names);
    fillChoices();
    draw();
}

/** Reads all choices again: the form is where they are kept. */
function choose(event) {
    if (event?.target.name === "run") {
        const { run, ...names } = named();
        show({ ...names, run: runs[Number(event.target.value)].name });
        element("runs-list").querySelector(":checked").focus();
        return;
    }
    state.quantity = Number(element("quantity").value);
    state.statistic = element("statistic").value;
    state.band = element("band").value;
    [state.from, state.to] = [Number(element("from").value), Number(element("to").value)].sort((a, b) => a - b);
    state.logX = element("log-x").checked;
    state.logY = element("log-y").checked;
    state.filter = element("filter").value;
    draw();
}

function listen() {
    element("choices").addEventListener("input", choose);
    element("choices").addEventListener("submit", event => event.preventDefault());
    element("table").addEventListener("click", event => {
        const column = columnOf(event);
        if (column === undefined) return;
        Object.assign(state, turned(state, column === "algorithm" ? column : Number(column)));
        drawTable();
        keepInAddress();
        element("table").querySelector(`[data-sort="${column}"]`).focus();
    });
    element("overall").addEventListener("change", event => {
        const index = Number(event.target.dataset.switch);
        switchOn([index], event.target.checked);
        draw();
        element("overall").querySelector(`[data-switch="${index}"]`).focus();
    });
    element("overall").addEventListener("click", event => {
        const column = columnOf(event);
        if (column !== undefined) {
            listOrder = turned(listOrder, column);
            drawList();
            element("overall").querySelector(`[data-sort="${column}"]`).focus();
        }
        const all = event.target.dataset.all;
        if (!all) return;
        switchOn(passing().map(({ index }) => index), all === "on");
        draw();
        element("overall").querySelector(`[data-all="${all}"]`).focus();
    });
    element("overall").addEventListener("pointerover", event => {
        bringOut(event.target.closest("tr")?.dataset.algorithm ?? null);
    });
    element("overall").addEventListener("pointerleave", () => bringOut(null));
    element("multiples").addEventListener("click", event => {
        const index = event.target.closest("[data-quantity]")?.dataset.quantity;
        if (index === undefined) return;
        element("quantity").value = index;
        choose();
        element("heading").scrollIntoView({ block: "start" });
    });
    element("tools").addEventListener("click", event => {
        const { copy: form, download: what } = event.target.dataset;
        if (form) copy(form);
        if (what === "table") download("table.csv", FORMS.csv());
        if (what === "all") download("figures.csv", allFigures());
    });
    document.addEventListener("click", event => {
        const rows = event.target.dataset?.rows;
        if (!rows) return;
        state.all = rows === "all";
        draw();
    });
    const boxes = document.querySelectorAll(".scroll");
    for (const box of boxes) box.addEventListener("scroll", () => hintAtColumns(box));
    for (const details of document.querySelectorAll("details")) details.addEventListener("toggle", () => boxes.forEach(hintAtColumns));
    document.querySelectorAll("table.sorts").forEach(letSort);
    addEventListener("hashchange", () => show(namesInAddress()));
    addEventListener("resize", () => {
        drawChart();
        boxes.forEach(hintAtColumns);
    });
}

/** Switches algorithms on or off: of many, they are picked or not. */
function switchOn(indices, isOn) {
    const [set, isMember] = areMany() ? [state.picked, isOn] : [state.off, !isOn];
    for (const index of indices) isMember ? set.add(index) : set.delete(index);
}

if (data.quantities.length) {
    listen();
    element("choices").hidden = element("tools").hidden = false;
    show(namesInAddress());
}

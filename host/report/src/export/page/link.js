// The choices of the reader in the address of the page, so that a view can be linked. Quantities, values and algorithms stand
// there by their names, which are the same in another run and in a page that was made again.

/** The choices as names; what nobody has chosen is left out. */
function named() {
    const usual = defaults();
    const ids = set => algorithms.filter(({ index }) => set.has(index)).map(({ id }) => id).join(",");
    const choices = {
        run: state.run ? runs[state.run].name : "",
        show: state.quantity ? quantityNow().name : "",
        statistic: state.statistic === usual.statistic ? "" : state.statistic,
        band: state.band === usual.band ? "" : state.band,
        from: state.from === usual.from ? "" : data.axis.labels[state.from],
        to: state.to === usual.to ? "" : data.axis.labels[state.to],
        x: state.logX === usual.logX ? "" : state.logX ? "log" : "linear",
        y: state.logY === usual.logY ? "" : state.logY ? "log" : "linear",
        off: ids(state.off),
        pick: ids(state.picked),
        filter: state.filter,
        sort: state.column === null ? "" : state.column === "algorithm" ? "algorithm" : data.axis.labels[state.column],
        order: state.down ? "down" : "",
        rows: state.all ? "all" : "",
    };
    return Object.fromEntries(Object.entries(choices).filter(([, value]) => value));
}

/** Chooses what these names say; a name that this run does not have chooses nothing. */
function chooseNamed(names) {
    const run = runs.findIndex(({ name }) => name === names.run);
    state.run = Math.max(0, run);
    data = runs[state.run].data;
    algorithms = numbered();
    const usual = defaults();
    const set = list => new Set(algorithms.filter(({ id }) => (list ?? "").split(",").includes(id)).map(({ index }) => index));
    const known = (list, value, otherwise) => list.includes(value) ? list.indexOf(value) : otherwise;
    const scaled = (value, otherwise) => value === "log" || (value !== "linear" && otherwise);
    const { labels } = data.axis;
    Object.assign(state, usual, {
        quantity: known(data.quantities.map(({ name }) => name), names.show, 0),
        statistic: names.statistic in STATISTICS ? names.statistic : usual.statistic,
        band: ["interval", "range", "none"].includes(names.band) ? names.band : usual.band,
        from: known(labels, names.from, usual.from),
        to: known(labels, names.to, usual.to),
        logX: scaled(names.x, usual.logX),
        logY: scaled(names.y, usual.logY),
        off: set(names.off),
        picked: set(names.pick),
        filter: names.filter ?? "",
        column: names.sort === "algorithm" ? names.sort : known(labels, names.sort, null),
        down: names.order === "down",
        all: names.rows === "all",
    });
    if (state.from > state.to) [state.from, state.to] = [state.to, state.from];
}

const namesInAddress = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Writes the choices into the address. */
function keepInAddress() {
    const words = new URLSearchParams(named()).toString();
    if (location.hash.slice(1) === words) return;
    try {
        history.replaceState(null, "", words ? `#${words}` : "#");
    } catch {
        // A page in a frame may have no address of its own.
    }
}

"use strict";

const traces = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
};
const shown = byte => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "\u00b7");
const named = byte => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : "\\x" + byte.toString(16).padStart(2, "0"));
const bytes = hex => hex.match(/../g).map(pair => parseInt(pair, 16));

/** What a trace looks like after each step, and where it is shown. */
class Panel {
    constructor(trace) {
        this.text = bytes(trace.text_hex);
        this.pattern = bytes(trace.pattern_hex);
        this.attempts = trace.attempts;
        this.reads = trace.attempts.flatMap(attempt => attempt.reads.map(read => read.event));
        this.ends = trace.attempts.map(attempt => attempt.end);
        this.section = element("section");
        this.section.append(element("h2", "", `${trace.id}: ${trace.name}`));
        const ending = trace.problem ?? (trace.missing ? `${trace.missing} more events were not recorded` : "");
        for (const notice of [ending, trace.unknown]) if (notice) this.section.append(element("p", "notice", notice));
        this.picture = element("div", "picture");
        this.counts = element("p", "counts");
        this.said = element("p", "said");
        this.said.setAttribute("role", "status");
        this.section.append(this.picture, this.counts, this.said);
        this.entries = new Map();
        this.listed = new Set(trace.tables.flatMap(({ number, listed }) => listed.map(([index]) => `${number} ${index}`)));
        this.lengths = new Map(trace.tables.map(({ number, entries }) => [number, entries]));
        for (const table of trace.tables) this.section.append(...this.table(table));
    }

    table({ number, entries, listed, others }) {
        const title = element("h3", "legend", `table ${number}: ${entries} ${entries === 1 ? "entry" : "entries"}`);
        const list = element("ul", "entries");
        for (const [index, value] of listed.slice(0, 300)) {
            const item = element("li", "", `${entries === 256 ? named(index) : index}: ${value}`);
            this.entries.set(`${number} ${index}`, item);
            list.append(item);
        }
        if (listed.length > 300) {
            const item = element("li", "", `and ${listed.length - 300} more`);
            this.entries.set(`${number} more`, item);
            list.append(item);
        }
        if (others !== null) {
            const item = element("li", "", `all others: ${others}`);
            this.entries.set(`${number} others`, item);
            list.append(item);
        }
        return [title, list];
    }

    /** The steps of a unit: for each the index of the event after its last. */
    steps(unit) {
        if (unit === "attempts") return this.ends;
        const end = this.ends.at(-1) ?? 0;
        return this.reads.map((_, i) => this.reads[i + 1] ?? end);
    }

    /** The step of a unit with which an occurrence is reported. */
    stepOf(unit, event) {
        return this.steps(unit).findIndex(end => end > event) + 1;
    }

    show(unit, step) {
        const steps = this.steps(unit);
        const until = step === 0 ? 0 : steps[Math.min(step, steps.length) - 1] ?? 0;
        const before = step <= 1 ? 0 : steps[Math.min(step, steps.length) - 2] ?? 0;
        // The last event that belongs to the step: what follows a read may begin the next attempt already.
        const event = until === 0 ? 0 : unit === "reads" ? this.reads[Math.min(step, steps.length) - 1] : until - 1;
        const number = this.attempts.findIndex(attempt => attempt.end > event);
        const attempt = this.attempts[number];
        if (!attempt) return (this.said.textContent = "Nothing was recorded.");
        const done = list => list.filter(({ event }) => event < until);
        const total = list => this.attempts.reduce((sum, other) => sum + done(list(other)).length, 0);
        this.draw(attempt, until, done);
        const read = this.attempts.reduce((sum, other) => sum + done(other.reads).reduce((n, { bytes }) => n + bytes, 0), 0);
        this.counts.replaceChildren(
            element("span", "", `attempt ${until === 0 ? 0 : number + 1} of ${this.attempts.length}`),
            element("span", "", `bytes read: ${read}`),
            element("span", "", `comparisons: ${total(other => other.comparisons)}`),
            element("span", "", `lookups: ${total(other => other.lookups)}`),
            element("span", "", `occurrences: ${total(other => other.occurrences)}`),
        );
        if (step > steps.length) return (this.said.textContent = "The search has ended.");
        this.say(attempt, event => event < until && event >= before, until);
    }

    /** Says what the step did, in words. */
    say(attempt, isNew, until) {
        const words = [];
        if (until === 0) words.push("The search has not begun.");
        const compared = attempt.comparisons.filter(({ event }) => isNew(event));
        for (const { text, pattern, equal } of compared.slice(0, 4)) {
            words.push(`${named(this.text[text])} at ${text} ${equal ? "equals" : "differs from"} ${named(this.pattern[pattern])}, pattern ${pattern}.`);
        }
        if (compared.length > 4) words.push(`And ${compared.length - 4} more comparisons, the last ${compared.at(-1).equal ? "equal" : "different"}.`);
        for (const item of this.entries.values()) item.classList.remove("used");
        for (const { table, index, value, event } of attempt.lookups) {
            if (!isNew(event)) continue;
            const key = `${table} ${index}`;
            const rest = this.listed.has(key) ? "more" : "others";
            (this.entries.get(key) ?? this.entries.get(`${table} ${rest}`))?.classList.add("used");
            words.push(`Table ${table}: ${value === null ? "entry " : ""}${this.lengths.get(table) === 256 ? named(index) : index}${value === null ? "" : " is " + value}.`);
        }
        for (const { at, event } of attempt.occurrences) if (isNew(event)) words.push(`Occurrence at ${at}.`);
        if (until > 0 && attempt.end <= until && attempt.moves > 0) words.push("The window moves.");
        this.said.textContent = words.join(" ") || "No comparison, lookup or occurrence in this step.";
    }

    draw(attempt, until, done) {
        const width = Math.max(20, Math.floor((this.picture.clientWidth - 26) / this.character()));
        const reads = done(attempt.reads);
        const window = attempt.window ?? attempt.window_by_reads;
        const first = Math.min(...[window, attempt.reads[0]?.at, attempt.occurrences[0]?.at].filter(at => at != null));
        const begin = this.text.length <= width ? 0 : Math.max(0, Math.min((Number.isFinite(first) ? first : 0) - 8, this.text.length - width));
        const end = Math.min(this.text.length, begin + width);
        const row = className => element("div", `row ${className}`);
        const [rule, text, order, pattern] = [row("small"), row(""), row("small"), row("")];
        const found = this.attempts.flatMap(other => done(other.occurrences)).map(({ at }) => at);
        const compared = new Map(done(attempt.comparisons).map(pair => [pair.text, pair.equal]));
        const seen = new Map();
        reads.forEach(({ at, bytes }, i) => {
            for (let place = Math.max(at, begin); place < Math.min(at + bytes, end); place++) seen.set(place, i + 1);
        });
        for (let i = begin; i < end; i++) {
            const ruled = i % 10 === 0 ? String(i) : "";
            const mark = element("span", "", ruled);
            if (ruled) mark.style.textAlign = "left";
            rule.append(mark);
            const inside = found.some(at => i >= at && i < at + this.pattern.length);
            text.append(element("span", [seen.has(i) && "read", inside && "found"].filter(Boolean).join(" "), shown(this.text[i])));
            order.append(element("span", "", seen.has(i) ? (seen.get(i) < 36 ? seen.get(i).toString(36) : "+") : " "));
            const j = i - window;
            const under = window != null && j >= 0 && j < this.pattern.length;
            const equal = compared.get(i);
            const sign = equal === undefined ? "" : equal ? "equal" : "unequal";
            pattern.append(element("span", sign, under ? shown(this.pattern[j]) : " "));
        }
        this.picture.replaceChildren(rule, text, order, pattern);
    }

    character() {
        const probe = element("span", "", "0".repeat(20));
        this.picture.append(probe);
        const width = probe.getBoundingClientRect().width / 20;
        probe.remove();
        return width || 9;
    }
}

const panels = traces.map(trace => new Panel(trace));
byId("traces").append(...panels.map(panel => panel.section));
byId("traces").classList.toggle("two", panels.length > 1);

let step = 0;
let timer = null;
const unit = () => byId("unit").value;
const last = () => Math.max(0, ...panels.map(panel => panel.steps(unit()).length));

function show(to) {
    step = Math.max(0, Math.min(to, last()));
    byId("place").max = last();
    byId("place").value = step;
    panels.forEach(panel => panel.show(unit(), step));
    byId("first").disabled = byId("back").disabled = step === 0;
    byId("next").disabled = byId("last").disabled = step === last();
    // Browsers limit how often an address may change.
    if (timer === null) history.replaceState(null, "", `#${unit()}-${step}`);
}

function play(on) {
    clearInterval(timer);
    timer = null;
    byId("play").textContent = on ? "Pause" : "Play";
    if (!on) return;
    if (step === last()) show(0);
    timer = setInterval(() => (step < last() ? show(step + 1) : play(false)), 1000 / Number(byId("speed").value));
}

function go(to) {
    play(false);
    show(to);
}

byId("first").onclick = () => go(0);
byId("back").onclick = () => go(step - 1);
byId("next").onclick = () => go(step + 1);
byId("last").onclick = () => go(last());
byId("play").onclick = () => play(timer === null);
byId("speed").onchange = () => play(timer !== null);
byId("place").oninput = event => go(Number(event.target.value));
byId("unit").onchange = () => go(0);
byId("controls").onsubmit = event => event.preventDefault();
addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return;
    const keys = {
        ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(last()),
        " ": () => play(timer === null),
    };
    const act = keys[event.key];
    if (!act || (event.key === " " && event.target.tagName === "BUTTON")) return;
    event.preventDefault();
    act();
});
addEventListener("resize", () => show(step));

const occurrences = panels[0]?.attempts.flatMap(attempt => attempt.occurrences) ?? [];
if (occurrences.length > 0) {
    byId("jump").hidden = false;
    const choice = byId("occurrence");
    choice.append(new Option("choose", ""), ...occurrences.slice(0, 500).map(({ at, event }) => new Option(`at ${at}`, event)));
    choice.onchange = () => choice.value !== "" && go(panels[0].stepOf(unit(), Number(choice.value)));
}

const [, at, from] = location.hash.match(/^#(attempts|reads)-(\d+)$/) ?? [];
if (at) byId("unit").value = at;
show(Number(from ?? 0));

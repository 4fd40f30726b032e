"use strict";
// Loads the traces that the address names, and then the player.
{
    const asked = new URLSearchParams(location.search);
    const known = new Set([...document.querySelectorAll("#a option")].map(({ value }) => value));
    // Names that the page does not offer are none of this atlas.
    const names = ["a", "b"].map(key => asked.get(key)).filter(name => known.has(name));
    if (names.length === 0 && known.size > 0) names.push([...known][0]);
    for (const [place, key] of ["a", "b"].entries()) if (names[place]) document.getElementById(key).value = names[place];

    const traces = [];
    window.traced = loaded => traces.push(...loaded);
    const load = address => new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = done;
        script.onerror = () => failed(new Error(`${address} can't be loaded`));
        document.body.append(script);
    });
    const start = async () => {
        for (const name of names) await load(`trace/${name}.js`);
        document.getElementById("data").textContent = JSON.stringify(traces);
        const title = `${traces.map(({ name }) => name).join(" and ")}, step by step`;
        document.title = document.querySelector("h1").textContent = title;
        for (const name of names) {
            const link = document.createElement("a");
            link.href = `algorithm/${name}.html`;
            link.textContent = name;
            document.getElementById("pages").append(", about ", link);
        }
        await load("player.js");
    };
    start().catch(error => {
        document.getElementById("traces").textContent = error.message;
    });
}

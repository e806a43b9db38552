/*
 * The form: what runs in the engine of this page, and the machine whose links a click slows
 * and breaks.
 */
(async () => {
    const C = JSON.parse($("choices").textContent);
    const PASTED = "(pasted)", AT_ONCE = ["switch", "ring", "mesh", "hypercube"];
    const EXAMPLE = `name: two-pairs
classes:
  fast: {rate: 50 GB/s, latency: 1 us}
  slow: {rate: 10 GB/s, latency: 2 us}
devices:
  gpu: {kind: gpu, count: 4}
  switch: {kind: switch, count: 2}
links:
  - {from: "gpu[0-1]", to: switch0, class: fast}
  - {from: "gpu[2-3]", to: switch1, class: fast}
  - {from: switch0, to: switch1, class: slow}
`;
    const faults = new Map();           /* "gpu0-nvswitch": "slow" or "down" */
    const ranksOf = new Map();          /* of a machine, by its name or text */
    let liked = "";                     /* the algorithm that was chosen last */
    const kept = new Map();             /* answers, or promises of them, by their words */
    const KEPT_MAX = 16, WAITING_MS = 100, IDLE_MS = 300;
    let text = "", number = 0, drawn = "", few = "", engine = null, last = null, idle = 0, waiting = false;

    /* ---- fields ---- */

    function options(select, list, chosen) {
        select.replaceChildren();
        for (const [value, name, about] of list) {
            const option = html(select, "option", name);
            option.value = value;
            if (about) option.title = about;
        }
        select.value = chosen;
        if (select.selectedIndex < 0) select.selectedIndex = 0;
    }
    function algorithms() {
        const own = C.algorithms.filter(a => a[0] === $("collective").value);
        const list = own.map(([, name, about]) => [name, name, about]);
        options($("algorithm"), list, own.some(a => a[1] === liked) ? liked : "ring");
        options($("other"), [["", "none"], ...list], $("other").value);
        $("size").disabled = !C.collectives.find(c => c[0] === $("collective").value)[2];
    }
    function machines(chosen) {
        const known = [...AT_ONCE, ...C.machines];
        const list = known.map(name => [name, AT_ONCE.includes(name) ? `${name} of all ranks` : name]);
        if (text) list.unshift([PASTED, "the pasted one"]);
        else if (!known.includes(C.asked.topo)) list.unshift([C.asked.topo, C.asked.topo]);
        options($("machine-name"), list, text ? PASTED : chosen);
    }

    /* ---- words for the engine ---- */

    const status = (words, bad) => {
        $("status").textContent = words;
        $("status").classList.toggle("bad", !!bad);
    };
    /* The same question has the same answer. */
    function keep(words, call) {
        const key = words.join("\0");
        if (kept.has(key)) return kept.get(key);
        const answer = call(words);
        kept.set(key, answer);
        answer.then(() => 0, () => kept.delete(key));
        if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value);
        return answer;
    }
    async function ask(words) {
        const answer = await keep(words, engine);
        if (answer.code)
            throw new Error((answer.messages.trim().split("\n").pop() ||
                             /"error": "(.*)"/.exec(answer.out)?.[1] ||
                             "the engine ended with status " + answer.code).replace(/^collsim: /, ""));
        /* --help among the options: the list of all. */
        if (words.at(-1) === "json" && answer.out[0] !== "{") throw new Error(answer.out);
        return answer;
    }
    async function ownRanks(topo) {
        if (!ranksOf.has(topo)) {
            const shown = await ask(["topo", "show", "--topo", topo]);
            ranksOf.set(topo, +(/^ranks (\d+)/m.exec(shown.out) || [0, 0])[1]);
        }
        return ranksOf.get(topo);
    }
    /* The machine for so many ranks: copies of it where it has fewer. */
    async function machine(ranks) {
        const name = $("machine-name").value;
        if (AT_ONCE.includes(name)) return ["--topo", `${name}:ranks=${ranks}`];
        const topo = name === PASTED ? text + "\n" : name;
        const own = await ownRanks(topo);
        few = ranks > own ? `${$("machine-name").selectedOptions[0].text} has ${own} ranks; for ${ranks}, copies: ` : "";
        const nodes = few ? ["--nodes", "" + Math.ceil(ranks / own)] : [];
        return ["--topo", topo, ...nodes, "--ranks", "" + ranks];
    }
    const optionWords = () => $("options").value.split(/\s+/).filter(word => word);
    const faultWords = () => [...faults].flatMap(([link, how]) =>
        ["--fault", link + (how === "down" ? ":down" : ":rate=50%")]);

    const wordsOf = (algo, where) => ["explain", "--algo", algo, "--collective",
        $("collective").value, ...where, ...($("size").disabled ? [] : ["--size", $("size").value]),
        ...optionWords(), ...faultWords(), "--format", "json"];

    /* ---- the answer ---- */

    /* An answer that takes long: what runs, and that the picture is of the run before. */
    function wait(algo) {
        const own = C.algorithms.find(a => a[0] === $("collective").value && a[1] === algo);
        status("Simulating ...");
        $("title").textContent = `${algo[0].toUpperCase()}${algo.slice(1)} ${own[0]}`;
        $("about").replaceChildren();
        html($("about"), "p", `${own[2][0].toUpperCase()}${own[2].slice(1)}. At the end ` +
            C.collectives.find(c => c[0] === own[0])[1] + ".").style.margin = "0 0 4px";
        fade(true);
    }
    function fade(so) {
        waiting = so;
        $("pictures").classList.toggle("waits", so);
        $("pictures").closest("main").setAttribute("aria-busy", so);
    }
    /* What takes long is computed while nothing else is, for the case that it is chosen next. */
    function lookAhead(where) {
        const mine = number;
        const next = C.algorithms.filter(a => a[0] === $("collective").value && a[3])
            .map(a => wordsOf(a[1], where));
        if (next.some(words => !kept.has(words.join("\0")))) engine.stopAhead();
        Promise.allSettled(next.map(words => keep(words, engine.ahead)))
            .then(() => $("choose").dataset.ahead = mine === number ? "done" : "");
    }
    /* A later question ends the one before. */
    async function run() {
        const mine = ++number, began = performance.now();
        engine.stop();
        clearTimeout(idle);
        $("choose").dataset.ahead = "";
        const ranks = Math.max(2, Math.min(64, Math.round(+$("ranks").value) || 2));
        const algos = [$("algorithm").value, $("other").value].filter(name => name);
        const slow = setTimeout(() => mine === number && wait(algos[0]), WAITING_MS);
        try {
            const where = await machine(ranks);
            const answers = [], early = algos.every(a => kept.has(wordsOf(a, where).join("\0")));
            for (const algo of algos)
                answers.push(await ask(wordsOf(algo, where)));
            clearTimeout(slow);
            if (mine !== number) return;
            const runs = answers.map(a => JSON.parse(a.out));
            const passed = () => (performance.now() - began).toFixed(0);
            const simulated = passed();
            fade(false);
            load(runs);
            $("pictures").getBoundingClientRect(); /* laid out, not painted yet */
            last = runs[0];
            const notes = [...new Set(answers.flatMap(a => a.messages.split("\n")))].filter(n => n);
            status([early ? `Simulated in this page before the question, drawn after ${passed()} ms.`
                : `Simulated in this page in ${simulated} ms, drawn after ${passed()} ms.`,
                    ...notes].join("\n"));
            await wiring(where, runs[0]);
            if (mine === number && typeof Worker !== "undefined") idle = setTimeout(lookAhead, IDLE_MS, where);
        } catch (e) {
            if (mine !== number) return;
            if (waiting && view) load(pictures.map(p => p.D), view.value());
            fade(false);
            status((/ no NIC /.test(e.message) ? few : "") + e.message, true);
            if (last) mark(last);
        } finally {
            clearTimeout(slow);
        }
    }

    /* ---- the machine ---- */

    const states = { works: "works", slow: "at half its rate", down: "broken" };
    const stateOf = link => states[faults.get(link) ?? "works"];

    async function wiring(where, D) {
        const words = where.join(" ");
        $("machine").hidden = false;
        if (words !== drawn) {
            const answer = await ask(["topo", "export", ...where, "--format", "svg"]);
            const svg = new DOMParser().parseFromString(answer.out, "image/svg+xml").documentElement;
            $("wiring").replaceChildren(document.adoptNode(svg));
            drawn = words;
            prepare(svg);
        }
        mark(D);
    }
    /* Wide lines over the links take clicks and keys; one of them is in the order of tabs.
     * The page has the styles, and rows without devices above are cut. */
    function prepare(svg) {
        const tops = [...svg.querySelectorAll("text, rect[x], path")].map(e => e.getBBox().y);
        const top = Math.max(0, Math.min(...tops) - 12);
        const [, , w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
        svg.querySelector("style").remove();
        svg.setAttribute("viewBox", `0 ${top} ${w} ${h - top}`);
        svg.removeAttribute("height");
        svg.setAttribute("width", "100%");
        svg.style.minWidth = w * .6 + "px";
        svg.style.maxWidth = w * 1.3 + "px";
        svg.setAttribute("role", "group");
        svg.setAttribute("aria-label", "links of the machine");
        for (const path of [...svg.querySelectorAll("[data-link]")]) {
            const hit = el(svg, "path", { d: path.getAttribute("d"), class: "hit", role: "button",
                "data-link": path.dataset.link, tabindex: -1 });
            hit.path = path;
            el(hit, "title", {});
            hit.uses = [0, 1].map(i => {
                const use = path.cloneNode();
                use.removeAttribute("data-link");
                use.setAttribute("class", "use" + i);
                path.after(use);
                return use;
            });
        }
        svg.querySelector(".hit")?.setAttribute("tabindex", 0);
    }
    const linkOf = name => (/^(.*?) -> (.*?)(?: \(|$)/.exec(name) || []).slice(1);
    /* Each link by its state, and the share of the time that it is busy. */
    function mark(D) {
        const busy = new Map();
        for (const [name, , share] of D.links) {
            const [a, b] = linkOf(name);
            for (const link of [`${a}-${b}`, `${b}-${a}`])
                busy.set(link, Math.max(share, busy.get(link) ?? 0));
        }
        $("wiring").querySelectorAll(".mark").forEach(m => m.remove());
        for (const hit of $("wiring").querySelectorAll(".hit")) {
            const link = hit.dataset.link, how = faults.get(link), share = busy.get(link) ?? 0;
            const words = `${link}: ${stateOf(link)}, busy ${(share * 100).toFixed(0)} % of the time`;
            hit.setAttribute("aria-label", words);
            hit.firstChild.textContent = words;
            hit.path.setAttribute("opacity", how === "down" ? .15 : .25 + .75 * share);
            if (!how) continue;
            const middle = hit.getPointAtLength(hit.getTotalLength() / 2);
            el(hit.parentNode, "text", { x: middle.x, y: middle.y + 5, class: "mark",
                "text-anchor": "middle" }, how === "down" ? "✕ broken" : "½ rate");
        }
        $("repair").disabled = faults.size === 0;
        showUses();
    }
    /* What carries data in the step, or at the time, of each run. */
    globalThis.showUses = () => {
        const [from, to] = view.span();
        const active = ([, , , times]) => times?.some((t, i) =>
            i % 2 === 0 && (t < to || t === from) && times[i + 1] > from);
        const used = pictures.map(p => new Set(p.D.links.filter(active).flatMap(([name]) => {
            const [a, b] = linkOf(name);
            return [`${a}-${b}`, `${b}-${a}`];
        })));
        for (const { dataset, uses } of $("wiring").querySelectorAll(".hit"))
            uses.forEach((use, i) => use.toggleAttribute("hidden", !used[i]?.has(dataset.link)));
    };
    /* It works, then at half its rate, then broken, then again. */
    function press(hit) {
        const link = hit.dataset.link;
        const next = { undefined: "slow", slow: "down" }[faults.get(link)];
        if (next) faults.set(link, next);
        else faults.delete(link);
        run();
    }
    function step(hit, by) {
        const all = [...$("wiring").querySelectorAll(".hit")];
        const to = all[(all.indexOf(hit) + by + all.length) % all.length];
        hit.setAttribute("tabindex", -1);
        to.setAttribute("tabindex", 0);
        to.focus();
    }
    $("wiring").onclick = e => e.target.closest(".hit") && press(e.target.closest(".hit"));
    $("wiring").onkeydown = e => {
        const hit = e.target.closest(".hit");
        const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
        if (!hit || !(e.key in moves) && e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        if (e.key in moves) step(hit, moves[e.key]);
        else press(hit);
    };
    $("repair").onclick = () => {
        faults.clear();
        run();
    };

    /* ---- at the start, and for a lab ---- */

    /* Faults that a click could have made are those of links. */
    function faultOf(word) {
        const [, link, how] = /^--fault=(\S+-\S+):(down|rate=50%)$/.exec(word) || [];
        if (link) faults.set(link, how === "down" ? "down" : "slow");
        return link;
    }
    function fill(asked) {
        C.asked = asked;
        text = asked.text;
        liked = asked.algo;
        faults.clear();
        options($("collective"), C.collectives.map(([name, about]) => [name, name, about]),
                asked.collective);
        $("ranks").value = asked.ranks;
        $("size").value = asked.size;
        $("options").value = asked.options.split(" ").filter(word => !faultOf(word)).join(" ");
        $("paste").open = !!$("options").value;
        $("machine-text").value = text || EXAMPLE;
        algorithms();
        machines(asked.topo);
    }
    fill(C.asked);
    try {
        engine = await openEngine();
    } catch (e) {
        return status(`This browser cannot run the engine: ${e.message}`, true);
    }
    $("choose").onsubmit = e => e.preventDefault();
    $("choose").onchange = e => {
        if (e.target.id === "algorithm") liked = e.target.value;
        if (e.target.id === "collective") algorithms();
        if (e.target.id === "machine-text") return;
        if (["machine-name", "ranks"].includes(e.target.id)) faults.clear();
        run();
    };
    globalThis.showCase = (asked, other) => {
        fill(asked);
        $("other").value = other;
        return run();
    };
    $("machine-use").onclick = async () => {
        text = $("machine-text").value.trimEnd();
        faults.clear();
        machines(PASTED);
        try {
            $("ranks").value = Math.min(64, await ownRanks(text + "\n"));
        } catch (e) {
            return status(e.message, true);
        }
        run();
    };
    status("Everything is simulated in this page.");
    if (!$("machine").hidden) return;
    if (!pictures.length) return run();
    last = pictures[0].D;
    const first = number;
    try {
        await wiring(await machine(C.asked.ranks), last);
    } catch (e) {
        if (first === number) status(e.message, true);
    }
})();

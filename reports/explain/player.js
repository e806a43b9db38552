/*
 * The player: one run by its steps, or two runs on one clock.
 *
 *     load([data]); load([data, data]);     of `explain --format json`
 *
 * A view is what the controls move: a value from 0 to max, which it shows.
 */
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const FRAMES_S = { 3000: 16, 1600: 8, 700: 4 };      /* of the clock, by speed */
let pictures = [], view = null, stop = null;         /* stop: ends what plays */

/* ---- beside one picture ---- */

function waits(m) {
    const waiting = m.filter(x => x[9]);
    return waiting.length ? ` ${waiting.length} of them waited for a busy link, up to ` +
        timeText(Math.max(...waiting.map(x => x[9]))) + "." : "";
}
function sentence(p) {
    const step = p.step();
    if (step === 0)
        return "At the start every rank holds its own data.";
    const m = p.D.steps[step - 1].m, many = m.length !== 1;
    const adds = m.filter(x => x[5]).length;
    const under = many ? `${m.length} messages travel at the same time; `
                       : `One message travels; `;
    if (adds === m.length)
        return under + (many ? "each receiver reduces" : "its receiver reduces") +
               " the arriving data with its own." + waits(m);
    if (adds === 0)
        return under + (many ? "each receiver stores" : "its receiver stores") +
               " the arriving data." + waits(m);
    return under + `${adds} are reduced, the others stored.` + waits(m);
}
function chips(p) {
    const list = $("chips"), step = p.step();
    list.replaceChildren();
    if (step === 0) return;
    const m = p.D.steps[step - 1].m, most = 8;
    for (const x of m.slice(0, most))
        html(list, "li", `${p.short(x[0])} → ${p.short(x[1])}: ` +
             (x[5] ? "+ " : "= ") + p.chunkText(x[2], x[3]));
    if (m.length > most) html(list, "li", `and ${m.length - most} more`);
}
function table(p) {
    const t = $("table"), D = p.D, state = D.states[p.step()];
    t.replaceChildren();
    const head = html(html(t, "thead"), "tr"), body = html(t, "tbody");
    html(head, "th", "rank").scope = "col";
    if (!D.cells)
        for (const name of ["contributions", "complete chunks"])
            html(head, "th", name).scope = "col";
    for (let b = 0; D.cells && b < D.blocks; b++)
        html(head, "th", D.blocks > 1 ? "chunk " + b : "vector").scope = "col";
    D.names.forEach((name, party) => {
        const row = html(body, "tr");
        html(row, "th", name).scope = "row";
        state[party].forEach((v, b) => D.cells
            ? html(row, "td", p.holdingText(v) + (isComplete(v) ? " ✓" : ""),
                   (isComplete(v) ? "done" : "") + (p.received(party, b) ? " new" : ""))
            : html(row, "td", v));
    });
}

/* What the frame with the picture need not wait for; of several, the last. */
let awaited = 0;
function afterFrame(work) {
    cancelAnimationFrame(awaited);
    awaited = requestAnimationFrame(() => {
        const mine = awaited;
        setTimeout(() => mine === awaited && work());
    });
}

/* ---- times ---- */

const longest = () => Math.max(...pictures.map(p => Math.max(p.D.time, p.D.closed, p.D.bound))) || 1;

/* The totals of each run, a column each. */
function totals() {
    const box = $("totals"), two = pictures.length > 1;
    box.replaceChildren();
    const t = html(box, "table", undefined, "totals");
    t.setAttribute("aria-label", "totals");
    if (two) {
        const row = html(html(t, "thead"), "tr");
        html(row, "td", "");
        pictures.forEach(p => html(row, "th", nameOf(p)).scope = "col");
    }
    const body = html(t, "tbody");
    pictures[0].D.totals.forEach(([label], i) => {
        const row = html(body, "tr");
        html(row, "th", label).scope = "row";
        pictures.forEach(p => html(row, "td", p.D.totals[i][1]));
    });
    $("formula").textContent = pictures.map(p =>
        `Closed form${two ? " of " + nameOf(p) : ""}: ${p.D.formula}. `).join("") +
        `The mark on the bar is the lower bound: ${pictures[0].D.why}.`;
}
function bars() {
    const box = $("bars");
    box.replaceChildren();
    for (const p of pictures) {
        if (pictures.length > 1) html(box, "span", nameOf(p), "bar-name");
        const bar = html(box, "div", undefined, "bar");
        html(bar, "div");
        html(bar, "i").style.left = `calc(${p.D.bound / longest() * 100}% - 1px)`;
    }
}
function fill(seconds) {
    document.querySelectorAll("#bars .bar div").forEach((bar, i) =>
        bar.style.width = Math.min(seconds, pictures[i].D.time) / longest() * 100 + "%");
}
const nameOf = p => p.D.title.split(" ")[0].toLowerCase();
function timeText(ps) {
    for (const [unit, size] of [["s", 1e12], ["ms", 1e9], ["us", 1e6], ["ns", 1e3]])
        if (ps >= size) return +(ps / size).toPrecision(4) + " " + unit;
    return ps ? Math.round(ps) + " ps" : "0 s";
}

/* ---- the legend ---- */

function legendRow(paint, text) {
    const svg = el($("legend"), "svg", { width: 52, height: 22,
        viewBox: "0 0 52 22", "aria-hidden": "true" });
    paint(svg);
    html($("legend"), "span", text);
}
function legendOfBars(D) {
    const p = Math.min(D.ranks, 4);
    if (!D.cells)
        return legendRow(s => {
            el(s, "rect", { x: 0, y: 6, width: 52, height: 10, class: "cell" });
            el(s, "rect", { x: 0, y: 6, width: 30, height: 10, fill: colour(2) });
        }, "the bar of a rank: how many of all contributions it holds");
    legendRow(s => {
        const paint = makePaint(), columns = D.sums ? p : 1;
        for (let r = 0; r < columns; r++)
            paint.segment(r === 1 ? -1 : r, "", r * 52 / columns, 3, 52 / columns, 16, hex(r));
        paint.into(s);
    }, D.sums ? "a bar is a chunk; a filled segment: that rank's contribution is in it"
              : D.places ? "a bar is a chunk; 0.3 is chunk 3 of rank 0"
                         : "a bar is a chunk; the number is the rank of origin");
}
function legend(D) {
    const what = D.blocks > 1 ? "2: chunk 2 travels" : ": the vector travels";
    $("legend").replaceChildren();
    legendOfBars(D);
    for (const [kind, sign, end] of [["add", "+", "reduced"], ["put", "=", "stored"]])
        legendRow(s => {
            el(s, "path", { d: "M2 11 H42", class: "wire " + kind });
            drawHead(s, [[2, 11], [20, 11], [50, 11]], kind);
        }, D.cells ? `${sign}${what} and is ${end}` : `a message that is ${end} on arrival`);
    if (pictures.some(p => p.D.works.length) && pictures.length > 1)
        legendRow(s => el(s, "rect", { x: 12, y: 3, width: 28, height: 16, rx: 4, class: "reduces" }),
            "a green frame: the rank reduces what has arrived");
    if (D.cells)
        legendRow(s => {
            el(s, "rect", { x: 12, y: 3, width: 3, height: 16, class: "got" });
            el(s, "rect", { x: 17.5, y: 3.5, width: 19, height: 15, class: "cell" });
            el(s, "rect", { x: 38, y: 3, width: 3, height: 16, class: "complete" });
        }, "mark on the left: received in this step; on the right: complete");
}

/* ---- one run by its steps ---- */

/* A dot runs along each arrow. */
function travel(curves) {
    const start = performance.now(), life = 600;
    const dots = curves.slice(0, 64).map(([wire, kind]) =>
        [wire, el(wire.parentNode, "circle", { r: 6, class: "dot " + kind })]);
    const frame = now => {
        const t = Math.min(1, Math.max(0, now - start) / life);
        for (const [wire, dot] of dots) {
            if (!wire.isConnected) return;
            const q = wire.getPointAtLength(t * wire.getTotalLength());
            dot.setAttribute("cx", q.x);
            dot.setAttribute("cy", q.y);
            if (t === 1) dot.remove();
        }
        if (t < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}
function stepView(p) {
    let value = 0;
    const self = {
        max: p.N,
        value: () => value,
        show(to, moving) {
            value = Math.max(0, Math.min(p.N, to));
            const s = value ? p.D.steps[value - 1] : null;
            const curves = p.draw(value);
            $("count").textContent = value ? `Step ${value} of ${p.N}` : `Start (${p.N} steps)`;
            $("now").textContent = sentence(p);
            $("sent").textContent = s ? s.sent : "0 B";
            $("time").textContent = s ? s.time : "0 s";
            fill(s ? s.s : 0);
            chips(p);
            if (moving && !reducedMotion.matches) travel(curves);
            afterFrame(() => {
                table(p);
                history.replaceState(null, "", "#step=" + value);
            });
        },
        /* From the end of the step before. */
        span: () => value ? [value > 1 ? p.D.steps[value - 2].s * 1e12 : 0, p.D.steps[value - 1].s * 1e12]
                          : [-1, -1],
        next: () => value + 1,
        back: () => value - 1,
        /* Plays until the end; the result ends it. */
        play(wait, ended) {
            const timer = setInterval(() => {
                showView(value + 1, true);
                if (value === p.N) ended();
            }, wait);
            return () => clearInterval(timer);
        },
    };
    return self;
}

/* ---- two runs on one clock ---- */

function clockView() {
    const max = Math.max(...pictures.map(p => Math.round(p.D.time * 1e12)));
    const moments = [0, ...new Set(pictures.flatMap(p => p.D.steps.map(s => Math.round(s.s * 1e12))))]
        .sort((a, b) => a - b);
    let value = 0;
    const stateOf = p => {
        const step = p.step();
        return `${nameOf(p)}: ` + (step === p.N ? `finished at ${p.D.totals[0][1]}`
                                                : `${step} of ${p.N} steps done`);
    };
    return {
        max,
        value: () => value,
        show(to) {
            value = Math.max(0, Math.min(max, to));
            pictures.forEach(p => p.drawAt(value));
            $("count").textContent = timeText(value);
            const now = pictures.map(stateOf).join("; ") + ".";
            if ($("now").textContent !== now) $("now").textContent = now;
            pictures.forEach((p, i) => $("caption-" + i).lastChild.textContent = stateOf(p));
            fill(value / 1e12);
        },
        span: () => [value, value],
        next: () => moments.find(m => m > value + .5) ?? max,
        back: () => moments.findLast(m => m < value - .5) ?? 0,
        /* By the clock; from moment to moment where less motion is wanted. */
        play(wait, ended) {
            let last = performance.now(), running = true, timer = 0;
            const at = to => {
                showView(to);
                if (value === max) ended();
            };
            const frame = now => {
                if (!running) return;
                at(value + (now - last) / 1000 / FRAMES_S[wait] * max);
                last = now;
                requestAnimationFrame(frame);
            };
            if (reducedMotion.matches) timer = setInterval(() => at(this.next()), wait);
            else requestAnimationFrame(frame);
            return () => {
                running = false;
                clearInterval(timer);
            };
        },
    };
}

/* ---- the controls ---- */

function showView(to, moving) {
    view.show(to, moving);
    $("slider").value = view.value();
    $("slider").setAttribute("aria-valuetext", $("count").textContent);
    $("first").disabled = $("back").disabled = view.value() === 0;
    $("next").disabled = $("last").disabled = view.value() === view.max;
    globalThis.showUses?.();
}
function pause() {
    stop?.();
    stop = null;
    $("play").setAttribute("aria-label", "play");
    $("play-path").setAttribute("d", "M4 2v14l12-7z");
}
function play() {
    if (view.value() === view.max) showView(0);
    stop?.();
    stop = view.play(+$("speed").value, pause);
    $("play").setAttribute("aria-label", "pause");
    $("play-path").setAttribute("d", "M3 2h4v14H3zM11 2h4v14h-4z");
}
function go(to) {
    pause();
    showView(to, to > view.value());
}
const toggle = () => stop ? pause() : play();
const keys = {
    ArrowRight: () => go(view.next()), ArrowLeft: () => go(view.back()),
    Home: () => go(0), End: () => go(view.max), " ": toggle,
};
/* What takes keys itself keeps them: fields, and buttons the space. */
function takesKey(target, key) {
    if (target.closest("select, textarea, input:not([type=range]), [tabindex]")) return true;
    return key === " " && target.closest("button, summary") !== null;
}
document.addEventListener("keydown", e => {
    if (!view || !keys[e.key] || takesKey(e.target, e.key) || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    keys[e.key]();
});
for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["next", "ArrowRight"],
                         ["last", "End"], ["play", " "]])
    $(id).onclick = () => view && keys[key]();
$("slider").oninput = e => view && go(+e.target.value);
$("speed").onchange = () => stop && play();
const asked = () => +(/step=(\d+)/.exec(location.hash) || [0, 0])[1];
addEventListener("hashchange", () => view && asked() !== view.value() && go(asked()));
addEventListener("beforeprint", () => {
    pause();
    redraw();
    if (pictures.length === 1) table(pictures[0]);
});

function redraw() {
    if (!view) return;
    pictures.forEach(p => p.redraw());
    view.show(view.value());
}

/* ---- what is played ---- */

function load(runs, value = 0) {
    const two = runs.length > 1;
    if (view) pause();
    cancelAnimationFrame(awaited);
    awaited = 0; /* of the run before */
    $("pictures").classList.toggle("two", two);
    $("pictures").children[1].hidden = !two;
    for (const id of ["so-far", "chips", "contents"]) $(id).hidden = two;
    $("caption-0").hidden = !two;
    pictures = runs.map((D, i) => makePicture($("picture-" + i), D));
    pictures.forEach((p, i) => {
        $("caption-" + i).replaceChildren(p.D.title);
        html($("caption-" + i), "small", "");
    });
    view = two ? clockView() : stepView(pictures[0]);
    $("slider").max = view.max;
    $("slider").setAttribute("aria-label", two ? "time" : "step");
    $("title").textContent = two ? `${runs[0].title} beside ${nameOf(pictures[1])}` : runs[0].title;
    if (!$("lab")) document.title = $("title").textContent;
    $("subtitle").textContent = runs[0].subtitle;
    $("about").replaceChildren();
    runs.forEach(D => html($("about"), "p", D.about).style.margin = "0 0 4px");
    totals();
    bars();
    legend(runs[0]);
    showView(Math.min(value, view.max));
}
/* A large run is not in a page that can run it itself. */
const inPage = JSON.parse($("data").textContent);
if (inPage) load([inPage], asked());
new ResizeObserver(redraw).observe($("pictures"));

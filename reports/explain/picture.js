/*
 * The picture of a run: its parties, what they hold, and the messages between them.
 *
 *     const picture = makePicture(svg, data);    of `explain --format json`
 *     picture.draw(step);                        the state after it, and its messages
 *     picture.drawAt(ps);                        the state at a time, and what travels then
 */
const COLOURS = ["#E69F00", "#56B4E9", "#009E73", "#F0E442",
                 "#0072B2", "#D55E00", "#CC79A7", "#999999"];
const SVG = "http://www.w3.org/2000/svg";
const $ = id => document.getElementById(id);

/* ---- small things ---- */

function el(parent, name, attributes, text) {
    const e = document.createElementNS(SVG, name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (text !== undefined) e.textContent = text;
    parent.append(e);
    return e;
}
function html(parent, name, text, className) {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    parent.append(e);
    return e;
}
const ranksOf = v => v & 0xffff;
const isComplete = v => v >> 16 & 1;
const originOf = v => (v >>> 17) - 1;
/* The lowest rank that contributed, or -1. */
const originRank = v => 31 - Math.clz32(v & -v & 0xffff);
const hex = r => r.toString(16);
const colour = r => COLOURS[r % 8];
const inkOn = r => r % 8 === 4 ? "on-dark" : "on-light";
function members(v) {
    const list = [];
    for (let r = 0; r < 16; r++) if (v >> r & 1) list.push(r);
    return list;
}
/* Rectangles of one look are one path: a picture may have ten thousands of them.  A look is a
 * rank, -1 for an empty one or a class, with " extra" behind it where it is faint. */
function makePaint() {
    const looks = new Map(), texts = [], n = v => Math.round(v * 10) / 10;
    return {
        rect(look, x, y, w, h) {
            looks.set(look, (looks.get(look) ?? "") + `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}z`);
        },
        /* With gaps to its neighbours, and a text where there is room. */
        segment(rank, faint, x, y, w, h, text) {
            const gap = w > 6 ? 1 : w > 4 ? .5 : 0, vertical = gapBelow(h);
            this.rect(rank + faint, x + gap / 2, y + vertical / 2, w - gap, h - vertical);
            const size = Math.min(h * .62, 17, (w - 1) / text.length / .72);
            if (rank >= 0 && size >= 8)
                texts.push([{ x: x + w / 2, y: y + h / 2 + size * .35, "font-size": size,
                    "text-anchor": "middle", "font-weight": 600, class: inkOn(rank) + faint }, text]);
        },
        into(g) {
            for (const [look, d] of looks) {
                const [name, ...faint] = look.split(" "), rank = parseInt(name);
                const path = (more, fill) =>
                    el(g, "path", { d, class: [...more, ...faint].join(" "), ...fill });
                if (isNaN(rank)) path([name]);
                else if (rank < 0) path(["cell"]);
                else path([], { fill: colour(rank) });
                if (rank > 7) path([], { fill: "url(#hatch)" });
            }
            for (const [attributes, text] of texts) el(g, "text", attributes, text);
        },
    };
}
const gapBelow = h => h > 5 ? 1 : h > 3.5 ? .4 : 0;
/* Part t0..t1 of the curve with the points p. */
function cut(p, t0, t1) {
    const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    const point = (s, t) => mix(mix(p[0], p[1], s), mix(p[1], p[2], s), t);
    return [point(t0, t0), point(t0, t1), point(t1, t1)];
}
const path = c => `M${c[0].map(f1)} Q${c[1].map(f1)} ${c[2].map(f1)}`;
const f1 = v => v.toFixed(1);

function drawHead(g, c, kind) {
    const angle = Math.atan2(c[2][1] - c[1][1], c[2][0] - c[1][0]);
    const point = (r, turn) => f1(c[2][0] + r * Math.cos(angle + turn)) + "," +
                               f1(c[2][1] + r * Math.sin(angle + turn));
    el(g, "polygon", { class: "head " + kind,
        points: [point(0, 0), point(11, 2.75), point(11, -2.75)].join(" ") });
}

function makePicture(svg, D) {
    const N = D.steps.length;
    const all = D.steps.flatMap(s => s.m);
    const label = r => D.cells ? hex(r) : "" + r;
    let step = 0;          /* the picture shows the state after it */
    let known = null;      /* the layout, while the size stays */

    function holdingText(v) {
        const list = members(v);
        if (!list.length) return "–";
        const origin = D.places && originOf(v) < 0xffff - 1 ? "." + originOf(v) : "";
        return list.map(hex).join("") + origin;
    }
    function blocksText(first, count) {
        if (count === D.blocks && D.blocks > 1) return "all";
        if (count === 0) return "";
        if (count === 1) return "" + first;
        return first + "–" + (first + count - 1) % D.blocks;
    }
    function chunkText(first, count) {
        if (count === 0) return "data";
        if (D.blocks === 1) return "the vector";
        if (count === D.blocks) return "all chunks";
        return (count > 1 ? "chunks " : "chunk ") + blocksText(first, count);
    }
    const short = party =>
        party < D.ranks ? label(party)
                        : "S" + (D.names.length - D.ranks > 1 ? party - D.ranks : "");

    /* ---- where the parties stand ---- */

    /* Evenly along a closed line, clockwise from its first point. */
    function evenly(count, points) {
        const total = [0], result = [];
        for (let i = 1; i < points.length; i++)
            total.push(total[i - 1] + Math.hypot(points[i][0] - points[i - 1][0],
                                                 points[i][1] - points[i - 1][1]));
        for (let k = 0, i = 1; k < count; k++) {
            const want = total[total.length - 1] * k / count;
            while (total[i] < want) i++;
            const t = (want - total[i - 1]) / (total[i] - total[i - 1] || 1);
            result.push([0, 1].map(c => points[i - 1][c] +
                                   (points[i][c] - points[i - 1][c]) * t));
        }
        return result;
    }
    /* A rounded rectangle from the middle of its top; an ellipse when the corners
     * take all of it. */
    function outline(w, h, rx, ry) {
        const points = [[0, -h / 2]];
        const corner = (cx, cy, from) => {
            for (let i = 0; i <= 90; i++) {
                const t = (from + i) * Math.PI / 180;
                points.push([cx + rx * Math.cos(t), cy + ry * Math.sin(t)]);
            }
        };
        corner(w / 2 - rx, ry - h / 2, -90);
        corner(w / 2 - rx, h / 2 - ry, 0);
        corner(rx - w / 2, h / 2 - ry, 90);
        corner(rx - w / 2, ry - h / 2, 180);
        points.push([0, -h / 2]);
        return points;
    }
    function around(parties, hubs, w, h) {
        const places = [];
        const share = parties.length > 8 ? .25 * Math.min(w, h) : 0;
        const line = share ? outline(w, h, share, share)
                           : outline(w, h, w / 2, h / 2);
        evenly(parties.length, line).forEach((p, i) => places[parties[i]] = p);
        hubs.forEach((hub, i) =>
            places[hub] = [(i - (hubs.length - 1) / 2) * w / (hubs.length + 2), 0]);
        return places;
    }
    /* Left to right, then back on the next row. */
    function serpentine(order, w, h) {
        const count = order.length, places = [];
        let columns = count;
        while (columns > 1 && w / columns < 104 && columns * columns * h > count * w)
            columns--;
        columns = Math.ceil(count / Math.ceil(count / columns));
        const rows = Math.ceil(count / columns);
        order.forEach((party, i) => {
            const row = Math.floor(i / columns);
            const column = row % 2 ? columns - 1 - i % columns : i % columns;
            places[party] = [
                columns > 1 ? (column / (columns - 1) - .5) * w : 0,
                rows > 1 ? (row / (rows - 1) - .5) * h : 0];
        });
        return places;
    }
    /* Parents above the middle of their children; leaves side by side. */
    function treePlaces(w, h) {
        const children = D.names.map(() => []), places = [];
        let root = 0, leaves = 0, deepest = 0;
        D.parent.forEach((p, i) => p < 0 ? root = i : children[p].push(i));
        const stack = [[root, 0, false]];
        while (stack.length) {
            const [party, depth, done] = stack.pop();
            deepest = Math.max(deepest, depth);
            if (!children[party].length) places[party] = [leaves++, depth];
            else if (!done) {
                stack.push([party, depth, true]);
                for (const c of [...children[party]].reverse())
                    stack.push([c, depth + 1, false]);
            } else {
                const xs = children[party].map(c => places[c][0]);
                places[party] = [(Math.min(...xs) + Math.max(...xs)) / 2, depth];
            }
        }
        return places.map(([x, d]) => [
            leaves > 1 ? (x / (leaves - 1) - .5) * w : 0,
            deepest ? (d / deepest - .5) * h : 0]);
    }
    function placesIn(w, h) {
        const all = D.names.map((_, i) => i);
        if (D.shape === "tree") return treePlaces(w, h);
        if (D.shape === "line") return serpentine(D.order, w, h);
        const hubs = D.shape === "star" ? D.hubs : all.filter(i => i >= D.ranks);
        return around(all.filter(i => !hubs.includes(i)), hubs, w, h);
    }
    /* The largest boxes that leave room for arrows between them. */
    function layout() {
        const box = svg.getBoundingClientRect();
        const W = Math.max(box.width, 200), H = Math.max(box.height, 200);
        if (known && known.W === W && known.H === H) return known;
        const most = Math.min(190, W / 2.4, H / 2.6);
        let size = most, places, height;
        for (; size > 16; size -= 2) {
            height = boxHeight(size);
            places = placesIn(W - size - 16, H - height - 16);
            if (fits(places, size, height)) break;
        }
        return known = { W, H, size, height, places };
    }
    function fits(places, size, height) {
        const gap = !D.cells ? 9 : D.names.length > 8 ? 26 : Math.min(46, size * .45);
        const gapX = D.shape === "tree" ? 10 : gap;
        for (let a = 0; a < places.length; a++)
            for (let b = 0; b < a; b++) {
                const dx = Math.abs(places[a][0] - places[b][0]);
                const dy = Math.abs(places[a][1] - places[b][1]);
                if (dx < size + gapX && dy < height + gap) return false;
            }
        return true;
    }
    function rowHeight(size) {
        if (!D.cells) return Math.max(6, size * .3);
        return Math.min(D.blocks > 1 ? 30 : 42, Math.max(1.5, (size - labelHeight(size) - 8) / D.blocks));
    }
    /* Is there room for the chunk's number before its bar? */
    const numbered = size =>
        D.cells && size >= 96 && rowHeight(size) >= 10 && D.blocks > 1;
    const labelHeight = size => size < 50 ? 15 : size < 90 ? 18 : 24;
    const boxHeight = size =>
        labelHeight(size) + rowHeight(size) * (D.cells ? D.blocks : 1) + 7;

    /* ---- the picture ---- */

    /* The chunks of a party, a row each; where no gap is between rows, equal ones are one. */
    function drawBars(g, party, x, y, w, h) {
        const paint = makePaint(), vs = D.states[step][party], columns = D.sums ? D.ranks : 1;
        const faint = b => step === N && party < D.ranks && !D.owed[party][b] ? " extra" : "";
        const holds = (b, c) => D.sums ? (vs[b] >> c & 1 ? c : -1) : originRank(vs[b]);
        const rows = (look, draw) => {
            for (let b = 0, to; b < D.blocks; b = to) {
                for (to = b + 1; !gapBelow(h) && to < D.blocks && look(to) === look(b) &&
                                 faint(to) === faint(b); to++) ;
                if (look(b) !== null) draw(b, y + b * h, (to - b) * h);
            }
        };
        for (let c = 0; c < columns; c++)
            rows(b => holds(b, c), (b, y, h) =>
                paint.segment(holds(b, c), faint(b), x + c * w / columns, y, w / columns, h,
                              D.sums ? hex(c) : holdingText(vs[b])));
        rows(b => isComplete(vs[b]) || null, (b, y, h) =>
            paint.rect("complete" + faint(b), x + w + 1.5, y + .5, 3, h - 1));
        rows(b => received(party, b) || null, (b, y, h) =>
            paint.rect("got" + faint(b), x - 4.5, y + .5, 3, h - 1));
        paint.into(g);
    }
    /* Whether the step brought it: marked for all parties when the step is drawn. */
    let arrived = [];
    const received = (party, block) => !!arrived[party * D.blocks + block];
    function setStep(to) {
        step = to;
        arrived = [];
        for (const [, dst, , count, first] of step ? D.steps[step - 1].m : [])
            for (let i = 0; i < count; i++)
                arrived[dst * D.blocks + (first + i) % D.blocks] = true;
    }
    /* Whether the party has all that it is owed. */
    function isDone(party) {
        if (party >= D.ranks) return false;
        const owed = D.owed[party].reduce((sum, o) => sum + o, 0);
        if (!D.cells) return owed > 0 && D.states[step][party][1] >= owed;
        return owed > 0 && D.states[step][party].every((v, b) => !D.owed[party][b] || isComplete(v));
    }
    /* Contributions of a party that has everything. */
    const most = D.cells ? 0 : Math.max(...D.states.flat().map(v => v[0]), 1);

    function drawBox(svg, party, lay) {
        const [cx, cy] = at(party, lay);
        const x = cx - lay.size / 2, y = cy - lay.height / 2;
        const g = el(svg, "g", {});
        const label = labelHeight(lay.size), h = rowHeight(lay.size);
        const done = isDone(party);
        const text = lay.size < 76 ? short(party) : D.names[party];
        const size = !D.cells ? Math.max(8, lay.size * .5) : lay.size < 50 ? 12 : lay.size < 90 ? 13 : 15;
        el(g, "rect", { x, y, width: lay.size, height: lay.height, rx: 7,
            class: done ? "box done" : "box" });
        el(g, "text", { x: cx, y: y + label - 5, "text-anchor": "middle",
            "font-size": size, "font-weight": 700 }, text + (done && lay.size > 30 ? " ✓" : ""));
        if (!D.cells) {
            const w = lay.size - 8, share = D.states[step][party][0] / most;
            el(g, "rect", { x: x + 4, y: y + label, width: w, height: h, class: "cell" });
            el(g, "rect", { x: x + 4, y: y + label, width: w * Math.min(1, share), height: h,
                fill: colour(2) });
            return;
        }
        const gutter = numbered(lay.size) ? 13 : 0;
        drawBars(g, party, x + 7 + gutter, y + label, lay.size - 14 - gutter, h);
        for (let b = 0; gutter && b < D.blocks; b++)
            el(g, "text", { x: x + 9, y: y + label + (b + .5) * h + 3.5, "font-size": 10,
                "text-anchor": "middle", class: "number" }, b);
    }
    const at = (party, lay) => [lay.W / 2 + lay.places[party][0],
                                lay.H / 2 + lay.places[party][1]];

    /* On a circle an arrow that skips a few is drawn in, clear of them. */
    function pulled(a, b) {
        const away = Math.abs(a - b), p = D.names.length;
        const skips = Math.min(away, p - away) - 1;
        return ["circle", "hypercube"].includes(D.shape) && p > 5 &&
               skips > 0 && skips < Math.max(3, p / 4);
    }
    function curve(a, b, lay) {
        const A = at(a, lay), B = at(b, lay);
        const dx = B[0] - A[0], dy = B[1] - A[1];
        const bow = D.shape === "tree" ? .1 : .14;
        const pull = pulled(a, b) ? .5 : 0;
        const bend = (c, side, middle) => {
            const half = (A[c] + B[c]) / 2;
            return half + side * bow + (middle - half) * pull;
        };
        const p = [A, [bend(0, dy, lay.W / 2), bend(1, -dx, lay.H / 2)], B];
        const out = (t, c, pad) => {
            const q = cut(p, t, t)[0];
            return Math.abs(q[0] - c[0]) > lay.size / 2 + pad ||
                   Math.abs(q[1] - c[1]) > lay.height / 2 + pad;
        };
        let t0 = 0, t1 = 1;
        while (t0 < .48 && !out(t0, A, 3)) t0 += .01;
        while (t1 > .52 && !out(t1, B, 4)) t1 -= .01;
        return cut(p, t0, t1);
    }
    function drawTag(svg, c, kind, text, dense) {
        const t = dense ? .32 : .5;
        const [x, y] = cut(c, t, t)[0];
        const size = dense || D.names.length > 8 && innerWidth < 500 ? 11 : 13;
        const w = text.length * size * .62 + 10;
        const g = el(svg, "g", {});
        el(g, "rect", { x: x - w / 2, y: y - size * .75, width: w,
            height: size * 1.5, rx: size * .6, class: "pill" });
        el(g, "text", { x, y: y + size * .36, "text-anchor": "middle",
            "font-size": size, class: "tag" }, text);
    }
    /* Messages between the same two parties share an arrow. */
    function arrows(messages) {
        const list = new Map();
        for (const m of messages) {
            const key = m[0] * 256 + m[1];
            const arrow = list.get(key) || { src: m[0], dst: m[1], add: m[5], tags: [], of: [] };
            const to = m[2] !== m[4] ? "›" + blocksText(m[4], m[3]) : "";
            arrow.tags.push((m[5] ? "+" : "=") +
                (D.blocks > 1 ? blocksText(m[2], m[3]) + to : ""));
            arrow.of.push(m);
            list.set(key, arrow);
        }
        return list;
    }
    /* Who ever has to do with whom, but for those that do in this step. */
    function drawEdges(svg, lay, busy) {
        for (const [a, b] of D.edges) {
            if (busy.has(a * 256 + b) || busy.has(b * 256 + a)) continue;
            const A = at(a, lay), B = at(b, lay);
            el(svg, "line", { x1: f1(A[0]), y1: f1(A[1]), x2: f1(B[0]),
                y2: f1(B[1]), class: "edge" });
        }
    }
    function drawBoxes(busy) {
        const lay = layout();
        svg.replaceChildren();
        svg.setAttribute("viewBox", `0 0 ${f1(lay.W)} ${f1(lay.H)}`);
        if (D.edges.length <= (D.cells ? 40 : 130)) drawEdges(svg, lay, busy);
        D.names.forEach((_, party) => drawBox(svg, party, lay));
    }
    /* Lines, heads and tags; each line with what kind it is. */
    function drawArrows(parent, busy) {
        const lay = layout(), curves = [];
        const list = [...busy.values()], dense = list.length > D.names.length;
        for (const a of list) {
            const kind = a.add ? "add" : "put", c = curve(a.src, a.dst, lay);
            const wire = el(parent, "path", { d: path(c), class: "wire " + kind });
            drawHead(parent, c, kind);
            curves.push([wire, kind]);
            a.curve = c;
        }
        if (D.cells && list.length <= 64 && (parent === svg || lay.W > 420))
            for (const a of list) {
                const text = a.tags.length > 3
                    ? a.tags.slice(0, 2).join(" ") + " …" : a.tags.join(" ");
                drawTag(parent, a.curve, a.add ? "add" : "put", text, dense);
            }
        return curves;
    }
    function draw(to) {
        setStep(to);
        const busy = arrows(step ? D.steps[step - 1].m : []);
        drawBoxes(busy);
        return drawArrows(svg, busy);
    }

    /* ---- at a time ---- */

    const stepAt = ps => D.steps.filter(s => s.s * 1e12 <= ps + .5).length;
    let flight = null;     /* the group of what travels, above the boxes */

    function drawAt(ps) {
        if (stepAt(ps) !== step || !flight?.isConnected) {
            setStep(stepAt(ps));
            drawBoxes(new Map());
            flight = el(svg, "g", {});
        }
        const busy = arrows(all.filter(m => m[7] <= ps && ps < m[8]));
        flight.replaceChildren();
        for (const [party, from, to] of D.works)
            if (from <= ps && ps < to) drawFrame(party);
        drawArrows(flight, busy);
        for (const a of busy.values())
            for (const m of a.of) {
                const t = (ps - m[7]) / (m[8] - m[7]), [x, y] = cut(a.curve, t, t)[0];
                el(flight, "circle", { cx: f1(x), cy: f1(y), r: 6,
                    class: "dot " + (m[5] ? "add" : "put") });
            }
        return step;
    }

    /* Around a party that reduces. */
    function drawFrame(party) {
        const lay = layout(), [x, y] = at(party, lay);
        el(flight, "rect", { x: x - lay.size / 2 - 3, y: y - lay.height / 2 - 3, rx: 9,
            width: lay.size + 6, height: lay.height + 6, class: "reduces" });
    }

    /* After a change of the window. */
    function redraw() {
        known = flight = null;
    }

    return { D, N, draw, drawAt, redraw, holdingText, chunkText, short, received, step: () => step };
}

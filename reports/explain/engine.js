/*
 * The engine in a page: the program as WebAssembly, words in and texts out.
 *
 *     const engine = await openEngine();        from the element with id "engine"
 *     const answer = await engine(["explain", "--algo", "ring", "--format", "json"]);
 *     answer.code, answer.out, answer.messages
 *     engine.stop();                            what runs for three seconds fails as "stopped"
 *     engine.ahead(words), engine.stopAhead();  the same in a second worker, for later questions
 *
 * Every call has a memory of its own, and runs beside the page where there are workers.  WASI
 * has clocks, words and two outputs here: no file, no network.  A file of the program is a text
 * in its option, as --topo "ranks: 4\n...".
 */
/* (module, words) -> answer; a worker has it by its text. */
function engineCall() {
    const EBADF = 8, ENOSYS = 52, CHARACTER_DEVICE = 2;
    class Exit { constructor(code) { this.code = code; } }

    /* The calls of WASI that the program makes; `outs` takes what it writes. */
    function system(words, outs, memory) {
        const encode = new TextEncoder();
        const argv = ["collsim", ...words].map(w => encode.encode(w + "\0"));
        const view = () => new DataView(memory().buffer);
        const put = (at, value) => view().setUint32(at, value, true);
        return {
            args_sizes_get(count, size) {
                put(count, argv.length);
                put(size, argv.reduce((sum, a) => sum + a.length, 0));
                return 0;
            },
            args_get(at, text) {
                for (const a of argv) {
                    put(at, text);
                    new Uint8Array(memory().buffer).set(a, text);
                    at += 4;
                    text += a.length;
                }
                return 0;
            },
            environ_sizes_get(count, size) {
                put(count, 0);
                put(size, 0);
                return 0;
            },
            environ_get: () => 0,
            clock_time_get(id, precision, at) {
                view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
                return 0;
            },
            fd_write(fd, pieces, count, written) {
                let total = 0;
                if (!outs[fd]) return EBADF;
                for (let i = 0; i < count; i++) {
                    const at = view().getUint32(pieces + 8 * i, true);
                    const size = view().getUint32(pieces + 8 * i + 4, true);
                    outs[fd].push(new Uint8Array(memory().buffer.slice(at, at + size)));
                    total += size;
                }
                put(written, total);
                return 0;
            },
            fd_fdstat_get(fd, at) {
                if (fd > 2) return EBADF;
                new Uint8Array(memory().buffer).fill(0, at, at + 24);
                view().setUint8(at, CHARACTER_DEVICE);
                return 0;
            },
            fd_prestat_get: () => EBADF,
            proc_exit(code) { throw new Exit(code); },
        };
    }

    return async (module, words) => {
        const outs = { 1: [], 2: [] }, imports = {};
        let memory, code = 0;
        const calls = system(words, outs, () => memory);
        for (const { module: from, name } of WebAssembly.Module.imports(module))
            (imports[from] ??= {})[name] = calls[name] ?? (() => ENOSYS);
        const instance = await WebAssembly.instantiate(module, imports);
        memory = instance.exports.memory;
        try {
            instance.exports._start();
        } catch (e) {
            if (!(e instanceof Exit)) throw e;
            code = e.code;
        }
        const text = async pieces => new TextDecoder().decode(await new Blob(pieces).arrayBuffer());
        return { code, out: await text(outs[1]), messages: await text(outs[2]) };
    };
}

async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

const SLOW_MS = 3000, /* a shorter call is left to end */
      DEAF_MS = 3000; /* after which a worker that takes up no question is begun anew, twice that
                         the next time: a busy computer is slow, too */

/* The worker of a page, and what waits for it.  It says which question it has taken up, for in
 * Chromium under load a worker that began right after another's end has been seen to take up none. */
function engineWorker() {
    const script = `const call = (${engineCall})();
        onmessage = async ({ data: { id, module, words } }) => {
            postMessage({ id, begun: true });
            try { postMessage({ id, answer: await call(module, words) }); }
            catch (e) { postMessage({ id, error: e.message }); }
        };`;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const waiting = new Map();
    let worker = null, count = 0, running = 0, heard = 0, patience = DEAF_MS;
    const send = (id, { module, words }) => worker.postMessage({ id, module, words });
    const end = text => {
        for (const { fail } of waiting.values()) fail(new Error(text));
        waiting.clear();
    };
    const hear = ({ data: { id, begun, answer, error } }) => {
        const asked = waiting.get(id);
        heard = performance.now();
        running = begun ? id : 0;
        if (begun) return;
        waiting.delete(id);
        if (answer) asked.done(answer);
        else asked.fail(new Error(error));
    };
    const begin = () => {
        worker?.terminate();
        worker = new Worker(url);
        worker.onmessage = hear;
        worker.onerror = e => end(e.message);
        running = 0;
        heard = performance.now();
        for (const [id, asked] of waiting) send(id, asked);
    };
    const watch = setInterval(() => {
        if (!waiting.size || running || performance.now() - heard <= patience) return;
        patience *= 2;
        begin();
    }, DEAF_MS / 4);
    begin();
    return {
        ask: (module, words) => new Promise((done, fail) => {
            if (!waiting.size) heard = performance.now();
            waiting.set(++count, { done, fail, module, words, since: performance.now() });
            send(count, waiting.get(count));
        }),
        isSlow: () => [...waiting.values()].some(w => performance.now() - w.since > SLOW_MS),
        stop() {
            clearInterval(watch);
            worker.terminate();
            end("stopped");
        },
    };
}

/* `bytes`: of the module, in place of those in the page. */
async function openEngine(bytes) {
    const module = await WebAssembly.compile(
        bytes ?? await unpacked(document.getElementById("engine").textContent));
    let worker = null, second = null;
    const engine = words => {
        if (typeof Worker === "undefined") return engineCall()(module, words);
        worker ??= engineWorker();
        return worker.ask(module, words);
    };
    engine.stop = () => {
        if (!worker?.isSlow()) return;
        worker.stop();
        worker = null;
    };
    engine.ahead = words => (second ??= engineWorker()).ask(module, words);
    engine.stopAhead = () => {
        second?.stop();
        second = null;
    };
    return engine;
}

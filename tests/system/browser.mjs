// A page in headless Chromium, by its debugging protocol: open(url) -> evaluate, size, picture.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const wait = ms => new Promise(done => setTimeout(done, ms));

export function found() {
    return ['chromium', 'chromium-browser', 'google-chrome']
        .find(name => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
}

async function address(folder) {
    for (let i = 0; i < 200; i++, await wait(50))
        try {
            const [port] = readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n');
            const list = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
            const page = list.find(target => target.type === 'page');
            if (page) return page.webSocketDebuggerUrl;
        } catch { /* not yet */ }
    throw new Error('the browser did not start');
}

export async function open(url) {
    const folder = mkdtempSync(join(tmpdir(), 'collsim-page-'));
    const browser = spawn(found(), ['--headless=new', '--no-sandbox', '--disable-gpu',
        '--remote-debugging-port=0', '--user-data-dir=' + folder, 'about:blank'], { stdio: 'ignore' });
    process.on('exit', () => browser.kill());
    const socket = new WebSocket(await address(folder));
    const waiting = new Map(), errors = [];
    let number = 0;

    await new Promise((done, fail) => { socket.onopen = done; socket.onerror = fail; });
    socket.onmessage = e => {
        const { id, result, error, method, params } = JSON.parse(e.data);
        if (method === 'Runtime.exceptionThrown')
            errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (error) waiting.get(id)?.[1](new Error(error.message));
        else waiting.get(id)?.[0](result);
    };
    const send = (method, params = {}) => new Promise((done, fail) => {
        waiting.set(++number, [done, fail]);
        socket.send(JSON.stringify({ id: number, method, params }));
    });
    const page = {
        errors,
        send,
        async evaluate(expression) {
            const { result, exceptionDetails } = await send('Runtime.evaluate',
                { expression, awaitPromise: true, returnByValue: true });
            if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
            return result.value;
        },
        /* Until the expression is true, or thirty seconds. */
        async until(expression) {
            for (let i = 0; i < 1200; i++, await wait(25))
                if (await page.evaluate(`!!(${expression})`)) return true;
            throw new Error('never: ' + expression);
        },
        size: (width, height) => send('Emulation.setDeviceMetricsOverride',
            { width, height, deviceScaleFactor: 1, mobile: width < 500 }),
        async picture(file) {
            const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true });
            writeFileSync(file, Buffer.from(data, 'base64'));
        },
        async close() {
            const ended = new Promise(done => browser.on('exit', done));
            send('Browser.close').catch(() => 0);
            await ended;
            socket.close();
            rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
        },
    };
    await send('Page.enable');
    await send('Runtime.enable');
    await page.size(1280, 900);
    await send('Page.navigate', { url });
    await page.until('document.readyState === "complete"');
    return page;
}

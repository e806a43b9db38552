// How long the page with the engine takes (make wasm), from a change of the algorithm to the frame
// with its answer, in milliseconds: all algorithms of all-reduce on each machine.  No part of
// `make test`.
//
//     node --experimental-websocket tests/speed/page.mjs [PROGRAM [MACHINE:RANKS ...]]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../system/browser.mjs';

const [program = './collsim', ...asked] = process.argv.slice(2);
const cases = asked.length ? asked : ['switch:8', 'dgx:8', 'switch:16', 'dgx-h100:16', 'switch:64', 'dgx:64'];
const folder = mkdtempSync(join(tmpdir(), 'collsim-speed-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
spawnSync(program, ['explain', '--algo', 'ring', '--ranks', '8', '--out', join(folder, 'page.html')]);
const page = await open('file://' + join(folder, 'page.html'));
await page.until('document.querySelector("#wiring .hit")');

/* Milliseconds until the frame after the answer. */
const change = (id, value) => page.evaluate(`new Promise(done => {
    const began = performance.now();
    $("status").textContent = "";
    new MutationObserver((_, observer) => {
        if (["", "Simulating ..."].includes($("status").textContent)) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    }).observe($("status"), { childList: true });
    $("${id}").value = "${value}";
    $("${id}").dispatchEvent(new Event("change", { bubbles: true }));
})`);

for (const [machine, ranks] of cases.map(c => c.split(':'))) {
    await change('machine-name', machine);
    await change('ranks', ranks);
    const times = [];
    for (const name of await page.evaluate('[...$("algorithm").options].map(o => o.value)'))
        times.push([Math.round(await change('algorithm', name)), name]);
    times.sort((a, b) => b[0] - a[0]);
    console.log(`${machine}, ${ranks} ranks: median ${times[times.length >> 1][0]} ms, slowest`,
        times.slice(0, 4).map(([ms, name]) => `${name} ${ms}`).join(', '));
}
await page.close();

// How long the page with the engine takes (make wasm), from a change of the algorithm to the frame
// with its answer, in milliseconds: all algorithms of a collective, one right after the other, on
// each machine.  Of those above 150 ms also until the page says what it waits for, and until the
// answer where the machine was looked at before, for as long as the page computes ahead.  No part
// of `make test`.
//
//     node --experimental-websocket tests/speed/page.mjs [PROGRAM [MACHINE:RANKS[:COLLECTIVE] ...]]
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

/* Milliseconds until the frame after the answer, or after the first words. */
const change = (id, value, words = ['', 'Simulating ...']) => page.evaluate(`new Promise(done => {
    const began = performance.now();
    $("status").textContent = "";
    new MutationObserver((_, observer) => {
        if (${JSON.stringify(words)}.includes($("status").textContent)) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(Math.round(performance.now() - began))));
    }).observe($("status"), { childList: true });
    $("${id}").value = "${value}";
    $("${id}").dispatchEvent(new Event("change", { bubbles: true }));
})`);

for (const [machine, ranks, collective = 'all-reduce'] of cases.map(c => c.split(':'))) {
    await change('machine-name', machine);
    await change('ranks', ranks);
    await change('collective', collective);
    const times = [];
    for (const name of await page.evaluate('[...$("algorithm").options].map(o => o.value)'))
        times.push([await change('algorithm', name), name]);
    times.sort((a, b) => b[0] - a[0]);
    console.log(`${machine}, ${ranks} ranks, ${collective}: median ${times[times.length >> 1][0]} ms, slowest`,
        times.slice(0, 4).map(([ms, name]) => `${name} ${ms}`).join(', '));
    for (const [ms, name] of times.filter(([ms]) => ms > 150)) {
        await change('algorithm', 'ring');
        await change('size', `${4e6 + 4096 * ms} B`); /* never asked before */
        const first = await change('algorithm', name, ['']);
        await page.until('!["", "Simulating ..."].includes($("status").textContent)');
        await change('algorithm', 'ring');
        await change('size', `${4e6 + 8192 * ms} B`);
        await page.until('$("choose").dataset.ahead === "done"');
        console.log(`    ${name}: first words after ${first} ms, after a look at the machine ` +
            `${await change('algorithm', name)} ms`);
    }
    await change('size', '4 MB');
}
await page.close();

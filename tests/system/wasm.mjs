// wasm.mjs ENGINE.js COLLSIM.wasm PROGRAM <LINES: runs each line, JSON lists of words, in the
// engine by the page's own script and in the program, and prints TAP: the same bytes and status.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [script, wasm, program] = process.argv.slice(2);
const openEngine = new Function(readFileSync(script, 'utf8') + '\nreturn openEngine;')();
const engine = await openEngine(readFileSync(wasm));
const lines = readFileSync(0, 'utf8').trim().split('\n').map(line => JSON.parse(line));
let number = 0;

console.log(`1..${lines.length}`);
for (const words of lines) {
    const here = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
    const there = await engine(words);
    // How long it takes differs.
    for (const [of, name] of [[here, 'stderr'], [there, 'messages']])
        of[name] = of[name].replace(/^.*, about .* to go(;.*)?$\n?/gm, '');
    // exp and log of two C libraries differ in the last bit, of which intervals of libraries are made.
    if (words.includes('--library'))
        for (const [of, name] of [[here, 'stdout'], [there, 'out']])
            of[name] = of[name].replace(/\d\.\d{15,}/g, x => (+x).toPrecision(15));
    const same = here.status === there.code && here.stdout === there.out &&
        here.stderr === there.messages;
    const name = words.join(' ').replace(/[\n#]/g, ' ').slice(0, 100);
    console.log(`${same ? 'ok' : 'not ok'} ${++number} - ${name}`);
    if (same) continue;
    console.log(`# status ${here.status} in the program, ${there.code} in the engine`);
    for (const [a, b] of [[here.stdout, there.out], [here.stderr, there.messages]]) {
        const [x, y] = [a.split('\n'), b.split('\n')];
        const at = x.findIndex((line, i) => line !== y[i]);
        if (a !== b) console.log(`# program: ${x[at]?.slice(0, 300)}\n# engine:  ${y[at]?.slice(0, 300)}`);
    }
}

// page.mjs PROGRAM FOLDER: the page of `explain --format html` in a browser, as a person uses it;
// what it shows is what the program answers.  Prints TAP.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from './browser.mjs';

const [program, folder] = process.argv.slice(2);
const file = join(folder, 'page.html');
const run = (...words) => spawnSync(program, words, { encoding: 'utf8' });
const story = (...words) => JSON.parse(run('explain', '--format', 'json', ...words).stdout);
let number = 0;

function result(name, ok, said = '') {
    console.log(`${ok ? 'ok' : 'not ok'} ${++number} - ${name}`);
    if (!ok) console.log(`# ${said}`);
}

const made = run('explain', '--algo', 'ring', '--ranks', '8', '--topo', 'dgx-1', '--out', file);
result('the page is written', made.status === 0, made.stderr);
const bytes = statSync(file).size;
const most = Math.max(...['ring', 'multi-ring', 'hierarchical'].map(algo =>
    run('explain', '--algo', algo, '--topo', 'dgx-h100', '--nodes', '2', '--format', 'html').stdout.length));
result('it is smaller than 900 kB, also that of many steps', bytes < 900_000 && most < 900_000, [bytes, most]);

const page = await open('file://' + file);
const shown = () => page.evaluate('JSON.stringify(pictures.map(p => p.D))').then(JSON.parse);
/* Does it, and waits for the engine's answer or error. */
async function act(script) {
    await page.evaluate(`$("status").textContent = ""; ${script}`);
    await page.until('!["", "Simulating ..."].includes($("status").textContent)');
}
const set = (id, value) => act(`$("${id}").value = ${JSON.stringify(value)};
    $("${id}").dispatchEvent(new Event("change", { bubbles: true }))`);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const press = async (key, code) => {
    for (const type of ['keyDown', 'keyUp'])
        await page.send('Input.dispatchKeyEvent', { type, key, code: code ?? key,
            windowsVirtualKeyCode: { Tab: 9, Enter: 13, ' ': 32, ArrowRight: 39, End: 35 }[key],
            text: type === 'keyDown' && key === 'Enter' ? '\r' : undefined });
};

try {
    await page.until('document.querySelector("#wiring .hit")');
    result('it opens from a file, with the machine and its links', true);

    await set('algorithm', 'tree');
    result('another algorithm: what the program answers',
        same((await shown())[0], story('--algo', 'tree', '--ranks', '8', '--topo', 'dgx-1', '--size', '4MB')),
        await page.evaluate('$("status").textContent'));
    await set('collective', 'all-gather');
    await set('algorithm', 'ring');
    await set('size', '1 MiB');
    result('another collective and size', same((await shown())[0], story('--algo', 'ring', '--collective',
        'all-gather', '--ranks', '8', '--topo', 'dgx-1', '--size', '1MiB')));
    await set('collective', 'all-reduce');
    await set('algorithm', 'ring');
    await set('ranks', '64');
    await set('machine-name', 'switch');
    result('64 ranks', same((await shown())[0], story('--algo', 'ring', '--ranks', '64', '--topo',
        'switch:ranks=64', '--size', '1MiB')));
    await set('ranks', '16');
    await set('machine-name', 'dgx-h100');
    result('copies of a machine that has too few', same((await shown())[0], story('--algo', 'ring',
        '--topo', 'dgx-h100', '--nodes', '2', '--ranks', '16', '--size', '1MiB')));
    await page.until('$("choose").dataset.ahead === "done"');
    await set('algorithm', 'forest');
    result('a search of trees is done before it is asked for', same((await shown())[0], story('--algo', 'forest',
        '--topo', 'dgx-h100', '--nodes', '2', '--ranks', '16', '--size', '1MiB')) && (await page.evaluate(
        '$("status").textContent')).includes('before the question'), await page.evaluate('$("status").textContent'));
    await set('algorithm', 'ring');

    await set('ranks', '8');
    await set('machine-name', 'dgx-1');
    const whole = (await shown())[0].time;
    await page.until('document.querySelector("[data-link=gpu0-gpu4].hit")');
    await act('document.querySelector("[data-link=gpu0-gpu4].hit").dispatchEvent(new Event("click", { bubbles: true }))');
    const slow = (await shown())[0];
    result('a click slows a link', same(slow, story('--algo', 'ring', '--ranks', '8', '--topo', 'dgx-1',
        '--size', '1MiB', '--fault', 'gpu0-gpu4:rate=50%')) && slow.time > whole, slow.time);
    await act('document.querySelector("[data-link=gpu0-gpu4].hit").dispatchEvent(new Event("click", { bubbles: true }))');
    result('a second one breaks it', same((await shown())[0], story('--algo', 'ring', '--ranks', '8',
        '--topo', 'dgx-1', '--size', '1MiB', '--fault', 'gpu0-gpu4:down')));
    await act('$("repair").click()');
    result('and it is repaired', (await shown())[0].time === whole);

    await page.evaluate('document.querySelector(".hit").focus()');
    await press('ArrowRight');
    const link = await page.evaluate('document.activeElement.dataset.link');
    await page.evaluate('$("status").textContent = ""');
    await press('Enter');
    await page.until('$("status").textContent');
    result('the keys do the same', (await page.evaluate(
        `document.querySelector('[data-link="${link}"].hit').getAttribute("aria-label")`)).includes('half its rate'));
    await act('$("repair").click()');

    await set('other', 'tree');
    const two = await shown();
    result('two algorithms on one clock', two.length === 2 && await page.evaluate('view.max') ===
        Math.round(Math.max(two[0].time, two[1].time) * 1e12));
    await page.evaluate('showView(view.max / 2)');
    result('each has the steps that are over by then', same(await page.evaluate('pictures.map(p => p.step())'),
        two.map(D => D.steps.filter(s => s.s <= Math.max(two[0].time, two[1].time) / 2).length)));
    await page.evaluate('document.activeElement.blur()');
    await press('End');
    result('and ends with the last', (await page.evaluate('$("now").textContent')).match(/finished/g).length === 2);
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
    await page.evaluate('showView(0); $("speed").value = 700; $("play").click()');
    await page.until('view.value() > 0');
    await page.evaluate('pause()');
    result('with less motion it goes from step to step', await page.evaluate(
        'pictures.some(p => p.D.steps.some(s => Math.round(s.s * 1e12) === view.value()))'));
    await set('other', '');

    await act('$("machine-use").click()');
    result('a pasted machine', (await shown())[0].subtitle.includes('two-pairs, 4 ranks'),
        (await shown())[0].subtitle);
    await act('$("machine-text").value = "name: [\\n"; $("machine-use").click()');
    result('a wrong one is an error with its line', await page.evaluate('$("status").className === "bad"') &&
        /:\d+: /.test(await page.evaluate('$("status").textContent')), await page.evaluate('$("status").textContent'));

    await set('options', '--link-model=fluid --chunks=2');
    await set('machine-name', 'dgx');
    await set('ranks', '8');
    await set('algorithm', 'double-tree');
    const told = () => page.evaluate('$("status").textContent');
    result('other options', same((await shown())[0], story('--algo', 'double-tree', '--topo', 'dgx', '--ranks', '8',
        '--size', '1MiB', '--link-model', 'fluid', '--chunks', '2')), await told());
    await set('options', '--help');
    result('help among them', (await told()).startsWith('usage: collsim explain'), await told());
    await set('options', '--json');
    result('an option that has no place', (await told()).includes("--json"), await told());
    await set('options', '');
    await set('machine-name', 'gbe-4');
    result('a machine without copies says how many ranks it has', (await told()).startsWith('gbe-4 has 4 ranks'), await told());
    await page.evaluate(`for (const [id, value] of [["ranks", 16], ["machine-name", "switch"], ["algorithm", "naive"],
        ["options", "--link-model=packet"], ["size", "2 GiB"]]) {
        $(id).value = value;
        $(id).dispatchEvent(new Event("change", { bubbles: true }));
    }`);
    await page.until('$("status").textContent === "Simulating ..."');
    await new Promise(done => setTimeout(done, 3500));
    await set('size', '2 MB');
    result('a question ends the one before', (await shown())[0].subtitle.includes('2 MB on switch, 16 ranks'), await page.evaluate('$("status").textContent'));

    const faults = await page.evaluate(`(() => {
        const bad = [], ids = [...document.querySelectorAll("[id]")].map(e => e.id);
        ids.filter((id, i) => ids.indexOf(id) < i).forEach(id => bad.push("twice: " + id));
        for (const e of document.querySelectorAll("[aria-labelledby]"))
            for (const id of e.getAttribute("aria-labelledby").split(" "))
                if (!document.getElementById(id)) bad.push("no label " + id);
        for (const e of document.querySelectorAll("select, input, textarea, button, [role=button], [role=img], [tabindex]"))
            if (!e.labels?.length && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby") && !e.textContent.trim())
                bad.push("no name: " + e.outerHTML.slice(0, 80));
        for (const e of document.querySelectorAll("[tabindex]"))
            if (+e.getAttribute("tabindex") > 0) bad.push("order of tabs: " + e.id);
        return bad.join("; ");
    })()`);
    result('fields, buttons and pictures have names, ids are unique', faults === '', faults);
    run('lab', 'faults', '--out', file.replace('page', 'lab'));
    const lesson = JSON.parse(run('lab', 'faults', '--format', 'json').stdout);
    await page.send('Page.navigate', { url: 'file://' + file.replace('page', 'lab') });
    await page.until('document.readyState === "complete" && globalThis.showCase');
    await page.evaluate('$("lab-form").requestSubmit()');
    result('a lab wants a prediction first', await page.evaluate('$("lab-verdict").textContent') ===
        'A number first, as 12.5.' && !(await page.evaluate('$("lab-verdict").textContent')).includes(lesson.tasks[0].key) &&
        await page.evaluate('getComputedStyle($("totals")).visibility') === 'hidden');
    await act(`document.querySelector("#lab-answer input").value = "${lesson.tasks[0].number / 2}"; $("lab-form").requestSubmit()`);
    const said = await page.evaluate('$("lab-verdict").textContent');
    result('then it says what the program computed, and why', await page.evaluate('getComputedStyle($("totals")).visibility') ===
        'visible' && said.includes(`it is ${lesson.tasks[0].key}, 2.0 times as much`) &&
        said.includes(lesson.tasks[0].explanation), said);
    await act('document.querySelectorAll("#lab-verdict button")[1].click()');
    result('and runs it in the page, with its broken link', same((await shown())[0],
        story(...lesson.tasks[0].runs[1].command.split(' '))) && (await page.evaluate(
        'document.querySelector("[data-link=gpu0-gpu4].hit").getAttribute("aria-label")')).includes('broken'),
        JSON.stringify((await shown())[0]).slice(0, 200));
    await page.evaluate('$("lab-next").click(); $("lab-next").click()');
    await act(`document.querySelector("#lab-answer input[value=${lesson.tasks[2].key}]").click(); $("lab-form").requestSubmit()`);
    result('a choice, beside another algorithm', (await page.evaluate('$("lab-verdict").textContent')).startsWith('Right: ') &&
        (await shown()).length === 2 && await page.evaluate('$("lab-score").textContent') === '1 of 2 predictions right');
    for (const [width, height] of [[1366, 768], [390, 844]]) {
        await page.size(width, height);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        result(`it fits a width of ${width}`, wide <= width, wide);
    }
    result('no script failed', page.errors.length === 0, page.errors.join('; '));
} catch (e) {
    result('the page answers', false, e.stack.replace(/\n/g, '\n# '));
}
await page.close();
console.log(`1..${number}`);

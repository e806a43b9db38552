/*
 * The lab: a task at a time.  The key shows once there is a prediction, and the page runs it.
 */
{
    const L = JSON.parse($("lesson").textContent);
    const given = L.tasks.map(() => null);      /* what was predicted, as text */
    let at = 0;

    /* Between backquotes is code. */
    function words(parent, text) {
        parent.replaceChildren();
        text.split("`").forEach((part, i) => i % 2 ? html(parent, "code", part) : parent.append(part));
    }
    function isRight(task, text) {
        if (task.kind !== "number") return text.replace(/\s/g, "") === task.key;
        return Math.abs(+text - task.number) <= Math.abs(task.number) * task.tolerance + 1e-9;
    }
    function verdict(task, text) {
        if (isRight(task, text)) return `Right: ${task.key}.`;
        const off = +text / task.number;
        return `You predicted ${text}${task.kind === "number" && task.unit ? " " + task.unit : ""}; it is ${task.key}` +
            (task.kind === "number" && off > 0 && off !== 1
                ? `, ${(off > 1 ? off : 1 / off).toPrecision(2)} times ${off > 1 ? "less" : "as much"}.` : ".");
    }
    /* The case of a run in the page's form; a second algorithm beside it where all else is the same. */
    function show(run, second) {
        const { algo, ...rest } = run.asked, other = second?.asked;
        const same = other && JSON.stringify(rest) === JSON.stringify({ ...other, algo: undefined });
        globalThis.showCase?.(run.asked, same && other.algo !== algo ? other.algo : "");
    }
    function result(task) {
        const box = $("lab-verdict");
        box.replaceChildren();
        if (given[at] === null) return;
        html(box, "p", verdict(task, given[at]), isRight(task, given[at]) ? "right" : "wrong");
        words(html(box, "p"), task.explanation);
        const row = html(box, "div", undefined, "row");
        if ($("choices"))
            for (const run of task.runs) {
                const button = html(row, "button", "show " + run.name);
                button.type = "button";
                button.title = "collsim explain " + run.command;
                button.onclick = () => show(run);
            }
    }
    function field(task) {
        const box = $("lab-answer");
        box.replaceChildren();
        if (task.kind === "choice")
            for (const { name } of task.runs) {
                const label = html(box, "label"), radio = html(label, "input");
                Object.assign(radio, { type: "radio", name: "lab", value: name, checked: given[at] === name });
                label.append(" " + name);
            }
        else {
            const label = html(box, "label", "your prediction "), input = html(label, "input");
            Object.assign(input, { name: "lab", autocomplete: "off", value: given[at] ?? "",
                inputMode: task.kind === "number" ? "decimal" : "text" });
            label.append(" " + task.unit);
        }
        html(box, "button", "predict and run").type = "submit";
    }
    function score() {
        const tried = given.filter(text => text !== null).length;
        const right = L.tasks.filter((task, i) => given[i] !== null && isRight(task, given[i])).length;
        document.body.classList.toggle("unasked", !tried);      /* the picture has the first key */
        $("lab-score").textContent = tried ? `${right} of ${tried} predictions right` : "";
    }
    function open(to) {
        const task = L.tasks[at = to];
        $("lab-task").textContent = `Task ${at + 1} of ${L.tasks.length}: ${task.title}`;
        words($("lab-question"), task.question);
        field(task);
        result(task);
        $("lab-back").disabled = at === 0;
        $("lab-next").disabled = at === L.tasks.length - 1;
    }

    $("lab-form").onsubmit = e => {
        e.preventDefault();
        const task = L.tasks[at], text = (new FormData(e.target).get("lab") ?? "").trim().replace(",", ".");
        if (!text || task.kind === "number" && !Number.isFinite(+text)) {
            $("lab-verdict").replaceChildren();
            html($("lab-verdict"), "p", task.kind === "choice" ? "Choose one first."
                : task.kind === "number" ? "A number first, as 12.5." : "A prediction first.", "wrong");
            return;
        }
        given[at] = text;
        result(task);
        score();
        if (task.runs.length) show(task.runs[0], task.runs[1]);
    };
    const move = by => () => {
        open(at + by);
        $("lab-task").focus();
    };
    $("lab-back").onclick = move(-1);
    $("lab-next").onclick = move(1);
    $("lab-title").textContent = document.title = L.title;
    words($("lab-intro"), L.intro);
    score();
    open(0);
}

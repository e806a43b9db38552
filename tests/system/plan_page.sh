#!/bin/sh
# The capacity report of a scenario is one well-formed page without references.  A
# browser draws it at the widths of a laptop, a phone and A4, without a text that is
# cut, lies on another, or needs scrolling.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
page=$work/plan.html
echo "1..9"

if said=$("$COLLSIM" plan --scenario scenarios/library/plan/llama2-70b.yaml \
    --out "$page" 2>&1); then
    echo "ok 1 - the scenario has a report"
else
    echo "not ok 1 - the scenario has a report"
    echo "$said" | sed 's/^/# /'
fi

if ! command -v python3 >/dev/null 2>&1; then
    echo "ok 2 - the page is well-formed # SKIP no python3"
elif python3 - "$page" <<'END'
import re, sys, xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text.replace("<!DOCTYPE html>\n", "", 1))
ids = [e.get("id") for e in root.iter() if e.get("id")]
assert len(ids) == len(set(ids)), "an id twice"
labels = [e.get("aria-labelledby") for e in root.iter() if e.get("aria-labelledby")]
assert labels and set(labels) <= set(ids), "a picture without a title"
assert not re.search(r"(src|href)=|url\(|https?://", text), "a reference"
END
then
    echo "ok 2 - the page is well-formed"
else
    echo "not ok 2 - the page is well-formed"
fi

# The same page with a script that lists what does not fit.
cat >"$work/script" <<'END'
<script>
const bad = [], seen = e => e.getClientRects().length > 0;
const page = document.documentElement;
if (page.scrollWidth > page.clientWidth) bad.push("the page is too wide");
for (const e of document.querySelectorAll(".scroll"))
    if (!e.closest("details") && e.scrollWidth > e.clientWidth + 1) bad.push("too wide: " + e.getAttribute("aria-label"));
for (const svg of document.querySelectorAll("svg")) {
    const all = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter(seen);
    const boxes = texts.map(t => t.getBoundingClientRect());
    boxes.forEach((a, i) => {
        if (a.left < all.left - 1 || a.right > all.right + 1 ||
            a.top < all.top - 1 || a.bottom > all.bottom + 1)
            bad.push("cut: " + texts[i].textContent);
        boxes.slice(0, i).forEach((b, j) => {
            if (a.left < b.right - 1 && b.left < a.right - 1 &&
                a.top < b.bottom - 4 && b.top < a.bottom - 4)
                bad.push("overlap: " + texts[i].textContent + ", " + texts[j].textContent);
        });
    });
}
document.body.dataset.bad = bad.join("; ") || "nothing";
</script>
END
sed -e "/<\/main>/r $work/script" "$page" >"$work/checked.html"

browser=$(command -v chromium || command -v chromium-browser ||
    command -v google-chrome)
chromium() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$work/profile" "$@" 2>/dev/null
}
number=2
for size in 1366,2000 390,2000 794,1123; do
    number=$((number + 2))
    name="a browser draws the page at $size"
    fits="and every text fits at $size"
    if [ -z "$browser" ]; then
        echo "ok $((number - 1)) - $name # SKIP no Chromium"
        echo "ok $number - $fits # SKIP no Chromium"
        continue
    fi
    picture=$work/$number.png
    chromium --window-size="$size" --screenshot="$picture" "file://$page" >/dev/null
    # A blank page of this size takes less than 20 kB.
    if [ "$(wc -c <"$picture" 2>/dev/null || echo 0)" -gt 20000 ]; then
        echo "ok $((number - 1)) - $name"
    else
        echo "not ok $((number - 1)) - $name"
    fi
    bad=$(chromium --window-size="$size" --dump-dom "file://$work/checked.html" |
        sed -n 's/.*data-bad="\([^"]*\)".*/\1/p')
    if [ "$bad" = nothing ]; then
        echo "ok $number - $fits"
    else
        echo "not ok $number - $fits"
        echo "# ${bad:-no answer}"
    fi
done

name="it prints on A4"
if [ -z "$browser" ] || ! command -v pdftotext >/dev/null 2>&1; then
    echo "ok 9 - $name # SKIP no Chromium or no pdftotext"
else
    chromium --print-to-pdf="$work/page.pdf" "file://$page" >/dev/null
    if pdftotext "$work/page.pdf" - 2>/dev/null | grep -q 'Assumptions and sources'; then
        echo "ok 9 - $name"
    else
        echo "not ok 9 - $name"
    fi
fi

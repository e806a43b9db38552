#!/bin/sh
# The capacity report of a scenario is one well-formed page without references,
# and a browser draws it at the widths of a laptop, a phone and A4.
set -u
cd "$(dirname "$0")/../.." || exit 1

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
page=$work/plan.html
echo "1..5"

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

browser=$(command -v chromium || command -v chromium-browser ||
    command -v google-chrome)
number=2
for size in 1280,2000 390,2000 794,1123; do
    number=$((number + 1))
    name="a browser draws the page at $size"
    if [ -z "$browser" ]; then
        echo "ok $number - $name # SKIP no Chromium"
        continue
    fi
    picture=$work/$number.png
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$work/profile" --window-size="$size" \
        --screenshot="$picture" "file://$page" >/dev/null 2>&1
    # A blank page of this size takes less than 20 kB.
    if [ "$(wc -c <"$picture" 2>/dev/null || echo 0)" -gt 20000 ]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
    fi
done

#!/bin/sh
# The page with the engine inside, used in a browser: what it shows is what the program answers.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
if ! "$COLLSIM" explain --ranks 2 --format html | grep -q 'id="engine"'; then
    echo '1..0 # SKIP the program was built without the engine; type: make wasm'
    exit 0
fi
# Without the option, node 20 has no WebSocket.
node=$(command -v node) && "$node" --experimental-websocket -e 'new WebSocket' 2>&1 |
    grep -q 'bad option' && node=
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$node" ] || [ -z "$browser" ]; then
    echo '1..0 # SKIP no node with WebSocket, or no Chromium'
    exit 0
fi
node --no-warnings --experimental-websocket tests/system/page.mjs "$COLLSIM" "$work"

#!/bin/sh
# Chromium without a window and without a network, that draws WebGL without a GPU; what is given goes to it:
#   docs/chromium.sh --dump-dom file:///tmp/page.html
# Ends with 77 where there is none. The shell of it starts faster than the whole.
set -eu
browser=$(command -v chromium-headless-shell || command -v chromium) || exit 77
exec "$browser" --headless --no-sandbox --enable-unsafe-swiftshader --hide-scrollbars \
  --host-resolver-rules='MAP * ~NOTFOUND' "$@"

#!/usr/bin/env bash
# Draws the thumbnails of the example views that are not there or not right any more, and removes those of views that
# are gone. To be run when assets/views has changed, or when the program draws them in another way.
# usage: assets/thumbnails.sh [BUILD-FOLDER]      (default: build)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
build=${1:-build}
cmake --build "$build" --target fathom-thumbnails >&2
"$build/install/fathom-thumbnails" draw assets

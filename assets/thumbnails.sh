#!/usr/bin/env bash
# Draws the thumbnails of example views that are missing or outdated, and removes thumbnails whose
# views are gone. Run it when assets/views has changed, or the program draws the views differently.
# usage: assets/thumbnails.sh [BUILD-FOLDER]      (default: build)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
build=${1:-build}
cmake --build "$build" --target fathom-thumbnails >&2
"$build/install/fathom-thumbnails" draw assets

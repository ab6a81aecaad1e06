#!/usr/bin/env bash
# Makes docs/dive.webp, the README's moving picture: a fall from the whole set to a copy of it, a million
# times smaller, frame by frame with the real program.
# usage: docs/dive.sh [PROGRAM]      (default: build/fathom; needs img2webp, in Debian's package webp)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
fathom=$(realpath "${1:-build/fathom}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
frames=100 # of a fifth of an octave each

for ((i = 0; i <= frames; i++)); do
    frame=$(printf '%s/%03d.png' "$scratch" "$i")
    cat >"$scratch/view.fathom" <<END
[view]
re = -0.743643887037151
im = 0.131825904205330
zoom = $(awk "BEGIN { printf \"%.9g\", 1.1 * 2 ^ ($i / 5) }")
[colour]
palette = aurora
frequency = 0.35
END
    "$fathom" render "$scratch/view.fathom" --no-config --auto-limit on --size 480x270 --samples 12 -o "$frame"
done
first=$scratch/000.png
last=$(printf '%s/%03d.png' "$scratch" "$frames")
img2webp -loop 0 -lossy -q 55 -m 6 -d 900 "$first" -d 60 "$scratch"/*.png -d 1800 "$last" -o docs/dive.webp

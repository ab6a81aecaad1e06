#!/usr/bin/env bash
# Makes docs/window.webp, twelve seconds of the window: a held Z, styles, the panel and a held X.
# usage: docs/window.sh [PROGRAM [FILM]]      (default: build/fathom docs/window.webp)
# The window's motions advance by the time of a frame between two captures, and its backend draws
# for as long. Needs cwebp, dwebp and webpmux (Debian's package webp).
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
fathom=$(realpath "${1:-$root/build/fathom}")
film=$(realpath "${2:-$root/docs/window.webp}")
ms=100 # [ms] time of a frame
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SDL_VIDEODRIVER=offscreen
export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_STATE_HOME=$scratch
export XDG_CACHE_HOME=$scratch

number=0
frames() { # COUNT: lets so many frames pass
    local i
    for ((i = 0; i < $1; i++)); do
        printf 'wait %d\npass %d\ncapture %03d.ppm\n' $ms $ms $((number++))
    done
}
printf '[view]\nre = -0.7436438870\nim = 0.1318259043\nzoom = 1.2\n' >"$scratch/start.fathom"
{
    printf '%s\n' 'wait complete' 'move 50% 50%' 'pass 0'
    frames 4
    echo 'press Z'
    frames 52
    echo 'release Z'
    frames 8
    for key in N N L N; do
        printf '%s\n' "key $key" pass 'wait complete' 'pass 0'
        frames 8
    done
    printf '%s\n' 'key L' 'press X'
    frames 24
} >"$scratch/window.script"
"$fathom" "$scratch/start.fathom" --script "$scratch/window.script" --screenshots "$scratch" \
    --size 560x350 --ui-scale 1 --numbers none --samples 4
python3 "$root/docs/film.py" make "$scratch/film.webp" 25 $ms "$scratch"/[0-9]*.ppm
mv "$scratch/film.webp" "$film"

#!/usr/bin/env bash
# Makes docs/dive.webp, the README's moving picture: a zoom from the whole set to the crystals of
# the example frost, by fathom movie.
# usage: docs/dive.sh [PROGRAM [FILM [FRAMES [SIZE]]]]
#        (default: build/fathom docs/dive.webp 88 1280x720)
# Needs cwebp, dwebp and webpmux (Debian's package webp). With FATHOM_FRAMES=FOLDER it keeps the
# frames as PPM files in FOLDER.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
fathom=$(realpath "${1:-$root/build/fathom}")
film=$(realpath "${2:-$root/docs/dive.webp}")
frames=${3:-88} size=${4:-1280x720}
ms=$((10000 / frames))   # [ms] time of a frame; the film takes ten seconds
wanted=36.5 least=36     # [dB] lowest ratio when a frame is encoded, and when the film is checked
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_STATE_HOME=$scratch

"$fathom" movie "$root/assets/views/frost.fathom" -o "$scratch/%i.ppm" --zoom 123 --size "$size" \
    --fps 1 --seconds "$frames" --ease "$((frames / 10))" --samples 16
python3 "$root/docs/film.py" make "$scratch/film.webp" $wanted $ms "$scratch"/[0-9]*.ppm
python3 "$root/docs/film.py" check "$scratch/film.webp" $least "$scratch"/[0-9]*.ppm
mv "$scratch/film.webp" "$film"
if [ -n "${FATHOM_FRAMES-}" ]; then
    mkdir -p "$FATHOM_FRAMES"
    mv "$scratch"/[0-9]*.ppm "$FATHOM_FRAMES"
fi

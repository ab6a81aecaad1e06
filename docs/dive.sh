#!/usr/bin/env bash
# Makes docs/dive.webp, the README's moving picture: a zoom from the whole set to the crystals of
# the example frost. Each frame is a screenshot of the real window after a small turn of the wheel,
# once the picture is complete.
# usage: docs/dive.sh [PROGRAM [FILM [FRAMES [SIZE]]]]
#        (default: build/fathom docs/dive.webp 100 1280x720)
# Needs cwebp, dwebp and webpmux (Debian's package webp). With FATHOM_FRAMES=FOLDER it keeps the
# frames as PPM files in FOLDER.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
fathom=$(realpath "${1:-$root/build/fathom}")
film=$(realpath "${2:-$root/docs/dive.webp}")
frames=${3:-100} size=${4:-1280x720}
view=$root/assets/views/frost.fathom
from=1.5 to=123        # zoom of the first and of the last frame
ms=$((10000 / frames)) # [ms] time of a frame; the film takes ten seconds
notch=1.5              # zoom factor of one notch of the wheel
wanted=36.5 least=36   # [dB] lowest ratio when a frame is encoded, and when the film is checked
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SDL_VIDEODRIVER=${SDL_VIDEODRIVER-offscreen}
export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_STATE_HOME=$scratch
export XDG_CACHE_HOME=$scratch

# [notches] turn of the wheel from one frame to the next
turn=$(awk "BEGIN { printf \"%.9f\", log($to / $from) / log($notch) / ($frames - 1) }")
sed "s/^zoom = .*/zoom = $from/" "$view" >"$scratch/start.fathom"
{
    printf 'wait complete\ncapture 0000.ppm\n'
    for ((i = 1; i < frames; i++)); do
        printf 'wheel %s 50%% 50%%\nwait complete\ncapture %04d.ppm\n' "$turn" "$i"
    done
} >"$scratch/dive.script"
"$fathom" "$scratch/start.fathom" --script "$scratch/dive.script" --screenshots "$scratch" \
    --numbers none --samples 4 --size "$size"
python3 "$root/docs/film.py" make "$scratch/film.webp" $wanted $ms "$scratch"/[0-9]*.ppm
python3 "$root/docs/film.py" check "$scratch/film.webp" $least "$scratch"/[0-9]*.ppm
mv "$scratch/film.webp" "$film"
if [ -n "${FATHOM_FRAMES-}" ]; then
    mkdir -p "$FATHOM_FRAMES"
    mv "$scratch"/[0-9]*.ppm "$FATHOM_FRAMES"
fi

#!/usr/bin/env bash
# Makes the pictures of docs/pictures.md and of the README with the real program, on any machine.
# usage: docs/pictures.sh [PROGRAM]      (default: build/fathom)
# Needs cwebp (Debian's package webp) and ffmpeg.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
fathom=$(realpath "${1:-build/fathom}")
out=docs/pictures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SDL_VIDEODRIVER=offscreen
export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_STATE_HOME=$scratch
export XDG_CACHE_HOME=$scratch
mkdir -p "$out"

draw() { # NAME ARGUMENT...: renders the picture NAME.png
    local name=$1
    shift
    "$fathom" render "$@" -o "$out/$name.png"
}
window() { # ARGUMENT...: runs the window with the script on standard input
    cat >"$scratch/window.script"
    "$fathom" --script "$scratch/window.script" --screenshots "$scratch" "$@"
}
keep() { # NAME: moves the screenshot NAME.png to the pictures
    mv "$scratch/$1.png" "$out/$1.png"
}

# The README's eight pictures and all examples. They are lossy: lossless files of fine structure in
# many colours are ten times as large.
photograph() { # NAME VIEW SIZE SAMPLES QUALITY: draws the view file VIEW to NAME.webp
    if grep -qx 'kind = density' "$2"; then
        "$fathom" density "$2" --no-config --samples 200M --size "$3" \
            -o "$scratch/photograph.png" >/dev/null
    else
        "$fathom" render "$2" --no-config --samples "$4" --size "$3" -o "$scratch/photograph.png"
    fi
    cwebp -quiet -m 6 -sharp_yuv -q "$5" "$scratch/photograph.png" -o "$out/$1.webp"
}
for name in silk galaxy mask buddha elephant-valley nova abyss fossil; do
    photograph "best-$name" "assets/views/$name.fathom" 640x400 16 82
done
for view in assets/views/*.fathom; do
    photograph "view-$(basename "$view" .fathom)" "$view" 320x180 16 80
done
cat >"$scratch/seahorses.fathom" <<'END'
[view]
re = -0.7463
im = 0.1102
zoom = 400
[fractal]
iterations = 5000
[colour]
frequency = 0.5
END
for palette in aurora ember lagoon sixteen dusk moss harbour signal graphite neon porcelain \
    spectrum tern lantern; do
    draw "palette-$palette" "$scratch/seahorses.fathom" --palette $palette --size 320x180 \
        --samples 16
done
for samples in 1 4 16 64; do
    draw "samples-$samples" assets/views/lightning.fathom --size 320x180 --samples $samples
done

cat >"$scratch/valley.fathom" <<'END'
[view]
re = -0.7436
im = 0.1318
zoom = 900
[fractal]
iterations = 2000
END
# Differences between float and double.
"$fathom" render "$scratch/valley.fathom" --size 640x360 --precision float -o "$scratch/float.ppm"
"$fathom" render "$scratch/valley.fathom" --size 640x360 --precision double -o "$scratch/double.ppm"
"$fathom" compare "$scratch/float.ppm" "$scratch/double.ppm" --diff "$out/difference.png" \
    >/dev/null || true # the status is 1 because the pictures differ

"$fathom" density --no-config --samples 300M --size 640x480 --gradient ember \
    -o "$out/density.png" >/dev/null

# The window.
window seahorse-valley --size 1000x720 <<'END'
wait complete
key L
wait complete
capture panel.png
END
keep panel
window elephant-valley --size 640x1400 <<'END'
wait complete
wheel 1 20 20
wait complete
key L
wait complete
panel Save a larger picture
click
panel Size
click
wait 100
panel A3: 3508 x 4961
click
panel Samples
click
panel 4
click
wait complete
move 40 700
wait 100
capture larger.png
END
keep larger
window --size 1000x720 <<'END'
wait complete
move 30% 25%
press right-button
move 52% 47%
wait 100
capture box.png
END
keep box
mkdir -p "$XDG_DATA_HOME/fathom/views"
cp "$scratch/valley.fathom" "$XDG_DATA_HOME/fathom/views/two-spirals.fathom"
window galaxy --size 1000x720 <<'END'
wait complete
key G
wait complete
capture gallery.png
END
keep gallery
window elephant-valley --size 1000x720 <<'END'
wait complete
key F1
wait 100
capture help.png
END
keep help

# A picture for each second of a movie.
"$fathom" movie jellyfish --seconds 20 --fps 1 --size 320x180 --samples 16 -o "$scratch/second-%i.png"
ffmpeg -v error -pattern_type glob -i "$scratch/second-*.png" \
    -vf 'scale=288:-1,tile=5x4:padding=2' -frames:v 1 "$scratch/movie.png"
cwebp -quiet -q 82 "$scratch/movie.png" -o "$out/movie.webp"

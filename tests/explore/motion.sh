# shellcheck shell=bash
# Window in motion, with time standing still: it shows the picture of exactly that camera, except
# for sharpness, and has no holes.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots ./*.ppm ./*.script ./*.fathom
frames=${FATHOM%/*}/tests/frames
width=320 height=200

# scene NAME RE IM ZOOM DEGREES
scene() {
    printf '[view]\nre = %s\nim = %s\nzoom = %s\nangle = %s\n[fractal]\niterations = 8000\n' \
        "$2" "$3" "$4" "$5" >"$1.fathom"
}
scene start -0.7463 0.1102 20 0

# Prints the view of a window of `start` that was moved by RIGHT DOWN, then zoomed by FACTOR about X
# Y, and turned by DEGREES: RE IM ZOOM DEGREES.
camera() { # FACTOR X Y RIGHT DOWN DEGREES
    awk "BEGIN { step = 4 / (20 * $height); k = 1 - 1 / $1
        printf \"%.15g %.15g %.15g %.15g\", -0.7463 + step * (-($4) + ($2 - $width / 2) * k),
            0.1102 - step * (-($5) + ($3 - $height / 2) * k), 20 * $1, $6 }"
}

# amid NAME MOST EVENTS CAMERA...: captures the window after the events; its mean difference from
# that camera's picture must be less than MOST. The backend is slow, so much of the window is older
# than the events.
amid() {
    local name=$1 most=$2 mean holes still
    printf '%s\n' 'key H' 'key H' 'wait complete' 'pass 0' "$3" 'wait 1' "capture $name.ppm" pass >test.script
    shift 3
    "$FATHOM" start.fathom --script test.script --screenshots shots --size ${width}x$height \
        --auto-limit off --auto-frequency off --samples 1 --backend scalar --threads 1 --shortcuts none 2>err.txt || fail "$name: $(cat err.txt)"
    # shellcheck disable=SC2046
    scene "$name" $(camera "$@")
    "$FATHOM" render "$name.fathom" -o "$name-exact.ppm" --size ${width}x$height || fail "$name: render"
    read -r mean holes < <("$frames" "shots/$name.ppm" "$name-exact.ppm")
    echo "$name: differs by $mean in the mean, $holes holes"
    [ "${holes:-1}" = 0 ] || fail "$name: $holes pixels are holes"
    expect "$name is where it belongs" "${mean:-999} < $most"
    [ "$name" = rest ] && return
    read -r still _ < <("$frames" "shots/$name.ppm" shots/rest.ppm)
    expect "$name is no longer where it was" "${mean:-999} < 0.6 * ${still:-0}"
}

# Prints the part of the way that a camera has gone after MS: 1 - exp(-t / 50 ms).
part() { # MS
    awk "BEGIN { printf \"%.15g\", 1 - exp(-$1 / 50) }"
}
power() { # BASE EXPONENT
    awk "BEGIN { printf \"%.15g\", $1 ^ ($2) }"
}

amid rest 0.01 'pass 0' 1 0 0 0 0 0
amid zoom-after-pan 14 'drag 60% 50% 40% 65%
wheel 2 30% 60%
pass 40' "$(power 2.25 "$(part 40)")" 96 120 -64 30 0
amid turn-after-pan 14 'drag 60% 50% 40% 65%
key ,
key ,
pass 40' 1 0 0 -64 30 "$(awk "BEGIN { print -10 * $(part 40) }")"
amid held-out 14 'move 30% 60%
press X
wait 30
pass 500' "$(awk 'BEGIN { print exp(-500 / 700) }')" 96 120 0 0 0
exit $((failures > 0))

# shellcheck shell=bash
# Home shows the whole set in a window of any shape, and text is as large as it is asked to be; commands draw what they drew.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf work
mkdir work
cd work || exit 1

# From the start, and by R from elsewhere: from -2.05 to 1.05 at least, and no smaller than needed.
for size in 240x600 350x350 1280x720 640x480; do
    rm -rf shots
    printf 'wait complete\nkey S\nwait complete\nwheel 3 30%% 30%%\nwait complete\nkey R\nwait complete\nkey S\nwait complete\n' >home.script
    timeout 60 "$FATHOM" --size "$size" --samples 1 --auto-limit off --script home.script --screenshots shots 2>err.log ||
        fail "$size: $(cat err.log)"
    for shot in shots/*; do
        expect "$size: all of the set's width" "$(value "$shot" width) * $(step "$shot") > 3.099"
        expect "$size: as large as can be" "$(value "$shot" zoom) == 1.5 || $(value "$shot" width) * $(step "$shot") < 3.101"
        expect "$size: its middle" "$(value "$shot" re) == -0.5 && $(value "$shot" im) == 0"
    done
    [ "$(ls shots | wc -l)" = 2 ] || fail "$size: not two screenshots"
done

# It stays home when the window gets another shape, as often as that happens; another view stays what it is.
shaped() { # RE ZOOM-AFTER LINES...
    rm -rf shots
    printf '%b\n' "$3" 'wait complete' 'resize 240 600' 'wait complete' 'key S' 'wait complete' 'resize 641 359' 'wait complete' \
        'resize 300 300' 'wait complete' 'key S' 'wait complete' >resize.script
    timeout 60 "$FATHOM" --size 1280x720 --samples 1 --auto-limit off --script resize.script --screenshots shots 2>err.log ||
        fail "resized: $(cat err.log)"
    local i=0 zooms
    read -ra zooms <<<"$2"
    for shot in shots/*; do
        expect "resized after '$3'" "$(value "$shot" re) == $1 && ($(value "$shot" zoom) / ${zooms[i]} - 1)^2 < 1e-9"
        i=$((i + 1))
    done
    [ $i = 2 ] || fail "$i screenshots of a window that is resized"
}
printf '[view]\nre = -0.75\nim = 0.1\nzoom = 50\n' >away.fathom
shaped -0.5 '0.516129032 1.290322581' 'wait complete'
shaped -0.5 '0.516129032 1.290322581' 'wait complete\ngoto away.fathom\nwait complete\nkey R'
shaped -0.75 '50 50' 'wait complete\ngoto away.fathom'

"$FATHOM" render --size 48x120 -o portrait.ppm && [ "$(value portrait.ppm zoom)" = 1.5 ] ||
    fail "fathom render has another home: $(value portrait.ppm zoom)"
printf '[view]\nzoom = 1.5\n' >home.fathom
printf 'wait complete\nkey S\nwait complete\n' >shot.script
rm -rf shots
timeout 60 "$FATHOM" home.fathom --size 48x120 --script shot.script --screenshots shots 2>err.log
[ "$(value shots/*.ppm zoom)" = 1.5 ] || fail 'a view that is opened is changed'

# The numbers' plate is as large as the scale: how far down the picture with them differs from the one without.
plate() { # SCALE
    printf 'wait complete\nwait 100\ncapture %s/with.ppm\nkey H\nkey H\nwait 300\ncapture %s/without.ppm\n' "$PWD" "$PWD" >plate.script
    timeout 60 "$FATHOM" --size 700x500 --samples 1 --iterations 50 --ui-scale "$1" --script plate.script 2>err.log ||
        fail "--ui-scale $1: $(cat err.log)"
    cmp -l <(tail -c 1050000 with.ppm) <(tail -c 1050000 without.ppm) | awk '$1 < 700 * 3 * 300 { last = $1 } END { print int(last / 2100) }'
}
one=$(plate 1) half=$(plate 1.5) two=$(plate 2) three=$(plate 3)
expect "plates of $one, $half, $two, $three rows" "$one > 20 && ($half / $one - 1.5)^2 < 0.03 && ($two / $one - 2)^2 < 0.03 && ($three / $one - 3)^2 < 0.05"
timeout 20 "$FATHOM" --ui-scale 0 2>err.log
[ $? = 2 ] && grep -q 'ui-scale takes a number from 0.5 to 6' err.log || fail "--ui-scale 0: $(cat err.log)"

[ $failures -eq 0 ]

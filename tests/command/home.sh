# shellcheck shell=bash
# Home shows the whole set in a window of any shape, and text has the requested size; other views
# are drawn as before.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder

# At the start, and by R from elsewhere: from -2.05 to 1.05 at least, and no smaller than necessary.
for size in 120x300 640x360; do
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

# It stays at home when the window's shape changes, any number of times, also after returning;
# another view does not change.
printf '[view]\nre = -0.75\nim = 0.1\nzoom = 50\n' >away.fathom
shaped='resize 240 600\nwait complete\nkey S\nwait complete\nresize 641 359\nwait complete\nresize 300 300\nwait complete\nkey S\nwait complete'
printf '%b\n' 'wait complete' "$shaped" 'goto away.fathom\nwait complete\nkey R' "$shaped" 'goto away.fathom' "$shaped" >resize.script
rm -rf shots
timeout 60 "$FATHOM" --size 640x360 --samples 1 --auto-limit off --script resize.script --screenshots shots 2>err.log ||
    fail "resized: $(cat err.log)"
home='-0.5 0.516129032 -0.5 1.290322581' i=1
set -- $home $home -0.75 50 -0.75 50
while [ $# -gt 0 ]; do
    expect "resized, screenshot $i" "$(value "$(shot $i)" re) == $1 && ($(value "$(shot $i)" zoom) / $2 - 1)^2 < 1e-9"
    i=$((i + 1))
    shift 2
done

"$FATHOM" render --size 48x120 -o portrait.ppm && [ "$(value portrait.ppm zoom)" = 1.5 ] ||
    fail "fathom render has another home: $(value portrait.ppm zoom)"
printf '[view]\nzoom = 1.5\n' >home.fathom
printf 'wait complete\nkey S\nwait complete\n' >shot.script
rm -rf shots
timeout 60 "$FATHOM" home.fathom --size 48x120 --script shot.script --screenshots shots 2>err.log
[ "$(value shots/*.ppm zoom)" = 1.5 ] || fail 'a view that is opened is changed'

# Prints the height of the numbers' plate, which depends on the scale: the rows in which pictures
# with and without it differ.
plate() { # SCALE
    printf 'wait complete\nwait 100\ncapture %s/with.ppm\nkey H\nkey H\nwait 300\ncapture %s/without.ppm\n' "$PWD" "$PWD" >plate.script
    timeout 60 "$FATHOM" --size 700x500 --samples 1 --iterations 50 --ui-scale "$1" --script plate.script 2>err.log ||
        fail "--ui-scale $1: $(cat err.log)"
    cmp -l <(tail -c 1050000 with.ppm) <(tail -c 1050000 without.ppm) | awk '$1 < 700 * 3 * 300 { last = $1 } END { print int(last / 2100) }'
}
one=$(plate 1) two=$(plate 2)
expect "plates of $one and $two rows" "$one > 20 && ($two / $one - 2)^2 < 0.03"
timeout 20 "$FATHOM" --ui-scale 0 2>err.log
[ $? = 2 ] && grep -q 'ui-scale takes a number from 0.5 to 6' err.log || fail "--ui-scale 0: $(cat err.log)"

[ $failures -eq 0 ]

# shellcheck shell=bash
# Pictures larger than the window, saved from the panel while the window keeps working: byte for
# byte those of fathom render, in both formats; cancelled without a trace; refused with a reason.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.png test.script err.txt
size='320x1300' # so that all of the panel is visible
open=$'panel Save a larger picture\nclick'
fathom() { # SCRIPT ARGUMENTS...
    printf '%s\n' "$1" >test.script
    shift
    "$FATHOM" --script test.script --screenshots shots --size $size --iterations 60 --auto-limit off --samples 1 \
        plain.fathom "$@" 2>err.txt
}
printf '[view]\nre = 0.3\nim = 0.021\nzoom = 260\n[colour]\npalette = lagoon\n' >plain.fathom
save=$'panel Save\nclick' cancel=$'panel Cancel\nclick'

# Twice the size, one sample per pixel, as PNG; meanwhile the window zooms and saves a screenshot.
fathom "wait complete
key L
wait complete
$open
panel Samples
click
panel 1
click
$save
wheel 2 10% 30%
key C
wait complete
key S
wait complete" || fail "twice the size: $(cat err.txt)"
large=$(ls shots/fathom-*-2x.png)
[ -n "$large" ] || fail "no larger picture: $(ls shots) $(cat err.txt)"
"$FATHOM" render "$large" -o again.png || fail 'it does not carry its view'
cmp "$large" again.png || fail 'twice the size is not what fathom render makes of it'
"$FATHOM" render plain.fathom --iterations 60 --size 640x2600 -o plain.ppm
"$FATHOM" render "$large" -o again.ppm
cmp plain.ppm again.ppm || fail 'the larger picture is not that of the location where it was started'
check_shot "$(ls shots/fathom-*-001.ppm)"

# As PPM, with four samples.
rm -rf shots
fathom "wait complete
key L
wait complete
$open
panel Samples
click
panel 4
click
panel Format
click
panel PPM
click
$save
wait complete" || fail "four samples: $(cat err.txt)"
large=$(ls shots/fathom-*-2x.ppm)
[ "$(value "$large" samples) $(value "$large" width)" = '4 640' ] || fail "four samples: $(head -c 700 "$large")"
"$FATHOM" render "$large" -o again.ppm && cmp "$large" again.ppm ||
    fail 'four samples are not what fathom render makes of them'

# Cancelled by the button, and by closing the window: no file, not even a part of one.
rm -rf shots
fathom "wait complete
key L
wait complete
$open
panel Size
click
panel 8x: 2560 x 10400
click
$save
wait 400
$cancel
wait complete
$save
wait 300
quit" --iterations 100000 || fail "giving up: $(cat err.txt)"
[ -z "$(ls -A shots 2>/dev/null)" ] || fail "giving up leaves $(ls -A shots)"
[ "$(grep -c '^fathom' err.txt)" = 1 ] && grep -q 'not finished, because the window was closed' err.txt ||
    fail "giving up said: $(cat err.txt)"

# If nothing can be written, the reason is reported and the window keeps working.
rm -rf shots
: >shots
fathom "wait complete
key L
wait complete
$open
$save
wait complete" || fail "no folder: $(cat err.txt)"
grep -q "'shots.*Not a directory" err.txt || fail "no folder: $(cat err.txt)"

exit $((failures > 0))

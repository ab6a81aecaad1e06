# shellcheck shell=bash
# Pictures larger than the window, saved from the panel while the window goes on: byte for byte what fathom render
# makes of them, in both formats; given up without a trace; refused in words.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.png test.script err.txt
# The section's header in the panel of a window of this size, and its rows once it is open. The button is one row
# further down while a picture is being drawn.
size='1000x900'
first=696
header="click 800 $first"
row() { # NUMBER
    echo "800 $((first + 20 * $1))"
}
fathom() { # SCRIPT ARGUMENTS...
    printf '%s\n' "$1" >test.script
    shift
    "$FATHOM" --script test.script --screenshots shots --size $size --iterations 60 --auto-limit off --samples 1 \
        elephant-valley "$@" 2>err.txt
}
save="click 765 $((first + 80))"
cancel="click 765 $((first + 100))"

# Twice the size, one sample a pixel, as PNG; the window zooms and saves a picture of its own meanwhile.
fathom "wait complete
key L
wait complete
$header
wait 50
click $(row 2)
wait 50
click $(row 3)
wait 50
$save
wheel 2 30% 30%
key C
wait complete
key S
wait complete" || fail "twice the size: $(cat err.txt)"
large=$(ls shots/fathom-*-2x.png)
[ -n "$large" ] || fail "no larger picture: $(ls shots) $(cat err.txt)"
"$FATHOM" render "$large" -o again.png || fail 'it does not carry its view'
cmp "$large" again.png || fail 'twice the size is not what fathom render makes of it'
"$FATHOM" render elephant-valley --iterations 60 --size 2000x1800 -o plain.ppm
"$FATHOM" render "$large" -o again.ppm
cmp plain.ppm again.ppm || fail 'the larger picture is not that of the location where it was started'
check_shot "$(ls shots/fathom-*-001.ppm)"

# As PPM, with four samples.
rm -rf shots
fathom "wait complete
key L
wait complete
$header
wait 50
click $(row 2)
wait 50
click $(row 4)
wait 50
click $(row 3)
wait 50
click $(row 4)
wait 50
$save
wait complete" || fail "four samples: $(cat err.txt)"
large=$(ls shots/fathom-*-2x.ppm)
[ "$(value "$large" samples) $(value "$large" width)" = '4 2000' ] || fail "four samples: $(head -c 700 "$large")"
"$FATHOM" render "$large" -o again.ppm && cmp "$large" again.ppm ||
    fail 'four samples are not what fathom render makes of them'

# Given up by the button, and by closing the window: no file, not even a part of one.
rm -rf shots
fathom "wait complete
key L
wait complete
$header
wait 50
click $(row 1)
wait 50
click 800 $((first + 76))
wait 50
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

# Where nothing can be written, the reason is told and the window goes on.
rm -rf shots
: >shots
fathom "wait complete
key L
wait complete
$header
wait 50
$save
wait complete" || fail "no folder: $(cat err.txt)"
grep -q "'shots.*Not a directory" err.txt || fail "no folder: $(cat err.txt)"

exit $((failures > 0))

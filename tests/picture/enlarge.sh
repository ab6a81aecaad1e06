# shellcheck shell=bash
# Pictures larger than the window, saved from the panel while the window keeps working: byte for
# byte those of fathom render, also on paper and as posters; cancelled without a trace, except that a
# poster can be continued; refused with a reason.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.png ./*.tif test.script err.txt
size='320x1400' # so that all of the panel is visible
open='panel Save a larger picture; click'
window=(--size $size --iterations 60 --auto-limit off --samples 1 plain.fathom)
printf '[view]\nre = 0.3\nim = 0.021\nzoom = 260\n[colour]\npalette = lagoon\n' >plain.fathom
save='panel Save; click' cancel='panel Cancel; click'

# Twice the size, one sample per pixel, as PNG; meanwhile the window zooms and saves a screenshot.
play "wait complete; key L; wait complete; $open; panel Samples; click; panel 1; click; $save; wheel 2 10% 30%
key C; shot"
large=$(ls shots/fathom-*-2x.png)
[ -n "$large" ] || fail "no larger picture: $(ls shots) $(cat err.txt)"
"$FATHOM" render "$large" -o again.png || fail 'it does not carry its view'
cmp "$large" again.png || fail 'twice the size is not what fathom render makes of it'
"$FATHOM" render plain.fathom --iterations 60 --size 640x2800 -o plain.ppm
"$FATHOM" render "$large" -o again.ppm
cmp plain.ppm again.ppm || fail 'the larger picture is not that of the location where it was started'
check_shot "$(ls shots/fathom-*-001.ppm)"

# As PPM, with four samples.
play "wait complete; key L; wait complete; $open; panel Samples; click; panel 4; click; panel Format; click
panel PPM; click; $save; wait complete"
large=$(ls shots/fathom-*-2x.ppm)
[ "$(value "$large" samples) $(value "$large" width)" = '4 640' ] || fail "four samples: $(head -c 700 "$large")"
"$FATHOM" render "$large" -o again.ppm && cmp "$large" again.ppm ||
    fail 'four samples are not what fathom render makes of them'

# Cancelled by the button, and by closing the window: no file, not even a part of one.
play "wait complete; key L; wait complete; $open; panel Size; click; panel 8x: 2560 x 11200; click; $save
wait 400; $cancel; wait complete; $save; wait 300; quit" --iterations 100000
[ -z "$(ls -A shots 2>/dev/null)" ] || fail "giving up leaves $(ls -A shots)"
[ "$(grep -c '^fathom' err.txt)" = 1 ] && grep -q 'not finished, because the window was closed' err.txt ||
    fail "giving up said: $(cat err.txt)"

# A4 as TIFF, and next to it the view. Closing the window leaves a part, which the command that it
# names completes.
if "$FATHOM" render --size 8x8 -o built.tif 2>built.txt; then
    paper="$open; panel Size; click; wait 100; panel A4: 2480 x 3508; click; panel Resolution; click; panel 150 dpi
click; panel Format; click; panel TIFF; click; panel Samples; click"
    play "wait complete; key L; wait complete; $paper; panel 1; click; $save; wait complete"
    large=$(ls shots/fathom-*-A4-150dpi.tif)
    "$FATHOM" render plain.fathom --iterations 60 --size 1240x1754 -o plain.tif
    cmp "$large" plain.tif || fail 'a TIFF is not what fathom render makes of the location'
    "$FATHOM" render "${large%.tif}.fathom" -o again.tif
    cmp "$large" again.tif || fail 'the view next to a TIFF is another'
    play "wait complete; key L; wait complete; $paper; panel 64; click; $save; wait 300; quit" --threads 1
    part=$(ls shots/fathom-*-A4-150dpi.tif.part)
    command=$(sed -n "s/.*window was closed; in shots, 'fathom \(.*\)' goes on with it/\1/p" err.txt)
    # shellcheck disable=SC2086 # words of a command
    (cd shots && "$FATHOM" $command) || fail "this continues nothing: '$command': $(cat err.txt)"
    [ -s "${part%.part}" ] && [ ! -e "$part" ] || fail "an unfinished poster: $(ls shots)"
    rm -rf shots
    mkdir shots
    if mount -t tmpfs -o size=200k tmpfs shots 2>/dev/null; then
        play "wait complete; key L; wait complete; $paper; panel 1; click; $save; wait complete" --verbose
        said 'was not saved: cannot write .*No space left' || fail "a full disk: $(cat err.txt)"
        said 'in shots, .fathom render .* goes on with it' || fail "a full disk keeps nothing: $(cat err.txt)"
        umount shots
    else
        left_out 'a full disk' 'no small one can be mounted here'
    fi
else
    left_out 'posters' "$(cat built.txt)"
fi

# If nothing can be written, the reason is reported and the window keeps working.
rm -rf shots
: >shots
play "wait complete; key L; wait complete; $open; $save; wait complete"
grep -q "'shots.*Not a directory" err.txt || fail "no folder: $(cat err.txt)"

exit $((failures > 0))

# shellcheck shell=bash
# The panel and the clipboard by script: what is typed goes to the view or is refused in words, typing never
# steers, everything that can be chosen changes the picture as its key would.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script ./*.fathom "$XDG_STATE_HOME"
fathom() { # SCRIPT ARGUMENTS...
    printf '%s\n' "$1" >test.script
    shift
    "$FATHOM" --script test.script --screenshots shots --samples 1 --auto-limit off "$@" 2>err.txt
}
size='1000x720'

# Coordinates to every digit, Enter, Tab and leaving a field; the picture is that of the file.
fathom "wait complete
key L
panel Real
click
type -0.74364388703715870475219150611477412345
key Return
panel Imaginary
click
key Ctrl+A
type 0.131825904205311970493132056385139
panel Zoom
click
type 4e3
key Tab
type 30
click 100 600
wait complete
key S
wait complete" --size $size || fail "typing: $(cat err.txt)"
case $(value "$(shot 1)" re) in
-0.74364388703715870475219150611477412345*) ;;
*) fail "the real part: $(value "$(shot 1)" re)" ;;
esac
case $(value "$(shot 1)" im) in
0.13182590420531197049313205638513*) ;;
*) fail "the imaginary part: $(value "$(shot 1)" im)" ;;
esac
expect 'zoom and angle' "$(value "$(shot 1)" zoom) == 4000 && ($(value "$(shot 1)" angle) - 30)^2 < 1e-20"
check_shot "$(shot 1)"

# While a field has the keyboard nothing else gets it; Escape gives it back and changes nothing.
rm -rf shots
fathom "wait complete
key S
wait complete
key L
panel Zoom
click
type qscdrbpmhlvui[]+-
key Left
key Up
key F1
key Escape
wait complete
key S
wait complete" --size $size || fail "keys in a field: $(cat err.txt)"
[ "$(find shots -name '*.ppm' | wc -l)" = 2 ] || fail "screenshots: $(ls shots)"
cmp "$(shot 1)" "$(shot 2)" || fail 'typing into a field changes the picture'

# What is wrong is said in the panel and changes nothing else; giving up takes it away again, and so does
# something right.
rm -rf shots
fathom "key H
key H
key L
wait complete
panel Zoom
wait complete
capture before.ppm
panel Zoom
click
type fish
key Return
wait complete
capture wrong.ppm
key S
wait complete 20
panel Zoom
click
key Escape
wait 4200
capture after.ppm
panel Zoom
click
type 1e200000
key Return
panel Zoom
click
type 7
key Return
wait complete
key S
wait complete" --size $size || fail "wrong numbers: $(cat err.txt)"
"$FATHOM" compare shots/before.ppm shots/wrong.ppm >/dev/null && fail 'a wrong number is not told'
"$FATHOM" compare shots/before.ppm shots/after.ppm >/dev/null ||
    fail 'giving a wrong number up leaves traces'
expect 'still there, then not' "$(value "$(shot 1)" zoom) == 1.5 && $(value "$(shot 2)" zoom) == 7"

# Escape closes an open list, and does not quit.
rm -rf shots
fathom "wait complete
key L
panel Shows
click
wait 50
key Escape
wait 50
key S
wait complete" --size $size || fail "an open list: $(cat err.txt)"
[ -e "$(shot 1)" ] || fail 'Escape in an open list quits'

# The wheel and the buttons are the panel's over the panel, and the picture's beside it, also when pointer and
# wheel move in the same moment.
rm -rf shots
fathom "wait complete
key L
panel Palette
wheel 5
panel Location
press left-button
move 900 300
release left-button
panel Location
click
panel Location
click
wait complete
key S
wait complete
wheel 2 300 300
wait complete
key S
wait complete" --size $size || fail "the pointer: $(cat err.txt)"
expect 'not by the panel' "$(value "$(shot 1)" zoom) == 1.5 && $(value "$(shot 1)" re) == -0.5"
expect 'beside the panel' "$(value "$(shot 2)" zoom) == 3.375"

# Palettes, density, offset, bands: same counts in other colours. Limit and number type as by their keys.
rm -rf shots
fathom "wait complete
key L
panel ember
click
wait complete
key S
wait complete
panel Frequency 90%
click
type 2.5
key Return
panel Offset 2%
press left-button
panel Offset 20%
release left-button
panel Smooth 2%
click
wait complete
key S
wait complete
panel Iterations
click
type 1e4
key Return
panel Precision
click
panel float
click
wait complete
key S
wait complete
panel Formula
click
panel tricorn
click
wait complete
key D
wait complete
key S
wait complete" --size $size || fail "choices: $(cat err.txt)"
for i in 1 2 3 4; do
    check_shot "$(shot $i)"
done
[ "$(value "$(shot 1)" palette)" = ember ] || fail 'not the palette that was clicked on'
[ -z "$(value "$(shot 1)" smooth)" ] && [ "$(value "$(shot 2)" smooth)" = no ] || fail 'no bands'
expect 'density and offset' "$(value "$(shot 2)" density) == 2.5 && $(value "$(shot 2)" offset) > 0.1"
expect 'a typed limit' "$(value "$(shot 3)" iterations) == 10000"
[ "$(value "$(shot 4)" formula)" = tricorn ] || fail "formula: $(value "$(shot 4)" formula)"
[ -z "$(value "$(shot 4)" kind)" ] || fail 'a Buddhabrot of the Tricorn'
[ "$(value "$(shot 3)" number)" = float ] || fail "number type: $(value "$(shot 3)" number)"

# Orbit density has rows of its own.
rm -rf shots
fathom "key L
key D
wait samples 10000
panel Exposure 90%
click
type 1.5
key Return
panel Iterations
click
type 300
key Return
wait samples 10000
key S
wait samples 1" --size $size || fail "density: $(cat err.txt)"
expect 'exposure and limit' \
    "$(value "$(shot 1)" exposure) == 1.5 && $(value "$(shot 1)" iterations) == 300"
check_density_shot "$(shot 1)"

# Copy, go away, paste: the same bytes. Places of other programs and bare ones keep the rest. In a field the
# same keys are about its text. What is no place changes nothing.
rm -rf shots
fathom "wait complete
wheel 7 300 300
key ]
key C
wait complete
key S
wait complete
key Ctrl+C
key R
key C
key Ctrl+V
wait complete
key S
wait complete
clipboard -0.75 0.125 64
key Ctrl+V
wait complete
key S
wait complete
clipboard Re: -1.25\\nIm: 0.0625\\nZoom: 32\\nIterations: 700\\n
key Ctrl+V
wait complete
key S
wait complete
clipboard a fish
key Ctrl+V
clipboard [view]\\nzoom = 0\\n
key Ctrl+V
key L
panel Real
click
key Ctrl+C
key Escape
panel Imaginary
click
key Ctrl+V
key Return
wait complete
key S
wait complete" --size $size || fail "the clipboard: $(cat err.txt)"
cmp "$(shot 1)" "$(shot 2)" || fail 'a pasted view is not the copied one'
expect 'a bare place' "$(value "$(shot 3)" zoom) == 64 && $(value "$(shot 3)" iterations) == 2000"
expect "another program's place" "$(value "$(shot 4)" zoom) == 32 && $(value "$(shot 4)" re) == -1.25 &&
    $(value "$(shot 4)" iterations) == 700"
expect 'from field to field' "$(value "$(shot 5)" zoom) == 32 && $(value "$(shot 5)" im) == -1.25"
[ "$(grep -c clipboard err.txt)" = 2 ] && grep -q 'clipboard:2: zoom is not between' err.txt ||
    fail "two bad pastes: $(cat err.txt)"

# What of a view is left out is told in the window, and why nothing is pasted; a warning does not hide an error.
fathom "key Ctrl+V
clipboard [view]\\nzoom = 3\\n[fractal]\\niteration = 9\\nhue = 1\\n
key Ctrl+V
clipboard [view]\\nhue = 1\\nzoom = 0\\n
key Ctrl+V
wait complete" --size $size --verbose || fail "odd pastes: $(cat err.txt)"
for line in "clipboard:4: unknown key 'iteration'; did you mean 'iterations'? ignored" \
    "clipboard:3: zoom is not between 1e-300 and 1e100000: '0'" \
    'nothing to paste: the clipboard is empty, has no text, or too much of it'; do
    grep -qxF "fathom: $line" err.txt || fail "not in the window: '$line', but: $(grep clipboard err.txt)"
done

# A recent location, of the run before; sections shut, so that the last one is in sight.
rm -rf shots
fathom "goto $FATHOM_SOURCE/assets/views/sun.fathom
wait complete" --size $size --remember yes || fail "a location to go back to: $(cat err.txt)"
fathom "wait complete
key L
panel Location
click
panel Colour
click
panel Picture
click
panel Recent locations
click
panel Recent
click
wait complete
key S
wait complete" --size $size --remember yes || fail "a recent location: $(cat err.txt)"
[ "$(value "$(shot 1)" zoom)" = 400000 ] || fail "not the recent location: zoom $(value "$(shot 1)" zoom)"
fathom 'key L
panel Gamma' --size $size && fail 'what the panel does not show is pointed at'
grep -q "test.script:2: the panel shows no 'Gamma'" err.txt || fail "no gamma in the panel: $(cat err.txt)"

# As many digits as there can be, pasted into a field; more are refused.
digits=$(head -c 20000 /dev/zero | tr '\0' 7)
rm -rf shots
fathom "key L
wait 50
clipboard 0.$digits
panel Imaginary
click
key Ctrl+V
key Return
wait complete
key S
wait complete
clipboard 0.$digits$digits$digits$digits$digits$digits$digits
panel Imaginary
click
key Ctrl+V
key Return
wait complete
key S
wait complete" --size $size || fail "many digits: $(cat err.txt)"
for i in 1 2; do
    [ "$(value "$(shot $i)" im | head -c 20002)" = "0.$digits" ] || fail "digits are lost in $i"
done

# Any size, and events of all kinds with the panel open.
fathom "key L
wait 50
$(random_events 11 2000)
resize 1 1
wait 50
resize 3 700
wait 50
resize 900 2
wait 50
$(random_events 12 500)
key Escape
resize 640 360
$(random_events 13 2000)
wait 50" --size $size || fail "sizes and events: $(cat err.txt)"

# A field that goes while it is typed into, because an opened view shows another kind of picture, gives keys back.
rm -rf shots
printf '[view]\nre = -1\nim = 0\nzoom = 3\n' >other.fathom
fathom "key D
wait points 0.01
key L
panel Exposure 90%
click
type 2
wait 50
drop other.fathom
wait complete
key S
wait complete
key 2
wait complete
key S
wait complete" --size $size || fail "a field that goes: $(cat err.txt)"
[ "$(find shots -name '*.ppm' | wc -l)" = 2 ] || fail 'keys are dead after a field has gone'
cmp -s "$(shot 1)" "$(shot 2)" && fail 'the palette did not change after a field had gone'

# Where the help does not fit, F1 goes through its pages, one after the other, before it closes; else it closes.
help() { # SIZE NAME...: pictures after each F1, the last of which closes it
    local lines=$'key H\nkey H\nwait complete\ncapture none.ppm' size=$1 name
    shift
    for name in "$@"; do
        lines+=$'\nkey F1\nwait complete\ncapture '$name.ppm
    done
    fathom "$lines" --size "$size" || fail "help: $(cat err.txt)"
    cmp shots/none.ppm "shots/$name.ppm" || fail "the help does not close at $size"
}
help 640x360 first second third closed
for i in none second; do
    ! cmp -s shots/first.ppm shots/$i.ppm || fail "the help of a small window has no second page: as $i"
done
help 420x300 first second third fourth closed
help 300x300 first second third fourth closed # its text is wrapped
help 1280x720 first closed
! cmp -s shots/none.ppm shots/first.ppm || fail 'F1 shows no help'

# What a map has no use for is not there: the power, but of Newton's method, and further steps.
row() { # FORMULA ROW: whether it is there
    fathom "wait complete
key L
panel $2" --size $size --formula "$1"
}
row mandelbrot Power && row mandelbrot Then && row newton Power && row lambda Formula ||
    fail "a row is not there: $(cat err.txt)"
for absent in 'lambda Power' 'magnet2 Power' 'newton Then' 'lambda Then'; do
    # shellcheck disable=SC2086 # two words
    ! row $absent || fail "of no use, but there: $absent"
done
[ $failures -eq 0 ]

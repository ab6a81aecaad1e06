# shellcheck shell=bash
# Panel and clipboard, by script and, at the end, by a real keyboard and the desktop's clipboard:
# typed values go to the view or are refused with a reason, typing never navigates, and every choice
# changes the picture as its key does.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script ./*.fathom "$XDG_STATE_HOME"
window=(--samples 1 --auto-limit off --size 480x720)
size='480x720'
home_zoom=0.860215053763440762 # in a window of that shape

# Coordinates with every digit, Enter, Tab and leaving a field; the picture is that of the file.
play 'wait complete; key L; panel Real; click; type -0.74364388703715870475219150611477412345; key Return
panel Imaginary; click; key Ctrl+A; type 0.131825904205311970493132056385139; panel Zoom; click; type 4e3
key Tab; type 30; click 100 600; shot; panel Zoom; click; type qscdrbpmhlvui[]+-; key Left; key Up; key F1
key Escape; shot'
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

# While a field has the keyboard focus no other action gets keys; Escape only releases it.
[ "$(find shots -name '*.ppm' | wc -l)" = 2 ] || fail "screenshots: $(ls shots)"
cmp "$(shot 1)" "$(shot 2)" || fail 'typing into a field changes the picture'

# Errors are reported in the panel and change nothing else; cancelling removes the message, and so
# does a valid value.
play 'key H; key H; key L; wait complete; panel Zoom; wait complete; capture before.ppm; panel Zoom; click
type fish; key Return; wait complete; capture wrong.ppm; panel Zoom; click; key Escape; wait complete
capture after.ppm; key S; wait complete 20; panel Zoom; click; type 1e200000; key Return; panel Zoom; click
type 7; key Return; shot'
"$FATHOM" compare shots/before.ppm shots/wrong.ppm >/dev/null && fail 'a wrong number is not told'
"$FATHOM" compare shots/before.ppm shots/after.ppm >/dev/null ||
    fail 'giving a wrong number up leaves traces'
expect 'still there, then not' "($(value "$(shot 1)" zoom) - $home_zoom)^2 < 1e-20 && $(value "$(shot 2)" zoom) == 7"

# Over the panel the wheel and the buttons belong to it, next to it to the picture, even if pointer
# and wheel move at the same moment.
play 'wait complete; key L; panel Show; click; wait 50; key Escape # closes an open list, and does not quit
panel Palette; wheel 5; panel Location; press left-button; move 380 300; release left-button; panel Location
click; panel Location; click; shot; wheel 2 100 300; shot'
expect 'not by the panel' "($(value "$(shot 1)" zoom) - $home_zoom)^2 < 1e-20 && $(value "$(shot 1)" re) == -0.5"
expect 'beside the panel' "($(value "$(shot 2)" zoom) / $home_zoom - 2.25)^2 < 1e-12"

# Orbit density has its own rows.
play 'key L; key D; wait samples 10000; panel Exposure 90%; click; type 1.5; key Return; panel Iterations; click
type 300; key Return; wait samples 10000; key S; wait samples 1'
expect 'exposure and limit' \
    "$(value "$(shot 1)" exposure) == 1.5 && $(value "$(shot 1)" iterations) == 300"
check_density_shot "$(shot 1)"

# Copying, going away and pasting gives the same bytes. Places of other programs and bare ones keep
# the other settings. In a field the same keys edit its text. Text that is not a place changes
# nothing.
play "wait complete; wheel 7 100 300; key ]; key C; shot; key Ctrl+C; key R; key C; key Ctrl+V; shot
clipboard -0.75 0.125 64; key Ctrl+V; shot; clipboard Re: -1.25\\nIm: 0.0625\\nZoom: 32\\nIterations: 700\\n
key Ctrl+V; shot; clipboard a fish; key Ctrl+V; clipboard [view]\\nzoom = 0\\n; key Ctrl+V; key L; panel Real
click; key Ctrl+C; key Escape; panel Imaginary; click; key Ctrl+V; key Return; shot"
cmp "$(shot 1)" "$(shot 2)" || fail 'a pasted view is not the copied one'
expect 'a bare place' "$(value "$(shot 3)" zoom) == 64 && $(value "$(shot 3)" iterations) == 2000"
expect "another program's place" "$(value "$(shot 4)" zoom) == 32 && $(value "$(shot 4)" re) == -1.25 &&
    $(value "$(shot 4)" iterations) == 700"
expect 'from field to field' "$(value "$(shot 5)" zoom) == 32 && $(value "$(shot 5)" im) == -1.25"
[ "$(grep -c clipboard err.txt)" = 2 ] && grep -q 'clipboard:2: zoom is not between' err.txt ||
    fail "two bad pastes: $(cat err.txt)"

# The window reports which parts of a pasted view are left out, and why nothing is pasted; a warning
# does not hide an error.
play "key Ctrl+V; clipboard [view]\\nzoom = 3\\n[fractal]\\niteration = 9\\nhue = 1\\n; key Ctrl+V
clipboard [view]\\nhue = 1\\nzoom = 0\\n; key Ctrl+V; wait complete" --verbose
for line in "clipboard:4: unknown key 'iteration'; did you mean 'iterations'? ignored" \
    "clipboard:3: zoom is not between 1e-300 and 1e100000: '0'" \
    'nothing to paste: the clipboard has no text, or too much'; do
    grep -qxF "fathom: $line" err.txt || fail "not in the window: '$line', but: $(grep clipboard err.txt)"
done

# A recent location, of the previous run; sections are closed, so that the last one is visible.
play "goto $FATHOM_SOURCE/assets/views/sun.fathom; wait complete" --remember yes
play 'wait complete; key L; panel Location; click; panel Colour; click; panel Picture; click
panel Recent locations; click; panel Recent; click; shot' --remember yes
[ "$(value "$(shot 1)" zoom)" = 400000 ] || fail "not the recent location: zoom $(value "$(shot 1)" zoom)"
fathom 'key L; panel Gamma' --size 320x720 && fail 'what the panel does not show is pointed at'
grep -q "test.script:2: the panel shows no 'Gamma'" err.txt || fail "no gamma in the panel: $(cat err.txt)"

# The maximum number of digits, pasted into a field; more are refused.
digits=$(head -c 20000 /dev/zero | tr '\0' 7)
play "key L; wait 50; clipboard 0.$digits; panel Imaginary; click; key Ctrl+V; key Return; shot
clipboard 0.$digits$digits$digits$digits$digits$digits$digits; panel Imaginary; click; key Ctrl+V; key Return
shot"
for i in 1 2; do
    [ "$(value "$(shot $i)" im | head -c 20002)" = "0.$digits" ] || fail "digits are lost in $i"
done

# Any size, and events of all kinds with the panel open.
play "key L
wait 50
$(random_events 11 60)
resize 1 1
wait 50
resize 3 700
wait 50
resize 900 2
wait 50
key Escape
resize 320 240
$(random_events 13 60)
wait 50"

# A field that disappears while it is edited, because an opened view shows another kind of picture,
# releases the keyboard.
rm -rf shots
printf '[view]\nre = -1\nim = 0\nzoom = 3\n' >other.fathom
play 'key D; wait points 0.01; key L; panel Exposure 90%; click; type 2; wait 50; drop other.fathom; shot; key 2
shot'
[ "$(find shots -name '*.ppm' | wc -l)" = 2 ] || fail 'keys are dead after a field has gone'
cmp -s "$(shot 1)" "$(shot 2)" && fail 'the palette did not change after a field had gone'

# If the help does not fit, F1 goes through its pages before it closes; else it closes at once.
help() { # SIZE PAGES: after that many presses the help is closed
    local page
    printf 'resize %s\nwait complete\ncapture %s-0.ppm\n' "${1/x/ }" "$1"
    for ((page = 1; page <= $2; page++)); do
        printf 'key F1\nwait complete\ncapture %s-%d.ppm\n' "$1" $page
    done
}
play "key H
key H
$(help 640x360 3)
$(help 300x300 5)
$(help 1280x720 2)" --size 300x300
for last in 640x360-3 300x300-5 1280x720-2; do # the text of 300x300 is wrapped
    first=shots/${last%-*}
    cmp "$first-0.ppm" "shots/$last.ppm" || fail "the help does not close at $last"
    ! cmp -s "$first-1.ppm" "$first-0.ppm" || fail "F1 shows no help at $last"
    ! cmp -s "$first-1.ppm" "$first-2.ppm" || fail "the help of $last has no second page"
done

# Settings without an effect on maps are not shown: the power, except for Newton's method, and
# further steps.
play 'wait complete; key L; panel Power; panel Hybrid steps' --formula mandelbrot
! fathom 'key L
panel Power
panel Hybrid steps' --size 320x720 --formula newton && grep -q "no 'Hybrid steps'" err.txt || fail "of no use, but there, or the reverse: $(cat err.txt)"

# --- a real keyboard, and the clipboard of other programs ---

[ $failures -eq 0 ] || exit 1
[ -z "${FATHOM_SANITIZED-}" ] || exit 0
without_display='a real keyboard and clipboard'
. "$FATHOM_SOURCE/tests/shared/x11.sh" xclip
rm -rf shots state
mkdir shots
export XDG_STATE_HOME=$PWD/state
owner=''
finish() {
    [ -n "$owner" ] && kill $owner 2>/dev/null
    stop_all
}
trap finish EXIT
start_server 1280x1024

# Prints the middle of the control of one of the first rows: the coordinates, zoom, angle.
row() { # NUMBER
    echo "380 $((23 + 20 * ($1 > 0 ? $1 + 1 : 0)))"
}

# Waits until the clipboard contains TEXT, as another program sees it.
clipboard_has() { # TEXT
    local i
    for ((i = 0; i < 200; i++)); do
        timeout 5 xclip -selection clipboard -o 2>/dev/null | grep -qF -- "$1" && return
        sleep 0.05
    done
    fail "the clipboard never has '$1'"
}

# Makes another program offer TEXT in the clipboard, until the next call.
offer() { # TEXT
    [ -n "$owner" ] && kill "$owner" 2>/dev/null
    printf '%s' "$1" | xclip -quiet -selection clipboard -i 2>/dev/null &
    owner=$!
    clipboard_has "$1"
}

# Typed with real keys, replaced by Ctrl+A, corrected with Backspace.
start_program --size 480x720 --verbose --zoom-speed 1
xdotool windowmove "$window" 0 0 mousemove 100 300 key l
take_shot # the panel is open once it is taken, however busy the machine is
sleep 0.3
# shellcheck disable=SC2046
xdotool mousemove $(row 1) click 1 sleep 0.2 key ctrl+a type -- '-0.7435x'
xdotool key BackSpace key Return sleep 0.3
take_shot
expect 'typed with real keys' "$(value "$shot" re) == -0.7435"
# A key that is held when a field is clicked keeps zooming, and types nothing.
xdotool mousemove 100 300 keydown z
sleep 0.5
# shellcheck disable=SC2046
xdotool mousemove $(row 4) click 1
sleep 0.5
xdotool keyup z key End type 5
xdotool key Return
sleep 0.3
take_shot
expect 'a key from before a field had the keyboard' "$(value "$shot" angle) == 5 && $(value "$shot" zoom) > 2"

# Another program gets the view; fathom reads another program's text: first not a place, then a
# place, then a number.
xdotool mousemove 100 300 key ctrl+c
clipboard_has '[view]'
timeout 5 xclip -selection clipboard -o >copied.fathom
"$FATHOM" render copied.fathom --size 480x720 -o copied.ppm || fail 'what was copied is no view'
"$FATHOM" compare copied.ppm "$shot" >/dev/null || fail 'what was copied is another view'
xdotool key ctrl+shift+c
for ((i = 0; i < 200; i++)); do
    timeout 5 xclip -selection clipboard -o -t image/png >copied.png 2>/dev/null && [ -s copied.png ] && break
    sleep 0.05
done
"$FATHOM" compare copied.png "$shot" >/dev/null || fail 'the copied picture is another one'
offer 'There is no place in this.'
xdotool key ctrl+v
for ((i = 0; i < 200; i++)); do # it may be busy
    grep -q 'error: clipboard' fathom.log && break
    sleep 0.05
done
offer '-1.25 0.0625 20'
xdotool key ctrl+v
sleep 0.3
take_shot
expect 'pasted' "$(value "$shot" re) == -1.25 && $(value "$shot" zoom) == 20"
offer '0.0312500'
# shellcheck disable=SC2046
xdotool mousemove $(row 2) click 1 key ctrl+v key Return
sleep 0.3
take_shot
expect 'into a field' "$(value "$shot" im) == 0.03125 && $(value "$shot" re) == -1.25"
[ "$(grep -c 'error: clipboard' fathom.log)" = 1 ] || fail "a bad paste: $(cat fathom.log)"

# At rest with an open panel: at most 1% of a core, also while a field waits for keys.
# shellcheck disable=SC2046
xdotool mousemove $(row 1) click 1
expect_rest
xdotool key Escape
sleep 0.3

# More data than SDL reads from another program is not reported as an empty clipboard.
kill "$owner" 2>/dev/null
head -c 3000000 /dev/zero | tr '\0' 7 | xclip -quiet -selection clipboard -i 2>/dev/null &
owner=$!
for ((i = 0; i < 100; i++)); do
    [ "$(timeout 5 xclip -selection clipboard -o 2>/dev/null | wc -c)" = 3000000 ] && break
    sleep 0.1
done
xdotool mousemove 100 300 key ctrl+v
for ((i = 0; i < 100; i++)); do
    grep -q 'nothing to paste\|too large' fathom.log && break
    sleep 0.1
done
grep -q 'nothing to paste: .* or too much\|too large' fathom.log || fail "much in the clipboard: $(cat fathom.log)"
xdotool key q
ended || fail "at the end: status $?: $(cat fathom.log)"
[ $failures -eq 0 ]

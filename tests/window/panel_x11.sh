# shellcheck shell=bash
# The panel with a real keyboard and mouse, and the desktop's own clipboard.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh" xclip
rm -rf shots ./*.ppm state
mkdir shots
export XDG_STATE_HOME=$PWD/state
owner=''
finish() {
    [ -n "$owner" ] && kill $owner 2>/dev/null
    stop_all
}
trap finish EXIT
start_server 1280x1024

start() {
    start_program --size 1000x720 --verbose
    xdotool windowmove "$window" 0 0 mousemove 300 300
    sleep 1
}

shoot() {
    sleep 0.3
    take_shot
}

# The middle of the control of one of the first rows: the coordinates, zoom, angle.
row() { # NUMBER
    echo "900 $((23 + 20 * ($1 > 0 ? $1 + 1 : 0)))"
}

# Waits until the clipboard is as another program sees it: $1 is looked for in it.
clipboard_has() { # TEXT
    local i
    for ((i = 0; i < 100; i++)); do
        timeout 5 xclip -selection clipboard -o 2>/dev/null | grep -qF -- "$1" && return
        sleep 0.1
    done
    fail "the clipboard never has '$1'"
}

# What the clipboard has, from another program, which keeps it until the next one is given.
offer() { # TEXT
    [ -n "$owner" ] && kill "$owner" 2>/dev/null
    printf '%s' "$1" | xclip -quiet -selection clipboard -i 2>/dev/null &
    owner=$!
    clipboard_has "$1"
}

# Typed with real keys, those for the view among them; replaced by Ctrl+A, corrected with Backspace.
start
xdotool key l
shoot # after which the panel is there, however busy the machine
# shellcheck disable=SC2046
xdotool mousemove $(row 1) click 1 key ctrl+a type -- '-0.7435x'
xdotool key BackSpace key Return
# shellcheck disable=SC2046
xdotool mousemove $(row 2) click 1
xdotool type 0.125
xdotool key Tab
xdotool type 30
xdotool key Return
shoot
expect 'typed with real keys' "$(value "$shot" re) == -0.7435 && $(value "$shot" im) == 0.125 &&
    $(value "$shot" zoom) == 30"
# shellcheck disable=SC2046
xdotool mousemove $(row 3) click 1 type qscb
xdotool key Escape
# shellcheck disable=SC2046
xdotool mousemove $(row 5) click 4 click 4
shoot
expect 'typing and turning steer nothing' "$(value "$shot" zoom) == 30"
[ "$(value "$shot" palette)" = aurora ] || fail 'a letter in a field changes the palette'

# A key that is held while a field is clicked on goes on to zoom, and types nothing.
xdotool mousemove 300 300 keydown z
sleep 1
# shellcheck disable=SC2046
xdotool mousemove $(row 4) click 1
sleep 1
xdotool keyup z key End type 5
xdotool key Return
shoot
expect 'a key from before a field had the keyboard' "$(value "$shot" angle) == 5 && $(value "$shot" zoom) > 30"

# Another program gets the view; fathom reads its copy back.
xdotool mousemove 300 300 key ctrl+c
clipboard_has '[view]'
timeout 5 xclip -selection clipboard -o >copied.fathom
"$FATHOM" render copied.fathom --size 1000x720 -o copied.ppm || fail 'what was copied is no view'
"$FATHOM" compare copied.ppm "$shot" >/dev/null || fail 'what was copied is another view'

# Another program's text: a place, then none, then a number for a field.
offer '-1.25 0.0625 20'
xdotool key ctrl+v
shoot
expect 'pasted' "$(value "$shot" re) == -1.25 && $(value "$shot" zoom) == 20"
offer 'There is no place in this.'
xdotool key ctrl+v
for ((i = 0; i < 200; i++)); do # it may be busy
    grep -q 'error: clipboard' fathom.log && break
    sleep 0.05
done
offer '0.0312500'
# shellcheck disable=SC2046
xdotool mousemove $(row 2) click 1 key ctrl+v key Return
shoot
expect 'into a field' "$(value "$shot" im) == 0.03125 && $(value "$shot" re) == -1.25"
[ "$(grep -c 'error: clipboard' fathom.log)" = 1 ] || fail "a bad paste: $(cat fathom.log)"

# At rest, open: at most 1% of a core, also while a field waits for keys.
# shellcheck disable=SC2046
xdotool mousemove $(row 1) click 1
expect_rest
xdotool key Escape
sleep 0.3

# More than SDL takes from another program is not called an empty clipboard.
[ -n "$owner" ] && kill "$owner" 2>/dev/null
head -c 3000000 /dev/zero | tr '\0' 7 | xclip -quiet -selection clipboard -i 2>/dev/null &
owner=$!
for ((i = 0; i < 100; i++)); do
    [ "$(timeout 5 xclip -selection clipboard -o 2>/dev/null | wc -c)" = 3000000 ] && break
    sleep 0.1
done
xdotool mousemove 300 300 key ctrl+v
for ((i = 0; i < 100; i++)); do
    grep -q 'nothing to paste\|too large' fathom.log && break
    sleep 0.1
done
grep -q 'nothing to paste: .* or too much\|too large' fathom.log || fail "much in the clipboard: $(cat fathom.log)"
xdotool key q
wait "$program" || fail "at the end: status $?: $(cat fathom.log)"
program=''
[ $failures -eq 0 ]

# shellcheck shell=bash
# Window and full screen under a Wayland compositor, at one pixel per unit of its coordinates and at
# two. The compositor is weston, in a window of a display without a screen: SDL 2.26 cannot start on
# a compositor without pointer and keyboard, which weston lacks without a display. The screen must
# show exactly the picture, and the pointer must be at its place.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
# SDL and libdecor keep some memory of a window to the end; other tests look for leaks of fathom.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
. "$FATHOM_SOURCE/tests/shared/x11.sh" weston
alike=$(cd "${FATHOM_TESTS:-..}" && pwd)/screen_alike
rm -rf work
mkdir -p work/runtime work/state/fathom
cd work || exit 1
chmod 700 runtime
export XDG_STATE_HOME=$PWD/state XDG_RUNTIME_DIR=$PWD/runtime
compositor=''
finish() {
    [ -n "$compositor" ] && kill "$compositor" 2>/dev/null
    stop_all
}
trap finish EXIT

"$FATHOM" render --iterations 20 --size 1280x800 -o screen.ppm || exit 1
start_server 1280x800 -fbdir "$PWD" -nocursor

start_compositor() { # PIXELS PER UNIT OF ITS COORDINATES
    local i socket=fathom$1
    weston --backend=x11-backend.so --use-pixman --width=$((1280 / $1)) --height=$((800 / $1)) --scale="$1" \
        --socket="$socket" --idle-time=0 >weston.log 2>&1 &
    compositor=$!
    for ((i = 0; i < 300; i++)); do # takes long on a busy machine
        [ -S "runtime/$socket" ] && xdotool search --onlyvisible --class weston >/dev/null 2>&1 && break
        sleep 0.1
    done
    [ -S "runtime/$socket" ] || {
        echo "skipped: weston does not start here: $(tail -n 3 weston.log)"
        exit 77
    }
    export WAYLAND_DISPLAY=$socket
    xdotool mousemove 300 700 # outside of the compared area
}
stop_compositor() {
    kill "$compositor"
    wait "$compositor" 2>/dev/null
    compositor=''
}

launch() {
    env -u DISPLAY SDL_VIDEODRIVER=wayland SDL_EVENT_LOGGING=1 "$FATHOM" --screenshots shots --samples 1 --auto-limit off --iterations 20 \
        -v >out.log 2>fathom.log &
    program=$!
    for ((i = 0; i < 500; i++)); do
        grep -q 'first complete picture' fathom.log && break
        kill -0 "$program" 2>/dev/null || break
        sleep 0.1
    done
    grep -q "window of .* by SDL's driver wayland" fathom.log
}
start() { # FULLSCREEN [WIDTH HEIGHT]
    local i tries=0
    printf 'x = 100\ny = 40\nwidth = %s\nheight = %s\nmaximised = no\nfullscreen = %s\n' "${2-1000}" "${3-600}" "$1" >state/fathom/window
    # As long as the compositor has no pointer yet, SDL ends the program without a message.
    until launch; do
        ! grep -q '^fathom: ' fathom.log && ((++tries < 10)) || {
            fail "no window on Wayland: $(cat fathom.log)"
            exit 1
        }
        sleep 1
    done
    for ((i = 0; i < 300; i++)); do # a key that is pressed before is lost
        grep -q WINDOWEVENT_FOCUS_GAINED fathom.log && return
        sleep 0.1
    done
    fail 'the window has no keyboard focus after 30 seconds'
}

# Checks whether the right part of the screen, without numbers and messages, shows the picture.
fills() {
    "$alike" Xvfb_screen0 screen.ppm 0 0 1040 0 240 800
}
becomes() { # full|window WHAT
    local i told=''
    for ((i = 0; i < 300; i++)); do
        if told=$(fills); then
            [ "$1" = full ] && return
        else
            [ "$1" = window ] && return
        fi
        sleep 0.1
    done
    fail "$2: $told"
}

# Ends the program by a key, which reaches it through the compositor.
quit() { # FULLSCREEN WIDTH
    xdotool key q
    ended || fail "status $?: $(cat fathom.log)"
    grep -q "^fullscreen = $1$" state/fathom/window && grep -q "^width = $2$" state/fathom/window ||
        fail "this was kept: $(cat state/fathom/window)"
}

start_compositor 1
start yes
becomes full 'started in full screen, but it is not filled'
xdotool key F11
becomes window 'F11 leaves the screen filled'
xdotool key F11
becomes full 'F11 does not fill the screen'
quit yes 1000
start no
becomes window 'a window fills the screen'
xdotool key F11
becomes full 'F11 does not fill the screen from a window'
xdotool key F11
becomes window 'F11 leaves the screen filled, from a window'
quit no 1000

stop_compositor

# Two pixels per unit: the same number of pixels, equally sharp, and the pointer at its place.
start_compositor 2
start no 400 250
grep -q 'window of 800x500 pixels' fathom.log || fail "a window of 400x250 units: $(grep 'window of' fathom.log)"
becomes window 'a window fills the screen, at 2 pixels to a unit'
xdotool key F11
becomes full 'F11 does not fill the screen with single pixels'
take_shot
first=$shot
for at in '0 0' '901 603'; do # weston uses relative motion, and may have started elsewhere
    xdotool mousemove $at
    sleep 0.3
done
xdotool click 4
sleep 0.5
take_shot
expect 'the wheel zooms' "$(value "$shot" zoom) == 1.5 * $(value "$first" zoom)"
expect_same_point "$first" "$shot" 900 602 # a unit is at its first pixel
[ "$(value "$shot" width) $(value "$shot" height)" = '1280 800' ] || fail "a shot of $(value "$shot" width) pixels"
check_shot "$shot"
quit yes 400

[ $failures -eq 0 ]

# shellcheck shell=bash
# Full screen and back on a real screen, with and without a window manager: the X server must show
# exactly the picture, from the first start on.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh" openbox xprop xwininfo
alike=$(cd "${FATHOM_TESTS:-..}" && pwd)/screen_alike
fresh_folder
export XDG_STATE_HOME=$PWD/state
mkdir -p state/fathom
manager=''
finish() {
    [ -n "$manager" ] && kill "$manager" 2>/dev/null
    stop_all
}
trap finish EXIT

"$FATHOM" render --iterations 20 --size 1280x800 -o screen.ppm && "$FATHOM" render --iterations 20 --size 1000x600 -o window.ppm || exit 1

remember() { # FULLSCREEN
    printf 'x = 100\ny = 40\nwidth = 1000\nheight = 600\nmaximised = no\nfullscreen = %s\n' "$1" \
        >state/fathom/window
}

# Starts with pictures that are complete at once, without other keys, and without tools that look at
# the window before it rests: each additional frame would hide a bad first one.
start() { # OPTION...
    "$FATHOM" --samples 1 --auto-limit off --iterations 20 "$@" >out.log 2>fathom.log &
    program=$!
    sleep 1.5
    window=$(find_window)
    [ -n "$window" ] || {
        fail "no window: $(cat fathom.log)"
        exit 1
    }
}

quit() {
    xdotool key q
    ended || fail "status $?: $(cat fathom.log)"
    [ -s fathom.log ] && fail "said: $(cat fathom.log)"
}

# Prints the place and size of the window's inside. (xdotool counts the frame twice.)
geometry() {
    xwininfo -id "$window" | awk '/Absolute upper-left/ { printf "%d ", $NF } /Width:|Height:/ { printf "%d ", $NF }'
}

# Checks that the right part of the window, without numbers and messages, shows that picture within
# ten seconds.
shows() { # WHAT PICTURE WIDTH HEIGHT
    local i at told=''
    for ((i = 0; i < 50; i++)); do
        read -ra at <<<"$(geometry)"
        told=$("$alike" Xvfb_screen0 "$2" "${at[0]}" "${at[1]}" $(($3 - 240)) 0 240 "$4") &&
            [ "${at[*]:2}" = "$3 $4" ] && return
        sleep 0.2
    done
    fail "$1: $told (the window: ${at[*]})"
}

# Starts in full screen, then goes to the window and back by F11; the state is saved at the end.
both_ways() { # WITH-WHAT KEPT OPTION...: KEPT is the saved full-screen state, before and after
    remember "$2"
    start "${@:3}"
    shows "started in full screen $1" screen.ppm 1280 800
    xdotool mousemove 600 300
    xdotool windowfocus "$window" key F11
    shows "out of full screen $1" window.ppm 1000 600
    local place
    place=$(geometry)
    xdotool key F11
    shows "into full screen $1" screen.ppm 1280 800
    [ "$(geometry)" = '0 0 1280 800 ' ] || fail "in full screen $1 it is $(geometry)"
    xdotool key F11
    shows "out of it again $1" window.ppm 1000 600
    [ "$(geometry)" = "$place" ] || fail "out of it again $1 it is $(geometry), not $place"
    xdotool key F11
    shows "into it again $1" screen.ppm 1280 800
    quit
    grep -q "^fullscreen = $2\$" state/fathom/window && grep -q '^width = 1000$' state/fathom/window &&
        grep -q '^x = 100$' state/fathom/window || fail "$1 this was kept: $(cat state/fathom/window)"
}

start_server 1280x800 -fbdir "$PWD" -nocursor
# The command-line option applies to this run only.
both_ways 'without a window manager' no --fullscreen

openbox --sm-disable >openbox.log 2>&1 &
manager=$!
for ((i = 0; i < 100; i++)); do
    xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break
    sleep 0.1
done
both_ways 'under openbox' yes

[ $failures -eq 0 ]

# shellcheck shell=bash
# Shared by the tests with real X events: a display of their own, the program's window on it, and its end. Sourced
# after e2e.sh, with the further programs that the test needs; without_display is what is left out where there is none, if
# the rest of the test has shown something.
for tool in Xvfb xdotool "$@"; do
    command -v "$tool" >/dev/null && continue
    [ -z "${without_display-}" ] || { left_out "$without_display" "there is no $tool" && exit 0; }
    echo "skipped: there is no $tool"
    exit 77
done
export SDL_VIDEODRIVER=x11
unset WAYLAND_DISPLAY
server='' program='' window=''

# A server that began anew whenever its last client goes would refuse the next one meanwhile.
start_server() { # SIZE ARGUMENTS...
    local size=$1
    shift
    rm -f display
    mkfifo display
    Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset "$@" 3>display 2>xvfb.log &
    server=$!
    read -r number <display || {
        cat xvfb.log
        exit 1
    }
    rm display
    export DISPLAY=:$number
}

stop_server() {
    kill "$server"
    wait "$server" 2>/dev/null
    server=''
}

# What still runs is ended with the test.
stop_all() {
    [ -n "$program" ] && kill -9 "$program" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait 2>/dev/null
}
trap stop_all EXIT

# The id of the program's window, once it is to be seen. (By --sync, xdotool would look twice a second.) The search gives
# up when another window, like the one that SDL makes for a moment, goes while it looks.
find_window() {
    local id='' until=$((SECONDS + 20))
    while [ -z "$id" ] && [ $SECONDS -lt $until ]; do
        sleep 0.05
        id=$(timeout 20 xdotool search --onlyvisible --name '(^| )fathom$' 2>/dev/null | tail -n 1)
    done
    echo "$id"
}

# Starts the explorer, waits for its window and gives it the keyboard. A window of an earlier one that the server has
# yet to take away would be found instead.
start_bare() { # ARGUMENTS...
    local i
    for ((i = 0; i < 100; i++)); do
        [ -n "${window-}" ] && xdotool getwindowname "$window" >/dev/null 2>&1 || break
        sleep 0.05
    done
    "$FATHOM" "$@" >out.log 2>fathom.log &
    program=$!
    window=$(find_window)
    [ -n "$window" ] || {
        fail "no window: $(cat fathom.log)"
        exit 1
    }
    xdotool windowfocus --sync "$window"
    sleep "$([ -n "${FATHOM_SANITIZED-}" ] && echo 1.5 || echo 0.3)" # SDL takes the keyboard 0.2 s after it is told
}

start_program() { # ARGUMENTS...
    rm -f "${XDG_STATE_HOME:-/nowhere}/fathom/preferences" # what an earlier one has switched
    start_bare --screenshots shots --samples 1 --auto-limit off "$@"
}

# Waits until the program has ended by itself; its status, 99 if it is still there after ten seconds.
ended() {
    local i status
    for ((i = 0; i < 250; i++)); do
        kill -0 "$program" 2>/dev/null || {
            wait "$program" 2>/dev/null
            status=$?
            program=''
            return $status
        }
        sleep 0.04
    done
    return 99
}

# Presses S and waits for the screenshot of that number; leaves its name in `shot`.
shots=0
take_shot() {
    local i
    shots=$((shots + 1))
    xdotool key 39 # S, in any layout
    for ((i = 0; i < 600; i++)); do
        shot=$(compgen -G "shots/fathom-*-$(printf %03d $shots).ppm") && break
        sleep 0.05
    done
    [ -n "$shot" ] || {
        fail "screenshot $shots was not written: $(cat fathom.log)"
        exit 1
    }
}

# Once messages are gone, the program uses at most 1% of a core. The fields are ticks of user and system time, 100 a
# second.
ticks() {
    awk '{ print $14 + $15 }' "/proc/$program/stat"
}
expect_rest() {
    local first i quiet=0
    sleep 4.5
    # Thumbnails may still be drawn, by a thread that a busy machine hardly ever schedules.
    for ((i = 0; i < 60 && quiet < 3; i++)); do
        first=$(ticks)
        sleep 1
        [ $(($(ticks) - first)) -gt 1 ] && quiet=0 || quiet=$((quiet + 1))
    done
    first=$(ticks)
    sleep 3
    expect 'ticks of 300 used at rest' "$(ticks) - $first <= 3"
}

# shellcheck shell=bash
# Shared by tests with real X events: starts a display, opens the program's window on it, and ends
# both. Sourced after e2e.sh, with further programs that the test needs as arguments. If
# without_display is set, a missing tool leaves out only that part of the test.
for tool in Xvfb xdotool "$@"; do
    command -v "$tool" >/dev/null && continue
    [ -z "${without_display-}" ] || { left_out "$without_display" "there is no $tool" && exit 0; }
    echo "skipped: there is no $tool"
    exit 77
done
export SDL_VIDEODRIVER=x11
unset WAYLAND_DISPLAY
server='' program='' window=''

# -noreset: a server that resets when its last client leaves would refuse the next client meanwhile.
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

# Ends everything that still runs, together with the test.
stop_all() {
    [ -n "$program" ] && kill -9 "$program" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait 2>/dev/null
}
trap stop_all EXIT

# Prints the id of the program's window once it is visible. (With --sync, xdotool would look only
# twice a second.) The search fails if another window disappears meanwhile, such as the one that SDL
# opens for a moment.
find_window() {
    local id='' until=$((SECONDS + 60))
    while [ -z "$id" ] && [ $SECONDS -lt $until ]; do
        sleep 0.05
        id=$(timeout 20 xdotool search --onlyvisible --name '(^| )fathom$' 2>/dev/null | tail -n 1)
    done
    echo "$id"
}

# Starts the explorer, waits for its window and gives it the keyboard focus. Waits first until an
# earlier window is gone, which would be found instead.
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
    sleep 0.3 # SDL takes the focus 0.2 s after the event
    until_calm
}

# Waits until the program's first thread waits for events, for at most 20 s: Mesa's compiler needs
# many seconds of a busy machine under sanitizers, and the program reads no keys meanwhile.
until_calm() {
    local i calm=0
    for ((i = 0; i < 400 && calm < 3; i++)); do
        [[ $(cat "/proc/$program/task/$program/stat" 2>/dev/null) == *') S '* ]] && calm=$((calm + 1)) || calm=0
        sleep 0.05
    done
}

start_program() { # ARGUMENTS...
    rm -f "${XDG_STATE_HOME:-/nowhere}/fathom/preferences" # settings that an earlier run has changed
    start_bare --screenshots shots --samples 1 --auto-limit off "$@"
}

# Waits until the program has ended on its own. Returns its exit status, or 99 if it still runs
# after 20 seconds, or 60 under sanitizers.
ended() {
    local i status tries=500
    [ -z "${FATHOM_SANITIZED-}" ] || tries=1500
    for ((i = 0; i < tries; i++)); do
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

# Presses S and waits for the next screenshot; stores its name in `shot`.
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

# Checks that the program uses at most 1% of a core once messages are gone. The fields are ticks of
# user and system time, 100 a second.
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

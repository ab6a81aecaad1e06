# shellcheck shell=bash
# A complete picture at rest costs only four polls a second for signals, and a minimised window no
# more, whatever it was doing: anti-aliasing and orbit counting stop, and continue once it is
# visible again.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh" openbox xprop
fresh_folder
export XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config
start_server 800x600
openbox --sm-disable >openbox.log 2>&1 &
for ((i = 0; i < 100; i++)); do
    xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break
    sleep 0.1
done

# Prints how often its threads went to sleep, and the ticks that they used.
used() {
    awk '/^voluntary/ { n += $2 } END { print n }' "/proc/$program"/task/*/status
    ticks
}
# Measures over two seconds.
measure() {
    local before after
    mapfile -t before < <(used)
    sleep 2
    mapfile -t after < <(used)
    switches=$((after[0] - before[0])) spent=$((after[1] - before[1]))
}
is_still() { # WHAT
    local i
    for ((i = 0; i < 5; i++)); do # a busy machine takes longer to get there
        measure
        [ $switches -le 20 ] && [ $spent -le 2 ] && return
    done
    fail "$1: $switches times awake, and $spent ticks, in 2 s"
}
works() { # WHAT: workers give way to all other programs
    local i first
    first=$(ticks)
    for ((i = 0; i < 100; i++)); do
        sleep 0.2
        [ $(($(ticks) - first)) -ge 20 ] && return
    done
    fail "$1: only $(($(ticks) - first)) ticks in 20 s"
}
leave() {
    kill "$program"
    ended || fail "status $?: $(cat fathom.log)"
}

start_program --size 320x200 --samples 4
sleep 4.5 # until the first messages are gone
is_still 'at rest'
xdotool windowminimize --sync "$window"
is_still 'minimised at rest'
leave

# Anti-aliasing at rest, with more samples than can be drawn here.
start_program --size 640x480 --samples 65536
works 'samples at rest'
xdotool windowminimize --sync "$window"
is_still 'minimised while samples are drawn'
xdotool windowmap --sync "$window"
works 'samples, seen again'
leave

start_program --size 640x480
xdotool key d
works 'orbits'
xdotool windowminimize --sync "$window"
is_still 'minimised while orbits are counted'
xdotool windowmap --sync "$window"
works 'orbits, seen again'
# A held key is released, since its release would not be noticed.
xdotool key d
xdotool mousemove 300 300 keydown z
works 'a held zoom'
xdotool windowminimize --sync "$window"
is_still 'minimised in a held zoom'
xdotool keyup z
leave
[ $failures -eq 0 ]

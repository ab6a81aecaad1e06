# shellcheck shell=bash
# State that is saved from one run to the next, in a real window: its place, the recent places, and
# the behaviour if they cannot be read or written.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh"
fresh_folder
export XDG_STATE_HOME=$PWD/state
kept=$XDG_STATE_HOME/fathom
finish() {
    chmod -R u+w . 2>/dev/null
    stop_all
}
trap finish EXIT
start_server 1000x700

start() { # ARGUMENTS...
    start_program --backend scalar --iterations 50 "$@"
}

# Ends the program by its key; it must have printed nothing, or only MESSAGE.
quit() { # STATUS [MESSAGE]
    local status
    xdotool key q
    ended
    status=$?
    [ "$status" = "$1" ] || fail "status $status, not $1: $(cat fathom.log)"
    if [ $# = 1 ]; then
        [ ! -s fathom.log ] || fail "said: $(cat fathom.log)"
    else
        [ "$(wc -l <fathom.log)" = 1 ] && grep -q "$2" fathom.log ||
            fail "said '$(cat fathom.log)', not one line with '$2'"
    fi
}

# Checks that the window is at X,Y and has that size.
is_at() { # X Y WIDTH HEIGHT
    local X=? Y=? WIDTH=? HEIGHT=?
    eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^(X|Y|WIDTH|HEIGHT)=[-0-9]+$')"
    [ "$X $Y $WIDTH $HEIGHT" = "$*" ] || fail "the window is at $X $Y $WIDTH $HEIGHT, not at $*"
}

# Prints the number of saved places.
places() {
    grep -c '^place = ' "$kept/recent" 2>/dev/null
}

# The first run is in the middle of the display; the second one is where the first one was left.
start
quit 0
[ -e "$kept/recent" ] && fail 'home is kept as a place'
start
xdotool windowsize --sync "$window" 400 300 windowmove --sync "$window" 123 45
sleep 0.5
quit 0
start
is_at 123 45 400 300
quit 0

# Places off the display. (Windows larger than it: check_window_state.)
put_place() { # X Y WIDTH HEIGHT
    printf 'x = %d\ny = %d\nwidth = %d\nheight = %d\n' "$@" >"$kept/window"
}
put_place -5000 9000 400 300
start
is_at 0 400 400 300
quit 0

# Full screen is saved, with the window's place without it. (Only window managers resize it.)
put_place 11 12 300 200
echo 'fullscreen = yes' >>"$kept/window"
start
quit 0
grep -q '^fullscreen = yes$' "$kept/window" && grep -q '^width = 300$' "$kept/window" ||
    fail "of full screen this was kept: $(cat "$kept/window")"

# Scripts ignore the state without a message, and save nothing.
put_place 11 12 300 200
cp "$kept/window" before
echo 'wait 200' >short.script
"$FATHOM" --script short.script --backend scalar --iterations 50 || fail 'the script failed'
cmp -s before "$kept/window" || fail 'a script changes where the window is next time'
start --remember no
quit 0
cmp -s before "$kept/window" || fail '--remember no keeps the place'

# A broken file.
printf 'x = here\ny = 2\nwidth = 3\nheight = 1e9\n' >"$kept/window"
start
quit_lines=$(wc -l <fathom.log)
[ "$quit_lines" = 2 ] || fail "of two broken lines it said: $(cat fathom.log)"
: >fathom.log
xdotool key q
wait "$program" || fail "after a broken place: status $?"
program=''
grep -q '^x = [-0-9]*$' "$kept/window" || fail 'a broken place was not replaced'

# Recent places: the last place of a run, and views of saved pictures; --last goes to the newest.
start --size 320x200
xdotool mousemove 400 200 key plus
sleep 0.5
xdotool key s
for ((i = 0; i < 100; i++)); do
    compgen -G 'shots/*' >/dev/null && break
    sleep 0.1
done
xdotool key plus
sleep 0.5
quit 0
[ "$(places)" = 2 ] || fail "two places were to be kept: $(cat "$kept/recent")"
grep -Eq '^place = 20[0-9]{2}-[0-9]{2}-[0-9]{2}  zoom [0-9.e]+  -0\.[0-9]+ [+-] [0-9.e-]+i$' "$kept/recent" ||
    fail "the label is another one: $(grep '^place' "$kept/recent")"
zoom=$(sed -n 's/^zoom = //p' "$kept/recent" | head -n 1)
"$FATHOM" render --last --size 32x20 -o last.ppm || fail 'render --last failed'
[ "$(value last.ppm zoom)" = "$zoom" ] || fail "--last goes to zoom $(value last.ppm zoom), not $zoom"

# A view that was opened is saved, too.
printf '[view]\nre = 0.25\nim = 0\nzoom = 12345\n' >opened.fathom
start opened.fathom --size 320x200
quit 0
grep -q 'zoom 12345\|zoom 1.2e4\|zoom 12000' "$kept/recent" || fail "an opened view is not kept: $(cat "$kept/recent")"

# A broken list: one warning, and everything else works.
printf 'no list\0of places' >"$kept/recent"
start opened.fathom --size 320x200
quit 0 'recent.*is not used'
[ "$(places)" = 1 ] || fail "the broken list was not replaced: $(cat "$kept/recent")"

# If nothing can be written there is one message, and the run ends as usual.
rm -r "$kept"
: >"$kept"
start opened.fathom --size 320x200
quit 0 "'$kept"
[ -f "$kept" ] && [ ! -s "$kept" ] || fail 'what stood in the way was changed'
rm "$kept"

# The display's server ends while a picture is drawn: one message, and no saved state is lost.
start opened.fathom --size 320x200 --iterations 2000000000
kill -KILL "$server"
wait "$server" 2>/dev/null
ended # 99: it outlives its display
status=$?
server=''
[ "$status" = 1 ] || fail "without its display it ends with status $status: $(cat fathom.log)"
[ "$(wc -l <fathom.log)" = 1 ] && grep -q 'error: the display is gone' fathom.log ||
    fail "without its display it says: $(cat fathom.log)"
[ "$(places)" = 1 ] || fail 'the place is lost with the display'
rm -r "$kept"

# The first --last ever starts at home.
"$FATHOM" render --last -o last.ppm --size 32x20 2>fathom.log || fail "--last without places: $(cat fathom.log)"
grep -q 'no recent location yet' fathom.log || fail "--last without places says: $(cat fathom.log)"

[ $failures -eq 0 ]

# shellcheck shell=bash
# The very first start shows the gallery over the home picture; what is chosen, or Escape, closes it, and it does not
# come again, nor where the command line says what is wanted.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh"
rm -rf state shots
export XDG_STATE_HOME=$PWD/state
export FATHOM_SAMPLES=1 FATHOM_SIZE=640x400
start_server 1280x1024
first=$(head -n 1 "$FATHOM_SOURCE/assets/views/order") # that Return opens

title() {
    xdotool getwindowname "$window"
}
# Return opens what the gallery has selected: then the window has an example's name, after so many tenths of a second.
opens() { # TENTHS
    local i
    xdotool key Return
    for ((i = 0; i < $1; i++)); do
        [ -e "$FATHOM_SOURCE/assets/views/$(title | sed 's/ - fathom$//').fathom" ] && return
        sleep 0.1
    done
    return 1
}
leave() {
    xdotool key q
    ended || fail "status $? at the end: $(cat fathom.log)"
}

start_bare
opens 150 || fail "the first start shows no gallery: '$(title)'"
[ "$(title)" = "$first - fathom" ] || fail "the first example is '$(title)'"
xdotool key u
for ((i = 0; i < 100; i++)); do
    [ "$(title)" = fathom ] && break
    sleep 0.1
done
[ "$(title)" = fathom ] || fail "undo leads to '$(title)' instead of home"
leave
start_bare
opens 25 && fail 'the second start shows the gallery'
leave

# Escape closes it, once; a second one asks before the third quits.
rm -r state
start_bare
xdotool key Escape
sleep 0.5
opens 25 && fail 'Escape leaves the gallery open'
xdotool key Escape
sleep 0.5
xdotool key Escape
ended || fail 'Escape twice in the bare window does not quit'
start_bare
opens 25 && fail 'the gallery comes again after Escape'
leave

# Whoever says what is wanted gets that.
for asked in sun '--zoom=3' '--formula=tricorn' '--last'; do
    rm -r state
    start_bare "$asked"
    xdotool key Return
    sleep 2
    [ "$(title)" != "$first - fathom" ] || fail "$asked: the gallery is there"
    leave
done
rm -r state
printf 'wait complete\nkey Return\nwait complete\nkey S\nwait complete\n' >run.script
SDL_VIDEODRIVER=offscreen "$FATHOM" --script run.script --screenshots shots --remember yes || fail 'a script fails'
expect 'no gallery in a script' "$(value "$(shot 1)" zoom) == 1.5"

[ $failures -eq 0 ]

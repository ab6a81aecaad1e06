# shellcheck shell=bash
# The very first start shows the gallery over the home picture; what is chosen, or Escape, closes it, and it does not
# come again, nor where the command line says what is wanted.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh"
rm -rf state shots
export XDG_STATE_HOME=$PWD/state
export FATHOM_SAMPLES=1 FATHOM_SIZE=320x200
start_server 1280x1024
first=$(head -n 1 "$FATHOM_SOURCE/assets/views/order") # that Return opens

title() {
    xdotool getwindowname "$window"
}
becomes() { # TITLE
    local i
    for ((i = 0; i < 300; i++)); do
        [ "$(title)" = "$1 - fathom" ] && return
        sleep 0.05
    done
    return 1
}
# Return opens what a gallery has selected; where there is none, what comes after it zooms what was seen before.
shows_no_gallery() { # [ZOOM THEN]
    xdotool key Return key plus
    becomes "zoom ${1-2.2}"
}
leave() {
    xdotool key q
    ended || fail "status $? at the end: $(cat fathom.log)"
}

start_bare
xdotool key Return
becomes "$first" || fail "the first start shows no gallery: '$(title)'"
xdotool key u
for ((i = 0; i < 200; i++)); do
    [ "$(title)" = fathom ] && break
    sleep 0.05
done
[ "$(title)" = fathom ] || fail "undo leads to '$(title)' instead of home"
leave
start_bare
shows_no_gallery || fail "the second start shows the gallery: '$(title)'"
leave

# Escape closes it, once; a second one asks before the third quits.
rm -r state
start_bare
xdotool key Escape
shows_no_gallery || fail "Escape leaves the gallery open: '$(title)'"
xdotool key Escape
sleep 0.3
xdotool key Escape
ended || fail 'Escape twice in the bare window does not quit'
start_bare
shows_no_gallery || fail "the gallery comes again after Escape: '$(title)'"
leave

# Whoever says what is wanted gets that.
rm -r state
start_bare --zoom=3
shows_no_gallery 4.5 || fail "--zoom=3: the gallery is there: '$(title)'"
leave
rm -r state
printf 'wait complete\nkey Return\nwait complete\nkey S\nwait complete\n' >run.script
SDL_VIDEODRIVER=offscreen "$FATHOM" --script run.script --screenshots shots --remember yes || fail 'a script fails'
expect 'no gallery in a script' "$(value "$(shot 1)" zoom) == 1.5"

[ $failures -eq 0 ]

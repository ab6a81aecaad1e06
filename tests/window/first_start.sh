# shellcheck shell=bash
# The very first start dives from home to a spiral. Any press ends the dive and has its usual
# effect. Later starts, and starts with options, rest at home.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh"
rm -rf state shots config
export XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
export FATHOM_SAMPLES=1 FATHOM_SIZE=320x200 FATHOM_SCREENSHOTS=$PWD/shots
start_server 1280x1024
of_goal() { # KEY
    sed -n "s/.*\"$1 = \(.*\)\\\\n\".*/\1/p" "$FATHOM_SOURCE/app/window/greeting.c"
}

title() {
    xdotool getwindowname "$window"
}
# Waits until the title, which follows the view at rest, stays the same.
rests() {
    local i
    for ((i = 0; i < 3000; i++)); do
        [ "$(title)" = fathom ] || return 0
        sleep 0.05
    done
    fail "$1: the view does not come to rest, or rests at home"
    return 1
}
leave() {
    xdotool key q
    ended || fail "status $? at the end: $(cat fathom.log)"
}
first() {
    rm -rf state
    FATHOM_ZOOM_SPEED=$1 start_bare
}

# Without input the dive ends at its goal, with the goal's colours; the zoom speed applies.
first 10
rests 'left alone'
take_shot
expect 'the dive ends at its goal' "log($(value "$shot" zoom) / $(of_goal zoom)) ^ 2 < 0.003"
step=$(awk "BEGIN { print 4 / ($(of_goal zoom) * 200) }") # of a pixel
expect 'across' "($(value "$shot" re) - $(of_goal re)) ^ 2 < (10 * $step) ^ 2"
expect 'and down' "($(value "$shot" im) - $(of_goal im)) ^ 2 < (10 * $step) ^ 2"
for key in palette layer layer_mode; do
    [ "$(value "$shot" $key)" = "$(of_goal $key)" ] || fail "the dive has $key = '$(value "$shot" $key)', not '$(of_goal $key)'"
done
leave

# Presses of every kind end it, long before its goal.
for press in 'key plus' 'key t' 'click 1' 'click 4' 'key Escape'; do
    first 0.5
    # Until it moves, because a press before would leave it at home: shaders are compiled first.
    for ((i = 0; i < 1200; i++)); do
        kill -0 "$program" || break
        [ "$(awk '{ print $14 + $15 }' "/proc/$program/stat")" -gt 400 ] && break
        sleep 0.05
    done
    sleep 1
    # shellcheck disable=SC2086 # words
    xdotool mousemove --window "$window" 150 90 $press
    rests "$press"
    take_shot
    expect "$press ends the dive" "$(value "$shot" zoom) < 0.01 * $(of_goal zoom)"
    [ "$press" = 'key Escape' ] || leave
done
xdotool key Escape
sleep 0.3
xdotool key Escape
ended || fail 'Escape ends the dive, and two more of it do not quit'

# Later starts, and starts with a view, do not move.
stays() { # WHAT ZOOM ARGUMENTS...
    local what=$1 zoom=$2
    shift 2
    start_bare "$@"
    sleep 1
    take_shot
    expect "$what: no dive" "$(value "$shot" zoom) == $zoom"
    [ "$(value "$shot" palette)" = "${palette-aurora}" ] || fail "$what: the colours are $(value "$shot" palette)"
    leave
}
stays 'a later start' 1.5
rm -rf state
stays '--zoom=3' 3 --zoom=3
rm -rf state
stays '--remember no' 1.5 --remember no
mkdir -p config/fathom
printf 'palette = lagoon\n' >config/fathom/config
rm -rf state
palette=lagoon stays 'settings' 1.5
rm -rf state config
rm -rf shots
printf 'wait complete\nkey S\nwait complete\n' >run.script
SDL_VIDEODRIVER=offscreen "$FATHOM" --script run.script --screenshots shots --remember yes --verbose 2>run.log ||
    fail "a script fails: $(cat run.log)"
expect 'no dive in a script' "$(value "$(shot 1)" zoom) == 1.5"

# A picture is shown before the shaders that only motion needs are compiled.
[ "$(grep -n 'the first frame is shown' run.log | cut -d: -f1)" -lt "$(grep -n 'shaders compiled' run.log | cut -d: -f1)" ] ||
    fail "the first frame is not shown first: $(cat run.log)"

[ $failures -eq 0 ]

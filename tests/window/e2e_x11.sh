# shellcheck shell=bash
# The explorer in a real window with real X events: wheel, drag, keys, resizing, screenshots, rest, and
# the two ways to close it.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh"
rm -rf shots ./*.ppm
mkdir shots
start_server 1280x1024

start() { # ARGUMENTS...
    start_program --size 800x600 "$@"
    xdotool windowmove "$window" 0 0 mousemove 400 300
    sleep 0.2
}

shoot() {
    take_shot
    check_shot "$shot"
}

# The title says where one is, without the name at home.
titled() { # TITLE
    local title i
    for ((i = 0; i < 50; i++)); do
        title=$(xdotool getwindowname "$window")
        [ "$title" = "$1" ] && return
        sleep 0.1
    done
    fail "the title is '$title', not '$1'"
}

start
titled fathom
xdotool key g
sleep 1
xdotool key Return
for ((i = 0; i < 50; i++)); do
    named=$(xdotool getwindowname "$window")
    [ "$named" = fathom ] || break
    sleep 0.1
done
[ -e "$FATHOM_SOURCE/assets/views/${named% - fathom}.fathom" ] || fail "an example of the gallery has the title '$named'"
xdotool key u
titled fathom
shoot
home=$shot
samples=$(value "$home" samples) # not told when it is one
"$FATHOM" render --size 800x600 --samples "${samples:-1}" --iterations "$(value "$home" iterations)" -o home.ppm
"$FATHOM" compare "$home" home.ppm >/dev/null || fail 'home is not fathom render of nothing, at its samples and limit'

# Three notches at a point, then half of that back.
xdotool mousemove 250 200 click 4 click 4 click 4
shoot
zoomed=$shot
expect 'three notches' "($(value "$zoomed" zoom) / 1.5 - 3.375)^2 < 1e-9"
expect_same_point "$home" "$zoomed" 250 200
xdotool mousemove 600 500 click 5
shoot
titled 'zoom 3.4 - fathom'
expect 'a notch back' "($(value "$shot" zoom) / 1.5 - 2.25)^2 < 1e-9"
expect_same_point "$zoomed" "$shot" 600 500

# A drag that rests at its end is as many steps as pixels; the arrows move by an eighth of the height.
before=$shot
xdotool mousemove 500 300 mousedown 1
for ((i = 1; i <= 10; i++)); do
    xdotool mousemove $((500 - 7 * i)) $((300 + 3 * i))
done
sleep 0.2
xdotool mouseup 1
shoot
expect_moved "$before" "$shot" 70 -30
before=$shot
xdotool key Right key Right key Down
shoot
expect_moved "$before" "$shot" 150 75

# Keys.
xdotool key bracketright key Next key bracketright
shoot
expect 'the limit' "$(value "$shot" iterations) == 2000"
xdotool key c key p
shoot
[ "$(value "$shot" palette)" != "$(value "$home" palette)" ] || fail 'C does not change the palette'
[ "$(value "$shot" number)" = float ] || fail 'P does not change the number type'
xdotool key p key p key plus key minus key KP_Add key h key F1 key h key F1
shoot
expect 'plus, minus, plus' "($(value "$shot" zoom) / 1.5 - 3.375)^2 < 1e-9"

# A box with the right button, given up with Escape and then not; a double click; undone one by one.
start_of_box=$shot
box=(mousemove 200 150 mousedown 3 mousemove 250 160 mousemove 400 290)
xdotool "${box[@]}" key Escape mouseup 3
xdotool "${box[@]}" sleep 0.1 mouseup 3
shoot
boxed=$shot
expect 'a box of a quarter' "($(value "$boxed" zoom) / $(value "$start_of_box" zoom) / 4 - 1)^2 < 1e-9"
expect 'its left side' "($(point_re "$start_of_box" 200) - $(point_re "$boxed" 0))^2 < (0.001 * $(step "$boxed"))^2"
sleep 0.6
xdotool mousemove 300 200 click --repeat 2 --delay 50 1
shoot
expect 'three notches' "($(value "$shot" zoom) / $(value "$boxed" zoom) / 3.375 - 1)^2 < 1e-9"
expect 'its point' "($(point_re "$boxed" 300) - $(value "$shot" re))^2 < (0.001 * $(step "$shot"))^2"
xdotool key u key u
shoot
cmp "$start_of_box" "$shot" || fail 'two steps back are not where it began'

# Turned by hand about the middle, and by keys; a held key; a fling. All undone.
xdotool keydown ctrl mousemove 500 300 mousedown 1 mousemove 480 380 mousemove 400 400 sleep 0.1 mouseup 1 keyup ctrl
shoot
expect 'a quarter turn' "($(value "$shot" angle) - 90)^2 < 1e-18"
xdotool key comma key shift+comma
shoot
expect 'six degrees less' "$(value "$shot" angle) == 84"
before=$shot
xdotool mousemove 200 500 keydown z sleep 0.8 keyup z
shoot
expect 'zoomed while held' "$(value "$shot" zoom) > 1.4 * $(value "$before" zoom)"
xdotool key ctrl+z key u key u
shoot
cmp "$start_of_box" "$shot" || fail 'three steps back are not where it began'
before=$shot
way=()
for ((i = 1; i <= 10; i++)); do
    way+=(mousemove $((300 + 20 * i)) 300 sleep 0.01)
done
xdotool mousemove 300 300 mousedown 1 "${way[@]}" mouseup 1
shoot
expect 'glides on' "$(value "$before" re) - $(value "$shot" re) > 210 * $(step "$before")"
xdotool key u
shoot
cmp "$before" "$shot" || fail 'a fling is not one step'

# Another size, then home.
xdotool windowsize --sync "$window" 641 359
sleep 0.5
xdotool key r
shoot
expect 'resized' "$(value "$shot" width) == 641 && $(value "$shot" height) == 359"
expect 'at home' "$(value "$shot" zoom) == 1.5 && $(value "$shot" re) == -0.5"

# At rest: at most 1% of a core.
expect_rest

xdotool key Escape
sleep 0.3
kill -0 "$program" || fail 'one Escape quits'
xdotool key Escape
ended || fail "Escape: status $?, $(cat fathom.log)"

# Closed by the window manager's message in the middle of a picture that would take minutes.
start --iterations 100000000
xdotool windowquit "$window" 2>/dev/null || xdotool key q
ended || fail "closed while busy: status $?, $(cat fathom.log)"
program=''

[ -s fathom.log ] && fail "said: $(cat fathom.log)"
[ $failures -eq 0 ]

# shellcheck shell=bash
# The explorer by script and, at the end, by real X events: the window shows exactly what backends
# draw; navigation, backends, lost devices, sizes, broken scripts and views.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script ./*.fathom
fathom() { # SCRIPT ARGUMENTS...: SCRIPT has the lines of a script
    printf '%s\n' "$1" >test.script
    shift
    "$FATHOM" --script test.script --screenshots shots --json --samples 1 --auto-limit off "$@" >out.json 2>err.txt
}
number() { # KEY
    sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out.json
}

# At rest the window without the HUD shows the picture, byte for byte; with the HUD it does not.
fathom 'wait complete
capture hud.ppm
key H
key H
wait complete
capture bare.ppm
wheel 5 43.7% 41.2%
wheel -2.5 71% 66%
drag 100 50 166 138
key Left
wait complete
capture moved.ppm
key S
wait complete
key R
wait complete
key S
wait complete' --size 251x167 || fail "capture: $(cat err.txt)"
"$FATHOM" compare shots/bare.ppm "$(shot 2)" >/dev/null || fail 'the window is not its screenshot'
"$FATHOM" compare shots/hud.ppm shots/bare.ppm >/dev/null && fail 'H does not take the HUD away'
"$FATHOM" compare shots/moved.ppm "$(shot 1)" >/dev/null ||
    fail 'the window is not its screenshot after moving'
check_shot "$(shot 1)"
check_shot "$(shot 2)"

# However many digits a deep view's place has, the numbers leave most of the window free.
printf '[view]\nre = -0.%s\nim = 0.%s\nzoom = 1e60\n[fractal]\niterations = 9\n' \
    "$(printf '749%.0s' {1..30})" "$(printf '163%.0s' {1..30})" >deep.fathom
fathom 'wait complete
capture with.ppm
key H
key H
wait complete
capture without.ppm' deep.fathom --size 900x300 || fail "deep numbers: $(cat err.txt)"
plate_px=$(cmp -l <(tail -c 810000 shots/with.ppm) <(tail -c 810000 shots/without.ppm) |
    awk '{ x = int(($1 - 1) % 2700 / 3); if (x > most) most = x } END { print most }')
expect "numbers of a deep view $plate_px pixels wide" "$plate_px > 200 && $plate_px < 520"

# The point under the pointer stays, even if notches interrupt each other's animation. A drag there
# and back changes nothing, neither in the file nor on the screen.
rm -rf shots
fathom 'wait complete
key S
wait complete
wheel 9 123 77
wheel -3 123 77
wait complete
key S
wait complete
wheel 6 300 200
wait complete
key S
wait complete
drag 300 200 117 201 30
drag 117 201 300 200 3
wait complete
key S
wait complete' --size 320x240 || fail "zoom and drag: $(cat err.txt)"
expect_same_point "$(shot 1)" "$(shot 2)" 123 77
expect 'six notches' "($(value "$(shot 2)" zoom) / 1.5 / 11.390625 - 1)^2 < 1e-12"
cmp "$(shot 3)" "$(shot 4)" || fail 'a drag and its reverse change the screenshot'

# Shift+M goes through the methods; they change no byte of the pixels, and files contain the method.
rm -rf shots
take='key S
wait complete' next='key Shift+M'
fathom "wait complete
wheel 6 44% 46%
wait complete
$take$(printf "\n$next\n$take%.0s" 1 2 3)" --size 320x240 --backend scalar || fail "methods: $(cat err.txt)"
for n in 2 3; do
    "$FATHOM" compare "$(shot 1)" "$(shot $n)" >/dev/null || fail "method $n changes the picture"
done
for n in 1 2 3; do
    grep -a -o '# method = [a-z]*' "$(shot $n)"
done >methods.txt
printf '# method = %s\n' tiled scanline progressive | cmp - methods.txt ||
    fail "methods in files: $(cat methods.txt)"
cmp "$(shot 1)" "$(shot 4)" || fail 'three methods on, the screenshot is another one'

# Raising the limit, even of incomplete pictures or in motion, ends in a fresh start's picture.
rm -rf shots
fathom 'wait complete
key ]
key ]
wait 20
key ]
drag 200 100 233 77 5
key ]
wait complete
key S
wait complete' --size 320x240 --shortcuts none || fail "raised limits: $(cat err.txt)"
"$FATHOM" render "$(shot 1)" -o fresh.ppm --backend scalar || fail 'raised: not drawn again'
"$FATHOM" compare "$(shot 1)" fresh.ppm >/dev/null || fail 'a raised limit changes the picture'

# Every backend in turn; then a device that is lost: the next one continues with the same view.
rm -rf shots
fathom 'wait complete
key S
wait complete
key B
key S
wait complete
lose-device
key S
wait complete
capture lost.ppm' --size 320x240 --backend scalar || fail "backends: $(cat err.txt)"
for i in 1 2 3; do
    check_shot "$(shot $i)"
    cmp "$(shot 1)" "$(shot $i)" || fail "backends differ in screenshot $i"
done
fathom 'lose-device
wait complete' --backend scalar --cpumask none && fail 'goes on without any backend'
grep -q 'no other can be used' err.txt || fail "the last device is lost: $(cat err.txt)"

# Orbit density: a screenshot's settings, including its number of samples, give its pixels again,
# whatever was switched before and while counting continues.
rm -rf shots
fathom 'key D
wait samples 50000
key S
wait samples 1
key N
key E
key Shift+E
key C
key ]
wait samples 1
key S
wait samples 1
key V
wait points 0.5
key S
wait samples 1
key V
key K
wheel 3 30% 40%
drag 60% 60% 20% 50% 20
wait samples 50000
key S
wait samples 1
key D
wait complete
key S
wait complete' --size 320x241 || fail "density: $(cat err.txt)"
for i in 1 2 3 4; do
    check_density_shot "$(shot $i)"
done
check_shot "$(shot 5)"
expect 'as many samples as waited for' "$(value "$(shot 1)" samples) >= 50000"
[ "$(value "$(shot 2)" curve) $(value "$(shot 2)" gradient)" = 'log ember' ] &&
    [ "$(value "$(shot 2)" exposure) $(value "$(shot 2)" iterations)" = '0.25 2000' ] ||
    fail "tone in the file: $(head -c 1000 "$(shot 2)")"
[ "$(value "$(shot 3)" orbits)" = bounded ] || fail 'V does not count bounded orbits'
[ "$(value "$(shot 4)" channels)" = '2000 400 80' ] || fail 'a second V does not use three channels'
[ -z "$(value "$(shot 5)" kind)" ] || fail 'a second D does not go back'

# An opened density picture continues with its parameters; after a lost device, from nothing, on the
# next backend.
cp "$(shot 4)" opened.ppm
rm -rf shots
fathom 'wait samples 64
key S
wait samples 64
goto opened.ppm
wait samples 64
lose-device
wait samples 64
key B
wait samples 64
key S
wait samples 64' opened.ppm --size 320x241 || fail "an opened density picture: $(cat err.txt)"
check_density_shot "$(shot 1)"
check_density_shot "$(shot 2)"
for i in 1 2; do
    diff <(head -c 1500 opened.ppm | grep -a '^# ' | grep -v samples) \
        <(head -c 1500 "$(shot $i)" | grep -a '^# ' | grep -v samples) || fail "other parameters in $i"
done

# In a zoomed view the magnified orbits of the whole set are shown before the view's own, and the
# window reports that the latter are few; a screenshot contains only the view's own.
rm -rf shots
thin=
for zoom in 20 1e6; do
    moment=$([ $zoom = 20 ] && echo 1000 || echo 10) # builds with sanitizers have hardly any samples at first
    printf '[view]\nre = -0.743644\nim = 0.131826\nzoom = %s\n' $zoom >zoom-$zoom.fathom
    thin="$thin
goto zoom-$zoom.fathom
wait complete
key D
wait samples 64
wait $moment
capture one-$zoom.ppm
key S
wait samples 64
key V
key V
wait samples 64
wait $moment
capture three-$zoom.ppm
key V"
done
fathom "key H
key H$thin
wait samples 64
wait 1000
key D
wait complete" --size 160x120 -v || fail "zoomed density: $(cat err.txt)"
for picture in {one,three}-{20,1e6}; do
    mean=$(tail -c 57600 "shots/$picture.ppm" | od -An -v -tu1 |
        awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum / 57600 }')
    expect "the first sight of $picture" "$mean > 10"
done
grep -q 'few orbits pass here: this is the whole picture, magnified' err.txt ||
    fail "not told that orbits are few: $(cat err.txt)"
check_density_shot "$(shot 1)"
check_density_shot "$(shot 2)"

# If no orbit passes, an empty picture is shown and saved.
rm -rf shots
printf '[view]\nre = -62\nim = 7\nzoom = 17\n[picture]\nkind = density\n' >void.fathom
fathom 'wait samples 64
key S
wait samples 64' void.fathom --size 64x48 || fail "no points at all: $(cat err.txt)"
check_density_shot "$(shot 1)"

# A window wider than a preview's piece of a row.
rm -rf shots
fathom 'key D
wait samples 50000
key S
wait samples 64' --size 2300x40 || fail "a wide density picture: $(cat err.txt)"
check_density_shot "$(shot 1)"

# The null backend completes at once.
rm -rf shots
fathom 'key D
wait complete
wait samples 1e12
key S
wait complete
key N
wait complete' --size 64x48 --backend null || fail "density by null: $(cat err.txt)"
expect 'all samples at once' "$(value "$(shot 1)" samples) == 2^40"
# A script that cannot be run: status 1, and one line with the reason.
fails() { # WHAT PATTERN SCRIPT ARGUMENTS...
    local what=$1 pattern=$2
    shift 2
    fathom "$@"
    failed_as_said "$what" "$pattern" $?
}
failed_as_said() { # WHAT PATTERN STATUS
    [ "$3" = 1 ] || fail "$1: status $3, not 1: $(cat err.txt)"
    [ "$(wc -l <err.txt)" = 1 ] || fail "$1 takes more than a line: $(cat err.txt)"
    grep -q -- "$2" err.txt || fail "$1: $(cat err.txt)"
}
fails 'points that were not counted' 'test.script:2: the picture was not so far' 'key D
wait points 1 0.2' --size 64x48 --backend null
fails 'samples of an escape-time picture' 'test.script:1: the picture was not so far' 'wait samples 1 0.2' --size 64x48
fails 'measuring a density picture' "the script's measurement failed" 'key D
wait samples 1
measure 1' --size 64x48 --backend null

# `measure` draws the requested number of fresh pictures.
fathom 'wait complete
measure 3' --size 64x48 || fail "measure: $(cat err.txt)"
expect 'three measurements' "$(number measured) == 3 && $(number frame_ms_median) > 0"

# Errors are reported in one line before a window opens, and nothing is written.
rm -rf shots
refused() { # WHAT PATTERN SCRIPT ARGUMENTS...
    local what=$1 pattern=$2
    shift 2
    fails "$what" "$pattern" "$@"
    [ -e shots ] && fail "$what leaves files"
}
refused 'an unknown command' 'test.script:2: no such command' '# a comment
fly 3'
refused 'a missing number' 'test.script:1: too few numbers' 'move 3'
refused 'too many numbers' 'test.script:1: too many numbers' 'move 1 2 3'
refused 'a number that is none' 'test.script:1: not a number' 'wheel up'
refused 'a huge number' 'test.script:1: not a number' 'wheel 1e99'
refused 'a part where none can be' 'test.script:1: only positions' 'wheel 10%'
refused 'an unknown key' "test.script:1: SDL knows no key of that name: 'key Nonsense'" 'key Nonsense'
refused 'a missing key' 'test.script:1: something is missing' 'key'
refused 'no number of samples' 'test.script:1: too few numbers' 'wait samples'
refused 'no samples to wait for' 'test.script:1: not a positive number' 'wait samples 0'
refused 'too many samples' 'test.script:1: not a number of samples' 'wait samples 1e13'
refused 'a negative time' 'test.script:1: a negative time' 'wait points 1 -1'
refused 'an unknown button' 'test.script:1: no such button' 'click 1 2 rigth'
refused 'a button without a place' 'test.script:1: too few numbers' 'drag Ctrl+left 1 2'
refused 'half a position' 'test.script:1: a position has two numbers' 'click 1'
refused 'no name in the panel' 'test.script:1: something is missing' 'panel'
refused 'beside the panel' 'test.script:1: not between 0 and 100 %' 'panel Zoom 101%'
refused 'no clicks' 'test.script:1: not between 1 and 100 times' 'click 1 2 left 0'
refused 'a key that is none' 'test.script:1: SDL knows no key' 'press Foo'
refused 'a burst of nothing' 'test.script:1: not between 1 and 20000' 'burst 0'
refused 'a window of no size' 'test.script:1: a window has' 'resize 0 5'
"$FATHOM" --script missing.script 2>err.txt
failed_as_said 'a missing script' "cannot read 'missing.script': No such file" $?
head -c 3000 /dev/urandom >random.script
"$FATHOM" --script random.script 2>err.txt
failed_as_said 'random bytes as a script' 'random.script' $?
fails 'going to a missing view' "cannot read 'missing.fathom': No such file" 'goto missing.fathom'
printf 'key S\nwait complete\n' >test.script
"$FATHOM" --script test.script --screenshots /proc/nowhere --size 32x32 2>err.txt
[ $? = 1 ] && grep -q '/proc/nowhere' err.txt || fail "a folder that cannot be made: $(cat err.txt)"

# --- real X events ---

[ $failures -eq 0 ] || exit 1
[ -z "${FATHOM_SANITIZED-}" ] || exit 0 # trouble_window has real events for sanitizer builds
without_display='real X events'
. "$FATHOM_SOURCE/tests/shared/x11.sh"
rm -rf shots
mkdir shots
start_server 1280x1024

start() { # ARGUMENTS...
    start_program --size 400x320 --zoom-speed 1 "$@"
    xdotool windowmove "$window" 0 0 mousemove 200 160
    sleep 0.1
}

# The title shows the place, except for its name at home.
titled() { # TITLE
    local title i
    for ((i = 0; i < 100; i++)); do
        title=$(xdotool getwindowname "$window")
        [ "$title" = "$1" ] && return
        sleep 0.05
    done
    fail "the title is '$title', not '$1'"
}

# Three notches at a point, one of them back; a drag that ends at rest; arrows; all other keys.
start
titled fathom
take_shot
home=$shot
xdotool mousemove 125 100 click 4 click 4 click 4
take_shot
zoomed=$shot
expect 'three notches' "($(value "$zoomed" zoom) / 1.5 - 3.375)^2 < 1e-9"
expect_same_point "$home" "$zoomed" 125 100
xdotool mousemove 300 250 click 5
titled 'zoom 3.4 - fathom'
xdotool click 4 mousemove 250 150 mousedown 1
for ((i = 1; i <= 10; i++)); do
    xdotool mousemove $((250 - 7 * i)) $((150 + 3 * i))
done
sleep 0.2
before=$shot
xdotool mouseup 1 key Right key Right key Down
take_shot
expect_moved "$before" "$shot" 150 10
xdotool key bracketright key Next key bracketright key c key p
take_shot
expect 'the limit' "$(value "$shot" iterations) == 2000"
[ "$(value "$shot" palette)" != "$(value "$home" palette)" ] || fail 'C does not change the palette'
[ "$(value "$shot" precision)" = float ] || fail 'P does not change the precision'
xdotool key p key p key plus key minus key KP_Add key h key F1 key h key Escape
take_shot
check_shot "$shot"
expect 'plus, minus, plus' "($(value "$shot" zoom) / 1.5 - 5.0625)^2 < 1e-9"

# A box with the right button, cancelled with Escape and then completed; a double click; undone one
# by one.
start_of_box=$shot
box=(mousemove 100 75 mousedown 3 mousemove 125 80 mousemove 200 145)
xdotool "${box[@]}" key Escape mouseup 3
xdotool "${box[@]}" sleep 0.1 mouseup 3
take_shot
boxed=$shot
expect 'a box of a quarter' "($(value "$boxed" zoom) / $(value "$start_of_box" zoom) / 4 - 1)^2 < 1e-9"
expect 'its left side' "($(point_re "$start_of_box" 100) - $(point_re "$boxed" 0))^2 < (0.001 * $(step "$boxed"))^2"
sleep 0.6
xdotool mousemove 150 100 click --repeat 2 --delay 50 1
take_shot
expect 'three notches' "($(value "$shot" zoom) / $(value "$boxed" zoom) / 3.375 - 1)^2 < 1e-9"
expect 'its point' "($(point_re "$boxed" 150) - $(value "$shot" re))^2 < (0.001 * $(step "$shot"))^2"

# Turned by hand about the middle, and by keys; a held key. All undone.
xdotool keydown ctrl mousemove 250 160 mousedown 1 mousemove 240 200 mousemove 200 210 sleep 0.1 mouseup 1 keyup ctrl
xdotool key comma key shift+comma
take_shot
expect 'a quarter turn and six degrees less' "($(value "$shot" angle) - 84)^2 < 1e-18"
before=$shot
xdotool mousemove 100 250 keydown z sleep 0.8 keyup z
take_shot
expect 'zoomed while held' "$(value "$shot" zoom) > 1.4 * $(value "$before" zoom)"
xdotool key ctrl+z key u key u key u key u
take_shot
cmp "$start_of_box" "$shot" || fail 'five steps back are not where it began'

# Released in motion it glides on; another size; home. Escape twice quits.
before=$shot
way=()
for ((i = 1; i <= 10; i++)); do
    way+=(mousemove $((100 + 20 * i)) 160 sleep 0.01)
done
xdotool mousemove 100 160 mousedown 1 "${way[@]}" mouseup 1
take_shot
expect 'glides on' "$(value "$before" re) - $(value "$shot" re) > 210 * $(step "$before")"
xdotool windowsize --sync "$window" 321 179
sleep 0.3
xdotool key r
take_shot
expect 'resized' "$(value "$shot" width) == 321 && $(value "$shot" height) == 179"
expect 'at home' "$(value "$shot" zoom) == 1.5 && $(value "$shot" re) == -0.5"
xdotool key Escape
sleep 0.3
kill -0 "$program" || fail 'one Escape quits'
xdotool key Escape
ended || fail "Escape: status $?, $(cat fathom.log)"

# On a Russian keyboard keys work at American places; a held key is released in another layout.
if can setxkbmap 'a Russian keyboard'; then
    start
    setxkbmap ru
    take_shot
    before=$shot
    xdotool mousemove 100 250 keydown 52 sleep 0.5 # the place of Z
    setxkbmap us
    xdotool keyup 52
    take_shot
    after=$shot
    expect 'zoomed by a key that is no Z' "$(value "$after" zoom) > 1.2 * $(value "$before" zoom)"
    sleep 0.3
    take_shot
    cmp "$after" "$shot" || fail 'a key that was let go in another layout is still held'
    xdotool key q
    ended || fail "a Russian keyboard: status $?, $(cat fathom.log)"
fi

# Closed by the window manager's message during a picture that would take minutes.
start --iterations 100000000
xdotool windowquit "$window" 2>/dev/null || xdotool key q
ended || fail "closed while busy: status $?, $(cat fathom.log)"
[ ! -s fathom.log ] || fail "said: $(cat fathom.log)"
[ $failures -eq 0 ]

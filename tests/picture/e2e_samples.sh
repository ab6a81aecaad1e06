# shellcheck shell=bash
# Anti-aliasing at rest in the real program: T, the samples in screenshots and their rendering, and
# the plain picture after any change.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script
window=(--auto-limit off)
tells() { # NUMBER SAMPLES: checks the screenshot's samples, and that it renders to the same picture
    local told
    told=$(grep -a '^# samples = ' "$(shot "$1")")
    [ "$told" = "${2:+# samples = $2}" ] || fail "screenshot $1 tells '$told', not $2 samples"
    "$FATHOM" render "$(shot "$1")" -o again.ppm || fail "screenshot $1 cannot be drawn again"
    cmp -s "$(shot "$1")" again.ppm || fail "screenshot $1 drawn again is not the same"
}

# On by --samples, off and on by T; after moves and recolouring; on other backends; and reopened.
play 'shot; key T; shot; key T; shot; drag 100 50 116 88; shot; key C; shot; key ]; shot; key B; shot
wheel 3 20 40; key T; shot' --size 151x117 --samples 3
for i in 1 3 4 5 6 7; do
    tells $i 3
done
tells 2
tells 8
cmp -s "$(shot 1)" "$(shot 3)" || fail 'T twice is not what it was'
cmp -s "$(shot 1)" "$(shot 2)" && fail 'samples make no difference'
cp "$(shot 4)" before.ppm

# The window shows exactly that, without the HUD and messages; a screenshot opens with its samples.
play 'key H; key H; goto before.ppm; wait complete; capture bare.ppm; key S; wait complete' --size 151x117
"$FATHOM" compare shots/bare.ppm "$(shot 1)" >/dev/null || fail 'the window is not its screenshot'
"$FATHOM" compare before.ppm "$(shot 1)" >/dev/null || fail 'a screenshot opened is another picture'

# Continuous motion, and all kinds of keys, never wait for samples and leave none behind.
play 'wait complete; wheel 2 100 100; wait 150; key T; key T; drag 50 50 60 80; key D; wait 100; key T; key D
wait 50; resize 166 111; shot; lose-device; shot' --size 151x117 --samples 4 --backend scalar
tells 1 4
tells 2 4

# On by default with 16, unless a view or the command line sets another number; the setting applies
# to views without one.
play 'key S; wait complete' --size 96x64
tells 1 16
printf '[view]\nzoom = 2\n' >none.fathom
play 'shot' none.fathom --size 96x64 --samples 1
tells 1
FATHOM_SAMPLES=3 play 'shot' none.fathom --size 96x64
tells 1 3

# A screenshot waits for all samples. A second S, or any other action, takes the finished ones: it
# shows the picture from when the key was pressed.
printf '[view]\nre = -0.7463\nim = 0.1102\nzoom = 400\n[fractal]\niterations = 5000\n' >valley.fathom
play 'wait complete; key T; key S; wait complete; key T; wait complete; key T; key S; wheel 3 50% 50%
wait complete; key T; wait complete; key T; key S; key S; wait complete' valley.fathom --size 320x200 --samples 1
tells 1 16
[ "$(value "$(shot 1)" zoom)" = "$(value "$(shot 2)" zoom)" ] || fail 'a screenshot that waits is of what came after'
for i in 2 3; do
    check_shot "$(shot $i)"
done
[ "$(ls shots/fathom-* | wc -l)" = 3 ] || fail "screenshots: $(ls shots)"

[ $failures -eq 0 ]

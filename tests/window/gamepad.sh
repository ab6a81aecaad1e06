# shellcheck shell=bash
# Gamepad by script, which SDL treats as real: it is plugged in while the window is open, flies and
# presses buttons, and is unplugged while a stick is held.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots
window=(--samples 1 --auto-limit off --size 320x200 --re -0.75 --im 0.1 --zoom 20 --palette ember)
fathom 'shot; gamepad plug; wait 50; gamepad righttrigger 1; gamepad leftx 1; wait 500; gamepad righttrigger 0
gamepad leftx 0; wait complete; gamepad x 1; gamepad x 0; wait complete; gamepad a 1; gamepad a 0
gamepad lefty -1; wait 200; gamepad unplug; shot; key U; key U; key U; shot; gamepad plug; gamepad start 1
gamepad start 0; shot; gamepad leftstick 1; gamepad leftstick 0; wait 50; gamepad b 1; gamepad b 0
gamepad leftstick 1; gamepad leftstick 0; gamepad dpright 1; gamepad dpright 0; wait 50; gamepad a 1
gamepad a 0; shot' || {
    grep -q 'no gamepad' err.txt && echo "skipped: $(cat err.txt)" && exit 77
    fail "status $?: $(cat err.txt)"
}
expect 'the trigger zooms in' "$(value "$(shot 2)" zoom) > 25 && $(value "$(shot 2)" zoom) < 100"
expect 'the stick moves to the right' "$(value "$(shot 2)" re) > -0.749 && ($(value "$(shot 2)" im) - 0.1)^2 < 1e-9"
check_shot "$(shot 2)"
[ "$(value "$(shot 3)" palette)" != ember ] || fail 'A is not the next palette'
expect 'the stick moves upwards until it is unplugged' "$(value "$(shot 3)" im) > 0.1005 && $(value "$(shot 3)" im) < 0.2"
check_shot "$(shot 3)"
place="$(value "$(shot 4)" zoom) $(value "$(shot 4)" re)"
[ "$place" = '20 -0.75' ] || fail "each flight, and the palette between them, is not one step to undo: $place"
[ "$(value "$(shot 6)" zoom)" = 38 ] || fail "not the armada by D-pad and A: $(value "$(shot 6)" zoom)"
expect 'home by Start' "$(value "$(shot 5)" zoom) == 1.5"

# Invalid lines are reported with their number.
for line in 'gamepad' 'gamepad a' 'gamepad nobody 1' 'gamepad leftx 2' 'gamepad leftx 1 1' 'touch 0' 'touch 10 1 1' \
    'touch 0.5 1 1' 'lift -1' 'tap 1'; do
    echo "$line" >test.script
    "$FATHOM" --script test.script --size 64x48 2>err.txt && fail "'$line' is taken"
    grep -q '^fathom: error: test.script:1: ' err.txt || fail "'$line': $(cat err.txt)"
done
[ $failures -eq 0 ]

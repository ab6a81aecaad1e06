# shellcheck shell=bash
# Navigation by script: undo, boxes, held zoom, gliding. (Clicks, turning and further boxes: shots.txt.)
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script
window=(--samples 1 --auto-limit off --auto-frequency off)

# Undo through motion of every kind back to exactly the first file, and redo to exactly the last; a
# wheel's burst and a drag are one step each.
play 'shot; wheel 3 30% 40%; wait 700; wheel -1 60% 40%; wheel 1.5 60% 40%; wait 700; drag 60% 60% 40% 50%
key Left; key .; click 25% 40% left 2; drag right 20% 20% 60% 60%; drag Ctrl+left 80% 50% 50% 90%; shot; key U
key U; key U; key U; key U; key Ctrl+Z; key Ctrl+Z; key Ctrl+Z; shot; key U; key Shift+U; key Shift+U
key Shift+U; key Shift+U; key Shift+U; key Ctrl+Shift+Z; key Ctrl+Shift+Z; key Ctrl+Shift+Z; key Ctrl+Shift+Z
key Ctrl+Shift+Z; shot; key Shift+U; key U; key R; key Shift+U; key U; shot' --size 320x240
cmp "$(shot 1)" "$(shot 3)" || fail 'eight steps back are not where it began'
cmp "$(shot 2)" "$(shot 4)" || fail 'eight steps forth are not where it ended'
check_shot "$(shot 2)"
# The rest runs the same code, except for refused fields, which check_field_text tests.
[ -z "${FATHOM_SANITIZED-}" ] || exit $((failures > 0))
check_shot "$(shot 5)"
cmp -s "$(shot 2)" "$(shot 5)" && fail 'the step before the last is the last'

# A box is visible while it is drawn; Escape removes it, and nothing else.
play 'key H; key H; wait complete; move 30% 30%; press right-button; capture without.ppm; move 60% 60%
capture with.ppm; key Escape; capture escaped.ppm; release right-button; shot; capture after.ppm' --size 320x240
"$FATHOM" compare shots/without.ppm shots/with.ppm >/dev/null && fail 'no box is seen'
"$FATHOM" compare shots/without.ppm shots/escaped.ppm >/dev/null || fail 'Escape leaves a box'
expect 'still at home' "$(value "$(shot 1)" zoom) == 1.5"

# Held keys zoom at the pointer, faster with time.
play 'move 123 77; shot; press Z; wait 900; release Z; shot; press X; wait 100; release X; shot; key Z; shot' --size 320x240
expect 'nearer' "$(value "$(shot 2)" zoom) > 1.5 * 1.5"
expect 'less far' "$(value "$(shot 3)" zoom) < $(value "$(shot 2)" zoom)"
expect 'a tap' "$(value "$(shot 4)" zoom) > 1.15 * $(value "$(shot 3)" zoom)"
for n in 2 3 4; do
    expect_same_point "$(shot 1)" "$(shot $n)" 123 77
done

# A drag that is released in motion glides on, in whole pixels, as one step; a drag that is released
# at rest does not.
fling() { # ARGUMENTS...
    play 'shot; fling 60% 60% 40% 50% 4; shot; key U; shot; drag 60% 60% 40% 50% 4; shot' --size 320x240 "$@"
    moved=$(awk "BEGIN { print ($(value "$(shot 2)" re) - $(value "$(shot 1)" re)) / $(step "$(shot 1)") }")
    cmp "$(shot 1)" "$(shot 3)" || fail 'a fling is not one step'
    expect_moved "$(shot 3)" "$(shot 4)" 64 24
}
fling
expect 'glides on' "$moved > 70"
awk "BEGIN { d = $moved - int($moved + 0.5); exit !(d * d < 1e-6) }" || fail "not by whole pixels: $moved"
check_shot "$(shot 2)"
fling --inertia off
expect_moved "$(shot 1)" "$(shot 2)" 64 24

# After random events at any size, the program still goes where it is sent.
cp "$FATHOM_SOURCE/assets/views/seahorse-valley.fathom" .
play "$(random_events 1 60)
resize 1 1
$(random_events 2 30)
drop seahorse-valley.fathom
resize 320 200
shot" --size 320x240
expect 'where it was sent' "$(value "$(shot 1)" zoom) == 400 && $(value "$(shot 1)" width) == 320"

[ $failures -eq 0 ]

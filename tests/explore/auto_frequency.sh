# shellcheck shell=bash
# Adaptive colours in the real program: they follow the counts of the picture, views contain the
# result, and colours that were set by hand do not change.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script ./*.fathom
window=(--verbose --samples 1 --auto-limit off --size 160x120)
frequency() { # SHOT NUMBER
    value "$(shot "$1")" frequency
}
cat >carpet.fathom <<'END'
[view]
re = -0.7436438870371587
im = 0.1318259042053120
zoom = 4e3
[fractal]
iterations = 3000
END

# At home the palette's own frequency is used; where counts are far apart a lower one; back home the
# colours are as before.
play 'shot; goto carpet.fathom; shot; key R; shot'
[ "$(frequency 1)" = 1 ] || fail "at home the frequency is $(frequency 1)"
expect 'it is lower where counts are far apart' "$(frequency 2) < 0.67 && $(frequency 2) > 0.05"
[ "$(frequency 3)" = 1 ] || fail "home again the frequency is $(frequency 3)"
[ "$(value "$(shot 1)" offset)" = "$(value "$(shot 3)" offset)" ] || fail 'home again has other colours'
# A place has the same colours from everywhere, also after U.
rm -rf more && mv shots more
play 'wait complete; goto carpet.fathom; wait complete; wheel -6 50% 50%; wait complete; wheel 6 50% 50%
wait complete; key S; wheel -4 60% 20%; wait complete; key U; shot'
for i in 1 2; do
    for key in density offset; do
        [ "$(value "$(shot $i)" $key)" = "$(value more/fathom-*-002.ppm $key)" ] ||
            fail "by another way the $key is $(value "$(shot $i)" $key)"
    done
done
rm -rf shots && mv more shots
for i in 1 2 3; do
    check_shot "$(shot $i)"
done
lower=$(frequency 2)
cp "$(shot 2)" lower.ppm

# A view with its own frequency keeps it, also as an argument, unless adaptation is switched on;
# frozen colours stay.
rm -rf shots
sed '$a[colour]\ndensity = 1' carpet.fathom >told.fathom
play 'shot; key Shift+D; shot; key Shift+D; key R; shot' told.fathom
[ "$(frequency 1)" = 1 ] || fail "a view that tells its frequency gets $(frequency 1)"
[ "$(frequency 2)" = "$lower" ] || fail "switched on it becomes $(frequency 2), not $lower"
[ "$(frequency 3)" = "$lower" ] || fail "frozen it becomes $(frequency 3)"
said 'automatic colour frequency on' || fail 'switching it on is not told'
said "automatic colour frequency off, held at $lower" || fail 'freezing is not told'
play 'wait complete; goto told.fathom; wait complete; goto lower.ppm; shot; key R; shot'
[ "$(frequency 1) $(frequency 2)" = "$lower $lower" ] || fail "opened they become $(frequency 1) and $(frequency 2)"
play 'shot' told.fathom --auto-frequency on
[ "$(frequency 1)" = "$lower" ] || fail "with the option it becomes $(frequency 1)"

# Setting the frequency or the mapping ends adaptation, and so do an option and the switch; density
# pictures have none.
play 'wait complete; key Shift+I; goto carpet.fathom; shot; key D; key Shift+D; wait 100; key D; wait complete'
[ "$(frequency 1)" = 1 ] || fail "with a mapping that was set it becomes $(frequency 1)"
said 'automatic colour frequency off, held at 1' || fail 'that the mapping ends it is not told'
said 'not in Buddhabrot view (D switches back)' || fail 'Shift+D is not refused for orbits'
play 'shot' carpet.fathom --mapping sqrt
[ "$(frequency 1)" = 1 ] || fail "with --mapping it becomes $(frequency 1)"
play 'wait complete; key L; panel Colour frequency; click; key Ctrl+A; type 0.7; key Return; key L
goto carpet.fathom; shot' --size 480x720
said 'automatic colour frequency off' || fail 'it is not told that the panel ends it'

# Without a window: only on request, the same on all backends, reported, and stored in the view.
backends=$("$FATHOM" info | awk '$2 == "usable" && $1 != "null" { print $1 }' | sed -n '1p; $p')
for backend in $backends; do
    "$FATHOM" render carpet.fathom --auto-frequency on --size 160x120 --backend "$backend" -o "$backend.ppm" --verbose 2>err.txt ||
        fail "render by $backend: $(cat err.txt)"
    said 'colour frequency 0.[0-9]* (auto)' || fail "render does not say what it chose: $(cat err.txt)"
done
for backend in $backends; do
    cmp "$backend.ppm" scalar.ppm || fail "$backend draws another picture than scalar"
done
expect 'render lowers it' "$(value scalar.ppm frequency) < 0.67 && $(value scalar.ppm frequency) > 0.05"
check_shot scalar.ppm
"$FATHOM" render carpet.fathom --size 40x30 -o plain.ppm
[ "$(value plain.ppm frequency)" = 1 ] || fail 'render changes the frequency without being asked to'
printf '[view]\nre = -0.1\nim = 0\nzoom = 1000\n' >inside.fathom
"$FATHOM" render inside.fathom --auto-frequency on --size 64x64 -o inside.ppm || fail 'an interior alone is not drawn'
[ "$(value inside.ppm frequency)" = 1 ] || fail 'an interior alone has another frequency'
[ $failures -eq 0 ]

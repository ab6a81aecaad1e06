# shellcheck shell=bash
# Palette editor in the panel, random palettes, favourites, and palettes of other programs that are
# opened, pasted or dropped: by real events, each checked in a screenshot, which contains the
# palette.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data
window=(--samples 1 --auto-limit off --size 480x900 --palette ember)
stops() { # FILE
    value "$1" colours | wc -w
}

# Adds a stop, moves it, deletes it, and undoes all of that.
play 'shot; key L; panel Palette editor; click; wait 100; panel stop bar 72%; click; click; shot; wait 800
panel stop bar 72%; press left-button; panel stop bar 60%; wait 100; release left-button; shot
panel stop bar 60%; click right; shot; key U; shot; key U; shot; key U; shot' seahorse-valley
[ -z "$(value "$(shot 1)" colours)" ] || fail 'a built-in palette is written out'
built_in=$(sed -n 's/^colours = //p' "$FATHOM_SOURCE"/assets/palettes/20-ember.palette | wc -w)
[ "$(stops "$(shot 2)")" = $((built_in + 1)) ] || fail "after a double click $(stops "$(shot 2)") stops, not $((built_in + 1))"
value "$(shot 2)" colours | grep -Eq ' 0\.7[12][0-9]*:' || fail "the stop that was added: $(value "$(shot 2)" colours)"
value "$(shot 3)" colours | grep -Eq ' 0\.(59|60)[0-9]*:| 0\.6:' || fail "the stop that was dragged: $(value "$(shot 3)" colours)"
value "$(shot 3)" colours | grep -Eq ' 0\.7[12][0-9]*:' && fail 'the stop that was dragged is still there'
[ "$(stops "$(shot 4)")" = "$built_in" ] || fail "the stop is not deleted: $(value "$(shot 4)" colours)"
value "$(shot 5)" colours | grep -Eq ' 0\.(59|60)[0-9]*:| 0\.6:' || fail "undone, it is not back: $(value "$(shot 5)" colours)"
value "$(shot 6)" colours | grep -Eq ' 0\.7[12][0-9]*:' || fail "undone, it is not where it was: $(value "$(shot 6)" colours)"
cmp -s "$(shot 1)" "$(shot 7)" || fail 'undone, the picture is not the first one'
cmp -s "$(shot 1)" "$(shot 2)" && fail 'an edit is not to be seen'
for i in 2 3 4; do check_shot "$(shot $i)"; done

# Blend, mirror, hue, a colour; the palette is saved and chosen again, and exists at the next start.
play 'wait complete; key L; panel Palette editor; click; wait 100; panel Interpolation; click; wait 100
panel oklab; click; panel Mirror 3%; click; panel Hue 75%; click; wait 100; shot; panel stop bar 0%; click
panel stop colour; click; wait 200; panel picker 20%; click; shot; panel Save palette; click; shot'
[ "$(value "$(shot 1)" interpolation)" = oklab ] || fail "interpolation: $(value "$(shot 1)" interpolation)"
[ "$(value "$(shot 1)" mirror)" = yes ] || fail 'not mirrored'
expect 'hue' "$(value "$(shot 1)" hue) > 80 && $(value "$(shot 1)" hue) < 115"
[ "$(value "$(shot 1)" colours)" != "$(value "$(shot 2)" colours)" ] || fail 'the colour of a stop is the same'
check_shot "$(shot 1)"
check_shot "$(shot 2)"
[ -s data/fathom/palettes/ember-2.palette ] || fail "saved: $(ls data/fathom/palettes)"
[ "$(value "$(shot 3)" palette)" = ember-2 ] || fail "the saved palette is called $(value "$(shot 3)" palette)"
"$FATHOM" render --palette ember-2 --size 64x48 -o saved.ppm || fail 'the saved palette is not there at the next start'

# A palette is assigned to a digit, and stays at the next start; assigning the digit's own palette
# restores it.
play 'wait complete; key Shift+C; key Ctrl+4; key 1; wait complete; key 4; shot' --remember yes
[ "$(value "$(shot 1)" palette)" = random-1 ] || fail "key 4 chose $(value "$(shot 1)" palette)"
play 'wait complete; key 4; shot; key C; key C; key C; key C; key C; shot' --remember yes
[ "$(value "$(shot 1)" palette)" = random-1 ] || fail "at the next start key 4 chose $(value "$(shot 1)" palette)"
rm -f state/fathom/favourite-4
play 'wait complete; key 4; shot' --remember yes
[ "$(value "$(shot 1)" palette)" = sixteen ] || fail "without it key 4 chose $(value "$(shot 1)" palette)"
echo '[view' >state/fathom/favourite-4
play 'wait complete; key 4; shot' --remember yes
[ "$(value "$(shot 1)" palette)" = sixteen ] || fail "a broken favourite: $(value "$(shot 1)" palette)"

# Palettes of other programs: dropped, pasted; a broken one changes nothing.
printf '0 0 0\nand then\n255 128 0\n10 20 30\n200 220 255\n' >own.map
printf 'GIMP Gradient\nName: Edges\n1\n0 0.5 1 0 0 0 1 1 1 0 1 0 0\n' >edges.ggr
printf 'GIMP Gradient\nName: Edges\n1\n0 0.5 1 0 0 0 1 1 1 0 1\n' >broken.ggr
play "wait complete; drop own.map; shot; drop edges.ggr; shot; drop broken.ggr; shot
clipboard 9 9 9\\n128 255 0\\n20 30 40; key Ctrl+V; shot" --verbose
[ "$(grep -c 'own.map:2: ' err.txt)" = 2 ] || fail "a warning is not shown in the window: $(cat err.txt)"
[ "$(value "$(shot 1)" palette)" = own ] || fail "dropped: $(value "$(shot 1)" palette)"
grep -aqx '# name = Edges' "$(shot 2)" || fail "dropped: $(value "$(shot 2)" name)"
cmp -s "$(shot 2)" "$(shot 3)" || fail 'a broken palette changed something'
grep -aq '^# colours = #090909 #80ff00 #141e28' "$(shot 4)" || fail "pasted: $(value "$(shot 4)" colours)"
for i in 1 2 4; do check_shot "$(shot $i)"; done

[ "$failures" = 0 ]

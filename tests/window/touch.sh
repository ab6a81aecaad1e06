# shellcheck shell=bash
# Touch screen by script, through SDL's queue: two fingers zoom, turn and move the picture exactly,
# one drags; the panel, the gallery and its questions react to taps and drags.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf work
mkdir work
cd work || exit 1
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
window=(--samples 1 --auto-limit off --size 640x400)

# Zooms by 2, about the middle between the fingers; moves by whole pixels; turns, and undoes.
play 'shot; touch 0 100 100; touch 1 200 100; touch 0 75 100; touch 1 225 100; touch 0 50 100; touch 1 250 100
lift 0; lift 1; shot; touch 0 100 100; touch 1 200 150; touch 0 101 101; touch 1 202 151; touch 0 117 95
touch 1 217 145; lift 1; lift 0; shot; touch 3 420 200; touch 9 220 200; touch 3 406.60254 250
touch 9 233.39746 150; lift 3; lift 9; shot; touch 0 10 10; touch 1 20 20; touch 2 30 30; lift 1; lift 0; lift 2
shot; touch 0 500 300; touch 0 400 250; touch 0 480 330; wait 200; lift 0; shot' --re -0.75 --im 0.1 --zoom 20
expect 'a spread by 2 zooms by 2' "($(value "$(shot 2)" zoom) / 40 - 1)^2 < 1e-12"
[ "$(value "$(shot 2)" angle)" = 0 ] || fail "it turned: $(value "$(shot 2)" angle)"
expect_same_point "$(shot 1)" "$(shot 2)" 150 100
expect_moved "$(shot 2)" "$(shot 3)" -17 5
[ "$(value "$(shot 3)" zoom) $(value "$(shot 3)" angle)" = "$(value "$(shot 2)" zoom) 0" ] || fail 'moving zooms or turns'
expect 'turned by 30 degrees' "($(value "$(shot 4)" angle) - 30)^2 < 1e-6"
expect 'turning does not zoom' "($(value "$(shot 4)" zoom) / $(value "$(shot 3)" zoom) - 1)^2 < 1e-10"
cmp -s "$(shot 3)" "$(shot 5)" || fail 'a tap with three fingers does not undo'
expect_moved "$(shot 5)" "$(shot 6)" 20 -30
check_shot "$(shot 4)"
check_shot "$(shot 6)"

# The panel opens by a long press; touches on it, also of further fingers, do not reach the picture.
play 'shot; touch 0 100 100; wait 600; lift 0; wait 100; capture panel.ppm; panel ember; tap; touch 0 340 285
touch 1 300 200; touch 0 300 300; touch 1 100 100; lift 0; lift 1; shot; tap 100 100; tap 100 100; shot' \
    --re -0.75 --im 0.1 --zoom 20
"$FATHOM" compare "$(shot 1)" shots/panel.ppm >/dev/null && fail 'a long press opens no panel'
[ "$(value "$(shot 2)" zoom) $(value "$(shot 2)" re) $(value "$(shot 2)" im)" = '20 -0.75 0.1' ] ||
    fail "fingers on the panel move the picture: $(value "$(shot 2)" zoom) $(value "$(shot 2)" re) $(value "$(shot 2)" im)"
[ "$(value "$(shot 2)" palette)" = ember ] || fail "a tap chose the palette $(value "$(shot 2)" palette)"
expect 'a double tap zooms by 3 notches' "($(value "$(shot 3)" zoom) / 67.5 - 1)^2 < 1e-12"

# A finger that has left points at nothing, so no tip stays; its effect remains.
play 'wait complete; key H; key H; key L; wait 100; wait complete; capture before.ppm; panel Smooth 2%; tap
wait complete; tap; wait complete; wait 1500; capture after.ppm' --size 640x640
cmp shots/before.ppm shots/after.ppm || fail 'a tip stays where a finger was'

# A drag scrolls the panel and chooses nothing, even if it starts on a palette or in a field; a
# horizontal drag does not scroll.
play 'wait complete; key H; key H; key L; wait 100; wait complete; capture top.ppm; touch 0 340 240
touch 0 340 230; touch 0 340 140; lift 0; wait 100; capture down.ppm; touch 0 560 185; touch 0 560 195
touch 0 560 285; lift 0; wait 100; capture back.ppm; touch 0 340 100; touch 0 440 110; lift 0; wait 100
capture across.ppm'
cmp -s shots/top.ppm shots/down.ppm && fail 'a finger does not scroll the panel'
for i in back across; do
    cmp shots/top.ppm shots/$i.ppm || fail "a finger that drags the panel $i does more, or less"
done

# A tap chooses in the gallery, a drag scrolls it; neither reaches the picture.
play 'wait complete; key G; wait 50; capture gallery.ppm; touch 0 100 300; touch 0 100 250; touch 0 100 100
lift 0; wait 50; capture scrolled.ppm; key Escape; key G; panel archipelago; tap; shot; key Ctrl+S; type taken
panel Save; tap; shot'
[ "$(value "$(shot 1)" zoom)" = 11 ] || fail "a tap opens not the archipelago: zoom $(value "$(shot 1)" zoom)"
"$FATHOM" compare shots/gallery.ppm shots/scrolled.ppm >/dev/null && fail 'a finger does not scroll the gallery'
[ -e data/fathom/views/taken.fathom ] || fail 'a tap answers no question'
[ $failures -eq 0 ]

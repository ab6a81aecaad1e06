# shellcheck shell=bash
# Touch screen by script, through SDL's queue: the panel, the gallery and its questions react to taps
# and drags. (Fingers on the picture: shots.txt.)
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
window=(--samples 1 --auto-limit off --size 640x400)

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

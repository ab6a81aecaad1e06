# shellcheck shell=bash
# Minimap: its place, its marker, clicks in it, and changes of formula, backend and size; tested in
# captures of the window.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export SDL_VIDEODRIVER=offscreen

# Place in a window of 640x360 with text of 13 pixels: 160x120 pixels, 7 from the corner.
LEFT=472 TOP=232 ACROSS=160 DOWN=120

window=(--size 640x360 --ui-scale 1 --samples 1)
# Prints the brightness of a rectangle of a 640x360 capture: the largest over its pixels of the
# least of the three channels.
bright() { # FILE X0 Y0 X1 Y1
    crop "$1" 640 360 "$2" "$3" $(($4 - $2 + 1)) $(($5 - $3 + 1)) | awk '{
        for (i = 1; i < NF; i += 3) {
            least = $i < $(i + 1) ? $i : $(i + 1)
            if ($(i + 2) < least) least = $(i + 2)
            if (least > most) most = least
        } } END { print most + 0 }'
}
# Returns true if a light line crosses the vertical or horizontal segment between two points.
crossed() { # FILE X0 Y0 X1 Y1
    [ "$(bright "$@")" -gt 200 ]
}
same_map() { # FILE FILE: true where the maps have the same pixels
    cmp -s <(crop "$1" 640 360 $LEFT $TOP $ACROSS $DOWN) <(crop "$2" 640 360 $LEFT $TOP $ACROSS $DOWN)
}
view() { # FILE RE IM ZOOM [ANGLE]
    printf '[view]\nre = %s\nim = %s\nzoom = %s\nangle = %s\n' "$2" "$3" "$4" "${5:-0}" >"$1"
}

# --- on and off, and not in screenshots ---

play 'wait complete; capture off.ppm; key S; wait complete; key M; wait complete; capture on.ppm; key S
wait complete; key M; wait 4500; capture off-again.ppm'
cp shots/*.ppm . 2>/dev/null
mv shots captures
captures() { # NAME
    echo "captures/$1.ppm"
}
cmp -s "$(captures off)" "$(captures on)" && fail 'M shows nothing'
same_map "$(captures off)" "$(captures off-again)" || fail 'M does not hide the map again'
[ "$(ls captures/fathom-*.ppm | wc -l)" = 2 ] || fail "screenshots: $(ls captures)"
cmp "$(ls captures/fathom-*-001.ppm)" "$(ls captures/fathom-*-002.ppm)" || fail 'the map changes a screenshot'

# Nothing outside of its two-pixel frame changes.
for at in "$((LEFT - 4)) 300" "$((LEFT + ACROSS + 3)) 300" "560 $((TOP - 4))" "560 $((TOP + DOWN + 3))"; do
    set -- $at
    [ "$(bright "$(captures off)" "$1" "$2" "$1" "$2")" = "$(bright "$(captures on)" "$1" "$2" "$1" "$2")" ] || fail "the pixel at $at is another one"
done

# --- the marker ---

# The map's middle is -0.5, and a pixel of it 4 / 1.5 / 120. The view is 50 pixels left of that and
# 30 up, 30 pixels high and 53 wide; upright, turned by 90 degrees, and deep.
rm -rf shots
view upright.fathom -1.6111111111 0.6666666667 6
view turned.fathom -1.6111111111 0.6666666667 6 90
view deep.fathom -1.6111111111 0.6666666667 1e40
view away.fathom 30 40 6
play 'wait complete; key M; goto upright.fathom; wait complete; capture upright.ppm; goto turned.fathom
wait complete; capture turned.ppm; goto deep.fathom; wait complete; capture deep.ppm; goto away.fathom
wait complete; capture away.ppm'
mv shots marks
for way in '502 245 502 249' '502 275 502 279' '473 262 477 262' '527 262 531 262'; do
    crossed marks/upright.ppm $way || fail "an upright view has no side at $way"
done
crossed marks/upright.ppm 490 255 514 269 && fail 'there is something inside of the box'
for way in '502 233 502 237' '502 287 502 291' '485 262 489 262' '515 262 519 262'; do
    crossed marks/turned.ppm $way || fail "a turned view has no side at $way"
done
for way in '508 259 508 265' '496 259 496 265' '499 256 505 256' '499 268 505 268'; do
    crossed marks/deep.ppm $way || fail "a deep view has no ring at $way"
done
crossed marks/deep.ppm $LEFT 275 $((LEFT + 30)) 277 && fail 'a deep view has a box'
crossed marks/away.ppm $((LEFT + ACROSS - 12)) 236 $((LEFT + ACROSS - 6)) 246 || fail 'a view that is not on the map has no mark at its edge'

# --- clicks ---

play 'key M; wait complete; click 502 262; shot; key U; shot; goto deep.fathom; wait complete; click 552 292
shot'
there=$(shot 1) back=$(shot 2) out=$(shot 3)
expect 'a click goes there (re)' "($(value "$there" re) + 1.6111)^2 < 0.02^2"
expect 'a click goes there (im)' "($(value "$there" im) - 0.6667)^2 < 0.02^2"
expect 'the zoom stays' "$(value "$there" zoom) == 1.5"
expect 'U goes back' "$(value "$back" re) == -0.5 && $(value "$back" im) == 0"
expect 'a click leads out of the depth' "$(value "$out" zoom) == 24 && ($(value "$out" re) + 0.5)^2 < 0.02^2"

# --- another formula, backend, kind of picture ---

play 'wait complete; capture fresh-mandelbrot.ppm' --map on
play 'wait complete; capture fresh-tricorn.ppm' --map on --formula tricorn
play 'key M; wait complete; key Y; wait complete; capture tricorn.ppm; key Shift+Y; wait complete
capture mandelbrot.ppm; key B; wait complete; capture switched.ppm; lose-device; wait complete; capture lost.ppm
key D; wait samples 1000; capture density.ppm' --backend avx2
same() { # FILE FILE WHAT
    same_map "shots/$1.ppm" "shots/$2.ppm" || fail "$3: the maps of $1 and $2 differ"
}
same tricorn fresh-tricorn 'another formula'
same mandelbrot fresh-mandelbrot 'the formula before'
same switched fresh-mandelbrot 'another backend'
same lost fresh-mandelbrot 'a lost device'
same density fresh-mandelbrot 'orbit density'
same_map shots/tricorn.ppm shots/mandelbrot.ppm && fail 'both formulas have the same map'

# --- small windows, and the panel ---

play 'wait complete; capture fresh.ppm; resize 64 48; wait complete; capture small.ppm; click 50 40
wait complete; resize 640 360; wait complete; capture large.ppm' --numbers none --map on
play 'resize 64 48; wait complete; capture none.ppm' --numbers none
cmp shots/small.ppm shots/none.ppm || fail 'there is a map in a window of 64x48'
same large fresh 'a window made large again'

# --- at rest nothing is drawn; it is kept for the next start ---

rest() { # SCRIPT
    play "wait complete; $1; wait complete; wait 4000"
    sed -n 's/.*"frames": \([0-9]*\).*/\1/p' out.json
}
without=$(rest 'wait 10') with=$(rest 'key M')
expect "frames with a map at rest: $with, without: $without" "$with <= $without + 30"

# --- the period of the point under the pointer ---

says() { # TEXT SCRIPT ARGUMENT...
    local text=$1 got
    shift
    play "$@"
    got=$(sed -n 's/.*"under_pointer": "\([^"]*\)".*/\1/p' out.json)
    [ "$got" = "$text" ] || fail "under the pointer: '$got', not '$text': $*"
}
# A pixel of home is 4 / 1.5 / 360; its middle is -0.5.
says 'period 3' 'wait complete; move 371 80; wait 50; wait complete'
says '' 'wait complete; move 320 180; wait 50; wait complete' --numbers none # nor is it shown
says 'period 2' 'wait complete; key Y; key Y; key R; wait complete; move 241 103; wait 50; wait complete'

export XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
play 'wait complete; key M; wait 100' --remember yes
grep -qx 'map = on' state/fathom/preferences || fail "kept: $(cat state/fathom/preferences)"
play 'wait complete; capture kept.ppm' --remember yes
same kept fresh 'the next start'

[ $failures -eq 0 ]

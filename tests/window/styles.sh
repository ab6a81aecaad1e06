# shellcheck shell=bash
# Styles in the window: by key one after the other, back to plain, at random and undone; chosen,
# saved and deleted in the panel; dropped as a file. The result equals that of `--style`.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache
window=(--samples 1)
look() { # SHOT: its style, without values that follow the picture
    sed -n 's/^# \(palette\|mapping\|by\|interior\|layer.*\|light.*\) = /\1=/p' "$(shot "$1")" | tr '\n' ' '
}

play 'shot; key N; shot; key N; shot; key U; shot; key Shift+N; shot; key V; shot; key V; shot; key U; key U
key U; shot' --size 160x100
[ "$(look 2)" = 'palette=aurora mapping=log layer=light layer_mode=multiply layer_strength=0.9 ' ] || fail "the first style: $(look 2)"
[ "$(look 3)" = 'palette=porcelain mapping=log interior=distance layer=light layer_mode=multiply layer_strength=0.95 light_height=40 ' ] ||
    fail "the second style: $(look 3)"
[ "$(look 4)" = "$(look 2)" ] || fail "undone: $(look 4)"
[ "$(look 5)" = "$(look 1)" ] || fail "plain: $(look 5)"
[ "$(look 6)" != "$(look 1)" ] && [ "$(look 7)" != "$(look 6)" ] || fail "surprises: $(look 6), $(look 7)"
[ "$(look 8)" = "$(look 2)" ] || fail "three steps back: $(look 8)"
first=$(look 6)
play 'wait complete; key V; shot' --size 160x100
[ "$(look 1)" = "$first" ] || fail "a surprise is another one in the next run: $(look 1), not $first"

# For orbit density the same keys change the tone.
play 'key D; wait samples 1000; key N; wait 100; key S; wait 100' --size 160x100
[ "$(value "$(shot 1)" by)$(value "$(shot 1)" layer)" = '' ] || fail 'a style is put on orbit density'

# In the panel: a tile, saving, deleting. Own styles are found by name, on the command line as well.
play 'wait complete; key L; wait 50; panel marble; click; shot; key Shift+T; panel Save style; click; shot' --size 400x960
[ "$(look 1)" = 'palette=porcelain mapping=log interior=distance layer=light layer_mode=multiply layer_strength=0.95 light_height=40 ' ] ||
    fail "the tile: $(look 1)"
mine=$(look 2)
[ "$(ls data/fathom/styles)" = style-1.style ] || fail "saved: $(ls data/fathom/styles)"
"$FATHOM" list styles | grep -qx style-1 || fail 'the saved style is not listed'
"$FATHOM" render --style style-1 --size 64x40 -o named.ppm || fail 'the saved style is not found by its name'
[ "$(sed -n 's/^# \(palette\|mapping\|by\|interior\|layer.*\|light.*\) = /\1=/p' named.ppm | tr '\n' ' ')" = "$mine" ] ||
    fail "the saved style is another: $(head -40 named.ppm | strings)"
"$FATHOM" render --style "$PWD/data/fathom/styles/style-1.style" --size 64x40 -o path.ppm && cmp named.ppm path.ppm || fail 'a style by its path'
play "wait complete; drop $PWD/data/fathom/styles/style-1.style; shot; key L; wait 50; panel Delete style; click
shot" --size 400x960 --zoom 3
[ "$(look 1)" = "$mine" ] && [ "$(value "$(shot 1)" zoom)" = 3 ] || fail "a style that is opened: $(look 1)"
[ -z "$(ls data/fathom/styles)" ] || fail 'the style was not deleted'

# Messages about wrong names, and about a style that would be replaced.
said=$("$FATHOM" render --style marbel -o x.ppm 2>&1) && fail 'a wrong name is taken'
[ "$said" = "fathom: error: there is no style 'marbel'; did you mean 'marble'?" ] || fail "a wrong name: $said"
printf '[colour]\nby = angle\n' >own.style
said=$("$FATHOM" render --style own.style -o own.style 2>&1) && fail 'a style is replaced by the picture'
[ "$(cat own.style)" = "$(printf '[colour]\nby = angle')" ] || fail "the style is gone: $said"
exit $((failures > 0))

# shellcheck shell=bash
# Keys and messages: Escape from the inside out, the end of zooming out, toasts, and tones.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script
window=(--verbose --samples 1 --size 320x240)
told() { # TEXT: number of messages
    grep -cF -- "$1" err.txt
}
shows() { # NAME NAME: true if the two captures differ
    "$FATHOM" compare "shots/$1.ppm" "shots/$2.ppm" >/dev/null
    [ $? = 1 ]
}

# Escape closes the help, then the panel. Without either it announces quitting, and quits if it is
# pressed again soon.
play 'key H; key H; wait complete; capture bare.ppm; key L; wait 100; wait complete; capture panel.ppm; key F1
wait 100; capture help.ppm; key Escape; wait 100; capture panel2.ppm; key Escape; wait 100; capture bare2.ppm
key ?; wait 100; capture help2.ppm; key Escape; key Escape; wait 2300; key Escape; wait 100; key S
wait complete; key Escape; wait 5000; key S; wait complete'
shows bare panel || fail 'L opens no panel'
shows panel help || fail 'F1 opens no help'
cmp -s shots/panel.ppm shots/panel2.ppm || fail 'Escape does not take the help away, or more'
cmp -s shots/bare.ppm shots/bare2.ppm || fail 'Escape does not close the panel'
shows bare help2 || fail '? opens no help'
[ -n "$(shot 1)" ] || fail 'Escape quits at once, or though it was pressed long before'
[ -z "$(shot 2)" ] || fail 'Escape twice does not quit'
expect 'Escape says what it will do' "$(told 'Esc again to quit') >= 1"

# H: brief numbers, all, none, and brief again.
play 'wait complete; move 100 100; wait 100; capture brief.ppm; key H; wait 100; capture all.ppm; key H
wait 100; capture none.ppm; key H; wait 100; capture brief2.ppm; move 120 90; wait 100; capture pointed.ppm'
shows brief all && shows all none && shows none brief || fail 'H does not change the numbers'
cmp -s shots/brief.ppm shots/brief2.ppm || fail 'H three times is not what it was'
shows brief pointed || fail 'the numbers do not follow the pointer'

# The line for beginners appears only at the first start, and in scripts only if they remember.
greeted() { # NAME ARGUMENTS...
    local name=$1
    shift
    play "wait complete; wait 100; capture $name.ppm; key G; wait complete; capture $name-gallery.ppm" "$@"
}
rm -rf "$XDG_STATE_HOME"
greeted script
[ -e "$XDG_STATE_HOME/fathom/greeted" ] && fail 'a script takes the greeting'
greeted first --remember yes
greeted second --remember yes
greeted third --remember no
shows script first || fail 'nothing is said at the first start'
cmp -s shots/first-gallery.ppm shots/second-gallery.ppm || fail 'it is said over the gallery'
cmp -s shots/script.ppm shots/second.ppm && cmp -s shots/second.ppm shots/third.ppm || fail 'it is said again'
rm -rf "$XDG_STATE_HOME"
echo file >not-a-folder
XDG_STATE_HOME=$PWD/not-a-folder greeted fourth --remember yes
cmp -s shots/script.ppm shots/fourth.ppm || fail 'it is said where it could not be known'

# Zooming out is limited, which is reported once however often it is tried; R leads home.
play 'wheel -40 30% 40%; wait complete; wheel -10 30% 40%; key -; key -; press x; wait 300; release x; shot
key R; shot'
expect 'zooming out ends' "($(value "$(shot 1)" zoom) * 16 - 1)^2 < 1e-6"
expect 'home again' "$(value "$(shot 2)" zoom) == 1.5"
[ "$(told 'fully zoomed out (R: home)')" = 1 ] || fail "the end is told $(told 'fully zoomed out') times: $(cat err.txt)"

# The same toast twice is shown once; another one below it.
play 'wait complete; key U; key U; key Shift+U; key U; wait 100'
[ "$(told 'nothing to undo')" = 1 ] || fail "a toast is repeated: $(cat err.txt)"
[ "$(told 'nothing to redo')" = 1 ] || fail 'another toast is lost'

# Three channels have no gradient, which C reports; Shift+N resets all changes of the tones.
play 'key D; wait samples 1; key N; key E; key E; key Shift+W; key C; wait samples 1; key S; wait samples 1
key Shift+N; wait samples 1; key S; wait samples 1; key V; key V; wait samples 1; key C; key 2; wait 50'
[ "$(value "$(shot 1)" curve) $(value "$(shot 1)" exposure) $(value "$(shot 1)" gamma)" = 'log 0.5 0.9' ] ||
    fail "the keys of tones: $(head -c 1500 "$(shot 1)" | grep -a '^#')"
[ "$(value "$(shot 2)" curve) $(value "$(shot 2)" exposure) $(value "$(shot 2)" gamma)" = 'sqrt 0 1' ] ||
    fail "Shift+N leaves $(value "$(shot 2)" curve) $(value "$(shot 2)" exposure) $(value "$(shot 2)" gamma)"
[ "$(value "$(shot 1)" gradient)" = "$(value "$(shot 2)" gradient)" ] || fail 'Shift+N changes the gradient'
[ "$(told 'a Nebulabrot takes its colours from its three limits')" = 1 ] || fail "C says nothing in a Nebulabrot: $(cat err.txt)"
for words in 'tone curve: log' 'showing the anti-Buddhabrot' 'showing the Nebulabrot'; do
    [ "$(told "$words")" = 1 ] || fail "the keys of orbit density do not say '$words': $(cat err.txt)"
done

# A choice by key is reported if neither picture nor numbers show it.
play 'key P; key Shift+M; key ]; wait 50' --precision auto --iterations 1000
for words in 'precision: float' 'drawing method: ' 'iteration limit: 2000'; do
    [ "$(told "$words")" = 1 ] || fail "no key says '$words': $(cat err.txt)"
done
[ $failures -eq 0 ]

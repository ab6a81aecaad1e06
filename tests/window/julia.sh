# shellcheck shell=bash
# Julia sets in the window: J goes to the set of the point under the pointer and back, screenshots
# contain it, and undo restores it. The inset equals fathom render's picture, follows the pointer,
# and disappears with the pointer and by the key.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
window=(--size 960x400 --samples 1 --iterations 300)

inset='960 400 802 272 150 120' # place of the inset: 0.3 of the height, 8 pixels from the edges

play 'wait complete; key h; key h; move 300 100; wait complete; capture none.ppm; key Shift+j; wait complete
move 250 150; wait complete; capture inset.ppm; key s; wait complete; key Shift+j; wait complete
capture off.ppm; key j; shot; key j; shot; key u; shot'
re=$(value "$(shot 2)" julia_re) im=$(value "$(shot 2)" julia_im)
[ "$(value "$(shot 2)" julia)" = yes ] && [ -n "$re" ] && [ -n "$im" ] || fail 'J does not go to a Julia set'
expect 'c is the point under the pointer' "($re - $(point_re "$(shot 1)" 250.5))^2 + ($im - $(point_im "$(shot 1)" 150.5))^2 < 1e-12"
check_shot "$(shot 2)"
[ -z "$(value "$(shot 3)" julia)" ] || fail 'J does not lead back'
"$FATHOM" compare "$(shot 1)" "$(shot 3)" >compared.txt || fail "back, the view is another: $(cat compared.txt)"
"$FATHOM" compare "$(shot 2)" "$(shot 4)" >compared.txt || fail "undo does not lead to the Julia set: $(cat compared.txt)"

# shellcheck disable=SC2086
{
    crop shots/inset.ppm $inset >shown.txt
    crop shots/off.ppm $inset >behind.txt
    crop shots/none.ppm $inset >none.txt
    crop "$(shot 1)" $inset >taken.txt
}
"$FATHOM" render --julia-re="$re" --julia-im="$im" --re 0 --im 0 --zoom 1.25 --size 150x120 --iterations 300 -o want.ppm
crop want.ppm 150 120 0 0 150 120 >want.txt
cmp shown.txt want.txt || fail 'the inset is not that Julia set'
cmp behind.txt taken.txt || fail 'the key does not take the inset away'
cmp none.txt taken.txt || fail 'a screenshot has the inset in it'

# The picture's layers do not apply to the inset, which has the same colours.
play 'wait complete; key Shift+j; move 250 150; wait complete; capture lit.ppm' --layer light
# shellcheck disable=SC2086
crop shots/lit.ppm $inset | cmp - want.txt || fail 'the inset of a lit picture is another'

# Every formula, power and hybrid has Julia sets; files and the command line agree.
"$FATHOM" render --formula burning_ship --power 3 --then 'tricorn, celtic 4' --julia-re 0.3 --julia-im=-0.4 --re 0 --im 0 \
    --size 64x48 -o hybrid.ppm || fail 'a hybrid has no Julia set'
check_shot hybrid.ppm
[ "$(value hybrid.ppm then)" = 'tricorn, celtic 4' ] || fail "a hybrid's steps are not told: $(value hybrid.ppm then)"
for wrong in '--julia-re 4.1' '--julia-im x' '--power 1' '--power 9' '--then ship' '--then tricorn,' '--then tricorn 9'; do
    # shellcheck disable=SC2086
    "$FATHOM" render ${wrong%% *} "${wrong#* }" --size 8x8 -o wrong.ppm 2>err.txt && fail "$wrong is taken"
    [ "$(wc -l <err.txt)" = 1 ] || fail "$wrong: $(cat err.txt)"
done

exit $((failures > 0))

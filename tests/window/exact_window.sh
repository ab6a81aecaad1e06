# shellcheck shell=bash
# Exact pictures in the real program: Shift+P, their screenshots, and that motion stops them at once.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script
window=(--auto-limit off)
cat >tripling.fathom <<'VIEW'
[view]
re = -0.0236411685377
im = 0.7836606508052
zoom = 1000000
[fractal]
iterations = 10000
VIEW

# On and off, with several samples; and reopened. Each screenshot is what render makes of it.
play 'shot; key Shift+P; shot; key Shift+P; shot' tripling.fathom --size 48x27 --samples 3 --precision double
for i in 1 2 3; do
    check_shot "$(shot $i)"
done
[ "$(value "$(shot 2)" exact)/$(value "$(shot 2)" samples)" = yes/3 ] || fail "exact: $(head -20 "$(shot 2)" | strings)"
[ "$(value "$(shot 1)" exact)$(value "$(shot 3)" exact)" = '' ] || fail 'others are exact, too'
cmp -s "$(shot 1)" "$(shot 3)" || fail 'Shift+P twice is not what it was'
"$FATHOM" compare "$(shot 1)" "$(shot 2)" >compared.txt && fail 'exact samples make no difference'
cp "$(shot 2)" exact.ppm
play 'wait complete; shot; key C; shot' exact.ppm --size 48x27
cmp -s exact.ppm "$(shot 1)" || fail 'an exact picture opened is another one'
check_shot "$(shot 2)"

# A place where it takes long: the window saves what it shows, and goes on at once.
start=$(date +%s)
play 'wait complete; key Shift+P; wait 1500; key S; wait 500; wheel -3 50% 50%; wait 300; key Shift+P; shot' \
    "$FATHOM_SOURCE/tests/data/locations/ship_1e44.fathom" --size 240x135 --samples 1
[ $(($(date +%s) - start)) -lt 100 ] || fail "motion waited: $(($(date +%s) - start)) s"
[ "$(value "$(shot 1)" exact)$(value "$(shot 2)" exact)" = '' ] || fail 'an unfinished picture is called exact'

[ $failures -eq 0 ]

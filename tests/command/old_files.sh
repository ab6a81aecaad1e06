# Files with settings that only earlier versions had still open, with one warning.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

rm -rf work
mkdir -p work/config/fathom work/state/fathom
cd work || exit 1
export XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
expect 0 "$FATHOM" render -o plain.ppm --size 16x12 --zoom 2

# drawn WHERE WORDS...: checks that the setting has no effect, and that the only message names WHERE
# and the setting.
drawn() {
    local where=$1
    shift
    expect 0 "$FATHOM" render -o x.ppm --size 16x12 "$@"
    complains "$where '$value' is no longer supported; $instead"
    cmp -s <(tail -c 576 x.ppm) <(tail -c 576 plain.ppm) || fail "$key = $value: $where: other pixels"
}

while read -r section key value instead; do
    printf '[view]\nzoom = 2\n[%s]\n%s = %s\n' "$section" "$key" "$value" >old.fathom
    drawn "old.fathom:4: $key" old.fathom
    { printf 'P6\n' && sed 's/^/# /' old.fathom && printf '1 1\n255\nabc'; } >shot.ppm
    drawn "shot.ppm:5: $key" shot.ppm
    { printf 'place = here\n' && cat old.fathom; } >state/fathom/recent
    drawn "recent location:4: $key" --last
    drawn "--$key" "--$key=$value" --zoom 2
    declare "FATHOM_${key^^}=$value" && export "FATHOM_${key^^}"
    drawn "FATHOM_${key^^}" --zoom 2
    unset "FATHOM_${key^^}"
    echo "$key = $value" >config/fathom/config
    drawn "config:1: $key" --zoom 2
    rm config/fathom/config
done <<'OLD'
picture method trace every pixel is drawn
picture method mariani-silver every pixel is drawn
picture arithmetic unfused every step is fused
orbits rules classic orbits are counted by the standard rules
OLD

# A setting that draws as before needs no warning.
printf '[view]\nzoom = 2\n[picture]\narithmetic = fused\n' >old.fathom
for words in old.fathom '--arithmetic fused --zoom 2'; do
    # shellcheck disable=SC2086 # several
    expect 0 "$FATHOM" render -o x.ppm --size 16x12 $words
    [ ! -s err ] || fail "$words: said $(cat err)"
done

finish

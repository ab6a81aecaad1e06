# fathom classic: the bytes of seed 000's CPU program, on every backend. CLASSIC_SIZES sets other
# sizes than the default, which takes seconds; the seed's are "512 1024 2048 4096 8192 16384".
. "$FATHOM_SOURCE/tests/shared/expect.sh"
plain=$(dirname "$FATHOM")/tests/plain_classic

fresh_folder
backends=$(automatic_backends)

same() { # WIDTH HEIGHT
    local backend
    "$plain" "$1" "$2" plain.ppm >/dev/null || fail "the plain program, $1x$2"
    for backend in $backends; do
        expect 0 "$FATHOM" classic "$1" "$2" -o ours.ppm --backend "$backend"
        expect 0 "$FATHOM" compare plain.ppm ours.ppm
        [ "$(sha256sum <plain.ppm)" = "$(sha256sum <ours.ppm)" ] ||
            fail "$1x$2 on $backend is another file than the plain program's"
    done
}
for size in ${CLASSIC_SIZES-512 1024}; do
    same "$size" "$size"
    echo "$size: $(sha256sum <plain.ppm | cut -c 1-16)"
done
if [ -z "${CLASSIC_SIZES-}" ]; then
    same 1 1
    same 2 1
    same 1 2
    same 7 5
    same 640 359
    same 33 1000
fi

# Without a file name, in the order of the rows on a pipe, and with every option.
expect 0 "$FATHOM" classic 640 359
[ -s classic.ppm ] || fail "classic.ppm is not there"
"$FATHOM" classic 640 359 -o - | cmp -s - classic.ppm || fail "-o - differs"
echo first >appended
"$FATHOM" classic 640 359 -o - >>appended || fail "-o - appended"
{ echo first; cat classic.ppm; } | cmp -s - appended || fail "appended bytes differ"
for shortcuts in none cardioid cycle all; do
    expect 0 "$FATHOM" classic 640 359 -o ways.ppm --shortcuts $shortcuts --threads 3
    cmp -s ways.ppm classic.ppm || fail "--shortcuts $shortcuts differs"
done
expect 0 "$FATHOM" classic 640 359 -o none.ppm --cpumask none
cmp -s none.ppm classic.ppm || fail "--cpumask none differs"
expect 0 "$FATHOM" classic 64 48 --json
for key in backend device width height draw_ms kernel_ms write_ms; do
    grep -q "\"$key\": " out || fail "--json has no $key"
done

# Wrong use.
for arguments in "" "64" "64 0" "0 64" "64 x" "-3 4" "64 65537" "64 4.5" "64 48 7" "64 48 --backend null" \
    "64 48 --backend nix" "64 48 -o - --json" "64 48 --size 3x4"; do
    "$FATHOM" classic $arguments >out 2>err </dev/null
    case $? in
    1 | 2) complains error ;;
    *) fail "'$arguments': status $?, neither 1 nor 2" ;;
    esac
done
expect 1 "$FATHOM" classic 64 48 -o nowhere/x.ppm
complains "nowhere/x.ppm"
echo old >kept.ppm
"$FATHOM" classic 30000 30000 -o kept.ppm --backend scalar --threads 1 2>err &
catches $! TERM
kill -TERM $!
wait $!
[ $? = 1 ] || fail "interrupted, but the status is not 1"
complains 'interrupted; nothing was written'
[ "$(cat kept.ppm)" = old ] || fail "an interrupted run replaced the file"
[ -z "$(find . -name '.fathom-*')" ] || fail "temporary files were left: $(find . -name '.fathom-*')"

finish

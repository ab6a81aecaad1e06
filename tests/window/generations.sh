# shellcheck shell=bash
# No frame that shows a complete picture has a pixel of another one, during zooms, pans, turns,
# recolouring, limits and sizes; and such pixels are detected when uploads are broken.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
shim=${FATHOM_TESTS:-..}/trouble_shim.so
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export FATHOM_DEBUG=generations

cat >moves.script <<'END'
wait complete
wheel 5 43.7% 41.2%
wait 150
wheel -2 71% 66%
wait complete
drag 100 50 151 88 10
key Left
key Up
wait complete
key C
wait complete
press z
wait 700
release z
press Left
wait 300
release Left
press x
wait 300
release x
wait complete
key I
wheel 3 30% 30%
key R
wait 200
key C
wait complete
resize 200 150
wait complete
wait complete
END
fathom() {
    timeout 120 "$FATHOM" --script moves.script --numbers none --size 250x167 "$@" >out.txt 2>err.txt
}
checked() {
    sed -n 's/.*generations: \([0-9]*\) of .*/\1/p' err.txt
}
for backend in scalar avx2; do
    "$FATHOM" render -o /dev/null --size 8x8 --backend $backend 2>/dev/null || continue
    fathom --backend $backend --samples 2 || fail "$backend: $(head -n 20 err.txt)"
    [ "$(checked)" -ge 10 ] || fail "$backend: too few frames: $(cat err.txt)"
    echo "$backend: $(tail -n 1 err.txt)"
done
LD_PRELOAD=$shim TROUBLE_TORN=3 fathom --backend scalar --samples 1 && fail 'torn uploads are not found'
grep -q 'of others [1-9]' err.txt || fail "torn uploads are not told of: $(head -n 20 err.txt)"

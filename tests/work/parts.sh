# shellcheck shell=bash
# Parts and shared pictures: saved runs of parts add up to one run, byte for byte, and views are
# drawn once, by whoever gets there.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder

# density STATUS ARGUMENTS...
density() {
    expect "$1" "$FATHOM" density "${@:2}"
}

# N parts equal one run, also one that was continued, with more parts than orbits, in any order.
of=(--size 60x45 '--channels=500,90,20' --samples 100000)
density 0 "${of[@]}" --resume whole.npy
for k in 0 1 2; do
    density 0 "${of[@]}" --part $k/3 --resume part$k.npy --threads $((k + 1))
done
density 0 --merge part2.npy part0.npy part1.npy -o sum.npy
cmp sum.npy whole.npy || fail 'the sum of three parts is not the whole run'
density 0 "${of[@]}" --part 1/2 --resume late.npy --seconds 0
density 0 "${of[@]}" --part 0/2 --resume early.npy
density 0 --merge early.npy late.npy -o half.npy # the second part has counted nothing yet
cmp half.npy early.npy || fail 'an empty part changes the sum'
density 0 "${of[@]}" --part 1/2 --resume late.npy
density 0 --merge late.npy early.npy -o sum2.npy
cmp sum2.npy whole.npy || fail 'a part that was continued is another one'
for k in 0 1 2 3 4; do
    density 0 --size 20x20 --samples 128 --part $k/5 --resume tiny$k.npy
done
density 0 --merge tiny?.npy -o tiny.npy
density 0 --size 20x20 --samples 128 --resume tiny-whole.npy
cmp tiny.npy tiny-whole.npy || fail 'more parts than orbits'
# The sum is a run, which goes on, and paints the same picture.
density 0 --resume sum.npy --samples 120000 -o sum.ppm
density 0 --resume whole.npy --samples 120000 -o whole.ppm
cmp sum.ppm whole.ppm || fail 'the picture of the sum is another one'

# Mistakes lose nothing.
density 1 --merge part0.npy part2.npy -o none.npy
complains "orbits are missing between 'part0.npy' and 'part2.npy'"
density 1 --merge part0.npy part1.npy part1.npy -o none.npy
complains 'count the same orbits'
density 1 --merge part0.npy tiny1.npy -o none.npy
complains 'runs with another size'
density 2 --merge part0.npy part1.npy -o part1.npy
complains 'part1.npy'
density 2 --merge part0.npy
complains 'merge takes saved runs'
density 2 --merge part0.npy --resume x.npy
complains 'not both'
density 2 --part 3/3 --resume x.npy
complains 'K/N'
density 2 "${of[@]}" --part 0/3 -o x.ppm
complains 'give --resume FILE'
density 1 --size 20x20 --part 0/3 --resume x.npy
complains 'give the number of all by --samples'
density 1 "${of[@]}" --part 2/3 --resume part1.npy
complains 'another part'
density 1 "${of[@]}" --resume part1.npy
complains 'another part'
head -c 9000 part1.npy >broken.npy
density 1 --merge part0.npy broken.npy -o none.npy
complains 'broken.npy'
[ ! -e none.npy ] && [ ! -e x.npy ] || fail "there is $(ls)"

# Several views: parts, then processes that share the rest; each picture is as usual.
mapfile -t views < <("$FATHOM" list views | awk '{ print $1 }' | head -n 4)
small=(--size 60x40 --threads 1)
"$FATHOM" render "${views[@]}" "${small[@]}" -o 'right-%n.ppm' || fail 'no pictures'
expect 0 "$FATHOM" render "${views[@]}" "${small[@]}" -o 'x-%n.ppm' --part 1/3
[ "$(ls x-*)" = "x-${views[1]}.ppm" ] || fail "part 1/3 of the views: $(ls x-*)"
"$FATHOM" render "${views[@]}" "${small[@]}" -o 'x-%n.ppm' --join 2>err1 &
"$FATHOM" render "${views[@]}" "${small[@]}" -o 'x-%n.ppm' --join 2>err2 &
wait -n || fail "a process that shares views failed: $(cat err1 err2)"
wait -n || fail "a process that shares views failed: $(cat err1 err2)"
for view in "${views[@]}"; do
    cmp "x-$view.ppm" "right-$view.ppm" || fail "$view differs"
done
[ -z "$(compgen -G '*claim*')" ] || fail "claims are left: $(ls)"
expect 0 "$FATHOM" render "${views[@]}" "${small[@]}" -o 'x-%n.ppm' --join
complains '4 of 4 files exist'
# The claim of a killed process is taken over.
rm "x-${views[2]}.ppm"
"$FATHOM" render "${views[@]}" --size 4000x4000 --samples 64 -o 'x-%n.ppm' --join 2>err1 &
for _ in {1..300}; do
    [ -e "x-${views[2]}.ppm.claim" ] && break
    sleep 0.1
done
kill -9 $!
wait $! 2>/dev/null
[ -e "x-${views[2]}.ppm.claim" ] || fail 'the killed process had no claim'
expect 0 "$FATHOM" render "${views[@]}" "${small[@]}" -o 'x-%n.ppm' --join
cmp "x-${views[2]}.ppm" "right-${views[2]}.ppm" || fail 'after a kill'
[ -z "$(compgen -G '*claim*')" ] || fail "claims are left: $(ls)"
expect 2 "$FATHOM" render "${views[@]}" "${small[@]}" -o 'x-%n.ppm' --join --json
complains 'standard output'
expect 1 "$FATHOM" render "${views[@]}" "${small[@]}" -o 'absent/%n.ppm' --join
finish

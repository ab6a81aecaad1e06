# shellcheck shell=bash
# Pictures of any size, and pixels of several samples, on the command line: files in bands, bounded
# memory, progress on a terminal, interruptions and full disks; and samples that are the same on
# every backend.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

number() { # KEY: of the last expect's JSON
    sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out
}

same() { # A B
    local said
    said=$("$FATHOM" compare "$1" "$2" 2>&1) || fail "$1 and $2 differ: $said"
}

fresh_folder
cat >small.fathom <<'VIEW'
[view]
re = -0.7463
im = 0.1102
zoom = 40
angle = 12.5
[fractal]
iterations = 300
[picture]
width = 120
height = 90
VIEW

# --- bands ---

# Both formats and both arrays of a picture in several bands; a small picture is one band.
expect 0 "$FATHOM" render --size 9000x1000 --iterations 20 -o large.png --data large.npy --json
[ "$(number bands)" -ge 2 ] || fail "9000x1000 in $(number bands) bands"
[ "$(number iterations_total)" -gt 9000000 ] || fail "totals are of one band: $(number iterations_total)"
expect 0 "$FATHOM" render --size 9000x1000 --iterations 20 -o large.ppm --smooth large-smooth.npy
same large.png large.ppm
[ "$(stat -c %s large.npy)" = $((9000 * 1000 * 4 + 128)) ] || fail "large.npy has a wrong size"
[ "$(stat -c %s large-smooth.npy)" = $((9000 * 1000 * 8 + 128)) ] || fail "large-smooth.npy has a wrong size"
head -c $((9000 * 1000 * 3)) /dev/zero | cmp -s - large.ppm && fail "large.ppm is black"
rm -f large*
expect 0 "$FATHOM" render small.fathom -o small.ppm --json
[ "$(number bands)" = 1 ] || fail "120x90 in $(number bands) bands"

# The largest possible picture needs little memory; interrupted, it leaves nothing, and existing
# files stay.
echo old >huge.ppm
env --default-signal=TERM "$FATHOM" render --size 65536x65536 --iterations 50 --threads 1 -o huge.ppm \
    --data huge.npy >out 2>err &
pid=$!
catches $pid TERM
sleep 1
memory=$(awk '/VmHWM/ {print $2}' /proc/$pid/status)
kill -s TERM $pid
wait $pid
[ $? = 1 ] || fail "stopped by SIGTERM, status $?"
complains 'interrupted; nothing was written'
[ "$(cat huge.ppm)" = old ] || fail "an older file is gone"
[ "$(ls -A)" = "$(printf '%s\n' err huge.ppm out small.fathom small.ppm)" ] || fail "left: $(ls -A)"
# The sanitizers need memory of their own.
grep -q __asan_ "$FATHOM" || grep -q __tsan_ "$FATHOM" || [ "${memory:-0}" -lt 409600 ] ||
    fail "65536x65536 took $memory kB"
rm huge.ppm

# Progress goes only to a terminal.
if [ -n "${FATHOM_SANITIZED-}" ]; then
    : # pictures of some seconds take the sanitizers minutes
elif script --version 2>/dev/null | grep -q util-linux; then
    script -qec "'$FATHOM' render --size 3000x3000 --iterations 900 --shortcuts none --backend scalar --threads 1 -o bar.ppm" \
        /dev/null </dev/null >bar.txt 2>&1
    grep -q '\[#*\.*\] .* %, about .* left' bar.txt || fail "no bar: $(tail -c 300 bar.txt)"
    tail -c 20 bar.txt | grep -q '%' && fail "the bar was left on the terminal"
    script -qec "'$FATHOM' render '-1.25 + 1e-19000i 1e19000' --iterations 30000 --size 64x48 -o bar.ppm" \
        /dev/null </dev/null >bar.txt 2>&1 # more than a second's reference
    grep -q 'reference \[#*\.*\] .* %' bar.txt || fail "no bar of a reference: $(tail -c 300 bar.txt)"
    rm -f bar.ppm
else
    left_out 'what a terminal is told' 'there is no script of util-linux'
fi

# A full disk is reported at once, with the file's name.
mkdir disk
if mount -t tmpfs -o size=8m tmpfs disk 2>/dev/null; then
    echo old >disk/x.ppm
    expect 1 timeout 60 "$FATHOM" render --size 65536x65536 --iterations 20 -o disk/x.ppm
    complains "'disk/x.ppm': No space left"
    [ "$(cat disk/x.ppm)" = old ] || fail "a full disk lost the older picture"
    [ "$(ls -A disk)" = x.ppm ] || fail "a full disk was left with $(ls -A disk)"
    umount disk
else
    left_out 'a full disk' 'no small one can be mounted here'
fi
expect 1 timeout 60 "$FATHOM" render --size 65536x65536 --iterations 20 -o /dev/full
complains "'/dev/full': No space left"

# --- samples ---

# The picture contains its number of samples; drawn again, in any way and format, it is the same.
expect 0 "$FATHOM" render small.fathom --samples 16 -o 16.ppm --json
[ "$(number samples)" = 16 ] || fail "$(number samples) samples"
grep -aqx '# samples = 16' 16.ppm || fail "16.ppm does not tell its samples"
"$FATHOM" compare small.ppm 16.ppm >/dev/null && fail "16 samples are as one"
expect 0 "$FATHOM" render 16.ppm -o again.ppm
cmp -s 16.ppm again.ppm || fail "16.ppm drawn again is not the same"
expect 0 "$FATHOM" render 16.ppm -o 16.png
same 16.png 16.ppm
expect 0 "$FATHOM" render 16.png -o again.ppm
cmp -s 16.ppm again.ppm || fail "16.png drawn again is not the same"
expect 0 "$FATHOM" render 16.ppm --samples 1 -o one.ppm
cmp -s one.ppm small.ppm || fail "one sample is not the plain picture"
for method in rows deepen; do
    expect 0 "$FATHOM" render 16.ppm --method $method --shortcuts none --threads 1 -o method.ppm
    same method.ppm 16.ppm
done

# Any number of samples, on every backend and with any processor features.
backends=$("$FATHOM" info | awk '$2 == "usable" && $1 != "null" {print $1}')
for samples in 3 17; do
    expect 0 "$FATHOM" render small.fathom --samples $samples --backend scalar --cpumask none -o judge.ppm
    for backend in $backends; do
        expect 0 "$FATHOM" render small.fathom --samples $samples --backend "$backend" -o other.ppm
        cmp -s judge.ppm other.ppm || fail "$samples samples differ on $backend"
    done
    expect 0 "$FATHOM" render small.fathom --samples $samples --precision float -o float.ppm
    expect 0 "$FATHOM" render float.ppm --backend scalar --cpumask fma -o other.ppm
    cmp -s float.ppm other.ppm || fail "$samples samples in float differ"
done

# Arrays contain the pixels' centres.
expect 0 "$FATHOM" render small.fathom --data one.npy --smooth one-smooth.npy
expect 0 "$FATHOM" render small.fathom --samples 5 -o five.ppm --data five.npy --smooth five-smooth.npy
cmp -s one.npy five.npy && cmp -s one-smooth.npy five-smooth.npy || fail "arrays are of other samples"

# Samples in bands.
expect 0 "$FATHOM" render --size 40000x300 --iterations 20 --samples 2 -o wide.ppm --json
[ "$(number bands)" -ge 2 ] || fail "40000x300 with samples in $(number bands) bands"

# Invalid numbers of samples.
for samples in 0 65537 -1 x 1e9; do
    expect 2 "$FATHOM" render --samples $samples -o x.ppm
    complains 'samples'
    [ ! -e x.ppm ] || fail "--samples $samples wrote a file"
done
printf '[view]\nre = 0\n[picture]\nsamples = 65537\n' >bad.fathom
expect 1 "$FATHOM" render bad.fathom -o x.ppm
complains 'bad.fathom:4: samples per pixel are from 1 to 65536'

finish

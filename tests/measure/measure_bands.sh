# shellcheck shell=bash
# Not a test: measures the time per pixel of a picture in bands, compared with a small one of the
# same view, in turns, and its memory. Needs GNU time. Run by hand on a quiet machine:
#     bash tests/measure/measure_bands.sh PROGRAM [SIDE [REPEATS [OUTPUT]]]
# SIDE is that of the large picture (30000), OUTPUT the file for both (/dev/null; a .ppm or .png
# measures disks as well).
set -eu
program=$1 side=${2:-30000} repeats=${3:-3} output=${4:-/dev/null}
printf '[view]\nre = -0.5\nim = 0\nzoom = 1.3333333333333333\n' >measure.fathom # 3 wide
printf 'side\twall ns/px\tcpu ns/px\tpeak MB\n'
for ((i = 0; i < repeats; i++)); do
    for s in 3000 "$side"; do
        /usr/bin/time -f "$s %e %U %S %M" -o measure.txt \
            "$program" render measure.fathom --size "${s}x$s" --iterations 200 -o "$output"
        awk '{n = $1 * $1 / 1e9; printf "%d\t%.2f\t%.2f\t%.0f\n", $1, $2 / n, ($3 + $4) / n, $5 / 1024}' measure.txt
    done
done
rm measure.txt measure.fathom

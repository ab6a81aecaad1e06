# shellcheck shell=bash
# Not a test: how long the program takes from its start to the first complete picture of the whole set, without a
# display, and how far it is at each stage; medians in ms. Run by hand on a quiet machine:
#     bash tests/measure/measure_start.sh PROGRAM [REPEATS]
set -eu
program=$1 repeats=${2:-21}
export SDL_VIDEODRIVER=offscreen
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'wait complete' >start.script
for ((i = 0; i <= repeats; i++)); do # the first one warms the disk's cache
    "$program" --script start.script --size 1280x720 --verbose 2>&1 |
        sed -n 's/^fathom: \(.*\) \([0-9]*\) ms after the start$/\1\t\2/p' >"run-$i.txt"
done
rm run-0.txt
cut -f1 run-1.txt | while read -r stage; do
    printf '%-28s %4s\n' "$stage" "$(grep -hF "$stage" run-*.txt | cut -f2 | sort -n | sed -n "$(((repeats + 1) / 2))p")"
done

# shellcheck shell=bash
# Not a test: measures the time from the program's start to the first complete picture of the whole
# set, without a display, and the time of each stage. For each BACKEND, in turns, also the time of a
# process that draws the picture into a file, for which the device must have started. Prints medians
# in ms. Run by hand on a quiet machine:
#     bash tests/measure/measure_start.sh PROGRAM [REPEATS [BACKEND...]]
set -eu
program=$(realpath "$1") repeats=${2:-21}
shift $(($# < 2 ? $# : 2))
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
median() {
    sort -n | sed -n "$(((repeats + 1) / 2))p"
}
cut -f1 run-1.txt | while read -r stage; do
    printf '%-28s %4s\n' "$stage" "$(grep -hF "$stage" run-*.txt | cut -f2 | median)"
done
for ((i = 0; i <= repeats; i++)); do # the first run lets drivers cache their compiled code
    for backend; do
        begin=${EPOCHREALTIME/./}
        "$program" render --backend "$backend" --size 1280x720 -o picture.ppm 2>/dev/null
        [ "$i" = 0 ] || echo $(((${EPOCHREALTIME/./} - begin) / 1000)) >>"took-$backend.txt"
    done
done
for backend; do
    printf 'a picture by %-15s %4s\n' "$backend" "$(median <"took-$backend.txt")"
done

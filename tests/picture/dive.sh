# shellcheck shell=bash
# The README's film: docs/dive.sh makes a short one whose decoded frames nearly equal the frames of
# the movie; films with stale or missing frames are refused.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
for tool in cwebp dwebp webpmux img2webp python3; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: there is no $tool"
        exit 77
    fi
done
fresh_folder
frames=5
FATHOM_FRAMES=$PWD/frames "$FATHOM_SOURCE/docs/dive.sh" "$FATHOM" film.webp $frames 128x72 >said.txt 2>&1 ||
    fail "no film: $(cat said.txt)"
[ "$(ls frames | wc -l)" = $frames ] || fail "the movie has $(ls frames)"
[ "$(webpmux -info film.webp | grep -c '^ *[0-9]*: *128 *72 ')" = $frames ] || fail "$(webpmux -info film.webp)"

# The mean square of all differences must be at least as small as at 36 dB.
for ((i = 1; i <= frames; i++)); do
    frame=frames/$i.ppm
    webpmux -get frame $i film.webp -o still.webp 2>/dev/null && dwebp -quiet still.webp -ppm -o decoded.ppm
    cmp -l <(tail -c 27648 "$frame") <(tail -c 27648 decoded.ppm) 2>&1 | awk '
        function octal(digits) { return int(digits / 100) * 64 + int(digits / 10) % 10 * 8 + digits % 10 }
        { difference = octal($2) - octal($3); sum += difference * difference }
        END { exit !(sum / (128 * 72 * 3) <= 255 ^ 2 / 10 ^ 3.6) }' || fail "frame $i has less than 36 dB"
    cmp -s "$frame" frames/1.ppm && [ $i != 1 ] && fail "frame $i shows what the first does"
    rm -f still.webp decoded.ppm
done

# A lossy encoder that stores differences, a film that lacks a frame, and frames in another order.
check() { # FILM FRAME...
    python3 "$FATHOM_SOURCE/docs/film.py" check "$1" 36 "${@:2}" >said.txt 2>&1
}
check film.webp frames/*.ppm || fail "a good film is refused: $(cat said.txt)"
for frame in frames/*.ppm; do
    cwebp -quiet -lossless "$frame" -o "${frame%.ppm}.webp"
done
img2webp -lossy -q 5 frames/*.webp -o bad.webp >/dev/null 2>&1
check bad.webp frames/*.ppm && fail 'blocks are not found'
check film.webp frames/*.ppm frames/1.ppm && fail 'a missing frame is not found'
check film.webp frames/2.ppm frames/1.ppm && fail 'other frames are not found'
[ "$(wc -c <"$FATHOM_SOURCE/docs/dive.webp")" -lt 6000000 ] || fail "the README's film is too large"
[ $failures -eq 0 ]

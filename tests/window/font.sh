# shellcheck shell=bash
# Text is drawn with the system's font, or with the built-in font, without a message, if that is
# missing or damaged.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
font=''
for place in truetype/dejavu dejavu-sans-fonts TTF truetype dejavu; do
    for folder in /usr/local/share /usr/share; do
        [ -z "$font" ] && [ -s "$folder/fonts/$place/DejaVuSans.ttf" ] && font=$folder/fonts/$place/DejaVuSans.ttf
    done
done
[ -n "$font" ] || {
    echo 'skipped: there is no DejaVuSans.ttf (fonts-dejavu-core)'
    exit 77
}
fresh_folder
PLACE=share/fonts/truetype/dejavu
mkdir -p $PLACE

# Captures the picture with the help over it, with the fonts in share/.
text() { # FILE ARGUMENT...
    local file=$PWD/$1
    shift
    printf 'wait complete\nkey H\nkey H\nkey F1\nwait 100\ncapture %s\n' "$file" >help.script
    XDG_DATA_DIRS=$PWD/share timeout 60 "$FATHOM" --size 320x250 --iterations 20 --samples 1 --auto-limit off \
        --script help.script "$@" 2>err.log || fail "$file: status $? ($(cat err.log))"
}

text missing.ppm -v
grep -q 'there is no DejaVuSans.ttf' err.log || fail "-v does not tell of a missing font: $(cat err.log)"
text silent.ppm
[ -s err.log ] && fail "a missing font is worth words: $(cat err.log)"
cp "$font" $PLACE/
text font.ppm -v
grep -q "text is drawn with '.*DejaVuSans.ttf'" err.log || {
    [ "$(grep -c 'FATHOM_IMGUI_FREETYPE:INTERNAL=1' "$(dirname "$FATHOM")/CMakeCache.txt")" = 1 ] || {
        echo 'skipped: Dear ImGui was built without FreeType'
        exit 77
    }
    fail "-v does not tell which font is used: $(cat err.log)"
}
cmp -s missing.ppm silent.ppm || fail 'the built-in font differs from run to run'
cmp -s missing.ppm font.ppm && fail 'with a font text looks as without'

# A damaged or empty font file is treated as a missing one, without delay.
falls_back() { # WHAT
    text fallback.ppm
    [ -s err.log ] && fail "$1 is worth words: $(cat err.log)"
    cmp -s fallback.ppm missing.ppm || fail "with $1 text is not the built-in font's"
    rm -rf $PLACE/DejaVuSans.ttf
}
: >$PLACE/DejaVuSans.ttf
falls_back 'an empty file'
head -c 300000 "$font" >$PLACE/DejaVuSans.ttf
falls_back 'the first 300000 bytes of a font'
truncate -s 100G $PLACE/DejaVuSans.ttf
falls_back 'a font of 100 GB'
mkfifo $PLACE/DejaVuSans.ttf
falls_back 'a pipe'
# The next folder's font is used.
mkdir -p share/fonts/TTF
head -c 1000 "$font" >$PLACE/DejaVuSans.ttf
cp "$font" share/fonts/TTF/
text next.ppm
cmp -s next.ppm font.ppm || fail "behind a damaged font a sound one is not found: $(cat err.log)"

# Letters of other scripts differ; the built-in font draws them as question marks.
letters=(Ω Σ Ж Ш Ł Ś ė ę)
{
    printf 'wait complete\nkey Ctrl+S\nwait 100\n'
    for i in "${!letters[@]}"; do
        printf 'key Ctrl+A\ntype %s\nwait 50\ncapture %s/%d.ppm\n' "${letters[i]}" "$PWD" "$i"
    done
} >typed.script
XDG_DATA_DIRS=$PWD/share timeout 60 "$FATHOM" --size 320x250 --iterations 20 --samples 1 --auto-limit off \
    --script typed.script 2>err.log || fail "typing: status $? ($(cat err.log))"
for ((i = 0; i < ${#letters[@]}; i += 2)); do
    cmp -s $i.ppm $((i + 1)).ppm && fail "${letters[i]} and ${letters[i + 1]} look the same"
done

[ $failures -eq 0 ]

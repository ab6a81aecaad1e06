# shellcheck shell=bash
# The worked example of docs/adding-a-formula.md: its code makes a formula for which kernels and
# reference agree, and changes no other files.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
page=$FATHOM_SOURCE/docs/adding-a-formula.md
rm -rf copy
mkdir copy
(cd "$FATHOM_SOURCE" && tar cf - render cpu gpu tests/shared tests/install/adding.c) | tar xf - -C copy

# Inserts the page's code for a file before the first line of the file that contains TEXT.
put() { # FILE TEXT
    sed -n "\\#^\`\`\`c $1\$#,/^\`\`\`\$/p" "$page" | sed '1d;$d' >piece
    [ -s piece ] || fail "the page has nothing for $1"
    awk -v text="$2" 'index($0, text) && !done { while ((getline line < "piece") > 0) print line; done = 1 } { print }' \
        "$FATHOM_SOURCE/$1" >"copy/$1"
    lines=$((${lines-0} + $(wc -l <piece)))
}
put render/formula/formula.h 'X(tricorn,'
put tests/shared/judge.h '#define JUDGE_tricorn'
[ "$lines" -le 4 ] || fail "a formula takes $lines lines"

cd copy || exit 1
flags='-std=c17 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. -O1 -ffp-contract=off -fno-trapping-math'
# shellcheck disable=SC2086 # several words
cc $flags -DNUMBER_DOUBLE -DSCALAR_NAME=_base_double -c cpu/scalar/escape_tmpl.c -o tile.o 2>errors &&
    cc $flags tests/install/adding.c render/formula/fractal.c render/number/number_type.c tile.o -o adding \
        -lmpfr -lgmp -lm 2>errors || fail "the example does not compile: $(head -n 5 errors)"
./adding mandelbar_celtic >said || fail "kernel and judge differ: $(cat said)"
[ "$(grep -c '^0 of' said)" = 4 ] || fail "not all were compared: $(cat said)"
finish

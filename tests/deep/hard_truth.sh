# shellcheck shell=bash
# The tables of hard places are as hard_truth makes them, at the places with the lowest limits.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

awk '/^view/ { take = $7 <= 1000 } take' "$FATHOM_SOURCE/tests/deep/truth/folds.txt" >table
[ "$(grep -c ^view table)" -ge 5 ] || fail "too few places are short"
"${FATHOM%/*}/tests/hard_truth" <table >made || fail "hard_truth failed"
cmp table made || fail "a table has other counts than hard_truth"
finish

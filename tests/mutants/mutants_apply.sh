# shellcheck shell=bash
# The list of faults fits the current text: each fault's original occurs once in its file, and its
# tests exist. tests/mutants/run.sh checks that they detect it.
# shellcheck disable=SC2154 # list.sh sets a fault's parts
. "$FATHOM_SOURCE/tests/shared/expect.sh"
. "$FATHOM_SOURCE/tests/mutants/list.sh"

test_names >names
[ "$(wc -l <names)" -gt 100 ] || fail 'the tests could not be listed'
cd "$FATHOM_SOURCE" || exit 1

ids=' '
look() {
    local test
    mutants_put || fail "$id: the original text does not stand in $file exactly once"
    [[ $ids != *" $id "* ]] || fail "$id: there are two of that name"
    ids+="$id "
    [ -n "${tests% gpu}" ] || fail "$id: no test is named"
    for test in ${tests% gpu}; do
        grep -qxF -e "$test" "$OLDPWD/names" || fail "$id: there is no test $test"
    done
}
mutants_each tests/mutants/mutants.txt look
[ "$(wc -w <<<"$ids")" -gt 50 ] || fail "only $(wc -w <<<"$ids") faults were read"
finish

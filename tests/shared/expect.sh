# shellcheck shell=bash
# Sourced by tests of the command line: failures are counted, and what a command says is in files.
set -u
failures=0
failed=$PWD/failed # is there once something has failed, in a subshell too
test_name=${0##*/}
rm -f "$failed"

fail() {
    echo "$test_name: $*"
    failures=$((failures + 1))
    : >"$failed"
}

. "$FATHOM_SOURCE/tests/shared/common.sh"

# expect STATUS COMMAND...: its standard output goes to `out`, its errors to `err`.
expect() {
    local wanted=$1 got
    shift
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted: $*: $(tail -n 5 err)"
}

# The last expect's only message has this in it.
complains() {
    [ "$(wc -l <err)" = 1 ] && grep -q -- "$1" err || fail "said '$(cat err)', not one line with '$1'"
}

# The last line of a test.
finish() {
    [ ! -e "$failed" ] && [ $failures = 0 ] && echo "all passed" && exit 0
    exit 1
}

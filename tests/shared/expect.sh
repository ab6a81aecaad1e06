# shellcheck shell=bash
# Sourced by tests of the command line: counts failures, and keeps a command's output in files.
set -u
failures=0
failed=$PWD/failed # exists once something has failed, even in a subshell
test_name=${0##*/}
rm -f "$failed"

fail() {
    echo "$test_name: $*"
    failures=$((failures + 1))
    : >"$failed"
}

. "$FATHOM_SOURCE/tests/shared/common.sh"

# expect STATUS COMMAND...: checks the exit status; the outputs go to `out` and `err`.
expect() {
    local wanted=$1 got
    shift
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted: $*: $(tail -n 5 err)"
}

# Checks that the last command printed exactly one message, and that it matches PATTERN.
complains() {
    [ "$(wc -l <err)" = 1 ] && grep -q -- "$1" err || fail "said '$(cat err)', not one line with '$1'"
}

# Waits until there is such a file.
await() { # PATTERN
    for _ in {1..6000}; do
        compgen -G "$1" >/dev/null && return
        sleep 0.01
    done
    fail "$1 does not appear"
}

# Returns true if the build writes EXR pictures; otherwise they are left out. Its message is in `err`.
has_exr() {
    "$FATHOM" render --size 8x8 -o has.exr 2>err && return
    left_out 'EXR pictures' 'the build has no OpenEXR'
    return 1
}

# Ends a test; call it last.
finish() {
    [ ! -e "$failed" ] && [ $failures = 0 ] && echo "all passed" && exit 0
    exit 1
}

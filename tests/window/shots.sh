# shellcheck shell=bash
# The table shots.txt: keys, pointer and files, and what a screenshot tells after them. Rows below the same options are
# played by one run of the window, one after the other.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf work
mkdir work
cd work || exit 1
export XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config
cp "$FATHOM_SOURCE/assets/views/seahorse-valley.fathom" .

tells() { # NUMBER EVENTS WORD...
    local number=$1 events=$2 word file got
    file=$(shot "$number")
    for word in "${@:3}"; do
        case $word in
        drawn) check_shot "$file" ;;
        other) cmp -s "$file" "$(shot $((number - 1)))" && fail "$events: as the row above" ;;
        as-*) cmp "$file" "$(shot $((number - ${word#as-})))" || fail "$events: not as ${word#as-} rows above" ;;
        *=*)
            got=$(value "$file" "${word%%=*}")
            [ "$got" = "${word#*=}" ] || fail "$events: ${word%%=*} is '$got', not '${word#*=}'"
            ;;
        *) fail "the table has '$word'" ;;
        esac
    done
}

rows=()
play() { # OPTIONS
    local i
    [ ${#rows[@]} -gt 0 ] || return 0
    rm -rf shots
    printf '%s; wait complete; key S; wait complete; ' "${rows[@]%% -> *}" | sed 's/; /\n/g' >test.script
    # shellcheck disable=SC2086 # several words
    "$FATHOM" --script test.script --screenshots shots --samples 1 --auto-limit off $1 2>err.txt ||
        fail "$1: status $?: $(cat err.txt)"
    for i in "${!rows[@]}"; do
        # shellcheck disable=SC2086
        tells $((i + 1)) "${rows[i]%% -> *}" ${rows[i]##* -> }
    done
    rows=()
}
options=''
while read -r line; do
    case $line in
    '' | '#'*) ;;
    --*)
        play "$options"
        options=$line
        ;;
    *) rows+=("$line") ;;
    esac
done <"$FATHOM_SOURCE/tests/window/shots.txt"
play "$options"
[ $failures -eq 0 ]

# shellcheck shell=bash
# Table shots.txt: keys, pointer and files, and the values in a screenshot after them. One run of
# the window plays all rows below the same options.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config
cp "$FATHOM_SOURCE/assets/views/seahorse-valley.fathom" .

tells() { # NUMBER EVENTS WORD...: checks a screenshot's values
    local number=$1 events=$2 word file got
    file=$(shot "$number")
    for word in "${@:3}"; do
        case $word in
        drawn) check_shot "$file" ;;
        other) cmp -s "$file" "$(shot $((number - 1)))" && fail "$events: as the row above" ;;
        as-*) cmp "$file" "$(shot $((number - ${word#as-})))" || fail "$events: not as ${word#as-} rows above" ;;
        *~*) expect "$events: ${word%%~*}" "($(value "$file" "${word%%~*}") - ${word#*~})^2 < 1e-18" ;;
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

# Copies the picture, with its view, to the clipboard's program, also while a screenshot waits.
mkdir -p keeper
printf '#!%s\necho "$0 $*" >called.txt\nexec cat >copied.png\n' "$(command -v bash)" >keeper/xclip
chmod +x keeper/xclip
printf '%s\n' 'wait complete' 'key S' 'key Ctrl+Shift+C' 'wait complete' 'key S' 'wait complete' >copy.script
copies() { # STATUS ENVIRONMENT...
    rm -rf shots called.txt copied.png
    env -u WAYLAND_DISPLAY -u DISPLAY "${@:2}" "$FATHOM" --script copy.script --screenshots shots --samples 1 --size 64x48 2>err.txt
    [ $? = "$1" ] || fail "copying, ${*:2}: not status $1: $(cat err.txt)"
}
copies 0 DISPLAY=:1 "PATH=$PWD/keeper:$PATH"
grep -q -- 'xclip .*-t image/png' called.txt || fail "xclip was called so: $(cat called.txt)"
[ "$(value "$(shot 1)" zoom)" = 1.5 ] || fail 'no screenshot beside the copy'
check_shot copied.png
"$FATHOM" compare copied.png "$(shot 1)" >compared.txt || fail "another picture was copied: $(cat compared.txt)"
ln -s xclip keeper/wl-copy
copies 0 WAYLAND_DISPLAY=wayland-1 DISPLAY=:1 "PATH=$PWD/keeper:$PATH"
grep -q -- 'wl-copy --type image/png' called.txt || fail "wl-copy was called so: $(cat called.txt)"
# A missing program is reported.
mkdir -p empty
copies 1 DISPLAY=:1 "PATH=$PWD/empty"
grep -q 'install xclip first' err.txt || fail "without xclip: $(cat err.txt)"
copies 1 WAYLAND_DISPLAY=wayland-1 "PATH=$PWD/empty"
grep -q 'install wl-clipboard' err.txt || fail "without wl-copy: $(cat err.txt)"
copies 1 "PATH=$PWD/keeper:$PATH"
grep -q 'no display with a clipboard' err.txt || fail "without a display: $(cat err.txt)"
printf '#!/bin/sh\nexit 3\n' >keeper/failing
chmod +x keeper/failing
ln -sf failing keeper/xclip
copies 1 DISPLAY=:1 "PATH=$PWD/keeper:$PATH"
grep -q 'copied: xclip has failed\|cannot write' err.txt || fail "a program that fails: $(cat err.txt)"
[ $failures -eq 0 ]

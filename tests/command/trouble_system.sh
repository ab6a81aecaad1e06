# shellcheck shell=bash
# Unusual systems: a decimal comma, arbitrary names, no home, no /tmp, no /proc, no standard
# streams; and signals to commands.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
shim=${FATHOM_TESTS:-..}/trouble_shim.so
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
rm -rf names homes locales work point comma ./*.ppm ./*.npy ./*.csv ./*.json ./*.script ./*.fathom ./*.txt out err
printf '[view]\nre = -0.743643887\nim = 0.131825904\nzoom = 1234.5\n' >v.fathom

# --- a locale with a decimal comma ---

# Output with fractions of all kinds.
say_numbers() { # NAME
    "$FATHOM" render v.fathom -o "$1.ppm" --smooth "$1.npy" --size 40x30 &&
        "$FATHOM" render "$1.ppm" -o "$1.again.ppm" && cmp "$1.ppm" "$1.again.ppm" &&
        "$FATHOM" density -o "$1.density.ppm" --size 40x30 --samples 4096 --exposure 1.5 --gamma 0.75 \
            --json >"$1.json" &&
        "$FATHOM" render "$1.ppm" -o "$1.last.ppm" --size 40x30 --json >"$1.render.json" &&
        printf 'wheel 0.75 33.3%% 25%%\nwait complete\nkey S\nwait complete\n' >numbers.script &&
        "$FATHOM" v.fathom --script numbers.script --screenshots "$1" --size 40x30 --json >"$1.explore.json" &&
        mv "$1"/fathom-*.ppm "$1.shot.ppm"
    return
}
printf 'LC_NUMERIC\ncopy "de_DE"\nEND LC_NUMERIC\n' >comma.locale
if mkdir locales && localedef -c -i ./comma.locale -f ISO-8859-1 locales/comma 2>/dev/null
    [ "$(LOCPATH=$PWD/locales LC_NUMERIC=comma bash -c 'printf %.1f 0,5')" = 0,5 ]; then
    say_numbers point || fail 'numbers with a decimal point'
    # The shell itself need not support that locale.
    export LOCPATH=$PWD/locales LC_NUMERIC=comma
    say_numbers comma || fail 'a locale with a decimal comma breaks something'
    "$FATHOM" bench kernels --quick --backend scalar --view interior --csv comma.csv >/dev/null ||
        fail 'no figures with a decimal comma'
    # The test would notice a program that uses the locale:
    if [ -e "$shim" ]; then
        TROUBLE_LOCALE=1 LD_PRELOAD=$shim "$FATHOM" render v.fathom -o x.ppm --size 40x30 --json >taken.json 2>err
        grep -q '_ms": [0-9]*,[0-9]' taken.json || grep -q "is not a number.*'0.0'" err ||
            fail 'the locale of the test has no effect at all'
    fi
    unset LOCPATH LC_NUMERIC
    for end in ppm npy density.ppm shot.ppm; do
        cmp "point.$end" "comma.$end" || fail "a decimal comma changes the $end"
    done
    for file in comma.json comma.render.json comma.explore.json comma.csv; do
        [ -s "$file" ] && ! grep -E '[": ][0-9]+,[0-9]+[,}]' "$file" || fail "$file has decimal commas"
    done
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' comma.csv || fail 'comma.csv has rows of other lengths'
else
    echo 'left out: no locale with a decimal comma can be made here'
fi

# --- names ---

# Checks for one line without characters that a terminal would interpret.
one_clean_line() { # PATTERN
    [ "$(wc -l <err)" = 1 ] && grep -q "$1" err || fail "not one line with '$1': $(cat -v err)"
    LC_ALL=C grep -q '[[:cntrl:]]' err && fail "control characters in: $(cat -v err)"
    iconv -f UTF-8 -t UTF-8 err >/dev/null 2>&1 || fail "no UTF-8: $(cat -v err)"
}
mkdir names
cd names || exit 1
long=$(printf 'x%.0s' {1..251}).ppm # 255 bytes
# shellcheck disable=SC1111 # such names are what this is about
names=($'a\nb.ppm' $'bytes \xff\xfe\x9b.ppm' "$long" $'\xc2\x9b31m%s%n%d.ppm' '--help')
for name in "${names[@]}"; do
    expect 0 "$FATHOM" render -o "$name" --size 9x7
    [ -f "$name" ] || fail "not written: $(printf %q "$name")"
    expect 0 "$FATHOM" render -o again.ppm -- "$name"
    cmp -s -- "$name" again.ppm || fail "not read: $(printf %q "$name")"
    expect 1 "$FATHOM" render -o "$name/x.ppm" --size 9x7
    one_clean_line 'cannot write .*Not a directory'
    expect 1 "$FATHOM" -- "$name/x"
    one_clean_line 'cannot read .*Not a directory'
    expect 1 "$FATHOM" compare -- "$name" "./$name/x"
    one_clean_line 'cannot read .*Not a directory'
    mv -- "$name" view
    mkdir -- "$name"
    cp view "./$name/view"
    expect 1 "$FATHOM" render -o x.ppm -- "$name"
    one_clean_line 'it is a folder'
    [ "$name" = "${name%$'\n'*}" ] || { rm -rf -- "$name" && continue; }
    # The window names files as commands do, so two kinds of names are sufficient.
    case $name in bytes* | --help) ;; *) rm -rf -- "$name" && continue ;; esac
    printf 'wait complete\nkey S\nwait complete\ngoto %s/view\nwait complete\n' "./$name" >"./$name/script"
    expect 0 "$FATHOM" --script "./$name/script" --screenshots "$name" --size 32x24
    ls -- "./$name"/fathom-*.ppm >/dev/null || fail "no screenshot in $(printf %q "$name")"
    rm -rf -- "$name"
done
cd .. || exit 1

# --- environment ---

printf 'wait complete\nkey S\nwait complete\n' >shot.script
mkdir homes
draws() { # WHAT ENV-ARGUMENTS...
    local what=$1
    shift
    expect 0 env "$@" "$FATHOM" render -o homes/x.ppm --size 32x24
    [ -s err ] && fail "$what: render says $(cat err)"
}
works() { # WHAT ENV-ARGUMENTS...
    local what=$1
    draws "$@"
    shift
    rm -rf homes/shots
    expect 0 env "$@" "$FATHOM" --script shot.script --screenshots homes/shots --size 32x24
    [ -s err ] && fail "$what: the explorer says $(cat err)"
    ls homes/shots/fathom-*.ppm >/dev/null || fail "$what: no screenshot"
}
works 'no home' -u HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME -u XDG_DATA_HOME -u XDG_RUNTIME_DIR
draws 'an empty home' HOME= XDG_CONFIG_HOME= XDG_STATE_HOME= XDG_DATA_HOME=
draws 'a home that is not there' -u XDG_CONFIG_HOME -u XDG_STATE_HOME HOME=/nowhere/at/all
works 'a home in which nothing can be written' -u XDG_CONFIG_HOME -u XDG_STATE_HOME HOME=/proc
draws 'folders with relative names' XDG_CONFIG_HOME=a/b XDG_STATE_HOME=c XDG_DATA_HOME=d
works 'no environment' -i SDL_VIDEODRIVER="$SDL_VIDEODRIVER" ASAN_OPTIONS="$ASAN_OPTIONS" \
    LSAN_OPTIONS="${LSAN_OPTIONS-}"
draws 'a TMPDIR that is not there' TMPDIR=/nowhere
expect 0 env -u HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME "$FATHOM" info

# Without --screenshots and without a home, screenshots go to the current folder.
(
    mkdir homes/here && cd homes/here || exit 1
    env -u HOME "$FATHOM" --script ../../shot.script --size 32x24 && ls fathom-*.ppm >/dev/null
) || fail 'no home: screenshots are not put into the current folder'

# Runs the program in a name space in which FOLDER is replaced.
masked() { # FOLDER HOW...
    local folder=$1
    shift
    case $FATHOM in
    "$folder"/*)
        echo "left out: the program itself is in $folder"
        return
        ;;
    esac
    # shellcheck disable=SC2016 # for the inner shell
    if unshare -m bash -c '"$@"' mask "$@" 2>/dev/null; then
        # shellcheck disable=SC2016
        expect 0 unshare -m bash -c '"${@:2:$1}" && shift $(($1 + 1)) && "$@"' mask $# "$@" \
            "$FATHOM" --script shot.script --screenshots homes/masked --size 32x24
        [ -s err ] && fail "$folder: said $(cat err)"
    else
        echo "left out: $folder cannot be hidden here"
    fi
}
masked /tmp mount -t tmpfs -o size=4k,ro tmpfs /tmp
# clang's OpenMP and the address sanitizer need these folders.
if [ -z "${FATHOM_SANITIZED-}" ]; then
    masked /dev/shm mount -t tmpfs -o size=4k,ro tmpfs /dev/shm
    masked /proc mount -t tmpfs -o size=4k,ro tmpfs /proc
fi

# The current folder was removed.
(
    mkdir homes/gone && cd homes/gone && rmdir ../gone || exit 1
    "$FATHOM" render -o "$OLDPWD/homes/gone.ppm" --size 8x8
) || fail 'does not work in a folder that is gone'

# Standard streams that are closed, one by one and all.
for streams in '>&-' '2>&-' '<&-' '<&- >&- 2>&-'; do
    rm -rf homes/x.ppm
    eval "\"\$FATHOM\" render v.fathom -o homes/x.ppm --size 40x30 $streams" || fail "render $streams fails"
    "$FATHOM" render homes/x.ppm -o homes/y.ppm && cmp -s homes/x.ppm homes/y.ppm ||
        fail "render $streams: another picture"
done
"$FATHOM" --script shot.script --screenshots homes/shots --size 32x24 <&- >&- 2>&- ||
    fail 'the explorer fails without standard streams'
expect 1 bash -c '"$FATHOM" info >&-'
grep -q 'cannot write to standard output' err || fail "info without an output: $(cat err)"

# --- few threads ---

# The threads that can be started do the work, also in the window, and a message says so; if none
# can be started, a message says that.
few_threads() { # WHAT ENV-ARGUMENTS...
    local what=$1
    shift
    rm -rf homes/shots homes/[xdc].ppm
    expect 0 env "$@" render slow.fathom -o homes/x.ppm --size 64x48 --threads 9 --backend scalar
    one_clean_line 'only [1-4] of 9 threads can be started'
    cmp -s homes/x.ppm homes/usual.ppm || fail "$what: another picture"
    expect 0 env "$@" density --size 64x48 --samples 4096 --threads 9 -o homes/d.ppm
    one_clean_line 'only [1-4] of 9 threads can be started'
    expect 0 env "$@" classic 64 48 --threads 9 -o homes/c.ppm
    one_clean_line 'only [1-4] of 9 threads can be started'
}
printf '[view]\nre = 0\nim = 0\nzoom = 10\n' >slow.fathom
"$FATHOM" render slow.fathom -o homes/usual.ppm --size 64x48 --backend scalar
if [ -e "$shim" ]; then
    few_threads '6 threads' LD_PRELOAD="$shim" TROUBLE_THREADS=6 "$FATHOM"
    expect 0 env LD_PRELOAD="$shim" TROUBLE_THREADS=7 "$FATHOM" --script shot.script --screenshots homes/shots \
        --size 32x24 --threads 9 --backend scalar
    grep -q 'only [1-5] of 9 threads' err && ls homes/shots/fathom-*.ppm >/dev/null ||
        fail "few threads in the window: $(cat err)"
    expect 1 env LD_PRELOAD="$shim" TROUBLE_THREADS=0 "$FATHOM" render slow.fathom -o homes/x.ppm
    one_clean_line 'cannot start a thread'

    # With one thread everything works: references, files, exact arithmetic and searches.
    deep=('-1.7548776662466927600495 + 0i 1e20' --size 64x48 --iterations 3000 --backend scalar --threads 1)
    "$FATHOM" render "${deep[@]}" -o homes/deep.ppm
    expect 0 env LD_PRELOAD="$shim" TROUBLE_THREADS=1 "$FATHOM" render "${deep[@]}" -o homes/x.ppm
    one_clean_line 'cannot start a thread for a reference, so all else waits for it'
    cmp homes/x.ppm homes/deep.ppm || fail 'with one thread: another deep picture'
    expect 0 env LD_PRELOAD="$shim" TROUBLE_THREADS=1 "$FATHOM" verify "${deep[@]}" --points 3
    expect 0 env LD_PRELOAD="$shim" TROUBLE_THREADS=0 "$FATHOM" locate
    grep -q '^minibrot of period 3,' out || fail "without a thread, locate says $(cat out)"
    expect 0 env LD_PRELOAD="$shim" TROUBLE_THREADS=6 "$FATHOM" --script shot.script --screenshots homes/shots1 \
        --size 32x24 --threads 1 --backend scalar
    ls homes/shots1/fathom-*.ppm >/dev/null || fail "no screenshot without a thread for it: $(cat err)"

    # It can be interrupted.
    env LD_PRELOAD="$shim" TROUBLE_THREADS=0 "$FATHOM" locate "$FATHOM_SOURCE/tests/data/locations/e8000.fathom" >out 2>err &
    process=$!
    catches $process TERM
    kill -TERM $process
    wait $process
    [ $? = 1 ] || fail "interrupted without a thread, it ends with another status than 1"
    grep -q 'interrupted; nothing was found yet' err || fail "interrupted without a thread: $(cat err)"

    # Without memory it ends with a reason and without a crash, including its threads. The reason may
    # be the OpenMP library's, which ends the program. (Sanitizers replace the memory functions
    # themselves.)
    for most in 5 240 280 320 360 380 400 440; do
        [ -z "${FATHOM_SANITIZED-}" ] || break
        env LD_PRELOAD="$shim" TROUBLE_ALLOCATIONS=$most "$FATHOM" render "${deep[@]}" --threads 3 -o homes/x.ppm >out 2>err
        status=$?
        [ $status = 1 ] && grep -Eq '^(fathom: error|libgomp): ' err || fail "after $most allocations: status $status, $(cat err)"
    done
fi
# A limit of the system, for a user with no other processes.
for limit in 3; do
    alone=(setpriv --reuid $((610000 + $$ % 10000)) --regid 65534 --clear-groups prlimit --nproc=$limit)
    chmod 777 homes
    if [ "$("${alone[@]}" id -u 2>/dev/null)" = $((610000 + $$ % 10000)) ] && "${alone[@]}" test -x "$FATHOM"; then
        few_threads "ulimit -u $limit" XDG_CONFIG_HOME=/nowhere "${alone[@]}" "$FATHOM"
    else
        echo 'left out: no other user can run the program here'
        break
    fi
done

# --- signals to commands ---

# interrupted SIGNALS COMMAND...: sends the signals one after the other to a run that would take
# forever; returns its status.
interrupted() { # SIGNALS COMMAND...
    local signals=$1 signal program
    shift
    env --default-signal=INT,TERM,HUP "$@" >out 2>err &
    program=$!
    # shellcheck disable=SC2086 # several
    catches $program $signals
    sleep 0.3
    for signal in $signals; do
        kill -s "$signal" $program 2>/dev/null
        sleep 0.2
    done
    timeout 20 tail --pid=$program -f /dev/null || {
        fail "still there after $signals: $*"
        kill -9 $program
    }
    wait $program
}
printf '[view]\nre = 0\nim = 0\nzoom = 10\n' >slow.fathom
slow=(--size 2000x2000 --iterations 2147483647 --shortcuts none --threads 1)
mkdir work
echo precious >work/x.ppm
for signal in INT TERM HUP; do
    interrupted $signal "$FATHOM" render slow.fathom -o work/x.ppm "${slow[@]}"
    [ $? = 1 ] && grep -q 'interrupted; nothing was written' err || fail "SIG$signal to render: $(cat err)"
    [ "$(cat work/x.ppm; ls -A work)" = $'precious\nx.ppm' ] || fail "SIG$signal left $(ls -A work)"
done
# An image that takes long to read: a sparse file of 12 GB.
printf 'P6 65536 65536 255\n' >huge.ppm
truncate -s $((19 + 3 * 65536 * 65536)) huge.ppm
printf '[view]\nzoom = 1\n[colour]\nby = image\nimage = huge.ppm\n' >huge.fathom
interrupted TERM "$FATHOM" render huge.fathom -o work/x.ppm --size 64x48
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q "'huge.ppm' cannot be read: .*interrupted" err ||
    fail "SIGTERM while an image is read: $(cat err)"
rm huge.ppm
interrupted TERM "$FATHOM" density --size 64x48 -o work/d.ppm --seconds 60 --threads 1
[ $? = 1 ] && grep -q 'interrupted; the result of [0-9]* samples was written' err || fail "SIGTERM to density: $(cat err)"
"$FATHOM" density work/d.ppm -o work/again.ppm >/dev/null && cmp -s work/d.ppm work/again.ppm ||
    fail 'SIGTERM to density: the picture is not what its samples give'
rm -f work/d.ppm work/again.ppm
[ "$(cat work/x.ppm; ls -A work)" = $'precious\nx.ppm' ] || fail "SIGTERM to density left $(ls -A work)"
# Several signals in turn: the first one interrupts it, and it may end before the others arrive.
interrupted 'INT INT INT' "$FATHOM" render slow.fathom -o work/x.ppm "${slow[@]}"
status=$?
[ $status = 1 ] || [ $status = 130 ] || fail "three times SIGINT: status $status: $(cat err)"
[ "$(cat work/x.ppm)" = precious ] || fail "three times SIGINT: the older picture is lost"
rm -f work/.fathom-*
# A program that ignores a closed terminal (nohup) continues.
(
    trap '' HUP
    "$FATHOM" density --size 64x48 -o work/d.ppm --seconds 0.6 --threads 1 >/dev/null 2>err &
    sleep 0.3
    kill -HUP $!
    wait $!
) || fail "an ignored SIGHUP: $(cat err)"

finish

# shellcheck shell=bash
# Windows that are resized, hidden, closed and killed, displays that differ or disappear, and
# insufficient graphics: the program continues, or ends within moments with one sentence.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh" xkill
shim=${FATHOM_TESTS:-..}/trouble_shim.so
closer=${FATHOM_TESTS:-..}/trouble_close
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
rm -rf shots disk ./*.ppm ./*.script ./*.fathom ./*.log
mkdir shots

start() { # ARGUMENTS...
    start_program --size 320x240 "$@"
    xdotool windowmove "$window" 0 0 mousemove 160 120
    sleep 0.1
}

# Checks that the program ends on its own with that status, with one sentence, or with none if the
# status is 0.
ends() { # WHAT STATUS
    local status
    ended
    status=$?
    [ $status = 99 ] && kill -9 "$program"
    program=''
    [ $status = "$2" ] || fail "$1: status $status (99: still there), not $2: $(cat fathom.log)"
    said_once "$1" "$2" fathom.log
}

said_once() { # WHAT STATUS FILE
    if [ "$2" = 0 ]; then
        [ ! -s "$3" ] || fail "$1: said $(cat "$3")"
    else
        [ "$(wc -l <"$3")" = 1 ] && grep -q '^fathom: error: ' "$3" ||
            fail "$1: not one sentence: $(cat "$3")"
    fi
}

slow=(--iterations 2000000000 --shortcuts none --threads 1)
start_server 1280x1024

# Any size, often, while a picture is drawn; then a whole picture.
start
xdotool windowsize "$window" 1 1
sleep 0.3
for ((i = 0; i < 20; i++)); do
    echo "windowsize $window $((1 + i * 7919 % 900)) $((1 + i * 104729 % 700))"
    [ $((i % 7)) = 0 ] && echo 'click 4' && echo 'key bracketright'
done | xdotool -
xdotool windowsize --sync "$window" 333 222 key r
sleep 0.5
take_shot
check_shot "$shot"
expect 'the last of 20 sizes' "$(value "$shot" width) == 333 && $(value "$shot" height) == 222"

# Wider than textures can be: the picture has the largest possible size.
xdotool windowsize "$window" 32000 9
sleep 1
take_shot
expect 'a window wider than any texture' "$(value "$shot" width) >= 2048 && $(value "$shot" width) < 32000"
xdotool windowsize --sync "$window" 320 200

# Hidden while drawing, with events meanwhile, shown again, and hidden when it quits.
xdotool windowunmap "$window"
sleep 0.3
for ((i = 0; i < 20; i++)); do
    xdotool key --window "$window" plus click --window "$window" 5
done
xdotool windowmap --sync "$window" windowfocus "$window" key r
sleep 0.5
take_shot
check_shot "$shot"
kill -STOP "$program"
sleep 0.3
kill -CONT "$program"
take_shot
check_shot "$shot"
xdotool windowunmap "$window"
sleep 0.3
kill -TERM "$program"
ends 'told to end while hidden' 0

# A screenshot that cannot be written is reported, and the program continues.
mkdir disk
start --screenshots disk/nothing
rmdir disk
: >disk
xdotool key s
for ((i = 0; i < 200; i++)); do
    [ -s fathom.log ] && break
    sleep 0.05
done
kill -0 "$program" || fail 'a screenshot that cannot be saved ends the program'
xdotool key q
ended &&  said_once 'no screenshot' 1 fathom.log && grep -q "'disk/nothing" fathom.log ||
    fail "a screenshot that cannot be saved: $(cat fathom.log)"

# Ways to end it while it works.
if [ -x "$closer" ]; then
    start "${slow[@]}"
    "$closer" "$window"
    ends 'closed by the window manager' 0
else
    left_out 'closed by the window manager' "there is no $closer"
fi
start "${slow[@]}"
catches "$program" HUP
kill -HUP "$program"
ends SIGHUP 0
start "${slow[@]}"
xkill -id "$window" >/dev/null
ends 'its connection cut' 1
start
xdotool windowclose "$window"
ends 'its window destroyed' 1
# A screenshot waits for a picture that takes hours: a first Q waits for it a little; a second one
# does not, and neither does a signal.
for second in q TERM; do
    start "${slow[@]}" --screenshots shots -v
    xdotool key --window "$window" s key --window "$window" q # without the focus, which may come late
    for ((i = 0; i < 600; i++)); do
        grep -q 'quitting when the screenshot is saved' fathom.log && break
        sleep 0.05
    done
    kill -0 "$program" 2>/dev/null || fail 'Q does not wait for the screenshot at all'
    [ $second = q ] && xdotool key --window "$window" q
    [ $second = TERM ] && kill -TERM "$program"
    ended
    status=$?
    grep '^fathom: error: ' fathom.log >error.log
    said_once "S, Q and $second" $status error.log
    [ $status = 1 ] && grep -q 'screenshot was not saved' error.log ||
        fail "S, Q and $second: status $status (99: still there): $(cat fathom.log)"
done
start "${slow[@]}"
stop_server
ends 'the X server is gone' 1

# Textures smaller than the window, and a card without memory.
start_server 1280x1024
if [ -e "$shim" ]; then
    LD_PRELOAD=$shim TROUBLE_TEXTURES=512 start
    xdotool windowsize --sync "$window" 1000 300
    sleep 0.5
    take_shot
    expect 'textures of 512' "$(value "$shot" width) == 512 && $(value "$shot" height) == 153"
    check_shot "$shot"
    xdotool key q
    ends 'small textures' 0
    LD_PRELOAD=$shim TROUBLE_TEXTURES=700 TROUBLE_MEMORY=1 start
    xdotool windowsize --sync "$window" 1000 300
    ends 'no memory for textures' 1
    grep -q 'no graphics memory for a picture of 1000x300' fathom.log || fail "no memory: $(cat fathom.log)"
    LD_PRELOAD=$shim TROUBLE_SCALE=1 start
    for ((i = 0; i < 40; i++)); do
        echo "windowmove $window $((i * 5)) $((i * 3)) mousemove $((i * 6)) $((i * 5)) click 4 click 5"
    done | xdotool -
    take_shot
    check_shot "$shot"
    xdotool key q
    ends 'displays of many scales' 0
else
    echo "left out: there is no $shim"
fi
stop_server

# Graphics that cannot be used.
printf 'wait complete\nwheel 1\nwait complete\n' >any.script
refused() { # WHAT PATTERN ENVIRONMENT...
    local what=$1 pattern=$2
    shift 2
    timeout 120 env "$@" "$FATHOM" --script any.script >out.log 2>refused.log
    local status=$?
    [ $status = 1 ] || fail "$what: status $status"
    said_once "$what" 1 refused.log
    grep -q "$pattern" refused.log || fail "$what: $(cat refused.log)"
}
export SDL_VIDEODRIVER=offscreen
refused 'OpenGL 2.1' "OpenGL 3.3 is needed, this display has '2.1" MESA_GL_VERSION_OVERRIDE=2.1
refused 'no EGL library' 'EGL library' SDL_VIDEO_EGL_DRIVER=/nowhere/libEGL.so.1
refused 'a driver without OpenGL' 'OpenGL' SDL_VIDEODRIVER=dummy
refused 'a video driver that does not exist' 'no display' SDL_VIDEODRIVER=nonsense
refused 'no display' 'no display' SDL_VIDEODRIVER=x11 DISPLAY=:987
[ -e "$shim" ] && refused 'a GPU that was reset' 'has reset the GPU' LD_PRELOAD="$shim" TROUBLE_RESET=1
start_server 1280x1024 -extension GLX
refused 'a display without GLX' 'or use fathom render' SDL_VIDEODRIVER=x11 DISPLAY="$DISPLAY"
stop_server

ls core* >/dev/null 2>&1 && fail "left $(ls core*)"
[ $failures -eq 0 ]

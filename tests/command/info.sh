# shellcheck shell=bash
# fathom info with a display, without OpenGL, with a display that does not respond, and without one.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

rm -rf work
mkdir -p work/config/fathom work/home
cd work || exit 1
export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
unset WAYLAND_DISPLAY DISPLAY XDG_RUNTIME_DIR
server=''
stop_server() {
    [ -n "$server" ] && kill -KILL "$server" 2>/dev/null
    wait 2>/dev/null
    server=''
}
trap stop_server EXIT

# Prints the value of one line.
told() { # NAME
    sed -n "s/^  $1:\{0,1\}  *//p" out
}

info() { # expects no complaint
    expect 0 "$FATHOM" info "$@"
    [ ! -s err ] || fail "info said: $(cat err)"
}

# Without a display: offscreen as the tests set it, with SDL's own choice, and with a wrong one.
info
[ "$(told driver)" = offscreen ] || fail "the display's driver: $(cat out)"
grep -q '^fathom [0-9.]*, [a-z]* build with [a-z]* [0-9.]*.*, with.* CUDA$' out || fail "the build: $(head -n 1 out)"
grep -Eq '^OpenMP [0-9]\.[0-9], drawing with [0-9]+ threads?$' out || fail "OpenMP: $(cat out)"
for library in SDL MPFR GMP libpng GLEW 'Dear ImGui'; do
    told "$library" | grep -Eqx '[0-9.]+ \(compiled against [0-9.]+\)' || fail "$library: $(told "$library")"
done
told libjpeg | grep -Eqx '[0-9]+[a-z]? \(compiled against [0-9]+[a-z]?(, libjpeg-turbo [0-9.]+)?\)' ||
    fail "libjpeg: $(told libjpeg)"
if "$FATHOM" render -o built.webp --size 1x1 2>err; then
    told libwebp | grep -Eqx '[0-9.]+ \(compiled against [0-9.]+\)' || fail "libwebp: $(told libwebp)"
fi
if "$FATHOM" render -o built.exr --size 1x1 2>err; then
    told OpenEXR | grep -Eqx '[0-9.]+ \(compiled against [0-9.]+\)' || fail "OpenEXR: $(told OpenEXR)"
fi
grep -q '^  cuda  *' out || grep -q '^CUDA:' out || fail "nothing about CUDA: $(cat out)"
(
    unset SDL_VIDEODRIVER
    info
    grep -q '^  no window:  *no display' out || fail "without a display: $(cat out)"
    exit $failures
) || failures=$((failures + 1))
SDL_VIDEODRIVER=nonsense info
grep -q '^  no window:  *no display (.*nonsense' out || fail "with a wrong driver: $(cat out)"

# Existing and missing files.
[ "$(told settings)" = "$PWD/config/fathom/config (not there; fathom config prints one)" ] ||
    fail "settings: $(told settings)"
echo '# empty' >config/fathom/config
info
[ "$(told settings)" = "$PWD/config/fathom/config" ] || fail "settings: $(told settings)"
[ "$(told screenshots)" = "$HOME/Pictures (made when needed)" ] || fail "screenshots: $(told screenshots)"
mkdir -p data/fathom/palettes
XDG_DATA_HOME=$PWD/data info
[ "$(told 'own views')" = "$PWD/data/fathom/views (none yet)" ] || fail "own views: $(told 'own views')"
[ "$(told palettes)" = "$PWD/data/fathom/palettes" ] || fail "palettes: $(told palettes)"
HOME='' XDG_CONFIG_HOME='' XDG_STATE_HOME='' info --threads 3
[ "$(told settings)" = 'none, as there is no home folder' ] || fail "without a home: $(told settings)"
grep -q 'drawing with 3 threads' out || fail "--threads 3: $(cat out)"

info --json
if can python3 'what info --json says'; then
    python3 -c '
import json, sys
info = json.load(sys.stdin)
assert info["display"]["driver"] == "offscreen" and not info["display"]["why"], info["display"]
assert info["files"]["settings"].endswith("/config/fathom/config")
assert info["libraries"]["SDL"]["linked"] and info["openmp"] and info["drawing_threads"] > 0
assert any(b["name"] == "scalar" and b["usable"] for b in info["backends"])
' <out || fail "info --json: $(cat out)"
fi

# File names cannot send raw bytes to a terminal or break JSON: bytes except UTF-8 are escaped.
odd=$PWD/$'h\303\274me \e[31m"\\\302\233\377'
mkdir -p "$odd/data/fathom/views"
printf '[view]\nzoom = 2\n' >"$odd/data/fathom/views/"$'\e]0;x\a\e[31mred.fathom'
for command in list info config; do
    expect 0 env XDG_CONFIG_HOME="$odd" XDG_DATA_HOME="$odd/data" "$FATHOM" $command
    LC_ALL=C grep -q $'[\001-\011\013-\037\177]' out && fail "$command: $(cat -v out)"
done
expect 0 env XDG_DATA_HOME="$odd/data" "$FATHOM" list views
grep -qF '\x1b]0;x\x07\x1b[31mred' out || fail "list has no view of an odd name: $(cat -v out)"
expect 0 env XDG_CONFIG_HOME="$odd" "$FATHOM" info --json
grep -qF $'/h\303\274me \\u001b[31m\\"\\\\\\u009b\\ufffd/fathom/config"' out || fail "info --json: $(cat -v out)"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.loads(sys.stdin.buffer.read().decode("utf-8"))' <out || fail 'that is no JSON'
else
    echo 'left out: no python3 to read JSON with'
fi

# --verbose reports each choice once, for any number of pictures; without it there is no output.
printf 'wait complete\nwheel 3\nwait complete\nkey Shift+m\nwait complete\nkey Shift+m\nkey c\nwait complete\n' >tour.script
FATHOM_THREADS=1 expect 0 "$FATHOM" --script tour.script --size 64x48 --backend scalar
[ ! -s err ] || fail "said without being asked: $(cat err)"
FATHOM_THREADS=1 expect 0 "$FATHOM" --script tour.script --size 64x48 --backend scalar --verbose
for line in 'FATHOM_THREADS=1 in the environment' 'OpenGL [0-9.]* .* on ' 'drawing with scalar on .* 1 thread' \
    'window of 64x48 pixels by .* offscreen' 'scalar draws in double, tiled into host memory' \
    'scalar draws in double, scanline into host memory'; do
    [ "$(grep -c "^fathom: $line" err)" = 1 ] || fail "not once '$line' with --verbose: $(cat err)"
done
[ -z "$(sort err | uniq -d)" ] || fail "said more than once: $(sort err | uniq -d)"
CUDA_VISIBLE_DEVICES='' expect 0 "$FATHOM" render -v -o x.ppm --size 8x8 --cpumask none
grep -q "settings are read from '$PWD/config/fathom/config'" err || fail "render -v: $(cat err)"
grep -q 'avx2 passed over: ' err || fail "render -v does not tell why not avx2: $(cat err)"

command -v Xvfb >/dev/null || {
    left_out 'displays' 'there is no Xvfb'
    finish
}
start_server() { # ARGUMENTS...
    rm -f display
    mkfifo display
    Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp "$@" 3>display 2>xvfb.log &
    server=$!
    read -r number <display || {
        fail "no Xvfb: $(cat xvfb.log)"
        finish
    }
    export DISPLAY=:$number
}
export SDL_VIDEODRIVER=x11
start_server
info
[ "$(told driver)" = x11 ] || fail "in a window system: $(cat out)"
told OpenGL | grep -q '^[34]\.[0-9]' || fail "OpenGL: $(told OpenGL)"
[ -n "$(told renderer)" ] || fail "no renderer: $(cat out)"
grep -q 'no window' out && fail "a window is possible: $(cat out)"
MESA_GL_VERSION_OVERRIDE=2.1 info
grep -q '^  no window:  *OpenGL 3.3 is needed' out && told OpenGL | grep -q '^2\.1' ||
    fail "with OpenGL 2.1: $(cat out)"
kill -STOP $server
info
grep -q '^  no window:  *the display does not answer' out || fail "without an answer: $(cat out)"
stop_server
start_server -extension GLX
info
grep -q '^  no window:  *no OpenGL (' out || fail "without OpenGL: $(cat out)"
stop_server
info
grep -q '^  no window:  *no display (' out || fail "after the server has ended: $(cat out)"

finish

# shellcheck shell=bash
# Pixels that OpenCL writes into OpenGL's buffers, where its library says that they can be shared and they are: the window's
# pictures are those of a scalar backend. Where OpenGL does not see them, or there is no context for that, they go through
# host memory.
. "$FATHOM_SOURCE/tests/opencl/other_cl.sh"

# The window without its text; then what is drawn anew, moved, recoloured, and of another size.
cat >tour.script <<'END'
wait complete
key H
key H
wait 1
capture window.ppm
key S
wheel 4 44.84% 45.83%
wait complete
key S
drag 54.69% 58.33% 50% 45.83% 6
wait complete
key C
wait complete
key S
resize 150 100
wait complete
wheel 2 30% 40%
wait complete
key S
wait complete
END

# pixels FILE: of a picture.
pixels() {
    tail -c $((96 * 64 * 3)) "$1"
}

# tours MODE INTEROP TEXT: by that way, and told so; what the window shows at first, and each screenshot, of the picture itself,
# are what a scalar backend draws.
tours() {
    OTHER_CL=$1
    mkdir "$1"
    LD_LIBRARY_PATH=$other_cl expect 0 "$FATHOM" -v --script tour.script \
        --screenshots "$1" --size 96x64 --samples 1 --iterations 3000 --json --auto-limit off --no-config \
        --backend opencl --device pthread
    grep -q "\"interop\": \"$2\"" out || fail "$1: not by way of $2: $(cat out)"
    [ -z "$3" ] || grep -q "$3" err || fail "$1: not told '$3': $(cat err)"
    [ "$(find "$1" -name '*.ppm' | wc -l)" = 5 ] || fail "$1: not five pictures: $(ls "$1")"
    local picture
    for picture in "$1"/fathom-*.ppm; do
        expect 0 "$FATHOM" render "$picture" --backend scalar -o again.ppm
        cmp "$picture" again.ppm || fail "$1: the scalar backend draws another picture than $picture"
    done
    cmp <(pixels "$1/fathom-"*-001.ppm) <(pixels "$1/window.ppm") || fail "$1: the window shows another picture"
}

tours none host ''
tours sharing gl "OpenCL draws into OpenGL's buffers"
tours ordered gl "OpenCL draws into OpenGL's buffers"
tours unseen host 'lists that it shares .*, but it does not'
tours refused host ''
tours stuck host 'lists that it shares .*, but it does not'

# grows SCRIPT OPTION...: OpenGL gets the buffer again and again while a picture is under way, beyond the trial's two times.
grows() {
    local script=$1
    shift
    OTHER_CL=sharing
    LD_LIBRARY_PATH=$other_cl expect 0 "$FATHOM" -v --script "$script" --size 96x64 \
        --samples 1 --no-config --backend opencl --device pthread "$@"
    grep -q "into OpenGL's memory" err || fail "$script: not drawn into OpenGL's buffers: $(cat err)"
    [ "$(sed -n 's/OpenGL got its buffers back \([0-9]*\) times/\1/p' err)" -ge 5 ] ||
        fail "$script: nothing is seen on the way: $(cat err)"
}
printf 'wait 1500\nquit\n' >long.script
grows long.script --iterations 20000000 --interior-tests none --auto-limit off
printf 'key D\nwait samples 1e5\nwait 500\nquit\n' >density.script
grows density.script
finish

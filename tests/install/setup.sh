# shellcheck shell=bash disable=SC2016
# Messages and actions of ./run on other machines: run and cmake/setup.sh with a PATH that has only
# the shell's ordinary tools and stand-ins for id, sudo, apt-get and cmake.
set -u
tree=$PWD/tree
bin=$PWD/bin
system=$PWD/system
failures=0

fresh_machine() { # OS-RELEASE-LINE...
    rm -rf "$tree" "$bin" "$system"
    mkdir -p "$tree/cmake" "$bin" "$system/etc" "$system/usr/include"
    cp "$FATHOM_SOURCE/cmake/setup.sh" "$tree/cmake/"
    cp "$FATHOM_SOURCE/run" "$tree/"
    printf '%s\n' "$@" >"$system/etc/os-release"
    local tool
    for tool in bash cat chmod cut dirname env grep mkdir nproc readlink rm sed sleep tail true; do
        ln -s "$(type -P "$tool")" "$bin/"
    done
    stand_in id 'echo 1000'
}

stand_in() { # NAME BODY
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# Runs a line with setup.sh sourced; leaves its output in `said` and its status in `status`.
setup() { # LINE
    said=$(unset DEBIAN_FRONTEND; PATH=$bin FATHOM_SETUP_SYSTEM=$system bash -uc \
        ". '$tree/cmake/setup.sh'; $1" 2>&1)
    status=$?
}

expect() { # STATUS PATTERN WHAT
    # shellcheck disable=SC2053 # a pattern
    if [ "$status" -eq "$1" ] && [[ $said == $2 ]]; then
        return
    fi
    printf 'FAILED: %s\n  status %s (expected %s), said:\n%s\n  expected: %s\n' \
        "$3" "$status" "$1" "$said" "$2"
    failures=$((failures + 1))
}

debian='gcc g++ cmake ninja-build pkg-config libsdl2-dev libglew-dev libgl-dev libimgui-dev'
debian+=' libfreetype-dev libmpfr-dev libgmp-dev libpng-dev libjpeg-dev libwebp-dev libopenexr-dev libtiff-dev lowdown'

fresh_machine 'ID=debian'
setup 'setup_install build'
expect 1 "*
sudo apt-get update && sudo apt-get install -y $debian" 'Debian without sudo: the exact line'

stand_in sudo 'exit 1'
setup 'setup_install build'
expect 1 "*sudo apt-get install -y $debian" 'Debian, sudo wants a password: the exact line'

for tool in cc c++ cmake ninja pkg-config lowdown; do
    stand_in $tool 'exit 0'
done
mkdir -p "$system/usr/include/imgui"
: >"$system/usr/include/imgui/imgui.h"
setup 'setup_install build'
expect 0 '' 'everything is there: nothing is said or run'

stand_in pkg-config '[ "$2" != mpfr ]'
setup 'setup_install build'
expect 1 '*sudo apt-get install -y libmpfr-dev' 'only what is missing is named'
setup 'setup_install_optional "drawing is slower" build && echo went on'
expect 0 '*libmpfr-dev*continuing without; drawing is slower*went on' 'optional things stop nothing'

fresh_machine 'ID=fedora' 'VERSION_ID=41'
stand_in apt-get 'exit 0'
setup 'setup_install build'
expect 1 '*
sudo dnf install -y gcc gcc-c++ cmake ninja-build pkgconf-pkg-config SDL2-devel glew-devel*' 'Fedora'

fresh_machine 'ID=manjaro' 'ID_LIKE=arch'
setup 'setup_install build'
expect 1 '*
sudo pacman -S --needed gcc cmake ninja pkgconf sdl2 glew libglvnd*' 'a relative of Arch'

fresh_machine 'ID="opensuse-tumbleweed"' 'ID_LIKE="opensuse suse"'
setup 'setup_install build'
expect 1 '*
sudo zypper install -y gcc gcc-c++ cmake*' 'openSUSE'

fresh_machine 'ID=plan9'
setup 'setup_install build'
expect 1 "*Debian's names*install them: $debian" 'an unknown system'

# As root: the first attempt fails because there are no package lists, the second succeeds.
fresh_machine 'ID=ubuntu' 'ID_LIKE=debian'
stand_in id 'echo 0'
stand_in apt-get "echo \"\$DEBIAN_FRONTEND \$*\" >>'$PWD/apt-calls'
case \"\$*\" in
*' update') : >'$PWD/updated' ;;
*) [ -e '$PWD/updated' ] || { echo 'E: Unable to locate package gcc'; exit 100; } ;;
esac"
rm -f apt-calls updated
setup 'setup_install build'
expect 0 "fathom: installing $debian" 'root with stale lists: installed after an update'
said=$(cat apt-calls)
expect 0 "noninteractive *install*$debian
noninteractive *update
noninteractive *install*$debian" 'apt-get is called without a terminal: install, update, install'

stand_in id 'echo 1000'
stand_in sudo '[ "$1" = -n ] && shift && exec "$@"'
rm -f apt-calls
setup 'setup_install build'
expect 0 'fathom: installing *' 'sudo without a password is used'
[ "$(grep -c ' install ' apt-calls)" = 1 ] || status=1
expect 0 '*' 'apt-get was called once through sudo'

stand_in apt-get "echo \"W: Failed to fetch: Temporary failure resolving 'deb.debian.org'\"; exit 100"
setup 'setup_install build'
expect 1 '*could not install*the package server cannot be reached*setup.log)' 'no network'

# From here on everything is installed, and cmake builds a program that prints its arguments.
run() { # ENVIRONMENT ARGUMENT...
    said=$(env -i PATH="$bin" FATHOM_SETUP_SYSTEM="$system" "$1" "$tree/run" "${@:2}" 2>&1)
    status=$?
}

fresh_machine 'ID=debian'
for tool in cc c++ ninja pkg-config lowdown; do
    stand_in $tool 'exit 0'
done
mkdir -p "$system/usr/lib/x86_64-linux-gnu/dri" "$system/usr/share/fonts/TTF"
: >"$system/usr/share/fonts/TTF/DejaVuSans.ttf"
: >"$system/usr/include/imgui.h"
: >"$system/usr/lib/x86_64-linux-gnu/libEGL.so.1"
: >"$system/usr/lib/x86_64-linux-gnu/dri/swrast_dri.so"
stand_in cmake "echo \"\$*\" >>'$PWD/cmake-calls'
case \$1 in
--build) printf '%s\n' '#!$(type -P bash)' 'echo \"\${SDL_VIDEODRIVER-window} \$*\"' >'$tree/build/fathom'
    chmod +x '$tree/build/fathom'
    printf '%s\n' '[1/4] Building a.o' '[3/4] Building b.o' ;;
*) : >'$tree/build/build.ninja'
    printf '%s\n' 'CMAKE_HOME_DIRECTORY:INTERNAL=$tree' 'CMAKE_GENERATOR:INTERNAL=Some' >'$tree/build/CMakeCache.txt' ;;
esac"

rm -f cmake-calls
run DISPLAY=:0 view.fathom
expect 0 "fathom: building in $tree/build *
window view.fathom" 'the first run says that it builds, then starts the program'
run DISPLAY=:0 --size 3x3
expect 0 'window --size 3x3' 'the second is quiet'
said=$(cat cmake-calls)
expect 0 "-S $tree -B $tree/build -G Ninja
--build $tree/build --target fathom --parallel*
--build $tree/build --target fathom --parallel*" 'configured once, for ninja; built each time, the program alone'
for arguments in 'lab classic:fathom fathom-lab:window lab classic' 'bench:fathom fathom-lab:window bench' \
    '--full view.fathom:fathom-install-files:window view.fathom'; do
    rm cmake-calls
    IFS=: read -r arguments targets said_by_program <<<"$arguments"
    # shellcheck disable=SC2086 # a list
    run DISPLAY=:0 $arguments
    expect 0 "$said_by_program" "$arguments are the program's"
    said=$(cat cmake-calls)
    expect 0 "--build $tree/build --target $targets --parallel*" "what $arguments build"
done
run DISPLAY=:0
expect 0 'window ' 'with a display: the window'

# All arguments are passed to the program, with a display or without.
words=$("$FATHOM" --help | sed -n 's/^  fathom \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$words")" -gt 8 ] || { status=1 said=$words && expect 0 '' 'commands are found in --help'; }
for word in $words --help --size -v view.fathom; do
    run A=1 "$word" x
    expect 0 "window $word x" "without a display, $word is the program's"
done
run A=1
expect 0 "*no display*
offscreen --script $tree/tests/data/tour.script --screenshots $tree/build/tour
*screenshots are in $tree/build/tour" 'without a display and arguments: the tour'

# A folder that was configured for make stays so.
run A=1 --version
setup "setup_build '$tree/build' all -DX=1"
said=$(grep '^-S' cmake-calls | tail -n 1)
expect 0 "* -G Some -DX=1" 'configured again with the generator that it has'

# Progress: in lines without a terminal, and on a terminal in one line, which is then removed.
run FATHOM_SETUP_INTERVAL=0 --version
expect 0 'fathom: building, 25 %
fathom: building, 75 %
window --version' 'lines of progress'

# If the costs of the files are known: the remaining time, and shares of the cost.
printf '%s\n' '90.5 a.o' '2.5 b.o' >"$tree/cmake/seconds.txt"
stand_in nproc 'echo 2'
stand_in ninja "printf '%s\n' '[1/3] Building a.o' '[2/3] Building b.o' '[3/3] Linking c' 'ninja: done'"
run FATHOM_SETUP_INTERVAL=0 --version
expect 0 "fathom: building in $tree/build, about 50 seconds (progress in build.log there)
fathom: building, 96 %, about 10 seconds left
fathom: building, 99 %, about 10 seconds left
window --version" 'a long build says how long it takes, and what is left'
printf '%s\n' '190.5 a.o' >"$tree/cmake/seconds.txt"
run FATHOM_SETUP_INTERVAL=0 --version
expect 0 "*, about 2 minutes (*" 'minutes'
stand_in ninja 'echo "ninja: no work to do."'
setup "set -e; setup_estimate '$tree/build' fathom; echo \$setup_total"
expect 0 0 'a build with nothing to do, where errors end the script'
stand_in ninja 'exit 0'
rm "$tree/cmake/seconds.txt" "$bin/nproc"
ln -s "$(type -P nproc)" "$bin/"
if command -v script >/dev/null; then
    said=$(unset SDL_VIDEODRIVER; PATH=$bin FATHOM_SETUP_SYSTEM=$system "$(type -P script)" -qec "bash '$tree/run' --version" /dev/null </dev/null)
    expect 0 $'\rfathom: building,  25 %  *\rfathom: building,  75 %  *\r   * \rwindow --version\r' 'progress on a terminal'
else
    echo 'left out: progress on a terminal: there is no script'
fi
for line in '[12/48] Building C object x:25' '[ 25%] Linking C executable x:25' '[100%] Built target x:' \
    'dlstatus:1:25.5:Retrieving file 1 of 2:25' 'pmstatus:gcc:25:Unpacking gcc:25' 'ninja: no work to do.:'; do
    setup "percent=; setup_percent '${line%:*}'; echo \$percent"
    status=0
    expect 0 "${line##*:}" "percent of '${line%:*}'"
done

stand_in cmake 'echo "[1/2] Building a.o"; echo "view.c:3: error: surprise"; exit 1'
run A=1 --version
expect 1 'view.c:3: error: surprise*the build failed*build.log' 'a failed build shows its log, without what went well'

# With a real compiler: changed files are built first, and after a failed build nothing runs.
if command -v cmake >/dev/null && command -v ninja >/dev/null && command -v cc >/dev/null; then
    stand_in pkg-config 'exit 0'
    rm "$bin/cmake" "$bin/ninja" "$bin/cc" "$bin/c++"
    rm -rf "$tree/build"
    cat >"$tree/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(toy C)
include(version.cmake)
add_executable(fathom main.c)
target_compile_definitions(fathom PRIVATE VERSION="${version}")
CMAKE
    main() { # WORD
        printf '#include <stdio.h>\nint main(void) { puts("%s " VERSION); return 0; }\n' "$1" >"$tree/main.c"
    }
    run_toy() {
        said=$(env -i PATH="$bin:$PATH" FATHOM_SETUP_SYSTEM="$system" "$tree/run" --version 2>&1)
        status=$?
    }
    main old
    run_toy
    expect 1 '*version.cmake*the build failed*' 'a tree that cannot be configured'
    echo 'set(version 1)' >"$tree/version.cmake"
    run_toy
    expect 0 '*old 1' 'a real first build'
    run_toy
    expect 0 'old 1' 'nothing to do'
    main new
    run_toy
    expect 0 'new 1' 'a changed source'
    echo 'set(version 2)' >"$tree/version.cmake"
    run_toy
    expect 0 'new 2' 'a changed list of sources'
    echo 'int main(' >"$tree/main.c"
    run_toy
    expect 1 '*error*the build failed*' 'a source that does not compile'
else
    echo 'left out: a real build: cmake, ninja or cc is missing'
fi

[ $failures -eq 0 ]

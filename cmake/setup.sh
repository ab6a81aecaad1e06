# shellcheck shell=bash
# Set-up functions for run, check and .ci/run: find missing packages, install them if possible, and
# build. All messages go to stderr.

setup_system=${FATHOM_SETUP_SYSTEM-} # prefix of the system's paths; tests set it
setup_interval=${FATHOM_SETUP_INTERVAL-15} # [s] interval between lines of progress; tests set it
setup_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

setup_say() {
    printf 'fathom: %s\n' "$*" >&2
}

# Table of needs: the purpose, the check that the need is met, and the package in Debian, Fedora,
# Arch and openSUSE ("-": not needed there, or part of another package).
setup_needs='
build  command:cc             gcc              gcc                   gcc             gcc
build  command:c++            g++              gcc-c++               gcc             gcc-c++
build  command:cmake          cmake            cmake                 cmake           cmake
build  command:ninja          ninja-build      ninja-build           ninja           ninja
build  command:pkg-config     pkg-config       pkgconf-pkg-config    pkgconf         pkgconf-pkg-config
build  module:sdl2            libsdl2-dev      SDL2-devel            sdl2            SDL2-devel
build  module:glew            libglew-dev      glew-devel            glew            glew-devel
build  module:gl              libgl-dev        libglvnd-devel        libglvnd        libglvnd-devel
build  header:imgui.h         libimgui-dev     imgui-devel           imgui           imgui-devel
build  module:freetype2       libfreetype-dev  freetype-devel        freetype2       freetype2-devel
build  module:mpfr            libmpfr-dev      mpfr-devel            mpfr            mpfr-devel
build  module:gmp             libgmp-dev       gmp-devel             gmp             gmp-devel
build  module:libpng         libpng-dev       libpng-devel          libpng          libpng16-devel
build  module:libjpeg        libjpeg-dev      libjpeg-turbo-devel   libjpeg-turbo   libjpeg8-devel
build  module:libwebpmux     libwebp-dev      libwebp-devel         libwebp         libwebp-devel
build  module:OpenEXR        libopenexr-dev   openexr-devel         openexr         openexr-devel
build  module:libtiff-4       libtiff-dev      libtiff-devel         libtiff         libtiff-devel
build  command:lowdown        lowdown          lowdown               lowdown         lowdown
package command:dpkg-shlibdeps dpkg-dev        -                     -               -
package command:file          file             -                     -               -
screen library:libEGL.so.1    libegl1          libglvnd-egl          libglvnd        libEGL1
screen library:dri/swrast_dri.so libgl1-mesa-dri mesa-dri-drivers    mesa            Mesa-dri
screen font:DejaVuSans.ttf    fonts-dejavu-core dejavu-sans-fonts    ttf-dejavu      dejavu-fonts
test   command:Xvfb           xvfb             xorg-x11-server-Xvfb  xorg-server-xvfb xorg-x11-server-Xvfb
test   command:xdotool        xdotool          xdotool               xdotool         xdotool
test   command:openbox        openbox          openbox               openbox         openbox
test   command:weston        weston           weston                weston          weston
test   library:libOpenCL.so.1 ocl-icd-libopencl1 ocl-icd             ocl-icd         libOpenCL1
test   file:/etc/OpenCL/vendors/pocl.icd pocl-opencl-icd pocl        pocl            pocl
test   command:xclip          xclip            xclip                 xclip           xclip
test   command:xkill          x11-utils        xkill                 xorg-xkill      xkill
test   command:xprop          x11-utils        xprop                 xorg-xprop      xprop
test   file:/usr/share/i18n/locales/de_DE locales glibc-locale-source glibc glibc-i18ndata
test   command:gnuplot        gnuplot-nox      gnuplot               gnuplot         gnuplot
test   command:man            man-db           man-db                man-db          man
test   command:img2webp       webp             libwebp-tools         libwebp-utils   libwebp-tools
test   command:exrheader      openexr          openexr               openexr         openexr
test   command:tiffinfo       libtiff-tools    libtiff-tools         libtiff         tiff
test   command:ffmpeg         ffmpeg           ffmpeg-free           ffmpeg          ffmpeg
test   command:python3        python3          python3               python          python3
test   command:desktop-file-validate desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils
test   command:appstreamcli   appstream        appstream             appstream       AppStream
test   command:update-mime-database shared-mime-info shared-mime-info shared-mime-info shared-mime-info
test   command:mandoc         mandoc           mandoc                mandoc          mandoc
test   command:objdump        binutils         binutils              binutils        binutils
test   command:zsh            zsh              zsh                   zsh             zsh
test   command:fish           fish             fish                  fish            fish
test   command:script         bsdutils         util-linux-script     util-linux      util-linux
ci     command:lintian        lintian          lintian               lintian         lintian
ci     command:clang-14       clang-14         clang                 clang           clang
ci     command:llvm-symbolizer-14 llvm-14      llvm                  llvm            llvm
ci     file:/usr/lib/llvm-14/lib/libomp.so libomp-14-dev libomp-devel openmp         libomp-devel
ci     file:/usr/lib/clang/14/lib/linux/libclang_rt.fuzzer-x86_64.a libclang-rt-14-dev compiler-rt compiler-rt clang
ci     command:clang-format-14 clang-format-14 clang-tools-extra     clang           clang-tools
ci     module:ompi-c          libopenmpi-dev   openmpi-devel         openmpi         openmpi-devel
ci     command:mpirun         openmpi-bin      openmpi               openmpi         openmpi
ci     command:git            git              git                   git             git
'

setup_has_library() {
    local folder
    for folder in "$setup_system"/usr/lib/*-linux-gnu "$setup_system"/usr/lib64 "$setup_system"/usr/lib \
        "$setup_system"/lib/*-linux-gnu; do
        [ -e "$folder/$1" ] && return 0
    done
    return 1
}

setup_has_header() {
    [ -e "$setup_system/usr/include/$1" ] || [ -e "$setup_system/usr/include/${1%.h}/$1" ]
}

# Searches the same folders as app/hud/font.c.
setup_has_font() {
    local folder
    for folder in truetype/dejavu dejavu-sans-fonts TTF truetype dejavu; do
        [ -e "$setup_system/usr/share/fonts/$folder/$1" ] && return 0
    done
    return 1
}

setup_has() { # KIND:NAME
    case $1 in
    command:*) command -v "${1#*:}" ;;
    module:*) pkg-config --exists "${1#*:}" ;;
    file:*) [ -e "$setup_system${1#*:}" ] ;;
    header:*) setup_has_header "${1#*:}" ;;
    library:*) setup_has_library "${1#*:}" ;;
    font:*) setup_has_font "${1#*:}" ;;
    esac >/dev/null 2>&1
}

# Prints the packaging family: debian, fedora, arch, suse, or unknown.
setup_family() {
    local ids=
    if [ -r "$setup_system/etc/os-release" ]; then
        # shellcheck disable=SC1091 # a file of the system
        ids=$(. "$setup_system/etc/os-release" && echo " ${ID-} ${ID_LIKE-} ")
    fi
    case $ids in
    *' debian '* | *' ubuntu '*) echo debian ;;
    *' fedora '* | *' rhel '*) echo fedora ;;
    *' arch '*) echo arch ;;
    *suse*) echo suse ;;
    *) echo unknown ;;
    esac
}

# Prints the packages of FAMILY that are missing for the PURPOSEs, on one line.
setup_missing() { # FAMILY PURPOSE...
    local family=$1 purpose check debian fedora arch suse package packages=' '
    shift
    while read -r purpose check debian fedora arch suse; do
        case " $* " in *" $purpose "*) ;; *) continue ;; esac
        setup_has "$check" && continue
        case $family in
        fedora) package=$fedora ;;
        arch) package=$arch ;;
        suse) package=$suse ;;
        *) package=$debian ;;
        esac
        case $packages in *" $package "*) continue ;; esac
        [ "$package" = - ] || packages+="$package "
    done <<<"${setup_needs#?}"
    packages=${packages# }
    echo "${packages% }"
}

# Prints the command that installs the PACKAGEs.
setup_line() { # FAMILY PACKAGE...
    local family=$1
    shift
    case $family in
    debian) echo "sudo apt-get update && sudo apt-get install -y $*" ;;
    fedora) echo "sudo dnf install -y $*" ;;
    arch) echo "sudo pacman -S --needed $*" ;;
    suse) echo "sudo zypper install -y $*" ;;
    esac
}

# Prints the prefix that runs a command as root without a password: "" for root, or "sudo -n". Fails
# if there is none.
setup_root_prefix() {
    if [ "$(id -u)" = 0 ]; then
        echo
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        echo sudo -n
    else
        return 1
    fi
}

setup_apt() { # PREFIX ARGUMENT...
    local prefix=$1
    shift
    (
        set -o pipefail
        # shellcheck disable=SC2086 # the prefix is a command of zero or more words
        $prefix env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 \
            -o Acquire::Retries=2 -o APT::Status-Fd=1 "$@" </dev/null 2>&1 |
            setup_progress installing "$setup_log"
    )
}

# Installs packages. If that fails, updates the package lists, which may be stale or missing, and
# retries.
setup_apt_install() { # PREFIX PACKAGE...
    local prefix=$1
    shift
    setup_apt "$prefix" install --no-install-recommends "$@" && return 0
    setup_apt "$prefix" update
    setup_apt "$prefix" install --no-install-recommends "$@"
}

setup_why_apt_failed() {
    if grep -qE 'Temporary failure resolving|Could not (resolve|connect)|Network is unreachable' \
        "$setup_log"; then
        echo 'the package server cannot be reached'
    elif grep -q 'No space left' "$setup_log"; then
        echo 'the disk is full'
    else
        grep '^E: ' "$setup_log" | tail -n 1 | cut -c 4-
    fi
}

# Installs the packages that are missing for the PURPOSEs. Fails with one message if that is not
# possible.
setup_install() { # PURPOSE...
    local family packages prefix
    family=$(setup_family)
    packages=$(setup_missing "$family" "$@")
    [ -z "$packages" ] && return 0
    setup_log=$setup_root/build/setup.log
    if [ "$family" = unknown ]; then
        setup_say "these packages (Debian's names) are missing, install them: $packages"
        return 1
    fi
    # shellcheck disable=SC2086 # a list of packages
    if [ "$family" != debian ] || ! prefix=$(setup_root_prefix); then
        setup_say "packages are missing, run this line and then the same command again:"
        setup_line "$family" $packages >&2
        return 1
    fi
    mkdir -p "$setup_root/build" && : >"$setup_log" || return 1
    setup_say "installing $packages"
    # shellcheck disable=SC2086
    setup_apt_install "$prefix" $packages && return 0
    setup_say "could not install $packages: $(setup_why_apt_failed) (all of it: $setup_log)"
    return 1
}

# Installs optional packages: on a failure, reports it and continues.
setup_install_optional() { # WHAT-IT-IS-FOR PURPOSE...
    local use=$1
    shift
    setup_install "$@" || setup_say "continuing without; $use"
}

# Installs packages for later use, if no password is needed; otherwise does nothing and reports
# nothing.
setup_install_along() { # PURPOSE...
    [ "$(setup_family)" = debian ] && setup_root_prefix >/dev/null && setup_install "$@"
    return 0
}

# --- building ---

# Cost of each output of the build, in tenths of a second of one core; cmake/seconds.txt lists slow
# ones.
declare -A setup_tenths
setup_total=0 # [tenths] cost of all outputs to build; 0: unknown

setup_read_seconds() {
    local seconds output
    [ -r "$setup_root/cmake/seconds.txt" ] || return 0
    while read -r seconds output; do
        setup_tenths[$output]=${seconds/./}
    done <"$setup_root/cmake/seconds.txt"
}

# Sets `tenths` to the cost of the output that LINE of ninja names. Returns false if LINE names
# none.
setup_cost() { # LINE
    [[ $1 =~ ^\[[0-9]+/[0-9]+\]\  ]] && tenths=${setup_tenths[${1##* }]-3}
}

# Sets setup_total to the cost of TARGETS in FOLDER, if Ninja builds there.
setup_estimate() { # FOLDER TARGETS
    local line tenths
    setup_total=0
    [ -f "$1/build.ninja" ] || return 0
    setup_read_seconds
    while IFS= read -r line; do
        if setup_cost "$line"; then
            setup_total=$((setup_total + tenths))
        fi
    done < <(ninja -C "$1" -n $2 2>/dev/null)
}

setup_duration() { # SECONDS
    if [ "$1" -lt 90 ]; then
        echo "about $(($1 / 10 * 10 + 10)) seconds"
    else
        echo "about $((($1 + 59) / 60)) minutes"
    fi
}

# Sets `percent` to the progress that LINE from ninja, make or apt-get reports. Returns false if
# LINE reports none.
setup_percent() { # LINE
    if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
        percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    elif [[ $1 =~ ^\[\ *([0-9]+)%\]\ [BLG][a-z]+ing\  || $1 =~ ^[dp][lm]status:[^:]*:([0-9]+) ]]; then
        percent=${BASH_REMATCH[1]}
    else
        return 1
    fi
}

# Sets `percent` for a build whose total cost is known to the finished share of the cost, and `left`
# to the remaining time at the speed so far.
setup_weighed_percent() { # LINE
    local tenths
    left=
    [ "$setup_total" -gt 0 ] || { setup_percent "$1"; return; }
    setup_cost "$1" || return 1
    spent=$((spent + tenths))
    percent=$((spent < setup_total ? 100 * spent / setup_total : 100))
    if [ "$percent" -ge 5 ] && [ "$percent" -lt 100 ]; then
        left=", $(setup_duration $(((SECONDS - begun) * (100 - percent) / percent))) left"
    fi
}

# Copies its input to LOG and reports the progress in it: on a terminal in one line that is
# rewritten, elsewhere in a new line every setup_interval seconds.
setup_progress() { # WHAT LOG
    local line percent left spent=0 begun=$SECONDS told=$SECONDS terminal=false
    [ -t 2 ] && terminal=true
    while IFS= read -r line; do
        printf '%s\n' "$line"
        if ! setup_weighed_percent "$line"; then
            continue
        elif $terminal; then
            printf '\rfathom: %s, %3d %%%-25s ' "$1" "$percent" "$left" >&2
        elif [ $((SECONDS - told)) -ge "$setup_interval" ]; then
            told=$SECONDS
            setup_say "$1, $percent %$left"
        fi
    done >>"$2"
    $terminal && [ -n "${percent-}" ] && printf '\r%*s\r' $((${#1} + 42)) '' >&2
    return 0
}

# Prints the generator of FOLDER, or Ninja for a new folder. Make takes seconds to find that nothing
# has to be built.
setup_generator() { # FOLDER
    local generator=
    [ -f "$1/CMakeCache.txt" ] && generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$1/CMakeCache.txt")
    echo "${generator:-Ninja}"
}

setup_configure() { # FOLDER OPTION...
    local folder=$1
    shift
    setup_logged "$folder/build.log" cmake -S "$setup_root" -B "$folder" -G "$(setup_generator "$folder")" "$@" ||
        return 1
    sed -nE 's/.*((CUDA backend|WebP pictures|EXR pictures|Posters): not built)/fathom: \1/p' "$folder/build.log" >&2
}

# Configures FOLDER if it is new, was made for another source folder, or OPTIONs are given. Then
# builds TARGETS (a list) there. Reports the progress, and the log if the build fails.
setup_build() { # FOLDER TARGETS OPTION...
    local folder=$1 targets=$2 log=$1/build.log cache=$1/CMakeCache.txt new=false
    shift 2
    mkdir -p "$folder" || return 1
    if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$setup_root" "$cache"; then
        rm -rf "$cache" "$folder/CMakeFiles"
    fi
    : >"$log" || return 1
    [ -f "$folder/Makefile" ] || [ -f "$folder/build.ninja" ] || new=true
    if $new || [ ! -f "$cache" ] || [ $# -gt 0 ]; then
        setup_configure "$folder" "$@" || return 1
    fi
    setup_estimate "$folder" "$targets"
    local seconds=$((setup_total / 10 / $(nproc) + 1))
    if $new || [ $seconds -gt 30 ]; then
        setup_say "building in $folder$([ "$setup_total" -eq 0 ] || echo ", $(setup_duration $seconds)")" \
            "(progress in build.log there)"
    fi
    (
        set -o pipefail
        # shellcheck disable=SC2086 # a list of targets
        cmake --build "$folder" --target $targets --parallel "$(nproc)" 2>&1 </dev/null |
            setup_progress building "$log"
    ) || setup_failed "$log"
}

# Runs the tests of FOLDER, more at a time than there are cores: tests wait more than they compute.
setup_test() { # FOLDER CTEST-ARGUMENT...
    local folder=$1 jobs
    shift
    jobs=$(($(nproc) + 5)) # a test with a window mostly waits, a check counts twice
    ctest --test-dir "$folder" --output-on-failure --parallel "$((jobs < 8 ? jobs : 8))" "$@"
}

setup_logged() { # LOG COMMAND...
    local log=$1
    shift
    "$@" >>"$log" 2>&1 </dev/null || setup_failed "$log"
}

# Prints LOG without its lines of progress, and returns false.
setup_failed() { # LOG
    grep -vE '^\[ *[0-9]+(/[0-9]+|%)\] ' "$1" >&2
    setup_say "the build failed; its output is in $1"
    return 1
}

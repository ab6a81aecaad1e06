# Installation: staged, from a .deb, and with FATHOM_TEST_ROOTFS=1 (which needs root, the network,
# and some minutes) into a fresh Debian, after lintian has checked the package.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
build=$(dirname "$FATHOM")
if ! grep -q '^FATHOM_SANITIZE:STRING=$' "$build/CMakeCache.txt"; then
    echo 'skipped: programs with sanitizers are not installed'
    exit 77
fi
fresh_folder
unset XDG_DATA_DIRS

has() { # FOLDER FILE...: relative to the prefix
    local folder=$1 file
    shift
    for file; do
        [ -s "$folder/$file" ] || fail "$folder has no $file"
    done
}
files='bin/fathom libexec/fathom/fathom-lab share/fathom/views/seahorse-valley.fathom
    share/fathom/thumbnails/seahorse-valley.jpg share/fathom/palettes/10-aurora.palette
    share/man/man1/fathom.1.gz share/bash-completion/completions/fathom share/zsh/site-functions/_fathom
    share/fish/vendor_completions.d/fathom.fish
    share/applications/fathom.desktop share/mime/packages/fathom.xml share/metainfo/fathom.metainfo.xml
    share/icons/hicolor/scalable/apps/fathom.svg share/icons/hicolor/48x48/apps/fathom.png
    share/icons/hicolor/128x128/apps/fathom.png share/icons/hicolor/256x256/apps/fathom.png
    share/doc/fathom/README.md share/doc/fathom/copyright'

# Files to install are built first; a file that cannot be built leaves nothing half installed.
manual=$build/install/fathom.1.gz
expect 0 cmake --build "$build" --target fathom-install-files
rm "$manual"
expect 0 env DESTDIR="$PWD/again" cmake --install "$build" --prefix /opt/fathom
[ -s "$manual" ] && [ -s again/opt/fathom/share/man/man1/fathom.1.gz ] || fail "the manual was not built again"
ln -sf nowhere/fathom.1.gz "$manual" # no file can be made there
expect 1 env DESTDIR="$PWD/half" cmake --install "$build" --prefix /opt/fathom
rm "$manual"
cmake --build "$build" --target fathom-install-files >/dev/null
grep -q 'nothing was installed' err || fail "it does not say that nothing was installed: $(cat err)"
[ ! -e half ] || fail "half an installation: $(find half | head)"

# Staged, and in another place than configured. Nothing of the build folder is needed.
expect 0 env DESTDIR="$PWD/stage" cmake --install "$build" --prefix /opt/fathom
# shellcheck disable=SC2086 # a list
has stage/opt/fathom $files
[ -z "$(find stage -type f ! -path 'stage/opt/fathom/*')" ] || fail "installed outside the prefix"
installed=$PWD/stage/opt/fathom/bin/fathom
grep -aq "$(cd "$build" && pwd)" "$installed" && fail "the program names the build folder"
for program in "$installed" stage/opt/fathom/libexec/fathom/fathom-lab; do
    readelf -d "$program" | grep -E 'RPATH|RUNPATH' && fail "$program has a search path of its own"
done
expect 0 "$installed" render seahorse-valley --size 64x36 -o stage.ppm
expect 0 "$FATHOM" render seahorse-valley --size 64x36 -o built.ppm
cmp -s stage.ppm built.ppm || fail "installed, it draws something else"
expect 0 "$installed" classic 64 48 -o stage.ppm
expect 0 "$FATHOM" classic 64 48 -o classic.ppm
cmp -s stage.ppm classic.ppm || fail "installed, its laboratory draws something else"
printf 'wait complete\nquit\n' >once.script
if SDL_VIDEODRIVER=offscreen "$FATHOM" --script once.script --size 8x8 2>/dev/null; then
    expect 0 env SDL_VIDEODRIVER=offscreen "$installed" --script once.script --size 64x36 --json --verbose
    grep -q '"first_complete_ms": [1-9]' out || fail "it does not tell when the first picture was there"
    grep -q 'the first complete picture [0-9]* ms after the start' err || fail "nor on standard error"
fi
gzip -dc stage/opt/fathom/share/man/man1/fathom.1.gz | cmp -s - "$build/install/fathom.1" ||
    fail "another manual was installed"

# Desktop files, checked by the desktop's own tools if there are any.
share=stage/opt/fathom/share
if can desktop-file-validate "the desktop file's format"; then
    expect 0 desktop-file-validate --no-hints $share/applications/fathom.desktop
    [ -s out ] && fail "desktop file: $(cat out)"
fi
if can appstreamcli "the metainfo file's format"; then
    expect 0 appstreamcli validate --no-net $share/metainfo/fathom.metainfo.xml
fi
if can update-mime-database 'the file type'; then
    cp -r $share/mime mime
    update-mime-database mime >/dev/null 2>&1 || fail "update-mime-database refuses the file type"
    grep -q 'application/x-fathom-view:\*\.fathom' mime/globs2 || fail "*.fathom has no type"
    grep -aq 'application/x-fathom-view' mime/magic || fail "the file type has no magic"
fi
for size in 48 128 256; do
    expect 0 "$FATHOM" compare $share/icons/hicolor/${size}x$size/apps/fathom.png \
        $share/icons/hicolor/${size}x$size/apps/fathom.png
done

if ! command -v dpkg-shlibdeps >/dev/null || ! command -v cpack >/dev/null; then
    left_out 'a Debian package' 'there is no cpack or dpkg-shlibdeps (dpkg-dev)'
    finish
fi

# The package.
expect 0 cpack -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=none --config "$build/CPackConfig.cmake" -B "$PWD/made"
package=$(echo made/fathom_*.deb)
[ -s "$package" ] || fail "cpack made no package: $(tail -n 3 out)"
expect 0 dpkg-deb -I "$package"
for line in 'Package: fathom' 'Section: graphics' 'Priority: optional' 'Maintainer: fathom dev' \
    'Depends: .*libc6.*libsdl2' 'Recommends: .*libegl1.*fonts-dejavu-core.*ffmpeg' 'Installed-Size: [0-9]'; do
    grep -q "^ $line" out || fail "the package's control file has no '$line'"
done
grep -Ei 'cuda|nvidia' out | grep -q 'Depends' && fail "the package needs an NVIDIA driver"
dpkg-deb -x "$package" unpacked
# shellcheck disable=SC2086
has unpacked/usr $files share/doc/fathom/changelog.gz
[ -z "$(find unpacked -type f ! -path 'unpacked/usr/*')" ] || fail "files outside /usr"
[ -z "$(find unpacked ! -type l -perm /022)" ] || fail "others may write: $(find unpacked -perm /022)"
readelf -S unpacked/usr/bin/fathom | grep -q '\.symtab' && fail "the program is not stripped"
expect 0 unpacked/usr/bin/fathom render seahorse-valley --size 64x36 -o unpacked.ppm
cmp -s unpacked.ppm built.ppm || fail "unpacked, it draws something else"
expect 0 unpacked/usr/bin/fathom lab
if [ "${FATHOM_TEST_ROOTFS-}" = 1 ] && can lintian "the package's quality"; then
    lintian --fail-on error,warning --allow-root "$package" >lintian.txt 2>&1 ||
        fail "lintian: $(grep -E '^[EW]:' lintian.txt | head -n 5)"
fi

# A fresh Debian with only this package and its dependencies.
if [ "${FATHOM_TEST_ROOTFS-}" != 1 ]; then
    left_out 'a fresh Debian' 'FATHOM_TEST_ROOTFS is not 1'
else
    inside() {
        expect 0 chroot root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            DEBIAN_FRONTEND=noninteractive SDL_VIDEODRIVER=offscreen "$@"
    }
    expect 0 debootstrap --variant=minbase bookworm root
    cp "$package" root/tmp/fathom.deb
    printf 'wait complete\nkey S\nwait 500\nquit\n' >root/tmp/once.script
    inside apt-get update
    inside apt-get install -y --no-install-recommends /tmp/fathom.deb
    inside fathom render seahorse-valley --size 64x36 -o /tmp/seahorse.ppm
    cmp -s root/tmp/seahorse.ppm built.ppm || fail "in a fresh Debian it draws something else"
    inside fathom info
    inside apt-get install -y --no-install-recommends libegl1 libgl1-mesa-dri man-db
    inside fathom --script /tmp/once.script --screenshots /tmp/shots
    [ -s "$(echo root/tmp/shots/fathom-*)" ] || fail "in a fresh Debian the explorer saves nothing"
    inside man -w fathom
    inside apt-get purge -y fathom
    [ -z "$(find root/usr -name '*fathom*')" ] || fail "purged, it left $(find root/usr -name '*fathom*')"
fi

finish

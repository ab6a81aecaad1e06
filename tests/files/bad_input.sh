# Wrong arguments and files of all kinds: one clear line on standard error, exit status 1 or 2,
# nothing written, nothing lost.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

# refused STATUS PATTERN COMMAND...: checks that it fails with that status, one line, no output and
# no new file.
refused() {
    local wanted=$1 pattern=$2 got before
    shift 2
    before=$(ls -A)
    "$@" >../out 2>../err </dev/null
    got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted: $*"
    [ ! -s ../out ] || fail "standard output was not empty: $*"
    [ "$(wc -l <../err)" = 1 ] || fail "not one line: $*: $(cat ../err)"
    grep -q "^fathom: error: .*$pattern" ../err || fail "no '$pattern' in: $(cat ../err)"
    [ "$(ls -A)" = "$before" ] || fail "files appeared or went: $*: $(ls -A)"
}

refused_view() { # PATTERN: checks bad.fathom with both commands that read views
    refused 1 "$1" "$FATHOM" render bad.fathom -o x.ppm --size 8x8
    refused 1 "$1" "$FATHOM" bad.fathom
}

fresh_folder

# Options and commands; check_options tests each option.
refused 2 "unknown option '--nothing'; see" "$FATHOM" --nothing
refused 2 "no command and no file 'frobnicate'" "$FATHOM" frobnicate it
refused 2 'needs a file to write' "$FATHOM" render
refused 2 'takes two files' "$FATHOM" compare a
refused 1 '--then does not apply to newton' "$FATHOM" render -o x.ppm --formula newton --then tricorn
refused 2 '--then takes' "$FATHOM" render -o x.ppm --then lambda
refused 2 'standard output' "$FATHOM" render -o - --json
refused 1 "there is no backend 'quantum'" "$FATHOM" render -o x.ppm --size 8x8 --backend quantum
refused 1 "backend 'avx2' cannot be used" \
    "$FATHOM" render -o x.ppm --size 8x8 --backend avx2 --cpumask none

# Invalid view files; check_texts tests each key.
refused 1 "cannot read 'missing.fathom': No such file" "$FATHOM" missing.fathom
refused 1 "cannot read 'missing.fathom': No such file" "$FATHOM" render missing.fathom -o x.ppm
refused 1 'it is a folder' "$FATHOM" render . -o x.ppm
refused 1 'not a regular file' "$FATHOM" render /dev/zero -o x.ppm
cp "$FATHOM" bad.fathom
refused_view 'this is not a location\|too large'
head -c 5000 /dev/urandom >bad.fathom
refused_view 'bad.fathom:.* this is not a \(location\|text file\)'
printf '1 2 3\n\0' >bad.fathom
refused_view 'bad.fathom:2: a NUL byte'
: >bad.fathom
refused_view 'bad.fathom: this is not a location'
printf '[view]\nre = -0.5\nim' >bad.fathom
refused_view 'bad.fathom:3: neither'
{ printf '[view]\nre = -0.'; head -c 500000 /dev/zero | tr '\0' 7; echo; } >bad.fathom
refused_view 'bad.fathom:2: re is more than 125000 digits'
{ printf '[view]\nre = -0.'; head -c 5000000 /dev/zero | tr '\0' 7; echo; } >bad.fathom
refused_view 'bad.fathom.*too large'
printf 'P6\n8 8\n255\n' >bad.fathom
refused_view 'carries no view'
printf 'P6\n# [view]\n# zoom = 0\n8 8\n255\n' >bad.fathom
refused_view 'bad.fathom:3: zoom'

# Places that cannot be written.
refused 1 "cannot write 'nowhere/x.ppm': No such file" "$FATHOM" render -o nowhere/x.ppm --size 8x8
refused 1 "cannot write '.': Is a directory" "$FATHOM" render -o . --size 8x8
refused 1 "cannot write '/proc/x.ppm'" "$FATHOM" render -o /proc/x.ppm --size 8x8
refused 1 "cannot write 'nowhere/d.npy'" \
    "$FATHOM" render -o x.ppm --data nowhere/d.npy --size 8x8
refused 1 'No space left' "$FATHOM" render -o /dev/full --size 300x300
refused 1 'No space left' "$FATHOM" render --data /dev/full --size 8x8
check_full_stdout() { # COMMAND...: standard output is a full device
    "$@" >/dev/full 2>../err
    [ $? = 1 ] && [ "$(grep -c 'No space left' ../err)" = 1 ] || fail "full output: $*: $(cat ../err)"
}
check_full_stdout "$FATHOM" --help
check_full_stdout "$FATHOM" --version
check_full_stdout "$FATHOM" info
check_full_stdout "$FATHOM" render -o - --size 300x300
"$FATHOM" --version >&- 2>../err
[ $? = 1 ] && grep -q 'cannot write to standard output' ../err || fail "closed standard output: $(cat ../err)"
"$FATHOM" render -o - --size 2000x2000 2>../err | head -c 10 >/dev/null
[ "${PIPESTATUS[0]}" = 1 ] && grep -q 'Broken pipe' ../err || fail "broken pipe: $(cat ../err)"

echo precious >old.ppm
chmod 400 old.ppm
chmod 755 .
if can_as_nobody 'files that must not be written'; then
    refused 1 "cannot write 'old.ppm': Permission denied" as_nobody render -o old.ppm --size 8x8
    chmod 555 .
    refused 1 'Permission denied' as_nobody render -o new.ppm --size 8x8
    chmod 755 .
    chmod 000 old.ppm
    refused 1 "cannot read 'old.ppm': Permission denied" as_nobody render old.ppm -o /dev/null
    chmod 400 old.ppm
    # Write access to the current folder is sufficient, even below a folder that only another user
    # may look into.
    mkdir -m 700 sealed
    mkdir -m 777 sealed/open
    cp old.ppm sealed/open/x.ppm
    chmod 666 sealed/open/x.ppm
    cd sealed/open || exit 1
    as_nobody render -o x.ppm --size 8x8 2>../err || fail "below a sealed folder: $(cat ../err)"
    [ "$(head -c 2 x.ppm)" = P6 ] || fail "below a sealed folder nothing was written"
    cd ../..
    rm -r sealed
fi
[ "$(cat old.ppm)" = precious ] || fail "a read-only file was lost"

# A full disk: the older picture stays intact.
mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
    "$FATHOM" render -o disk/x.ppm --size 40x40 || fail "a small disk took no small picture"
    cp disk/x.ppm before.ppm
    cd disk || exit 1
    refused 1 'No space left' "$FATHOM" render -o x.ppm --size 400x400
    cd ..
    cmp -s disk/x.ppm before.ppm || fail "a full disk lost the older picture"
    [ "$(ls -A disk)" = x.ppm ] || fail "a full disk was left with $(ls -A disk)"
    rm -f out err
    umount disk
else
    left_out 'a full disk' 'no small one can be mounted here'
fi

# Comparisons that are impossible.
printf '[view]\nre = 0\n' >bad.fathom
printf 'P6\n1 1\n255\nabc' >a.ppm
printf 'P6\n1 2\n255\nabcdef' >b.ppm
printf 'P6\n1 1\n255\nab' >c.ppm
"$FATHOM" render --data a.npy --smooth b.npy --size 1x1 || fail "no arrays"
head -c 130 a.npy >c.npy
refused 1 'No such file' "$FATHOM" compare a.ppm missing.ppm
refused 1 'the sizes differ' "$FATHOM" compare a.ppm b.ppm
refused 1 'cut short' "$FATHOM" compare a.ppm c.ppm
refused 1 'cut short' "$FATHOM" compare c.npy a.npy
refused 1 'cannot be compared' "$FATHOM" compare a.ppm a.npy
refused 1 'the types differ' "$FATHOM" compare a.npy b.npy
refused 1 'neither a picture nor a .npy file' "$FATHOM" compare bad.fathom a.ppm

finish

# shellcheck shell=bash
# Disks that fail wherever the program writes: the older file survives byte for byte, no temporary
# file is left, one line names the file and the reason, and the exit status is 1.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
shim=${FATHOM_TESTS:-..}/trouble_shim.so
# The sanitizers' runtime need not come first.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0

clean_up() {
    umount disk/mounted disk 2>/dev/null
    rm -rf disk
}
trap clean_up EXIT
clean_up
rm -rf ./*.script ./*.ppm ./*.run real over out err
mkdir disk
printf '%s\n' 'wait complete' 'key S' 'wait complete' >shot.script
printf '%s\n' 'wait complete' 'capture old.png' 'wait complete' >capture.script
"$FATHOM" render -o a.ppm --size 300x300 && "$FATHOM" render -o b.ppm --size 300x300 --palette ember ||
    fail 'no pictures to compare'
"$FATHOM" density --size 300x300 --samples 4096 --resume first.run >/dev/null || fail 'no run'

exr=
has_exr && exr=yes

# Expected message and name of the current kind of failure. The caller fills the disk.
reason='' condition=''
run_in_trouble() { # COMMAND...
    "$@"
}

# spoiled NAME COMMAND...: COMMAND would write disk/NAME, which exists.
spoiled() {
    local name=$1 before status
    shift
    before=$(find disk | sort)
    run_in_trouble "$@" >out 2>err </dev/null
    status=$?
    [ $status = 1 ] || fail "$condition: status $status, not 1: $*"
    [ "$(wc -l <err)" = 1 ] && grep -q "disk/$name.*: $reason" err ||
        fail "$condition: said '$(cat err)', not one line with '$name' and '$reason': $*"
    [ "$(find disk | sort)" = "$before" ] || fail "$condition: there is now $(find disk): $*"
    [ ! -f "disk/$name" ] || cmp -s "disk/$name" "$(original "$name")" ||
        fail "$condition: the older $name is lost: $*"
}

original() { # NAME: prints the file that disk/NAME is a copy of
    case $1 in
    run) echo first.run ;;
    *) echo shot.script ;;
    esac
}

fill_disk() {
    cp shot.script disk/old
    cp shot.script disk/old.png
    cp first.run disk/run
    mkdir disk/lab
    cp shot.script disk/lab/lab.md
}

every_file() {
    spoiled old "$FATHOM" render -o disk/old --size 300x300
    spoiled new.ppm "$FATHOM" render -o disk/new.ppm --size 300x300
    spoiled old.png "$FATHOM" render -o disk/old.png --size 300x300 --samples 2
    [ -z "$exr" ] || spoiled new.exr "$FATHOM" render -o disk/new.exr --size 300x300
    spoiled old.png "$FATHOM" density -o disk/old.png --size 300x300 --samples 40960
    spoiled old.png "$FATHOM" compare a.ppm b.ppm --diff disk/old.png
    spoiled old "$FATHOM" render --data disk/old --size 300x300
    spoiled old "$FATHOM" render --smooth disk/old --size 300x300
    spoiled old "$FATHOM" density -o disk/old --size 300x300 --samples 4096
    spoiled old "$FATHOM" density --data disk/old --size 300x300 --samples 4096
    spoiled run "$FATHOM" density --resume disk/run --samples 8192
    spoiled new.run "$FATHOM" density --resume disk/new.run --size 300x300 --samples 4096
    spoiled old "$FATHOM" classic 300 300 -o disk/old
}

# Files of limited size, which can be tested without mounting a disk.
condition='limited files' reason='File too large'
run_in_trouble() {
    (
        ulimit -f 8
        "$@"
    )
}
fill_disk
every_file

# kept NAME SPARE COMMAND...: COMMAND cannot write disk/NAME, but its result must be in disk/SPARE.
kept() {
    local name=$1 spare=$2 before
    shift 2
    before=$({ find disk && echo "disk/$spare"; } | sort)
    expect 1 run_in_trouble "$@"
    complains "disk/$name.*: $reason.*/disk/$spare'"
    [ -s "disk/$spare" ] || fail "$condition: nothing is in disk/$spare: $*"
    [ "$(find disk | sort)" = "$before" ] || fail "$condition: there is now $(find disk): $*"
    cmp -s "disk/$name" "$(original "$name")" || fail "$condition: the older $name is lost: $*"
}

# written_over "SIZE..." NAME COMMAND...: disk/NAME, with each of these sizes, gets the same
# contents as without trouble, and keeps its permissions.
written_over() {
    local sizes=$1 name=$2 size inode
    shift 2
    for size in $sizes; do
        case $name in
        run) cp "$(original run)" disk/run ;;
        *) head -c "$size" /dev/zero >"disk/$name" ;;
        esac
        chmod 600 "disk/$name"
        inode=$(stat -c %i "disk/$name")
        expect 0 run_in_trouble "$@"
        [ -s err ] && fail "$condition: said $(cat err): $*"
        [ "$(stat -c '%i %a' "disk/$name")" = "$inode 600" ] || fail "$condition: disk/$name is another file: $*"
        cp "disk/$name" over
        (unset TROUBLE_RENAME && "$@" >/dev/null) && cmp -s "disk/$name" over || fail "$condition: not whole: $*"
    done
    case $name in
    run) cp "$(original run)" disk/run ;;
    *) rm "disk/$name" ;;
    esac
}

# Devices that fail on sync, and folders that cannot be changed at the end.
run_in_trouble() {
    LD_PRELOAD=$shim "$@"
}
if [ -e "$shim" ]; then
    reason='Input/output error'
    condition=TROUBLE_FSYNC
    export TROUBLE_FSYNC=1
    spoiled old "$FATHOM" render -o disk/old --size 30x30
    spoiled run "$FATHOM" density --resume disk/run --samples 8192
    spoiled fathom- "$FATHOM" --script shot.script --screenshots disk --size 30x30
    unset TROUBLE_FSYNC
    condition=TROUBLE_RENAME
    export TROUBLE_RENAME=1
    kept old old.new "$FATHOM" render -o disk/old --size 30x30
    "$FATHOM" render -o whole.ppm --size 30x30 && cmp -s whole.ppm disk/old.new ||
        fail 'the picture that could not be put in its place is another one'
    rm disk/old.new
    kept old.png old.new.png "$FATHOM" render -o disk/old.png --size 30x30
    rm disk/old.new.png
    kept run run.new "$FATHOM" density --resume disk/run --samples 8192
    "$FATHOM" density disk/run.new --samples 8192 -o whole.ppm >/dev/null || fail 'the run that was kept is none'
    rm disk/run.new
    # If only the name cannot be replaced, the file is overwritten.
    for TROUBLE_RENAME in 13 16 18; do # EACCES, EBUSY, EXDEV
        written_over 20 picture "$FATHOM" render -o disk/picture --size 30x30
    done
    written_over '0 100000' picture "$FATHOM" render -o disk/picture --size 30x30
    written_over 0 run "$FATHOM" density --resume disk/run --samples 8192
    unset TROUBLE_RENAME
else
    echo "left out: there is no $shim"
fi

# A folder that is gone when the picture is complete.
run_in_trouble() {
    "$@" &
    local program=$!
    sleep 0.3
    mv disk/folder disk/folder.gone
    wait $program
    local status=$?
    mv disk/folder.gone disk/folder
    return $status
}
condition='a folder goes' reason='No such file'
mkdir disk/folder
spoiled folder/x.ppm "$FATHOM" density -o disk/folder/x.ppm --size 30x30 --seconds 0.8 --threads 1
rm -rf disk
mkdir disk

# A mounted file as the output, as in containers; another user's file in a folder like /tmp.
condition='a mounted file'
cp shot.script disk/mounted
cp shot.script real
if mount --bind real disk/mounted 2>/dev/null; then
    expect 0 "$FATHOM" render -o disk/mounted --size 300x300
    [ -s err ] && fail "$condition: said $(cat err)"
    cmp -s real a.ppm || fail "$condition: not written"
    umount disk/mounted
else
    echo 'left out: no file can be mounted here'
fi
condition="another user's file"
mkdir disk/sticky
chmod 1777 disk/sticky
cp shot.script disk/sticky/x.ppm
chmod 666 disk/sticky/x.ppm
program=$(readlink -f "$FATHOM")
if setpriv --reuid 65534 --regid 65534 --clear-groups "$program" --version >/dev/null 2>&1 &&
    setpriv --reuid 65534 --regid 65534 --clear-groups test -w disk/sticky/x.ppm; then
    expect 0 env HOME=/nowhere XDG_CONFIG_HOME=/nowhere XDG_STATE_HOME=/nowhere XDG_DATA_HOME=/nowhere \
        setpriv --reuid 65534 --regid 65534 --clear-groups "$program" render -o disk/sticky/x.ppm --size 300x300
    [ -s err ] && fail "$condition: said $(cat err)"
    cmp -s disk/sticky/x.ppm a.ppm && [ "$(stat -c %u disk/sticky/x.ppm)" = 0 ] &&
        [ "$(ls -A disk/sticky)" = x.ppm ] || fail "$condition: $(ls -lA disk/sticky)"
else
    echo 'left out: no other user can run the program here'
fi
rm -rf disk
mkdir disk

# A small disk that is full, and one that is read-only.
run_in_trouble() {
    "$@"
}
if mount -t tmpfs -o size=800k tmpfs disk 2>/dev/null; then
    condition='a full disk' reason='No space left'
    fill_disk
    head -c 4000000 /dev/zero >disk/filling 2>/dev/null
    truncate -s -8192 disk/filling
    every_file
    spoiled old.png "$FATHOM" --script capture.script --screenshots disk --size 300x300
    spoiled fathom- "$FATHOM" --script shot.script --screenshots disk --size 300x300
    head -c 4000000 /dev/zero >disk/rest 2>/dev/null
    spoiled old "$FATHOM" render -o disk/old --size 30x30
    if [ -e "$shim" ]; then
        # There is room for the new file, but not for overwriting the older one as well.
        condition='a full disk and a name that cannot be replaced'
        rm -f disk/filling disk/rest
        cp shot.script disk/old
        head -c $((1024 * $(df --output=avail disk | tail -n 1) - 400000)) /dev/zero >disk/filling
        export TROUBLE_RENAME=16
        run_in_trouble() {
            LD_PRELOAD=$shim "$@"
        }
        kept old old.new "$FATHOM" render -o disk/old --size 300x300
        cmp -s a.ppm disk/old.new || fail "$condition: the picture that was kept is another one"
        unset TROUBLE_RENAME
        rm disk/old.new
        run_in_trouble() {
            "$@"
        }
    fi
    condition='a read-only disk' reason='Read-only file system'
    mount -o remount,ro disk
    spoiled old "$FATHOM" render -o disk/old --size 30x30
    spoiled new.run "$FATHOM" density --resume disk/new.run --size 30x30 --samples 4096
    spoiled lab/lab.md "$FATHOM" lab paper --quick -o disk/lab
    spoiled new "$FATHOM" lab paper --quick -o disk/new
else
    echo "left out: no small disk can be mounted here"
fi

finish

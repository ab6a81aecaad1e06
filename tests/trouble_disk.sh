# shellcheck shell=bash
# Disks that fail at every place where something is written: the older file survives byte for byte, no
# temporary file is left, one line names the file and the reason, and the exit status is 1.
. "$FATHOM_SOURCE/tests/expect.sh"
shim=${FATHOM_TESTS:-..}/trouble_shim.so
# The sanitizers' runtime does not mind coming second.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0

clean_up() {
    umount disk 2>/dev/null
    rm -rf disk
}
trap clean_up EXIT
clean_up
rm -rf ./*.script ./*.ppm ./*.run out err
mkdir disk
printf '%s\n' 'wait complete' 'key S' 'wait complete' >shot.script
printf '%s\n' 'wait complete' 'capture old.png' 'wait complete' >capture.script
"$FATHOM" render -o a.ppm --size 300x300 && "$FATHOM" render -o b.ppm --size 300x300 --palette ember ||
    fail 'no pictures to compare'
"$FATHOM" density --size 300x300 --samples 4096 --resume first.run >/dev/null || fail 'no run'

# What a way of failing has to look like. The disk is filled by the caller.
reason='' condition=''
run_in_trouble() { # COMMAND...
    "$@"
}

# spoiled NAME COMMAND...: it would write disk/NAME, which exists.
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

original() { # NAME: the file that disk/NAME is a copy of
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
    spoiled old.png "$FATHOM" density -o disk/old.png --size 300x300 --samples 40960
    spoiled old.png "$FATHOM" compare a.ppm b.ppm --diff disk/old.png
    spoiled old "$FATHOM" render --data disk/old --size 300x300
    spoiled old "$FATHOM" render --smooth disk/old --size 300x300
    spoiled old "$FATHOM" density -o disk/old --size 300x300 --samples 4096
    spoiled old "$FATHOM" density --data disk/old --size 300x300 --samples 4096
    spoiled run "$FATHOM" density --resume disk/run --samples 8192
    spoiled new.run "$FATHOM" density --resume disk/new.run --size 300x300 --samples 4096
    spoiled old "$FATHOM" classic 300 300 -o disk/old
    spoiled old.png "$FATHOM" --script capture.script --screenshots disk --size 300x300
    spoiled fathom- "$FATHOM" --script shot.script --screenshots disk --size 300x300
    spoiled fathom- "$FATHOM" --script shot.script --screenshots disk --size 300x300 --format png
}

# Files that may not grow: also where no disk can be mounted.
condition='limited files' reason='File too large'
run_in_trouble() {
    (
        ulimit -f 8
        "$@"
    )
}
fill_disk
every_file

# Devices that cannot keep what they were given, and folders that cannot be changed at the end.
run_in_trouble() {
    LD_PRELOAD=$shim "$@"
}
if [ -e "$shim" ]; then
    reason='Input/output error'
    for condition in TROUBLE_FSYNC TROUBLE_RENAME; do
        export "$condition=1"
        spoiled old "$FATHOM" render -o disk/old --size 30x30
        spoiled run "$FATHOM" density --resume disk/run --samples 8192
        spoiled old "$FATHOM" bench kernels --quick --backend scalar --view interior --csv disk/old
        unset $condition
    done
    condition=TROUBLE_FSYNC
    export TROUBLE_FSYNC=1
    spoiled fathom- "$FATHOM" --script shot.script --screenshots disk --size 30x30
    unset TROUBLE_FSYNC
else
    echo "left out: there is no $shim"
fi

# A folder that is gone when the picture is done.
run_in_trouble() {
    "$@" &
    local program=$!
    sleep 0.7
    mv disk/folder disk/folder.gone
    wait $program
    local status=$?
    mv disk/folder.gone disk/folder
    return $status
}
condition='a folder goes' reason='No such file'
mkdir disk/folder
spoiled folder/x.ppm "$FATHOM" density -o disk/folder/x.ppm --size 30x30 --seconds 1.5
rm -rf disk
mkdir disk

# A small disk that is full, and one that is read only.
run_in_trouble() {
    "$@"
}
if mount -t tmpfs -o size=800k tmpfs disk 2>/dev/null; then
    condition='a full disk' reason='No space left'
    fill_disk
    head -c 4000000 /dev/zero >disk/filling 2>/dev/null
    truncate -s -8192 disk/filling
    every_file
    head -c 4000000 /dev/zero >disk/rest 2>/dev/null
    spoiled old "$FATHOM" bench kernels --quick --backend scalar --view interior --csv disk/old
    spoiled old "$FATHOM" render -o disk/old --size 30x30
    condition='a read-only disk' reason='Read-only file system'
    mount -o remount,ro disk
    every_file
    spoiled old "$FATHOM" bench kernels --quick --csv disk/old
    spoiled lab/lab.md "$FATHOM" lab paper --quick -o disk/lab
    spoiled new "$FATHOM" lab paper --quick -o disk/new
else
    echo "left out: no small disk can be mounted here"
fi

finish

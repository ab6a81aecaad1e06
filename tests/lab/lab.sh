# fathom lab: its output is complete and its results are right; speed is not tested.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

# Checks that every line has as many fields as the first, with quotes, and ends in CR LF.
check_csv() {
    awk '
        BEGIN { RS = "\r\n" }
        {
            fields = 1
            quoted = 0
            for (i = 1; i <= length($0); i++) {
                c = substr($0, i, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) fields++
                else if (c == "\n" && !quoted) exit bad = 1
            }
            if (quoted || (NR > 1 && fields != first)) exit bad = 1
            first = fields
        }
        END { exit bad || NR < 2 }' "$1"
}

check_png() {
    [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] &&
        tail -c 12 "$1" | grep -aq IEND
}

no_leftovers() {
    [ -z "$(find "$1" -name '.fathom-*')" ] || fail "temporary files are left in $1: $(ls -A "$1")"
}

[ -d work ] && chmod -R u+w work
fresh_folder

# A PATH without gnuplot, which consists of `bare`.
mkdir bare
for tool in env sh; do
    ln -s "$(type -P $tool)" bare/
done

# The list.
expect 0 "$FATHOM" lab
[ ! -s err ] || fail "the list comes with messages: $(cat err)"
experiments=$(sed '/^$/,$d' out | awk '{print $1}')
echo "experiments:" $experiments
[ -n "$experiments" ] || fail "there are no experiments"

# All experiments, first without gnuplot.
expect 0 env PATH="$PWD/bare" "$FATHOM" lab all --quick -o bare-results
[ ! -s err ] || fail "unexpected messages: $(cat err)"
for experiment in $experiments; do
    grep -q "^## $experiment: " out || fail "$experiment was not run"
done
cmp -s out bare-results/lab.md || fail "without plots, what is printed is not what is kept"
for table in bare-results/*.csv; do
    check_csv "$table" || fail "$table is no table: $(head -n 3 "$table")"
done
[ "$(ls bare-results/*.csv | wc -l)" = "$(grep -c '^\*\*.*\*\*$' out)" ] ||
    fail "not as many tables as CSV files"
said=$(grep -c 'gnuplot is not installed' out)
[ "$said" = 1 ] || fail "said $said times that gnuplot is missing"
[ -s bare-results/plots.gp ] || fail "there is no script for plots"
for picture in bare-results/*.png; do # pictures that do not need gnuplot
    case $picture in
    */paper-difference-*) check_png "$picture" || fail "$picture is no PNG" ;;
    *) fail "$picture was drawn without gnuplot" ;;
    esac
done
grep -qE "^OpenCL's (device is a|rows are missing: ).*\.$" out || fail "nothing is said of OpenCL"
grep -q 'WRONG' out && fail "a result is wrong: $(grep WRONG out)"
no_leftovers bare-results

# Numbers printed in the paper belong to existing programs and columns (tables of the GPU: if there
# is one).
while IFS='	' read -r table program column; do
    [ -e "bare-results/$table.csv" ] || continue
    grep -q ",\"$program\"," "bare-results/$table.csv" && head -n 1 "bare-results/$table.csv" | grep -qF "\"paper, $column\"" ||
        fail "$table has no place for '$program', '$column' of docs/lab/paper.csv"
done < <(sed -En 's/^([^,]*),"[0-9]+; ([^;]*)(; [0-9; ]+)?",(.*),[0-9.]+$/\1\t\2\t\4/p' "$FATHOM_SOURCE/docs/lab/paper.csv" | sort -u)

# gnuplot draws every kind of table that has numbers from the same files, without messages.
if can gnuplot 'drawing the plots'; then
    (cd bare-results && LC_ALL=C.UTF-8 gnuplot -d plots.gp) >drawn.txt 2>err || fail "gnuplot fails: $(cat err)"
    grep -vE 'empty x range|no valid points' err | grep -q . && fail "gnuplot says $(head -n 3 err)" # since there is one resolution
    for id in classic modes-whole-set modes-escape-dense hybridizer-cpu roofline-cpu paper-figure-02; do
        grep -q "^$id	" drawn.txt || fail "there is no plot $id"
    done
    while IFS=$'\t' read -r id title; do
        check_png "bare-results/$id.png" || fail "$id.png is no PNG"
        [ -n "$title" ] || fail "$id has no title"
    done <drawn.txt
fi

# Seed 002 by OpenCL, on a named device, which need not be a GPU.
if "$FATHOM" info | grep -q '^  opencl   usable'; then
    expect 0 "$FATHOM" lab modes --quick --device 0 -o opencl-results
    rows=$(grep -c '^"seed",".*","OpenCL",' opencl-results/modes-whole-set.csv)
    [ "$rows" = 9 ] || fail "of seed 002 by OpenCL there are $rows rows, not 3 ways to draw in 3 types of number"
    grep -q '^"ours","tiles","opencl","double",' opencl-results/modes-whole-set.csv || fail "ours is not measured by OpenCL"
    grep -q '^"seed","64 workers, 1 row","OpenCL","float",,64,' opencl-results/modes-whole-set.csv ||
        fail "no dispatch of a row by OpenCL: $(grep OpenCL opencl-results/modes-whole-set.csv)"
    grep -q 'WRONG' out && fail "a result by OpenCL is wrong: $(grep WRONG out)"
else
    left_out 'seed 002 by OpenCL' 'there is no device for it'
fi

# Orbit density has the same counts on every instruction set of this machine.
grep -q '^| ours, scalar  *|' bare-results/lab.md || fail "orbit density was not counted on scalar"
same=$(grep -c "^Checked: .* every program on the CPU has the plain loop's histogram, bit for bit" bare-results/lab.md)
[ "$same" = 3 ] || fail "histograms were compared for $same of 3 pictures"

# An experiment with a plot, by the real gnuplot, by one that fails, and by one that is stopped.
plotted=roofline
if command -v gnuplot >/dev/null; then
    expect 0 "$FATHOM" lab $plotted --quick -o drawn
    check_png drawn/roofline-cpu.png || fail "roofline-cpu.png is no PNG"
    [ "$(grep '^!\[' drawn/lab.md)" = "$(grep '^!\[.*\](roofline-cpu.png)$' drawn/lab.md)" ] ||
        fail "lab.md shows $(grep '^!\[' drawn/lab.md)"
    grep -q 'roofline-cpu.png' drawn/lab.md || fail "lab.md does not show roofline-cpu.png"
    no_leftovers drawn
fi
stand_in() {
    printf '#!/bin/sh\n%s\n' "$1" >bare/gnuplot
    chmod +x bare/gnuplot
    rm -rf odd
    expect 0 env PATH="$PWD/bare" "$FATHOM" lab $plotted --quick -o odd
    grep -q "gnuplot could not draw .*$2" out || fail "gnuplot that $2: $(grep gnuplot out)"
    grep -q '^!\[' odd/lab.md && fail "lab.md has pictures by gnuplot that $2"
    no_leftovers odd
}
stand_in 'echo "no such terminal" >&2; exit 1' 'no such terminal'
stand_in 'exit 3' 'said nothing'
stand_in 'kill -KILL $$' 'stopped'
rm bare/gnuplot

# Without a folder nothing is written and plots are left out.
mkdir empty
(cd empty && "$FATHOM" lab $plotted --quick >../out 2>../err </dev/null) || fail "no folder: $(cat err)"
[ -z "$(ls -A empty)" ] || fail "files without -o: $(ls -A empty)"
grep -q gnuplot out && fail "plots are spoken of without a folder"

# Without the laboratory's program next to it, and that program without fathom.
mkdir -p alone/bin
cp "$FATHOM" alone/bin/
for command in lab bench 'classic 8 8'; do
    # shellcheck disable=SC2086 # a command and its arguments
    expect 1 alone/bin/fathom $command
    complains "cannot start .*fathom-lab', which runs 'fathom ${command%% *}': No such file"
    [ ! -s out ] || fail "without fathom-lab, $command prints: $(cat out)"
done
laboratory=$(dirname "$FATHOM")/fathom-lab
mkdir -p alone/libexec/fathom
cp "$laboratory" alone/libexec/fathom/
expect 0 alone/bin/fathom lab
for line in '' 'lab' 'lab --' 'lab threads=1 --' 'lab nothing=1 --' 'lab threads=x --' 'lab threads=99999999999 --'; do
    # shellcheck disable=SC2086
    expect 2 "$laboratory" $line
    complains "fathom-lab is started by 'fathom lab'"
done

# Mistakes.
expect 2 "$FATHOM" lab nowhere
complains "no experiment 'nowhere'"
expect 2 "$FATHOM" lab all nowhere
complains .
expect 2 "$FATHOM" lab --nowhere
complains "nowhere"
expect 2 "$FATHOM" lab all --repeats 0
complains "from 1 to 100"
expect 2 "$FATHOM" lab all --json
complains "does not apply to lab"

# Folders that cannot be written.
echo >file
expect 1 "$FATHOM" lab all --quick -o file
complains file
[ ! -s out ] || fail "measured before looking where to write"
expect 1 "$FATHOM" lab all --quick -o file/below
complains file/below
if can_as_nobody 'a folder that must not be written to' lab; then
    mkdir sealed
    chmod 555 sealed
    expect 1 as_nobody lab all --quick -o sealed
    complains sealed
fi
mkdir -p occupied/lab.md
expect 1 "$FATHOM" lab all --quick -o occupied
complains occupied
mkdir -p taken/plots.gp
expect 1 "$FATHOM" lab $plotted --quick -o taken
complains taken
no_leftovers taken
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=4k tmpfs small 2>/dev/null; then
    expect 1 "$FATHOM" lab $plotted --quick -o small
    complains 'No space left'
    no_leftovers small
    umount small
else
    left_out 'a full disk' 'no small one can be mounted here'
fi
if [ -c /dev/full ]; then
    "$FATHOM" lab $plotted --quick >/dev/full 2>err </dev/null && fail "a full standard output passes"
    complains 'standard output'
fi

# If it is interrupted, it keeps its results and leaves no temporary files. (Without job control,
# background processes ignore SIGINT.)
set -m
"$FATHOM" lab $plotted --repeats 100 -o part >out 2>err </dev/null &
catches $! INT
sleep 0.5
kill -INT $!
wait $!
[ $? = 1 ] || fail "interrupted, status $?"
complains interrupted
no_leftovers part
[ -s part/lab.md ] || fail "nothing is kept on interruption"
printf '#!/bin/sh\n: >started\nexec %s 60\n' "$(type -P sleep)" >bare/gnuplot
chmod +x bare/gnuplot
PATH="$PWD/bare:$PATH" "$FATHOM" lab $plotted --quick -o late >out 2>err </dev/null &
for ((i = 0; i < 1000; i++)); do
    [ -e late/started ] && break
    sleep 0.02
done
kill -INT $!
wait $!
[ $? = 1 ] || fail "interrupted while plots are drawn, status $?"
complains interrupted
grep -q 'could not draw the plots: it was stopped' late/lab.md || fail "plots were not stopped: $(tail -n 2 out)"
rm bare/gnuplot

finish

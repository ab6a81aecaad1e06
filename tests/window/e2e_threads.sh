# shellcheck shell=bash
# Event loop with the threads it starts (workers, the writer of screenshots), for the thread
# sanitizer, which sets the exit status. Mesa draws without its own threads here.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
export LP_NUM_THREADS=0 GALLIUM_THREAD=0
rm -rf shots density
"$FATHOM" --script "$FATHOM_SOURCE/tests/data/tour.script" --screenshots shots --size 160x120 ||
    fail "the tour: status $?"
cat >test.script <<END
$(storm 1000 1)
key S
wait 50
$(storm 1000 2)
key S
key B
wait 30
lose-device
drag 10 10 150 90
wheel 5.5 100 100
key S
wait complete
key ]
key ]
key ]
key ]
key ]
key ]
key ]
key ]
key ]
wait 100
quit
END
"$FATHOM" --script test.script --screenshots shots --size 160x120 --threads 3 ||
    fail "storms, other backends, a lost device, leaving while busy: status $?"
# The same while orbits are counted.
cat >test.script <<END
key D
wait samples 64
$(storm 700 3)
key S
key V
wait 100
$(storm 700 4)
key B
wait samples 64
lose-device
key S
wait samples 64
key K
wait 30
wheel 3 50% 50%
quit
END
"$FATHOM" --script test.script --screenshots density --size 160x120 --threads 3 ||
    fail "density: storms, other backends, a lost device, leaving while busy: status $?"
for shot in density/fathom-*.ppm; do
    check_density_shot "$shot"
done
for shot in shots/fathom-*.ppm; do
    check_shot "$shot"
done
[ $failures -eq 0 ]

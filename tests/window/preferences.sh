# shellcheck shell=bash
# Preferences: choices in the window persist to the next start; which settings override them, and
# which choices do not count.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
kept=state/fathom/preferences
mkdir -p config/fathom
settings=config/fathom/config

# Runs the explorer with a script of these lines; messages are in err.log.
run() { # SCRIPT ARGUMENT...
    printf '%b\n' "$1" >run.script
    shift
    timeout 150 "$FATHOM" --script run.script --remember yes --size 96x64 --screenshots shots "$@" \
        >out.log 2>err.log || fail "status $? of: $* ($(cat err.log))"
    [ -s err.log ] && fail "said: $(cat err.log)"
}

keeps() { # LINE...
    local wanted
    wanted=$(printf '%s\n' "$@" | sort)
    [ "$(grep -v '^#' $kept 2>/dev/null | sort)" = "$wanted" ] ||
        fail "kept '$(grep -v '^#' $kept 2>/dev/null | tr '\n' ';')', not '$*'"
}

# Checks the values in a picture after a start without changes: the window's initial values.
begins() { # KEY=VALUE,... ARGUMENT...
    local tells wanted got
    IFS=, read -ra tells <<<"$1"
    shift
    rm -rf shots
    run 'wait complete\nkey S\nwait complete' "$@"
    for wanted in "${tells[@]}"; do
        got=$(value shots/*.ppm "${wanted%%=*}")
        [ "$got" = "${wanted#*=}" ] || fail "begins with ${wanted%%=*} '$got', not '${wanted#*=}': $*"
    done
}

# Rows of the panel.
antialias='panel Anti-alias 2%\nclick' automatic='panel Auto limit 2%\nclick'
kinetic='panel Kinetic 2%\nclick' defaults='panel Back to defaults\nclick'

# Without changes nothing is saved.
run 'wait complete\nwheel 1 50% 50%\nwait 100'
[ -e $kept ] && fail "without a switch this is kept: $(cat $kept)"

run "wait complete\\nkey 2\\nkey L\\n$antialias\\n$automatic\\nkey H\\nkey Shift+Up\\nkey Shift+Up\\nwait 100" --size 400x960
keeps 'palette = ember' 'samples = 1' 'auto-limit = off' 'panel = on' 'zoom-speed = 1.99' 'numbers = all'
begins palette=ember,samples=
keeps 'palette = ember' 'samples = 1' 'auto-limit = off' 'panel = on' 'zoom-speed = 1.99' 'numbers = all'

# Undone choices are not saved, nor choices by an accidental key; earlier saved ones are.
run 'wait complete\nkey Shift+C\nkey U\nkey T\nkey I\nkey Shift+D\nwait 100'
keeps 'palette = ember' 'samples = 1' 'auto-limit = off' 'panel = on' 'zoom-speed = 1.99' 'numbers = all'
run 'wait complete\nkey 3\nkey 4\nkey U\nkey U\nkey Shift+U\nwait 100'
keeps 'palette = lagoon' 'samples = 1' 'auto-limit = off' 'panel = on' 'zoom-speed = 1.99' 'numbers = all'
run 'wait complete\nkey 2\nwait 100'

# The window starts with the saved numbers: a capture with all of them differs from one with few.
look() { # FILE ARGUMENT...: captures the window after a start
    local file=$1
    shift
    run "wait complete\nwait 100\ncapture $PWD/$file" --size 500x400 --panel off "$@"
}
look kept.ppm
look brief.ppm --numbers brief
cmp -s kept.ppm brief.ppm && fail 'the numbers are not as they were left'

# The environment and an opened view override a saved choice, which stays saved.
FATHOM_PALETTE=dusk begins palette=dusk
printf '[view]\nzoom = 3\n[colour]\npalette = graphite\n' >a.fathom
rm -rf shots
run 'wait complete\nkey S\nwait complete\nkey L\nwait 100' a.fathom --zoom-speed 4
[ "$(value shots/*.ppm palette)" = graphite ] || fail "a view begins with palette '$(value shots/*.ppm palette)'"
keeps 'palette = ember' 'samples = 1' 'auto-limit = off' 'panel = off' 'zoom-speed = 1.99' 'numbers = all'

# The later of two counts: settings, or saved choices. Scripts ignore settings, so this is a hidden
# window; the palette is read from its last location.
leaves() { # PALETTE
    local i
    rm -f state/fathom/recent
    : >err.log # or the earlier one's is taken for this one's
    SDL_VIDEODRIVER=offscreen timeout 30 "$FATHOM" --size 96x64 --zoom 3 -v >out.log 2>err.log &
    for ((i = 0; i < 100; i++)); do
        grep -q 'first complete picture' err.log && break
        sleep 0.1
    done
    kill -TERM $!
    wait $!
    [ "$(sed -n 's/^palette = //p' state/fathom/recent)" = "$1" ] ||
        fail "a window leaves '$(sed -n 's/^palette = //p' state/fathom/recent)', not '$1': $(cat err.log)"
}
printf 'palette = lagoon\n' >$settings
touch -d '1 hour ago' $kept
leaves lagoon
touch -d '2 hours ago' $settings
leaves ember
rm $settings
cat >plain.script <<'SCRIPT'
wait complete
SCRIPT

# Back to defaults, in the panel: everything it lists is as at a first start, in this window and the
# next, and nothing is saved. So later choices are the opposite of a default, and settings count
# again.
switches="key 2\\nkey H\\nkey L\\n$antialias\\n$automatic\\nkey Shift+Up\\n$kinetic\\nwait 200"
rm -f $kept
rm -rf shots
run "wait complete\\n$switches\\n$defaults\\nwait complete\\nkey S\\nwait complete" --size 400x960
keeps
[ "$(value shots/*.ppm palette)" = aurora ] || fail "after a reset the palette is '$(value shots/*.ppm palette)'"
[ "$(value shots/*.ppm samples)" = 16 ] || fail "after a reset there are '$(value shots/*.ppm samples)' samples"
rm -f $kept
run "wait complete\\n$switches\\n$defaults\\nwait 200\\n$antialias\\n$automatic\\nkey Shift+Up\\n$kinetic\\nwait 200" --size 400x960
keeps 'samples = 1' 'auto-limit = off' 'kinetic-panning = off' 'zoom-speed = 1.41'
run "wait complete\\nkey L\\nkey 2\\n$defaults\\nwait 200" --size 400x960
keeps

# Saving is switched off.
run 'wait complete\nkey 2\nkey T\nwait 100'
cp $kept before
printf 'wait complete\nkey 3\nwait 100\n' >run.script
timeout 150 "$FATHOM" --script run.script --size 96x64 2>err.log || fail 'a script'
cmp -s before $kept || fail 'kept though it was not to be'

# Hostile files: invalid values are ignored, and only choices that a window can make are read.
printf 'palette = /etc/passwd\nsamples = 99999999999\nzoom-speed = nan\nbackend = null\nscript = /dev/zero\niterations = 2\nauto-limit = on\n' >$kept
begins iterations=1000,palette=aurora
head -c 100000 /dev/urandom >$kept
timeout 150 "$FATHOM" --script plain.script --remember yes --size 96x64 --screenshots shots 2>err.log || fail 'noise ends the run'

# A limit on the command line overrides the automatic limit that was switched on earlier.
printf 'auto-limit = on\n' >$kept
rm -f $settings
begins iterations=5 --iterations 5

[ $failures -eq 0 ]

# Settings: the priority of file, environment, view and command line, and the messages about a
# broken file, which is never written.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

rm -rf work
mkdir -p work/config/fathom work/home
cd work || exit 1
export XDG_CONFIG_HOME=$PWD/config HOME=$PWD/home
config=config/fathom/config

# Prints a member of the last report.
member() { # NAME
    sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p" out
}

# Checks a member of the report of `fathom render` with these words.
reports() { # NAME VALUE WORDS...
    local name=$1 value=$2
    shift 2
    expect 0 "$FATHOM" render -o x.ppm --json "$@"
    [ "$(member "$name")" = "$value" ] || fail "$name is $(member "$name"), not $value: $*"
}

quiet() {
    [ ! -s err ] || fail "said: $(cat err)"
}

# Checks that the warnings about the file name exactly these lines.
warns_of() { # LINE...
    local numbers
    numbers=$(sed -n "s|^fathom: warning: $PWD/$config:\([0-9]*\): .*|\1|p" err | tr '\n' ' ')
    [ "$numbers" = "$* " ] || fail "warned of lines '$numbers', not '$* ': $(cat err)"
    [ "$(wc -l <err)" = $# ] || fail "said more than that: $(cat err)"
}

# Without a file, and then each source that overrides the one before.
reports width 1280
quiet
printf 'size = 64x48\niterations = 50\n\n[render]\nsize = 65x48\n[explore]\nsize = 66x48\n' >$config
reports width 65
quiet
reports limit 50
FATHOM_SIZE=67x48 reports width 67
quiet
FATHOM_SIZE=67x48 reports width 68 --size 68x48
FATHOM_SIZE='' reports width 65
reports width 1280 --no-config
FATHOM_BACKEND=scalar FATHOM_VERBOSE=no reports backend scalar --no-config
quiet
expect 0 "$FATHOM" render -o x.ppm -v
grep -q "settings are read from '$PWD/$config'" err || fail "-v does not name the file: $(cat err)"

# A setting with different meanings in two commands applies only where it is meant.
printf 'format = png\nsamples = 2\n' >$config
reports width 1280
[ "$(head -c 2 x.ppm)" = P6 ] || fail 'the format of screenshots changes what render writes'
expect 0 "$FATHOM" density -o x.ppm --seconds 0 --size 8x8
quiet
printf '[density]\nsamples = 3\n' >$config
reports width 1280
complains 'config:2: samples does not apply to density'
printf 'size = 65x48\nsamples = 70000\nbackend = scalar,avx2\n[render]\nbackend = all\n[bench]\nbackend = all\n' >$config
reports width 65
warns_of 2 3 5
FATHOM_SAMPLES=1e18 reports samples 1 --no-config
complains 'FATHOM_SAMPLES per pixel are from 1 to 65536'
FATHOM_BACKEND=each reports width 1280 --no-config
complains "FATHOM_BACKEND: this program has no backend 'each'"
printf '[render]\nsize = 65x48\n[explore]\nsize = 66x48\n' >$config

# A section applies only to its command, and measuring commands use only their own.
expect 0 "$FATHOM" density -o x.ppm --samples 1000
quiet
bench() {
    expect 0 "$FATHOM" bench --quick --view whole-set --json --size 16x16
    quiet
}
printf 'backend = null\n[bench]\nbackend = scalar\n' >$config
bench
grep -q '"scalar"' out || fail "bench does not listen to its section: $(cat out)"
printf '[bench]\nbackend = scalar,scalar\n' >$config
bench
grep -q '"scalar"' out || fail "bench takes no list in its section: $(cat out)"
printf 'backend = null\n' >$config
bench
grep -q '"null"' out && fail "bench listens to what is not in its section: $(cat out)"

# A view overrides settings; only a size that it does not have is taken from the settings.
printf '[view]\nzoom = 2\n[fractal]\niterations = 70\n' >small.fathom
printf '[view]\nzoom = 2\n[picture]\nwidth = 33\nheight = 22\n' >sized.fathom
printf 'size = 64x48\niterations = 50\npalette = ember\nprecision = float\nbackend = scalar\n' >$config
reports limit 70 small.fathom
[ "$(member width)" = 64 ] || fail "a view without a size got the width $(member width)"
[ "$(member precision)" = double ] || fail 'settings change the number type of a view'
[ "$(member backend)" = scalar ] || fail 'beside a view the backend of the settings does not count'
grep -aq '# palette = ember' x.ppm && fail 'settings change the colours of a view'
reports width 33 sized.fathom
FATHOM_ITERATIONS=80 reports limit 70 small.fathom
reports limit 90 small.fathom --iterations 90
reports precision float
grep -aq '# palette = ember' x.ppm || fail 'the palette of the settings does not count'
cp x.ppm shot.ppm
rm $config
expect 0 "$FATHOM" render shot.ppm -o again.ppm
cmp -s shot.ppm again.ppm || fail 'a picture drawn with settings is not drawn again without'
echo 'palette = lagoon' >$config
expect 0 "$FATHOM" render shot.ppm -o again.ppm
cmp -s shot.ppm again.ppm || fail 'a picture is drawn again differently with settings'

# Scripts depend on no file.
echo 'wait complete' >short.script
echo 'size = 41x31' >$config
expect 0 "$FATHOM" --script short.script --json --size 40x30 --backend scalar
quiet
echo 'backend = null' >$config
expect 0 "$FATHOM" --script short.script --json --size 40x30
[ "$(member backend)" != null ] || fail 'a script listens to the config file'

# The window's size does not belong to the view, so the setting applies even if the view has a size.
for view in sized; do
    FATHOM_SIZE=120x90 expect 0 "$FATHOM" $view.fathom --script short.script --json --backend scalar
    quiet
    [ "$(member width)x$(member height)" = 120x90 ] ||
        fail "with a size of 120x90 in the settings $view.fathom has a window of $(member width)x$(member height)"
done

# Without standard error the window reports errors in the settings: their number, the file, and the
# first one.
says_in_window() { # TEXT
    "$FATHOM" --backend scalar --size 64x48 --remember no --verbose >out 2>err &
    for ((i = 0; i < 200; i++)); do
        grep -q 'shaders compiled\|^fathom: [0-9]* wrong setting' err && grep -qF "fathom: $1" err && break
        sleep 0.1
    done
    kill %%
    wait %%
    grep -qxF "fathom: $1" err || fail "not in the window: '$1', but: $(cat err)"
}
mkdir -p home/.config/fathom
printf 'size = 64x48\nthreds = 3\npalette = mud\n' >home/.config/fathom/config
XDG_CONFIG_HOME='' says_in_window "2 wrong settings, the first: ~/.config/fathom/config:2: unknown setting 'threds'; did you mean 'threads'? ignored"
echo 'threds = 3' >$config
HOME='' says_in_window "1 wrong setting: $PWD/$config:1: unknown setting 'threds'; did you mean 'threads'? ignored"
rm $config home/.config/fathom/config
FATHOM_THREADS=many expect 0 "$FATHOM" --script short.script --size 40x30 --backend scalar --verbose
grep -q "^fathom: 1 wrong setting: FATHOM_THREADS takes a whole number" err || fail "of the environment: $(cat err)"
expect 0 "$FATHOM" --script short.script --size 40x30 --backend scalar --verbose
grep -q 'wrong setting' err && fail "nothing is wrong, but: $(cat err)"

# Every broken line is reported and ignored, and the rest is used; the file does not change.
cat >$config <<'CONFIG'
# a comment
threds = 3
size = 64x49
size = 1
output = stolen.ppm
no equals sign
palette =
backend = cdua
help = yes
[rendr]
threads = 1
size = 1x1
[render
size = 2x2
[info]
size = 3x3
[render]
verbose = perhaps
iterations = 12e-3
precision = double
threads = 99999999999999999999
 = 3
script = /dev/zero
remember = yes
CONFIG
sum=$(cksum <$config)
reports width 64
[ "$(member height)" = 49 ] || fail "a broken line hides the sound one before it"
[ "$(member precision)" = double ] || fail 'a broken line hides the sound one behind it'
warns_of 2 4 5 6 7 8 9 11 13 16 18 19 21 22 23 24
grep -q ":2: unknown setting 'threds'; did you mean 'threads'?" err || fail "no suggestion: $(cat err)"
grep -q ':4: size takes WxH' err || fail "not what is wrong with the size: $(cat err)"
[ "$(cksum <$config)" = "$sum" ] || fail 'the config file was changed'
[ -e stolen.ppm ] && fail 'a file tells where to write'

{
    yes threds = 3 | head -n 5000
    echo 'size = 64x48'
} >$config
reports width 1280
[ "$(wc -l <err)" = 21 ] && grep -q ':20: too many errors' err || fail "of 5000 wrong lines it said: $(tail -n 3 err)"

for ((i = 0; i < 100; i++)); do
    printf '[x%d]\na = 1\nb = 2\n' $i
done >$config
reports width 1280
[ "$(wc -l <err)" = 21 ] || fail "of 100 wrong sections it said: $(tail -n 3 err)"

FATHOM_THREADS=many reports width 1280 --no-config
complains 'FATHOM_THREADS takes a whole number'
FATHOM_NOTHING=1 reports width 1280 --no-config
quiet

# Bytes, sizes and kinds that a config file cannot have: one warning, and the program continues.
complains_of_file() { # WHAT
    reports width 1280
    complains "warning: .*$1"
}
printf 'size = 64x48\0\n' >$config
complains_of_file 'not a text file'
printf 'size\x01 = 64x48\n' >$config
complains_of_file ':1: a control character'
head -c 300000 /dev/zero | tr '\0' '#' >$config
complains_of_file 'too large'
rm $config
mkdir $config
complains_of_file 'it is a folder'
rmdir $config
mkfifo $config
complains_of_file 'not a regular file'
rm $config
ln -s /dev/zero $config
complains_of_file 'not a regular file'
rm $config
ln -s nowhere $config
reports width 1280
quiet
rm $config
if can_as_nobody 'a config file that must not be read'; then
    echo 'size = 64x48' >$config
    chmod 0 $config
    nobody_config=$XDG_CONFIG_HOME expect 0 as_nobody render -o /dev/null --json
    complains 'warning: .*Permission denied'
    [ "$(member width)" = 1280 ] || fail "a config file that must not be read gives a width of $(member width)"
    rm -f $config
fi
printf 'size = 64x48\r\nthreads = 1\r\n' >$config
reports width 64
quiet
printf '\xef\xbb\xbfsize = 63x48' >$config
reports width 63
quiet

# A relative XDG_CONFIG_HOME is ignored; without a home folder there is no file.
mkdir -p home/.config/fathom
echo 'size = 62x48' >home/.config/fathom/config
XDG_CONFIG_HOME=config reports width 62
quiet
XDG_CONFIG_HOME='' reports width 62
HOME='' XDG_CONFIG_HOME='' reports width 1280
quiet

# The template consists of comments, and is valid once they are uncommented.
expect 0 "$FATHOM" config
quiet
grep -qv '^#\|^$' out && fail "the template is not all comments: $(grep -v '^#\|^$' out)"
grep -q "$PWD/$config" out || fail 'the template does not say where it belongs'
cp out $config
reports width 1280
quiet
"$FATHOM" config | sed 's/^# \([a-z-]* = \)/\1/; s/^size = .*/size = 61x48/' >$config
[ "$(grep -c '^[a-z]' $config)" -ge 10 ] || fail "the template has few settings: $(cat $config)"
reports width 61
quiet

finish

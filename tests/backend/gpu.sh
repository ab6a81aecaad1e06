#!/usr/bin/env bash
# Tests and measurements for a real NVIDIA GPU: checks, identity with the CPU, the window in a real
# GL context, compute-sanitizer, and the figures of docs/performance.md. Builds nothing.
# usage, in the project's root, after ./run --version:
#     tests/backend/gpu.sh [OUTPUT_FOLDER [BACKEND]]
# BACKEND is cuda by default; with opencl, on any GPU, the parts that only CUDA has are left out.
# FATHOM_BUILD names the build folder (default: build), FATHOM_RUN a command to start programs with
# (default: none); SANITIZE=no skips the sanitizer.
set -u
build=${FATHOM_BUILD:-build}
out=${1:-$build/gpu}
gpu=${2:-cuda}
only=$gpu each=$gpu # backends to check
[ "$gpu" = cuda ] && only='' each='all of them'
run=${FATHOM_RUN:-}
fathom="$run $build/fathom"
export SDL_VIDEODRIVER=${SDL_VIDEODRIVER:-offscreen} FATHOM_SOURCE=${FATHOM_SOURCE:-$PWD}
. "$FATHOM_SOURCE/tests/shared/events.sh"
mkdir -p "$out"
failed=0
table=

row() { # NAME RESULT
    table+=$(printf '%-44s %s' "$1" "$2")$'\n'
}
check() { # NAME COMMAND...: a row of its own; the output is kept in a file
    local name=$1 log status
    log="$out/$(tr -c 'a-z0-9\n' _ <<<"$1").log"
    shift
    "$@" >"$log" 2>&1
    status=$?
    case $status in
    0) row "$name" ok ;;
    77) row "$name" "left out: $(tail -n 1 "$log")" ;;
    *)
        row "$name" "FAILED ($status)"
        failed=1
        tail -n 5 "$log"
        ;;
    esac
}
number() { # FILE KEY: prints a number from a JSON file
    grep -o "\"$2\": *[0-9.e+-]*" "$1" | head -n 1 | sed 's/.*: *//'
}
identical() { # VIEW NUMBER_TYPE [OPTION...]: the options apply only to the GPU
    local view=$1 how=(--size 1000x700 --precision "$2")
    shift 2
    $fathom render $view "${how[@]}" "$@" --backend $gpu -o "$out/a.ppm" --data "$out/a.npy" \
        --smooth "$out/as.npy" &&
        $fathom render $view "${how[@]}" --backend scalar -o "$out/b.ppm" --data "$out/b.npy" \
            --smooth "$out/bs.npy" &&
        $fathom compare "$out/a.ppm" "$out/b.ppm" && $fathom compare "$out/a.npy" "$out/b.npy" &&
        $fathom compare "$out/as.npy" "$out/bs.npy"
}

$fathom info >"$out/info.txt" 2>&1
row device "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
check "check_tiles (AVX-512 where there is one)" $run $build/tests/check_tiles
for name in backends methods requests statistics planes pictures sharing lines line_units colours colour_by slopes inside perturbed \
    wide_perturbed perturbed_formulas deep_slopes deep_traces storm density; do
    check "check_$name, $each" $run $build/tests/check_$name $only
done
if [ "$gpu" = cuda ]; then
    for name in gpu_count gpu_density maps recolour; do
        check "check_$name" $run $build/tests/check_$name
    done
fi
check "check_count (AVX-512 where there is one)" $run $build/tests/check_count
check "the laboratory, small" $fathom lab all --quick
for type in float double; do
    check "$gpu = scalar, home, $type" identical "" $type
    check "$gpu = scalar, seahorse, $type" identical assets/views/seahorse-valley.fathom $type
done
for view in home assets/views/seahorse-valley.fathom; do
    check "$gpu = scalar, $view, wide" identical "${view#home}" wide
done
for type in float double wide; do
    check "$gpu = scalar, the Tricorn, $type" identical '--formula tricorn --iterations 2000' $type
done
for method in rows deepen; do
    check "$gpu = scalar, home, by $method" identical "" double --method $method
done
for shortcuts in none cardioid cycle; do
    check "$gpu = scalar, home, shortcuts $shortcuts" identical "" float --shortcuts $shortcuts
done
odd() { # SIZE OPTION...: compares a picture of that size on the GPU and on the best CPU backend
    local size=$1
    shift
    $fathom render --size "$size" "$@" --backend $gpu -o "$out/a.ppm" &&
        $fathom render --size "$size" "$@" --cpumask all --backend "$(best_cpu)" -o "$out/b.ppm" &&
        $fathom compare "$out/a.ppm" "$out/b.ppm"
}
best_cpu() {
    $fathom info --json | grep -q '"name": "avx512", "usable": true' && echo avx512 || echo avx2
}
check "more pixels than a band has" odd 8300x4200 --iterations 3000
check "more rows than a grid is high" odd 8x65536 --iterations 7 --method rows
check "more rows, slices" odd 8x65536 --iterations 300000 --method rows --shortcuts none
check "the widest picture" odd 65536x40 --iterations 20000 --shortcuts cycle

check "bands" odd 20000x9000 --iterations 500
check "five samples a pixel" odd 1001x700 --samples 5

check "tour on $gpu" $fathom --backend $gpu --samples 1 --script tests/data/tour.script \
    --screenshots "$out/tour" --size 1920x1080 --json
row "  interop" "$(grep -o '"interop": *"[a-z]*"' "$out"/tour_on_$gpu.log | head -n 1)"

has_density() {
    $fathom info --json | grep -q "\"name\": \"$gpu\"[^}]*\"density\": true"
}
shot_again() { # FILE BACKEND: counts it again on another backend
    $fathom density "$1" --backend "$2" --cpumask all -o "$out/a.ppm" && $fathom compare "$1" "$out/a.ppm"
}
if has_density; then
    check "orbit density on $gpu" $fathom --backend $gpu --script tests/data/density.script \
        --screenshots "$out/density" --size 1920x1080 --json
    for i in 1 2 3; do
        check "its screenshot $i again, by $(best_cpu)" shot_again \
            "$(ls "$out"/density/*.p?? | sed -n ${i}p)" "$(best_cpu)"
    done
fi
cat >"$out/rest.script" <<'END'
wait complete
wheel 6 43% 61%
key S
wait complete
END
check "samples at rest and the automatic limit on $gpu" $fathom --backend $gpu --script "$out/rest.script" \
    --screenshots "$out/rest" --size 1280x720 --samples 8 --json
drawn_again() { # FILE BACKEND
    $fathom render "$1" --backend "$2" --cpumask all -o "$out/a.ppm" && $fathom compare "$1" "$out/a.ppm"
}
all_again() { # FOLDER BACKEND: checks every screenshot
    local shot
    for shot in "$1"/*.p??; do
        drawn_again "$shot" "$2" || return 1
    done
}
check "its screenshot again, by $(best_cpu)" drawn_again "$(ls "$out"/rest/*.p?? | head -n 1)" "$(best_cpu)"
cat >"$out/colours.script" <<'END'
wheel 4 43% 61%
key C
wait complete
key C
wait complete
key ]
key S
wait complete
key C
key ]
wait complete
key S
wait complete
END
check "other colours on $gpu" $fathom --backend $gpu --script "$out/colours.script" \
    --screenshots "$out/colours" --size 1280x720 --samples 1 --json
check "their screenshots again, by $(best_cpu)" all_again "$out/colours" "$(best_cpu)"
# Next to the cusp, at 1/4 + e, orbits escape after about pi / sqrt(e) steps. All pixels of such a
# picture are complete late, so if it ends while the window maps the buffer, many would be missing
# without a second painting.
late_script() { # FOLDER: prints a script with pictures of about 10 to 100 ms
    awk -v folder="$1" 'BEGIN {
        for (n = 20000; n < 90000; n *= 1.1) {
            e = (3.14159265 / n) ^ 2
            file = sprintf("%s/%06d.fathom", folder, n)
            printf "[view]\nre = %.18f\nim = 0\nzoom = %.6g\n\n[fractal]\niterations = %d\n", 0.25 + e, 4 / e ^ 1.5, 2 * n >file
            printf "goto %s\nwait complete\nkey S\nwait complete\n", file
        }
    }'
}
mkdir -p "$out/late" && late_script "$out/late" >"$out/late.script"
check "pictures that take their time, on $gpu" $fathom --backend $gpu --script "$out/late.script" --screenshots \
    "$out/late" --size 1920x1080 --samples 1 --auto-limit off --json
check "their screenshots again, without a window" all_again "$out/late" $gpu
full() { # MEGABYTES: occupies most of a GPU's memory; drawing fails with one sentence or is right, and the window continues
    local lines
    $run "$build/tests/gpu_hog" "$1" $fathom render --backend $gpu --size 8000x8000 -o "$out/full.ppm" \
        2>"$out/full.txt"
    case $? in
    0) $fathom render --size 8000x8000 -o "$out/b.ppm" && $fathom compare "$out/full.ppm" "$out/b.ppm" || return 1 ;;
    1) lines=$(grep -c 'error: ' "$out/full.txt") && [ "$lines" = 1 ] && [ ! -e "$out/full.ppm" ] || return 1 ;;
    *) return 1 ;;
    esac
    cat "$out/full.txt"
    rm -f "$out/full.ppm"
    $run "$build/tests/gpu_hog" "$1" $fathom --backend $gpu --samples 1 --script tests/data/tour.script --size 1280x720 \
        --screenshots "$out/full$1" --json
}
for left in 0 400 800 1600; do
    [ -x "$build/tests/gpu_hog" ] && check "a GPU with $left MB left" full $left
done
for i in 1 2; do
    printf '%s\n' 'wait complete' "$(random_events $i 500)" 'goto tests/data/whole-set.fathom'
done >"$out/random.script"
echo 'wait complete' >>"$out/random.script"
check "random events on $gpu" $fathom --backend $gpu --script "$out/random.script" --size 640x360 \
    --screenshots "$out/random" --json
counted() { # NAME OPTION...: measures a rate of orbit density
    local name=$1 log
    shift
    check "orbit density, $name" $fathom density --backend $gpu --seconds 2 --json "$@"
    log="$out/$(tr -c 'a-z0-9\n' _ <<<"orbit density, $name").log"
    row "  points per second" "$(number "$log" points_per_second)"
}
if has_density; then
    counted "1440x2560, limit 20" --size 1440x2560 --least 1 --iterations 20 --precision float
    counted "1440x2560, limit 20, double" --size 1440x2560 --least 1 --iterations 20 --precision double
    for size in 1280x720 3840x2160; do
        for type in float double; do
            counted "limit 1000, $size, $type" --size $size --precision $type
        done
    done
    counted "limits 5000, 500, 50" --size 3840x2160 --channels 5000,500,50 --precision float
    counted "bounded orbits" --size 3840x2160 --counted bounded --precision float
fi

check "frames of the whole set, 3840x2160, double" $fathom --backend $gpu --precision double --samples 1 --auto-limit off --script \
    tests/measure/measure.script --screenshots "$out" --size 3840x2160 --iterations 1000 --json
log=$(ls "$out"/frames_of_the_whole*.log)
row "  complete frame, median ms (cuda: at most 3, by read-back: 5)" "$(number "$log" frame_ms_median)"
row "  complete frame, 99th percentile ms" "$(number "$log" frame_ms_p99)"
row "  of which kernels, median ms" "$(number "$log" device_ms_median)"
check "a long picture on $gpu" $fathom --backend $gpu --script tests/data/long.script --size 1280x720 --json --samples 1 --auto-limit off \
    --screenshots "$out" --shortcuts none
log=$(ls "$out"/a_long_picture*.log)
row "  event loop turn, 99th percentile ms" "$(number "$log" turn_ms_p99)"
row "  cancel, longest ms (at most 5)" "$(number "$log" cancel_ms_max)"

# Compared with cuda, if that is another backend.
check "bench of kernels, $gpu" $fathom bench --backend cuda,$gpu --view \
    interior-4k,whole-set-4k,seahorse-4k,seahorse,escape-dense,hybridizer,deep --repeats 9
check "from the start to a picture, ms" $run bash tests/measure/measure_start.sh $build/fathom 9 $gpu
log=$(ls "$out"/from_the_start*.log)
row "  into a file, median ms" "$(sed -n 's/^a picture by .* //p' "$log")"
check "bench of kernels, avx" $fathom bench --backend avx512,avx2 --threads 2 --view \
    whole-set,interior,escape-dense,seahorse --repeats 7

if [ "${SANITIZE:-yes}" = yes ] && [ "$gpu" = cuda ]; then
    sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer)
    for tool in memcheck racecheck initcheck synccheck; do
        check "compute-sanitizer $tool" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_backends cuda
        check "compute-sanitizer $tool, methods" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_methods cuda 1 3
        check "compute-sanitizer $tool, counting" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_gpu_count quick
        check "compute-sanitizer $tool, planes" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_planes cuda
        check "compute-sanitizer $tool, pictures" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_pictures cuda quick
        check "compute-sanitizer $tool, perturbed" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_perturbed cuda
        check "compute-sanitizer $tool, wide perturbed" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_wide_perturbed cuda
        check "compute-sanitizer $tool, sharing" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_sharing cuda
        check "compute-sanitizer $tool, statistics" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_statistics cuda
        check "compute-sanitizer $tool, density" $run "$sanitizer" --tool $tool --error-exitcode 3 \
            $build/tests/check_gpu_density 1 6
    done
fi
printf '\n%s' "$table" | tee "$out/table.txt"
exit $failed

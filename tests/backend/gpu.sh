#!/usr/bin/env bash
# Everything that needs a real NVIDIA GPU: checks, identity with the CPU, the interop path in a real GL
# context, compute-sanitizer, and the figures of docs/performance.md. Builds nothing.
# usage, in the project's root, after ./run --version:  tests/backend/gpu.sh [OUTPUT_FOLDER]
# FATHOM_BUILD names the build folder (default: build), FATHOM_RUN a command to start programs with
# (default: none); SANITIZE=no skips the sanitizer.
set -u
build=${FATHOM_BUILD:-build}
out=${1:-$build/gpu}
run=${FATHOM_RUN:-}
fathom="$run $build/fathom"
export SDL_VIDEODRIVER=${SDL_VIDEODRIVER:-offscreen} FATHOM_SOURCE=${FATHOM_SOURCE:-$PWD}
mkdir -p "$out"
failed=0
table=

row() { # NAME RESULT
    table+=$(printf '%-44s %s' "$1" "$2")$'\n'
}
check() { # NAME COMMAND...: a row of its own, the output kept in a file
    local name=$1 log
    log="$out/$(tr -c 'a-z0-9\n' _ <<<"$1").log"
    shift
    if "$@" >"$log" 2>&1; then
        row "$name" ok
    else
        row "$name" "FAILED ($?)"
        failed=1
        tail -n 5 "$log"
    fi
}
number() { # FILE KEY: a number from a JSON file
    grep -o "\"$2\": *[0-9.e+-]*" "$1" | head -n 1 | sed 's/.*: *//'
}
identical() { # VIEW NUMBER_TYPE ARITHMETIC [OPTION...]: the options are for CUDA alone
    local view=$1 how=(--size 1000x700 --precision "$2" --arithmetic "$3")
    shift 3
    $fathom render $view "${how[@]}" "$@" --backend cuda -o "$out/a.ppm" --data "$out/a.npy" \
        --smooth "$out/as.npy" &&
        $fathom render $view "${how[@]}" --backend scalar -o "$out/b.ppm" --data "$out/b.npy" \
            --smooth "$out/bs.npy" &&
        $fathom compare "$out/a.ppm" "$out/b.ppm" && $fathom compare "$out/a.npy" "$out/b.npy" &&
        $fathom compare "$out/as.npy" "$out/bs.npy"
}

$fathom info >"$out/info.txt" 2>&1
row device "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
check "check_tiles (AVX-512 where there is one)" $run $build/tests/check_tiles
check "check_backends, all of them" $run $build/tests/check_backends
check "check_gpu_count" $run $build/tests/check_gpu_count
check "check_density, all of them" $run $build/tests/check_density
check "check_statistics, all of them" $run $build/tests/check_statistics
check "check_planes, all of them" $run $build/tests/check_planes
check "check_pictures, all of them" $run $build/tests/check_pictures
check "check_sharing, all of them" $run $build/tests/check_sharing
for name in colours colour_by slopes inside deep_slopes deep_traces perturbed_formulas maps; do
    check "check_$name, all of them" $run $build/tests/check_$name
done
check "check_lines, all of them" $run $build/tests/check_lines
check "check_recolour, all of them" $run $build/tests/check_recolour
check "check_perturbed, all of them" $run $build/tests/check_perturbed
check "check_wide_perturbed, all of them" $run $build/tests/check_wide_perturbed
check "check_gpu_density" $run $build/tests/check_gpu_density
check "check_count (AVX-512 where there is one)" $run $build/tests/check_count
check "the laboratory, small" $fathom lab all --quick
for type in float double; do
    for arithmetic in fused unfused; do
        check "cuda = scalar, home, $type $arithmetic" identical "" $type $arithmetic
        check "cuda = scalar, seahorse, $type $arithmetic" identical assets/views/seahorse-valley.fathom $type $arithmetic
    done
done
for view in home assets/views/seahorse-valley.fathom; do
    check "cuda = scalar, $view, wide" identical "${view#home}" wide fused
done
for type in float double wide; do
    check "cuda = scalar, the Tricorn, $type" identical '--formula tricorn --iterations 2000' $type fused
done
for method in rows deepen; do
    check "cuda = scalar, home, by $method" identical "" double fused --method $method
done
for shortcuts in none cardioid cycle; do
    check "cuda = scalar, home, shortcuts $shortcuts" identical "" float fused --shortcuts $shortcuts
done
check "check_methods, all of them" $run $build/tests/check_methods
odd() { # SIZE OPTION...: a picture of that size, on the GPU and on the best CPU backend
    local size=$1
    shift
    $fathom render --size "$size" "$@" --backend cuda -o "$out/a.ppm" &&
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

check "tour on cuda through the interop path" $fathom --backend cuda --samples 1 --script tests/data/tour.script \
    --screenshots "$out/tour" --size 1920x1080 --json
row "  interop" "$(grep -o '"interop": *"[a-z]*"' "$out"/tour_on_cuda*.log | head -n 1)"

check "orbit density on cuda through the interop path" $fathom --backend cuda --script \
    tests/data/density.script --screenshots "$out/density" --size 1920x1080 --json
shot_again() { # FILE BACKEND: counted again elsewhere
    $fathom density "$1" --backend "$2" --cpumask all -o "$out/a.ppm" && $fathom compare "$1" "$out/a.ppm"
}
for i in 1 2 3; do
    check "its screenshot $i again, by $(best_cpu)" shot_again \
        "$(ls "$out"/density/*.p?? | sed -n ${i}p)" "$(best_cpu)"
done
cat >"$out/rest.script" <<'END'
wait complete
wheel 6 43% 61%
key S
wait complete
END
check "samples at rest and the automatic limit on cuda" $fathom --backend cuda --script "$out/rest.script" \
    --screenshots "$out/rest" --size 1280x720 --samples 8 --json
drawn_again() { # FILE BACKEND
    $fathom render "$1" --backend "$2" --cpumask all -o "$out/a.ppm" && $fathom compare "$1" "$out/a.ppm"
}
all_again() { # FOLDER BACKEND: every screenshot
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
check "other colours on cuda through the interop path" $fathom --backend cuda --script "$out/colours.script" \
    --screenshots "$out/colours" --size 1280x720 --samples 1 --json
check "their screenshots again, by $(best_cpu)" all_again "$out/colours" "$(best_cpu)"
# Beside the cusp, at 1/4 + e, orbits escape after some pi / sqrt(e) steps: all pixels of such a picture are done
# late, so one that ends while the window has the buffer lacks many if they are not painted again.
late_script() { # FOLDER: pictures of about 10 to 100 ms
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
check "pictures that take their time, on cuda" $fathom --backend cuda --script "$out/late.script" --screenshots \
    "$out/late" --size 1920x1080 --samples 1 --auto-limit off --json
check "their screenshots again, without a window" all_again "$out/late" cuda
full() { # MEGABYTES: a GPU whose memory others have; drawing fails in a sentence or is right, the window goes on
    local lines
    $run "$build/tests/gpu_hog" "$1" $fathom render --backend cuda --size 8000x8000 -o "$out/full.ppm" \
        2>"$out/full.txt"
    case $? in
    0) $fathom render --size 8000x8000 -o "$out/b.ppm" && $fathom compare "$out/full.ppm" "$out/b.ppm" || return 1 ;;
    1) lines=$(grep -c 'error: ' "$out/full.txt") && [ "$lines" = 1 ] && [ ! -e "$out/full.ppm" ] || return 1 ;;
    *) return 1 ;;
    esac
    cat "$out/full.txt"
    rm -f "$out/full.ppm"
    $run "$build/tests/gpu_hog" "$1" $fathom --backend cuda --samples 1 --script tests/data/tour.script --size 1280x720 \
        --screenshots "$out/full$1" --json
}
for left in 0 400 800 1600; do
    check "a GPU with $left MB left" full $left
done
check "random events on cuda" $fathom --backend cuda --script tests/data/random.script --size 640x360 \
    --screenshots "$out/random" --json
counted() { # NAME OPTION...: a rate of orbit density
    local name=$1 log
    shift
    check "orbit density, $name" $fathom density --backend cuda --seconds 2 --json "$@"
    log="$out/$(tr -c 'a-z0-9\n' _ <<<"orbit density, $name").log"
    row "  points per second" "$(number "$log" points_per_second)"
}
counted "seed 001's job" --rules seed
counted "seed 001's job in double" --rules seed --precision double
for size in 1280x720 3840x2160; do
    for type in float double; do
        counted "limit 1000, $size, $type" --size $size --precision $type
    done
done
counted "limits 5000, 500, 50" --size 3840x2160 --channels 5000,500,50 --precision float
counted "bounded orbits" --size 3840x2160 --counted bounded --precision float

check "frames of the whole set, 3840x2160, double" $fathom --backend cuda --precision double --samples 1 --auto-limit off --script \
    tests/measure/measure.script --screenshots "$out" --size 3840x2160 --iterations 1000 --json
log=$(ls "$out"/frames_of_the_whole*.log)
row "  complete frame, median ms (at most 3)" "$(number "$log" frame_ms_median)"
row "  complete frame, 99th percentile ms" "$(number "$log" frame_ms_p99)"
row "  of which kernels, median ms" "$(number "$log" device_ms_median)"
check "a long picture on cuda" $fathom --backend cuda --script tests/data/long.script --size 1280x720 --json --samples 1 --auto-limit off \
    --screenshots "$out" --shortcuts none
log=$(ls "$out"/a_long_picture*.log)
row "  event loop turn, 99th percentile ms" "$(number "$log" turn_ms_p99)"
row "  cancel, longest ms (at most 5)" "$(number "$log" cancel_ms_max)"

check "bench of kernels, cuda" $fathom bench --backend cuda --view \
    interior-4k,whole-set-4k,seahorse,escape-dense,hybridizer --repeats 9
check "bench of kernels, avx" $fathom bench --backend avx512,avx2 --threads 2 --view \
    whole-set,interior,escape-dense,seahorse --repeats 7

if [ "${SANITIZE:-yes}" = yes ]; then
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

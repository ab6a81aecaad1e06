# shellcheck shell=bash
# fathom bench motion and bench dive: every scenario is measured in the real window, and its figures
# are plausible; speed is not tested.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

motion() {
    expect "$1" "$FATHOM" bench motion --size 96x64 --seconds 0.6 "${@:2}"
}

if can python3 'what bench motion --json says'; then
    motion 0 --json
    python3 -c '
import json, sys
report = json.load(sys.stdin)
names = ["pan", "zoom", "hold", "out", "rotation", "dive", "autopilot"]
assert [s["scenario"] for s in report["scenarios"]] == names, "scenarios"
assert (report["width"], report["height"], report["limit"], report["hz"]) == (96, 64, 2000, 60), "setup"
assert report["backend"] and report["gl"], "what drew"
for s in report["scenarios"]:
    name = s["scenario"]
    assert s["frames"] >= 1 and 0 < s["seconds"] < 5, name + ": frames"
    for pace in s["all"], s["without_gl"]:
        ms = pace["frame_ms"]
        assert pace["frames_per_s"] > 0 and pace["late"] >= 0, name + ": pace"
        assert 0 <= ms["p50"] <= ms["p99"] <= ms["max"] + 0.001, name + ": frame times"
    assert s["without_gl"]["frame_ms"]["max"] <= s["all"]["frame_ms"]["max"], name + ": GL takes time"
    assert list(s["parts_ms"]) == ["loop", "compute", "upload", "draw", "swap"], name + ": parts"
    assert s["parts_ms"]["draw"]["p50"] > 0 and s["parts_ms"]["swap"]["p50"] > 0, name + ": drawing"
    assert s["latency_ms"]["p50"] is None or 0 < s["latency_ms"]["p50"] < 5000, name + ": latency"
    assert 0 <= s["final_pixels"] <= s["near_pixels"] <= 1, name + ": true pixels"
    assert s["near_pixels_p1"] <= s["near_pixels"] + 1e-9, name + ": near pixels"
    assert s["new_pixels"] >= 0, name + ": new pixels"
    if name == "autopilot": # its message covers the picture for the whole test
        continue
    assert s["judged_frames"] >= 1, name + ": judged frames"
    assert 5 < s["psnr_worst_db"] <= s["psnr_mean_db"] <= 99, name + ": PSNR"
    assert 5 < s["psnr_quarter_pixel_db"] < 60, name + ": PSNR of moved samples"
    assert 0 < s["sharpness_worst"] <= s["sharpness_median"] < 3, name + ": sharpness"
    assert s["exact_after_ms"] is not None and 0 <= s["exact_after_ms"] < 60000, name + ": exact"
pan = report["scenarios"][0]
assert pan["latency_ms"]["p50"] is not None, "a drag is input all the time"
' <out 2>why || fail "bench motion --json: $(tail -n 1 why): $(cat out)"
fi

# With its own view, backend, limit and pace.
printf '[view]\nre = -0.5\nzoom = 1\n[fractal]\niterations = 100\n' >whole.fathom
motion 0 --scenario pan,rotation --view whole.fathom --iterations 50 --hz 120 --backend scalar --painting off
grep -q '^whole.fathom, scalar .* 96x64 at 120 Hz, limit 50$' out || fail "the head says '$(head -n 1 out)'"
[ "$(grep -c '^\(pan\|rotation\) ' out)" = 2 ] || fail "the table has not these two: $(cat out)"
grep -q '^\(zoom\|hold\|out\|dive\) ' out && fail "the table has more than was asked for: $(cat out)"

# Dive from the whole set to the view, with the measurements for each range of zooms.
place=$FATHOM_SOURCE/tests/data/locations/5e113.fathom
dive() {
    expect "$1" "$FATHOM" bench dive --size 96x64 "${@:2}"
}
if can python3 'what bench dive --json says'; then
    dive 0 "$place" --seconds 3 --hz 30 --json
    python3 -c '
import json, sys
report = json.load(sys.stdin)
[s] = report["scenarios"]
assert s["scenario"] == "dive" and report["limit"] == 35494, "setup"
depths = s["depths"]
starts = [d["from_decade"] for d in depths]
assert starts == sorted(set(starts)) and all(start % 10 == 0 for start in starts), "depths"
assert starts[0] <= 10 and starts[-1] >= 100, "from the whole set to the place" # or beyond them, if frames come late
assert sum(d["frames"] for d in depths) == s["frames"], "each frame belongs to one"
assert sum(d["late"] for d in depths) == s["all"]["late"], "late ones, too"
assert sum(d["late_without_gl"] for d in depths) == s["without_gl"]["late"], "likewise"
assert max(d["frame_ms_max"] for d in depths) <= s["all"]["frame_ms"]["max"] + 0.001, "worst frame"
for d in depths:
    assert 0 <= d["final_pixels"] <= d["near_pixels"] <= 1, "true pixels"
judged = [d for d in depths if d["sharpness_worst"] is not None]
assert judged and min(d["sharpness_worst"] for d in judged) == s["sharpness_worst"], "sharpness"
assert min(d["psnr_worst_db"] for d in judged) == s["psnr_worst_db"], "PSNR"
' <out 2>why || fail "bench dive --json: $(tail -n 1 why): $(cat out)"
fi
dive 0 '-2 + 0i 1e20' --seconds 0.5
grep -q '^zoom from ' out || fail "the table says nothing of depths: $(cat out)"
dive 1 whole.fathom
complains 'nowhere to dive'
dive 2
complains 'needs a view'
dive 2 "$place" --scenario pan
complains 'does not apply to bench dive'
expect 2 "$FATHOM" bench motion "$place"
complains 'one argument too many'

motion 2 --scenario pan,flight
complains "there is no 'flight'"
motion 1 --view nowhere.fathom
complains nowhere.fathom
expect 2 "$FATHOM" bench motion --csv x.csv
complains 'does not apply to bench motion'
expect 2 "$FATHOM" bench --scenario pan
complains 'does not apply to bench kernels'
expect 1 env SDL_VIDEODRIVER=none "$FATHOM" bench motion --seconds 0.1

finish

#!/usr/bin/env python3
"""Makes an animated WebP from PPM files, or checks the frames of such a film against the PPM files.

usage: film.py make FILM.webp DECIBELS MS FRAME.ppm...
       film.py check FILM.webp DECIBELS FRAME.ppm...

MS is the time in milliseconds for which each frame except the last is shown; the last is shown for
2000 ms. DECIBELS is the least peak signal-to-noise ratio of a frame. "make" encodes each frame as a
separate picture, with the lowest quality that reaches DECIBELS. An encoder that stores differences
between frames would keep blocks that are nearly equal, and these add up to stale patches. "check"
exits with status 1 if a frame is worse than DECIBELS. The script needs cwebp, dwebp and webpmux of
libwebp (Debian's package webp).
"""
import collections
import math
import operator
import os
import subprocess
import sys
import tempfile

# Qualities to try. Below 70 a smooth sky shows the encoder's blocks, even if the ratio is high.
QUALITIES = range(70, 101, 5)
LAST_MS = 2000


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def pixels(path):
    """Returns the size (width and height, as text) and the bytes of a binary PPM."""
    with open(path, "rb") as file:
        data = file.read()
    at, words = 0, []
    while len(words) < 4:
        end = at
        if data[at:at + 1] == b"#":
            at = data.index(b"\n", at)
        elif not data[at:at + 1].isspace():
            while not data[end:end + 1].isspace():
                end += 1
            words.append(data[at:end])
            at = end
            continue
        at += 1
    if words[0] != b"P6" or words[3] != b"255":
        sys.exit(f"film.py: {path} is no PPM of 8 bits")
    return words[1:3], data[at + 1:]


def decibels(one, other):
    """Returns the peak signal-to-noise ratio [dB] of two PPM files over red, green and blue.

    Returns 0 if their sizes differ, and infinity if their pixels are equal.
    """
    (size, a), (other_size, b) = pixels(one), pixels(other)
    if size != other_size or len(a) != len(b):
        return 0.0
    differences = collections.Counter(map(operator.sub, a, b))
    squares = sum(count * difference ** 2 for difference, count in differences.items())
    return 10 * math.log10(255 ** 2 * len(a) / squares) if squares else math.inf


def encode(frame, still, wanted):
    """Writes `frame` as a WebP with the lowest quality that reaches `wanted` dB, or losslessly."""
    low, high = 0, len(QUALITIES) - 1
    decoded = still + ".ppm"
    while True:
        middle = (low + high) // 2
        run("cwebp", "-q", str(QUALITIES[middle]), "-m", "6", "-sharp_yuv", frame, "-o", still)
        run("dwebp", still, "-ppm", "-o", decoded)
        good = decibels(frame, decoded) >= wanted
        if good and low == middle:
            return
        if not good and middle == len(QUALITIES) - 1:
            run("cwebp", "-lossless", frame, "-o", still)
            return
        low, high = (low, middle) if good else (middle + 1, high)


def make(film, wanted, ms, frames):
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for i, frame in enumerate(frames):
            still = os.path.join(folder, f"{i}.webp")
            encode(frame, still, wanted)
            arguments += ["-frame", still, f"+{ms if frame != frames[-1] else LAST_MS}"]
        run("webpmux", *arguments, "-loop", "0", "-o", film)


def check(film, wanted, frames):
    """Returns True if each frame has at least `wanted` dB. Prints the ratio of the worst frame.

    Exits if a frame is missing.
    """
    worst = math.inf
    with tempfile.TemporaryDirectory() as folder:
        still, decoded = os.path.join(folder, "still.webp"), os.path.join(folder, "decoded.ppm")
        for i, frame in enumerate(frames):
            try:
                run("webpmux", "-get", "frame", str(i + 1), film, "-o", still)
            except subprocess.CalledProcessError:
                sys.exit(f"film.py: {film} has no frame {i + 1}")
            run("dwebp", still, "-ppm", "-o", decoded)
            found = decibels(frame, decoded)
            worst = min(worst, found)
            if found < wanted:
                print(f"film.py: frame {i + 1} of {film} has {found:.1f} dB", file=sys.stderr)
    size = os.path.getsize(film)
    print(f"{film}: {len(frames)} frames, {size} bytes, the worst with {worst:.1f} dB")
    return worst >= wanted


if __name__ == "__main__":
    if len(sys.argv) >= 6 and sys.argv[1] == "make":
        make(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
    elif len(sys.argv) >= 5 and sys.argv[1] == "check":
        sys.exit(0 if check(sys.argv[2], float(sys.argv[3]), sys.argv[4:]) else 1)
    else:
        sys.exit(__doc__)

#!/usr/bin/env python3
"""Not a test: makes a strip of a dive to be looked at, every tenth of 60 frames a second. By hand, with or without a
display (SDL_VIDEODRIVER=offscreen):
    python3 tests/measure/measure_strip.py PROGRAM FILE.webp [OPTION...]
Twelve frames, left to right and downwards, of each the middle at its true size, Z being held at twice the usual speed
from zoom 200 at the seahorses. OPTIONs are fathom's (--backend cuda). Needs cwebp, but not for a FILE.ppm. For a strip
of XaoS, or of what an X server shows: measure_hold.py --strip.
"""
import os
import subprocess
import sys
import tempfile

COLUMNS, ROWS, WIDTH, HEIGHT = 4, 3, 240, 180
FRAMES_APART_MS = 1e4 / 60


def write_sheet(path, pictures):
    """Each picture is width, height and rows of RGB; its middle is shown."""
    sheet = b""
    for first in range(0, COLUMNS * ROWS, COLUMNS):
        for y in range(HEIGHT):
            for width, height, rgb in pictures[first:first + COLUMNS]:
                at = 3 * ((height - HEIGHT) // 2 * width + y * width + (width - WIDTH) // 2)
                sheet += bytes(rgb[at:at + 3 * WIDTH])
    sheet = b"P6\n%d %d\n255\n" % (COLUMNS * WIDTH, ROWS * HEIGHT) + sheet
    if path.endswith(".ppm"):
        with open(path, "wb") as file:
            file.write(sheet)
    else:
        with tempfile.NamedTemporaryFile(suffix=".ppm") as file:
            file.write(sheet)
            file.flush()
            subprocess.run(["cwebp", "-quiet", "-q", "40", "-m", "6", file.name, "-o", path], check=True)


def read_ppm(path):
    with open(path, "rb") as file:
        magic, size = file.readline(), file.readline()
        width, height = map(int, size.split())
        if magic.strip() != b"P6" or file.readline().strip() != b"255":
            raise SystemExit("measure_strip: %s is no capture" % path)
        return width, height, file.read()


def main():
    if len(sys.argv) < 3:
        raise SystemExit("usage: " + __doc__)
    program, path, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    names = ["%02d.ppm" % i for i in range(COLUMNS * ROWS)]
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "dive.script")
        with open(script, "w") as file:
            file.write("move 50% 50%\nwait complete\nwait 5000\npress z\n")
            for name in names:
                file.write("wait %.0f\ncapture %s\n" % (FRAMES_APART_MS, name))
            file.write("release z\nquit\n")
        subprocess.run([program, "-0.743643887037158704752 + 0.131825904205311970493i 200 5000", "--script", script,
                        "--screenshots", folder, "--zoom-speed", "2", "--numbers", "none", "--size", "1280x720"] +
                       options, check=True)
        write_sheet(path, [read_ppm(os.path.join(folder, name)) for name in names])


if __name__ == "__main__":
    main()

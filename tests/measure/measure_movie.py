#!/usr/bin/env python3
"""Measures the frames of a movie against pictures with 64 samples a pixel (docs/movies.md).

usage: measure_movie.py FATHOM VIEW OCTAVES SAMPLES [TURNS [WIDTH HEIGHT]]

The movie ends at VIEW and begins OCTAVES before it with the same centre, at nine frames an octave and
320x180 pixels by default. With TURNS, the view has no light, which keeps its direction in the plane.
Prints, for pictures and for the movie with SAMPLES samples: the mean and worst peak
signal-to-noise ratio, the flicker (second difference in time of the error, in bytes), the same after
a blur of 2 pixels in linear light, and the largest change of the ratio from a frame to the next one.
Needs numpy and scipy.
"""
import os
import re
import subprocess
import sys
import tempfile

import numpy
from scipy.ndimage import gaussian_filter

FRAMES_AN_OCTAVE = 9
WIDTH, HEIGHT = map(int, sys.argv[6:8]) if len(sys.argv) == 8 else (320, 180)
SIZE = f"{WIDTH}x{HEIGHT}"


def read_picture(path):
    with open(path, "rb") as file:
        data = file.read()
    return numpy.frombuffer(data[-3 * WIDTH * HEIGHT:], numpy.uint8).reshape(HEIGHT, WIDTH, 3)


def light(picture):
    value = picture / 255.0
    return numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def blurred(picture):
    soft = gaussian_filter(light(picture), sigma=(2, 2, 0))
    return 255 * numpy.where(soft <= 0.0031308, 12.92 * soft, 1.055 * soft ** (1 / 2.4) - 0.055)


def ratio(error):
    return 10 * numpy.log10(255 ** 2 / max(numpy.mean(error ** 2), 1e-9))


def report(name, frames, truth):
    for label, change in (("raw", lambda frame: frame.astype(float)), ("blurred", blurred)):
        errors = [change(frame) - change(true) for frame, true in zip(frames, truth)]
        ratios = numpy.array([ratio(error) for error in errors])
        second = [errors[i - 1] - 2 * errors[i] + errors[i + 1] for i in range(1, len(errors) - 1)]
        flicker = numpy.sqrt(numpy.mean(numpy.square(second)) / 6)
        print(f"{name:22} {label:8} mean {ratios.mean():5.1f} worst {ratios.min():5.1f} "
              f"flicker {flicker:5.2f} change {numpy.abs(numpy.diff(ratios)).max():4.2f} dB", flush=True)
        yield ratios


def main(fathom, view, octaves, samples, turns="0"):
    octaves, turns = float(octaves), float(turns)
    folder = tempfile.mkdtemp()
    with open(view, encoding="utf-8") as file:
        text = file.read()
    zoom = re.search(r"^zoom *= *(\S+)", text, re.M).group(1)
    digits, _, power = zoom.partition("e")
    angle = re.search(r"^angle *= *(\S+)", text, re.M)
    angle = float(angle.group(1)) if angle else 0.0

    def write_view(name, way, turned):
        """Writes the view at a share of the way, in octaves before the end."""
        path = os.path.join(folder, name)
        scaled = float(digits) * 2.0 ** -way
        with open(path, "w", encoding="utf-8") as out:
            changed = re.sub(r"^zoom *=.*", f"zoom = {scaled!r}e{power or 0}", text, flags=re.M)
            changed = re.sub(r"^angle *=.*\n", "", changed, flags=re.M)
            out.write(changed.replace("[view]", f"[view]\nangle = {angle + 360 * turned!r}", 1))
        return path

    count = round(octaves * FRAMES_AN_OCTAVE) + 1
    start = write_view("start.fathom", octaves, 0)
    end = write_view("end.fathom", 0, 0)
    subprocess.run([fathom, "movie", end, "--from", start, "-o", folder + "/movie-%i.ppm", "--size",
                    SIZE, "--ease", "0", "--fps", "1", "--seconds", str(count), "--samples", samples,
                    "--turns", str(turns), "--auto-frequency", "off"], check=True)
    width = len(str(count))
    sets = {"movie": [read_picture(f"{folder}/movie-{i + 1:0{width}}.ppm") for i in range(count)]}
    for n in (samples, "64"):
        sets[n] = []
        for i in range(count):
            share = i / (count - 1)
            path = write_view("frame.fathom", octaves * (1 - share), turns * share)
            subprocess.run([fathom, "render", path, "--size", SIZE, "--samples", n, "-o",
                            folder + "/frame.ppm"], check=True)
            sets[n].append(read_picture(folder + "/frame.ppm"))
    exact = list(report(f"pictures, {samples} samples", sets[samples], sets["64"]))
    movie = list(report(f"movie, N = {samples}", sets["movie"], sets["64"]))
    for label, a, b in zip(("raw", "blurred"), movie, exact):
        print(f"least gain of a frame  {label:8} {(a - b).min():+.2f} dB")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:6])

#!/usr/bin/env python3
"""Checks EXR pictures of fathom with a reader of their own, and their samples with Python's integers alone.

    exr_check.py FILE.exr PICTURE.ppm WIDTH HEIGHT RE IM ZOOM ANGLE LIMIT flat|exponential

PICTURE has the same pixels in bytes. RE and IM are decimals, ANGLE is in degrees. Prints what is wrong.
"""
import cmath
import math
import os
import random
import struct
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../shared"))
sys.dont_write_bytecode = True
from exr import read_exr  # noqa: E402

BITS = 300  # of fixed-point numbers


def place_of(x, y, a):
    """The c of a pixel, as two integers in units of 2^-BITS."""
    step = 4 / (a["zoom"] * a["height"])
    if a["projection"] == "exponential":
        radius = math.hypot(a["width"], a["height"]) / 2 * step * 2 ** -((y + 0.5) / a["height"])
        c = radius * cmath.exp(-2j * math.pi * (x + 0.5) / a["width"])
    else:
        c = complex(x + 0.5 - a["width"] / 2, a["height"] / 2 - y - 0.5) * step
    c *= cmath.exp(1j * math.radians(a["angle"]))
    return tuple(int((Fraction(part) + offset) * 2**BITS) for part, offset in zip(a["centre"], map(Fraction, (c.real, c.imag))))


def smooth_of(re, im, limit):
    """The smooth value of a point; None in the interior."""
    x = y = n = after = 0
    escaped = False
    while True:
        norm2 = x * x + y * y
        escaped = escaped or norm2 >= 4 << 2 * BITS
        if norm2 >= 65536 << 2 * BITS:
            break
        if not escaped and n == limit:
            return None
        x, y = ((x * x - y * y) >> BITS) + re, (x * y >> BITS - 1) + im
        n, after = n + (not escaped), after + escaped
    return n + after - math.log2(math.log2(norm2 >> 2 * BITS) / 16)


def check_samples(channels, a):
    generator, wrong, count = random.Random(7), 0, 150
    for _ in range(count):
        x, y = generator.randrange(a["width"]), generator.randrange(a["height"])
        wanted = smooth_of(*place_of(x, y, a), a["limit"])
        n, nf = channels["N"][y][x], channels["NF"][y][x]
        if wanted is None:
            wrong += n != 0xFFFFFFFF or nf != 0
        else:
            wrong += not (0 <= nf < 1) or abs(n - 1024 + nf - wanted) > 1e-3
    return f"{wrong} of {count} samples are wrong" if wrong > 2 else None


def check_distances(channels, a):
    """Compares 1 / (d ln G / dx + i d ln G / dy) of the potential G, by differences, with DEX + i DEY."""
    seen = wrong = 0
    value = lambda x, y: channels["N"][y][x] + channels["NF"][y][x]
    for y in range(1, a["height"] - 1):
        for x in range(1, a["width"] - 1):
            around = [value(x - 1, y), value(x + 1, y), value(x, y - 1), value(x, y + 1)]
            bent = max(abs(around[0] + around[1] - 2 * value(x, y)), abs(around[2] + around[3] - 2 * value(x, y)))
            slope = -math.log(2) / 2 * complex(around[1] - around[0], around[3] - around[2])
            if max(around) > 1e9 or bent >= 0.1 * abs(slope):
                continue
            wanted, got = 1 / slope, complex(channels["DEX"][y][x], channels["DEY"][y][x])
            seen += 1
            wrong += abs(got - wanted) > 0.02 * abs(wanted)
    few = seen < 100 and a["zoom"] < 1e6 and a["height"] > 9  # others have hardly any straight surroundings
    return f"{wrong} of {seen} distances are wrong" if few or wrong > seen / 50 else None


def check_colours(channels, ppm, a):
    start = len(ppm) - 3 * a["width"] * a["height"]
    curve = lambda v: v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
    for y in range(a["height"]):
        for x in range(a["width"]):
            at = start + 3 * (y * a["width"] + x)
            for k, name in enumerate("RGB"):
                wanted = curve(ppm[at + k] / 255)
                if abs(channels[name][y][x] - wanted) > wanted / 1000:
                    return f"{name} of {x}, {y} is {channels[name][y][x]}, not {wanted}"
    return None


def main():
    exr, ppm, width, height, re, im, zoom, angle, limit, projection = sys.argv[1:]
    a = {"width": int(width), "height": int(height), "centre": (Fraction(re), Fraction(im)), "zoom": float(Fraction(zoom)),
         "angle": float(angle), "limit": int(limit), "projection": projection}  # fmt: skip
    attributes, kinds, channels = read_exr(exr)
    wrong = []
    if kinds != {"B": 1, "DEX": 2, "DEY": 2, "G": 1, "N": 0, "NF": 2, "R": 1, "T": 2, "fathom.angle": 0,
                 "fathom.distance": 2, "fathom.fraction": 2, "fathom.normal.x": 2, "fathom.normal.y": 2}:  # fmt: skip
        wrong.append(f"the channels are {kinds}")
    for name, value in (("Iterations", a["limit"]), ("IterationsBias", 1024)):
        if attributes.get(name) != ("int", struct.pack("<i", value)):
            wrong.append(f"{name} is {attributes.get(name)}")
    if b"[view]" not in attributes["fathom"][1]:
        wrong.append("there is no view")
    if len(channels["N"]) != a["height"] or len(channels["N"][0]) != a["width"]:
        wrong.append("the size is wrong")
    if not all(0 <= t < 1 for row in channels["T"] for t in row):
        wrong.append("T is not within 0 and 1")
    wrong += [check_samples(channels, a), check_distances(channels, a), check_colours(channels, open(ppm, "rb").read(), a)]
    for text in filter(None, wrong):
        print(f"{exr}: {text}")
    return any(wrong)


if __name__ == "__main__":
    sys.exit(main())

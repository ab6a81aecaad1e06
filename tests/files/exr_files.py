#!/usr/bin/env python3
"""Makes EXR pictures as other programs write them from one of fathom, and compares pictures.

    exr_files.py make FATHOM.exr KIND...     writes KIND.exr
    exr_files.py channels FILE.exr...        prints NAME:TYPE of each channel
    exr_files.py near A.ppm B.ppm...         fails if more than 1 % of the pixels of A differ by more than 2 from those of B
"""
import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../shared"))
sys.dont_write_bytecode = True
from exr import read_exr, write_exr  # noqa: E402

KALLES = b"Re: -0.743643887\r\nIm: 0.131825904\r\nZoom: 300\r\nIterations: 1500\r\n"
NEW = b'program = "fraktaler-3"\n[[formula]]\nname = "A formula of the future"\n'


def integer(number):
    return ("int", struct.pack("<i", number))


def make(kind, old):
    keep = {"R": 1, "G": 1, "B": 1, "N": 0, "NF": 2, "T": 2, "DEX": 2, "DEY": 2}
    attributes = {"Iterations": integer(1500), "IterationsBias": integer(1024)}
    options = {"compression": 2, "corner": (3, -5)}
    channels = {name: old[name] for name in keep}
    if kind == "kalles":
        attributes["KallesFraktaler2+"] = ("string", KALLES)
    elif kind == "words":  # counts of 64 bits, and a location that fathom lacks
        keep = {"N0": 0, "N1": 0, "NF": 2}
        channels = {"N0": old["N"], "N1": [[0xFFFFFFFF if n == 0xFFFFFFFF else 0 for n in row] for row in old["N"]], "NF": old["NF"]}
        attributes["Iterations"] = ("string", b"4294967295")
        attributes["Fraktaler3"] = ("string", NEW)
    elif kind == "types":
        keep, options = {"N": 2, "NF": 1, "T": 1}, {"compression": 0}
        channels["NF"] = [[min(v, 0.999) for v in row] for row in old["NF"]]
    elif kind == "counts":
        keep = {"N": 0}
    elif kind == "colours":
        keep = {"R": 1, "G": 1, "B": 1}
    elif kind == "wild":  # every kind of number where none belongs
        strange = [math.nan, math.inf, -math.inf, -1e30, 3e38, 0, -0.5, 1e-42]
        wild = [[strange[(x + y) % 8] for x, _ in enumerate(row)] for y, row in enumerate(old["NF"])]
        channels.update({"NF": wild, "DEX": wild, "DEY": wild[::-1], "T": wild})
        channels["N"] = [[(0, 1, 1023, 5000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)[(x * y) % 8] for x, _ in enumerate(row)] for y, row in enumerate(old["N"])]
    write_exr(f"{kind}.exr", attributes, keep, {name: channels[name] for name in keep}, **options)


def near(one, other):
    a, b = (open(path, "rb").read() for path in (one, other))
    size = 3 * 80 * 60
    a, b = a[-size:], b[-size:]
    far = sum(max(abs(a[i + c] - b[i + c]) for c in range(3)) > 2 for i in range(0, size, 3))
    return far > size / 300 and f"{far} pixels of {one} and {other} differ"


def main():
    what, first, *others = sys.argv[1:]
    if what == "near":
        return "\n".join(filter(None, (near(first, other) for other in others))) or None
    if what == "make":
        old = read_exr(first)[2]
        for kind in others:
            make(kind, old)
    if what == "channels":
        for path in [first, *others]:
            print(" ".join(f"{name}:{kind}" for name, kind in read_exr(path)[1].items()))
    return None


if __name__ == "__main__":
    sys.exit(main())

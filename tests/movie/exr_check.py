#!/usr/bin/env python3
"""Checks EXR pictures of fathom with a reader of their own, and their samples with Python's integers alone.

    exr_check.py FILE.exr PICTURE.ppm WIDTH HEIGHT RE IM ZOOM ANGLE LIMIT flat|exponential

PICTURE has the same pixels in bytes. RE and IM are decimals, ANGLE is in degrees. Prints what is wrong.
"""
import cmath
import math
import random
import struct
import sys
import zlib
from fractions import Fraction

BITS = 300  # of fixed-point numbers
ROWS = 16  # in a chunk
SIZES = {0: (4, "I"), 1: (2, "e"), 2: (4, "f")}  # by type of channel


def read_exr(path):
    """Returns the attributes, and the channels as lists of rows."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x76\x2f\x31\x01\x02\x00\x00\x00", "not a picture of scan lines"
    at, attributes = 8, {}
    while data[at]:
        name, kind, rest = data[at:].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        size = struct.unpack_from("<i", data, at)[0]
        attributes[name.decode()] = (kind.decode(), data[at + 4 : at + 4 + size])
        at += 4 + size
    at += 1
    x0, y0, x1, y1 = struct.unpack("<4i", attributes["dataWindow"][1])
    assert (x0, y0) == (0, 0) and attributes["compression"][1] == b"\3"
    width, height, names, text = x1 + 1, y1 + 1, [], attributes["channels"][1]
    while text[0]:
        name, rest = text.split(b"\0", 1)
        names.append((name.decode(), struct.unpack_from("<i", rest)[0]))
        text = rest[16:]
    assert [n for n, _ in names] == sorted(n for n, _ in names)
    channels = {name: [] for name, _ in names}
    row_bytes = width * sum(SIZES[kind][0] for _, kind in names)
    for chunk in range((height + ROWS - 1) // ROWS):
        place = struct.unpack_from("<Q", data, at + 8 * chunk)[0]
        y, size = struct.unpack_from("<ii", data, place)
        rows = min(ROWS, height - y)
        assert y == chunk * ROWS
        lines = unpack(data[place + 8 : place + 8 + size], rows * row_bytes)
        offset = 0
        for _ in range(rows):
            for name, kind in names:
                channels[name].append(struct.unpack_from(f"<{width}{SIZES[kind][1]}", lines, offset))
                offset += width * SIZES[kind][0]
    return attributes, dict(names), channels


def unpack(chunk, size):
    """Undoes ZIP compression: the differences of bytes, and the separation of even and odd places."""
    if len(chunk) == size:
        return chunk
    packed = bytearray(zlib.decompress(chunk))
    assert len(packed) == size
    for i in range(1, size):
        packed[i] = (packed[i - 1] + packed[i] - 128) & 255
    half = (size + 1) // 2
    lines = bytearray(size)
    lines[0::2], lines[1::2] = packed[:half], packed[half:]
    return bytes(lines)


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
    if kinds != {"B": 1, "DEX": 2, "DEY": 2, "G": 1, "N": 0, "NF": 2, "R": 1, "T": 2}:
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

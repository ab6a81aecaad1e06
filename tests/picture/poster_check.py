"""Reads posters without fathom's code or libtiff.

poster_check.py tiff FILE.tif PICTURE.ppm LEVELS   tiles with deflate and predictor 2
poster_check.py zoom NAME PICTURE.ppm              Deep Zoom with PNG tiles

Compares the picture with a PPM, and each smaller level with the means of the one before."""
import itertools
import os
import re
import struct
import sys
import zlib


def read_ppm(path):
    data = open(path, "rb").read()
    header = re.match(rb"P6\n(?:#.*\n)*(\d+) (\d+)\n(?:#.*\n)*255\n", data)
    width, height = int(header[1]), int(header[2])
    rows = data[header.end():]
    return width, height, [rows[3 * width * y:3 * width * (y + 1)] for y in range(height)]


def directories(data):
    """Yields the tags of each directory of a BigTIFF."""
    assert data[:8] == b"II\x2b\0\x08\0\0\0", "no BigTIFF"
    at, = struct.unpack_from("<Q", data, 8)
    while at:
        count, = struct.unpack_from("<Q", data, at)
        tags = {}
        for i in range(count):
            tag, kind, number = struct.unpack_from("<HHQ", data, at + 8 + 20 * i)
            letter = {1: "B", 2: "s", 3: "H", 4: "I", 16: "Q"}.get(kind)
            if not letter:
                continue
            size = struct.calcsize("<" + letter) * number
            place = at + 8 + 20 * i + 12
            if size > 8:
                place, = struct.unpack_from("<Q", data, place)
            tags[tag] = data[place:place + size] if kind == 2 else \
                struct.unpack_from(f"<{number}{letter}", data, place)
        yield tags
        at, = struct.unpack_from("<Q", data, at + 8 + 20 * count)


def read_level(data, tags, level):
    width, height, size = tags[256][0], tags[257][0], tags[322][0]
    assert tags[254][0] == (1 if level else 0) and tags[317][0] == 2 and tags[259][0] == 8, tags
    rows = [bytearray(3 * width) for _ in range(height)]
    across = (width + size - 1) // size
    for tile, (place, length) in enumerate(zip(tags[324], tags[325])):
        x, y = tile % across * size, tile // across * size
        raw = zlib.decompress(data[place:place + length])
        columns = min(size, width - x)
        for row in range(min(size, height - y)):
            line = raw[3 * size * row:3 * size * (row + 1)]
            for c in range(3):
                sums = itertools.accumulate(line[c:3 * columns:3])
                rows[y + row][3 * x + c:3 * (x + columns):3] = bytes(v & 255 for v in sums)
    return width, height, rows


def read_png(path):
    data = open(path, "rb").read()
    at, pixels = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack_from(">IIBB", data, at + 8)
            assert (depth, colours) == (8, 2)
        if kind == b"IDAT":
            pixels += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, stride = zlib.decompress(pixels), 3 * width + 1
    assert all(raw[stride * y] == 0 for y in range(height)), "a filter"
    return width, height, [raw[stride * y + 1:stride * (y + 1)] for y in range(height)]


LIGHT = [v / 255 / 12.92 if v < 11 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)]


def byte_of(light):
    v = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return 255 * v


def check_halved(before, level):
    width, height, rows = before
    assert level[:2] == ((width + 1) // 2, (height + 1) // 2), level[:2]
    for y in range(0, level[1], 3): # some rows are enough
        above, below = rows[2 * y], rows[min(2 * y + 1, height - 1)]
        for x in range(level[0]):
            right = min(2 * x + 1, width - 1)
            for c in range(3):
                mean = sum(LIGHT[row[3 * i + c]] for row in (above, below) for i in (2 * x, right)) / 4
                got = level[2][y][3 * x + c]
                assert abs(byte_of(mean) - got) < 0.6, (x, y, c, mean, got)


def check_levels(levels, picture):
    assert levels[0][:2] == picture[:2], "another size"
    assert all(bytes(a) == bytes(b) for a, b in zip(levels[0][2], picture[2])), "other pixels"
    for before, level in zip(levels, levels[1:]):
        check_halved(before, level)


def check_tiff(path, picture, count):
    data = open(path, "rb").read()
    levels = [read_level(data, tags, i) for i, tags in enumerate(directories(data))]
    assert len(levels) == int(count), f"{len(levels)} levels"
    check_levels(levels, read_ppm(picture))


def read_zoom_level(folder, size, width, height):
    """Puts the tiles of a level together, and checks what they overlap."""
    rows = [bytearray(3 * width) for _ in range(height)]
    seen = [bytearray(width) for _ in range(height)]
    names = set(os.listdir(folder))
    for tile_y in range((height + size - 1) // size):
        for tile_x in range((width + size - 1) // size):
            name = f"{tile_x}_{tile_y}.png"
            names.remove(name)
            x, y = max(tile_x * size - 1, 0), max(tile_y * size - 1, 0)
            columns, count, lines = read_png(f"{folder}/{name}")
            assert x + columns == min((tile_x + 1) * size + 1, width), (name, columns)
            assert y + count == min((tile_y + 1) * size + 1, height), (name, count)
            for i, line in enumerate(lines):
                for at in range(columns):
                    pixel = slice(3 * (x + at), 3 * (x + at) + 3)
                    assert not seen[y + i][x + at] or rows[y + i][pixel] == line[3 * at:3 * at + 3]
                    seen[y + i][x + at] = 1
                rows[y + i][3 * x:3 * (x + columns)] = line
    assert not names, names
    return width, height, rows


def check_zoom(name, picture):
    text = open(name + ".dzi").read()
    size, overlap = (int(re.search(f'{key}="(\\d+)"', text)[1]) for key in ("TileSize", "Overlap"))
    width, height = (int(re.search(f'{key}="(\\d+)"', text)[1]) for key in ("Width", "Height"))
    assert overlap == 1 and 'Format="png"' in text, text
    top = (max(width, height) - 1).bit_length()
    assert sorted(os.listdir(name + "_files")) == sorted(str(i) for i in range(top + 1))
    levels = []
    for level in range(top, -1, -1):
        levels.append(read_zoom_level(f"{name}_files/{level}", size, width, height))
        width, height = (width + 1) // 2, (height + 1) // 2
    check_levels(levels, read_ppm(picture))


{"tiff": check_tiff, "zoom": check_zoom}[sys.argv[1]](*sys.argv[2:])

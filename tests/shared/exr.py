"""EXR pictures in scan lines, read and written by Python alone, to check those of fathom."""
import struct
import zlib

SIZES = {0: (4, "I"), 1: (2, "e"), 2: (4, "f")}  # UINT, HALF, FLOAT
ROWS = {0: 1, 2: 1, 3: 16}  # in a chunk, by compression: none, ZIPS, ZIP


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
    assert (x0, y0) == (0, 0)
    width, height, names, text = x1 + 1, y1 + 1, [], attributes["channels"][1]
    while text[0]:
        name, rest = text.split(b"\0", 1)
        names.append((name.decode(), struct.unpack_from("<i", rest)[0]))
        text = rest[16:]
    assert [n for n, _ in names] == sorted(n for n, _ in names)
    chunk_rows = ROWS[attributes["compression"][1][0]]
    channels = {name: [] for name, _ in names}
    row_bytes = width * sum(SIZES[kind][0] for _, kind in names)
    for chunk in range((height + chunk_rows - 1) // chunk_rows):
        place = struct.unpack_from("<Q", data, at + 8 * chunk)[0]
        y, size = struct.unpack_from("<ii", data, place)
        rows = min(chunk_rows, height - y)
        assert y == chunk * chunk_rows
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


def write_exr(path, attributes, kinds, channels, compression=3, corner=(0, 0)):
    """Writes channels, lists of rows, with the types of `kinds`. `attributes` have a type and bytes."""
    names = sorted(kinds)
    height, width = len(channels[names[0]]), len(channels[names[0]][0])
    window = struct.pack("<4i", *corner, corner[0] + width - 1, corner[1] + height - 1)
    chlist = b"".join(n.encode() + b"\0" + struct.pack("<4i", kinds[n], 0, 1, 1) for n in names)
    header = {"channels": ("chlist", chlist + b"\0"), "compression": ("compression", bytes([compression])),
              "dataWindow": ("box2i", window), "displayWindow": ("box2i", window), "lineOrder": ("lineOrder", b"\0"),
              "pixelAspectRatio": ("float", struct.pack("<f", 1)), "screenWindowCenter": ("v2f", bytes(8)),
              "screenWindowWidth": ("float", struct.pack("<f", 1)), **attributes}  # fmt: skip
    data = b"\x76\x2f\x31\x01\x02\x00\x00\x00"
    for name, (kind, value) in header.items():
        data += name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value
    data += b"\0"
    chunks, rows = [], ROWS[compression]
    for y in range(0, height, rows):
        lines = b"".join(
            struct.pack(f"<{width}{SIZES[kinds[n]][1]}", *channels[n][row])
            for row in range(y, min(y + rows, height))
            for n in names
        )
        packed = pack(lines) if compression else lines
        packed = packed if len(packed) < len(lines) else lines
        chunks.append(struct.pack("<ii", corner[1] + y, len(packed)) + packed)
    place, table = len(data) + 8 * len(chunks), b""
    for chunk in chunks:
        table += struct.pack("<Q", place)
        place += len(chunk)
    with open(path, "wb") as file:
        file.write(data + table + b"".join(chunks))


def pack(lines):
    """Compresses as ZIP does: separates even and odd places, and stores differences of bytes."""
    split = lines[0::2] + lines[1::2]
    return zlib.compress(bytes([split[0]] + [(b - a + 128) & 255 for a, b in zip(split, split[1:])]))

#!/usr/bin/env python3
"""Makes tests/deep/truth/own.txt: exact counts at places near the set's edge, from Python's integers alone, so
that nothing of the program judges itself.

    python3 tests/deep/own_truth.py >tests/deep/truth/own.txt

Each place is "view WIDTH HEIGHT RE IM ZOOM LIMIT", then lines "X Y COUNT" of pixels of that picture, row 0 on top;
COUNT = LIMIT is interior. Centres and zooms are dyadic, written in full, so that reading them rounds nothing; the
pixel step is 4 / (ZOOM * HEIGHT).
"""
import random
from fractions import Fraction

WIDTH, HEIGHT, PLACES, POINTS = 160, 90, 30, 60
LONGEST = 4000  # steps of the orbits that lead to a place
# Where |c| = 2, which doubles cannot tell apart from less: the needle's tip and close to it, and another place.
ON_CIRCLE = [
    (Fraction(-2), Fraction(0), 66),
    (Fraction(1, 2**100) - 2, Fraction(0), 98),
    (Fraction(0), Fraction(2), 70),
]
SPARE = 400  # bits beyond the pixel step: more than an orbit of the longest limit loses there


def count(re, im, bits, limit):
    """Steps until |z|^2 >= 4, from z = 0; re and im are integers in units of 2^-bits."""
    four = 4 << 2 * bits
    x = y = n = 0
    while n < limit:
        xx, yy = x * x, y * y
        if xx + yy >= four:
            return n
        x, y = ((xx - yy) >> bits) + re, (x * y >> bits - 1) + im
        n += 1
    return n


def fixed(number, bits):
    return (number.numerator << bits) // number.denominator


def decimal(number):
    """All digits of a dyadic number."""
    places = number.denominator.bit_length() - 1
    digits = str(abs(number.numerator) * 5**places).rjust(places + 1, "0")
    return ("-" if number < 0 else "") + digits[: len(digits) - places] + "." + digits[len(digits) - places :]


def dive(generator, depth):
    """The centre of a view of zoom 2^depth where counts differ, and its largest count there: from the whole set
    on, to between two of a grid's points beside each other whose counts differ more than a third of the others'."""
    re, im, zoom, longest, cells = Fraction(-1, 2), Fraction(0), 0, 50, 9
    while zoom < depth:
        bits, limit = zoom + 64, min(4 * longest + 400, LONGEST)
        side = Fraction(4, 2**zoom * cells)
        c = [(re + side * (i % cells - cells // 2), im + side * (i // cells - cells // 2)) for i in range(cells**2)]
        n = [count(fixed(x, bits), fixed(y, bits), bits, limit) for x, y in c]
        pairs = [(i, i + 1) for i in range(cells**2 - 1) if (i + 1) % cells] + [
            (i, i + cells) for i in range(cells * (cells - 1))
        ]
        pairs = [(a, b) for a, b in pairs if n[a] < limit and n[b] < limit and n[a] != n[b]]
        if not pairs:
            return None
        pairs.sort(key=lambda p: abs(n[p[0]] - n[p[1]]))
        a, b = generator.choice(pairs[len(pairs) // 3 :])
        longest, zoom = max(n[a], n[b]), min(zoom + 2, depth)
        re, im = (Fraction(round((x + y) * 2 ** (zoom + 11)), 2 ** (zoom + 12)) for x, y in zip(c[a], c[b]))
    return re, im, longest


def sampled(generator, re, im, depth, limit):
    """Random pixels of a view, with their counts."""
    step = Fraction(4, 2**depth * HEIGHT)
    bits, samples = depth + SPARE, []
    for pixel in generator.sample(range(WIDTH * HEIGHT), POINTS):
        x, y = pixel % WIDTH, pixel // WIDTH
        cr = re + step * Fraction(2 * x + 1 - WIDTH, 2)
        ci = im + step * Fraction(HEIGHT - 2 * y - 1, 2)
        samples.append((x, y, count(fixed(cr, bits), fixed(ci, bits), bits, limit)))
    return samples


def show(re, im, depth, limit, samples):
    print("view", WIDTH, HEIGHT, decimal(re), decimal(im), 2**depth, limit)
    for sample in samples:
        print(*sample, flush=True)


def main():
    generator = random.Random(20261123)
    print("# exact counts at", PLACES + len(ON_CIRCLE), "places; made by tests/deep/own_truth.py")
    for place in range(PLACES):
        depth = 10 + (200 - 10) * place // (PLACES - 1)  # 1e3 .. 1.6e60
        samples = []
        while len({n for x, y, n in samples}) < POINTS // 4:
            found = dive(generator, depth)
            if not found:
                continue
            re, im, longest = found
            limit = 3 * longest + 500
            samples = sampled(generator, re, im, depth, limit)
        show(re, im, depth, limit, samples)
    for re, im, depth in ON_CIRCLE:
        show(re, im, depth, 500, sampled(generator, re, im, depth, 500))


main()

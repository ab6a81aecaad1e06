#!/usr/bin/env python3
"""Not a test: films a window while a zoom is held and says how sharp its frames were. By hand, on a quiet machine:
    python3 tests/measure/measure_hold.py PROGRAM [VIEW] [--key z] [--seconds 6] [--size 1280x720] [--load 0]
                                          [--speed X] [--faster 0] [--strip FILE.webp]
PROGRAM is fathom or XaoS (a name with "xaos" in it; a held mouse button zooms there). --load: busy processes beside it;
--speed: of fathom's zoom, in times the usual one, which it otherwise adapts to the machine; --faster: for how many
seconds XaoS's key for more speed is held before; --strip: see measure_strip.py. Needs Xvfb, openbox, xdotool, xwininfo,
ffmpeg, NumPy. Prints
    speed       of the zoom, e to the power of this a second (fathom's usual one: 1.43), as frames show it
    changed     frames a second in which something changed, of 30
    sharp       contrast between neighbouring pixels over that between blocks of 8 pixels: median, worst frame; compare
                programs at one place, limit, size and speed only
    holes       frames in which more of the window is dark than in the first, at places without interior
    dark        the largest such share
"""
import argparse
import os
import re
import subprocess
import tempfile
import time

import numpy as np
from measure_strip import COLUMNS, ROWS, write_sheet

SEAHORSES = """[view]
re = -0.743643887037158704752191506114774
im = 0.131825904205311970493132056385139
zoom = %s
[fractal]
iterations = 5000
"""
RATE = 30
MENU = 22  # lines of XaoS's window


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("view", nargs="?")
    parser.add_argument("--key", choices="zx", default="z")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--speed")
    parser.add_argument("--faster", type=float, default=0)
    parser.add_argument("--strip")
    options = parser.parse_args()
    options.width, options.height = map(int, options.size.split("x"))
    options.screen = options.width + 40, options.height + 120
    return options


class Display:
    """An X server with a window manager; what is started on it ends with it. Each process has a session of its own: to
    schedulers that share time out between sessions they are programs that have nothing to do with each other."""

    def __init__(self, home, size):
        reading, writing = os.pipe()
        screen = "%dx%dx24" % size
        self.children = [subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", screen],
                                          pass_fds=[writing], stderr=subprocess.DEVNULL)]
        self.name = ":" + os.read(reading, 16).decode().strip()
        self.environment = dict(os.environ, DISPLAY=self.name, HOME=home, QT_QPA_PLATFORM="xcb")
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
            self.environment.pop(name, None)
        self.start("openbox")

    def start(self, *command):
        self.children.append(subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL, start_new_session=True))
        return self.children[-1]

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def end(self):
        for child in reversed(self.children):
            child.kill()
            child.wait()


def open_window(display, options, home, xaos):
    """Starts the program at the view; returns its window's number and the rectangle it has on the screen."""
    view = open(options.view).read() if options.view else SEAHORSES % (200 if options.key == "z" else 1e6)
    if xaos:
        place = dict(re.findall(r"^\s*(re|im|zoom|iterations)\s*=\s*(\S+)", view, re.M))
        high = 4 / float(place["zoom"])
        path = os.path.join(home, "start.xpf")
        text = "(initstate)\n(defaultpalette 0)\n(formula 'mandel)\n(maxiter %s)\n(view %s %s %s %s)\n" % (
            place.get("iterations", 1000), place["re"][:22], place["im"][:22], high, high)
        command = [options.program, "-loadpos", path]
    else:
        path, text = os.path.join(home, "start.fathom"), view
        command = [options.program, path, "--size", options.size, "--no-config"]
        command += ["--zoom-speed", options.speed] if options.speed else []
    with open(path, "w") as file:
        file.write(text)
    display.start(*command)
    windows = []
    for _ in range(60):
        time.sleep(0.25)
        windows = display.ask("xdotool", "search", "--onlyvisible", "--class", "xaos" if xaos else "fathom").split()
        if windows:
            break
    else:
        raise SystemExit("measure_hold: no window appeared")
    window = windows[-1]
    display.ask("xdotool", "windowsize", "--sync", window, str(options.width), str(options.height))
    display.ask("xdotool", "windowmove", window, "10", "40", "windowfocus", window)
    time.sleep(3)  # the picture at rest
    about = display.ask("xwininfo", "-id", window)
    names = "Absolute upper-left X", "Absolute upper-left Y", "Width", "Height"
    return window, [int(re.search(name + r": *(-?\d+)", about)[1]) for name in names]


def film(display, options, path, xaos):
    """Holds the zoom for as long as was asked, the film beginning a second before."""
    recorder = display.start("ffmpeg", "-loglevel", "error", "-y", "-f", "x11grab", "-draw_mouse", "0", "-framerate",
                             str(RATE), "-video_size", "%dx%d" % options.screen, "-i", display.name, "-t",
                             str(options.seconds + 1), "-pix_fmt", "bgr0", "-f", "rawvideo", path)
    time.sleep(1)
    what, name = ("mouse", "1" if options.key == "z" else "3") if xaos else ("key", options.key)
    display.ask("xdotool", what + "down", name)
    recorder.wait()
    display.ask("xdotool", what + "up", name)
    return np.memmap(path, dtype=np.uint8, mode="r").reshape(-1, options.screen[1], options.screen[0], 4)


def sharpness(grey):
    rows, columns = (n // 8 * 8 for n in grey.shape)
    blocks = grey[:rows, :columns].reshape(rows // 8, 8, columns // 8, 8).mean((1, 3))
    return np.abs(np.diff(grey, axis=1)).mean() / (np.abs(np.diff(blocks, axis=1)).mean() + 1e-9)


def judge(frames, x, y, width, height):
    """Looks at what lies right of the numbers and above the hint, and for holes at the whole window."""
    sharp, dark, changed, last = [], [], 0, None
    for frame in frames[RATE:]:
        part = frame[y + height * 3 // 10:y + height - 40, x + width // 4:x + width - 20, :3]
        grey = part.astype(np.float32).mean(2)
        changed += last is not None and np.abs(grey - last).mean() > 0.02
        last = grey
        sharp.append(sharpness(grey))
        window = frame[y + 4:y + height - 4, x + 4:x + width - 4, :3]
        dark.append((window.max(2) < 20).mean())
    more = np.array(dark) - dark[0]
    seconds = len(sharp) / RATE
    step = RATE // 10
    grown = [growth(frames[i], frames[i + step], x, y, width, height) for i in range(RATE * 2, len(frames) - step, 20)]
    print("speed %.2f, changed %.1f a second, sharp %.2f %.2f, holes in %d of %d frames, dark %.3f" % (
        np.median(grown) * 10, changed / seconds, np.median(sharp), min(sharp), (more > 0.002).sum(), len(sharp),
        more.max()))


def coarse(grey):
    """Blocks of 4: so that it does not matter where in a pixel a sample lies."""
    rows, columns = (n // 4 for n in grey.shape)
    return grey[:rows * 4, :columns * 4].reshape(rows, 4, columns, 4).mean((1, 3))


def growth(before, after, x, y, width, height):
    """By how much a picture has grown about the middle of the window, as a logarithm: where both are most alike."""
    reach = min(width, height) * 2 // 5 // 4 * 4
    by_row, by_column = np.mgrid[-reach:reach, -reach:reach]
    row, column = y + height // 2, x + width // 2
    old, new = (picture[..., :3].astype(np.float32).mean(2) for picture in (before, after))
    new = coarse(new[row - reach:row + reach, column - reach:column + reach])
    tries = np.linspace(-0.4, 0.6, 201)
    unlike = []
    for shrunk in np.exp(-tries):
        rows, columns = (np.rint(at).astype(int) for at in (row + by_row * shrunk, column + by_column * shrunk))
        rows, columns = np.clip(rows, 0, old.shape[0] - 1), np.clip(columns, 0, old.shape[1] - 1)
        unlike.append(np.abs(coarse(old[rows, columns]) - new).mean())
    return tries[np.argmin(unlike)]


def draw_strip(frames, path, x, y, width, height):
    pictures = [frames[RATE + (i + 1) * RATE // 6, y:y + height, x:x + width, 2::-1] for i in range(COLUMNS * ROWS)]
    write_sheet(path, [(width, height, picture.tobytes()) for picture in pictures])


def main():
    options = arguments()
    xaos = "xaos" in os.path.basename(options.program)
    with tempfile.TemporaryDirectory() as home:
        display = Display(home, options.screen)
        try:
            time.sleep(1)
            window, box = open_window(display, options, home, xaos)
            if xaos:
                box = [box[0], box[1] + MENU, box[2], box[3] - MENU]
            display.ask("xdotool", "mousemove", str(box[0] + box[2] // 2), str(box[1] + box[3] // 2))
            if xaos and options.faster > 0:
                display.ask("xdotool", "keydown", "Up", "sleep", str(options.faster), "keyup", "Up")
            time.sleep(1)
            for _ in range(options.load):
                display.start("sh", "-c", "while :; do :; done")
            frames = film(display, options, os.path.join(home, "film.raw"), xaos)
            judge(frames, *box)
            if options.strip:
                draw_strip(frames, options.strip, *box)
        finally:
            display.end()


main()

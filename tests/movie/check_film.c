/* Films: decoded frames, colours, frame times, resuming, and failures of ffmpeg. */
#define _GNU_SOURCE
#include "app/movie/film/film.h"
#include "app/movie/film/video.h"
#include "app/movie/film/ycbcr.h"
#include "render/base/interrupt.h"
#include "render/base/standard_streams.h"
#include "render/files/image.h"
#include "tests/shared/check.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define SIDE     64
#define PIXELS   (SIDE * SIDE)
#define FRAMES   12
#define SEGMENT  5
#define SEGMENTS 3
#define TEXT     "[view]\nre = 1; \\ #=\nzoom = 2\n"

static uint8_t source[FRAMES][3 * PIXELS];

/* Every channel has all bytes, next to each other in all ways. */
static void make_source(void) {
    unsigned long long state = 7;
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < 3 * PIXELS; i++) {
            const int smooth = i % 3 * 50 + i / 3 % SIDE * 3 + f * 5;
            const int noise = (int)(random_next(&state) >> 56);
            source[f][i] = (uint8_t)(i / 3 / SIDE < SIDE / 2 ? smooth : noise);
        }
}

static struct film_options options_for(const char *path) {
    return (struct film_options){.path = path,
                                 .folder = "work",
                                 .width_px = SIDE,
                                 .height_px = SIDE,
                                 .fps = 30,
                                 .frames = FRAMES,
                                 .segment_frames = SEGMENT,
                                 .chroma = 444,
                                 .bits = 8,
                                 .quality = -1,
                                 .text = TEXT};
}

static void fresh_work(void) {
    if (system("rm -rf work && mkdir work") != 0)
        exit(1);
}

static int count_files(const char *pattern) {
    char command[200];
    int count = -1;
    snprintf(command, sizeof command, "ls work | grep -c '%s'", pattern);
    FILE *file = popen(command, "r");
    if (file && fscanf(file, "%d", &count) != 1)
        count = -1;
    pclose(file);
    return count;
}

/* Writes one segment. */
static bool write_segment(struct film *film, uint32_t segment) {
    uint32_t first, count;
    static uint16_t deep[3 * PIXELS];
    film_segment(film, segment, &first, &count);
    bool ok = film_begin(film, segment);
    for (uint32_t f = first; ok && f < first + count; f++) {
        for (int i = 0; i < 3 * PIXELS; i++)
            deep[i] = (uint16_t)(source[f][i] * 257);
        ok = !film_lacks(film, f) || film_frame(film, film_deep(film) ? (void *)deep : source[f]);
    }
    return film_end(film) && ok;
}

/* Writes all segments that are missing, and the result. */
static bool write_film(const struct film_options *options) {
    struct film *film = film_open(options);
    bool ok = film;
    for (uint32_t s = 0; ok && s < film_segments(film); s++)
        ok = film_has(film, s) || write_segment(film, s);
    ok = ok && film_finish(film);
    film_close(film);
    return ok;
}

/* Returns what a command prints, at most `size` bytes. */
static size_t output_of(const char *command, void *output, size_t size) {
    FILE *file = popen(command, "r");
    const size_t got = file ? fread(output, 1, size, file) : 0;
    return file && pclose(file) == 0 ? got : 0;
}

/* Returns the largest error of a decoded channel, in 1/255; 256: the number of frames is wrong. */
static int decoded_error(const char *path, bool deep) {
    static union {
        uint8_t bytes[(FRAMES + 1) * 3 * PIXELS];
        uint16_t words[(FRAMES + 1) * 3 * PIXELS];
    } decoded;
    const size_t count = sizeof source;
    char command[400];
    int most = 0;
    snprintf(command, sizeof command,
             "ffmpeg -v error -i '%s' -vf scale=in_color_matrix=bt709:flags=accurate_rnd+"
             "full_chroma_int+full_chroma_inp -pix_fmt %s -f rawvideo -",
             path, deep ? "rgb48le" : "rgb24");
    if (output_of(command, &decoded, sizeof decoded) != (deep ? 2 * count : count))
        return 256;
    for (size_t i = 0; i < count; i++) {
        const int wanted = ((const uint8_t *)source)[i];
        const int error = deep ? abs(decoded.words[i] - 257 * wanted) : decoded.bytes[i] - wanted;
        most = abs(error) > most ? abs(error) : most;
    }
    return most;
}

/* Returns the largest error of a frame's time in seconds. */
static double time_error(const char *path, int fps) {
    char command[200], line[64];
    double most = 0;
    int frames = 0;
    snprintf(command, sizeof command,
             "ffprobe -v error -select_streams v -show_entries frame=pts_time -of csv=p=0 '%s'",
             path);
    for (FILE *file = popen(command, "r"); file; file = NULL) {
        while (fgets(line, sizeof line, file))
            if (*line != '\n') /* a frame with other data is followed by an empty line */
                most = fmax(most, fabs(strtod(line, NULL) - (double)frames++ / fps));
        pclose(file);
    }
    return frames == FRAMES ? most : INFINITY;
}

static bool probe_has(const char *path, const char *entries, const char *text) {
    char command[300], output[2000];
    snprintf(command, sizeof command, "ffprobe -v error -show_entries %s -of csv=p=0 '%s'", entries,
             path);
    output[output_of(command, output, sizeof output - 1)] = '\0';
    if (!strstr(output, text))
        printf("%s: '%s', not '%s'\n", path, output, text);
    return strstr(output, text);
}

/* --- without ffmpeg --- */

static void check_refusals(void) {
    struct film_options o = options_for("movie.avi");
    CHECK_REFUSED(film_open(&o), ".mp4, .mov");
    o.path = "frame-%05d.png";
    CHECK_REFUSED(film_open(&o), "there is no '%0'");
    o.path = "frame.png";
    CHECK_REFUSED(film_open(&o), "put %i");
    o.path = "missing/frame-%i.png";
    CHECK_REFUSED(film_open(&o), "missing/frame-01.png");
    o.path = "movie.mp4";
    o.codec = FILM_FFV1;
    CHECK_REFUSED(film_open(&o), "(.mkv)");
    o.codec = FILM_AUTO;
    o.encoder = "libx266";
    CHECK_REFUSED(film_open(&o), "unknown encoder 'libx266'; the known ones are libx264, ");
    o.encoder = "h264_nvenc";
    o.codec = FILM_HEVC;
    CHECK_REFUSED(film_open(&o), "h264_nvenc is not for hevc");
    o.encoder = "libsvtav1";
    o.codec = FILM_AUTO;
    CHECK_REFUSED(film_open(&o), "libsvtav1 does not encode 4:4:4 with 8 bits");
    o.encoder = NULL;
    o.quality = 52;
    CHECK_REFUSED(film_open(&o), "from 0 to 51, not 52");
    o.quality = -1;
    o.chroma = 420;
    o.width_px = 63;
    CHECK_REFUSED(film_open(&o), "choose 64x64, or 4:4:4");
    o.width_px = SIDE;
    o.path = "missing/movie.mp4";
    CHECK_REFUSED(film_open(&o), "missing/movie.mp4");
    o.path = "movie.mp4";
    setenv("FATHOM_FFMPEG", "./none", 1);
    CHECK_REFUSED(film_open(&o), "cannot start './none'");
    char *const path = strdup(getenv("PATH"));
    unsetenv("FATHOM_FFMPEG");
    setenv("PATH", "/nowhere", 1);
    CHECK_REFUSED(film_open(&o), "there is no ffmpeg, which encodes videos: install it, or");
    setenv("PATH", path, 1);
    free(path);
}

/* Pictures with 16 bits have the frames' own values. */
static void check_deep_pictures(void) {
    struct film_options o = options_for("deep-%i.png");
    struct image image;
    o.bits = 16;
    CHECK(write_film(&o) && image_read("deep-03.png", &image));
    CHECK(image.deep && image.width_px == SIDE && image.height_px == SIDE);
    for (int i = 0; image.deep && i < 3 * PIXELS; i++)
        CHECK((image.deep[i / 3] >> 16 * (i % 3) & 0xffff) == source[2][i] * 257u);
    image_finish(&image);
    struct film *film = film_open(&o);
    CHECK(film && film_deep(film) && film_has(film, 0));
    film_close(film);
    o.bits = 8;
    film = film_open(&o);
    CHECK(film && !film_has(film, 0));
    film_close(film);
}

/* A folder that disappears is one line, and the film goes on when it is back. */
static void check_lost_folder(void) {
    const struct film_options o = options_for("lost/%i.png");
    if (system("rm -rf lost && mkdir lost") != 0)
        exit(1);
    struct film *film = film_open(&o);
    CHECK(film && film_segments(film) == 2);
    rmdir("lost");
    CHECK_REFUSED(write_segment(film, 0), "lost/");
    mkdir("lost", 0777);
    CHECK(write_segment(film, 0) && film_has(film, 0) && write_segment(film, 1));
    film_close(film);
}

static void check_pictures(void) {
    struct film_options o = options_for("100%%-%i.png");
    CHECK(write_film(&o));
    CHECK(access("100%-01.png", F_OK) == 0 && access("100%-12.png", F_OK) == 0);
    unlink("100%-07.png");
    struct film *film = film_open(&o);
    CHECK(film && film_segments(film) == 2 && !film_has(film, 0) && film_has(film, 1));
    CHECK(film_begin(film, 0) && !film_lacks(film, 5) && film_lacks(film, 6));
    CHECK(film_frame(film, source[0]) && film_end(film) && film_has(film, 0));
    film_close(film);
    o.text = "[view]\n";
    film = film_open(&o);
    CHECK(film && !film_has(film, 0));
    film_close(film);
    o.text = TEXT;
    check_lost_folder();
    o.width_px = SIDE / 2;
    film = film_open(&o);
    CHECK(film && !film_has(film, 0));
    film_close(film);
}

/* Returns the exact sample of a plane at a pixel, from channels of 16 bits. */
static double exact_sample(const uint16_t *deep, double most, int plane, int chroma, int x, int y) {
    const int rows = plane > 0 && chroma == 420 ? 2 : 1;
    double c[3] = {0};
    for (int row = y; row < y + rows; row++)
        for (int side = -1; side <= 1; side++) {
            const int from = row * SIDE + (x + side < 0 ? 0 : x + side);
            const double weight = rows == 1 ? side == 0 : side == 0 ? 0.25 : 0.125;
            for (int k = 0; k < 3 && weight > 0; k++)
                c[k] += weight * deep[3 * from + k] / most;
        }
    const double light = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    return plane == 0   ? 16 + 219 * light
           : plane == 1 ? 128 + 224 * (c[2] - light) / 1.8556
                        : 128 + 224 * (c[0] - light) / 1.5748;
}

/* All samples are the exact values, rounded. */
static void check_conversion(int chroma, int bits) {
    static uint16_t deep[3 * PIXELS];
    static unsigned char planes[6 * PIXELS];
    const struct ycbcr format = {SIDE, SIDE, chroma, bits};
    double worst = 0;
    int at = 0;
    for (int i = 0; i < 3 * PIXELS; i++)
        deep[i] = (uint16_t)(bits == 8 ? source[0][i] : source[0][i] << 8 | source[1][i]);
    ycbcr_convert(&format, bits == 8 ? (void *)source[0] : deep, planes);
    for (int plane = 0; plane < 3; plane++) {
        const int step = plane > 0 && chroma == 420 ? 2 : 1;
        for (int y = 0; y < SIDE; y += step)
            for (int x = 0; x < SIDE; x += step, at++) {
                const double wanted =
                    exact_sample(deep, bits == 8 ? 255 : 65535, plane, chroma, x, y);
                const int got = bits == 8 ? planes[at] : planes[2 * at] | planes[2 * at + 1] << 8;
                worst = fmax(worst, fabs(got - wanted * (bits == 8 ? 1 : 4)));
            }
    }
    CHECK(worst < 0.5 + 1e-9);
    CHECK(ycbcr_size(&format) == (uint64_t)at * (bits == 8 ? 1 : 2));
}

/* Writes Y4M into a file. */
static void write_y4m(int chroma, int bits, const char *path) {
    struct film_options o = options_for("-");
    o.chroma = chroma;
    o.bits = bits;
    fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, STDOUT_FILENO);
    const bool ok = write_film(&o);
    dup2(before, STDOUT_FILENO);
    close(file);
    close(before);
    CHECK(ok);
}

/* Runs a film with a stand-in for ffmpeg; `lines` run for each segment, after the trial. */
static void check_stand_in(const char *lines, const char *message) {
    char script[1000];
    struct film_options o = options_for("movie.mkv");
    o.codec = FILM_FFV1;
    snprintf(script, sizeof script,
             "#!/bin/sh\nfor last; do :; done\ncase $last in *trial.part)\n"
             "cat >\"${last#file:}\"; echo frame=1; exit 0;; esac\n%s\n",
             lines);
    file_put("ffmpeg.sh", script, strlen(script));
    chmod("ffmpeg.sh", 0755);
    setenv("FATHOM_FFMPEG", "./ffmpeg.sh", 1);
    fresh_work();
    if (message)
        CHECK_REFUSED(write_film(&o), message);
    else
        CHECK(!write_film(&o));
    CHECK(count_files(".") == 0);
    unsetenv("FATHOM_FFMPEG");
}

static void check_stand_ins(void) {
    check_stand_in("head -c 100 >/dev/null; echo '[x @ 0x1] It is broken' >&2; exit 1",
                   "cannot write 'movie.mkv': It is broken");
    check_stand_in("exit 3", "ffmpeg has failed with status 3 and without a message");
    check_stand_in("head -c 100 >/dev/null; kill -9 $$", "signal 9 (Killed)");
    check_stand_in("exit 0", "ffmpeg has stored 0 of 5 frames");
    check_stand_in("cat >/dev/null; echo frame=4; echo frame=14",
                   "ffmpeg has stored 14 of 5 frames");
    check_stand_in("cat >/dev/null; echo frame=5", "No such file");
}

/* A stand-in that never ends. After an interrupt, everything ends at once; to be called last. */
static void check_interrupt(void) {
    const struct itimerval soon = {{0, 0}, {0, 300000}};
    struct sigaction alarm = {.sa_handler = SIG_DFL};
    interrupt_catch();
    sigaction(SIGINT, NULL, &alarm);
    sigaction(SIGALRM, &alarm, NULL); /* counts as an interrupt */
    setitimer(ITIMER_REAL, &soon, NULL);
    log_start();
    check_stand_in("sleep 15", NULL);
    CHECK(interrupt_requested());
    fflush(stderr);
    struct stat log;
    CHECK(stat(LOG_FILE, &log) == 0 && log.st_size == 0);
}

/* --- with ffmpeg --- */

/* Writes a film in one segment, and checks the format, the range and the colours. */
static void check_format(const char *path, enum film_codec codec, int bits, const char *wanted) {
    struct film_options o = options_for(path);
    o.codec = codec;
    o.bits = bits;
    o.chroma = codec == FILM_FFV1 ? 444 : 420;
    o.segment_frames = FRAMES;
    fresh_work();
    CHECK(write_film(&o));
    CHECK(probe_has(path,
                    "stream=codec_tag_string,pix_fmt,color_range,color_space,color_transfer,"
                    "color_primaries",
                    wanted));
}

/* A film whose program ended after a segment goes on with the next. Lossless frames of 4:4:4 with
 * 10 bits are the source's. */
static void check_resume(void) {
    struct film_options o = options_for("movie.mp4");
    o.fps = 55; /* MPEG-TS cannot store its times exactly */
    o.bits = 10;
    o.quality = 0;
    fresh_work();
    struct film *film = film_open(&o);
    CHECK(film && film_segments(film) == SEGMENTS && write_segment(film, 1));
    CHECK(film && film_begin(film, 0));
    film_close(film);
    CHECK(count_files(".") == 1);
    film = film_open(&o);
    CHECK(film && !film_has(film, 0) && film_has(film, 1) && !film_has(film, 2));
    CHECK_REFUSED(film_finish(film), "cannot write 'movie.mp4': ");
    CHECK(access("movie.mp4.part", F_OK) != 0);
    CHECK(system("truncate -s -100 work/*-5-*") == 0);
    CHECK_REFUSED(film_has(film, 1), "is damaged and is made again");
    CHECK(write_segment(film, 1) && film_has(film, 1));
    CHECK(write_segment(film, 0) && write_segment(film, 2) && film_finish(film));
    film_close(film);
    CHECK(count_files(".") == SEGMENTS);
    CHECK(decoded_error("movie.mp4", false) == 0);
    CHECK(time_error("movie.mp4", 55) < 1e-6);
    CHECK(probe_has("movie.mp4", "format_tags=comment", "re = 1; \\ #=\nzoom = 2"));
    for (int i = 0; i < 2; i++) {
        struct film_options other = o;
        other.quality = i == 0 ? 20 : o.quality;
        other.text = i == 1 ? "other" : o.text;
        film = film_open(&other);
        CHECK(film && !film_has(film, 1));
        if (i == 1)
            video_remove_segments(o.folder);
        film_close(film);
    }
    CHECK(count_files(".") == 0);
}

/* Segments in NUT: their joined times are exact, too. */
static void check_nut(void) {
    struct film_options o = options_for("nut.mov");
    o.codec = FILM_PRORES;
    o.fps = 60;
    fresh_work();
    CHECK(write_film(&o));
    CHECK(time_error("nut.mov", 60) < 1e-6);
    CHECK(probe_has("nut.mov", "stream=pix_fmt,color_range,color_space", "tv,bt709"));
}

static void check_loops(void) {
    char start[13] = "";
    struct film_options o = options_for("loop.gif");
    fresh_work();
    CHECK(write_film(&o));
    CHECK(decoded_error("loop.gif", false) < 256);
    o.path = "loop.webp";
    CHECK(write_film(&o));
    CHECK(output_of("head -c 12 loop.webp", start, 12) == 12 && strcmp(start + 8, "WEBP") == 0);
}

/* A full disk, which Matroska and NUT hide without -xerror; and an encoder that does not work. */
static void check_trouble(void) {
    struct film_options o = options_for("movie.mp4");
    o.chroma = 420;
    o.encoder = "h264_nvenc";
    fresh_work();
    if (access("/dev/nvidia0", F_OK) != 0)
        CHECK_REFUSED(film_open(&o), "h264_nvenc cannot encode this film: ");
    check_stand_in("n=$#; while [ $n -gt 1 ]; do set -- \"$@\" \"$1\"; shift; n=$((n - 1)); done; "
                   "shift; exec ffmpeg \"$@\" file:/dev/full",
                   "No space left on device");
    o.encoder = NULL;
    o.folder = "nowhere";
    CHECK_REFUSED(film_open(&o), "libx264 cannot encode this film: ");
}

static void check_with_ffmpeg(void) {
    check_resume();
    check_nut();
    check_format("h264.mp4", FILM_AUTO, 8, "avc1,yuv420p,tv,bt709,bt709,bt709");
    check_format("hevc.mov", FILM_HEVC, 10, "hvc1,yuv420p10le,tv,bt709,bt709,bt709");
    check_format("av1.webm", FILM_AUTO, 8, ",yuv420p,tv,bt709,bt709,bt709");
    check_format("ffv1.mkv", FILM_FFV1, 10, "FFV1,gbrp16le,pc,gbr,bt709,bt709");
    CHECK(decoded_error("ffv1.mkv", true) == 0);
    check_loops();
    check_trouble();
    CHECK(decoded_error("444-10.y4m", false) == 0);
}

int main(void) {
    standard_streams_hold();
    make_source();
    fresh_work();
    check_refusals();
    check_pictures();
    check_deep_pictures();
    for (int i = 0; i < 4; i++) {
        const int chroma = i < 2 ? 420 : 444, bits = i % 2 ? 10 : 8;
        char path[16];
        check_conversion(chroma, bits);
        snprintf(path, sizeof path, "%d-%d.y4m", chroma, bits);
        write_y4m(chroma, bits, path);
    }
    check_stand_ins();
    const bool real =
        system("ffmpeg -version >ffmpeg.txt 2>&1 && ffprobe -version >>ffmpeg.txt 2>&1") == 0;
    if (real)
        check_with_ffmpeg();
    check_interrupt();
    if (!real && failures == 0)
        puts("left out: videos: there is no ffmpeg");
    return failures ? 1 : real ? 0 : 77;
}

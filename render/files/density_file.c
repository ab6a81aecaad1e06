/* Saved density runs: writes and reads the counts of orbit density, so that a run can be
 * continued. */
#include "render/files/density_file.h"
#include "render/base/atomic_file.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/files/npy.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE (1u << 20) /* counts written or read at a time */
#define OTHER_VERSION                                                                              \
    "another version of fathom began this run, and counted otherwise: its counts cannot be "       \
    "continued; begin a new run, under another name"
#define RUN_TEXT   "\n[run]\nversion = %u\n"
#define FIRST_TEXT "first = %" PRIu64 "\n"
#define SUMS_TEXT  "points = %" PRIu64 "\ncheck = %016" PRIx64 "\n"

static size_t size_of(const struct density_counts *counts) {
    return (size_t)counts->planes * (size_t)counts->height * (size_t)counts->width;
}

/* --- checksums --- */

/* FNV-1a over words of 64 bits, in four independent strands, so that a processor can overlap
 * them. */
#define STRANDS   4
#define FNV_BASIS 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

struct sum {
    uint64_t strand[STRANDS];
    uint64_t points;
    bool overflow;
};

static void sum_init(struct sum *sum) {
    *sum = (struct sum){.points = 0};
    for (unsigned i = 0; i < STRANDS; i++)
        sum->strand[i] = FNV_BASIS + i;
}

/* Adds counts to the sums. Each call but the last must have a multiple of STRANDS counts. */
static void sum_counts(struct sum *sum, const uint64_t *count, size_t size) {
    for (size_t i = 0; i < size; i++) {
        uint64_t *strand = &sum->strand[i % STRANDS];
        *strand = (*strand ^ count[i]) * FNV_PRIME;
        *strand ^= *strand >> 32;
        sum->points += count[i];
        sum->overflow |= sum->points < count[i];
    }
}

static uint64_t sum_check(const struct sum *sum, const char *text, size_t length, uint64_t first) {
    uint64_t check = FNV_BASIS;
    for (unsigned i = 0; i < STRANDS; i++)
        check = (check ^ sum->strand[i]) * FNV_PRIME;
    for (size_t i = 0; i < length; i++)
        check = (check ^ (unsigned char)text[i]) * FNV_PRIME;
    return first > 0 ? (check ^ first) * FNV_PRIME : check;
}

/* --- writing --- */

/* Returns the run's scene as text, which the caller frees. Returns NULL if there is no memory,
 * which is logged. */
static char *text_of(const struct scene *scene, const struct density_counts *counts,
                     const char *path) {
    struct scene run = *scene; /* borrows the view */
    run.orbit_density = true;
    run.samples = counts->samples;
    char *text = scene_text(&run);
    if (!text)
        log_error("cannot write '%s': not enough memory", path);
    return text;
}

static bool write_counts(FILE *stream, const struct density_counts *counts, struct sum *sum,
                         const struct density_saving *how) {
    const size_t size = size_of(counts);
    for (size_t i = 0; i < size; i += AT_ONCE) {
        const size_t n = size - i < AT_ONCE ? size - i : AT_ONCE;
        sum_counts(sum, counts->count + i, n);
        if (fwrite(counts->count + i, sizeof *counts->count, n, stream) != n)
            return false;
        if (how->progress)
            how->progress(how->user);
    }
    return true;
}

static bool write_file(FILE *stream, const struct density_counts *counts, const char *text,
                       const struct density_saving *how) {
    const struct npy_header header = {NPY_U8, 3, {counts->planes, counts->height, counts->width}};
    struct sum sum;
    sum_init(&sum);
    return npy_write_header(stream, &header) && write_counts(stream, counts, &sum, how) &&
           fputs(text, stream) >= 0 && fprintf(stream, RUN_TEXT, DENSITY_SAMPLING) > 0 &&
           (counts->first == 0 || fprintf(stream, FIRST_TEXT, counts->first) > 0) &&
           fprintf(stream, SUMS_TEXT, sum.points,
                   sum_check(&sum, text, strlen(text), counts->first)) > 0;
}

bool density_file_write(const char *path, const struct scene *scene,
                        const struct density_counts *counts, const struct density_saving *how) {
    require(scene->precision != PRECISION_AUTO && scene->width_px > 0 && scene->height_px > 0,
            false);
    char *text = text_of(scene, counts, path);
    struct atomic_file *file = text ? atomic_file_open(path, false) : NULL;
    bool ok = false;
    if (file) {
        if (how->repeated)
            atomic_file_mark_expendable(file);
        atomic_file_claim(file, how->claim);
        ok = write_file(atomic_file_stream(file), counts, text, how);
        ok = atomic_file_commit(file, NULL) && ok;
    }
    free(text);
    return ok;
}

/* --- reading --- */

struct run {
    const char *path;
    FILE *file;
    struct npy_header header;
    long long start, end; /* offsets of the values in the file */
    char *text;
    size_t scene_length; /* length of the scene's part of the text */
    struct scene scene;
    bool has_points, has_check;
    uint64_t version, first, points, check;
};

static bool set_check(struct run *run, const char *value) {
    run->has_check = strlen(value) == 16 && strspn(value, "0123456789abcdef") == 16;
    run->check = strtoull(value, NULL, 16);
    return run->has_check;
}

static bool set_points(struct run *run, const char *value) {
    run->has_points = ini_whole(value, &run->points);
    return run->has_points;
}

static bool set_entry(void *user, const char *section, const char *key, const char *value,
                      int line) {
    struct run *run = user;
    (void)line;
    const bool ok = strcmp(section, "run") != 0   ? true
                    : strcmp(key, "version") == 0 ? ini_whole(value, &run->version)
                    : strcmp(key, "first") == 0   ? ini_whole(value, &run->first)
                    : strcmp(key, "points") == 0  ? set_points(run, value)
                    : strcmp(key, "check") == 0   ? set_check(run, value)
                                                  : true;
    if (!ok)
        log_error("'%s': %s of the run is broken", run->path, key);
    return ok;
}

/* Finds the values and the text in the file. Returns NULL, or the problem. */
static const char *find_parts(struct run *run, size_t *text_length) {
    const char *problem = npy_read_header(run->file, &run->header);
    if (problem)
        return problem;
    if (run->header.dimensions != 3 || run->header.type != NPY_U8 ||
        run->header.shape[0] > DENSITY_PLANES_MAX)
        return "this is not a saved run: not '<u8' of shape (planes, height, width)";
    run->start = ftello(run->file);
    const uint64_t values = npy_values_size(&run->header), length = file_length(run->file);
    if (run->start < 0 || length < (uint64_t)run->start || length - (uint64_t)run->start < values)
        return "the file is cut short";
    run->end = run->start + (long long)values;
    if (length == (uint64_t)run->end)
        return "this is not a saved run: there is no text after the values, or the file is cut "
               "short";
    if (length - (uint64_t)run->end > SCENE_TEXT_MAX)
        return "the text after the values is too long";
    *text_length = (size_t)(length - (uint64_t)run->end);
    return NULL;
}

/* Reads the text into run->text and finds where [run] begins. Returns NULL, or the problem. */
static const char *read_text(struct run *run, size_t length) {
    run->text = malloc(length + 1);
    if (!run->text)
        return "not enough memory";
    if (fseeko(run->file, run->end, SEEK_SET) != 0 ||
        fread(run->text, 1, length, run->file) != length)
        return "the text after the values cannot be read";
    run->text[length] = '\0';
    const char *section = strlen(run->text) == length ? strstr(run->text, "\n[run]\n") : NULL;
    if (!section)
        return "the text after the values is not a run's, or cut short";
    run->scene_length = (size_t)(section - run->text);
    return NULL;
}

/* Checks the entries of [run] and the scene. Returns NULL, or the problem. */
static const char *check_run(const struct run *run) {
    const struct scene *scene = &run->scene;
    if (!run->has_points || !run->has_check)
        return "the text after the values is not a run's, or cut short";
    if (run->version != DENSITY_SAMPLING || scene->counted_otherwise)
        return OTHER_VERSION;
    if (!scene->orbit_density || scene->precision == PRECISION_AUTO || scene->width_px == 0 ||
        scene->height_px == 0)
        return "the run does not say its kind, size or precision";
    if ((uint64_t)scene->width_px * (uint64_t)scene->height_px > DENSITY_PIXELS_MAX)
        return "a density picture has at most 2^30 pixels";
    if (run->points > DENSITY_POINTS_MOST)
        return "the run has more than 2^62 points: its totals could overflow; begin another one";
    return scene->samples % DENSITY_CHUNK == 0 && run->first % DENSITY_CHUNK == 0 &&
                   run->first <= scene->samples
               ? NULL
               : "the run's samples are broken";
}

/* Allocates the counts if the file's shape is that of the run. Returns false on failure; the reason
 * is logged. */
static bool make_counts(const struct run *run, struct density_counts *counts) {
    struct density_req req;
    density_req_init(&req, run->scene.width_px, run->scene.height_px);
    scene_density_request(&run->scene, run->scene.width_px, run->scene.height_px, &req);
    const struct density_place place = density_place(&req);
    const int *shape = run->header.shape;
    const bool fits = shape[0] == density_planes(&req.density).count && shape[1] == place.height &&
                      shape[2] == place.width;
    if (!fits)
        log_error("'%s': its shape is not that of its run", run->path);
    const bool ok = fits && density_counts_init(counts, &req);
    density_req_finish(&req);
    return ok;
}

/* Reads the counts and checks their sums. Returns NULL, or the problem. */
static const char *read_counts(const struct run *run, struct density_counts *counts) {
    const size_t size = size_of(counts);
    struct sum sum;
    sum_init(&sum);
    if (fseeko(run->file, run->start, SEEK_SET) != 0)
        return "the values cannot be read";
    for (size_t i = 0; i < size; i += AT_ONCE) {
        const size_t n = size - i < AT_ONCE ? size - i : AT_ONCE;
        if (fread(counts->count + i, sizeof *counts->count, n, run->file) != n)
            return "the values cannot be read";
        sum_counts(&sum, counts->count + i, n);
    }
    counts->samples = run->scene.samples;
    counts->first = run->first;
    counts->points = sum.points;
    return sum.overflow || sum.points != run->points ||
                   sum_check(&sum, run->text, run->scene_length, run->first) != run->check
               ? "the file is damaged: the sums of its counts are not those it states"
               : NULL;
}

/* Reads the whole run. Returns false on failure; the reason is logged. */
static bool read_run(struct run *run, struct density_counts *counts) {
    size_t length = 0;
    const char *problem = find_parts(run, &length);
    if (!problem)
        problem = read_text(run, length);
    const char *own = problem ? NULL : run->text + run->scene_length;
    if (!problem && !ini_read(run->path, own, strlen(own), set_entry, run))
        return false;
    if (!problem && run->version > 0 && run->version != DENSITY_SAMPLING)
        problem = OTHER_VERSION; /* before scene_parse reports the version less clearly */
    if (!problem && !scene_parse(&run->scene, run->path, run->text, run->scene_length))
        return false;
    if (!problem)
        problem = check_run(run);
    if (!problem && !make_counts(run, counts))
        return false;
    if (!problem)
        problem = read_counts(run, counts);
    if (problem)
        log_error("'%s': %s", run->path, problem);
    return !problem;
}

bool density_file_read(const char *path, struct scene *scene, struct density_counts *counts) {
    struct run run = {.path = path, .file = file_open(path)};
    *counts = (struct density_counts){0};
    if (!run.file)
        return false;
    scene_init(&run.scene);
    const bool ok = read_run(&run, counts);
    if (ok) { /* swaps the scenes, each of which owns its members */
        const struct scene old = *scene;
        *scene = run.scene;
        run.scene = old;
    } else {
        density_counts_finish(counts);
    }
    scene_finish(&run.scene);
    free(run.text);
    fclose(run.file);
    return ok;
}

char *density_file_text(FILE *file, const char *path) {
    struct run run = {.path = path, .file = file};
    size_t length = 0;
    rewind(file);
    const char *problem = find_parts(&run, &length);
    if (!problem)
        problem = read_text(&run, length);
    if (!problem) {
        run.text[run.scene_length] = '\0';
        return run.text;
    }
    log_error("'%s': %s", path, problem);
    free(run.text);
    return NULL;
}

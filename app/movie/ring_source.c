/* Ring source: draws rings in bands, and keeps them in files. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/ring_source.h"
#include "app/still/still.h"
#include "app/work/hash.h"
#include "app/work/work_files.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BAND_SAMPLES (1 << 22) /* largest number of samples in memory, except a row */
#define PREFIX       "ring-"
#define MAGIC        "fathom ring 2\n"

/* Beginning of a file, in the machine's byte order; the planes of one band after another follow,
 * and their hash. */
struct header {
    char magic[16];
    uint64_t hash, samples;
    uint32_t k, planes;
};

/* Rows of a ring that are drawn or read at once. A thread finishes them while the next rows are
 * drawn or read. */
struct band {
    struct passage *passage;
    struct cells cells;
    const struct sample_planes *planes;
    pthread_t thread;
    bool busy, ok; /* there is a thread; the band before it and this one are finished */
};

/* A ring on its way: the memory of two bands, the request, and the file. */
struct passage {
    const struct ring_source *source;
    int k;
    unsigned planes;
    struct frame_req req;
    struct band bands[2];
    int next;       /* band */
    double spacing; /* of cells in a frame that has their ring at its edge [pixels] */
    struct ring_memory *memory;
    struct backend *backend;  /* draws; NULL: the ring is read */
    struct atomic_file *file; /* NULL: the ring is read */
    FILE *stream;
    char *path;
    uint64_t sum; /* hash of the planes so far */
    /* Drawing: */
    bool (*go_on)(void *user);
    void *user;
    uint64_t iterations;
    /* Receives the samples. */
    ring_take *take; /* NULL: the ring is only drawn or checked */
    void *taker;
};

static char *path_of(const struct ring_source *source, int k) {
    char *path = NULL;
    if (asprintf(&path, "%s/" PREFIX "%u-%06d", source->folder, source->shot, source->first + k) >=
        0)
        return path;
    log_error("not enough memory for a file name");
    return NULL;
}

static struct header header_of(const struct ring_source *source, int k, unsigned planes) {
    return (struct header){.magic = MAGIC,
                           .hash = source->hash,
                           .samples = rings_samples(source->rings, k),
                           .k = (uint32_t)k,
                           .planes = planes};
}

/* Fills an initialised request for the picture of a ring with its hole in the colours of a scene.
 * Returns the colours that the picture lacks, and why; NULL: none. */
static const char *request_of(const struct ring_source *source, const struct scene *of, int k,
                              struct frame_req *req) {
    const struct cells outer = rings_outer(source->rings, k);
    struct scene scene;
    scene_init_copy(&scene, of);
    rings_view(source->rings, k, &scene.view);
    scene.width_px = outer.x1 - outer.x0;
    scene.height_px = outer.y1 - outer.y0;
    const char *lacks = still_request(&scene, source->drawing->shortcuts, req).lacks;
    scene_finish(&scene);
    return lacks;
}

/* Fills an initialised request for the planes of all colours. Returns as request_of. */
static const char *request(const struct ring_source *source, int k, struct frame_req *req) {
    unsigned planes = 0;
    if (source->other) {
        request_of(source, source->other, k, req);
        planes = req->planes;
    }
    const char *lacks = request_of(source, source->scene, k, req);
    req->planes |= planes;
    req->whole_width_px = req->width_px;
    req->whole_height_px = req->height_px;
    return lacks;
}

/* Warns once of colours that the deepest ring lacks. */
static void warn_of_colours(const struct ring_source *source) {
    struct ring_drawing *drawing = source->drawing;
    struct frame_req req;
    frame_req_init(&req, 1, 1);
    const char *lacks = request(source, source->rings->count - 1, &req);
    if (lacks && !drawing->warned)
        log_warn("%s", lacks);
    drawing->warned = drawing->warned || lacks;
    frame_req_finish(&req);
}

/* Returns the size of the file of ring k with those planes, which depend on its depth. */
static uint64_t bytes_of(const struct ring_source *source, int k, unsigned planes) {
    return sizeof(struct header) +
           rings_samples(source->rings, k) * SAMPLE_PLANE_BYTES *
               (uint64_t)__builtin_popcount(planes) +
           sizeof(uint64_t);
}

/* Returns the text of everything in the scene that decides samples, which the caller frees. */
static char *text_without_colours(const struct scene *scene) {
    struct scene defaults;
    scene_init(&defaults);
    struct scene plain = defaults;
    plain.view = scene->view;
    plain.fractal = scene->fractal;
    plain.limit = scene->limit;
    plain.precision = scene->precision;
    char *text = scene_text(&plain);
    scene_finish(&defaults);
    return text;
}

bool ring_source_init(struct ring_source *source) {
    const struct rings *rings = source->rings;
    const struct leg *leg = rings->leg;
    const double numbers[] = {rings->width_px, rings->height_px, rings->density, leg->from,
                              leg->x,          leg->y,           leg->angle,     leg->turn,
                              leg->pan_re,     leg->pan_im};
    char *text = text_without_colours(source->scene);
    if (!text) {
        log_error("cannot make a movie: not enough memory");
        return false;
    }
    source->hash = hash_bytes(hash_text(HASH_EMPTY, text), numbers, sizeof numbers);
    free(text);
    warn_of_colours(source);
    return true;
}

static void free_memory(struct ring_memory *memory) {
    for (int i = 0; i < 2; i++)
        sample_planes_finish(&memory->planes[i]);
    free(memory->rgba);
    *memory = (struct ring_memory){0};
}

void ring_drawing_finish(struct ring_drawing *drawing) {
    backend_close(drawing->backend);
    drawing->backend = NULL;
    free_memory(&drawing->memory);
}

uint64_t ring_source_bytes(const struct ring_source *source, int k) {
    struct frame_req req;
    frame_req_init(&req, 1, 1);
    request(source, k, &req);
    const uint64_t bytes = bytes_of(source, k, req.planes);
    frame_req_finish(&req);
    return bytes;
}

/* Opens the file of a ring behind its header. Returns NULL if there is no such file. */
static FILE *open_file(const struct ring_source *source, int k, unsigned planes) {
    const struct header wanted = header_of(source, k, planes);
    struct header header;
    const char *why;
    bool absent;
    char *path = path_of(source, k);
    FILE *file = path ? file_open_silently(path, &absent, &why) : NULL;
    free(path);
    if (file && (fread(&header, sizeof header, 1, file) != 1 ||
                 memcmp(&header, &wanted, sizeof header) != 0 ||
                 file_length(file) != bytes_of(source, k, planes))) {
        fclose(file);
        file = NULL;
    }
    return file;
}

bool ring_source_remove(const struct ring_source *source, int k) {
    char *path = path_of(source, k);
    const bool removed = path && unlink(path) == 0;
    free(path);
    return removed;
}

void ring_source_remove_shot(const char *folder, int shot) {
    char prefix[32] = PREFIX;
    if (shot >= 0)
        snprintf(prefix, sizeof prefix, PREFIX "%d-", shot);
    work_files_remove(folder, prefix);
}

static void add_size(void *user, const char *path) {
    uint64_t *bytes = user;
    struct stat status;
    *bytes += stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

uint64_t ring_source_stored(const char *folder) {
    uint64_t bytes = 0;
    work_files_each(folder, PREFIX, add_size, &bytes);
    return bytes;
}

/* --- bands --- */

static bool step(void *user, const struct backend_report *report) {
    const struct passage *passage = user;
    (void)report;
    return passage->go_on(passage->user);
}

static size_t samples_of(struct cells cells) {
    return (size_t)(cells.x1 - cells.x0) * (size_t)(cells.y1 - cells.y0);
}

static bool draw_band(struct passage *passage, struct band *band) {
    struct frame_req *req = &passage->req;
    const struct cells outer = rings_outer(passage->source->rings, passage->k), cells = band->cells;
    const struct target target = {
        .rgba = passage->memory->rgba, .planes = *band->planes, .at_once = true};
    struct backend_report report;
    req->part_x_px = cells.x0 - outer.x0;
    req->part_y_px = cells.y0 - outer.y0;
    req->width_px = cells.x1 - cells.x0;
    req->height_px = cells.y1 - cells.y0;
    req->focus_x_px = req->width_px / 2;
    req->focus_y_px = req->height_px / 2;
    if (!backend_draw(passage->backend, req, &target, step, passage, &report))
        return false;
    passage->iterations += report.iterations + report.skipped;
    return true;
}

static bool read_band(struct passage *passage, struct band *band) {
    const size_t samples = samples_of(band->cells);
    for (int plane = 0; plane < SAMPLE_PLANES; plane++)
        if (passage->planes >> plane & 1 && fread(band->planes->plane[plane], SAMPLE_PLANE_BYTES,
                                                  samples, passage->stream) != samples)
            return false;
    return true;
}

/* Converts lengths from cells. The same point of the plane has the same length in two rings. */
static void scale_lengths(const struct band *band) {
    const struct passage *passage = band->passage;
    const struct rings *rings = passage->source->rings;
    const struct sample_planes *planes = band->planes;
    const struct cells cells = band->cells;
    const struct cells *outer = &rings->outer;
    const bool last = passage->k + 1 == rings->count;
    size_t i = 0;
    for (int y = cells.y0; (planes->distance || planes->depth) && y < cells.y1; y++)
        for (int x = cells.x0; x < cells.x1; x++, i++) {
            const double across = (x + 0.5) / (x < 0 ? outer->x0 : outer->x1);
            const double down = (y + 0.5) / (y < 0 ? outer->y0 : outer->y1);
            const float scale = (float)(1 / (passage->spacing * (last ? 1 : fmax(across, down))));
            if (planes->distance)
                planes->distance[i] *= scale;
            if (planes->depth)
                planes->depth[i] *= scale;
        }
}

static void *write_band(void *user) {
    struct band *band = user;
    const struct passage *passage = band->passage;
    const size_t samples = samples_of(band->cells);
    for (int plane = 0; plane < SAMPLE_PLANES && band->ok; plane++) {
        band->ok = !(passage->planes >> plane & 1) ||
                   fwrite(band->planes->plane[plane], SAMPLE_PLANE_BYTES, samples,
                          passage->stream) == samples;
        if (!band->ok)
            atomic_file_log_failure(passage->file, errno);
    }
    return NULL;
}

static void hash_band(struct passage *passage, const struct band *band) {
    for (int plane = 0; plane < SAMPLE_PLANES; plane++)
        if (passage->planes >> plane & 1)
            passage->sum = hash_words(passage->sum, band->planes->plane[plane],
                                      samples_of(band->cells) * SAMPLE_PLANE_BYTES);
}

/* Writes a band, unless it was read, adds it to the hash and passes its samples on. The file is
 * written by a thread of its own, until the samples change. */
static void *finish_band(void *user) {
    struct band *band = user;
    struct passage *passage = band->passage;
    pthread_t writer;
    band->ok = true;
    bool apart = passage->file && pthread_create(&writer, NULL, write_band, band) == 0;
    if (passage->file && !apart)
        write_band(band);
    hash_band(passage, band);
    if (apart && (band->planes->distance || band->planes->depth)) {
        pthread_join(writer, NULL);
        apart = false;
    }
    if (passage->take) {
        scale_lengths(band);
        passage->take(passage->taker, band->cells, band->planes);
    }
    if (apart)
        pthread_join(writer, NULL);
    return NULL;
}

/* Waits for a band's thread. Returns false if the band could not be finished. */
static bool await_band(struct band *band) {
    if (band->busy)
        pthread_join(band->thread, NULL);
    band->busy = false;
    return band->ok;
}

/* Draws or reads a band, then waits for the band before it and lets a thread finish this one. */
static bool pass_band(struct passage *passage, struct cells cells) {
    struct band *band = &passage->bands[passage->next], *before = &passage->bands[!passage->next];
    band->cells = cells;
    if (!(passage->file ? draw_band(passage, band) : read_band(passage, band)) ||
        !await_band(before))
        return false;
    band->ok = false;
    band->busy = pthread_create(&band->thread, NULL, finish_band, band) == 0;
    if (!band->busy)
        finish_band(band);
    passage->next = !passage->next;
    return true;
}

static bool pass_part(struct passage *passage, struct cells part) {
    const int width = part.x1 - part.x0, most = BAND_SAMPLES / width > 0 ? BAND_SAMPLES / width : 1;
    bool ok = true;
    for (int y = part.y0; ok && y < part.y1; y += most) {
        const int rows = part.y1 - y < most ? part.y1 - y : most;
        ok = pass_band(passage, (struct cells){part.x0, y, part.x1, y + rows});
    }
    return ok;
}

/* Makes the memory fit bands of a size. Returns false without memory; the reason is logged. */
static bool fit_memory(struct ring_memory *memory, unsigned set, uint64_t samples, bool draws) {
    static const char what[] = "a ring of a movie";
    bool ok = true;
    if (memory->set != set || memory->samples < samples) {
        free_memory(memory);
        memory->set = set;
        memory->samples = samples;
        for (int i = 0; i < 2; i++)
            ok = ok && sample_planes_init(&memory->planes[i], set, samples, what);
    }
    if (ok && draws && !memory->rgba)
        ok = (memory->rgba = memory_alloc(4 * samples, what));
    if (!ok)
        free_memory(memory);
    return ok;
}

static bool pass(struct passage *passage) {
    const struct rings *rings = passage->source->rings;
    const struct cells outer = rings_outer(rings, passage->k);
    struct cells parts[RING_PARTS];
    const int count = cells_parts(outer, rings_hole(rings, passage->k), parts);
    uint64_t most = BAND_SAMPLES;
    if ((uint64_t)(outer.x1 - outer.x0) > most)
        most = (uint64_t)(outer.x1 - outer.x0);
    bool ok = fit_memory(passage->memory, passage->planes, most, passage->file);
    passage->spacing = rings_spacing(rings, passage->k, rings_depth(rings, passage->k));
    for (int i = 0; i < 2; i++)
        passage->bands[i] =
            (struct band){.passage = passage, .planes = &passage->memory->planes[i], .ok = true};
    for (int i = 0; ok && i < count; i++)
        ok = pass_part(passage, parts[i]);
    for (int i = 0; i < 2; i++)
        ok = await_band(&passage->bands[i]) && ok;
    return ok;
}

/* --- rings --- */

static bool passage_init(struct passage *passage) {
    passage->path = path_of(passage->source, passage->k);
    frame_req_init(&passage->req, 1, 1);
    request(passage->source, passage->k, &passage->req);
    passage->planes = passage->req.planes;
    return passage->path;
}

static void passage_finish(struct passage *passage) {
    frame_req_finish(&passage->req);
    free(passage->path);
}

bool ring_source_resampler(const struct ring_source *source, struct backend **handle) {
    struct passage passage = {.source = source};
    void *impl;
    struct ring_drawing *drawing = source->drawing;
    const bool ok =
        passage_init(&passage) && drawing->open(drawing->user, &passage.req, &drawing->backend);
    passage_finish(&passage);
    *handle = ok && backend_resampler(drawing->backend, &impl)
                  ? backend_another(drawing->backend, BACKEND_FIRST)
                  : NULL;
    return ok;
}

static bool write_ring(struct passage *passage) {
    const struct header header = header_of(passage->source, passage->k, passage->planes);
    passage->file = atomic_file_open(passage->path, false);
    if (!passage->file)
        return false;
    atomic_file_mark_expendable(passage->file);
    passage->stream = atomic_file_stream(passage->file);
    fwrite(&header, sizeof header, 1, passage->stream);
    if (pass(passage)) {
        fwrite(&passage->sum, sizeof passage->sum, 1, passage->stream);
        return atomic_file_commit(passage->file, NULL);
    }
    atomic_file_abandon(passage->file);
    return false;
}

/* Reads a ring, and checks its hash at the end. */
static enum ring_reading read_ring(struct passage *passage) {
    uint64_t sum = 0;
    passage->sum = HASH_EMPTY;
    passage->stream = open_file(passage->source, passage->k, passage->planes);
    if (!passage->stream)
        return RING_ABSENT;
    const bool whole = pass(passage) && fread(&sum, sizeof sum, 1, passage->stream) == 1;
    fclose(passage->stream);
    return whole && sum == passage->sum ? RING_READ : RING_DAMAGED;
}

/* Draws a ring that has no file. */
static bool draw_ring(struct passage *passage) {
    struct ring_drawing *drawing = passage->source->drawing;
    const double start = clock_ms();
    passage->sum = HASH_EMPTY;
    if (!drawing->open(drawing->user, &passage->req, &drawing->backend) ||
        !backend_decide(drawing->backend, &passage->req, step, passage))
        return false;
    drawing->decide_ms += clock_ms() - start;
    passage->backend = drawing->backend;
    if (!write_ring(passage))
        return false;
    drawing->drawn++;
    drawing->samples += rings_samples(passage->source->rings, passage->k);
    drawing->iterations += passage->iterations;
    drawing->draw_ms += clock_ms() - start;
    return true;
}

/* Returns as ring_source_read, and logs a damaged file. */
static enum ring_reading read_or_warn(struct passage *passage) {
    const enum ring_reading reading = read_ring(passage);
    if (reading == RING_DAMAGED)
        log_warn("'%s' is damaged and is drawn again", passage->path);
    return reading;
}

/* Returns true if the ring has a file. */
static bool has_file(const struct passage *passage) {
    FILE *file = open_file(passage->source, passage->k, passage->planes);
    if (file)
        fclose(file);
    return file;
}

/* Draws the ring unless it has a file, and passes it on; the caller has claimed it if others draw
 * rings. */
static enum ring_making draw_if_absent(struct passage *passage) {
    if (has_file(passage) && (!passage->take || read_or_warn(passage) == RING_READ))
        return RING_WAS_THERE;
    return draw_ring(passage) ? RING_MADE : RING_FAILED;
}

static enum ring_making claim_and_draw(struct passage *passage, bool insist) {
    struct work_list *list = passage->source->drawing->list;
    if (!list || insist || has_file(passage))
        return draw_if_absent(passage);
    const enum work_state state = work_list_claim(list, passage->path);
    if (state != WORK_OURS)
        return state == WORK_TAKEN ? RING_TAKEN : RING_FAILED;
    const enum ring_making made = draw_if_absent(passage);
    work_list_release(list, passage->path);
    return made;
}

enum ring_making ring_source_make(const struct ring_source *source, int k, bool insist,
                                  bool (*go_on)(void *user), void *user, ring_take *take,
                                  void *taker) {
    struct passage passage = {.source = source,
                              .k = k,
                              .memory = &source->drawing->memory,
                              .go_on = go_on,
                              .user = user,
                              .take = take,
                              .taker = taker};
    const enum ring_making made =
        passage_init(&passage) ? claim_and_draw(&passage, insist) : RING_FAILED;
    passage_finish(&passage);
    return made;
}

bool ring_source_has(const struct ring_source *source, int k) {
    struct passage passage = {.source = source, .k = k};
    const bool has = passage_init(&passage) && has_file(&passage);
    passage_finish(&passage);
    return has;
}

enum ring_reading ring_source_read(const struct ring_source *source, int k, ring_take *take,
                                   void *user) {
    struct ring_memory memory = {0};
    struct passage passage = {
        .source = source, .k = k, .memory = &memory, .take = take, .taker = user};
    const bool ok = passage_init(&passage);
    const enum ring_reading reading = ok ? read_or_warn(&passage) : RING_ABSENT;
    if (ok && reading == RING_ABSENT)
        log_warn("'%s' is gone or broken and is drawn again", passage.path);
    passage_finish(&passage);
    free_memory(&memory);
    return reading;
}

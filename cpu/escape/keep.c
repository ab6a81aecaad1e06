/* Sample reuse: takes samples over from the previous job, tile by tile as workers start them. A
 * grid map or the request's lines define which points are the same. */
#include "cpu/escape/keep.h"
#include <string.h>

/* --- finding --- */

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

/* Axis of a tile, and of the previous job's picture. */
struct axis {
    int low, high;                /* positions [low, high) of the tile */
    int size, tile_px;            /* of the previous picture [px] */
    const struct grid_line *line; /* lines of the whole request */
    int d;                        /* offset of the map */
};

/* Returns the positions whose samples are at [from, end) in the previous picture. */
static struct span shared(const struct axis *axis, int scale_log2, int from, int end) {
    const int d = axis->d, low = axis->low, high = axis->high;
    struct span span = {.step = scale_log2 > 0 ? 1 << scale_log2 : 1,
                        .from_step = scale_log2 < 0 ? 1 << -scale_log2 : 1};
    bool there;
    span.first = clamp(grid_map_from(span.from_step - 1 - d, -scale_log2, from, &there), low, high);
    span.end = clamp(grid_map_from(span.from_step - 1 - d, -scale_log2, end, &there), low, high);
    span.first += -(span.first + d) & (span.step - 1);
    span.from = grid_map_from(d, scale_log2, span.first, &there);
    return span;
}

static int spans_of_map(const struct axis *axis, int scale_log2, struct span *spans) {
    bool there;
    const int first = grid_map_from(axis->d, scale_log2, axis->low, &there);
    const int last = grid_map_from(axis->d, scale_log2, axis->high - 1, &there);
    if (last < 0 || first >= axis->size)
        return 0;
    int count = 0;
    const int end = last < axis->size ? last + 1 : axis->size;
    for (int from = first > 0 ? first / axis->tile_px * axis->tile_px : 0; from < end;
         from += axis->tile_px) {
        const int most = axis->size - from;
        const struct span span =
            shared(axis, scale_log2, from, from + (axis->tile_px < most ? axis->tile_px : most));
        if (span.first < span.end)
            spans[count++] = span;
    }
    return count;
}

/* Groups lines that were neighbours in the previous picture into spans. */
static int spans_of_lines(const struct axis *axis, struct span *spans) {
    int count = 0, expected = -1;
    for (int i = axis->low; i < axis->high; i++) {
        const int from = axis->line[i].from;
        if (from >= 0 && from == expected)
            spans[count - 1].end++;
        else if (from >= 0)
            spans[count++] =
                (struct span){.first = i, .end = i + 1, .step = 1, .from = from, .from_step = 1};
        expected = from < 0 || (from + 1) % axis->tile_px == 0 ? -1 : from + 1;
    }
    return count;
}

static int find_spans(const struct job *job, const struct axis *axis, struct span *spans) {
    return job->keeps_lines ? spans_of_lines(axis, spans)
                            : spans_of_map(axis, job->map.scale_log2, spans);
}

bool keep_find(const struct job *job, const struct job *previous, uint32_t tile,
               struct overlap *overlap) {
    if (!previous)
        return false;
    const struct rect r = job_tile_rect(job, tile);
    const struct grid_line *line = job->keeps_lines ? job->req.lines->line : NULL;
    const struct axis columns = {r.x0, r.x1,       previous->req.width_px, previous->tile_width_px,
                                 line, job->map.dx};
    const struct axis rows = {r.y0,
                              r.y1,
                              previous->req.height_px,
                              previous->tile_height_px,
                              line ? line + job->req.width_px : NULL,
                              job->map.dy};
    overlap->column_spans = find_spans(job, &columns, overlap->columns);
    overlap->row_spans = overlap->column_spans > 0 ? find_spans(job, &rows, overlap->rows) : 0;
    return overlap->row_spans > 0;
}

/* --- sample reuse --- */

/* Closes a tile of a stopped or complete job for good, so that its samples may be read. Returns
 * false while a worker is inside, or if nothing was drawn there. */
static bool close_tile(struct job *job, uint32_t tile) {
    unsigned expected = 0;
    if (!atomic_compare_exchange_strong(&job->claims[tile], &expected, JOB_TILE_CLOSED) &&
        !(expected & JOB_TILE_CLOSED))
        return false;
    return job->passes_done[tile] > 0;
}

/* Range of usable counts: samples that escaped within `most` steps or did not escape within
 * `least`. Missing samples are never usable. */
struct serving {
    int32_t least, most;
};

/* Returns true if a tile's deepening is incomplete: its interior samples then have no common
 * limit. */
static bool half_deep(const struct job *job, uint32_t tile) {
    return job->pass_list[0].limit < job->req.limit &&
           (atomic_load(&job->ready[tile]) & JOB_PASSES_MASK) < (uint32_t)job->passes;
}

static struct serving serving(const struct frame_req *req, const struct job *previous,
                              uint32_t tile) {
    if (lines_in_motion(req->lines))
        return (struct serving){half_deep(previous, tile) ? (int32_t)previous->req.limit : 1,
                                INT32_MAX};
    return (struct serving){req->limit > 0 ? (int32_t)req->limit : 1, (int32_t)req->limit};
}

INLINE bool serves(struct serving serving, uint32_t count) {
    const int32_t steps = (int32_t)(count & SAMPLE_COUNT_MASK);
    return count & SAMPLE_INTERIOR ? steps >= serving.least : steps <= serving.most;
}

static bool all_serve(struct serving serving, const uint32_t *count, size_t size) {
    uint32_t other = 0;
#pragma omp simd reduction(| : other)
    for (size_t i = 0; i < size; i++)
        other |= !serves(serving, count[i]);
    return other == 0;
}

/* Converts distances and depths to the new pixels' unit. */
static void rescale(const struct job *job, size_t first, size_t size) {
    float *const planes[] = {job->planes.distance, job->planes.depth};
    for (int p = 0; p < 2 && job->from_unit != 1; p++)
        for (size_t i = first; planes[p] && i < first + size; i++)
            planes[p][i] *= job->from_unit;
}

/* Takes over the usable samples of a row. Copies all of them at once in the usual case, neighbours
 * that are all usable. Returns their number. */
static size_t keep_row(struct job *job, const struct job *previous, struct serving serving,
                       const struct span *columns, size_t to_row, size_t from_row) {
    const size_t first = to_row + (size_t)columns->first, there = from_row + (size_t)columns->from;
    const size_t size = (size_t)(columns->end - columns->first);
    size_t kept = 0;
    if (columns->step == 1 && columns->from_step == 1 &&
        all_serve(serving, previous->planes.count + there, size)) {
        for (int p = 0; p < SAMPLE_PLANES; p++)
            if (job->planes.plane[p] && previous->planes.plane[p])
                memcpy((uint32_t *)job->planes.plane[p] + first,
                       (const uint32_t *)previous->planes.plane[p] + there,
                       size * SAMPLE_PLANE_BYTES);
        rescale(job, first, size);
        return size;
    }
    for (int x = columns->first, from_x = columns->from; x < columns->end;
         x += columns->step, from_x += columns->from_step) {
        const size_t to = to_row + (size_t)x, from = from_row + (size_t)from_x;
        if (!serves(serving, previous->planes.count[from]))
            continue;
        for (int p = 0; p < SAMPLE_PLANES; p++)
            if (job->planes.plane[p] && previous->planes.plane[p])
                ((uint32_t *)job->planes.plane[p])[to] =
                    ((const uint32_t *)previous->planes.plane[p])[from];
        rescale(job, to, 1);
        kept++;
    }
    return kept;
}

/* Takes over unfinished orbits of the pixels in a span of columns and a span of rows. */
static void keep_unfinished(struct job *job, const struct unfinished *source,
                            const struct span *columns, const struct span *rows,
                            struct unfinished *unfinished) {
    const struct grid_map map = job->map;
    const uint32_t width = (uint32_t)job->req.width_px;
    for (size_t i = 0; i < source->size; i++) {
        const void *state;
        struct unfinished_orbit orbit = unfinished_get(source, i, &state);
        bool column, row;
        const int x = grid_map_from(-map.dx, -map.scale_log2, (int)(orbit.at % width), &column);
        const int y = grid_map_from(-map.dy, -map.scale_log2, (int)(orbit.at / width), &row);
        if (!column || !row || x < columns->first || x >= columns->end || y < rows->first ||
            y >= rows->end)
            continue;
        orbit.at = (uint32_t)y * width + (uint32_t)x;
        if (unfinished_add(unfinished, orbit, state))
            job->planes.count[orbit.at] = SAMPLE_INTERIOR | orbit.done;
    }
}

/* Columns and rows of a tile that one tile of the previous job has. */
struct part {
    const struct span *columns, *rows;
    int column_spans, row_spans;
};

/* Takes over the samples of a part, and with a grid map also its unfinished orbits. Returns their
 * number. */
static size_t keep_part(struct job *job, struct job *previous, uint32_t tile,
                        const struct part *part) {
    const size_t width = (size_t)job->req.width_px, from_width = (size_t)previous->req.width_px;
    const int tx = part->columns->from / previous->tile_width_px;
    const int ty = part->rows->from / previous->tile_height_px;
    const uint32_t from_tile = (uint32_t)(ty * previous->tiles_x + tx);
    size_t kept = 0;
    if (!close_tile(previous, from_tile))
        return 0;
    const struct serving limits = serving(&job->req, previous, from_tile);
    for (const struct span *rows = part->rows; rows < part->rows + part->row_spans; rows++)
        for (int y = rows->first, from_y = rows->from; y < rows->end;
             y += rows->step, from_y += rows->from_step)
            for (int i = 0; i < part->column_spans; i++)
                kept += keep_row(job, previous, limits, &part->columns[i], (size_t)y * width,
                                 (size_t)from_y * from_width);
    if (!job->keeps_lines && job->gathers)
        keep_unfinished(job, &previous->unfinished[from_tile], part->columns, part->rows,
                        &job->unfinished[tile]);
    return kept;
}

/* Returns the number of leading spans that lie in one tile of the previous job. */
static int in_one_tile(const struct span *spans, int count, int tile_px) {
    int size = 1;
    while (size < count && spans[size].from / tile_px == spans->from / tile_px)
        size++;
    return size;
}

void keep_nothing(struct job *job, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    for (int y = r.y0; y < r.y1; y++) {
        uint32_t *row = job->planes.count + (size_t)y * (size_t)job->req.width_px;
#pragma omp simd
        for (int x = r.x0; x < r.x1; x++)
            row[x] = SAMPLE_MISSING;
    }
}

void keep_tile(struct job *job, struct job *previous, uint32_t tile,
               const struct overlap *overlap) {
    struct part part;
    size_t kept = 0;
    keep_nothing(job, tile);
    for (int y = 0; overlap && y < overlap->row_spans; y += part.row_spans) {
        part.rows = overlap->rows + y;
        part.row_spans = in_one_tile(part.rows, overlap->row_spans - y, previous->tile_height_px);
        for (int x = 0; x < overlap->column_spans; x += part.column_spans) {
            part.columns = overlap->columns + x;
            part.column_spans =
                in_one_tile(part.columns, overlap->column_spans - x, previous->tile_width_px);
            kept += keep_part(job, previous, tile, &part);
        }
    }
    atomic_fetch_add_explicit(&job->kept, kept, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->samples, kept, memory_order_relaxed);
}

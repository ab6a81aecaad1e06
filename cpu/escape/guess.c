/* Methods that guess: where a closed line of pixels is interior, so is what it surrounds, because
 * the set's complement is connected. A filament thinner than a pixel breaks that, so rare pixels
 * may be wrong. Outside the set nothing is guessed: fractions vary there. */
#include "cpu/escape/draw.h"
#include <string.h>

/* --- what both need --- */

static bool interior_at(const struct job *job, int x, int y) {
    return job->planes.count[(size_t)y * (size_t)job->req.width_px + (size_t)x] & SAMPLE_INTERIOR;
}

static bool add_row(struct job *job, struct job_scratch *s, int x0, int x1, int y) {
    for (int x = x0; x < x1; x++)
        if (!draw_add(job, s, x, y))
            return false;
    return true;
}

static bool add_column(struct job *job, struct job_scratch *s, int x, int y0, int y1) {
    for (int y = y0; y < y1; y++)
        if (!draw_add(job, s, x, y))
            return false;
    return true;
}

static bool add_border(struct job *job, struct job_scratch *s, struct rect r) {
    return add_row(job, s, r.x0, r.x1, r.y0) && add_row(job, s, r.x0, r.x1, r.y1 - 1) &&
           add_column(job, s, r.x0, r.y0, r.y1) && add_column(job, s, r.x1 - 1, r.y0, r.y1);
}

/* --- rectangles (Mariani-Silver) --- */

#define SMALL_PX  6    /* narrower rectangles are drawn whole */
#define RECTS_MAX 1024 /* of one size in a tile: 64 / 4 each way, and to spare */

static bool border_interior(const struct job *job, struct rect r) {
    for (int x = r.x0; x < r.x1; x++)
        if (!interior_at(job, x, r.y0) || !interior_at(job, x, r.y1 - 1))
            return false;
    for (int y = r.y0; y < r.y1; y++)
        if (!interior_at(job, r.x0, y) || !interior_at(job, r.x1 - 1, y))
            return false;
    return true;
}

static bool fill(struct job *job, struct job_scratch *s, struct rect r) {
    for (int y = r.y0; y < r.y1; y++)
        for (int x = r.x0; x < r.x1; x++)
            if (!draw_fill(job, s, x, y))
                return false;
    return true;
}

/* Draws the whole of a small rectangle, or the border of a larger one. */
static bool add_rect(struct job *job, struct job_scratch *s, struct rect r) {
    if (r.x1 - r.x0 > SMALL_PX && r.y1 - r.y0 > SMALL_PX)
        return add_border(job, s, r);
    for (int y = r.y0; y < r.y1; y++)
        if (!add_row(job, s, r.x0, r.x1, y))
            return false;
    return true;
}

/* Fills what is surrounded, and cuts the rest in four that share their edges. How many there
 * are; below 0: stopped. */
static int cut(struct job *job, struct job_scratch *s, struct rect r, struct rect parts[4]) {
    if (r.x1 - r.x0 <= SMALL_PX || r.y1 - r.y0 <= SMALL_PX)
        return 0;
    if (border_interior(job, r))
        return fill(job, s, r) ? 0 : -1;
    const int x = (r.x0 + r.x1) / 2, y = (r.y0 + r.y1) / 2;
    parts[0] = (struct rect){r.x0, r.y0, x + 1, y + 1};
    parts[1] = (struct rect){x, r.y0, r.x1, y + 1};
    parts[2] = (struct rect){r.x0, y, x + 1, r.y1};
    parts[3] = (struct rect){x, y, r.x1, r.y1};
    return 4;
}

/* All rectangles of one size before the next, so that the kernel gets long lists. */
static bool subdivide(struct job *job, struct job_scratch *s, struct rect tile) {
    struct rect lists[2][RECTS_MAX];
    int count = 1;
    lists[0][0] = tile;
    for (int turn = 0; count > 0; turn ^= 1) {
        int next = 0;
        for (int i = 0; i < count; i++)
            if (!add_rect(job, s, lists[turn][i]))
                return false;
        if (!draw_flush(job, s))
            return false;
        for (int i = 0; i < count; i++) {
            const int parts = cut(job, s, lists[turn][i], &lists[turn ^ 1][next]);
            if (parts < 0)
                return false;
            next += parts;
        }
        count = next;
    }
    return draw_flush(job, s);
}

/* --- borders --- */

/* The pixels to look at next; each tile pixel at most once. */
struct trace {
    struct rect tile;
    uint16_t queue[JOB_TILE_PX * JOB_TILE_PX];
    uint8_t queued[JOB_TILE_PX * JOB_TILE_PX];
    int size;
};

static void enqueue(struct trace *t, int x, int y) {
    if (x < t->tile.x0 || x >= t->tile.x1 || y < t->tile.y0 || y >= t->tile.y1)
        return;
    const int i = (y - t->tile.y0) * JOB_TILE_PX + (x - t->tile.x0);
    if (!t->queued[i])
        t->queue[t->size++] = (uint16_t)i;
    t->queued[i] = 1;
}

/* Whether one of the four neighbours that have samples is on the other side of the border. */
static bool on_border(const struct job *job, const struct trace *t, int x, int y) {
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const bool inside = interior_at(job, x, y);
    for (int i = 0; i < 4; i++) {
        const int nx = x + steps[i][0], ny = y + steps[i][1];
        if (nx >= t->tile.x0 && nx < t->tile.x1 && ny >= t->tile.y0 && ny < t->tile.y1 &&
            draw_has(job, nx, ny) && interior_at(job, nx, ny) != inside)
            return true;
    }
    return false;
}

static void enqueue_around(struct trace *t, int x, int y) {
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            enqueue(t, x + dx, y + dy);
}

/* Draws wave after wave: a wave is the neighbours of border pixels found in the last one. */
static bool follow_borders(struct job *job, struct job_scratch *s, struct trace *t) {
    for (int from = 0; from < t->size;) {
        const int to = t->size;
        for (int i = from; i < to; i++)
            if (!draw_add(job, s, t->tile.x0 + t->queue[i] % JOB_TILE_PX,
                          t->tile.y0 + t->queue[i] / JOB_TILE_PX))
                return false;
        if (!draw_flush(job, s))
            return false;
        for (int i = from; i < to; i++) {
            const int x = t->tile.x0 + t->queue[i] % JOB_TILE_PX;
            const int y = t->tile.y0 + t->queue[i] / JOB_TILE_PX;
            if (on_border(job, t, x, y))
                enqueue_around(t, x, y);
        }
        from = to;
    }
    return true;
}

/* What no border came near is of its left neighbour's kind. */
static bool fill_between(struct job *job, struct job_scratch *s, struct rect r) {
    for (int y = r.y0 + 1; y < r.y1 - 1; y++) {
        bool inside = interior_at(job, r.x0, y);
        for (int x = r.x0 + 1; x < r.x1 - 1; x++)
            if (draw_has(job, x, y))
                inside = interior_at(job, x, y);
            else if (!(inside ? draw_fill(job, s, x, y) : draw_add(job, s, x, y)))
                return false;
    }
    return draw_flush(job, s);
}

static bool trace(struct job *job, struct job_scratch *s, struct rect tile) {
    struct trace t = {.tile = tile};
    for (int x = tile.x0; x < tile.x1; x++) {
        enqueue(&t, x, tile.y0);
        enqueue(&t, x, tile.y1 - 1);
    }
    for (int y = tile.y0; y < tile.y1; y++) {
        enqueue(&t, tile.x0, y);
        enqueue(&t, tile.x1 - 1, y);
    }
    return follow_borders(job, s, &t) && fill_between(job, s, tile);
}

bool draw_guessing(struct job *job, struct job_scratch *s, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    memset(s->queued, 0, sizeof s->queued);
    return job->req.method == METHOD_TRACE ? trace(job, s, r) : subdivide(job, s, r);
}

/* fathom verify: checks a picture. Draws the picture as render does, and iterates some of its
 * pixels exactly. */
#include "app/command/commands.h"
#include "app/still/bands.h"
#include "cpu/threads.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include "render/number/exact.h"
#include "render/number/splitmix.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define RIGHT_FROM 0.995 /* share of points that must agree */

struct verify {
    struct command_still still;
    struct bands bands;
    size_t count;
    struct exact_point *points; /* points in reading order */
    uint32_t *drawn;            /* counts in the picture, as struct sample_planes has them */
    size_t taken;               /* points read so far; rows arrive from the top down */
    int row;                    /* next row */
    double started_ms, exact_ms;
    bool progress_shown;
};

struct result {
    size_t agree, interior_drawn, interior_exact; /* points interior in one of the two alone */
    uint32_t largest;                             /* difference of counts */
    long bits;
    bool right;
};

/* --- choice of points --- */

/* Divides the picture into `count` equal parts and chooses one point in each, so that no point
 * occurs twice. */
static bool choose_points(struct verify *verify) {
    const struct options *options = verify->still.options;
    const struct frame_req *req = &verify->still.req;
    const uint64_t width = (uint64_t)req->width_px, pixels = width * (uint64_t)req->height_px;
    uint64_t state = (uint64_t)options->points_seed;
    verify->count = (uint64_t)options->points < pixels ? (size_t)options->points : (size_t)pixels;
    verify->points = memory_alloc(verify->count * sizeof *verify->points, "the points");
    verify->drawn = memory_alloc(verify->count * sizeof *verify->drawn, "the points");
    if (!verify->points || !verify->drawn)
        return false;
    for (uint64_t i = 0; i < verify->count; i++) {
        const uint64_t first = i * pixels / verify->count, end = (i + 1) * pixels / verify->count;
        const uint64_t at = first + splitmix_next(&state) % (end - first);
        verify->points[i] =
            (struct exact_point){.x_px = (int)(at % width), .y_px = (int)(at / width)};
    }
    return true;
}

/* --- counts in the picture --- */

static void take_rows(void *user, const struct sample_planes *samples, int rows) {
    struct verify *verify = user;
    const size_t width = (size_t)verify->still.req.width_px;
    for (; verify->taken < verify->count; verify->taken++) {
        const struct exact_point *point = &verify->points[verify->taken];
        if (point->y_px >= verify->row + rows)
            break;
        const size_t row = (size_t)(point->y_px - verify->row);
        verify->drawn[verify->taken] = samples->count[row * width + (size_t)point->x_px];
    }
    verify->row += rows;
}

static bool draw(struct verify *verify) {
    struct outputs outputs = {.take = take_rows, .user = verify};
    verify->bands = (struct bands){.backend = verify->still.backend,
                                   .req = &verify->still.req,
                                   .outputs = &outputs,
                                   .memory_bytes = BANDS_MEMORY_BYTES,
                                   .samples = 1};
    return bands_draw(&verify->bands);
}

/* --- exact counts --- */

static bool step(void *user, double done) {
    struct verify *verify = user;
    if (progress_show(NULL, done, clock_ms() - verify->started_ms))
        verify->progress_shown = true;
    return !interrupt_requested();
}

static bool iterate(struct verify *verify) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted = verify->still.options->threads;
    verify->started_ms = clock_ms();
    const bool ok = exact_count_all(&verify->still.req, verify->points, verify->count,
                                    threads_fit(wanted > 0 ? wanted : (int)(cores > 0 ? cores : 1)),
                                    step, verify);
    verify->exact_ms = clock_ms() - verify->started_ms;
    if (verify->progress_shown)
        progress_hide();
    return ok;
}

static struct result summarise(const struct verify *verify) {
    struct result result = {0};
    for (size_t i = 0; i < verify->count; i++) {
        const struct exact_point *point = &verify->points[i];
        const bool interior = verify->drawn[i] & SAMPLE_INTERIOR;
        const uint32_t count = verify->drawn[i] & SAMPLE_COUNT_MASK;
        const bool truly = point->state == EXACT_INTERIOR;
        const uint32_t difference =
            count > point->count ? count - point->count : point->count - count;
        result.agree += interior == truly && difference == 0;
        result.interior_drawn += interior && !truly;
        result.interior_exact += truly && !interior;
        result.largest = difference > result.largest ? difference : result.largest;
        result.bits = point->bits > result.bits ? point->bits : result.bits;
    }
    result.right = (double)result.agree >= RIGHT_FROM * (double)verify->count;
    return result;
}

/* --- results --- */

static double percent(const struct verify *verify, size_t points) {
    return 100 * (double)points / (double)verify->count;
}

static void print_text(const struct verify *verify, const struct result *result) {
    printf("%zu of %zu points agree with exact arithmetic (%.1f %%); the largest difference is "
           "%" PRIu32 "\n",
           result->agree, verify->count, percent(verify, result->agree), result->largest);
    if (result->interior_drawn + result->interior_exact > 0)
        printf("interior in the picture alone: %zu, in exact arithmetic alone: %zu\n",
               result->interior_drawn, result->interior_exact);
    if (result->right)
        puts("The picture is right.");
    else
        printf("The picture is wrong in about %.1f %% of its pixels: %s precision does not do "
               "here.\n",
               percent(verify, verify->count - result->agree),
               number_type_name(verify->still.req.type));
}

static void print_json(const struct verify *verify, const struct result *result) {
    const struct frame_req *req = &verify->still.req;
    const struct backend_info info = backend_info(verify->still.backend);
    putchar('{');
    json_member_text(stdout, "backend", info.name, ", ");
    json_member_text(stdout, "device", info.device, ", ");
    json_member_text(stdout, "route", route_names[req->route], ", ");
    json_member_text(stdout, "precision", number_type_name(req->type), ", ");
    printf("\"width\": %d, \"height\": %d, \"limit\": %" PRIu32 ", \"points\": %zu, \"seed\": %d, "
           "\"agree\": %zu, \"largest_difference\": %" PRIu32
           ", \"interior_drawn_only\": %zu, \"interior_exact_only\": %zu, \"bits\": %ld, "
           "\"right\": %s, \"render_ms\": %.3f, \"exact_ms\": %.3f}\n",
           req->width_px, req->height_px, req->limit, verify->count,
           verify->still.options->points_seed, result->agree, result->largest,
           result->interior_drawn, result->interior_exact, result->bits,
           result->right ? "true" : "false", verify->bands.render_ms, verify->exact_ms);
}

static bool has_counts(const struct scene *scene) {
    const bool map = fractal_is_map(&scene->fractal);
    if (map)
        log_error("%s: exact counts exist only for power formulas, not for this one",
                  formula_names[scene->fractal.formula]);
    return !map;
}

int command_verify(const struct options *options) {
    interrupt_catch();
    struct verify verify = {0};
    struct result result = {0};
    const bool ok = command_still_init(&verify.still, options) && has_counts(&verify.still.scene) &&
                    command_still_start(&verify.still) && choose_points(&verify) && draw(&verify) &&
                    iterate(&verify);
    if (!ok && verify.still.backend && interrupt_requested())
        log_error("interrupted; nothing was verified");
    if (ok) {
        result = summarise(&verify);
        if (options->json)
            print_json(&verify, &result);
        else
            print_text(&verify, &result);
    }
    free(verify.points);
    free(verify.drawn);
    command_still_close(&verify.still);
    return result.right ? 0 : 1;
}

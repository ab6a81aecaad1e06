/* Pictures in motion: predicts where the camera will be when a picture is shown and what is
 * visible then, and chooses lines within the time budget. */
#include "app/picture/moving.h"
#include "render/grid/line_plan.h"
#include "render/grid/sharing.h"
#include <math.h>
#include <stdlib.h>

#define FIRST_MS         25.0   /* [ms] assumed duration before one was measured */
#define LEAST_MS         8.0    /* [ms] lower bound of a measured duration */
#define MOST_MS          300.0  /* [ms] upper bound of a measured duration */
#define FIRST_PER_MS     3000.0 /* assumed speed before it was measured [samples/ms] */
#define BUDGET_FRAMES    2      /* display frames that a picture may take */
#define BUDGET_SHARE     1.5    /* or multiple of its overhead, if that is more */
#define FIRST_SHARE      0.1    /* largest new share of the first picture in a motion */
#define SEEN_WHEN_LATE   2      /* late frames: frames that show lines before the next picture */
#define GIVEN_UP_MS      1000.0 /* [ms] time limit, doubled each time it is exceeded */
#define GIVEN_UP_TWICE   3      /* largest number of doublings */
#define PART_LEAST       0.02   /* smallest share assumed drawn of a given-up picture */
#define LEARNING         0.3    /* weight of the latest picture in means */
#define SOONEST          0.6    /* share of its expected duration before which no picture is seen */
#define WHOLE_SHARE      0.6    /* share of a frame that a whole picture may take */
#define WHOLE_AGAIN      60     /* pictures before a whole one is tried again, doubled each time */
#define WHOLE_AGAIN_MOST 960    /* upper bound of WHOLE_AGAIN */
#define WIDEST           2.5    /* a picture covers at most this multiple of the screen's size */
#define FARTHEST         64.0   /* camera scale, or its inverse, above which none are made */
#define TURNED           1e-9
#define KEPT_LITTLE      0.1    /* share of kept samples below which a picture counts as whole */
#define OVERHEAD_MOST_MS 2.0    /* [ms] more is caused by other users of the processor */
#define FEW_SAMPLES      2000.0 /* fewer samples do not measure speed */
#define REST_SHARE       0.5    /* speed in motion, as a share of the speed at rest */

static bool upright(struct similarity camera) {
    return fabs(cimag(camera.factor)) <= TURNED * cabs(camera.factor) && creal(camera.factor) > 0;
}

/* Returns true if a complete new picture can be drawn for each frame. */
static bool whole_fits(const struct moving *moving, const struct explorer *explorer) {
    const double samples = (double)explorer->width_px * explorer->height_px;
    /* Whole pictures change their speed with the pictures of lines. */
    const double change = moving->per_ms_then > 0 ? moving->per_ms / moving->per_ms_then : 1;
    return moving->whole_per_ms > 0 &&
           samples / (moving->whole_per_ms * change) + fmin(moving->overhead_ms, OVERHEAD_MOST_MS) <
               WHOLE_SHARE * moving->frame_ms;
}

/* Returns true if a whole picture should be tried again: the reason for a late one may be gone. */
static bool whole_due(const struct moving *moving) {
    return moving->until_whole > 0 && moving->since_whole >= moving->until_whole;
}

bool moving_wanted(const struct moving *moving, const struct explorer *explorer,
                   const struct backend_info *info) {
    const double factor = cabs(explorer->camera.factor);
    const bool whole = whole_fits(moving, explorer);
    return info->ready && (whole || (info->caps & BACKEND_CAP_LINES && !motion_ends(explorer))) &&
           !explorer->scene.orbit_density &&
           (explorer_animating(explorer) || explorer->motion.renew) && factor > 1 / FARTHEST &&
           factor < FARTHEST;
}

/* --- lines of the previous picture --- */

/* Maps positions p on an axis: a * p + b; `exact` if without rounding. */
struct way {
    double a, b;
    bool exact;
};

/* Finds how positions in `before` map to `req`. If both have the same grid of pixels, whole
 * numbers of pixels map to whole numbers exactly. */
static void find_ways(const struct frame_req *before, const struct frame_req *req,
                      struct way ways[LINE_AXES]) {
    int width, height, width_before, height_before;
    struct grid_map map;
    frame_req_whole(req, &width, &height);
    frame_req_whole(before, &width_before, &height_before);
    const bool even = width == width_before && height == height_before && req->view.angle == 0 &&
                      view_grid_map(&before->view, &req->view, width, height, &map);
    if (even) { /* pixel numbers are positions plus half the extent, minus 0.5 */
        const double scale = ldexp(1, map.scale_log2);
        const double d[] = {map.dx, map.dy}, half[] = {width / 2.0 - 0.5, height / 2.0 - 0.5};
        for (int i = 0; i < LINE_AXES; i++) {
            const double shift = map.scale_log2 < 0 ? d[i] * scale : d[i];
            ways[i] = (struct way){scale, scale * half[i] - shift - half[i], true};
        }
        return;
    }
    const struct similarity s =
        similarity_between(&req->view, height, &before->view, height_before);
    ways[0] = (struct way){creal(s.factor), creal(s.offset), false};
    ways[1] = (struct way){creal(s.factor), cimag(s.offset), false};
}

/* Maps the lines of one axis of `before`; an ordinary picture has those of its grid. */
static void move_lines(const struct frame_req *before, int axis, struct way way, int whole,
                       struct grid_line *line) {
    const int count = axis == 0 ? before->width_px : before->height_px;
    const struct grid_line *from =
        before->lines ? before->lines->line + (axis == 0 ? 0 : before->width_px) : NULL;
    const double odd = whole % 2 == 0 ? 0.5 : 0;
    for (int i = 0; i < count; i++) {
        const double at = from ? from[i].at : i + 0.5 - count / 2.0;
        line[i] = from ? from[i] : (struct grid_line){.patience = line_plan_patience(i)};
        line[i].at = way.a * at + way.b;
        line[i].exact =
            way.exact && (!from || from[i].exact) && line[i].at - odd == rint(line[i].at - odd);
    }
}

/* --- extents to cover --- */

struct extent {
    double low[LINE_AXES], high[LINE_AXES];
};

/* Returns what the screen shows of the target, in the target's pixels. */
static struct extent in_sight(const struct explorer *explorer, struct similarity camera) {
    const double complex corner = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const struct similarity inverse = similarity_inverse(camera);
    const double complex middle = similarity_apply(inverse, 0);
    const double complex a = inverse.factor * corner, b = inverse.factor * conj(corner);
    const double right = fmax(fabs(creal(a)), fabs(creal(b)));
    const double down = fmax(fabs(cimag(a)), fabs(cimag(b)));
    return (struct extent){{creal(middle) - right, cimag(middle) - down},
                           {creal(middle) + right, cimag(middle) + down}};
}

static void extend(struct extent *extent, const struct extent *other) {
    for (int i = 0; i < LINE_AXES; i++) {
        extent->low[i] = fmin(extent->low[i], other->low[i]);
        extent->high[i] = fmax(extent->high[i], other->high[i]);
    }
}

static double expected_picture_ms(const struct moving *moving) {
    return moving->took_ms > 0 ? fmin(fmax(moving->took_ms, LEAST_MS), MOST_MS) : FIRST_MS;
}

/* Returns where the camera will be when the next picture is seen (pictures = 1) or the one after
 * (2). */
static struct similarity camera_when_seen(const struct moving *moving,
                                          const struct explorer *explorer, int pictures) {
    const double ms =
        moving->since_ms + pictures * expected_picture_ms(moving) + moving->frame_ms / 2;
    return motion_camera_after(explorer, ms);
}

/* Returns everything visible between the earliest display of this picture and that of the next
 * one. */
static struct extent to_cover(const struct moving *moving, const struct explorer *explorer) {
    const double soonest = moving->since_ms + SOONEST * expected_picture_ms(moving);
    struct extent extent = in_sight(explorer, motion_camera_after(explorer, soonest));
    for (int i = 1; i <= 2; i++) {
        const struct extent then = in_sight(explorer, camera_when_seen(moving, explorer, i));
        extend(&extent, &then);
    }
    return extent;
}

/* Returns the share of a picture's time that new samples may take [ms]. */
static double budget_ms(const struct moving *moving) {
    return fmax(BUDGET_FRAMES * moving->frame_ms - moving->overhead_ms,
                (BUDGET_SHARE - 1) * moving->overhead_ms);
}

/* Returns the speed of new samples in that time [samples/ms]; 0: unknown. */
static double samples_per_ms(const struct moving *moving) {
    return moving->pace.ms > 0 ? moving->pace.samples / moving->pace.ms : moving->whole_per_ms;
}

/* Returns the number of new samples that may be drawn. The first picture in a motion is limited,
 * because speeds measured at rest may no longer hold. */
static double budget(const struct moving *moving, const struct frame_req *before,
                     const struct frame_req *req) {
    const double known = samples_per_ms(moving);
    const double samples = (known > 0 ? known : FIRST_PER_MS) * budget_ms(moving);
    const double first = FIRST_SHARE * req->width_px * req->height_px;
    return lines_in_motion(before->lines) ? samples : fmin(samples, first);
}

/* Returns the number of the line nearest to a position. */
static int nearest(const struct grid_line *line, int count, double at) {
    int i = 0;
    while (i + 1 < count && fabs(line[i + 1].at - at) <= fabs(line[i].at - at))
        i++;
    return i;
}

/* Returns the target's pixel that the screen shows where it zooms. */
static double complex focus_of(const struct explorer *explorer) {
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    return similarity_apply(similarity_inverse(explorer->camera), motion_place(explorer) - middle);
}

/* Clamps an axis to the positions that lines may have, for a distant camera. */
static void bound(struct line_axis *axis, double low, double high) {
    axis->low = fmin(fmax(low, -LINES_AT_MAX), LINES_AT_MAX - 1);
    axis->high = fmax(fmin(high, LINES_AT_MAX), axis->low + 1);
}

static void set_axes(const struct moving *moving, const struct explorer *explorer,
                     struct line_axis axes[LINE_AXES]) {
    const double complex focus = focus_of(explorer);
    const struct extent extent = to_cover(moving, explorer);
    const struct similarity then = camera_when_seen(moving, explorer, 1);
    for (int i = 0; i < LINE_AXES; i++) {
        bound(&axes[i], extent.low[i], extent.high[i]);
        axes[i].focus = i == 0 ? creal(focus) : cimag(focus);
        /* If more is visible than a picture should have lines for, they are farther apart. */
        axes[i].slot =
            fmax(1 / cabs(then.factor), (axes[i].high - axes[i].low) / (WIDEST * axes[i].count));
    }
}

/* Sets the axes to the screen of the next frame, pixel by pixel. */
static void set_whole(const struct moving *moving, const struct explorer *explorer,
                      struct line_axis axes[LINE_AXES]) {
    const struct similarity then = motion_camera_after(explorer, moving->frame_ms);
    const struct extent extent = in_sight(explorer, then);
    for (int i = 0; i < LINE_AXES; i++) {
        axes[i] = (struct line_axis){.slot = 1 / creal(then.factor), .focus = axes[i].focus};
        bound(&axes[i], extent.low[i], extent.high[i]);
    }
}

static void take_lines(struct frame_req *req, struct lines *lines, const struct frame_req *before) {
    sharing_follow(lines, req, before);
    req->whole_width_px = req->width_px;
    req->whole_height_px = req->height_px;
    req->width_px = lines->columns;
    req->height_px = lines->rows;
    req->first_stride = 1;
    req->lines = lines;
}

static void approach(double *known, double latest) {
    *known = *known > 0 ? *known + LEARNING * (latest - *known) : latest;
}

/* Learns the time between the completion of the previous picture and the start of this one. */
static void learn_pause(struct moving *moving, const struct explorer *explorer, bool follows) {
    const double now = explorer->time_ms + moving->since_ms;
    if (follows && moving->last_ms > 0)
        approach(&moving->pause_ms, fmax(now - moving->planned_ms - moving->last_ms, 0));
    moving->planned_ms = now;
    moving->last_ms = 0;
}

bool moving_plan(struct moving *moving, const struct explorer *explorer,
                 const struct frame_req *before, bool in_motion, struct frame_req *req) {
    const int count[] = {before->width_px, before->height_px};
    struct grid_line *old = malloc(((size_t)count[0] + (size_t)count[1]) * sizeof *old);
    struct way ways[LINE_AXES];
    struct line_axis axes[LINE_AXES] = {
        {.old = old, .old_count = count[0], .count = req->width_px},
        {.old = old ? old + count[0] : NULL, .old_count = count[1], .count = req->height_px},
    };
    if (!old)
        return false;
    if (before->view.angle == req->view.angle) {
        find_ways(before, req, ways);
        move_lines(before, 0, ways[0], req->width_px, old);
        move_lines(before, 1, ways[1], req->height_px, old + count[0]);
    } else {
        axes[0].old_count = axes[1].old_count = 0;
    }
    set_axes(moving, explorer, axes);
    learn_pause(moving, explorer, lines_in_motion(before->lines));
    if (!lines_in_motion(before->lines))
        moving->until_whole = moving->given_up = 0;
    moving->whole = in_motion && upright(explorer->camera) &&
                    (whole_fits(moving, explorer) || whole_due(moving));
    if (moving->whole)
        set_whole(moving, explorer, axes);
    const double samples = moving->whole ? INFINITY : budget(moving, before, req);
    struct lines *lines = in_motion ? line_plan(axes, samples, !motion_zooms(&explorer->motion))
                                    : line_plan_even(axes);
    free(old);
    if (!lines)
        return false;
    lines->in_motion = in_motion;
    take_lines(req, lines, before);
    req->focus_x_px = nearest(lines->line, lines->columns, axes[0].focus);
    req->focus_y_px = nearest(lines->line + lines->columns, lines->rows, axes[1].focus);
    moving->in_motion = in_motion;
    moving->new_samples = line_plan_new(lines);
    moving->frame_time_ms = explorer->time_ms + moving->frame_ms;
    return true;
}

double moving_samples_per_ms(const struct moving *moving, const struct explorer *explorer) {
    const double per_ms =
        whole_fits(moving, explorer) ? moving->whole_per_ms : samples_per_ms(moving);
    const double works = budget_ms(moving);
    return per_ms * works / (works + moving->overhead_ms + moving->pause_ms);
}

bool moving_early(const struct moving *moving, const struct explorer *explorer) {
    /* No second frame follows at rest. */
    const bool few = moving->whole || !explorer_animating(explorer);
    if (moving->late && moving->seen < (few ? 1 : SEEN_WHEN_LATE))
        return true;
    return moving->whole && explorer->time_ms < moving->frame_time_ms - moving->frame_ms / 2;
}

static void learn(struct pace *pace, double samples, double ms) {
    pace->samples = (1 - LEARNING) * pace->samples + samples;
    pace->ms = (1 - LEARNING) * pace->ms + ms;
}

/* Returns true if a picture has enough samples to measure kernels. */
static bool has_enough_samples(double samples, const struct backend_report *report) {
    return samples >= FEW_SAMPLES && report->device_ms > 0;
}

static void learn_whole(struct moving *moving, double samples,
                        const struct backend_report *report) {
    if (!has_enough_samples(samples, report))
        return;
    approach(&moving->whole_per_ms, samples / report->device_ms);
    moving->per_ms_then = 0;
}

/* A picture with a raised limit draws only undecided pixels, and adds to the cost of all. */
static void learn_cost(struct moving *moving, double samples, uint32_t limit,
                       const struct backend_report *report) {
    const double drawn = samples - (double)report->kept;
    const double ms = report->device_ms > 0 ? report->device_ms : report->elapsed_ms;
    const bool whole = drawn >= samples / 2, raised = !whole && limit > moving->pixel_limit;
    if (whole)
        moving->pixel_ms = moving->pixel_steps = 0;
    if (whole || raised) {
        moving->pixel_ms += ms / (whole ? drawn : samples);
        moving->pixel_steps += (double)report->iterations / (whole ? drawn : samples);
    }
    moving->pixel_limit = limit;
}

double moving_learn_rest(struct moving *moving, double samples, uint32_t limit,
                         const struct backend_report *report) {
    learn_cost(moving, samples, limit, report);
    if ((double)report->kept >= KEPT_LITTLE * samples)
        return 0;
    learn_whole(moving, samples - (double)report->kept, report);
    return REST_SHARE * moving->whole_per_ms;
}

double moving_time_limit_ms(const struct moving *moving) {
    return ldexp(GIVEN_UP_MS,
                 moving->given_up < GIVEN_UP_TWICE ? moving->given_up : GIVEN_UP_TWICE);
}

/* Postpones the next whole picture after one that took too long. */
static void put_off_whole(struct moving *moving) {
    moving->until_whole = moving->until_whole > 0
                              ? (int)fmin(2 * moving->until_whole, WHOLE_AGAIN_MOST)
                              : WHOLE_AGAIN;
    moving->since_whole = 0;
}

void moving_learn_given_up(struct moving *moving, double part, double ms) {
    moving->given_up++;
    moving->last_ms = ms;
    approach(&moving->took_ms, ms);
    learn(&moving->pace, fmax(part, PART_LEAST) * moving->new_samples, ms);
    moving->whole_per_ms = 0;
    if (moving->whole)
        put_off_whole(moving);
}

static void learn_moved_whole(struct moving *moving, const struct backend_report *report) {
    const bool late = report->elapsed_ms > moving->frame_ms;
    if (moving->since_whole > 0 && !late) /* the known speed is outdated */
        moving->whole_per_ms = 0;
    learn_whole(moving, moving->new_samples, report);
    if (late) /* the pictures took too long after all */
        approach(&moving->whole_per_ms, moving->new_samples / report->elapsed_ms);
    if (late)
        put_off_whole(moving);
    else
        moving->until_whole = WHOLE_AGAIN;
    moving->since_whole = 0;
}

void moving_learn(struct moving *moving, const struct backend_report *report) {
    moving->seen = moving->given_up = 0;
    moving->last_ms = report->elapsed_ms;
    approach(&moving->took_ms, report->elapsed_ms);
    approach(&moving->overhead_ms, fmax(report->elapsed_ms - report->device_ms, 0.01));
    if (moving->whole) {
        learn_moved_whole(moving, report);
        return;
    }
    moving->since_whole++;
    if (has_enough_samples(moving->new_samples, report)) {
        learn(&moving->pace, moving->new_samples, report->device_ms);
        approach(&moving->per_ms, moving->new_samples / report->device_ms);
        if (moving->per_ms_then == 0)
            moving->per_ms_then = moving->per_ms;
    }
}

/* Backdrop: keeps account of the existing and the missing levels, colours the levels, and chooses
 * the levels for a frame. */
#include "app/picture/backdrop/backdrop.h"
#include "app/picture/upload.h"
#include "render/base/log.h"
#include "render/light/light.h"
#include "render/palette.h"
#include "render/plan.h"
#include <math.h>
#include <stdlib.h>

#define LEVEL_WHOLE 0 /* shows the whole set; levels up to this one have the home view's centre */
#define LEVEL_FAR   (-2)
#define LEVEL_MARGIN                                                                               \
    1.3 /* a level is at least this much larger, each way, than the view it is for */
#define LEVEL_LIMIT 10000
#define WHOLE_LIMIT 1000 /* limit of the whole set and beyond, enough for home */
/* Size of a level as a share of the picture's, each way; most pixels; least width [px]. */
#define SIZE        (1 / 3.0)
#define PIXELS_MOST (480 * 270)
#define WIDTH_LEAST 160
#define OFF_CENTRE                                                                                 \
    0.25 /* share of the height: a level farther than this off the view's centre is drawn again */
#define LAYERS_MOST 3   /* most levels in a frame */
#define TOO_FINE    0.2 /* a level this much smaller than the output is left out */
#define TEXELS      8   /* fewest texels of a level across the output; fewer show nothing */
#define FACTOR_MOST                                                                                \
    1e6 /* largest scale of the counted picture: one pixel of it exceeds any window */

#define COLOURS_NONE UINT64_MAX

struct level {
    bool used;
    int number;
    struct view view;
    struct similarity place; /* place in pictures of the backdrop's view */
    int width_px, height_px;
    uint64_t fractal; /* digest of the fractal */
    uint32_t limit;
    struct sample_planes planes; /* empty in a snapshot of the screen */
    struct gl_texture texture;
    uint64_t colours; /* number of the look that the texture shows */
    uint32_t colours_limit;
};

struct backdrop {
    struct level levels[BACKDROP_LEVELS];
    struct level counted; /* the picture behind density pictures */
    struct backdrop_counted counts;
    bool looked;      /* the view's part of it was analysed */
    bool painted;     /* its texture is painted */
    struct tone tone; /* tone of the texture */
    struct backdrop_look look;
    uint64_t colours;   /* number of the current look; limits do not count */
    struct level *kept; /* level being drawn from the screen */
    struct view view;
    int width_px, height_px; /* 0: not set yet */
    uint32_t *pixels;        /* scratch for colouring a level */
    size_t pixels_size;
};

struct backdrop *backdrop_create(void) {
    struct backdrop *backdrop = calloc(1, sizeof *backdrop);
    if (!backdrop) {
        log_error("not enough memory for the backdrop");
        return NULL;
    }
    view_init(&backdrop->view);
    for (int i = 0; i < BACKDROP_LEVELS; i++)
        view_init(&backdrop->levels[i].view);
    view_init(&backdrop->counted.view);
    return backdrop;
}

static void drop(struct level *level) {
    sample_planes_finish(&level->planes);
    level->used = false;
}

void backdrop_destroy(struct backdrop *backdrop) {
    if (!backdrop)
        return;
    for (int i = 0; i < BACKDROP_LEVELS; i++) {
        drop(&backdrop->levels[i]);
        gl_texture_finish(&backdrop->levels[i].texture);
        view_finish(&backdrop->levels[i].view);
    }
    gl_texture_finish(&backdrop->counted.texture);
    backdrop_counted_finish(&backdrop->counts);
    view_finish(&backdrop->counted.view);
    view_finish(&backdrop->view);
    free(backdrop->pixels);
    free(backdrop);
}

/* --- pictures in front of the backdrop --- */

static bool same_colours(const struct backdrop_look *a, const struct backdrop_look *b) {
    if (a->fractal != b->fractal || a->look.orbit_density != b->look.orbit_density)
        return false;
    if (a->look.orbit_density)
        return a->look.orbits == b->look.orbits && a->look.channels == b->look.channels &&
               tone_equal(&a->look.tone, &b->look.tone);
    return colouring_equal(&a->look.colouring, &b->look.colouring);
}

void backdrop_set_look(struct backdrop *backdrop, const struct backdrop_look *look) {
    if (backdrop->colours == 0 || !same_colours(&backdrop->look, look)) {
        backdrop->look = *look;
        backdrop->colours++;
    }
    backdrop->look.limit = look->limit;
}

static void place_level(const struct backdrop *backdrop, struct level *level) {
    if (level->used && backdrop->height_px > 0)
        level->place = similarity_between(&backdrop->view, backdrop->height_px, &level->view,
                                          level->height_px);
}

/* Returns the place of the view in the counted picture. */
static struct similarity view_in_counted(const struct backdrop *backdrop) {
    const struct level *level = &backdrop->counted;
    return similarity_between(&level->view, level->height_px, &backdrop->view, backdrop->height_px);
}

/* Places the counted picture, however deep the view is: the scale is limited, so that only the
 * pixel around the view is visible. */
static void locate_counted(struct backdrop *backdrop) {
    struct level *level = &backdrop->counted;
    place_level(backdrop, level);
    backdrop->looked = backdrop->painted = false;
    if (!level->used || cabs(level->place.factor) < FACTOR_MOST)
        return;
    const double complex turn = cexp(I * (backdrop->view.angle - level->view.angle));
    const double complex at = view_in_counted(backdrop).offset;
    const bool inside = cabs(at) < hypot(level->width_px, level->height_px);
    level->place.factor = FACTOR_MOST * turn;
    level->place.offset = -level->place.factor * (inside ? at : level->width_px);
}

void backdrop_set_view(struct backdrop *backdrop, const struct view *view, int width_px,
                       int height_px) {
    view_assign(&backdrop->view, view);
    backdrop->width_px = width_px;
    backdrop->height_px = height_px;
    for (int i = 0; i < BACKDROP_LEVELS; i++)
        place_level(backdrop, &backdrop->levels[i]);
    locate_counted(backdrop);
}

/* --- finding levels --- */

/* Returns the largest level whose zoom is at most the view's, with a margin. */
static int level_of(const struct view *view, double margin) {
    return (int)floor((2 - view_step_log2(view, 1) - log2(margin)) / 2);
}

static void size_of(int width_px, int height_px, int *width, int *height) {
    double size = fmin(SIZE, sqrt(PIXELS_MOST / ((double)width_px * height_px)));
    size = fmin(fmax(size, (double)WIDTH_LEAST / width_px), 1);
    *width = (int)fmax(round(width_px * size), 1);
    *height = (int)fmax(round(height_px * size), 1);
}

static const struct level *find(const struct backdrop *backdrop, int number) {
    for (int i = 0; i < BACKDROP_LEVELS; i++)
        if (backdrop->levels[i].used && backdrop->levels[i].number == number)
            return &backdrop->levels[i];
    return NULL;
}

/* Returns a slot for a level: its own, a free one, or that of the level farthest from it. */
static struct level *make_room(struct backdrop *backdrop, int number) {
    struct level *farthest = NULL;
    for (int i = 0; i < BACKDROP_LEVELS; i++) {
        struct level *level = &backdrop->levels[i];
        if (level->used && level->number == number)
            return level;
        const bool fixed = level->used && level->number <= LEVEL_WHOLE;
        if (!fixed &&
            (!farthest || (farthest->used && (!level->used || abs(level->number - number) >
                                                                  abs(farthest->number - number)))))
            farthest = level;
    }
    return farthest;
}

/* Returns true if the level can be shown with the current look. */
static bool can_show(const struct backdrop *backdrop, const struct level *level) {
    if (level == &backdrop->counted) /* always of the Mandelbrot set, as all density pictures */
        return level->used && backdrop->look.look.orbit_density;
    if (!level->used || level->fractal != backdrop->look.fractal)
        return false;
    return level->planes.count
               ? !backdrop->look.look.orbit_density
               : level->colours == backdrop->colours && level->limit / 2 <= backdrop->look.limit;
}

/* Returns true if the view's centre is near enough to the level's. */
static bool surrounds(const struct level *level, const struct view *view, int height_px) {
    if (level->number <= LEVEL_WHOLE)
        return true;
    const struct similarity place =
        similarity_between(&level->view, level->height_px, view, height_px);
    const double most = OFF_CENTRE * level->height_px;
    return fabs(creal(place.offset)) < most && fabs(cimag(place.offset)) < most;
}

/* --- drawing levels --- */

/* Returns the iteration limit of a level. With a reference orbit high limits are cheap, and deep
 * views need them because even the lowest counts are high. */
static uint32_t limit_for(const struct frame_req *req, int number) {
    const uint32_t around = req->route == ROUTE_PERTURBED ? req->limit : LEVEL_LIMIT;
    const uint32_t most = number <= LEVEL_WHOLE ? WHOLE_LIMIT : around;
    return number > LEVEL_WHOLE && req->limit < most ? req->limit : most;
}

/* Returns the planes of a level. Only the levels nearest to the view have the planes of its layers
 * and colours, which take several times as long. */
static unsigned planes_for(const struct frame_req *req, int number) {
    return number > level_of(&req->view, LEVEL_MARGIN) - LAYERS_MOST ? req->planes : SAMPLE_BASIC;
}

static bool is_missing(const struct backdrop *backdrop, const struct frame_req *req, int number) {
    const struct level *level = find(backdrop, number);
    int width, height;
    size_of(req->width_px, req->height_px, &width, &height);
    return !level || !level->planes.count || level->fractal != fractal_digest(&req->fractal) ||
           (planes_for(req, number) & ~sample_planes_set(&level->planes)) != 0 ||
           level->width_px != width || level->height_px != height ||
           level->limit < limit_for(req, number) / 2 ||
           !surrounds(level, &req->view, req->height_px);
}

static void request(const struct frame_req *req, int number, struct frame_req *level) {
    int width, height;
    size_of(req->width_px, req->height_px, &width, &height);
    frame_req_init(level, width, height);
    if (number > LEVEL_WHOLE)
        view_assign(&level->view, &req->view);
    level->view.angle = 0;
    mpfr_set_ui_2exp(level->view.zoom, 1, 2L * number, MPFR_RNDN);
    fractal_assign(&level->fractal, &req->fractal);
    level->limit = limit_for(req, number);
    level->planes = planes_for(req, number);
    const struct plan plan = plan_frame(&(struct plan_input){.view = &level->view,
                                                             .width_px = width,
                                                             .height_px = height,
                                                             .limit = level->limit,
                                                             .fractal = &level->fractal});
    level->route = plan.route;
    level->type = plan.type;
    level->widen = plan.widen && plan.route == ROUTE_PERTURBED;
    level->shortcuts = req->shortcuts;
    level->reuse = false;
    /* Off-centre by an invisible amount, so that the level shares no samples with pictures of
     * the view's grid. */
    level->offset_x = 1;
}

bool backdrop_wanted(const struct backdrop *backdrop, const struct frame_req *req,
                     struct frame_req *level) {
    static const int fixed[] = {LEVEL_WHOLE, LEVEL_FAR};
    const int count = BACKDROP_LEVELS - (int)(sizeof fixed / sizeof *fixed);
    const int first = level_of(&req->view, LEVEL_MARGIN);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (is_missing(backdrop, req, fixed[i])) {
            request(req, fixed[i], level);
            return true;
        }
    for (int number = first; number > LEVEL_WHOLE && number > first - count; number--)
        if (is_missing(backdrop, req, number)) {
            request(req, number, level);
            return true;
        }
    return false;
}

void backdrop_add_level(struct backdrop *backdrop, const struct frame_req *req,
                        struct sample_planes *planes) {
    const int number = level_of(&req->view, 1);
    struct level *level = make_room(backdrop, number);
    drop(level);
    level->used = true;
    level->number = number;
    view_assign(&level->view, &req->view);
    level->width_px = req->width_px;
    level->height_px = req->height_px;
    level->fractal = fractal_digest(&req->fractal);
    level->limit = req->limit;
    level->planes = *planes;
    *planes = (struct sample_planes){0};
    level->colours = COLOURS_NONE;
    place_level(backdrop, level);
    if (!gl_texture_resize(&level->texture, req->width_px, req->height_px))
        drop(level);
}

/* --- snapshots of the screen --- */

const struct gl_texture *backdrop_begin_snapshot(struct backdrop *backdrop, int width_px,
                                                 int height_px) {
    const int number = level_of(&backdrop->view, 1);
    const struct level *there = find(backdrop, number);
    if (backdrop->height_px == 0 || number <= LEVEL_WHOLE ||
        (there && can_show(backdrop, there) &&
         surrounds(there, &backdrop->view, backdrop->height_px)))
        return NULL;
    struct level *level = make_room(backdrop, number);
    drop(level);
    size_of(width_px, height_px, &level->width_px, &level->height_px);
    if (!gl_texture_resize(&level->texture, level->width_px, level->height_px))
        return NULL;
    level->used = true;
    level->number = number;
    view_assign(&level->view, &backdrop->view);
    level->fractal = backdrop->look.fractal;
    level->limit = backdrop->look.limit;
    level->colours = COLOURS_NONE;
    place_level(backdrop, level);
    backdrop->kept = level;
    return &level->texture;
}

void backdrop_end_snapshot(struct backdrop *backdrop) {
    backdrop->kept->colours = backdrop->colours;
}

/* --- density pictures --- */

bool backdrop_wants_counts(const struct backdrop *backdrop, const struct density_req *like,
                           struct density_req *level) {
    return backdrop_counted_wanted(&backdrop->counts, like, level);
}

void backdrop_take_counts(struct backdrop *backdrop, const struct density_req *req,
                          struct density_counts *counts) {
    struct level *level = &backdrop->counted;
    backdrop_counted_take(&backdrop->counts, req, counts);
    level->used = gl_texture_resize(&level->texture, req->width_px, req->height_px);
    level->number = LEVEL_WHOLE;
    view_assign(&level->view, &req->view);
    level->width_px = req->width_px;
    level->height_px = req->height_px;
    locate_counted(backdrop);
}

static void update_counts(struct backdrop *backdrop) {
    if (!backdrop->looked)
        backdrop_counted_look(&backdrop->counts, view_in_counted(backdrop), backdrop->width_px,
                              backdrop->height_px);
    backdrop->looked = true;
}

double backdrop_expected_hit(struct backdrop *backdrop) {
    if (!backdrop->counted.used || backdrop->height_px == 0)
        return 0;
    update_counts(backdrop);
    return backdrop->counts.hit;
}

/* --- colours --- */

static uint32_t *room_for(struct backdrop *backdrop, size_t pixels) {
    if (pixels > backdrop->pixels_size) {
        free(backdrop->pixels);
        backdrop->pixels = malloc(pixels * sizeof *backdrop->pixels);
        backdrop->pixels_size = backdrop->pixels ? pixels : 0;
    }
    return backdrop->pixels;
}

/* Colours a level's samples. Counts above the look's limit are shown as interior. */
static void colour(const struct level *level, const struct backdrop_look *look, size_t pixels,
                   uint32_t *rgba) {
    static const uint32_t none[COLOUR_TABLE_SIZE]; /* a density picture's look has no colours */
    const struct colouring *colouring = &look->look.colouring;
    const uint32_t *table = colouring->table ? colouring->table : none;
    const struct sample_planes *planes = &level->planes;
    for (size_t i = 0; i < pixels; i++) {
        const uint32_t count = planes->count[i];
        if (!(count & SAMPLE_INTERIOR) && count > look->limit) {
            rgba[i] = colouring->interior;
            continue;
        }
        rgba[i] = light_sample(colouring, table, planes->plane, i);
    }
}

/* Paints the counted picture in the look's tone. */
static void paint(struct backdrop *backdrop, uint32_t *rgba) {
    struct level *level = &backdrop->counted;
    const struct tone *tone = &backdrop->look.look.tone;
    update_counts(backdrop);
    backdrop_counted_paint(&backdrop->counts, tone, rgba);
    upload_rect(&level->texture, (struct rect){0, 0, level->width_px, level->height_px},
                level->width_px, rgba);
    backdrop->tone = *tone;
    backdrop->painted = true;
}

/* Colours a level with samples, or the counted picture, in the current look. Returns false if
 * there is no memory; the level is then dropped. */
static bool prepare(struct backdrop *backdrop, struct level *level) {
    const bool counted = level == &backdrop->counted;
    const uint32_t limit =
        level->limit < backdrop->look.limit ? level->limit : backdrop->look.limit;
    if (counted ? backdrop->painted && tone_equal(&backdrop->tone, &backdrop->look.look.tone)
                : !level->planes.count ||
                      (level->colours == backdrop->colours && level->colours_limit == limit))
        return true;
    const size_t pixels = (size_t)level->width_px * (size_t)level->height_px;
    uint32_t *rgba = room_for(backdrop, pixels);
    if (!rgba) {
        drop(level);
        return false;
    }
    if (counted) {
        paint(backdrop, rgba);
        return true;
    }
    colour(level, &backdrop->look, pixels, rgba);
    glBindTexture(GL_TEXTURE_2D, level->texture.name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, level->width_px, level->height_px, GL_RGBA,
                    GL_UNSIGNED_BYTE, rgba);
    level->colours = backdrop->colours;
    level->colours_limit = limit;
    return true;
}

/* --- frames --- */

static struct drawn_layer layer_of(const struct level *level, struct similarity place) {
    return (struct drawn_layer){.texture = &level->texture,
                                .place = similarity_compose(place, level->place),
                                .gap_stride = 1,
                                .whole = true};
}

/* Returns the next narrower level after `after`, or the widest one if that is NULL. */
static struct level *next_level(struct backdrop *backdrop, const struct level *after) {
    struct level *next = NULL;
    for (int i = 0; i <= BACKDROP_LEVELS; i++) {
        struct level *level = i < BACKDROP_LEVELS ? &backdrop->levels[i] : &backdrop->counted;
        if (can_show(backdrop, level) && (!after || level->number > after->number) &&
            (!next || level->number < next->number))
            next = level;
    }
    return next;
}

/* Returns true if too little of the level would be visible. The counted picture is the last
 * resort and never too coarse. */
static bool too_coarse(const struct backdrop *backdrop, const struct level *level,
                       struct similarity place, const struct output *output) {
    return level != &backdrop->counted &&
           cabs(place.factor * level->place.factor) * TEXELS > output->width_px;
}

/* Returns the narrowest level that covers the output and is fine enough, else the widest. */
static struct level *first_level(struct backdrop *backdrop, struct similarity place,
                                 const struct output *output) {
    struct level *first = next_level(backdrop, NULL);
    for (struct level *level = first; level; level = next_level(backdrop, level)) {
        const struct drawn_layer layer = {
            .texture = &(struct gl_texture){0, level->width_px, level->height_px, false},
            .place = similarity_compose(place, level->place)};
        if (layers_cover(&layer, output) && !too_coarse(backdrop, level, place, output))
            first = level;
    }
    return first;
}

static bool is_apart(const struct drawn_layer *layer, const struct output *output) {
    const double radius =
        hypot(layer->texture->width_px, layer->texture->height_px) * cabs(layer->place.factor);
    return cabs(layer->place.offset) > (radius + hypot(output->width_px, output->height_px)) / 2;
}

/* Draws levels narrower than `level` over it. */
static void draw_narrower(struct backdrop *backdrop, struct level *level,
                          const struct drawn_layers *layers, struct similarity place,
                          const struct output *output) {
    for (int left = LAYERS_MOST - 1; left > 0 && (level = next_level(backdrop, level));) {
        const struct drawn_layer layer = layer_of(level, place);
        if (cabs(layer.place.factor) * level->height_px < TOO_FINE * output->height_px)
            return;
        if (is_apart(&layer, output) || !prepare(backdrop, level))
            continue;
        layers_draw_inside(layers, &layer, output);
        left--;
    }
}

bool backdrop_draw(struct backdrop *backdrop, const struct drawn_layers *layers,
                   struct similarity place, const struct output *output) {
    struct level *level = first_level(backdrop, place, output);
    while (level && !prepare(backdrop, level))
        level = first_level(backdrop, place, output);
    const struct drawn_layer layer = level ? layer_of(level, place) : (struct drawn_layer){0};
    if (!level || too_coarse(backdrop, level, place, output)) {
        layers_clear_output(output);
        return false;
    }
    layers_draw_everywhere(layers, &layer, output);
    draw_narrower(backdrop, level, layers, place, output);
    return true;
}

/* Frames of shots: rings, looks and resampling. */
#include "app/movie/shot_frames.h"
#include "app/movie/ring_wait.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/light/light.h"
#include "render/style/style.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE_PX  0.5 /* rings that are smaller in a frame are left out */
#define CACHE_BYTES (1ull << 30)
#define CACHE_SHARE 4 /* at least 1/4 of the free memory may serve as cache */

/* --- looks --- */

/* Gives a scene the look of another one with its ranks, which belong to the whole movie. */
static void copy_look(struct scene *scene, const struct scene *look) {
    style_copy_look(scene, look);
    scene->ranks = look->ranks;
}

/* Returns the text of a scene's look with the numbers of another one. The caller frees it. */
static char *look_text(const struct scene *scene, const struct scene *numbers) {
    struct scene look;
    scene_init(&look);
    copy_look(&look, scene);
    tour_mix_numbers(numbers, numbers, 0, 0, &look);
    char *text = scene_text(&look);
    scene_finish(&look);
    return text;
}

/* Returns true if two looks differ; with `numbers` not only by numbers. */
static bool looks_differ(const struct scene *a, const struct scene *b,
                         const struct scene *numbers) {
    char *first = look_text(a, a), *second = look_text(b, numbers ? numbers : b);
    const bool differ = first && second && strcmp(first, second) != 0;
    free(first);
    free(second);
    return differ;
}

bool shot_looks_differ(const struct scene *a, const struct scene *b) {
    return looks_differ(a, b, a);
}

/* Mixes the numbers of both looks. Those of suited colours belong to their own look. */
static void set_look(struct shot_frames *frames, struct shot_look *look, double share) {
    const struct shot_look *looks = frames->looks;
    copy_look(&look->scene, look->of);
    if (frames->changes)
        tour_mix_numbers(looks[0].of, looks[1].of, frames->shot->to->cycles, share, &look->scene);
    if (frames->options->suited) {
        look->scene.frequency = look->of->frequency;
        look->scene.offset = look->of->offset;
    }
    scene_colouring(&look->scene, &look->colouring);
}

static void begin_looks(struct shot_frames *frames, const struct scene *from,
                        const struct scene *to) {
    frames->look_count = from->image == to->image && shot_looks_differ(from, to) ? 2 : 1;
    frames->changes = frames->shot->from != frames->shot->to &&
                      (looks_differ(from, to, NULL) || frames->shot->to->cycles != 0);
    for (int i = 0; i < 2; i++) {
        struct shot_look *look = &frames->looks[i];
        look->of = i == 0 ? from : to;
        scene_init_copy(&look->scene, look->of);
        look->scene.view.angle = frames->options->angle;
        look->cache = (struct ring_cache){
            .source = &frames->source, .ahead = &frames->ahead, .colouring = &look->colouring};
    }
}

/* --- rings --- */

/* Sets the scene that the rings at a share of the duration are drawn of. */
static void set_scene(struct shot_frames *frames, double time) {
    shot_scene(frames->shot, time, &frames->scene);
    copy_look(&frames->scene, frames->looks[0].of);
}

/* Lets the device that draws the rings resample, if it can. Returns false on failure, which is
 * logged. */
static bool find_device(const struct shot_frames *frames) {
    struct resampler *resampler = frames->options->resampler;
    struct backend *handle;
    if (!resampler_wants_device(resampler))
        return true;
    if (!ring_source_resampler(&frames->source, &handle))
        return false;
    resampler_use(resampler, handle);
    return true;
}

/* Returns true if a ring is large enough in the frame at a depth, and reaches it. */
static bool is_visible(const struct rings *rings, int k, double depth) {
    const struct cells outer = rings_outer(rings, k);
    const double spacing = rings_spacing(rings, k, depth);
    const double size = fmax(outer.x1 - outer.x0, outer.y1 - outer.y0) / spacing;
    const double reach = hypot(fmax(-outer.x0, outer.x1), fmax(-outer.y0, outer.y1)) / spacing;
    const double x = fabs(rings->leg->x) * rings->height_px - rings->width_px / 2.0;
    const double y = (fabs(rings->leg->y) - 0.5) * rings->height_px;
    return size >= VISIBLE_PX && reach + 1 >= hypot(fmax(x, 0), fmax(y, 0));
}

/* Returns the end of the rings that are visible in the frame at a depth. */
static int end_at(const struct rings *rings, double depth) {
    int k = rings_at(rings, depth) + 1;
    while (k < rings->count && is_visible(rings, k, depth))
        k++;
    return k;
}

void shot_frames_range(const struct shot *shot, const struct rings *rings, double from, double to,
                       int *first, int *end) {
    const double a = leg_depth(&shot->leg, timeline_at(&shot->timeline, from));
    const double b = leg_depth(&shot->leg, timeline_at(&shot->timeline, to));
    *first = rings_at(rings, fmin(a, b));
    *end = end_at(rings, fmax(a, b));
}

/* Begins rings for a leg. Returns false on failure, which is logged. */
static bool begin_rings(struct shot_frames *frames, const struct leg *leg) {
    const struct shot_options *options = frames->options;
    if (!rings_init(&frames->rings, leg, options->width_px, options->height_px, options->density)) {
        log_error("a movie of this size cannot have %g samples a pixel",
                  options->density * options->density);
        return false;
    }
    const uint64_t free_share = memory_available("") / CACHE_SHARE;
    const size_t count = (size_t)frames->rings.count;
    frames->source.rings = &frames->rings;
    frames->shown = calloc(count, sizeof *frames->shown);
    frames->level = calloc(count, sizeof *frames->level);
    frames->frame.rings = frames->shown;
    frames->frame.ring_count = frames->first = 0;
    bool ok =
        frames->shown && frames->level && ring_source_init(&frames->source) && find_device(frames);
    for (int i = 0; ok && i < frames->look_count; i++) {
        struct ring_cache *cache = &frames->looks[i].cache;
        frames->looks[i].set = resampler_new_set(options->resampler);
        cache->most = free_share > CACHE_BYTES ? free_share : CACHE_BYTES;
        ok = ring_cache_init(cache);
    }
    return ok;
}

/* A ring of the shot as it is made, in all looks. */
static bool begin_ring(void *user, int k) {
    struct shot_frames *frames = user;
    bool wanted = false;
    frames->made = k;
    for (int i = 0; i < frames->look_count; i++)
        wanted = ring_cache_begin(&frames->looks[i].cache, k) || wanted;
    return wanted;
}

static void take_ring(void *user, struct cells cells, const struct sample_planes *samples) {
    struct shot_frames *frames = user;
    for (int i = 0; i < frames->look_count; i++)
        ring_cache_take(&frames->looks[i].cache, frames->made, cells, samples);
}

static void end_ring(void *user, int k, bool whole) {
    struct shot_frames *frames = user;
    for (int i = 0; i < frames->look_count; i++)
        ring_cache_end(&frames->looks[i].cache, k, whole);
}

/* Starts the thread that makes the rings, which also colours them if colours do not change. */
static void start_ahead(struct shot_frames *frames, int first, bool outwards) {
    const struct ring_taker taker = {begin_ring, take_ring, end_ring, frames};
    ring_ahead_start(&frames->ahead, &frames->source,
                     frames->changes ? &(struct ring_taker){0} : &taker, first, outwards);
}

static void finish_rings(struct shot_frames *frames) {
    ring_ahead_finish(&frames->ahead);
    for (int i = 0; i < frames->look_count; i++)
        ring_cache_finish(&frames->looks[i].cache);
    free(frames->shown);
    free(frames->level);
    frames->shown = NULL;
    frames->level = NULL;
}

bool shot_frames_begin(struct shot_frames *frames, const struct shot_options *options,
                       const struct shot *shot, unsigned number, double time,
                       const struct scene *from, const struct scene *to) {
    const size_t values = 3 * (size_t)options->width_px * (size_t)options->height_px;
    const bool outwards = shot->timeline.to < shot->timeline.from;
    *frames = (struct shot_frames){
        .options = options,
        .shot = shot,
        .number = number,
        .morphs = shot_morphs(shot),
        .frame = {.width_px = options->width_px, .height_px = options->height_px}};
    scene_init(&frames->scene);
    begin_looks(frames, from, to);
    frames->source = (struct ring_source){.scene = &frames->scene,
                                          .other = frames->look_count > 1 ? to : NULL,
                                          .folder = options->folder,
                                          .shot = number,
                                          .drawing = options->drawing};
    for (int i = 0; i < frames->look_count; i++)
        set_look(frames, &frames->looks[i], 0);
    const bool fades = frames->look_count > 1;
    const bool waits = fades || frames->changes || frames->morphs || from->orbit_density;
    if (fades)
        frames->faded = memory_alloc(values * sizeof *frames->faded, "a frame");
    if (waits)
        frames->light = memory_alloc(values * sizeof *frames->light, "a frame");
    if ((fades && !frames->faded) || (waits && !frames->light))
        return false;
    if (frames->morphs)
        return true;
    set_scene(frames, outwards ? 0 : 1); /* at the deeper end */
    if (!begin_rings(frames, &shot->leg))
        return false;
    int first, end;
    shot_frames_range(shot, &frames->rings, time, time, &first, &end);
    if (options->idle)
        frames->ahead = (struct ring_ahead){.source = &frames->source, .alone = true};
    else
        start_ahead(frames, outwards ? end - 1 : first, outwards);
    return true;
}

void shot_frames_finish(struct shot_frames *frames) {
    if (!frames->shot)
        return;
    finish_rings(frames);
    for (int i = 0; i < 2; i++)
        scene_finish(&frames->looks[i].scene);
    scene_finish(&frames->scene);
    free(frames->light);
    free(frames->faded);
    free(frames->rgba);
    frames->shot = NULL;
}

/* --- a frame --- */

/* Chooses the rings and levels of a frame in a look. Returns the first ring, or -1 on failure. */
static int choose_rings(struct shot_frames *frames, struct ring_cache *cache, double at) {
    const struct rings *rings = &frames->rings;
    struct resample *frame = &frames->frame;
    const double depth = leg_depth(rings->leg, at);
    const int first = rings_at(rings, depth), end = end_at(rings, depth);
    frame->ring_count = 0;
    for (int k = first; k < end; k++) {
        double spacing = rings_spacing(rings, k, depth);
        const int m = resample_level(rings->density, &spacing);
        const struct ring_level *level = ring_cache_get(cache, k, m);
        if (!level)
            return -1;
        frames->level[frame->ring_count] = m;
        frames->shown[frame->ring_count++] =
            (struct resample_ring){level,
                                   rings_outer(rings, k),
                                   rings_hole(rings, k),
                                   k,
                                   m,
                                   spacing,
                                   leg_angle(rings->leg, at) - rings_angle(rings, k)};
    }
    return first;
}

/* Stores the light of a frame in a look, or begins the frame if `light` is NULL. Until then, light
 * of the frame before may be needed. */
static bool make_light(struct shot_frames *frames, struct shot_look *look, double at,
                       uint16_t *light) {
    struct resample *frame = &frames->frame;
    double right, down;
    const bool outwards = frames->shot->timeline.to < frames->shot->timeline.from;
    ring_cache_trim(&look->cache, frames->first, frame->ring_count, frames->level, outwards);
    frames->first = choose_rings(frames, &look->cache, at);
    if (frames->first < 0)
        return false;
    leg_pivot(frames->rings.leg, at, &right, &down);
    frame->x_px = frame->width_px / 2.0 + right * frame->height_px;
    frame->y_px = frame->height_px / 2.0 + down * frame->height_px;
    frame->set = look->set;
    return light ? resampler_light(frames->options->resampler, frame, light)
                 : resampler_begin(frames->options->resampler, frame);
}

/* Mixes the other look's light into a frame's. */
static void fade(const struct shot_frames *frames, double share) {
    const size_t values = 3 * (size_t)frames->frame.width_px * (size_t)frames->frame.height_px;
    const uint32_t weight = (uint32_t)lround(share * 65536);
    for (size_t i = 0; i < values; i++)
        frames->light[i] = (uint16_t)((frames->light[i] * (uint64_t)(65536 - weight) +
                                       frames->faded[i] * (uint64_t)weight + 32768) >>
                                      16);
}

static bool make_looks(struct shot_frames *frames, double at, double share) {
    for (int i = 0; i < frames->look_count; i++) {
        struct shot_look *look = &frames->looks[i];
        if (frames->changes) {
            ring_cache_forget(&look->cache);
            look->set = resampler_new_set(frames->options->resampler);
            set_look(frames, look, share);
        }
        if (!make_light(frames, look, at, i == 0 ? frames->light : frames->faded))
            return false;
    }
    if (frames->look_count > 1)
        fade(frames, share);
    if (frames->light)
        resampler_put(frames->options->resampler, frames->light);
    return true;
}

static bool go_on(void *user) {
    (void)user;
    return !interrupt_requested();
}

/* Makes a frame with a ring of its own. */
static bool make_morphed(struct shot_frames *frames, double time, uint32_t index) {
    set_scene(frames, time);
    leg_init_level(&frames->frame_leg, &frames->scene.view, &frames->scene.view, 0);
    frames->source.first = (int)index;
    frames->ahead = (struct ring_ahead){.source = &frames->source, .alone = true};
    bool ok = begin_rings(frames, &frames->frame_leg) &&
              ring_wait(&frames->source, 0, 0, go_on, NULL, NULL, NULL) &&
              make_looks(frames, 0, shot_share(frames->shot, time));
    finish_rings(frames);
    leg_finish(&frames->frame_leg);
    if (ok && !frames->options->keep)
        ring_source_remove(&frames->source, 0);
    return ok;
}

/* Makes a frame of orbit density. */
static bool make_density(struct shot_frames *frames, double time) {
    const struct shot_options *options = frames->options;
    const size_t pixels = (size_t)options->width_px * (size_t)options->height_px;
    if (!frames->rgba)
        frames->rgba = memory_alloc(pixels * sizeof *frames->rgba, "a frame");
    shot_scene(frames->shot, time, &frames->scene);
    if (!frames->rgba || !density_frames_make(options->orbits, &frames->scene, options->width_px,
                                              options->height_px, frames->rgba))
        return false;
    for (size_t i = 0; i < pixels; i++) {
        uint64_t of;
        light_of_pixels(&frames->rgba[i], 1, &of);
        for (int channel = 0; channel < 3; channel++)
            frames->light[3 * i + (size_t)channel] = (uint16_t)(of >> 16 * channel);
    }
    resampler_put(options->resampler, frames->light);
    return true;
}

bool shot_frames_make(struct shot_frames *frames, double time, uint32_t index) {
    const struct shot *shot = frames->shot;
    if (shot->from->scene.orbit_density)
        return make_density(frames, time);
    if (frames->morphs)
        return make_morphed(frames, time, index);
    return make_looks(frames, timeline_at(&shot->timeline, time), shot_share(shot, time));
}

/* --- files --- */

void shot_frames_remove_passed(const struct shot_frames *frames, double time) {
    const struct shot *shot = frames->shot;
    if (frames->morphs || shot->timeline.to < shot->timeline.from)
        return;
    const double depth = leg_depth(&shot->leg, timeline_at(&shot->timeline, time));
    for (int k = rings_at(&frames->rings, depth) - 1; k >= 0; k--)
        if (!ring_source_remove(&frames->source, k))
            break;
}

bool shot_frames_size(const struct shot_options *options, const struct shot *shot,
                      uint32_t frame_count, struct shot_size *size) {
    struct rings rings;
    struct ring_source source = {
        .rings = &rings, .scene = &shot->to->scene, .drawing = options->drawing};
    if (!rings_init(&rings, &shot->leg, options->width_px, options->height_px, options->density))
        return false;
    if (shot->from->scene.orbit_density)
        return true;
    const uint64_t times = shot_morphs(shot) ? frame_count : 1;
    for (int k = 0; k < rings.count; k++) {
        size->samples += times * rings_samples(&rings, k);
        size->bytes += times * ring_source_bytes(&source, k);
    }
    size->last_samples += times * rings_samples(&rings, rings.count - 1);
    size->rings += (int)times * rings.count;
    return true;
}

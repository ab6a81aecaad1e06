/* Posters: opens, continues and completes the files of pictures that are drawn in blocks. */
#define _GNU_SOURCE
#include "app/still/posters.h"
#include "app/still/bands.h"
#include "app/still/shared_blocks.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/files/poster/deep_zoom.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool ends_in(const char *path, const char *ending) {
    const size_t length = path ? strlen(path) : 0, part = strlen(ending);
    return length > part && strcasecmp(path + length - part, ending) == 0;
}

static bool is_deep_zoom(const struct options *options) {
    return ends_in(options->output, ".dzi");
}

bool outputs_is_poster(const struct options *options) {
    return options->command == COMMAND_RENDER &&
           (is_deep_zoom(options) || (options->format < 0 && (ends_in(options->output, ".tif") ||
                                                              ends_in(options->output, ".tiff"))));
}

static enum image_format tile_format(const struct options *options) {
    return options->format >= 0 ? (enum image_format)options->format : IMAGE_JPEG;
}

bool posters_check(const struct options *options) {
    const bool poster = outputs_is_poster(options);
    const char *missing = poster_missing();
    if (!missing && is_deep_zoom(options))
        missing = image_format_missing(tile_format(options));
    if ((options->pyramid || options_given(options, "compression")) &&
        (!poster || is_deep_zoom(options)))
        log_error("--pyramid and --compression are for a .tif, which -o does not name");
    else if (!poster)
        return true;
    else if (missing)
        log_error("cannot write '%s': %s", options->output, missing);
    else if (options->data || options->smooth || options->verify)
        log_error("'%s' is drawn in blocks: --data, --smooth and --verify need a picture of rows, "
                  "such as a .png",
                  options->output);
    else if (is_deep_zoom(options) && tile_format(options) == IMAGE_PPM)
        log_error("tiles are JPEG, PNG or WebP: --format jpg, png or webp");
    else
        return true;
    return false;
}

/* Sets the shape of a poster, except its text. */
static struct poster_shape shape_of(const struct options *options, const struct frame_req *req) {
    const bool zoom = is_deep_zoom(options);
    const int width = req->width_px, height = req->height_px;
    return (struct poster_shape){
        .width_px = width,
        .height_px = height,
        .levels = zoom               ? poster_levels(width, height, 1)
                  : options->pyramid ? poster_levels(width, height, POSTER_TILE)
                                     : 1,
        .compression = (enum poster_compression)options->compression,
        .name = options->output,
    };
}

void posters_tell(const struct options *options, const struct frame_req *req) {
    const struct poster_shape shape = shape_of(options, req);
    char text[240];
    snprintf(
        text, sizeof text,
        "%s: %.0f megapixels; about %u MB of memory, and at most %.3g GB of disk space, usually "
        "a tenth",
        options->output, 1e-6 * shape.width_px * shape.height_px, 2 * BANDS_MEMORY_BYTES >> 20,
        1e-9 * (double)poster_bytes_most(&shape));
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "fathom: %s\n", text);
    else
        log_info("%s", text);
}

static bool open_zoom(struct deep_zoom *zoom, const struct options *options,
                      const struct frame_req *req) {
    *zoom = (struct deep_zoom){.width_px = req->width_px,
                               .height_px = req->height_px,
                               .format = tile_format(options),
                               .quality = options->quality,
                               .tile_px = deep_zoom_tile(req->width_px, req->height_px)};
    return deep_zoom_init(zoom, options->output);
}

static struct poster *open_poster(void *user) {
    struct outputs *outputs = user;
    if (outputs->zoom && !deep_zoom_begin(outputs->zoom))
        return NULL;
    outputs->poster =
        poster_open(outputs->zoom ? outputs->zoom->store : outputs->shape.name, &outputs->shape);
    return outputs->poster;
}

/* Opens blocks that are shared. An early check saves drawing a picture that has no place. */
static bool open_shared(struct outputs *outputs, const struct work_part *part) {
    outputs->shared = shared_blocks_open(&outputs->shape, part, open_poster, outputs);
    return outputs->shared && (!outputs->zoom || shared_blocks_are_begun(outputs->shape.name) ||
                               deep_zoom_is_free(outputs->zoom));
}

bool posters_open(struct outputs *outputs, const struct options *options,
                  const struct frame_req *req, const char *text) {
    char *identity = NULL, tiles[60] = "";
    struct work_part part;
    outputs->shape = shape_of(options, req);
    if (is_deep_zoom(options) && !(outputs->zoom = calloc(1, sizeof *outputs->zoom)))
        log_error("not enough memory");
    if (is_deep_zoom(options) && (!outputs->zoom || !open_zoom(outputs->zoom, options, req)))
        return false;
    if (outputs->zoom)
        snprintf(tiles, sizeof tiles, "# %s, quality %d\n",
                 image_format_names[outputs->zoom->format], outputs->zoom->quality);
    /* The text of the view lacks these. */
    if (asprintf(&identity, "%s# %s%s\n%s", text, projection_names[req->projection],
                 options->inexact ? ", inexact" : "", tiles) < 0)
        identity = NULL;
    if (!identity)
        log_error("not enough memory");
    outputs->shape.text = identity;
    return identity && work_part_parse(options->part, &part) &&
           (options->join || part.of > 1 ? open_shared(outputs, &part)
                                         : open_poster(outputs) != NULL);
}

/* --- completing --- */

struct building {
    struct outputs *outputs;
    poster_step *step; /* NULL: progress is shown on a terminal */
    void *user;
    const char *what;
    double from, started_ms; /* from: done share of both parts when this one begins */
    bool shown;
};

static void begin_part(struct building *building, const char *what, double from) {
    building->what = what;
    building->from = from;
    building->started_ms = clock_ms();
}

static bool step(void *user, double done) {
    struct building *building = user;
    if (building->step)
        return building->step(building->user, building->from + done / 2) && !interrupt_requested();
    if (progress_show(building->what, done, clock_ms() - building->started_ms))
        building->shown = true;
    return !interrupt_requested();
}

static bool complete(void *user) {
    struct building *building = user;
    struct outputs *outputs = building->outputs;
    bool ok = true;
    begin_part(building, "blocks", 0);
    if (outputs->shared)
        ok = shared_blocks_copy(outputs->shared, step, building);
    begin_part(building, "levels", 0);
    ok = ok && poster_build(outputs->poster, step, building);
    begin_part(building, "tiles", 0.5);
    if (outputs->zoom)
        ok = ok && deep_zoom_write(outputs->zoom, outputs->poster, step, building);
    if (building->shown)
        progress_hide();
    if (!ok || outputs->zoom)
        return ok;
    struct poster *poster = outputs->poster;
    outputs->poster = NULL;
    return poster_commit(poster);
}

static void clean(void *user) {
    const struct building *building = user;
    if (building->outputs->zoom)
        deep_zoom_clean(building->outputs->zoom);
}

bool posters_commit(struct outputs *outputs, poster_step *each, void *user) {
    struct building building = {.outputs = outputs, .step = each, .user = user};
    const struct shared_calls calls = {complete, clean, &building};
    const bool ok =
        outputs->shared ? shared_blocks_join(outputs->shared, &calls) : complete(&building);
    if (ok && !outputs->shared)
        clean(&building);
    posters_abandon(outputs);
    return ok;
}

void posters_abandon(struct outputs *outputs) {
    poster_close(outputs->poster);
    shared_blocks_close(outputs->shared);
    if (outputs->zoom)
        deep_zoom_finish(outputs->zoom);
    free(outputs->zoom);
    free((char *)outputs->shape.text);
    outputs->poster = NULL;
    outputs->shared = NULL;
    outputs->zoom = NULL;
    outputs->shape.text = NULL;
}

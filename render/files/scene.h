/* Scenes: a view with all settings that a picture of it needs, and its text form. View files
 * contain a scene; so do the comments of screenshots.
 *
 * The text is INI (ini.h) with optional keys: the settings of setting_table.c, in their
 * sections. Unknown sections and keys cause a warning that suggests a known one; at most twenty
 * warnings are given. Exceptions from the table:
 *   bits        default: enough for all digits of re and im
 *   palette     an unknown palette causes a warning; with a [palette], this is its id
 *   [palette]   the palette itself (palette.h), written if it is not built in
 *   iterations  a limit above FRAME_LIMIT_MAX is clamped with a warning
 *   samples     in [picture]: samples of each pixel; written if there are several
 *   [orbits]    written for density pictures only; an unknown `sampling` causes a warning
 * Written text is read back as an equal scene, bit for bit. */
#ifndef FATHOM_RENDER_FILES_SCENE_H
#define FATHOM_RENDER_FILES_SCENE_H

#include "render/density/density.h"
#include "render/files/setting.h"
#include "render/interned/trap_image.h"
#include "render/palette.h"
#include "render/statistics.h"
#include <stddef.h>

#define SCENE_TEXT_MAX (1 << 20) /* [bytes] longest view file */

struct scene_layer {
    enum layer_kind kind;
    enum layer_mode mode;
    double strength; /* 0 .. 1 */
};

struct scene {
    struct view view;
    struct fractal fractal;
    uint32_t limit;
    const struct palette *palette; /* never NULL; the scene owns a reference (palette.h) */
    double frequency;              /* colour frequency; 0 < frequency <= 1e6 */
    double offset;                 /* [turns] 0 <= offset < 1 */
    bool banded;                   /* flat colour for each count, even if the palette is smooth */
    enum colour_mapping mapping;   /* mapping of counts to colours */
    /* ranks for MAPPING_HISTOGRAM; as ranks_init sets them until a picture is complete */
    struct colour_ranks ranks;
    enum colour_by by;              /* quantity that determines the colours */
    enum colour_inside inside;      /* quantity that determines the colours of the interior */
    const struct trap_image *image; /* image of BY_IMAGE; never NULL; the scene owns a reference */
    double image_size;              /* half the image's side in the plane */
    struct scene_layer layers[LAYERS_MAX]; /* layers over the colours, the lowest first */
    double light_angle, light_height;      /* [degrees] direction of the light, on the screen */
    int width_px, height_px;               /* 0: not given */
    enum precision precision;
    enum method method;
    uint32_t pixel_samples; /* [picture] samples, 1 .. ACCUMULATE_SAMPLES_MAX */
    uint32_t exact;         /* 0 or 1: samples that rounding may change are iterated exactly */
    bool orbit_density; /* kind; false: an escape-time picture, which ignores the members below */
    struct density orbits; /* settings of orbit density; with one channel, its limit is `limit` */
    struct tone tone;
    uint64_t samples;  /* samples that the picture was made of; 0: not given */
    uint64_t sampling; /* version of the choice of samples: DENSITY_SAMPLING */
    /* These are no settings. tuned: the scene's text sets the frequency or the mapping.
     * counted_otherwise: the text requests a way of counting orbits that is no longer supported. */
    bool tuned, counted_otherwise;
};

/* Initialises a scene; every setting has its default. A scene owns its numbers, and references to
 * its palette and image. A copy by assignment borrows them, and must not get another palette or
 * image. */
void scene_init(struct scene *scene);
void scene_init_copy(struct scene *scene, const struct scene *from);
/* Copies between initialised scenes. */
void scene_assign(struct scene *scene, const struct scene *from);
void scene_finish(struct scene *scene);
/* Returns why the scene's formula cannot be combined with its other settings, or NULL if it can.
 * Static text. */
const char *scene_problem(const struct scene *scene);
/* Parses text into an initialised scene; settings that the text omits get their defaults. `source`
 * names the text in messages ("FILE:LINE: ..."). Refuses text without any known key, control
 * characters, over-long input and broken numbers; an unknown palette causes a warning. On failure,
 * returns false, logs the reason and keeps *scene. Nothing is logged if trap_image_has_pending
 * reports that the image is not read yet. */
bool scene_parse(struct scene *scene, const char *source, const char *text, size_t length);
/* Returns true if a line may be part of a view: a section's header, even a misspelt one, or an
 * entry with a known key. */
bool scene_may_be_line(const char *line, size_t length);
/* Returns the text form, in which every line ends in a newline. The caller frees it. Returns NULL
 * if there is no memory. */
char *scene_text(const struct scene *scene);

/* Loads a view file, a screenshot with a view in it, a saved run (density_file.h), or a location of
 * another program (location.h); the content determines the kind. Fails as scene_parse does. */
bool scene_load(struct scene *scene, const char *path);
/* Returns true if a file is a picture without a view of fathom or another program. */
bool scene_is_picture_alone(const char *path);

bool scene_has_layers(const struct scene *scene);
/* Returns true if colours or layers need slopes, or traces, which are computed with slopes. */
bool scene_has_slopes(const struct scene *scene);
/* Returns true if the interior has more than one colour. */
bool scene_has_inside(const struct scene *scene);
/* Sets *colouring to the colouring of samples, with the layers. */
void scene_colouring(const struct scene *scene, struct colouring *colouring);
/* Returns true if colours depend on ranks that are not known yet. */
bool scene_wants_ranks(const struct scene *scene);
/* Sets the ranks from the statistics of a complete picture. Returns false, and keeps the ranks, if
 * nothing has escaped. */
bool scene_set_ranks(struct scene *scene, const struct statistics *statistics);
/* Fills an initialised request: everything except generation, focus, shortcuts and reuse. The type
 * and the first stride are those of `plan`. */
void scene_request(const struct scene *scene, int width_px, int height_px, const struct plan *plan,
                   struct frame_req *req);
/* Fills an initialised density request: everything except generation, samples, cells and start. */
void scene_density_request(const struct scene *scene, int width_px, int height_px,
                           struct density_req *req);

#endif

/* A scene: a view with all that a picture of it needs, and its text form. View files hold one;
 * screenshots carry one in their comments.
 *
 * INI (ini.h), every key optional: the settings of setting_table.c, in their sections. Unknown
 * sections and keys cost a warning that suggests one; twenty warnings are given at most. What is
 * not of the table:
 *   bits        left out: enough for all digits of re and im
 *   palette     one that is not there costs a warning; where there is a [palette], its id
 *   [palette]   the palette itself (palette.h), written where it is not a built-in one
 *   iterations  a limit past FRAME_LIMIT_MAX is clamped with a warning
 *   samples     of [picture]: of each pixel; written when there are several
 *   [orbits]    written for density pictures only; another `sampling` than ours costs a warning
 * Written text reads back to an equal scene, bit for bit. */
#ifndef FATHOM_RENDER_FILES_SCENE_H
#define FATHOM_RENDER_FILES_SCENE_H

#include "render/density/density.h"
#include "render/files/setting.h"
#include "render/interned/trap_image.h"
#include "render/palette.h"
#include "render/statistics.h"
#include <stddef.h>

#define SCENE_TEXT_MAX (1 << 20) /* bytes that a view file may have */

struct scene_layer {
    enum layer_kind kind;
    enum layer_mode mode;
    double strength; /* 0 .. 1 */
};

struct scene {
    struct view view;
    struct fractal fractal;
    uint32_t limit;
    const struct palette *palette; /* never NULL; the scene's share (palette.h) */
    double frequency;              /* of the colours; 0 < frequency <= 1e6 */
    double offset;                 /* turns, 0 <= offset < 1 */
    bool banded;                   /* a colour for each count, though the palette is smooth */
    enum colour_mapping mapping;   /* of counts to colours */
    struct colour_ranks ranks;     /* of MAPPING_HISTOGRAM; as ranks_init has them: not known yet */
    enum colour_by by;             /* what colours go by */
    enum colour_inside inside;     /* the same of the interior */
    const struct trap_image *image;        /* of BY_IMAGE; never NULL; the scene's share */
    double image_size;                     /* half its side in the plane */
    struct scene_layer layers[LAYERS_MAX]; /* over the colours, the lowest first */
    double light_angle, light_height;      /* where the light comes from on the screen, degrees */
    int width_px, height_px;               /* 0: not said */
    enum precision precision;
    enum method method;
    uint32_t pixel_samples; /* [picture] samples, 1 .. ACCUMULATE_SAMPLES_MAX */
    bool orbit_density;     /* a density picture, not an escape-time one; the rest is for those */
    struct density orbits;  /* with one channel its limit is `limit` */
    struct tone tone;
    uint64_t samples;  /* that the picture was made of; 0: not said */
    uint64_t sampling; /* which samples those were: DENSITY_SAMPLING */
    /* No settings: whether the text that it was read from tells the frequency, or the mapping; and
     * whether it tells a way of counting orbits that is no longer supported. */
    bool tuned, counted_otherwise;
};

/* Every setting is what its row says. A scene owns its numbers and shares of its palette and its image; one that was
 * copied by assignment borrows them, and must not get another palette or image. */
void scene_init(struct scene *scene);
void scene_init_copy(struct scene *scene, const struct scene *from);
/* Both are initialised already. */
void scene_assign(struct scene *scene, const struct scene *from);
void scene_finish(struct scene *scene);
/* Why a scene's formula does not go with the rest, NULL when it does. Static text. */
const char *scene_problem(const struct scene *scene);
/* Parses text into an initialised scene; what the text leaves out is as scene_init has it. `source`
 * names it in messages ("FILE:LINE: ..."). On false the reason was logged and *scene is as it was; nothing was logged
 * where trap_image_unanswered says that its image is still to come.
 * Text without any known key, control characters, over-long input and broken numbers are refused;
 * an unknown palette costs a warning. */
bool scene_parse(struct scene *scene, const char *source, const char *text, size_t length);
/* Whether a line could be one of a view: it has a section's header, or one near it, or sets a known
 * key. */
bool scene_may_be_line(const char *line, size_t length);
/* The text form; every line ends in a newline. The caller frees it. NULL: no memory. */
char *scene_text(const struct scene *scene);

/* Reads a view file, a screenshot (PPM or PNG with a view in it), a saved run (density_file.h), or
 * what location.h knows, told apart by content. As scene_parse and scene_parse_any. */
bool scene_load(struct scene *scene, const char *path);
/* Whether a file is a picture that carries no view, ours or another program's. */
bool scene_is_picture_alone(const char *path);

bool scene_has_layers(const struct scene *scene);
/* Whether colours or layers go by slopes, which what orbits pass comes with; or by what they come to in the interior. */
bool scene_has_slopes(const struct scene *scene);
bool scene_has_inside(const struct scene *scene);
/* How its samples are coloured, layers and all. */
void scene_colouring(const struct scene *scene, struct colouring *colouring);
/* Whether colours go by ranks that are not known yet. */
bool scene_wants_ranks(const struct scene *scene);
/* Makes its ranks those of a complete picture. False: they stay, as nothing has escaped. */
bool scene_set_ranks(struct scene *scene, const struct statistics *statistics);
/* Fills an initialised request: everything but generation, focus, shortcuts
 * and reuse. The type and the first
 * stride come from `plan`. */
void scene_request(const struct scene *scene, int width_px, int height_px, const struct plan *plan,
                   struct frame_req *req);
/* The same for a density picture, all but generation, samples, cells and start. */
void scene_density_request(const struct scene *scene, int width_px, int height_px,
                           struct density_req *req);

#endif

/* Styles: ready-made looks. The look of a scene is all that decides its colours: the palette, the other
 * settings of [colour], and nothing of the view, the formula or the limit.
 *
 * A style is a view file (scene.h) called NAME.style, of which only the look counts. The built-in
 * ones are files of assets/styles/, compiled in, in the order of their numbers; the user's are in
 * $XDG_DATA_HOME/fathom/styles. The first built-in one is the look of a new scene. */
#ifndef FATHOM_RENDER_STYLE_STYLE_H
#define FATHOM_RENDER_STYLE_STYLE_H

#include "render/files/scene.h"

#define STYLE_NAME_MAX 40 /* bytes */
#define STYLES_MAX     64 /* built-in and own ones */

struct style {
    char name[STYLE_NAME_MAX + 1];
    bool own;           /* a file of the user's, which can be deleted */
    struct scene scene; /* with the look */
};

/* Zero-initialised: none. Pairs with styles_finish. One thread. */
struct styles {
    struct style *list;
    size_t count;
};

/* Reads the built-in styles and the user's, which replaces what was there. A file that is no view
 * costs one message and is left out. False: no memory, logged. */
bool styles_load(struct styles *styles);
void styles_finish(struct styles *styles);
/* By name, in any case of letters. NULL: there is none. */
const struct style *styles_find(const struct styles *styles, const char *name);
/* The number of the style whose look the scene has, but for the colour frequency and the offset,
 * which follow the picture; styles->count: it has another look. */
size_t styles_worn(const struct styles *styles, const struct scene *scene);

/* Saves the scene's look under a name that is still free, and lists it last. NULL: logged why. */
const struct style *styles_save(struct styles *styles, const struct scene *scene);
/* Deletes a style of the user's. False: logged why. */
bool styles_delete(struct styles *styles, size_t index);

/* To be called when the kind of the first layer was chosen: where its mode and strength are those that
 * nobody has chosen, they become what suits the kind. Slope light is multiplied, since an overlay
 * bleaches what faces the light and hardly shades the rest. */
void style_suit_layer(struct scene *scene);
/* Gives a scene the look of another; both are initialised. */
void style_wear(struct scene *scene, const struct scene *look);
/* Gives a scene the look of a style, or of a view file by its path. False: logged why. */
bool style_apply(struct scene *scene, const char *name);
/* The file that style_apply reads for a name of the user's or a path. The caller frees it. NULL: no
 * memory. */
char *style_file(const char *name);
/* Whether a text ends as style files do. */
bool style_has_ending(const char *text);

#endif

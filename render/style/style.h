/* Styles: ready-made looks. The look of a scene is everything that determines its colours: the
 * palette and the other settings of [colour], but nothing of the view, the formula or the limit.
 *
 * A style is a view file (scene.h) with the name NAME.style, of which only the look is used. The
 * built-in styles are the files of assets/styles/, compiled in, in the order of their numbers.
 * The user's are in $XDG_DATA_HOME/fathom/styles. The first built-in style is the look of a new
 * scene. */
#ifndef FATHOM_RENDER_STYLE_STYLE_H
#define FATHOM_RENDER_STYLE_STYLE_H

#include "render/files/scene.h"

#define STYLE_NAME_MAX 40 /* [bytes] longest name */
#define STYLES_MAX     64 /* most styles, built-in and the user's */

struct style {
    char name[STYLE_NAME_MAX + 1];
    bool own;           /* file of the user, which can be deleted */
    struct scene scene; /* scene with the look */
};

/* List of styles; empty if zero-initialised. Free it with styles_finish. Not thread-safe. */
struct styles {
    struct style *list;
    size_t count;
};

/* Reads the built-in styles and the user's, in place of the list's contents. A file that is no view
 * causes one message and is omitted. Returns false if there is no memory, which is logged. */
bool styles_load(struct styles *styles);
void styles_finish(struct styles *styles);
/* Returns the style with a name, ignoring case, or NULL if there is none. */
const struct style *styles_find(const struct styles *styles, const char *name);
/* Returns the index of the style whose look the scene has, ignoring the colour frequency and the
 * offset, which adapt to the picture. Returns styles->count if there is none. */
size_t styles_find_look(const struct styles *styles, const struct scene *scene);

/* Saves the scene's look as a new style, at the end of the list, under an unused name. Returns NULL
 * on failure, which is logged. */
const struct style *styles_save(struct styles *styles, const struct scene *scene);
/* Deletes a style of the user. Returns false on failure, which is logged. */
bool styles_delete(struct styles *styles, size_t index);

/* Sets mode and strength of the first layer to what suits its kind, unless the user has changed
 * them. Call after the kind was chosen. Slope light is multiplied, since an overlay bleaches lit
 * areas and hardly shades the others. */
void style_suit_layer(struct scene *scene);
/* Gives a scene the look of another; both are initialised. */
void style_copy_look(struct scene *scene, const struct scene *look);
/* Gives a scene the look of a style, or of a view file by its path. Returns false on failure, which
 * is logged. */
bool style_apply(struct scene *scene, const char *name);
/* Returns the file that style_apply would read for a path or the name of a user's style. The caller
 * frees it. Returns NULL if there is no memory. */
char *style_file(const char *name);
/* Returns true if a text has the ending of style files. */
bool style_has_ending(const char *text);

#endif

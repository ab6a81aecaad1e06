/* Palettes: gradients with a name, and the table that kernels read.
 *
 * A palette file is INI (ini.h), section [palette]:
 *   name = Ember             shown to people, 1..40 bytes
 *   interpolation = smooth   or oklab, linear; none: each colour is one band
 *   period = 64              counts per turn of the palette, 0.001 .. 1e9
 *   interior = #000000
 *   colours = #000764 #206bcb ...   1..256 of them; or "0.16:#206bcb" with places in [0, 1], and names
 *                                   "0.16:#206bcb:deep_sea"
 *   mirror, offset, hue, saturation, brightness: see gradient.h; left out: no, 0, 0, 1, 1
 * Those of other programs are read as well (import.h). The built-in ones are files of
 * assets/palettes/, compiled in; the user's are read once, from $XDG_DATA_HOME/fathom/palettes, on
 * first use, in the order of their names: each file that is no palette, or whose id another one has,
 * costs one message. A file is called ID.palette (or .map, .kfp, .kfr, .ugr, .upr, .ggr, .gpl), or
 * NN-ID.palette where the number only orders; an id has letters, digits, "-" and "_". Of a file with several
 * gradients each has the id ID-NAME.
 *
 * Ownership: listed palettes live as long as the program. Others, which are made of a gradient, are
 * interned (interned.h), and shared by the scenes that have them (palette_ref); pictures have only the table. At most
 * PALETTE_MADE_MAX exist. Safe from any thread. */
#ifndef FATHOM_RENDER_PALETTE_H
#define FATHOM_RENDER_PALETTE_H

#include "render/gradient/palette_text.h"
#include <stddef.h>

#define PALETTE_COLOURS_MAX GRADIENT_STOPS_MAX
#define PALETTE_REST_MAX    512
#define PALETTE_MADE_MAX    4096

struct palette {
    char id[PALETTE_NAME_MAX + 1];   /* the file's name without its ending */
    char name[PALETTE_NAME_MAX + 1]; /* for people */
    bool made;                       /* not one of palette_at */
    bool smooth;                     /* these are the gradient's, */
    double period;
    uint32_t interior;
    uint32_t table[COLOUR_TABLE_SIZE]; /* as this is made of it, */
    uint64_t light[COLOUR_TABLE_SIZE]; /* and its light (light.h) */
    struct gradient gradient;
};

/* Built-in palettes in the order that the explorer steps through; index 0 is the default.
 * NULL past the end. Built once from text on first use; safe from any thread. */
const struct palette *palette_builtin(size_t index);
size_t palette_builtin_count(void);
/* False: there was no memory for one of the palettes that were read so far, logged; a picture would
 * have other colours than it says. Reads the built-in ones. Safe from any thread. */
bool palette_ready(void);
/* The same for all palettes: the built-in ones, then the user's. Safe from any thread. */
const struct palette *palette_at(size_t index);
size_t palette_count(void);
/* By id, any case; NULL when there is none. */
const struct palette *palette_find(const char *id);
const struct palette *palette_find_builtin(const char *id);

/* The caller's share of a palette, as of the next three: by id; of random-N (harmony.h), which is
 * made; NULL: there is none. */
const struct palette *palette_get(const char *id);
/* Random-N+1 after random-N, after another one that of *number + 1, so that scripts and tests always see
 * the same. *number becomes its number. NULL: there is none, logged. */
const struct palette *palette_next_random(const struct palette *before, unsigned *number);
/* Of a gradient; the listed one of that id if that is the same. NULL, logged: no memory, or too many
 * are in use. The id is 1 to PALETTE_NAME_MAX bytes; others than those of files become "_". */
const struct palette *palette_make(const char *id, const struct named_gradient *named);
/* From a file of any kind, or "FILE#NAME" of several gradients, else the first. NULL: logged. */
const struct palette *palette_load(const char *path);
/* Returns the file of such a path, without #NAME. The caller frees it. NULL: no memory. */
char *palette_file(const char *path);
/* Whether a text is such a path: it has a slash, or a palette file's ending. */
bool palette_is_path(const char *text);
/* Of a text of any kind, the first of several gradients; `source` as in palette_parse. */
const struct palette *palette_import(const char *source, const char *text, size_t length);
/* One more share, one less; NULL is allowed. */
const struct palette *palette_ref(const struct palette *palette);
void palette_unref(const struct palette *palette);
/* Gives the share in *slot back and puts `palette`'s there, which the caller had. */
void palette_replace(const struct palette **slot, const struct palette *palette);
/* How many that are made are in use. */
size_t palette_made_count(void);

/* Parses palette text of any kind, the first of several gradients; `source` is named in messages
 * ("FILE:LINE: ..."), which are logged. On false *palette is untouched. */
bool palette_parse(struct palette *palette, const char *id, const char *source, const char *text,
                   size_t length);
/* Writes it into the user's folder under an id that is still free, which begins as its own does, and
 * lists it. The listed one, or NULL: logged. */
const struct palette *palette_save(const struct palette *palette);
/* The text of a palette file. The caller frees it. NULL: no memory. */
char *palette_file_text(const struct palette *palette);
/* Fills everything but `made`. */
void palette_set(struct palette *palette, const char *id, const struct named_gradient *named);

/* Fills a colouring, which has the palette's table, maps counts to themselves, goes by counts alone and has no layers. `frequency` multiplies the palette's turns per
 * count (1: the palette's own period; 0 < frequency <= 1e6), `offset` moves along it, in turns. */
void colouring_set(struct colouring *colouring, const struct palette *palette, double frequency,
                   double offset);
/* Whether samples get the same colours; tables are told apart by where they are. */
bool colouring_equal(const struct colouring *a, const struct colouring *b);

#endif

/* Palettes: gradients with a name, and the table that kernels read.
 *
 * A palette file is INI (ini.h), section [palette]:
 *   name = Ember             display name, 1..40 bytes
 *   interpolation = smooth   or oklab, linear; none: each colour is one band
 *   period = 64              counts per turn of the palette, 0.001 .. 1e9
 *   interior = #000000
 *   colours = #000764 #206bcb ...   1..256 colours; or "0.16:#206bcb" with places in [0, 1], and
 *   names
 *                                   "0.16:#206bcb:deep_sea"
 *   mirror, offset, hue, saturation, brightness: see gradient.h; defaults: no, 0, 0, 1, 1
 * Palettes of other programs are read as well (import.h). Built-in palettes are files of
 * assets/palettes/, compiled in. The user's palettes are read once, on first use, from
 * $XDG_DATA_HOME/fathom/palettes, in the order of their names. A file that is no palette, or whose
 * id exists already, is reported once. A file is named ID.palette (or .map, .kfp, .kfr, .ugr, .upr,
 * .ggr, .gpl), or NN-ID.palette, where the number only defines the order. An id has letters,
 * digits, "-" and "_". If a file has several gradients, each has the id ID-NAME.
 *
 * Ownership: listed palettes live as long as the program. Other palettes, made of a gradient, are
 * interned (interned.h) and shared by scenes through reference counts (palette_ref); pictures only
 * use the table. At most PALETTE_MADE_MAX exist. Any thread. */
#ifndef FATHOM_RENDER_PALETTE_H
#define FATHOM_RENDER_PALETTE_H

#include "render/gradient/palette_text.h"
#include <stddef.h>

#define PALETTE_REST_MAX 512
#define PALETTE_MADE_MAX 4096

struct palette {
    char id[PALETTE_NAME_MAX + 1];   /* file name without its ending */
    char name[PALETTE_NAME_MAX + 1]; /* display name */
    bool made;                       /* true: not one of palette_at */
    bool smooth;                     /* false: the gradient has bands */
    double period;
    uint32_t interior;
    uint32_t table[COLOUR_TABLE_SIZE]; /* table of the gradient */
    uint64_t light[COLOUR_TABLE_SIZE]; /* light of the table (light.h) */
    struct gradient gradient;
};

/* Returns a built-in palette in the order in which the explorer steps through them; index 0 is the
 * default. NULL past the end. Built once from text on first use. Any thread. */
const struct palette *palette_builtin(size_t index);
size_t palette_builtin_count(void);
/* Returns false if there was no memory for a palette so far, which is logged: a picture would have
 * wrong colours. Reads the built-in palettes. Any thread. */
bool palette_ready(void);
/* Return all palettes in the same way: the built-in ones, then the user's. Any thread. */
const struct palette *palette_at(size_t index);
size_t palette_count(void);
/* Find a palette by id, ignoring case. Return NULL if there is none. */
const struct palette *palette_find(const char *id);
const struct palette *palette_find_builtin(const char *id);

/* Returns a palette by id, or a new palette random-N (harmony.h). NULL if there is none. The result
 * is a reference, as of palette_next_random, make, load and import: palette_unref removes it. */
const struct palette *palette_get(const char *id);
/* Returns random-N+1 after random-N, and random-(*number + 1) after any other palette, so that
 * scripts and tests are reproducible. *number becomes its number. NULL on failure; the reason is
 * logged. */
const struct palette *palette_next_random(const struct palette *before, unsigned *number);
/* Returns the palette of a gradient: the listed palette of that id if both are equal, else an
 * interned one. Returns NULL if there is no memory, or if too many are in use; the reason is
 * logged. The id has 1 to PALETTE_NAME_MAX bytes; characters not allowed in ids become "_". */
const struct palette *palette_make(const char *id, const struct named_gradient *named);
/* Loads a file of any format. "FILE#NAME" selects one of several gradients, otherwise the first is
 * used. Returns NULL on failure; the reason is logged. */
const struct palette *palette_load(const char *path);
/* Returns the file of such a path, without #NAME. The caller frees it. NULL without memory. */
char *palette_file(const char *path);
/* Returns true if a text is such a path: it has a slash or the ending of a palette file. */
bool palette_is_path(const char *text);
/* Imports a text of any format, the first of several gradients; `source` as in palette_parse. */
const struct palette *palette_import(const char *source, const char *text, size_t length);
/* Add and remove a reference; `palette` may be NULL. */
const struct palette *palette_ref(const struct palette *palette);
void palette_unref(const struct palette *palette);
/* Removes the reference in *slot and moves the caller's reference to `palette` there. */
void palette_replace(const struct palette **slot, const struct palette *palette);
/* Returns the number of interned palettes in use. */
size_t palette_made_count(void);

/* Parses a palette of any format, the first of several gradients. Errors are logged as
 * "SOURCE:LINE: ...". If it returns false, *palette is unchanged. */
bool palette_parse(struct palette *palette, const char *id, const char *source, const char *text,
                   size_t length);
/* Writes a palette to the user's folder under a free id that begins like its own, and lists it.
 * Returns the listed palette, or NULL on failure; the reason is logged. */
const struct palette *palette_save(const struct palette *palette);
/* Returns the text of a palette file, which the caller frees. NULL without memory. */
char *palette_file_text(const struct palette *palette);
/* Sets everything except `made`. */
void palette_set(struct palette *palette, const char *id, const struct named_gradient *named);

/* Sets a colouring to the palette's table, a linear mapping, colours by count, and no layers.
 * `frequency` multiplies the palette's turns per count (1: its own period; 0 < frequency <= 1e6).
 * `offset` shifts it, in turns. */
void colouring_set(struct colouring *colouring, const struct palette *palette, double frequency,
                   double offset);
/* Returns true if samples have the same colours; tables are compared by address. */
bool colouring_equal(const struct colouring *a, const struct colouring *b);

#endif

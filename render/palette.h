/* Palettes: colours as people write them, and the table that kernels read.
 *
 * A palette file is INI (ini.h), section [palette]:
 *   name = Ember             shown to people, 1..40 bytes
 *   interpolation = smooth   or none: each colour is one band
 *   period = 64              counts per turn of the palette, 0.001 .. 1e9
 *   interior = #000000
 *   colours = #000764 #206bcb ...   1..256 of them; or pairs "0.16:#206bcb" with places in [0, 1)
 * The built-in ones are files of assets/palettes/, compiled in; the user's are read once, from
 * $XDG_DATA_HOME/fathom/palettes, on first use, in the order of their names: each file that is no
 * palette, or whose id another one has, costs one message. A file is called ID.palette, or NN-ID.palette
 * where the number only orders; an id has letters, digits, "-" and "_". */
#ifndef FATHOM_RENDER_PALETTE_H
#define FATHOM_RENDER_PALETTE_H

#include "render/colour.h"
#include <stddef.h>

#define PALETTE_NAME_MAX    40
#define PALETTE_COLOURS_MAX 256

struct palette {
    char id[PALETTE_NAME_MAX + 1];   /* the file's name without its ending */
    char name[PALETTE_NAME_MAX + 1]; /* for people */
    bool smooth;
    double period;
    uint32_t interior;
    uint32_t table[COLOUR_TABLE_SIZE];
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
/* Parses palette text; `source` is named in messages ("FILE:LINE: ..."), which are logged.
 * On false *palette is untouched. */
bool palette_parse(struct palette *palette, const char *id, const char *source, const char *text,
                   size_t length);

/* Fills a colouring, which has the palette's table. `frequency` multiplies the palette's turns per
 * count (1: the palette's own period; 0 < frequency <= 1e6), `offset` moves along it, in turns. */
void colouring_set(struct colouring *colouring, const struct palette *palette, double frequency,
                   double offset);
/* Whether samples get the same colours; tables are told apart by where they are. */
bool colouring_equal(const struct colouring *a, const struct colouring *b);

#endif

/* A place as people write and paste it: "re im zoom", "re + im i zoom" or "re: RE im: IM zoom: ZOOM", each with an
 * iteration limit behind if wanted. White space, commas, semicolons and parentheses separate numbers. A label names
 * the number behind it, with a colon, an equals sign or a blank between them; a number without a label is the one
 * that follows the number before it in the order real part, imaginary part, zoom, limit. A comma between two digits
 * is a decimal one where the text is a place with it and none without. */
#ifndef FATHOM_RENDER_FILES_COORDINATES_H
#define FATHOM_RENDER_FILES_COORDINATES_H

#include <stdbool.h>
#include <stddef.h>

enum coordinate {
    COORDINATE_RE,
    COORDINATE_IM,
    COORDINATE_ZOOM,
    COORDINATE_LIMIT,
    COORDINATE_ANGLE, /* [degrees], always with a label */
    COORDINATES
};

struct coordinates {
    struct {
        const char *text; /* a part of the text, without its sign; NULL: not given */
        size_t length;
        bool negative;
        int line;
    } number[COORDINATES];
    bool decimal; /* commas in the numbers are decimal ones */
};

/* Makes typographic minuses and blanks plain ones, in place. */
void coordinates_make_plain(char *text);
/* Finds the numbers in a plain text. False: logged why, as "SOURCE:LINE: ...". */
bool coordinates_find(const char *source, const char *text, struct coordinates *found);

/* These take texts that need not be plain. Whether [p, end) begins with a number; whether with a place, blanks
 * and labels in front or not. */
bool coordinates_begin_number(const char *p, const char *end);
bool coordinates_begin(const char *p, const char *end);
/* Whether [p, end) begins with a label and its number. */
bool coordinates_begin_label(const char *p, const char *end);
/* Whether all of a word is several numbers that may be meant as a place: no file's name. */
bool coordinates_are(const char *word);

#endif

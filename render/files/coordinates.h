/* Typed coordinates: parses a location as people write and paste it: "re im zoom", "re + im i zoom"
 * or "re: RE im: IM zoom: ZOOM". An iteration limit may follow. White space, commas, semicolons and
 * parentheses separate numbers. A label names the number that follows; between them is a colon, an
 * equals sign or a blank. A number without a label is the next in the order real part, imaginary
 * part, zoom, limit. A comma between two digits is a decimal comma if the text is no location
 * otherwise. */
#ifndef FATHOM_RENDER_FILES_COORDINATES_H
#define FATHOM_RENDER_FILES_COORDINATES_H

#include <stdbool.h>
#include <stddef.h>

enum coordinate {
    COORDINATE_RE,
    COORDINATE_IM,
    COORDINATE_ZOOM,
    COORDINATE_LIMIT,
    COORDINATE_ANGLE, /* [degrees]; always has a label */
    COORDINATES
};

struct coordinates {
    struct {
        const char *text; /* part of the input, without its sign; NULL: not given */
        size_t length;
        bool negative;
        int line;
    } number[COORDINATES];
    bool decimal; /* commas in the numbers are decimal commas */
};

/* Replaces typographic minus signs and blanks by plain ones, in place. */
void coordinates_make_plain(char *text);
/* Finds the numbers in a plain text. On an error, returns false and logs "SOURCE:LINE: ...". */
bool coordinates_find(const char *source, const char *text, struct coordinates *found);

/* Returns true if [p, end), which need not be plain, begins with a number. */
bool coordinates_begin_number(const char *p, const char *end);
/* Returns true if [p, end), which need not be plain, begins with a location. Blanks and a label may
 * precede its first number. */
bool coordinates_begin(const char *p, const char *end);
/* Returns true if [p, end), which need not be plain, begins with a label and its number. */
bool coordinates_begin_label(const char *p, const char *end);
/* Returns true if the whole word consists of several numbers that may be meant as a location, so
 * that it is no file's name. */
bool coordinates_are(const char *word);

#endif

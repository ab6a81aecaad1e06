/* Choices of options that other modules know, and their names on the command line. */
#ifndef FATHOM_APP_OPTIONS_CHOICES_H
#define FATHOM_APP_OPTIONS_CHOICES_H

#include "render/light/choice.h"

/* Codecs of movies. FILM_AUTO is the codec of the encoder if one is named, otherwise the usual one
 * of the file's ending. */
#define FILM_CODEC_LIST(X)                                                                         \
    X(FILM_AUTO, "auto")                                                                           \
    X(FILM_H264, "h264")                                                                           \
    X(FILM_HEVC, "hevc")                                                                           \
    X(FILM_AV1, "av1")                                                                             \
    X(FILM_PRORES, "prores")                                                                       \
    X(FILM_FFV1, "ffv1")
enum film_codec { FILM_CODEC_LIST(CHOICE_ID) FILM_CODECS };
extern const char *const film_codec_names[]; /* "auto", "h264" ..., NULL */

/* Samples in an EXR picture. */
enum planes_set { PLANES_COLOURS, PLANES_ALL, PLANES_SHARED };

/* Bits: what the autopilot changes at turning points. */
enum autopilot_changes {
    AUTOPILOT_PALETTES = 1,
    AUTOPILOT_FORMULAS = 2,
    AUTOPILOT_CHANGES_COUNT = 4
};
extern const char *const autopilot_changes_names[]; /* "nothing", ..., NULL */

#endif

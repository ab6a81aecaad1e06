/* Locations of other programs: reads files of Kalles Fraktaler (.kfr), Fraktaler-3 (.toml),
 * Fractint (.par) and XaoS (.xpf; both imported_location.h), and typed coordinates (coordinates.h).
 *
 * All use fathom's scale: a picture of zoom z has the height 4 / z. Kalles Fraktaler's imaginary
 * axis points down unless ImagPointsUp is set, Fraktaler-3's if transform.reflect is. Fathom's
 * always points up: such a view shows the same location upside down. Numbers of Kalles Fraktaler
 * may continue in the next line, as they do in web pages and e-mail. */
#ifndef FATHOM_RENDER_FILES_LOCATION_H
#define FATHOM_RENDER_FILES_LOCATION_H

#include "render/files/scene.h"

enum location_kind {
    LOCATION_NONE,
    LOCATION_VIEW, /* fathom's own text */
    LOCATION_KALLES,
    LOCATION_FRAKTALER,
    LOCATION_FRACTINT,
    LOCATION_XAOS,
    LOCATION_BARE,
};

/* Returns the kind that the text seems to be. */
enum location_kind location_kind(const char *text, size_t length);

/* Parses text of any kind into an initialised scene. Fathom's own text is parsed by scene_parse.
 * From the other kinds, only the location, the limit and the formulas with their powers are used,
 * if given; the rest of the scene is kept. `source` names the text in messages ("SOURCE:LINE:
 * ..."). On failure, returns false, logs the reason in one line, and keeps the scene; a formula
 * that fathom lacks is a failure. Stretched and mirrored views cause a warning and are shown
 * without. */
bool scene_parse_any(struct scene *scene, const char *source, const char *text, size_t length);

#endif

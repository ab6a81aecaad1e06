/* Places in other programs' words: files of Kalles Fraktaler (.kfr), Fraktaler-3 (.toml), Fractint (.par) and XaoS
 * (.xpf; both import/place.h), and bare coordinates (coordinates.h).
 *
 * All have fathom's scale: a picture of zoom z is 4 / z high. Kalles Fraktaler's imaginary axis
 * points down unless ImagPointsUp says otherwise, Fraktaler-3's if transform.reflect; fathom's
 * always points up, so such a view is the same place upside down. Numbers of Kalles Fraktaler's may go
 * on in the next line, as they do in pages and letters. */
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

/* What the text seems to be. */
enum location_kind location_kind(const char *text, size_t length);

/* Parses text of any kind into an initialised scene. Fathom's own is as scene_parse has it; of the
 * others the place, the limit and the formulas with their powers, where they tell them, are taken, all
 * else of the scene is kept. `source` names the text in messages ("SOURCE:LINE: ..."). False: logged why
 * in one line, the scene is as it was; formulas that fathom does not have are a reason. Stretched and
 * mirrored views are warned of, and shown without. */
bool scene_parse_any(struct scene *scene, const char *source, const char *text, size_t length);

#endif

/* Font: finds the system's font, and has FreeType measure all characters of FONT_RANGES before
 * it is used. */
#include "app/hud/font.h"
#include "app/paths.h"
#include "render/base/log.h"
#include <ft2build.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include FT_FREETYPE_H

#define BYTES_MAX   (8 << 20)
#define TRIAL_PX    14
#define EXTENT_MAX  (3 * TRIAL_PX) /* [px] largest width and height of a character */
#define LAST_NEEDED 0x7e           /* characters up to this one must exist */

/* Paths in a folder of shared data: of Debian; Fedora; Arch; openSUSE; others. */
static const char *const places[] = {
    "fonts/truetype/dejavu/DejaVuSans.ttf",
    "fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "fonts/TTF/DejaVuSans.ttf",
    "fonts/truetype/DejaVuSans.ttf",
    "fonts/dejavu/DejaVuSans.ttf",
};

static const uint16_t ranges[] = {FONT_RANGES};

/* --- checking --- */

static bool is_small(FT_Pos extent) {
    return extent >= -EXTENT_MAX * 64 && extent <= EXTENT_MAX * 64;
}

static bool can_draw(FT_Face face, FT_ULong character) {
    const FT_UInt glyph = FT_Get_Char_Index(face, character);
    if (glyph == 0)
        return character > LAST_NEEDED;
    const FT_Int32 how = character > LAST_NEEDED ? FT_LOAD_NO_HINTING : FT_LOAD_DEFAULT;
    if (FT_Load_Glyph(face, glyph, how) != 0 || face->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
        return false;
    const FT_Glyph_Metrics *metrics = &face->glyph->metrics;
    return is_small(metrics->width) && is_small(metrics->height) &&
           is_small(metrics->horiBearingX) && is_small(metrics->horiBearingY) &&
           is_small(metrics->horiAdvance);
}

static bool can_draw_all(FT_Face face) {
    FT_Size_RequestRec size = {.type = FT_SIZE_REQUEST_TYPE_REAL_DIM, .height = TRIAL_PX * 64};
    if (FT_Request_Size(face, &size) != 0)
        return false;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i += 2)
        for (FT_ULong character = ranges[i]; character <= ranges[i + 1]; character++)
            if (!can_draw(face, character))
                return false;
    return true;
}

static bool is_usable(const char *data, size_t length) {
    FT_Library library;
    FT_Face face;
    if (FT_Init_FreeType(&library) != 0)
        return false;
    const bool is_font =
        FT_New_Memory_Face(library, (const FT_Byte *)data, (FT_Long)length, 0, &face) == 0;
    const bool usable = is_font && can_draw_all(face);
    if (is_font)
        FT_Done_Face(face);
    FT_Done_FreeType(library);
    return usable;
}

/* --- finding --- */

static char *read_all(FILE *file, size_t *length) {
    char *data = malloc(BYTES_MAX + 1);
    if (!data)
        return NULL;
    *length = fread(data, 1, BYTES_MAX + 1, file);
    char *shorter = *length > 0 && *length <= BYTES_MAX ? realloc(data, *length) : NULL;
    if (!shorter)
        free(data);
    return shorter;
}

static char *load_from(const char *path, size_t *length) {
    bool absent;
    const char *why;
    FILE *file = file_open_silently(path, &absent, &why);
    if (!file) {
        if (!absent)
            log_info("the font '%s' cannot be read: %s", path, why);
        return NULL;
    }
    char *data = read_all(file, length);
    fclose(file);
    if (data && is_usable(data, *length)) {
        log_info("text is drawn with '%s'", path);
        return data;
    }
    free(data);
    log_info("the font '%s' is damaged or too large", path);
    return NULL;
}

static char *load_below(const char *folder, size_t *length) {
    char *data = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !data; i++) {
        char *path = paths_join(folder, places[i]);
        if (path)
            data = load_from(path, length);
        free(path);
    }
    return data;
}

char *font_load(size_t *length) {
    char *data = NULL, *folder;
    for (size_t i = 0; !data && (folder = paths_data_folder(i)); i++) {
        data = load_below(folder, length);
        free(folder);
    }
    if (!data)
        log_info("there is no DejaVuSans.ttf (package fonts-dejavu-core): text is coarser");
    return data;
}

/* Files of this project that are compiled into the program, so that it runs from anywhere. */
#ifndef FATHOM_RENDER_BASE_EMBEDDED_H
#define FATHOM_RENDER_BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* without its folder */
    const char *data; /* size bytes and a NUL */
    size_t size;
};

/* In the order of their names. The palettes and styles are in fathom_render, the shaders in fathom_app, the
 * laboratory's script in fathom_lab. */
extern const struct embedded_file embedded_palettes[];
extern const size_t embedded_palettes_count;
extern const struct embedded_file embedded_styles[];
extern const size_t embedded_styles_count;
extern const struct embedded_file embedded_shaders[];
extern const size_t embedded_shaders_count;
extern const struct embedded_file embedded_plots[];

#endif

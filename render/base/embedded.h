/* Embedded files: files of the project that are compiled into the program, so that it runs from any
 * folder. */
#ifndef FATHOM_RENDER_BASE_EMBEDDED_H
#define FATHOM_RENDER_BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* name without its folder */
    const char *data; /* `size` bytes and a NUL */
    size_t size;
};

/* Lists in the order of the names. Palettes, styles and the page of Deep Zoom pictures are in
 * fathom_render, shaders in fathom_app, the laboratory's script in fathom_lab. */
extern const struct embedded_file embedded_palettes[];
extern const size_t embedded_palettes_count;
extern const struct embedded_file embedded_styles[];
extern const size_t embedded_styles_count;
extern const struct embedded_file embedded_shaders[];
extern const size_t embedded_shaders_count;
extern const struct embedded_file embedded_pages[];
extern const struct embedded_file embedded_plots[];

#endif

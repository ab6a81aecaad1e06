/* The chunks of a PNG as they stand in the file, looked at before libpng is let at it: it asks for
 * a chunk's memory before it looks for its data, and has to unpack all pixels to reach a text
 * behind them. */
#ifndef FATHOM_RENDER_FILES_PNG_CHUNKS_H
#define FATHOM_RENDER_FILES_PNG_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PNG_SIGNATURE      "\x89PNG\r\n\x1a\n"
#define PNG_SIGNATURE_SIZE 8
#define PNG_TEXT_MAX       ((1 << 20) + (1 << 16)) /* bytes that a text may have, packed or not */

struct png_chunk {
    uint64_t at;     /* of its length in the file; 0: there is none */
    uint32_t length; /* of its data, in bytes */
};

struct png_chunks {
    struct png_chunk header, palette;
    /* The text "fathom", else "Comment", which other programs use, of those before the pixels, else
     * of those behind. */
    struct png_chunk text;
};

/* Goes from chunk to chunk. With `text_only` no further than is needed to know the text, and behind
 * the first pixels some hundred megabytes at most: it takes a fraction of a second. False: a chunk
 * ends behind the file, or is none, or there are millions. */
bool png_chunks_find(FILE *file, struct png_chunks *chunks, bool text_only);

/* A PNG of the header, the palette and the text alone, without a pixel, or NULL: the header is not
 * one, they are too long, they cannot be read, or there is no memory. The caller frees it. */
unsigned char *png_chunks_extract(FILE *file, const struct png_chunks *chunks, size_t *size);

#endif

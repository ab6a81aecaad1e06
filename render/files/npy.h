/* NumPy arrays (.npy files): C order, little-endian, row 0 on top. */
#ifndef FATHOM_RENDER_FILES_NPY_H
#define FATHOM_RENDER_FILES_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NPY_DIMENSIONS_MAX 3

enum npy_type { NPY_U4, NPY_F8, NPY_U8 }; /* '<u4', '<f8', '<u8' */

/* Writer of a picture's samples (sample.h), of shape (H, W): receives rows from the top down, in
 * any number of calls. Counts are <u4, with interior = limit; smooth values, count + fraction, are
 * <f8, with interior = NaN. Not thread-safe. */
struct npy_writer;

/* Opens a writer for NPY_U4 or NPY_F8. Returns NULL on failure, which is logged. */
struct npy_writer *npy_writer_open(const char *path, enum npy_type type, int width_px,
                                   int height_px);
/* Writes the next rows; `fraction` may be NULL for counts. Returns false on failure, which is
 * logged. Afterwards the writer can only be abandoned. */
bool npy_writer_rows(struct npy_writer *writer, const uint32_t *count, const float *fraction,
                     int rows);
/* Completes the file atomically, after the last row. Frees the writer in any case. Returns false on
 * failure, which is logged. */
bool npy_writer_commit(struct npy_writer *writer);
/* Frees the writer and leaves no new file; an older file is unchanged. NULL is allowed. */
void npy_writer_abandon(struct npy_writer *writer);
/* Writes counts as <u8, of shape (H, W), or (H, W, channels) if there are several. `row` fills in
 * row y, width_px * channels values. If it returns false, nothing is written or logged. */
bool npy_write_rows(const char *path, int width_px, int height_px, int channels,
                    bool (*row)(void *user, int y, uint64_t *values), void *user);

/* Returns true if data begins like an .npy file. */
bool npy_begins(const char *data, size_t length);

/* An array with two dimensions of any of these types, or with three of <u8 and three channels. */
struct npy {
    int width_px, height_px, channels;
    enum npy_type type;
    double *values;   /* <u4 and <f8, both exact; otherwise NULL */
    uint64_t *counts; /* <u8; otherwise NULL */
};
/* Reads an array of format version 1 to 3, with sizes up to FRAME_SIZE_MAX. Returns false on
 * failure, which is logged; *npy is zeroed. */
bool npy_read(const char *path, struct npy *npy);
void npy_finish(struct npy *npy);

/* --- the header alone, for files with more content --- */

struct npy_header {
    enum npy_type type;
    int dimensions; /* 1 .. NPY_DIMENSIONS_MAX */
    int shape[NPY_DIMENSIONS_MAX];
};

/* Writes a header. Returns false on failure; errno has the reason. */
bool npy_write_header(FILE *file, const struct npy_header *header);
/* Reads a header, and leaves the file at the values. Each size is 1 .. FRAME_SIZE_MAX. Returns
 * NULL, or the problem as static text. */
const char *npy_read_header(FILE *file, struct npy_header *header);
/* Returns the number of bytes that the values occupy. */
uint64_t npy_values_size(const struct npy_header *header);

#endif

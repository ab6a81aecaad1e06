/* Arrays as .npy files for NumPy: C order, little-endian, row 0 on top. */
#ifndef FATHOM_RENDER_FILES_NPY_H
#define FATHOM_RENDER_FILES_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NPY_DIMENSIONS_MAX 3

enum npy_type { NPY_U4, NPY_F8, NPY_U8 }; /* '<u4', '<f8', '<u8' */

/* The samples of a picture (sample.h), shape (H, W), written from the top down in as many calls as
 * its maker likes: counts as <u4, interior = limit, or smooth values, count + fraction, as <f8,
 * interior = NaN. One thread at a time. */
struct npy_writer;

/* NPY_U4 or NPY_F8. NULL: logged why. */
struct npy_writer *npy_writer_open(const char *path, enum npy_type type, int width_px,
                                   int height_px);
/* `fraction` may be NULL for counts. False: logged why; the writer can only be abandoned. */
bool npy_writer_rows(struct npy_writer *writer, const uint32_t *count, const float *fraction,
                     int rows);
/* After the last row. Atomic; frees in any case. False: logged why. */
bool npy_writer_commit(struct npy_writer *writer);
/* Leaves no file, and an older one as it was. NULL is allowed. */
void npy_writer_abandon(struct npy_writer *writer);
/* Counts as <u8, shape (H, W), or (H, W, channels) of several. `row` fills in row y, width_px *
 * channels values; when it returns false, nothing is written, and nothing is logged. */
bool npy_write_rows(const char *path, int width_px, int height_px, int channels,
                    bool (*row)(void *user, int y, uint64_t *values), void *user);

/* Whether data begins as such a file does. */
bool npy_begins(const char *data, size_t length);

/* A 2-D array of any of these types, or a 3-D one of <u8 with three channels. */
struct npy {
    int width_px, height_px, channels;
    enum npy_type type;
    double *values;   /* of <u4 and <f8, both exact */
    uint64_t *counts; /* of <u8 */
};
/* Format versions 1 to 3, sizes up to FRAME_SIZE_MAX. False: logged why; *npy is zeroed. */
bool npy_read(const char *path, struct npy *npy);
void npy_finish(struct npy *npy);

/* --- the header alone, for files that have more in them --- */

struct npy_header {
    enum npy_type type;
    int dimensions; /* 1 .. NPY_DIMENSIONS_MAX */
    int shape[NPY_DIMENSIONS_MAX];
};

/* False: errno says why. */
bool npy_write_header(FILE *file, const struct npy_header *header);
/* Leaves the file at the values; each size is 1 .. FRAME_SIZE_MAX. NULL, or the problem, static
 * text. */
const char *npy_read_header(FILE *file, struct npy_header *header);
/* How many bytes the values take. */
uint64_t npy_values_size(const struct npy_header *header);

#endif

/* EXR pictures: colours in linear light, and samples as channels. The first channels have the names
 * and types of Kalles Fraktaler, which zoomasm and Fraktaler-3 share:
 *   R, G, B    HALF   colour
 *   N          UINT   number of steps + EXR_BIAS; 0xffffffff in the interior
 *   NF         FLOAT  0 <= NF < 1: N + NF is the smooth value
 *   T          FLOAT  angle of the orbit's end, in turns
 *   DEX, DEY   FLOAT  estimated distance to the set [pixels of the picture], along the rising
 *                     escape: to the right and upwards
 * The others contain the picture's sample planes bit for bit (channels.c): fathom.fraction and, if
 * the picture has the plane, fathom.angle, fathom.distance and so on. Attributes: Iterations and
 * IterationsBias, numbers, and "fathom", the view's text.
 *
 * Files are packed and unpacked by OpenEXRCore, which a build may lack (exr_missing). */
#ifndef FATHOM_RENDER_FILES_EXR_EXR_H
#define FATHOM_RENDER_FILES_EXR_EXR_H

#include "render/files/image.h"
#include "render/frame.h"
#include "render/planes.h"

#define EXR_BIAS 1024

/* Returns true if a file's name ends in ".exr". */
bool exr_is_name(const char *path);
/* Returns true if a file exists and begins like an EXR picture, or if data do. */
bool exr_is_file(const char *path);
bool exr_begins(const char *data, size_t length);
/* Returns why this build neither writes nor reads EXR pictures, or NULL if it does. */
const char *exr_missing(void);
/* Stores the versions of the library. Returns false if the build lacks it. */
bool exr_library(struct image_versions *versions);
/* Returns the name of the channel that other programs, or else fathom, keep a plane in. */
const char *exr_channel_of(enum sample_plane plane);

/* --- writing --- */

/* Writer: receives the samples of some rows, and then their pixels, from the top down. Atomic
 * (atomic_file.h), compressed without loss. Not thread-safe. */
struct exr_writer;

/* Opens a writer for the whole picture of a request, which it copies. `own` is the set of planes
 * that fathom's channels may contain; `text` may be NULL. Returns NULL on failure; the reason is
 * logged. */
struct exr_writer *exr_writer_open(const char *path, const struct frame_req *req, unsigned own,
                                   const char *text);
/* Returns the planes that the writer reads: those of the request, and slopes if the formula has
 * them. */
unsigned exr_planes(const struct frame_req *req);
/* Returns all planes that a request can have. */
unsigned exr_all(const struct frame_req *req);
/* Returns the memory that the writer needs at most for each pixel of a band [bytes]. */
size_t exr_pixel_bytes(const struct frame_req *req);
/* Keeps the samples of the next rows, after the pixels of all rows before. Returns false on
 * failure, which is logged. */
bool exr_writer_samples(struct exr_writer *writer, const struct sample_planes *planes, int rows);
/* Writes rows of which the samples are known: a multiple of EXR_ROWS, or the last ones. Returns
 * false on failure, which is logged; the writer can then only be abandoned. */
#define EXR_ROWS 16
bool exr_writer_pixels(struct exr_writer *writer, const uint32_t *rgba, int rows);
/* Completes the file after the last row. Frees the writer in any case. */
bool exr_writer_commit(struct exr_writer *writer);
/* Frees the writer and leaves no new file. NULL is allowed. */
void exr_writer_abandon(struct exr_writer *writer);

/* --- reading: files in scan lines of any program, which are hostile --- */

struct exr_facts {
    int width_px, height_px; /* 1 .. FRAME_SIZE_MAX */
    uint32_t limit;          /* attribute Iterations; 0: not given */
    unsigned planes;         /* planes that the channels contain; without counts 0 */
    const char *text;        /* NULL: none; a view, or another program's location */
    bool own;                /* the text is fathom's */
};

/* Reader of samples, from the top down. Memory is bounded for any file. Not thread-safe. */
struct exr_reader;

/* Opens a file and reads its header. Returns NULL on failure; the reason is logged. */
struct exr_reader *exr_reader_open(const char *path);
/* Returns the text of a file, "" if there is none; the caller frees it. NULL on failure, logged. */
char *exr_text(const char *path);
const struct exr_facts *exr_reader_facts(const struct exr_reader *reader);
/* Prepares the reading of a set of planes, which the file has, from the first row. Directions in
 * files of other programs are those of a picture that is rotated by `angle` [rad]. Returns false on
 * failure, which is logged. */
bool exr_reader_begin(struct exr_reader *reader, unsigned planes, double angle);
/* Reads the next rows into planes that live until the next call. Returns the number of rows, 0 at
 * the end, and -1 on failure, which is logged. */
int exr_reader_rows(struct exr_reader *reader, struct sample_planes *planes);
/* Closes a reader; NULL is allowed. */
void exr_reader_close(struct exr_reader *reader);

#endif

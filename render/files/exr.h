/* EXR pictures: colours in linear light, and the samples as channels with the names and types of
 * Kalles Fraktaler, which zoomasm and Fraktaler-3 share:
 *   R, G, B    HALF   colour
 *   N          UINT   number of steps + EXR_BIAS; 0xffffffff in the interior
 *   NF         FLOAT  0 <= NF < 1: N + NF is the smooth value
 *   T          FLOAT  angle of the orbit's end, in turns
 *   DEX, DEY   FLOAT  estimated distance to the set [pixels of the picture], along the rising
 *                     escape: to the right and upwards
 * The last three exist for formulas with slopes. Attributes: Iterations and IterationsBias, numbers,
 * and "fathom", the view's text. */
#ifndef FATHOM_RENDER_FILES_EXR_H
#define FATHOM_RENDER_FILES_EXR_H

#include "render/frame.h"
#include "render/planes.h"

#define EXR_BIAS 1024

/* Returns true if a file's name ends in ".exr". */
bool exr_is_name(const char *path);

/* Writer: receives the samples of some rows, and then their pixels, from the top down. Atomic
 * (atomic_file.h), compressed without loss. Not thread-safe. */
struct exr_writer;

/* Opens a writer for the whole picture of a request, which it copies; `text` may be NULL. Returns
 * NULL on failure; the reason is logged. */
struct exr_writer *exr_writer_open(const char *path, const struct frame_req *req, const char *text);
/* Returns the planes that the writer reads. */
unsigned exr_planes(const struct frame_req *req);
/* Keeps the samples of the next rows, after the pixels of all rows before. Returns false on failure,
 * which is logged. */
bool exr_writer_samples(struct exr_writer *writer, const struct sample_planes *planes, int rows);
/* Writes rows of which the samples are known: a multiple of EXR_ROWS, or the last ones. Returns
 * false on failure, which is logged; the writer can then only be abandoned. */
#define EXR_ROWS 16
bool exr_writer_pixels(struct exr_writer *writer, const uint32_t *rgba, int rows);
/* Completes the file after the last row. Frees the writer in any case. */
bool exr_writer_commit(struct exr_writer *writer);
/* Frees the writer and leaves no new file. NULL is allowed. */
void exr_writer_abandon(struct exr_writer *writer);

#endif

/* Saved density runs: files with the counts of a density picture and all data that continuing
 * needs.
 *
 * The file is an .npy array, '<u8' of shape (planes, height, width), that NumPy loads. It
 * contains the counts as stored (density_counts.h). After the values follows a text: the scene's
 * (scene.h, with size, number type and samples), and
 *   [run] version  DENSITY_SAMPLING
 *         first    of a part: number of samples at the front that it leaves to other parts
 *         points   sum of the counts
 *         check    checksum of all counts, the scene's text and `first` (16 hexadecimal digits) */
#ifndef FATHOM_RENDER_FILES_DENSITY_FILE_H
#define FATHOM_RENDER_FILES_DENSITY_FILE_H

#include "render/density/density_counts.h"
#include "render/files/scene.h"
#include <stdio.h>

struct file_claim;

/* Most points of a run: years of counting below an overflow. */
#define DENSITY_POINTS_MOST (UINT64_C(1) << 62)

/* Options of saving; all may be zero. */
struct density_saving {
    /* Claim on the file (file_claim.h), which saving renews; NULL: none. */
    struct file_claim *claim;
    /* Promise that another save follows: a failed save keeps no file elsewhere (atomic_file.h). */
    bool repeated;
    void (*progress)(void *user); /* called repeatedly; NULL: not called */
    void *user;
};

/* Writes a run atomically (atomic_file.h). `scene` describes the counts: it has a size, and its
 * number type is float or double. Its samples are written as those of `counts`. Returns false on
 * failure; the reason is logged. */
bool density_file_write(const char *path, const struct scene *scene,
                        const struct density_counts *counts, const struct density_saving *how);

/* Reads a run into an initialised scene, and allocates *counts. The file may be hostile: memory is
 * allocated only if its text is that of a run, and its length and shape match that run. Then the
 * sum of the counts, at most 2^62, and `check` are verified. On failure, returns false and logs the
 * reason; the scene is unchanged and *counts is zeroed. */
bool density_file_read(const char *path, struct scene *scene, struct density_counts *counts);

/* Returns the scene's text from an open file, without reading the counts. The caller frees the
 * text. Returns NULL if the file is no saved run; the reason is logged. */
char *density_file_text(FILE *file, const char *path);

#endif

/* Saved runs: the counts of a density picture with all that going on from them needs.
 *
 * An .npy file, '<u8' of shape (planes, height, width), the counts as stored (density_counts.h;
 * NumPy loads it), and after the values a text: the scene's (scene.h, with size, number type and
 * samples), and
 *   [run] version  DENSITY_SAMPLING
 *         points   the sum of the counts
 *         check    of all counts and the scene's text (16 hexadecimal digits) */
#ifndef FATHOM_RENDER_FILES_DENSITY_FILE_H
#define FATHOM_RENDER_FILES_DENSITY_FILE_H

#include "render/density/density_counts.h"
#include "render/files/scene.h"
#include <stdio.h>

struct file_claim;

/* How a run is saved; all may be zero. */
struct density_saving {
    struct file_claim *claim; /* on the file (file_claim.h), which is renewed */
    bool expendable; /* there will be another try: nothing is kept elsewhere (atomic_file.h) */
    void (*progress)(void *user); /* called now and then */
    void *user;
};

/* Atomic (atomic_file.h). `scene` is the counts': counting, its size said, its number type float or
 * double; its samples are written as those of the counts. False: logged why. */
bool density_file_write(const char *path, const struct scene *scene,
                        const struct density_counts *counts, const struct density_saving *how);

/* Reads into an initialised scene, and makes *counts. The file is hostile: memory is asked for only
 * when its text is that of a run, and its length and shape are that run's; all counts are then
 * checked by their sum, 2^62 at most, and `check`. False: logged why, the scene is as it was and
 * *counts is zeroed. */
bool density_file_read(const char *path, struct scene *scene, struct density_counts *counts);

/* The scene's text alone, from an open file; the counts are not looked at. The caller frees it.
 * NULL: this is no saved run, logged. */
char *density_file_text(FILE *file, const char *path);

#endif

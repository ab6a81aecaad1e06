/* Glances: draws small pictures, and keeps their results in files. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/glance.h"
#include "app/still/still.h"
#include "app/work/hash.h"
#include "app/work/work_files.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX  "glance-"
#define VERSION 1 /* of the results that a scene gives */

/* Content of a file, in the machine's byte order. */
struct stored {
    struct glance glance;
    uint64_t sum; /* hash of the glance */
};

static uint64_t sum_of(const struct glance *glance) {
    return hash_words(VERSION, glance, sizeof *glance);
}

/* Returns the name of the file of a glance, with a hash of the scene's text; the caller frees it.
 * Returns NULL without memory, and logs the failure. */
static char *path_of(const char *folder, const struct scene *scene, unsigned shortcuts) {
    char *text = scene_text(scene), *path = NULL;
    const uint64_t hash =
        text ? hash_bytes(hash_text(HASH_EMPTY, text), &shortcuts, sizeof shortcuts) : 0;
    if (!text || asprintf(&path, "%s/" PREFIX "%016" PRIx64, folder, hash) < 0) {
        log_error("not enough memory for the colours of a movie");
        path = NULL;
    }
    free(text);
    return path;
}

static bool read_glance(const char *path, struct glance *glance) {
    struct stored stored;
    const char *why;
    bool absent;
    FILE *file = file_open_silently(path, &absent, &why);
    const bool whole =
        file && fread(&stored, sizeof stored, 1, file) == 1 && stored.sum == sum_of(&stored.glance);
    if (file)
        fclose(file);
    if (whole)
        *glance = stored.glance;
    return whole;
}

static bool write_glance(const char *path, const struct glance *glance) {
    struct stored stored;
    memset(&stored, 0, sizeof stored); /* with the gaps between members */
    stored.glance = *glance;
    stored.sum = sum_of(&stored.glance);
    struct atomic_file *file = atomic_file_open(path, false);
    if (!file)
        return false;
    atomic_file_mark_expendable(file);
    fwrite(&stored, sizeof stored, 1, atomic_file_stream(file));
    return atomic_file_commit(file, NULL);
}

static bool draw(struct ring_drawing *drawing, const struct scene *scene, struct glance *glance) {
    struct scene seen;
    struct frame_req req;
    struct auto_frequency_choice choice;
    struct statistics statistics;
    scene_init_copy(&seen, scene);
    frame_req_init(&req, 1, 1);
    still_request(&seen, drawing->shortcuts, &req);
    const bool ok = drawing->open(drawing->user, &req, &drawing->backend) &&
                    still_glance(drawing->backend, &seen, &req, &choice, &statistics);
    if (ok && scene_wants_ranks(&seen))
        scene_set_ranks(&seen, &statistics);
    if (ok)
        *glance = (struct glance){choice.frequency, choice.colour, statistics.least,
                                  statistics.most, seen.ranks};
    frame_req_finish(&req);
    scene_finish(&seen);
    return ok;
}

static enum ring_making draw_file(struct ring_drawing *drawing, const char *path,
                                  const struct scene *scene, struct glance *glance) {
    return draw(drawing, scene, glance) && write_glance(path, glance) ? RING_MADE : RING_FAILED;
}

static enum ring_making claim_and_draw(struct ring_drawing *drawing, const char *path,
                                       const struct scene *scene, bool insist,
                                       struct glance *glance) {
    if (read_glance(path, glance))
        return RING_WAS_THERE;
    if (!drawing->list || insist)
        return draw_file(drawing, path, scene, glance);
    const enum work_state state = work_list_claim(drawing->list, path);
    if (state != WORK_OURS)
        return state == WORK_TAKEN ? RING_TAKEN : RING_FAILED;
    /* Another process may have drawn it before the claim. */
    const enum ring_making made =
        read_glance(path, glance) ? RING_WAS_THERE : draw_file(drawing, path, scene, glance);
    work_list_release(drawing->list, path);
    return made;
}

enum ring_making glance_make(struct ring_drawing *drawing, const char *folder,
                             const struct scene *scene, bool insist, struct glance *glance) {
    char *path = path_of(folder, scene, drawing->shortcuts);
    const enum ring_making made =
        path ? claim_and_draw(drawing, path, scene, insist, glance) : RING_FAILED;
    free(path);
    return made;
}

void glance_remove_all(const char *folder) {
    work_files_remove(folder, PREFIX);
}

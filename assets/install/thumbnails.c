/* Thumbnails of the example views: draws them as the gallery does, or checks them. Each view must
 * have a thumbnail that shows the same as the program draws now. */
#define _GNU_SOURCE
#include "app/gallery/example_thumbnail.h"
#include "app/gallery/thumbnail_draw.h"
#include "render/backends.h"
#include "render/files/scene.h"
#include <dirent.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* [bytes] most for all thumbnails, which every package contains */
#define BYTES_MOST (1 << 20)
/* [pixels] side of the blocks whose means are compared */
#define BLOCK_PX 20
/* largest mean difference of the blocks' channels */
#define ALIKE 3.0
/* largest difference of one channel of a block */
#define ALIKE_MOST 20.0

static uint32_t drawn[EXAMPLE_THUMBNAIL_PIXELS], kept[EXAMPLE_THUMBNAIL_PIXELS];

struct job {
    bool draw;  /* wrong thumbnails are drawn instead of reported */
    bool texts; /* fast: checks only that each was drawn of the view's present text */
    struct thumbnail_drawing drawing;
    unsigned long long bytes;
    int wrong;
};

static bool go_on(void *user, double work_ms) {
    (void)user;
    (void)work_ms;
    return true;
}

static void tell(struct job *job, const char *path, const char *problem) {
    printf("%s: %s\n", path, problem);
    job->wrong++;
}

/* --- comparing --- */

/* Returns the mean of a channel in a block, in approximately linear light, in which samples were
 * averaged. */
static double mean_of_block(const uint32_t *rgba, int x, int y, int channel) {
    double sum = 0;
    for (int row = y; row < y + BLOCK_PX; row++) {
        for (int column = x; column < x + BLOCK_PX; column++) {
            const double byte =
                rgba[row * EXAMPLE_THUMBNAIL_WIDTH_PX + column] >> 8 * channel & 255;
            sum += byte * byte;
        }
    }
    return sqrt(sum / (BLOCK_PX * BLOCK_PX));
}

static bool alike(const char *view) {
    double sum = 0, most = 0;
    int count = 0;
    for (int y = 0; y + BLOCK_PX <= EXAMPLE_THUMBNAIL_HEIGHT_PX; y += BLOCK_PX)
        for (int x = 0; x + BLOCK_PX <= EXAMPLE_THUMBNAIL_WIDTH_PX; x += BLOCK_PX)
            for (int channel = 0; channel < 3; channel++, count++) {
                const double by =
                    fabs(mean_of_block(drawn, x, y, channel) - mean_of_block(kept, x, y, channel));
                sum += by;
                most = fmax(most, by);
            }
    printf("%s: differs by %.2f, %.1f at most\n", view, sum / count, most);
    return sum / count <= ALIKE && most <= ALIKE_MOST;
}

/* Returns why a view's thumbnail is wrong, or NULL if it is right. Compares it with a picture of
 * one sample of each pixel, which is fast, and only if that differs with many samples. */
static const char *problem_of(struct job *job, const char *view, struct scene *scene) {
    if (!scene_load(scene, view))
        return "it cannot be read";
    if (!example_thumbnail_load(view, kept))
        return "its thumbnail is missing, or was drawn of something else";
    if (job->texts)
        return NULL;
    if (!thumbnail_draw_roughly(&job->drawing, scene, drawn))
        return "it cannot be drawn";
    if (alike(view) || (thumbnail_draw(&job->drawing, scene, drawn) && alike(view)))
        return NULL;
    return "its thumbnail shows something else";
}

/* --- one file --- */

static void see_to_view(struct job *job, const char *view) {
    struct scene scene;
    scene_init(&scene);
    const char *problem = problem_of(job, view, &scene);
    if (problem && job->draw) {
        printf("%s: drawn, as %s\n", view, problem);
        problem = thumbnail_draw_roughly(&job->drawing, &scene, drawn) &&
                          thumbnail_draw(&job->drawing, &scene, drawn) &&
                          example_thumbnail_store(view, drawn)
                      ? NULL
                      : "its thumbnail cannot be made";
    }
    if (problem)
        tell(job, view, problem);
    scene_finish(&scene);
}

/* Adds a thumbnail's bytes to the total, or removes it if its view is gone. */
static void see_to_thumbnail(struct job *job, const char *thumbnail) {
    char *view;
    struct stat status = {0};
    const char *name = strrchr(thumbnail, '/') + 1;
    if (asprintf(&view, "%.*s../views/%.*s.fathom", (int)(name - thumbnail), thumbnail,
                 (int)strcspn(name, "."), name) < 0)
        abort();
    if (access(view, F_OK) == 0)
        job->bytes += stat(thumbnail, &status) == 0 ? (unsigned long long)status.st_size : 0;
    else if (!job->draw || unlink(thumbnail) != 0)
        tell(job, thumbnail, "there is no such view");
    free(view);
}

/* --- all files --- */

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.' && strchr(entry->d_name, '.');
}

static void for_each(struct job *job, const char *assets, const char *below,
                     void (*see_to)(struct job *job, const char *path)) {
    char *folder, *path;
    struct dirent **entries;
    if (asprintf(&folder, "%s/%s", assets, below) < 0)
        abort();
    const int count = scandir(folder, &entries, is_shown, alphasort);
    if (count <= 0)
        tell(job, folder, "there is nothing");
    for (int i = 0; i < count; i++) {
        if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0)
            abort();
        see_to(job, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    free(folder);
}

int main(int argc, char **argv) {
    static const struct backend_options options = {.cpumask = ~0u};
    if (argc != 3 || (strcmp(argv[1], "draw") != 0 && strcmp(argv[1], "check") != 0 &&
                      strcmp(argv[1], "texts") != 0)) {
        fputs("usage: fathom-thumbnails draw|check|texts ASSETS\n", stderr);
        return 2;
    }
    struct job job = {.draw = strcmp(argv[1], "draw") == 0, .texts = strcmp(argv[1], "texts") == 0};
    job.drawing = (struct thumbnail_drawing){.backend = backend_open(backends_cpu, NULL, &options),
                                             .go_on = go_on,
                                             .width_px = EXAMPLE_THUMBNAIL_WIDTH_PX,
                                             .height_px = EXAMPLE_THUMBNAIL_HEIGHT_PX,
                                             .density_ms = INFINITY};
    if (!job.drawing.backend)
        return 1;
    for_each(&job, argv[2], "views", see_to_view);
    for_each(&job, argv[2], "thumbnails", see_to_thumbnail);
    printf("%llu bytes in all\n", job.bytes);
    if (job.bytes > BYTES_MOST)
        tell(&job, argv[2], "the thumbnails are too large for every package to have them");
    backend_close(job.drawing.backend);
    mpfr_free_cache();
    return job.wrong > 0;
}

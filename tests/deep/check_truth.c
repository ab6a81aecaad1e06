/* Counts of deep pictures against exact arithmetic that is independent of the program: at least
 * 99.5 % of the counts of a table must be equal in a picture planned by `auto`. Arguments: a
 * backend or "best", and a place, or own_A_B for places A to B of own.txt. Returns 77 if the
 * backend cannot run on this machine. */
#include "render/backends.h"
#include "render/palette.h"
#include "tests/deep/truth.h"

#define RIGHT_FROM 0.995

static struct backend *open_for(const char *name, const struct frame_req *req) {
    const struct backend_options options = {.cpumask = ~0u};
    struct backend *backend = backend_open(backends_all, name, &options);
    if (backend && !(backend_info(backend).types[req->route] >> req->type & 1)) {
        printf("%s has no %s numbers\n", backend_info(backend).name, number_type_name(req->type));
        backend_close(backend);
        backend = NULL;
    }
    return backend;
}

static int compare(const struct truth *truth, const uint32_t *counts) {
    int right = 0;
    for (int i = 0; i < truth->points; i++) {
        const struct truth_point *at = &truth->point[i];
        const uint32_t count =
            counts[(size_t)at->y_px * (size_t)truth->req.width_px + (size_t)at->x_px];
        right += (count & SAMPLE_COUNT_MASK) == at->count &&
                 ((count & SAMPLE_INTERIOR) != 0) == (at->count == truth->req.limit);
    }
    return right;
}

/* Returns the number of right counts, or -1 if the place cannot be drawn. */
static int draw(const struct truth *truth, const char *name) {
    const size_t pixels = (size_t)truth->req.width_px * (size_t)truth->req.height_px;
    struct target target = {.rgba = malloc(4 * pixels), .at_once = true};
    struct backend_report report;
    struct backend *backend = open_for(name, &truth->req);
    int right = -1;
    if (target.rgba && backend &&
        sample_planes_init(&target.planes, SAMPLE_BASIC, pixels, "a test") &&
        backend_draw(backend, &truth->req, &target, NULL, NULL, &report)) {
        right = compare(truth, target.planes.count);
        printf("%s: %d of %d counts are right, in %.0f ms\n", truth->name, right, truth->points,
               report.elapsed_ms);
    }
    backend_close(backend);
    free(target.rgba);
    sample_planes_finish(&target.planes);
    return right;
}

static bool can_run(const char *name) {
    const struct backend_options options = {.cpumask = ~0u};
    const char *why = "there is none of that name";
    for (const struct backend_impl *const *impl = backends_all; *impl; impl++)
        if (strcmp((*impl)->name, name) == 0 && (*impl)->usable(&options, &why))
            return true;
    printf("%s: skipped, %s\n", name, why);
    return false;
}

int main(int argc, char **argv) {
    static struct truth truth;
    int first = 0, last = 0, right = 0, points = 0;
    if (argc != 3 || !palette_ready())
        return 2;
    const char *backend = strcmp(argv[1], "best") == 0 ? NULL : argv[1];
    if (backend && !can_run(backend))
        return 77;
    const bool own = sscanf(argv[2], "own_%d_%d", &first, &last) == 2;
    for (int number = first; number <= last; number++) {
        const int of =
            truth_load(&truth, own ? "own" : argv[2], number) ? draw(&truth, backend) : -1;
        frame_req_finish(&truth.req);
        if (of < 0)
            return 1;
        right += of;
        points += truth.points;
    }
    const bool ok = right >= RIGHT_FROM * points;
    printf("%d of %d counts are right%s\n", right, points, ok ? "" : ": too few");
    return ok ? 0 : 1;
}

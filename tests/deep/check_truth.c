/* Counts of pictures against exact arithmetic that is independent of the program: in a picture
 * planned by `auto`, 99.5 % of the counts of a table must be equal, and at each of its places all
 * except one. Arguments: a backend or "best", and a table, or TABLE_A_B for places A to B of it.
 * Returns 77 if the backend cannot run on this machine. */
#include "render/backends.h"
#include "render/palette.h"
#include "tests/deep/truth.h"

#define RIGHT_FROM     0.995
#define WRONG_AT_PLACE 1

/* Ranges of places that fail until something is built. They are drawn, do not count, and must
 * fail. */
static const struct expected {
    const char *table;
    int first, last;
} expected[] = {
    {NULL, 0, 0},
};

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

static bool is_expected(const char *table, int number) {
    for (const struct expected *at = expected; at->table; at++)
        if (strcmp(at->table, table) == 0 && number >= at->first && number <= at->last)
            return true;
    return false;
}

struct total {
    int right, points;
    bool ok; /* each place is as expected */
};

static void check_place(const char *table, int number, const char *backend, struct total *total) {
    static struct truth truth;
    const bool fails = is_expected(table, number);
    const int right = truth_load(&truth, table, number) ? draw(&truth, backend) : -1;
    const bool ok = right > 0 && truth.points - right <= WRONG_AT_PLACE;
    frame_req_finish(&truth.req);
    if (ok == fails)
        printf("%s: %s\n", truth.name, fails ? "it no longer fails" : "too few");
    total->ok = total->ok && right >= 0 && ok != fails;
    total->right += fails ? 0 : right;
    total->points += fails ? 0 : truth.points;
}

int main(int argc, char **argv) {
    char table[64] = "";
    int first = 0, last = 0;
    if (argc != 3 || !palette_ready())
        return 2;
    const char *backend = strcmp(argv[1], "best") == 0 ? NULL : argv[1];
    if (backend && !can_run(backend))
        return 77;
    if (sscanf(argv[2], "%63[a-z]_%d_%d", table, &first, &last) != 3) {
        snprintf(table, sizeof table, "%s", argv[2]);
        first = 0;
        last = truth_places(table) > 0 ? truth_places(table) - 1 : 0;
    }
    struct total total = {.ok = true};
    for (int number = first; number <= last; number++)
        check_place(table, number, backend, &total);
    const bool ok = total.right >= RIGHT_FROM * total.points;
    printf("%d of %d counts are right%s\n", total.right, total.points, ok ? "" : ": too few");
    return ok && total.ok ? 0 : 1;
}

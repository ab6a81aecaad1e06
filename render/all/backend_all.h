/* A backend made of backends: bands of one picture's rows are drawn by several devices at the same
 * time, which is faster where none of them is much faster than the others. It holds a handle of a
 * device for every band, gives out bands while devices get free, as large as their speeds suggest,
 * and merges what they report. The bytes are those of any exact backend.
 *
 * Pictures that share samples keep their bands, so that a pan draws what came into view and as many
 * rows again at the bands' edges. When a device is lost, the others draw its bands. */
#ifndef FATHOM_RENDER_ALL_BACKEND_ALL_H
#define FATHOM_RENDER_ALL_BACKEND_ALL_H

#include "render/backend.h"

struct backend_all {
    const char *name;
    /* A NULL-terminated list of devices, the fastest first; each a NULL-terminated list of
     * backends, of which the first one that is usable draws. All are exact. */
    const struct backend_impl *const *const *devices;
    size_t split_px; /* smaller pictures are given to one device */
};

/* As the entries of the contract of those names. */
bool backend_all_usable(const struct backend_all *all, const struct backend_options *options,
                        const char **why);
void *backend_all_create(const struct backend_all *all, const struct backend_options *options);

void *backend_all_another(void *impl, enum backend_priority priority);
void backend_all_destroy(void *impl);
void backend_all_info(void *impl, struct backend_info *info);
bool backend_all_submit(void *impl, const struct frame_req *req, const struct target *target);
bool backend_all_recolour(void *impl, uint64_t from, uint64_t generation, const struct look *look);
void backend_all_poll(void *impl, double budget_ms, struct backend_report *report);
void backend_all_cancel(void *impl);
void backend_all_statistics(void *impl, struct statistics *statistics);
extern const struct backend_density backend_all_density;

/* Defines an implementation of that name, with the members of struct backend_all. */
#define BACKEND_ALL(symbol, title, lists, least_px)                                                \
    static const struct backend_all symbol##_what = {                                              \
        .name = (title), .devices = (lists), .split_px = (least_px)};                              \
    static bool symbol##_usable(const struct backend_options *options, const char **why) {         \
        return backend_all_usable(&symbol##_what, options, why);                                   \
    }                                                                                              \
    static void *symbol##_create(const struct backend_options *options) {                          \
        return backend_all_create(&symbol##_what, options);                                        \
    }                                                                                              \
    static const struct backend_impl symbol = {                                                    \
        .name = (title),                                                                           \
        .usable = symbol##_usable,                                                                 \
        .create = symbol##_create,                                                                 \
        .another = backend_all_another,                                                            \
        .destroy = backend_all_destroy,                                                            \
        .info = backend_all_info,                                                                  \
        .submit = backend_all_submit,                                                              \
        .recolour = backend_all_recolour,                                                          \
        .poll = backend_all_poll,                                                                  \
        .cancel = backend_all_cancel,                                                              \
        .statistics = backend_all_statistics,                                                      \
        .density = &backend_all_density,                                                           \
    }

#endif

/* Sends references and tables to a device. */
#include "gpu/escape/device_tables.h"
#include "gpu/device_memory.h"

/* What is the same for all views comes first. */
enum part {
    ORBIT,
    SMALL,
    LIST_AT,
    LIST,
    SEGMENT,
    ORBIT_LOW,
    SEGMENT_LOW,
    USABLE,
    SCALED_C,
    SCALED_C_LOW
};

static bool send(struct device_tables_store *store, struct slices *slices, enum part part,
                 const void *from, size_t bytes) {
    enum device_error error = DEVICE_OK;
    if (!store->part[part].word)
        device_memory_get(store->device, &store->part[part], bytes > 0 ? bytes : 1, &error);
    if (error == DEVICE_OK && bytes > 0)
        error = slices->impl->upload(slices->queue, store->part[part], from, bytes);
    return slices_ok(slices, error);
}

static bool send_lasting(struct device_tables_store *store, struct slices *slices,
                         struct perturbation *of) {
    const struct segments *s = &of->segments;
    const struct reference *r = of->reference;
    device_tables_finish(store);
    const bool ok =
        send(store, slices, ORBIT, r->z, ((size_t)r->length + 1) * 2 * sizeof *r->z) &&
        send(store, slices, SMALL, of->small, r->small_count * sizeof *of->small) &&
        send(store, slices, LIST_AT, s->list_at, ((size_t)s->length + 1) * sizeof *s->list_at) &&
        send(store, slices, LIST, s->list, ((size_t)s->lists + 1) * sizeof *s->list) &&
        send(store, slices, SEGMENT, s->segment, s->size * sizeof *s->segment) &&
        (!r->low ||
         (send(store, slices, ORBIT_LOW, r->low, ((size_t)r->length + 1) * 2 * sizeof *r->low) &&
          send(store, slices, SEGMENT_LOW, s->low, s->size * sizeof *s->low)));
    store->of = ok ? perturbation_ref(of) : NULL;
    return ok;
}

void device_tables_finish(struct device_tables_store *store) {
    for (int i = 0; store->device && i < DEVICE_TABLES_PARTS; i++)
        device_memory_put(store->device, &store->part[i]);
    perturbation_unref(store->of);
    store->of = NULL;
}

bool device_tables_send(struct device_tables_store *store, struct slices *slices,
                        const struct frame_req *req, struct device_tables *tables) {
    struct perturbation *of = req->perturbation;
    struct perturbed_view view;
    const struct perturbed_place place = frame_req_place(req);
    store->device = slices->device;
    if (store->of != of && !send_lasting(store, slices, of))
        return false;
    if (!perturbed_view_init(&view, of, &place, req->limit))
        return slices_ok(slices, DEVICE_NO_MEMORY);
    const bool ok = send(store, slices, USABLE, view.usable, of->segments.lists) &&
                    send(store, slices, SCALED_C, view.c, of->segments.size * sizeof *view.c) &&
                    (!view.c_low || send(store, slices, SCALED_C_LOW, view.c_low,
                                         of->segments.size * sizeof *view.c_low));
    *tables = (struct device_tables){
        .orbit = store->part[ORBIT],
        .small = store->part[SMALL],
        .list_at = store->part[LIST_AT],
        .list = store->part[LIST],
        .usable = store->part[USABLE],
        .segment = store->part[SEGMENT],
        .c = store->part[SCALED_C],
        .orbit_low = store->part[ORBIT_LOW],
        .low = store->part[SEGMENT_LOW],
        .c_low = store->part[SCALED_C_LOW],
        .re = view.tables.re,
        .im = view.tables.im,
        .re_low = view.tables.re_low,
        .im_low = view.tables.im_low,
        .smalls = view.tables.smalls,
        .last = view.tables.last,
        .c_log2 = view.tables.c_log2,
        .series = view.tables.series,
    };
    perturbed_view_finish(&view);
    return ok;
}

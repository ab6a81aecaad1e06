/* Device tables: sends references and their tables to a device. */
#include "gpu/escape/device_tables.h"
#include "gpu/device_memory.h"
#include "gpu/launch/launch.h"

/* Parts of the tables. Only INDEX depends on the view. */
enum part {
    ORBIT,
    SMALL,
    LIST_AT,
    LIST,
    SEGMENT,
    ORBIT_LOW,
    SEGMENT_LOW,
    SEGMENT_BAR,
    SEGMENT_CROSS, /* only for pictures that use them */
    SEGMENT_CROSS_BAR,
    SEGMENT_TRACE, /* only for pictures with traces */
    BEGIN,
    INDEX,
};

#define INDEX_PART (1u << 24) /* maximum number of indices that one launch fills */

static bool allocate_part(struct device_tables_store *store, struct slices *slices, enum part part,
                          size_t bytes) {
    enum device_error error = DEVICE_OK;
    if (!store->part[part].word)
        device_memory_allocate(store->device, &store->part[part], bytes > 0 ? bytes : 1, &error);
    return slices_ok(slices, error);
}

static bool upload_part(struct device_tables_store *store, struct slices *slices, enum part part,
                        const void *from, size_t bytes) {
    return allocate_part(store, slices, part, bytes) &&
           (bytes == 0 ||
            slices_ok(slices, slices->impl->upload(slices->queue, store->part[part], from, bytes)));
}

static bool upload_reference(struct device_tables_store *store, struct slices *slices,
                             struct perturbation *perturbation) {
    const struct segments *s = &perturbation->segments;
    const struct reference *r = perturbation->reference;
    device_tables_finish(store);
    const bool ok =
        upload_part(store, slices, ORBIT, r->z, ((size_t)r->length + 1) * 2 * sizeof *r->z) &&
        upload_part(store, slices, SMALL, perturbation->small,
                    r->small_count * sizeof *perturbation->small) &&
        upload_part(store, slices, LIST_AT, s->list_at,
                    ((size_t)s->length + 1) * sizeof *s->list_at) &&
        upload_part(store, slices, LIST, s->list, ((size_t)s->lists + 1) * sizeof *s->list) &&
        upload_part(store, slices, SEGMENT, s->segment, s->size * sizeof *s->segment) &&
        (!r->low || (upload_part(store, slices, ORBIT_LOW, r->low,
                                 ((size_t)r->length + 1) * 2 * sizeof *r->low) &&
                     upload_part(store, slices, SEGMENT_LOW, s->low, s->size * sizeof *s->low))) &&
        (!s->bar || upload_part(store, slices, SEGMENT_BAR, s->bar, s->size * sizeof *s->bar)) &&
        upload_part(store, slices, BEGIN, r->begin, sizeof r->begin);
    store->perturbation = ok ? perturbation_ref(perturbation) : NULL;
    return ok;
}

void device_tables_finish(struct device_tables_store *store) {
    for (int i = 0; store->device && i < DEVICE_TABLES_PARTS; i++)
        device_memory_free(store->device, &store->part[i]);
    perturbation_unref(store->perturbation);
    store->perturbation = NULL;
}

static bool is_indexed(const struct device_tables_store *store, const struct perturbed_tables *t) {
    return store->part[INDEX].word && store->last == t->last &&
           store->c_most_log2 == t->c_most_log2;
}

/* Fills the view's index, unless it is the same as the previous view's. */
static bool make_index(struct device_tables_store *store, struct slices *slices,
                       const struct perturbed_tables *t, struct device_tables *tables) {
    struct index_args args = {.tables = *tables};
    if (is_indexed(store, t))
        return true;
    if (!allocate_part(store, slices, INDEX,
                       ((size_t)store->perturbation->segments.length + 1) *
                           sizeof(struct perturbed_index)))
        return false;
    store->last = UINT32_MAX; /* invalid if the launch fails */
    args.to = store->part[INDEX];
    for (uint64_t begin = 0; begin <= t->last; begin += args.task.size) {
        const uint64_t left = t->last + UINT64_C(1) - begin;
        args.task.begin = (uint32_t)begin;
        args.task.size = left < INDEX_PART ? (uint32_t)left : INDEX_PART;
        if (!SLICES_LAUNCH(slices, launch_index(slices, &args)))
            return false;
    }
    store->last = t->last;
    store->c_most_log2 = t->c_most_log2;
    return true;
}

static struct table_numbers numbers_of(const struct perturbed_tables *t) {
#define NUMBER(type, name) .name = t->name,
    return (struct table_numbers){TABLE_NUMBER_LIST(NUMBER).steps = t->steps};
#undef NUMBER
}

bool device_tables_upload(struct device_tables_store *store, struct slices *slices,
                          const struct frame_req *req, struct perturbation *perturbation,
                          struct device_tables *tables) {
    const struct perturbed_place place = frame_req_place(req, perturbation);
    const struct perturbed_tables t = perturbed_tables(perturbation, &place, req->limit);
    store->device = slices->device;
    if (store->perturbation != perturbation && !upload_reference(store, slices, perturbation))
        return false;
    *tables = (struct device_tables){
        .orbit = store->part[ORBIT],
        .small = store->part[SMALL],
        .list_at = store->part[LIST_AT],
        .list = store->part[LIST],
        .segment = store->part[SEGMENT],
        .orbit_low = store->part[ORBIT_LOW],
        .low = store->part[SEGMENT_LOW],
        .bar = store->part[SEGMENT_BAR],
        .begin = store->part[BEGIN],
        .numbers = numbers_of(&t),
    };
    if (t.cross) {
        const size_t size = perturbation->segments.size;
        if (!store->part[SEGMENT_CROSS].word &&
            !(upload_part(store, slices, SEGMENT_CROSS, t.cross, size * sizeof *t.cross) &&
              (!t.cross_bar || upload_part(store, slices, SEGMENT_CROSS_BAR, t.cross_bar,
                                           size * sizeof *t.cross_bar))))
            return false;
        tables->cross = store->part[SEGMENT_CROSS];
        tables->cross_bar = store->part[SEGMENT_CROSS_BAR];
    }
    const bool ok = make_index(store, slices, &t, tables);
    tables->index = store->part[INDEX];
    return ok;
}

bool device_traces_upload(struct device_tables_store *store, struct slices *slices,
                          const struct frame_req *req, struct perturbation *perturbation,
                          struct device_traces *traces) {
    const struct perturbed_place place = frame_req_place(req, perturbation);
    const struct perturbed_tables t = perturbed_tables(perturbation, &place, req->limit);
    struct perturbed_traces own;
    if (!perturbed_traces(perturbation, &t, req->limit, &own))
        return slices_ok(slices, DEVICE_NO_MEMORY);
    if (!store->part[SEGMENT_TRACE].word &&
        !upload_part(store, slices, SEGMENT_TRACE, own.segment,
                     perturbation->segments.size * sizeof *own.segment)) {
        device_memory_free(store->device, &store->part[SEGMENT_TRACE]);
        return false;
    }
    *traces = (struct device_traces){store->part[SEGMENT_TRACE], own.series, own.begun};
    return true;
}

/* Opens the devices that draw together, says what they can, and notes which of them are lost. */
#include "render/all/devices.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nobody names them one by one. */
static const struct backend_impl *first_usable(const struct backend_impl *const *impls,
                                               const struct backend_options *options,
                                               const char **why) {
    struct backend_options automatic = *options;
    automatic.automatic = true;
    automatic.inexact = false; /* seams would show */
    for (; *impls; impls++)
        if ((*impls)->usable(&automatic, why))
            return *impls;
    return NULL;
}

bool backend_all_usable(const struct backend_all *all, const struct backend_options *options,
                        const char **why) {
    const char *missing = "it has no devices";
    int count = 0;
    for (size_t i = 0; all->devices[i]; i++)
        count += first_usable(all->devices[i], options, &missing) != NULL;
    *why = count > 1    ? "several devices together"
           : count == 1 ? "one device alone, there is no other"
                        : missing;
    return count > 0;
}

static void say_devices(const struct devices *devices) {
    for (int d = 0; d < devices->count; d++)
        log_info("backend %s: %s%s", devices->all->name, devices->impls[d]->name,
                 devices->count == 1 ? " alone, there is no other device" : "");
}

bool hands_init(struct hands *hands, const struct backend_all *all,
                const struct backend_options *options) {
    struct devices *devices = calloc(1, sizeof *devices);
    struct backend_options each = *options;
    *hands = (struct hands){.devices = devices, .priority = BACKEND_MAIN};
    if (!devices) {
        log_error("not enough memory for a backend");
        return false;
    }
    devices->all = all;
    devices->handles = 1;
    devices->lose_after = options->lose_after;
    each.lose_after = 0;
    each.gl = each.inexact = false;
    each.automatic = true;
    for (size_t i = 0; all->devices[i] && devices->count < SPLIT_DEVICES; i++) {
        const char *why = NULL;
        const struct backend_impl *impl = first_usable(all->devices[i], options, &why);
        void *handle = impl ? impl->create(&each) : NULL;
        if (!handle)
            continue;
        hands->handles[devices->count][0] = handle;
        devices->impls[devices->count++] = impl;
    }
    say_devices(devices);
    return devices->count > 0;
}

bool hands_init_beside(struct hands *hands, const struct hands *others,
                       enum backend_priority priority) {
    struct devices *devices = others->devices;
    bool ok = true;
    *hands = (struct hands){.devices = devices, .priority = priority};
    devices->handles++;
    for (int d = 0; ok && d < devices->count; d++) {
        hands->handles[d][0] = devices->impls[d]->another(others->handles[d][0], priority);
        ok = hands->handles[d][0];
    }
    return ok;
}

void hands_finish(struct hands *hands) {
    struct devices *devices = hands->devices;
    for (int d = 0; devices && d < devices->count; d++)
        for (int h = 0; h < SPLIT_BANDS_MAX; h++)
            if (hands->handles[d][h])
                devices->impls[d]->destroy(hands->handles[d][h]);
    if (devices && --devices->handles == 0)
        free(devices);
}

void *hands_get(struct hands *hands, int device, int hand) {
    void **handles = hands->handles[device];
    if (!handles[hand])
        handles[hand] = hands->devices->impls[device]->another(handles[0], hands->priority);
    return handles[hand];
}

struct backend_info hands_device_info(const struct hands *hands, int device) {
    struct backend_info info;
    hands->devices->impls[device]->info(hands->handles[device][0], &info);
    return info;
}

/* Adds a device to the line of those that draw; one that is starting has no name yet. */
static void name_device(struct hands *hands, const char *name) {
    const size_t used = strlen(hands->names);
    if (name[0])
        snprintf(hands->names + used, sizeof hands->names - used, "%s%s", used ? " and " : "",
                 name);
}

void hands_info(struct hands *hands, struct backend_info *info) {
    const struct devices *devices = hands->devices;
    *info = (struct backend_info){
        .name = devices->all->name,
        .device = hands->names,
        .formulas = ~0u,
        .methods = 1u << METHOD_TILES | 1u << METHOD_ROWS | 1u << METHOD_DEEPEN,
        .caps = BACKEND_CAP_EXACT | BACKEND_CAP_LINES,
    };
    memset(info->types, 0xff, sizeof info->types);
    hands->names[0] = '\0';
    for (int d = 0; d < devices->count; d++) {
        const struct backend_info one = hands_device_info(hands, d);
        if (devices->lost >> d & 1)
            continue;
        name_device(hands, one.device);
        for (int route = 0; route < ROUTE_COUNT; route++)
            info->types[route] &= one.types[route];
        info->formulas &= one.formulas;
        info->methods &= one.methods;
        info->caps &= one.caps;
        info->ready = info->ready || one.ready;
    }
}

unsigned hands_able(const struct hands *hands) {
    unsigned able = 0, ready = 0;
    for (int d = 0; d < hands->devices->count; d++) {
        if ((hands->devices->lost | hands->refuse) >> d & 1)
            continue;
        able |= 1u << d;
        ready |= (unsigned)hands_device_info(hands, d).ready << d;
    }
    return ready ? ready : able;
}

bool devices_lost(const struct devices *devices) {
    return devices->lost == (1u << devices->count) - 1;
}

void devices_lose(struct devices *devices, int device) {
    if (devices->lost >> device & 1)
        return;
    devices->lost |= 1u << device;
    if (devices_lost(devices))
        log_error("backend %s has no device left; use another --backend", devices->all->name);
    else
        log_warn("%s is lost; backend %s goes on without it", devices->impls[device]->name,
                 devices->all->name);
}

void hands_look(struct hands *hands) {
    for (int d = 0; d < hands->devices->count; d++) {
        struct backend_report report;
        if (hands->devices->lost >> d & 1)
            continue;
        hands->devices->impls[d]->poll(hands->handles[d][0], 0, &report);
        if (report.state == BACKEND_LOST)
            devices_lose(hands->devices, d);
    }
}

/* The devices that draw together, and the handles on them of one picture. */
#ifndef FATHOM_RENDER_ALL_DEVICES_H
#define FATHOM_RENDER_ALL_DEVICES_H

#include "render/all/backend_all.h"
#include "render/all/split.h"

/* What all handles share that come from one `create`. */
struct devices {
    const struct backend_all *all;
    int handles, submits, lose_after, count;
    const struct backend_impl *impls[SPLIT_DEVICES];
    /* Measured in pictures that were split; 0: not known. */
    double steps_per_ms[ROUTE_COUNT][TYPE_COUNT][SPLIT_DEVICES];
    unsigned lost; /* a set */
};

/* Handles on each device, one for each band that it has; NULL until needed, but for the first. */
struct hands {
    struct devices *devices;
    enum backend_priority priority;
    void *handles[SPLIT_DEVICES][SPLIT_BANDS_MAX];
    unsigned refuse; /* devices that had no memory for a band of this picture */
    char names[200];
};

/* With devices of their own, or those of others. Finish them in any case. False: logged why. */
bool hands_init(struct hands *hands, const struct backend_all *all,
                const struct backend_options *options);
bool hands_init_beside(struct hands *hands, const struct hands *others,
                       enum backend_priority priority);
void hands_finish(struct hands *hands);

/* Handle number `hand` of a device. NULL: there is none and none can be made, logged. */
void *hands_get(struct hands *hands, int device, int hand);
struct backend_info hands_device_info(const struct hands *hands, int device);
/* What all of them can. */
void hands_info(struct hands *hands, struct backend_info *info);
/* Devices that may draw, as a set: those that have started, if any has. */
unsigned hands_able(const struct hands *hands);

bool devices_lost(const struct devices *devices); /* all of them */
/* Notes, and logs, that a device is lost. */
void devices_lose(struct devices *devices, int device);
/* Notices what was lost while nothing was in flight. */
void hands_look(struct hands *hands);

#endif

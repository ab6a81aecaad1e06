/* Cell maker: makes the cells of density pictures on a thread. */
#include "app/picture/cell_maker.h"
#include "render/base/log.h"

static int make(void *user) {
    struct cell_maker *maker = user;
    maker->made = density_cells_create(&maker->density);
    SDL_AtomicSet(&maker->done, 1);
    return 0;
}

/* Waits for the thread and keeps its cells as the latest ones. */
static void collect(struct cell_maker *maker) {
    SDL_WaitThread(maker->thread, NULL);
    density_cells_unref(maker->cells);
    maker->cells = maker->made;
    maker->made = NULL;
    maker->thread = NULL;
}

static void start(struct cell_maker *maker, const struct density *density) {
    maker->density = *density;
    SDL_AtomicSet(&maker->done, 0);
    maker->thread = SDL_CreateThread(make, "cells", maker);
    if (maker->thread)
        return;
    log_warn("cannot start a thread for cells, so the window waits for them: %s", SDL_GetError());
    make(maker);
    collect(maker);
}

bool cell_maker_ready(struct cell_maker *maker, const struct density *density) {
    if (maker->thread && !SDL_AtomicGet(&maker->done))
        return false;
    if (maker->thread) {
        collect(maker);
        if (!maker->cells && density_equal(&maker->density, density))
            return true;
    }
    if (maker->cells && density_cells_match(maker->cells, density))
        return true;
    start(maker, density);
    return !maker->thread;
}

void cell_maker_finish(struct cell_maker *maker) {
    if (maker->thread)
        collect(maker);
    density_cells_unref(maker->cells);
    maker->cells = NULL;
}

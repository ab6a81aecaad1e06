/* Opening, replacing and outliving backends. */
#include "app/picture/engine.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

#define IMPLS_MAX 32

struct engine {
    const struct backend_impl *const *impls;
    struct backend_options options;
    struct messages *messages;
    struct backend *chosen, *standin; /* standin: draws while `chosen` starts; else NULL */
    uint32_t failed;                  /* bit per implementation that lost its device */
};

/* The implementations that have not failed, NULL-terminated. */
static void remaining(const struct engine *engine,
                      const struct backend_impl *impls[IMPLS_MAX + 1]) {
    size_t count = 0;
    for (size_t i = 0; engine->impls[i] && i < IMPLS_MAX; i++)
        if (!(engine->failed >> i & 1))
            impls[count++] = engine->impls[i];
    impls[count] = NULL;
}

static void mark_failed(struct engine *engine, const char *name) {
    for (size_t i = 0; engine->impls[i] && i < IMPLS_MAX; i++)
        if (strcmp(engine->impls[i]->name, name) == 0)
            engine->failed |= 1u << i;
}

/* The one after `name`, which has not failed. */
static struct backend *open_next(struct engine *engine, const char *name) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    remaining(engine, impls);
    const char *next = backend_next_name(impls, name, &engine->options);
    return next ? backend_open(impls, next, &engine->options) : NULL;
}

static struct backend *open_best(struct engine *engine) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    remaining(engine, impls);
    for (size_t i = 0; impls[i]; i++) {
        const char *why = NULL;
        if (impls[i]->automatic && impls[i]->usable(&engine->options, &why))
            return backend_open(impls, impls[i]->name, &engine->options);
    }
    return NULL;
}

/* Adopts `backend` as the chosen one; finds it a stand-in if it is not ready. */
static void adopt(struct engine *engine, struct backend *backend) {
    backend_close(engine->standin);
    backend_close(engine->chosen);
    engine->chosen = backend;
    engine->standin = NULL;
    const struct backend_info info = backend_info(backend);
    if (!info.ready)
        engine->standin = open_next(engine, info.name);
}

struct engine *engine_create(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options, struct messages *messages) {
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->impls = impls;
    engine->options = *options;
    engine->messages = messages;
    struct backend *backend = backend_open(impls, name, options);
    if (!backend) {
        engine_destroy(engine);
        return NULL;
    }
    adopt(engine, backend);
    return engine;
}

void engine_destroy(struct engine *engine) {
    if (!engine)
        return;
    backend_close(engine->standin);
    backend_close(engine->chosen);
    free(engine);
}

struct backend *engine_backend(struct engine *engine) {
    return engine->standin ? engine->standin : engine->chosen;
}

struct backend_info engine_info(struct engine *engine) {
    return backend_info(engine_backend(engine));
}

const char *engine_starting(struct engine *engine) {
    return engine->standin ? backend_info(engine->chosen).name : NULL;
}

/* The chosen one failed while starting: the stand-in stays. */
static void give_up_chosen(struct engine *engine) {
    const char *name = backend_info(engine->chosen).name;
    messages_post(engine->messages, "%s could not start; continuing with %s", name,
                  backend_info(engine->standin).name);
    mark_failed(engine, name);
    backend_close(engine->chosen);
    engine->chosen = engine->standin;
    engine->standin = NULL;
}

bool engine_update(struct engine *engine) {
    if (!engine->standin)
        return false;
    const struct backend_info info = backend_info(engine->chosen);
    if (info.ready) {
        backend_close(engine->standin);
        engine->standin = NULL;
        log_info("drawing with %s on %s", info.name, info.device);
        return true;
    }
    if (backend_poll(engine->chosen, 0).state == BACKEND_LOST)
        give_up_chosen(engine);
    return false;
}

bool engine_next(struct engine *engine) {
    struct backend *next = open_next(engine, backend_info(engine->chosen).name);
    if (!next) {
        messages_post(engine->messages, "no other backend works here");
        return false;
    }
    adopt(engine, next);
    const struct backend_info info = backend_info(next);
    messages_post(engine->messages, "backend %s", info.name);
    return true;
}

const char *engine_usable(struct engine *engine, size_t i) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    remaining(engine, impls);
    for (size_t at = 0; impls[at]; at++) {
        const char *why = NULL;
        if (impls[at]->automatic && impls[at]->usable(&engine->options, &why) && i-- == 0)
            return impls[at]->name;
    }
    return NULL;
}

bool engine_choose(struct engine *engine, const char *name) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    remaining(engine, impls);
    struct backend *backend = backend_open(impls, name, &engine->options);
    if (!backend) {
        messages_post(engine->messages, "backend %s cannot be used", name);
        return false;
    }
    adopt(engine, backend);
    messages_post(engine->messages, "backend %s", name);
    return true;
}

bool engine_lost(struct engine *engine) {
    const char *name = engine_info(engine).name;
    mark_failed(engine, name);
    if (engine->standin) {
        backend_close(engine->standin);
        engine->standin = NULL;
        return true;
    }
    struct backend *next = open_best(engine);
    if (!next) {
        log_error("backend %s failed and no other can be used here", name);
        return false;
    }
    messages_post(engine->messages, "%s was lost; continuing with %s", name,
                  backend_info(next).name);
    adopt(engine, next);
    return true;
}

void engine_say(struct engine *engine, const char *what) {
    messages_post(engine->messages, "%s %s", engine_info(engine).name, what);
}

bool engine_provoke_loss(struct engine *engine) {
    struct backend_options options = engine->options;
    options.lose_after = 1;
    struct backend *backend = backend_open(engine->impls, engine_info(engine).name, &options);
    if (backend)
        adopt(engine, backend);
    return backend != NULL;
}

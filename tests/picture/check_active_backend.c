/* Choice of the drawing backend: stand-ins while a device starts, devices that fail or are lost,
 * and the next candidate. */
#include "app/picture/active_backend.h"
#include "tests/shared/check.h"

#define FAKES 5

/* Behaviour of the fake backends, set by each test. */
static struct fake {
    bool usable, ready, lost, refuses;
    int open;  /* open instances */
    int asked; /* number of usable() calls */
} fakes[FAKES];

static bool fake_usable(int i, const char **why) {
    fakes[i].asked++;
    if (!fakes[i].usable)
        *why = "a test says so";
    return fakes[i].usable;
}

static void *fake_create(int i) {
    if (fakes[i].refuses)
        return NULL;
    fakes[i].open++;
    return &fakes[i];
}

static void *fake_another(void *impl, enum backend_priority priority) {
    (void)priority;
    ((struct fake *)impl)->open++;
    return impl;
}

static void fake_destroy(void *impl) {
    ((struct fake *)impl)->open--;
}

static bool fake_submit(void *impl, const struct frame_req *req, const struct target *target) {
    (void)impl;
    (void)req;
    (void)target;
    return true;
}

static void fake_poll(void *impl, double budget_ms, struct backend_report *report) {
    (void)budget_ms;
    *report =
        (struct backend_report){.state = ((struct fake *)impl)->lost ? BACKEND_LOST : BACKEND_IDLE};
}

static void fake_cancel(void *impl) {
    (void)impl;
}

#define FAKE(i, label, is_automatic, is_second)                                                    \
    static bool usable_##i(const struct backend_options *options, const char **why) {              \
        (void)options;                                                                             \
        return fake_usable(i, why);                                                                \
    }                                                                                              \
    static void *create_##i(const struct backend_options *options) {                               \
        (void)options;                                                                             \
        return fake_create(i);                                                                     \
    }                                                                                              \
    static void info_##i(void *impl, struct backend_info *info) {                                  \
        (void)impl;                                                                                \
        *info = (struct backend_info){.name = label, .device = "", .ready = fakes[i].ready};       \
    }                                                                                              \
    static const struct backend_impl fake_##i = {                                                  \
        .name = label,                                                                             \
        .automatic = is_automatic,                                                                 \
        .second = is_second,                                                                       \
        .usable = usable_##i,                                                                      \
        .create = create_##i,                                                                      \
        .another = fake_another,                                                                   \
        .destroy = fake_destroy,                                                                   \
        .info = info_##i,                                                                          \
        .submit = fake_submit,                                                                     \
        .poll = fake_poll,                                                                         \
        .cancel = fake_cancel,                                                                     \
    };

FAKE(0, "gpu", true, false)
FAKE(1, "fast", true, false)
FAKE(2, "slow", true, false)
FAKE(3, "odd", false, false)
FAKE(4, "other", false, true)

static const struct backend_impl *const impls[] = {&fake_0, &fake_1, &fake_2, &fake_3, NULL};

static struct active_backend *start(const char *name, struct messages *messages) {
    const struct backend_options options = {.threads = 0};
    *messages = (struct messages){0};
    for (int i = 0; i < FAKES; i++)
        CHECK(fakes[i].open == 0);
    return active_backend_create(impls, name, &options, messages);
}

static void reset(void) {
    for (int i = 0; i < FAKES; i++)
        fakes[i] = (struct fake){.usable = true, .ready = true};
}

static bool draws(struct active_backend *active, const char *name) {
    return strcmp(active_backend_info(active).name, name) == 0;
}

static bool told(const struct messages *messages, const char *text) {
    return messages->count > 0 && strstr(messages->list[messages->count - 1].text, text);
}

static void check_starting(void) {
    struct messages messages;
    reset();
    fakes[0].ready = false;
    struct active_backend *active = start(NULL, &messages);
    CHECK(active && draws(active, "fast") && strcmp(active_backend_starting(active), "gpu") == 0);
    CHECK(!active_backend_update(active) && fakes[0].open == 1 && fakes[1].open == 1);
    fakes[0].ready = true;
    CHECK(active_backend_update(active) && draws(active, "gpu") &&
          !active_backend_starting(active));
    CHECK(fakes[1].open == 0 && !active_backend_update(active));
    active_backend_destroy(active);
    CHECK(fakes[0].open == 0);
}

/* Checks that handles for insets belong to the drawing backend, and are created again once it is
 * lost. */
static void check_beside(void) {
    struct messages messages;
    reset();
    fakes[0].ready = false;
    struct active_backend *active = start(NULL, &messages);
    struct backend *rest = active_backend_low_priority(active, BACKEND_REST);
    CHECK(rest != active_backend_get(active) && fakes[1].open == 2);
    CHECK(active_backend_low_priority(active, BACKEND_REST) == rest && fakes[1].open == 2);
    active_backend_low_priority(active, BACKEND_BEHIND);
    CHECK(fakes[1].open == 3 && fakes[0].open == 1);
    fakes[0].ready = true;
    CHECK(active_backend_update(active) && fakes[1].open == 0);
    rest = active_backend_low_priority(active, BACKEND_REST);
    CHECK(fakes[0].open == 2);
    fakes[0].lost = true;
    CHECK(backend_poll(rest, 0).state == BACKEND_LOST);
    CHECK(!backend_is_lost(active_backend_low_priority(active, BACKEND_REST)) &&
          fakes[0].open == 2);
    CHECK(active_backend_lost(active) && fakes[0].open == 0);
    active_backend_low_priority(active, BACKEND_INSET);
    active_backend_destroy(active);
    for (int i = 0; i < FAKES; i++)
        CHECK(fakes[i].open == 0);
}

static void check_failing_start(void) {
    struct messages messages;
    reset();
    fakes[0].ready = false;
    struct active_backend *active = start("gpu", &messages);
    fakes[0].lost = true;
    CHECK(!active_backend_update(active) && draws(active, "fast") &&
          !active_backend_starting(active));
    CHECK(told(&messages, "gpu could not start") && fakes[0].open == 0);
    /* A device that could not start is not tried again. */
    CHECK(active_backend_next(active) && draws(active, "slow"));
    CHECK(active_backend_next(active) && draws(active, "fast"));
    CHECK(!active_backend_starting(active) && fakes[0].open == 0);
    active_backend_destroy(active);
    /* The stand-in itself fails: the starting device has to draw. */
    reset();
    fakes[0].ready = false;
    active = start(NULL, &messages);
    CHECK(active_backend_lost(active) && draws(active, "gpu") && !active_backend_starting(active));
    CHECK(active_backend_lost(active) && draws(active, "slow"));
    active_backend_destroy(active);
}

static void check_losses(void) {
    struct messages messages;
    reset();
    struct active_backend *active = start("slow", &messages);
    CHECK(active && draws(active, "slow"));
    CHECK(active_backend_lost(active) && draws(active, "gpu") && told(&messages, "slow was lost"));
    CHECK(active_backend_lost(active) && draws(active, "fast"));
    log_start();
    CHECK(!active_backend_lost(active) && log_is_one_line("no other can be used"));
    active_backend_destroy(active);
    for (int i = 0; i < FAKES; i++)
        CHECK(fakes[i].open == 0);
}

static void check_next(void) {
    struct messages messages;
    reset();
    fakes[1].usable = false;
    struct active_backend *active = start(NULL, &messages);
    CHECK(active_backend_next(active) && draws(active, "slow") && told(&messages, "slow"));
    CHECK(active_backend_next(active) && draws(active, "gpu"));
    fakes[2].refuses = true;
    CHECK(!active_backend_next(active) && draws(active, "gpu") && fakes[0].open == 1);
    fakes[2].usable = false;
    CHECK(!active_backend_next(active) && draws(active, "gpu") && told(&messages, "no other"));
    active_backend_destroy(active);
    reset();
    CHECK((active = start("odd", &messages)) && draws(active, "odd"));
    active_backend_destroy(active);
    CHECK_REFUSED(start("nonsense", &messages), "there is no backend");
}

/* Checks the second implementation for a GPU: it is chosen, and even asked, only if the first
 * cannot be used. */
static void check_second(void) {
    static const struct backend_impl *const both[] = {&fake_0, &fake_4, &fake_1, NULL};
    const struct backend_options options = {.threads = 0};
    struct messages messages = {0};
    reset();
    fakes[0].ready = false;
    struct active_backend *active = active_backend_create(both, NULL, &options, &messages);
    CHECK(active && draws(active, "fast") && strcmp(active_backend_starting(active), "gpu") == 0);
    CHECK(active_backend_next(active) && draws(active, "fast"));
    CHECK(active_backend_lost(active) && draws(active, "gpu"));
    /* Nor after the first one failed. */
    CHECK(fakes[4].asked == 0 && !active_backend_lost(active));
    CHECK(fakes[4].asked == 0);
    active_backend_destroy(active);
    reset();
    fakes[0].usable = false;
    active = active_backend_create(both, NULL, &options, &messages);
    CHECK(active && draws(active, "other") && active_backend_lost(active) && draws(active, "fast"));
    active_backend_destroy(active);
    reset();
    active = active_backend_create(both, "other", &options, &messages);
    CHECK(active && draws(active, "other"));
    active_backend_destroy(active);
}

static void check_messages(void) {
    struct messages messages = {0};
    for (int i = 0; i < 3 * MESSAGES_MAX; i++)
        messages_post(&messages, "message %d", i);
    CHECK(messages.count == MESSAGES_MAX && told(&messages, "message 11") &&
          strcmp(messages.list[0].text, "message 8") == 0);
    messages.list[0].until_ms = 0;
    CHECK(messages_expire(&messages) == messages.list[0].until_ms &&
          messages.count == MESSAGES_MAX - 1);
}

int main(void) {
    check_starting();
    check_beside();
    check_failing_start();
    check_losses();
    check_next();
    check_second();
    check_messages();
    return failures > 0;
}

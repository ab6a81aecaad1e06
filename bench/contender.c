/* Choosing, opening and drawing. */
#include "bench/contender.h"
#include "cpu/cpuid.h"
#include "render/log.h"
#include "render/sample.h"
#include <omp.h>
#include <string.h>
#include <time.h>

bool bench_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strcspn(p, ",") == length && strncmp(p, name, length) == 0)
            return true;
    return !list;
}

/* --- choosing --- */

int contender_threads(const struct bench_setup *setup) {
    return setup->options.threads > 0 ? setup->options.threads : omp_get_num_procs();
}

static enum limit_unit unit_of(const struct backend_impl *impl) {
    for (int unit = 0; unit < LIMIT_GPU; unit++)
        if (strcmp(impl->name, limit_unit_name((enum limit_unit)unit)) == 0)
            return (enum limit_unit)unit;
    return LIMIT_GPU;
}

/* Who draws a view, being listed. */
struct choice {
    const struct bench_setup *setup;
    const struct bench_view *view;
    struct contender *list;
    int count;
    bool cpu, gpu; /* is there a backend on it? */
};

static void add(struct choice *choice, struct contender contender) {
    if (choice->count < CONTENDERS_MAX)
        choice->list[choice->count++] = contender;
}

static bool wanted(const struct choice *choice, const struct backend_impl *impl,
                   enum limit_unit unit) {
    const struct bench_setup *setup = choice->setup;
    const unsigned flags = choice->view->flags;
    const char *why = "";
    if (!impl->automatic || !bench_listed(setup->backends, impl->name) ||
        !(flags & (unit == LIMIT_GPU ? BENCH_GPU : BENCH_CPU)))
        return false;
    if (unit == LIMIT_SCALAR && !(flags & BENCH_SCALAR) && !setup->backends)
        return false;
    return impl->usable(&setup->options, &why);
}

/* A backend in all its settings. */
static void add_backend(struct choice *choice, const struct backend_impl *impl) {
    const struct bench_setup *setup = choice->setup;
    const enum limit_unit unit = unit_of(impl);
    const unsigned flags = choice->view->flags;
    const bool gpu = unit == LIMIT_GPU;
    const int threads = gpu ? 0 : contender_threads(setup);
    const unsigned other = setup->shortcuts ? SHORTCUTS_NONE : SHORTCUTS_ALL;
    if (!wanted(choice, impl, unit))
        return;
    *(gpu ? &choice->gpu : &choice->cpu) = true;
    for (int type = 0; type < TYPE_COUNT; type++) {
        struct contender contender = {.name = impl->name,
                                      .impl = impl,
                                      .unit = unit,
                                      .type = (enum number_type)type,
                                      .shortcuts = setup->shortcuts,
                                      .threads = threads};
        if (!(setup->types >> type & 1))
            continue;
        add(choice, contender);
        if (flags & BENCH_SCALING && threads > 1 && unit != LIMIT_SCALAR) {
            contender.threads = 1;
            add(choice, contender);
            contender.threads = threads;
        }
        if (flags & BENCH_SHORTCUTS) {
            contender.shortcuts = other;
            add(choice, contender);
        }
    }
}

static void add_baselines(struct choice *choice) {
    static loop_fn *const loops[TYPE_COUNT] = {loop_vector_float, loop_vector_double};
    const struct bench_setup *setup = choice->setup;
    const int threads = contender_threads(setup);
    const bool cpu = choice->cpu && choice->view->flags & BENCH_SCALAR;
    const bool avx2 = cpu_flags(setup->options.cpumask) & CPU_AVX2;
    if (cpu)
        add(choice, (struct contender){.name = "plain",
                                       .loop = loop_plain_double,
                                       .unit = LIMIT_SCALAR,
                                       .type = TYPE_DOUBLE,
                                       .threads = threads});
    for (int type = 0; type < TYPE_COUNT; type++) {
        if (!(setup->types >> type & 1))
            continue;
        if (cpu && avx2)
            add(choice, (struct contender){.name = "avx2-loop",
                                           .loop = loops[type],
                                           .unit = LIMIT_AVX2,
                                           .type = (enum number_type)type,
                                           .threads = threads});
        if (choice->gpu)
            add(choice, (struct contender){.name = "cuda-loop",
                                           .unit = LIMIT_GPU,
                                           .type = (enum number_type)type});
    }
}

int contenders_choose(const struct bench_setup *setup, const struct bench_view *view,
                      struct contender list[CONTENDERS_MAX]) {
    struct choice choice = {.setup = setup, .view = view, .list = list};
    for (const struct backend_impl *const *impl = setup->impls; *impl; impl++)
        add_backend(&choice, *impl);
    add_baselines(&choice);
    return choice.count;
}

/* --- opening --- */

static struct backend *find_open(const struct contender *contender, const struct devices *devices) {
    for (int i = 0; i < devices->count; i++)
        if (devices->open[i].impl == contender->impl &&
            devices->open[i].threads == contender->threads)
            return devices->open[i].backend;
    return NULL;
}

static bool open_backend(const struct contender *contender, const struct bench_setup *setup,
                         struct devices *devices) {
    struct backend_options options = setup->options;
    options.threads = contender->threads;
    struct backend *backend =
        devices->count < DEVICES_MAX ? backend_open(setup->impls, contender->name, &options) : NULL;
    if (!backend)
        return false;
    devices->open[devices->count++] =
        (struct device_open){contender->impl, contender->threads, backend};
    if (!(backend_info(backend).methods >> setup->method & 1))
        log_warn("backend %s has no method %s and is not measured", contender->name,
                 method_name(setup->method));
    return true;
}

bool contender_open(const struct contender *contender, const struct bench_setup *setup,
                    struct devices *devices) {
    if (contender->unit == LIMIT_GPU && !devices->gpu) {
        devices->gpu = gpu_create(setup->options.device);
        if (!devices->gpu)
            return false;
    }
    return !contender->impl || find_open(contender, devices) ||
           open_backend(contender, setup, devices);
}

bool contender_able(const struct contender *contender, const struct bench_setup *setup,
                    const struct devices *devices) {
    if (!contender->impl)
        return true;
    const struct backend_info info = backend_info(find_open(contender, devices));
    return info.methods >> setup->method & 1 && info.caps & BACKEND_CAP_EXACT;
}

void devices_finish(struct devices *devices) {
    for (int i = 0; i < devices->count; i++)
        backend_close(devices->open[i].backend);
    gpu_destroy(devices->gpu);
    *devices = (struct devices){0};
}

/* --- drawing --- */

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool go_on(void *user, const struct backend_report *report) {
    const struct bench_setup *setup = user;
    (void)report;
    return !setup->stop();
}

static bool draw_backend(const struct contender *contender, const struct bench_setup *setup,
                         struct backend *backend, struct subject *subject, bool counts,
                         struct drawing *drawing) {
    struct backend_report report;
    const struct target target = {.rgba = subject->rgba, .count = counts ? subject->count : NULL};
    subject->req.generation++;
    subject->req.type = contender->type;
    subject->req.shortcuts = contender->shortcuts;
    if (!backend_draw(backend, &subject->req, &target, go_on, (void *)setup, &report))
        return false;
    *drawing = (struct drawing){.ms = report.device_ms > 0 ? report.device_ms : report.elapsed_ms,
                                .elapsed_ms = report.elapsed_ms,
                                .iterations = report.iterations,
                                .skipped = report.skipped};
    return true;
}

static uint64_t sum_counts(const struct subject *subject) {
    const size_t pixels = (size_t)subject->req.width_px * (size_t)subject->req.height_px;
    uint64_t sum = 0;
    for (size_t i = 0; i < pixels; i++)
        sum += subject->count[i] & SAMPLE_COUNT_MASK;
    return sum;
}

static bool draw_loop(const struct contender *contender, const struct bench_setup *setup,
                      struct gpu *gpu, struct subject *subject, bool counts,
                      struct drawing *drawing) {
    const struct loop_job job = {.width_px = subject->req.width_px,
                                 .height_px = subject->req.height_px,
                                 .re = subject->re[contender->type],
                                 .im = subject->im[contender->type],
                                 .limit = subject->req.limit,
                                 .threads = contender->threads,
                                 .stop = setup->stop,
                                 .count = counts || contender->loop ? subject->count : NULL};
    const double start = now_ms();
    *drawing = (struct drawing){0};
    if (contender->loop) {
        contender->loop(&job);
        drawing->ms = now_ms() - start;
    } else if (!gpu_loop(gpu, contender->type, &job, &drawing->ms)) {
        return false;
    }
    drawing->elapsed_ms = drawing->ms;
    if (counts)
        drawing->iterations = sum_counts(subject);
    return !setup->stop();
}

bool contender_draw(const struct contender *contender, const struct bench_setup *setup,
                    struct devices *devices, struct subject *subject, bool counts,
                    struct drawing *drawing) {
    if (contender->impl)
        return draw_backend(contender, setup, find_open(contender, devices), subject, counts,
                            drawing);
    return draw_loop(contender, setup, devices->gpu, subject, counts, drawing);
}

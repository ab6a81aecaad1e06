/* Backends and baselines as one kind of thing, which draws a view to be measured. */
#include "lab/bench/contender.h"
#include "cpu/cpuid.h"
#include "render/base/clock.h"
#include "render/sample.h"
#include <string.h>
#include <time.h>

/* --- choosing --- */

/* A unit of the processor's is one of that name; a GPU has CUDA's limits where CUDA knows it. */
static enum limit_unit unit_of(const struct backend_impl *impl, const struct bench_setup *setup) {
    for (int unit = 0; unit < LIMIT_GPU; unit++)
        if (strcmp(impl->name, limit_unit_name((enum limit_unit)unit)) == 0)
            return (enum limit_unit)unit;
    return gpu_usable(setup->options.device) ? LIMIT_GPU : LIMIT_NONE;
}

/* The contenders of a view, being listed. */
struct choice {
    const struct bench_setup *setup;
    const struct bench_view *view;
    struct contender *list;
    int count;
    bool cpu, gpu; /* is there a backend on it? Of GPUs, on one that CUDA has */
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
    if (!(setup->backends ? setup_lists(setup->backends, impl->name) : impl->automatic) ||
        !(flags & (unit < LIMIT_GPU ? BENCH_CPU : BENCH_GPU)))
        return false;
    if (unit == LIMIT_SCALAR && !(flags & BENCH_SCALAR) && !setup->backends)
        return false;
    return impl->usable(&setup->options, &why);
}

/* Whether the backends draw this view in a type; in wide numbers only where that is shown, or nothing
 * else is asked for; around a reference in doubles. */
static bool draws_in(const struct choice *choice, enum number_type type) {
    const struct bench_setup *setup = choice->setup;
    if (!(setup->types >> type & 1))
        return false;
    if (choice->view->flags & BENCH_DEEP)
        return type == TYPE_DOUBLE && setup->arithmetic == ARITHMETIC_FUSED;
    return type != TYPE_WIDE || (setup->arithmetic == ARITHMETIC_FUSED &&
                                 (choice->view->flags & BENCH_WIDE || setup->types == 1u << type));
}

/* A backend in all its settings. */
static void add_backend(struct choice *choice, const struct backend_impl *impl) {
    const struct bench_setup *setup = choice->setup;
    const enum limit_unit unit = unit_of(impl, setup);
    const unsigned flags = choice->view->flags;
    const bool gpu = unit >= LIMIT_GPU;
    const int threads = gpu ? 0 : setup_threads(setup);
    const unsigned other = setup->shortcuts ? SHORTCUTS_NONE : SHORTCUTS_ALL;
    if (!wanted(choice, impl, unit))
        return;
    choice->cpu = choice->cpu || !gpu;
    choice->gpu = choice->gpu || unit == LIMIT_GPU;
    for (int type = 0; type < TYPE_COUNT; type++) {
        struct contender contender = {.name = impl->name,
                                      .impl = impl,
                                      .unit = unit,
                                      .type = (enum number_type)type,
                                      .shortcuts = setup->shortcuts,
                                      .threads = threads};
        if (!draws_in(choice, contender.type))
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
    static loop_fn *const loops[TYPE_NATIVE_COUNT] = {loop_vector_float, loop_vector_double};
    const struct bench_setup *setup = choice->setup;
    const int threads = setup_threads(setup);
    const bool cpu = choice->cpu && choice->view->flags & BENCH_SCALAR;
    const bool avx2 = cpu_flags(setup->options.cpumask) & CPU_AVX2;
    if (cpu)
        add(choice, (struct contender){.name = "plain",
                                       .loop = loop_plain_double,
                                       .unit = LIMIT_SCALAR,
                                       .type = TYPE_DOUBLE,
                                       .threads = threads});
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
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
    if (!(view->flags & BENCH_DEEP))
        add_baselines(&choice);
    return choice.count;
}

/* --- drawing --- */

bool contender_open(const struct contender *contender, struct devices *devices, bool *able) {
    *able = true;
    if (contender->unit == LIMIT_GPU && !devices_gpu(devices))
        return false;
    if (!contender->impl)
        return true;
    struct backend *backend = devices_backend(devices, contender->impl, contender->threads);
    if (!backend)
        return false;
    const struct backend_info info = backend_info(backend);
    *able = info.methods >> devices->setup->method & 1 && info.caps & BACKEND_CAP_EXACT;
    return true;
}

static double processor_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool go_on(void *user, const struct backend_report *report) {
    const struct bench_setup *setup = user;
    (void)report;
    return !setup->stop();
}

static bool draw_backend(const struct contender *contender, struct devices *devices,
                         struct subject *subject, bool counts, struct drawing *drawing) {
    struct backend *backend = devices_backend(devices, contender->impl, contender->threads);
    struct backend_report report;
    const struct target target = {.rgba = subject->rgba,
                                  .planes = {.count = counts ? subject->count : NULL}};
    subject->req.generation++;
    subject->req.type = contender->type;
    subject->req.shortcuts = contender->shortcuts;
    if (!backend ||
        !backend_draw(backend, &subject->req, &target, go_on, (void *)devices->setup, &report))
        return false;
    drawing->ms = report.device_ms > 0 ? report.device_ms : report.elapsed_ms;
    drawing->elapsed_ms = report.elapsed_ms;
    drawing->iterations = report.iterations;
    drawing->skipped = report.skipped;
    return true;
}

static bool draw_loop(const struct contender *contender, struct devices *devices,
                      struct subject *subject, bool counts, struct drawing *drawing) {
    const struct loop_job job = {.width_px = subject->req.width_px,
                                 .height_px = subject->req.height_px,
                                 .re = subject->re[contender->type],
                                 .im = subject->im[contender->type],
                                 .limit = subject->req.limit,
                                 .threads = contender->threads,
                                 .stop = devices->setup->stop,
                                 .count = counts || contender->loop ? subject->count : NULL};
    const double start = clock_ms();
    if (contender->loop) {
        contender->loop(&job);
        drawing->ms = clock_ms() - start;
    } else if (!gpu_loop(devices_gpu(devices), contender->type, &job, &drawing->ms)) {
        return false;
    }
    drawing->elapsed_ms = drawing->ms;
    return !job.stop();
}

static uint64_t sum_counts(const struct subject *subject) {
    const size_t pixels = (size_t)subject->req.width_px * (size_t)subject->req.height_px;
    uint64_t sum = 0;
    for (size_t i = 0; i < pixels; i++)
        sum += subject->count[i] & SAMPLE_COUNT_MASK;
    return sum;
}

bool contender_draw(const struct contender *contender, struct devices *devices,
                    struct subject *subject, bool counts, struct drawing *drawing) {
    const double start = processor_ms();
    *drawing = (struct drawing){0};
    const bool ok = contender->impl ? draw_backend(contender, devices, subject, counts, drawing)
                                    : draw_loop(contender, devices, subject, counts, drawing);
    drawing->cpu_ms = processor_ms() - start;
    if (ok && counts && !contender->impl)
        drawing->iterations = sum_counts(subject);
    return ok;
}

/* Rows that are drawn by the programs of lab/gpu/gpu.h. */
#include "lab/modes/modes_gpu.h"
#include "lab/opencl/opencl.h"

/* --- drawing --- */

static bool run_program(struct modes_row *row, const struct modes_picture *picture,
                        struct gpu_times *times) {
    const struct gpu_job job = {.program = (enum gpu_program)row->program,
                                .number = (enum gpu_number)row->number,
                                .arithmetic = row->run->setup.arithmetic,
                                .width_px = picture->width_px,
                                .height_px = picture->height_px,
                                .re = picture->re[row->number],
                                .im = picture->im[row->number],
                                .limit = picture->limit,
                                .shortcuts = row->shortcuts,
                                .rows_per_launch = row->rows,
                                .count = row->view->count};
    struct lab *lab = row->run->lab;
    return row->opencl ? lab_opencl_count(lab_opencl_device(lab), &job, times)
                       : lab_gpu_count(lab_device(lab), &job, times);
}

/* One dispatch by itself, with the coordinates there and the counts back, as the seed does it. */
static bool time_dispatch(struct modes_row *row, int y0, struct series *series) {
    const struct modes_picture *whole = &row->view->picture;
    const int left = whole->height_px - y0;
    const struct modes_picture rows =
        modes_picture_rows(whole, y0, row->rows < left ? row->rows : left);
    struct gpu_times times;
    if (!run_program(row, &rows, &times))
        return false;
    series_add(series, times.total_ms);
    return true;
}

static bool draw_program(struct modes_row *row, bool counts, double *ms) {
    const int height = row->view->picture.height_px;
    struct gpu_times times;
    if (!run_program(row, &row->view->picture, &times))
        return false;
    *ms = times.total_ms;
    row->dispatches = times.launches;
    if (counts)
        return true;
    series_add(&row->kernel_ms, times.kernel_ms);
    if (row->rows == 0 || times.launches == 1)
        return true;
    return time_dispatch(row, 0, &row->shallow_ms) &&
           time_dispatch(row, height / 2 / row->rows * row->rows, &row->deep_ms);
}

/* --- rows --- */

struct program {
    const char *name;
    enum gpu_program program;
    int rows; /* a launch; 0: all */
};

/* In all the types that the program takes. */
static void add_program(struct modes_rows *rows, struct modes_run *run, struct modes_view *view,
                        const struct program *program, unsigned shortcuts, bool opencl) {
    for (int number = 0; number < MFUNC_NUMBERS; number++)
        if (opencl ||
            gpu_program_takes(program->program, (enum gpu_number)number, run->setup.arithmetic))
            modes_rows_add(rows, (struct modes_row){.run = run,
                                                    .view = view,
                                                    .drawing = program->name,
                                                    .device = opencl ? "OpenCL" : "GPU",
                                                    .number = (enum mfunc_number)number,
                                                    .ours = program->program == GPU_OURS,
                                                    .shortcuts = shortcuts,
                                                    .draw = draw_program,
                                                    .program = (int)program->program,
                                                    .opencl = opencl,
                                                    .rows = program->rows});
}

static void add_programs(struct modes_rows *rows, struct modes_run *run, struct modes_view *view,
                         const struct program *programs, int count) {
    static const struct program ours = {"counts alone", GPU_OURS, 0};
    for (int i = 0; i < count && lab_opencl_device(run->lab); i++)
        add_program(rows, run, view, &programs[i], SHORTCUTS_NONE, true);
    if (!lab_device(run->lab))
        return;
    for (int i = 0; i < count; i++)
        add_program(rows, run, view, &programs[i], SHORTCUTS_NONE, false);
    add_program(rows, run, view, &ours, SHORTCUTS_NONE, false);
    add_program(rows, run, view, &ours, SHORTCUTS_ALL, false);
}

void modes_gpu_add(struct modes_rows *rows, struct modes_run *run, struct modes_view *view) {
    static const struct program programs[] = {{"simple", GPU_STRIDED64, MODES_FEW_ROWS},
                                              {"parallel", GPU_PIXEL, 0},
                                              {"iterative", GPU_MASKED32, 0}};
    add_programs(rows, run, view, programs, 3);
}

void modes_gpu_add_dispatch(struct modes_rows *rows, struct modes_run *run,
                            struct modes_view *view) {
    static const struct program programs[] = {
        {"64 workers, 1 row", GPU_STRIDED64, 1},
        {"64 workers, 25 rows", GPU_STRIDED64, MODES_FEW_ROWS},
        {"64 workers, all rows", GPU_STRIDED64, 0},
        {"a thread a pixel", GPU_PIXEL, 0},
        {"32 steps masked", GPU_MASKED32, 0}};
    add_programs(rows, run, view, programs, 5);
}

/* Kernel arguments: one list per kernel, from which the host's struct, the kernel's struct,
 * OpenCL's parameters and the rows that describe the struct to a launch are made.
 *
 * A list has the form LIST(KIND, S): each entry KIND##_FIRST, _VALUE, _MEMORY, _PLANES, _LIST or
 * _TABLES makes what KIND stands for (MEMBER, PARAMETER, INITIAL, ROW). S is the struct. The first
 * entry of each list is a struct of numbers, `task`. OpenCL C allows no pointers within buffers:
 * each pointer is a parameter, and the kernel makes the struct at its start. There a member for
 * numbers is a pointer to the parameter, which VALUE_OF hides. */
#ifndef FATHOM_GPU_KERNELS_ARGUMENTS_H
#define FATHOM_GPU_KERNELS_ARGUMENTS_H

#include "gpu/escape/tasks.h"
#include "render/sample.h"

#define KERNEL_GROUP 128u /* threads per group; kernels compiled as C have groups of one thread */

#if !defined KERNEL_TEXT || defined REFERENCE
#include "gpu/escape/table_numbers.h"
#include "render/deep/perturbed_trace.h"
#endif
#if !defined KERNEL_TEXT || defined POINTS || defined PAINT
#include "gpu/density/cell_bounds.h"
#endif
#ifndef KERNEL_TEXT
#include "gpu/device.h"
#endif

/* DEVICE_POINTER(type) is a position in device memory; the host uses a struct device_pointer. */
#ifdef KERNEL_TEXT
#define DEVICE_POINTER(type) GLOBAL type *
#else
#define DEVICE_POINTER(type) struct device_pointer
#endif
#ifdef __OPENCL_C_VERSION__
#define KERNEL_VALUE(type) const type *
#define VALUE_OF(member)   (member)
#else
#define KERNEL_VALUE(type) type
#define VALUE_OF(member)   (&(member))
#endif

/* Planes of a picture's samples (render/sample.h), by number; unused planes are NULL. On the host
 * they also have names. */
#define PLANES_MEMBER(name, type) DEVICE_POINTER(type) name;
#ifdef KERNEL_TEXT
struct planes {
    GLOBAL void *plane[SAMPLE_PLANES];
};
#define PLANE_TYPE(name, type) typedef type plane_of_##name;
SAMPLE_PLANE_LIST(PLANE_TYPE)
#define PLANE(planes, name) ((GLOBAL plane_of_##name *)(planes).plane[SAMPLE_PLANE_##name])
#else
struct planes {
    union {
        struct {
            SAMPLE_PLANE_LIST(PLANES_MEMBER)
        };
        DEVICE_POINTER(void) plane[SAMPLE_PLANES];
    };
};
#endif
#undef PLANES_MEMBER

/* Pointers of a reference's tables, as in struct perturbed_tables. */
#define TABLE_MEMORY_LIST(X)                                                                       \
    X(const struct perturbed_index, index)                                                         \
    X(const double, orbit)                                                                         \
    X(const struct perturbed_small, small)                                                         \
    X(const uint32_t, list_at)                                                                     \
    X(const struct segment_list, list)                                                             \
    X(const struct segment, segment)                                                               \
    X(const struct segment_cross, cross) /* NULL: not used */                                      \
    X(const double, orbit_low)           /* wide numbers only */                                   \
    X(const struct segment_low, low)     /* wide numbers only */                                   \
    X(const uint32_t, begin)                                                                       \
    X(const struct segment_bar, bar) /* formulas other than z^2 + c only */                        \
    X(const struct segment_cross_bar, cross_bar)

#if !defined KERNEL_TEXT || defined REFERENCE
#define TABLE_MEMBER(type, name) DEVICE_POINTER(type) name;
struct device_tables {
    KERNEL_VALUE(struct table_numbers) numbers;
    TABLE_MEMORY_LIST(TABLE_MEMBER)
};
#undef TABLE_MEMBER
#endif

/* Orbits of orbit density under way, as arrays of the request's number type. */
#define POINTS_MEMORY_LIST(X)                                                                      \
    X(real, cr)                                                                                    \
    X(real, ci)                                                                                    \
    X(real, zr)                                                                                    \
    X(real, zi)                                                                                    \
    X(uint32_t, done) /* steps: z is z_done */                                                     \
    X(uint32_t, end)  /* plotting only: step of the last point */                                  \
    X(uint8_t, plane) /* plotting only: number of the plane */

#if !defined KERNEL_TEXT || defined POINTS
#define POINTS_MEMBER(type, name) DEVICE_POINTER(type) name;
struct points_list {
    POINTS_MEMORY_LIST(POINTS_MEMBER)
};
#undef POINTS_MEMBER
#endif

/* --- code that the entries of a list make --- */

#define MEMBER_FIRST(S, type, name)  KERNEL_VALUE(type) name;
#define MEMBER_VALUE(S, type, name)  KERNEL_VALUE(type) name;
#define MEMBER_MEMORY(S, type, name) DEVICE_POINTER(type) name;
#define MEMBER_PLANES(S, name)       struct planes name;
#define MEMBER_LIST(S, name)         struct points_list name;
#define MEMBER_TABLES(S, name)       struct device_tables name;

/* Defines the struct that a list makes. */
#define ARGUMENT_STRUCT(name, ARGUMENTS)                                                           \
    struct name {                                                                                  \
        ARGUMENTS(MEMBER, struct name)                                                             \
    };

#ifdef __OPENCL_C_VERSION__
#define PARAMETER_FIRST(S, type, name)  const type name
#define PARAMETER_VALUE(S, type, name)  , const type name
#define PARAMETER_MEMORY(S, type, name) , GLOBAL type *name
#define PARAMETER_PLANES(S, name)       SAMPLE_PLANE_LIST(PARAMETER_PLANE_##name)
#define PARAMETER_PLANE_planes(n, type) , GLOBAL type *planes_##n
#define PARAMETER_PLANE_from(n, type)   , GLOBAL type *from_##n
#define PARAMETER_PLANE_to(n, type)     , GLOBAL type *to_##n
#define PARAMETER_LIST(S, name)         POINTS_MEMORY_LIST(PARAMETER_POINTS_##name)
#define PARAMETER_POINTS_from(type, n)  , GLOBAL type *from_##n
#define PARAMETER_POINTS_to(type, n)    , GLOBAL type *to_##n
#define PARAMETER_POINTS_plots(type, n) , GLOBAL type *plots_##n
#define PARAMETER_TABLE(type, n)        , GLOBAL type *tables_##n
#define PARAMETER_TABLES(S, name)                                                                  \
    , const struct table_numbers tables_numbers TABLE_MEMORY_LIST(PARAMETER_TABLE)

#define INITIAL_FIRST(S, type, name)  &name
#define INITIAL_VALUE(S, type, name)  , &name
#define INITIAL_MEMORY(S, type, name) , name
#define INITIAL_PLANES(S, name)                                                                    \
    , {                                                                                            \
        { SAMPLE_PLANE_LIST(INITIAL_PLANE_##name) }                                                \
    }
#define INITIAL_PLANE_planes(n, type) planes_##n,
#define INITIAL_PLANE_from(n, type)   from_##n,
#define INITIAL_PLANE_to(n, type)     to_##n,
#define INITIAL_LIST(S, name)                                                                      \
    , {                                                                                            \
        POINTS_MEMORY_LIST(INITIAL_POINTS_##name)                                                  \
    }
#define INITIAL_POINTS_from(type, n)  from_##n,
#define INITIAL_POINTS_to(type, n)    to_##n,
#define INITIAL_POINTS_plots(type, n) plots_##n,
#define INITIAL_TABLE(type, n)        tables_##n,
#define INITIAL_TABLES(S, name)                                                                    \
    , {                                                                                            \
        &tables_numbers, TABLE_MEMORY_LIST(INITIAL_TABLE)                                          \
    }
#endif

/* --- pictures whose samples exist --- */

/* Pixels [begin, begin + size) and, for some kernels, the picture's iteration limit. */
struct range_task {
    uint32_t begin, size, limit, pad;
};

#define CLEAR_PIXELS 8u /* pixels per thread */

/* Marks the pixels as missing and transparent. */
#define CLEAR_ARGUMENTS(KIND, S)                                                                   \
    KIND##_FIRST(S, struct range_task, task) KIND##_MEMORY(S, uint32_t, count)                     \
        KIND##_MEMORY(S, uint32_t, rgba)

/* Colours pixels, and adds the number of final samples to the tally. */
#define COLOUR_ARGUMENTS(KIND, S)                                                                  \
    KIND##_FIRST(S, struct colour_task, task)                                                      \
        KIND##_MEMORY(S, uint32_t, rgba)           /* NULL: only counts samples */                 \
        KIND##_MEMORY(S, const uint32_t, table)    /* of colours, see tasks.h */                   \
        KIND##_MEMORY(S, volatile uint32_t, tally) /* NULL: does not count */                      \
        KIND##_PLANES(S, planes)

#define SHIFT_ARGUMENTS(KIND, S)                                                                   \
    KIND##_FIRST(S, struct shift_task, task) KIND##_PLANES(S, from)                                \
        KIND##_PLANES(S, to) /* the same planes if nothing moves */                                \
        KIND##_MEMORY(S, const uint64_t, from_states) KIND##_MEMORY(S, uint64_t, to_states)

#define KEEP_ARGUMENTS(KIND, S)                                                                    \
    KIND##_FIRST(S, struct keep_task, task) KIND##_PLANES(S, from) KIND##_PLANES(                  \
        S, to) /* Number in `from` of each column of `to`, then of each row; -1 if none. */        \
        KIND##_MEMORY(S, const int32_t, lines)

/* Writes counts as render/sample.h defines them for a picture that is complete up to `limit`. */
#define EXPORT_ARGUMENTS(KIND, S)                                                                  \
    KIND##_FIRST(S, struct range_task, task) KIND##_MEMORY(S, const uint32_t, from)                \
        KIND##_MEMORY(S, uint32_t, to) /* may be `from` */

#define GATHER_COUNTS 32u /* counts per thread */

/* Adds the counts of a complete picture to `sum`, a struct statistics without its `pixels`. */
#define GATHER_ARGUMENTS(KIND, S)                                                                  \
    KIND##_FIRST(S, struct range_task, task) KIND##_MEMORY(S, const uint32_t, count)               \
        KIND##_MEMORY(S, volatile uint32_t, sum)

ARGUMENT_STRUCT(clear_args, CLEAR_ARGUMENTS)
ARGUMENT_STRUCT(colour_args, COLOUR_ARGUMENTS)
ARGUMENT_STRUCT(shift_args, SHIFT_ARGUMENTS)
ARGUMENT_STRUCT(keep_args, KEEP_ARGUMENTS)
ARGUMENT_STRUCT(export_args, EXPORT_ARGUMENTS)
ARGUMENT_STRUCT(gather_args, GATHER_ARGUMENTS)

/* Fills the indices [begin, begin + size) of a view. */
#define INDEX_ARGUMENTS(KIND, S)                                                                   \
    KIND##_FIRST(S, struct range_task, task) KIND##_MEMORY(S, struct perturbed_index, to)          \
        KIND##_TABLES(S, tables)

/* --- orbits --- */

/* Iterates pixels. Pixels that must continue are added to the list `to`, unless the task's steps
 * reach the limit. */
#define ITERATE_ARGUMENTS(KIND, S)                                                                 \
    KIND##_FIRST(S, struct iterate_task, task) KIND##_MEMORY(S, const COORDS, coords)              \
        KIND##_PLANES(S, planes)                                                                   \
            KIND##_MEMORY(S, void, states) /* begins with the state of pixel task.first */         \
        KIND##_MEMORY(S, uint32_t, rgba)   /* NULL: samples only */                                \
        KIND##_MEMORY(S, const uint32_t, table)                                                    \
            KIND##_MEMORY(S, const uint32_t, from) /* list of pixels; NULL: the lattice's */       \
        KIND##_MEMORY(S, uint32_t, to)                                                             \
            KIND##_MEMORY(S, volatile uint32_t, tally) /* TALLY_SHARES tallies */                  \
        KIND##_MEMORY(S, const volatile uint32_t, abort)
#define ITERATE_AROUND_ARGUMENTS(KIND, S) ITERATE_ARGUMENTS(KIND, S) KIND##_TABLES(S, tables)

/* Arguments of second passes along orbits. Slopes fill SAMPLE_SLOPE of escaped pixels without a
 * distance. Traces run before slopes and fill the wanted planes of SAMPLE_TRACE. Insides fill
 * SAMPLE_INSIDE of pixels that have not escaped and whose `last` is 0. */
#define WALK_ARGUMENTS(KIND, S)                                                                    \
    KIND##_FIRST(S, struct walk_task, task) KIND##_MEMORY(S, const COORDS, coords)                 \
        KIND##_MEMORY(S, const volatile uint32_t, abort) KIND##_PLANES(S, planes)
#define WALK_AROUND_ARGUMENTS(KIND, S)                                                             \
    WALK_ARGUMENTS(KIND, S)                                                                        \
    KIND##_TABLES(S, tables)                                                                       \
        KIND##_VALUE(S, struct perturbed_trace, begun) /* see struct perturbed_traces */           \
        KIND##_MEMORY(S, const struct segment_trace, traces)

/* --- orbit density --- */

#define POINTS_ARGUMENTS(KIND, S)                                                                  \
    KIND##_FIRST(S, struct points_task, task) KIND##_VALUE(S, struct points_numbers_float, floats) \
        KIND##_VALUE(S, struct points_numbers_double, doubles) KIND##_MEMORY(S, uint32_t, counts)  \
            KIND##_MEMORY(S, volatile uint32_t, tally)                                             \
                KIND##_MEMORY(S, volatile struct points_state, state)                              \
                    KIND##_MEMORY(S, const volatile uint32_t, abort)

/* Draws a part of the rounds. The launch ends early, after state->claimed[part.turn] pairs, if the
 * list has no room for the orbits that the next pairs might add. */
#define DRAW_ARGUMENTS(KIND, S)                                                                    \
    POINTS_ARGUMENTS(KIND, S)                                                                      \
    KIND##_VALUE(S, struct draw_part, part) KIND##_MEMORY(S, const struct points_pair, pairs)      \
        KIND##_MEMORY(S, const uint32_t, numbers) /* numbers of the pairs in a round */            \
        KIND##_LIST(S, to)                        /* used only if points_deep(&task) */

/* Continues `slice.size` listed orbits, beginning with entry `slice.begin`, by at most
 * `slice.steps` steps. */
#define SLICE_ARGUMENTS(KIND, S)                                                                   \
    POINTS_ARGUMENTS(KIND, S)                                                                      \
    KIND##_VALUE(S, struct slice_part, slice) KIND##_LIST(S, from)                                 \
        KIND##_LIST(S, to)    /* orbits that continue */                                           \
        KIND##_LIST(S, plots) /* searching only: orbits to plot */

/* Lists the pairs of cells in which any orbit is plotted, in order. */
#define BOUNDS_ARGUMENTS(KIND, S)                                                                  \
    KIND##_FIRST(S, struct points_task, task) KIND##_MEMORY(S, const uint32_t, order)              \
        KIND##_MEMORY(S, uint32_t, memory) /* room for task.cells pairs of numbers */              \
        KIND##_MEMORY(S, struct points_pair, pairs) KIND##_MEMORY(S, uint32_t, numbers)            \
            KIND##_MEMORY(S, struct cell_bounds, result)

/* Counters of stored pixels, planes * height * width; a count is the sum of both. `flush` moves
 * fresh counts to the totals; `levels` finds the levels of each channel, `picture` makes pixels. */
#define PAINT_ARGUMENTS(KIND, S)                                                                   \
    KIND##_FIRST(S, struct paint_task, task) KIND##_MEMORY(S, uint32_t, fresh)                     \
        KIND##_MEMORY(S, uint64_t, total)                                                          \
            KIND##_MEMORY(S, struct tone_levels, levels) /* TONE_CHANNELS_MAX, all are written */  \
        KIND##_MEMORY(S, const struct tone_map, map)                                               \
            KIND##_MEMORY(S, uint32_t, rgba) /* task.width_px * task.height_px */

#if !defined KERNEL_TEXT || defined RESAMPLE
#include "gpu/kernels/resample_arguments.h"
#endif

#endif

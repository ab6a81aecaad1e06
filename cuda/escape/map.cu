/* The kernels of maps (render/formula/map.h). */
#include "cuda/escape/iterate.cuh"
#include "render/formula/map_end.h"

#include "gpu/kernels/map.h"

static_assert(sizeof(struct map_state<double>) <= FRAME_STATE_MAX, "a state has room");

template <typename real> struct mapped {
    static constexpr int blocks = 0;

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t x,
                                                   uint32_t y, bool, uint32_t before,
                                                   struct work *work) {
        const uint32_t pixel = y * a->task.width + x;
        real cr, ci;
        number_place(a->coords, a->task.aligned, a->task.width, x, y, &cr, &ci);
        switch (a->task.recipe.kind) {
#define MAP_CASE(name, ...)                                                                        \
    case FORMULA_##name:                                                                           \
        return map_pixel(&a->task, a, FORMULA_##name, a->task.cycle, cr, ci, pixel, before, work);
            FORMULA_MAP_LIST(MAP_CASE)
#undef MAP_CASE
        default:
            __builtin_unreachable();
        }
    }
};

iterate_kernel *map_kernel(enum number_type type, bool list) {
    return type == TYPE_FLOAT ? choose_kernel<mapped<float>>(list)
                              : choose_kernel<mapped<double>>(list);
}

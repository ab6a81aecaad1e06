/* Index kernel: makes the indices of a view from its reference. */
#ifndef FATHOM_GPU_KERNELS_INDEX_KERNELS_H
#define FATHOM_GPU_KERNELS_INDEX_KERNELS_H

ARGUMENT_STRUCT(index_args, INDEX_ARGUMENTS)

KERNEL(index_reference, INDEX_ARGUMENTS, struct index_args, struct group) {
    const struct range_task *const a = VALUE_OF(at->task);
    const uint32_t i = thread_x();
    const struct perturbed_tables t = tables_of(&at->tables);
    if (i < a->size)
        at->to[a->begin + i] = perturbed_index_make(&t, a->begin + i);
}

#define KERNELS(X) X(index_reference)

#endif

/* What tests of pictures of every formula share. */
#ifndef FATHOM_TESTS_SHARED_FORMULAS_H
#define FATHOM_TESTS_SHARED_FORMULAS_H

#include "render/frame.h"

/* A formula of the list, and an arithmetic that it has. */
static inline void set_formula(struct frame_req *req, uint64_t formula, bool unfused) {
    req->formula = (enum formula)(formula % FORMULA_COUNT);
    req->arithmetic = unfused && !arithmetic_problem(req->formula, req->type, ARITHMETIC_UNFUSED)
                          ? ARITHMETIC_UNFUSED
                          : ARITHMETIC_FUSED;
}

#endif

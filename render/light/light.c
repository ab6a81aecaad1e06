/* sRGB bytes and linear light, in numbers that are the same everywhere. */
#include "render/light/light.h"
#include <mpfr.h>
#include <pthread.h>

#define LIGHT_BITS 128

/* MPFR rounds correctly. */
uint32_t light_of(int k) {
    mpfr_t value, power;
    mpfr_inits2(LIGHT_BITS, value, power, (mpfr_ptr)NULL);
    mpfr_set_si(value, k, MPFR_RNDN);
    if (k <= 20) { /* 20/510 < 0.04045 < 21/510 */
        mpfr_mul_si(value, value, 100, MPFR_RNDN);
        mpfr_div_si(value, value, 510 * 1292, MPFR_RNDN);
    } else { /* ((v + 0.055) / 1.055)^2.4 */
        mpfr_mul_si(value, value, 1000, MPFR_RNDN);
        mpfr_add_si(value, value, 55 * 510, MPFR_RNDN);
        mpfr_div_si(value, value, 1055 * 510, MPFR_RNDN);
        mpfr_set_si(power, 12, MPFR_RNDN);
        mpfr_div_si(power, power, 5, MPFR_RNDN);
        mpfr_pow(value, value, power, MPFR_RNDN);
    }
    mpfr_mul_ui(value, value, LIGHT_MAX << 16, MPFR_RNDN);
    const unsigned long light = mpfr_get_ui(value, MPFR_RNDN);
    mpfr_clears(value, power, (mpfr_ptr)NULL);
    return (uint32_t)light;
}

static uint32_t table[LAYER_TABLE_SIZE];

static void make_table(void) {
    uint32_t byte = 0;
    for (int k = 0; k < LAYER_DECODE; k++)
        table[k] = (light_of(2 * k) + 0x8000u) >> 16;
    for (uint32_t i = 0; i < LAYER_ENCODE; i++) {
        const uint32_t middle = (16 * i + 8) << 16;
        while (byte < 255 && light_of(2 * (int)byte + 1) <= middle)
            byte++;
        table[LAYER_DECODE + i] = byte;
    }
    mpfr_free_cache();
}

const uint32_t *light_table(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_table);
    return table;
}

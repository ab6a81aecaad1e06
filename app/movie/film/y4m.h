/* Y4M: writes uncompressed frames in Y'CbCr to standard output, for other programs. */
#ifndef FATHOM_APP_MOVIE_FILM_Y4M_H
#define FATHOM_APP_MOVIE_FILM_Y4M_H

#include "app/movie/film/ycbcr.h"
#include <stdbool.h>
#include <stddef.h>

/* Standard output. */
struct y4m {
    int fd;       /* standard output's own, or another one of the same pipe */
    size_t piece; /* [bytes] most of one write */
};

/* Opens standard output. Pairs with y4m_close, which does nothing if all bytes are 0. */
struct y4m y4m_open(void);
void y4m_close(struct y4m *y4m);
/* Write the header, and a converted frame. Return false on failure, which is logged, and after an
 * interrupt, which is not. */
bool y4m_header(const struct y4m *y4m, const struct ycbcr *format, int fps);
bool y4m_frame(const struct y4m *y4m, const struct ycbcr *format, const unsigned char *planes);

#endif

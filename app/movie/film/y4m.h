/* Y4M: writes uncompressed frames in Y'CbCr to standard output, for other programs. */
#ifndef FATHOM_APP_MOVIE_FILM_Y4M_H
#define FATHOM_APP_MOVIE_FILM_Y4M_H

#include "app/movie/film/ycbcr.h"
#include <stdbool.h>

/* Write the header, and a converted frame. Return false on failure, which is logged, and after an
 * interrupt, which is not. */
bool y4m_header(const struct ycbcr *format, int fps);
bool y4m_frame(const struct ycbcr *format, const unsigned char *planes);

#endif

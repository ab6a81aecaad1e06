/* The HUD's texts, made from the state of the program. */
#ifndef FATHOM_APP_HUD_HUD_TEXT_H
#define FATHOM_APP_HUD_HUD_TEXT_H

#include "app/hud/hud.h"
#include "app/hud/under_pointer.h"
#include "app/picture/picture.h"
#include "app/stats.h"

/* Texts of the view are kept between frames, because many digits take long to print. */
struct readout {
    uint64_t generation; /* that they were made for */
    int height_px;
    char text[LINE_COUNT][HUD_TEXT_MAX];
};

struct hud_text_input {
    const struct stats *frames;
    const struct stats *parts; /* of the same, by enum frame_part */
    const struct stats *latency;
    const struct messages *messages;
    const struct picture *picture;
    const struct under_pointer *under_pointer; /* NULL: nothing is known of that */
    bool screenshot_waits;                     /* one is taken as soon as the picture is complete */
    enum hud_numbers numbers;
    int help;         /* its page; 0: none */
    bool pointing;    /* the pointer is over the window */
    const char *hint; /* NULL: none */
};

/* The model points into `input`'s objects. */
void hud_text_fill(struct readout *readout, const struct hud_text_input *input,
                   struct hud_model *model);

#endif

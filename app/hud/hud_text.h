/* HUD texts: made from the state of the program. */
#ifndef FATHOM_APP_HUD_HUD_TEXT_H
#define FATHOM_APP_HUD_HUD_TEXT_H

#include "app/hud/hud.h"
#include "app/hud/under_pointer.h"
#include "app/picture/picture.h"
#include "app/stats.h"

/* Texts of the view, kept between frames because many digits take long to print. */
struct readout {
    uint64_t generation; /* generation of the texts */
    int height_px;
    char text[LINE_COUNT][HUD_TEXT_MAX];
};

struct hud_text_input {
    const struct stats *frames;
    const struct stats *parts; /* parts of the same frames, by enum frame_part */
    const struct stats *latency;
    const struct messages *messages;
    const struct picture *picture;
    const struct under_pointer *under_pointer; /* NULL: unknown */
    const char *verified;                      /* result of the verification; NULL or "": unknown */
    bool screenshot_waits; /* a screenshot will be taken when the picture is complete */
    enum hud_numbers numbers;
    int help;         /* page of the help; 0: none */
    bool pointing;    /* the pointer is over the window */
    const char *hint; /* NULL: none */
};

/* Fills the model, which points into the objects of `input`. */
void hud_text_fill(struct readout *readout, const struct hud_text_input *input,
                   struct hud_model *model);

#endif

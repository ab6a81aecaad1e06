/* fathom verify: checks a picture. Draws the picture as render does, and iterates some of its
 * pixels exactly. */
#include "app/command/commands.h"
#include "app/command/verdict.h"
#include "app/still/bands.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include <inttypes.h>

struct checked {
    struct command_still still;
    struct bands bands;
    struct verify *verify;
    double exact_ms;
};

static bool draw(struct checked *checked) {
    struct outputs outputs = {0};
    checked->verify =
        verdict_begin(&checked->still.req, checked->still.exact, checked->still.options, &outputs);
    checked->bands = (struct bands){.backend = checked->still.backend,
                                    .req = &checked->still.req,
                                    .outputs = &outputs,
                                    .memory_bytes = BANDS_MEMORY_BYTES,
                                    .exact = checked->still.exact,
                                    .samples = 1};
    return checked->verify && bands_draw(&checked->bands);
}

static void print_text(const struct checked *checked) {
    char text[VERDICT_SIZE];
    verdict_text(checked->verify, &checked->still.req, text);
    fputs(text, stdout);
}

static void print_json(const struct checked *checked) {
    const struct frame_req *req = &checked->still.req;
    const struct backend_info info = backend_info(checked->still.backend);
    putchar('{');
    json_member_text(stdout, "backend", info.name, ", ");
    json_member_text(stdout, "device", info.device, ", ");
    json_member_text(stdout, "route", route_names[req->route], ", ");
    json_member_text(stdout, "precision", number_type_name(req->type), ", ");
    printf("\"width\": %d, \"height\": %d, \"limit\": %" PRIu32 ", ", req->width_px, req->height_px,
           req->limit);
    verdict_json(checked->verify, checked->still.options, checked->exact_ms);
    printf(", \"render_ms\": %.3f}\n", checked->bands.render_ms);
}

int command_verify(const struct options *options) {
    interrupt_catch();
    struct checked checked = {0};
    const bool ok = command_still_init(&checked.still, options) &&
                    command_still_start(&checked.still) && draw(&checked) &&
                    verdict_find(checked.verify, options, &checked.exact_ms);
    const bool right = ok && verdict_is_right(checked.verify);
    if (!ok && checked.still.backend && interrupt_requested())
        log_error("interrupted; nothing was verified");
    if (ok && options->json)
        print_json(&checked);
    else if (ok)
        print_text(&checked);
    verify_destroy(checked.verify);
    command_still_close(&checked.still);
    return right ? 0 : 1;
}

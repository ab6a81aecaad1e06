// What the HUD's files share; C++ only. Everything that draws does so between NewFrame and Render,
// where the text's height is `em`.
#ifndef FATHOM_APP_HUD_PANEL_DRAW_H
#define FATHOM_APP_HUD_PANEL_DRAW_H

#include "app/hud/hud.h"
#include <deque>
#include <imgui.h>
#include <string>
#include <vector>

static const float LABEL_EM = 9.0f; // the column of labels
static const ImVec4 DIM(0.62f, 0.66f, 0.72f, 1.0f);
static const ImVec4 WARNING(1.0f, 0.72f, 0.25f, 1.0f);
static const ImVec4 ACCENT(0.45f, 0.72f, 1.0f, 1.0f);

static const ImGuiWindowFlags OVERLAY =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

// A text field: `text` is what is in it; `exact` what it began with, while it is edited.
struct panel_field {
    std::string text, exact;
    bool active;
};

// What can be pointed at: a row's control, a choice of an open list, a palette, a button.
struct panel_part {
    const char *label;
    ImVec2 from, to;
};

struct panel {
    panel_field fields[SETTING_COUNT];
    std::deque<panel_edit> edits;  // the oldest first
    bool shut;                     // an open list of choices is to close
    bool listed;                   // the list of recent locations was drawn
    bool finger;                   // what was pressed last was not by a mouse
    bool slides;                   // and it is a slider
    int stop;                      // of the gradient, the chosen one
    bool grabbed;                  // and it is being dragged
    bool picking;                  // its colour
    bool scrolls;                  // and it moves the rows, which were at
    float scroll;                  // this when it was pressed
    float width;                   // of what was drawn last, with the margin; 0: nothing
    std::vector<panel_part> parts; // as drawn last
};

void panel_draw(panel *panel, const panel_rows *model, float em);
void panel_push_edit(panel *panel, int item, int index, const char *text);
// What was just drawn has that label.
void panel_note(panel *panel, const char *label);
// The rows of the editor (gradient_draw.cpp).
void gradient_draw_bar(panel *panel, const panel_row &row, int item, float em);
void gradient_draw_colour(panel *panel, const panel_row &row, int item, float em);
// A field has the keyboard.
bool panel_typing(const panel *panel);
void panel_finish(panel *panel);
// As hud_find_in_panel.
bool panel_find(const panel *panel, const char *label, double part, double *x, double *y);

// Where the minimap lies; nowhere: all of it is 0.
struct map_place {
    float x, y, w, h;
};
// Marks on the picture: the box to zoom to; the minimap and the Julia set, one above the other beside the
// panel, unless they would be below the numbers, which go `numbers` right and down, or where that leaves
// no room. Returns where the minimap lies.
void mark_box(const hud_model *model, float em);
map_place mark_insets(const hud_model *model, float panel, ImVec2 numbers, float em);

// Sets ImGui's style; `scale`: of sizes, 1 at 96 pixels per inch.
void hud_set_style(float scale);
// A page of the help, from 1, of orbit density or escape time; how many there are at this size.
int help_draw(int page, bool orbit_density, float em);

#endif

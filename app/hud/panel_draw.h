// HUD, shared declarations of its C++ files. Functions that draw run between NewFrame and Render of
// Dear ImGui; `em` is the height of the text.
#ifndef FATHOM_APP_HUD_PANEL_DRAW_H
#define FATHOM_APP_HUD_PANEL_DRAW_H

#include "app/hud/hud.h"
#include <deque>
#include <imgui.h>
#include <string>
#include <vector>

static const float FONT_PX = 13.0f; // [px] height of a line, for which the built-in font is drawn
static const float LABEL_EM = 9.0f; // [em] width of the column of labels
static const ImVec4 DIM(0.62f, 0.66f, 0.72f, 1.0f);
static const ImVec4 WARNING(1.0f, 0.72f, 0.25f, 1.0f);
static const ImVec4 ACCENT(0.45f, 0.72f, 1.0f, 1.0f);

static const ImGuiWindowFlags OVERLAY =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

// Text field of the panel.
struct panel_field {
    std::string text;  // current contents
    std::string exact; // contents when editing began
    bool active;       // the field has the keyboard
};

// Part that a script can point at: the control of a row, a choice of an open list, a palette, a
// button, an item of the gallery.
struct panel_part {
    std::string label;
    ImVec2 from, to;
};

// State of the panel. The gallery and the dialogs use `parts` and the members about dragging, too.
struct panel {
    panel_field fields[SETTING_COUNT];
    std::deque<panel_edit> edits;  // oldest first
    bool shut;                     // the open list of choices must close
    bool listed;                   // the last frame showed thumbnails
    bool finger;                   // the last press was a finger's
    bool slides;                   // the pressed item is a slider, which no drag scrolls away
    int stop;                      // selected stop of the gradient
    bool grabbed;                  // the selected stop is being dragged
    bool picking;                  // the picker for the stop's colour is open
    bool scrolls;                  // the pointer drags the rows
    float scroll;                  // scroll position when the pointer was pressed
    float width;                   // width in the last frame with the margin; 0 if not drawn
    std::vector<panel_part> parts; // all parts of the last frame
};

void panel_draw(panel *panel, const panel_rows *model, float em);
// Queues an edit; `text` is copied and may be null.
void panel_push_edit(panel *panel, int item, int index, const char *text);
// Adds the last item of Dear ImGui to the parts.
void panel_note(panel *panel, const char *label);
// Draws a strip of a table's colours in so many parts.
void panel_draw_colours(const uint32_t *colours, int parts, ImVec2 from, ImVec2 to);
// Draws a texture with corners of the radius `round`, or a placeholder if `texture` is 0.
void panel_draw_thumbnail(uint32_t texture, ImVec2 from, ImVec2 to, float round);
// Draws a frame around a rectangle; `line` is its width.
void panel_draw_frame(ImVec2 from, ImVec2 to, ImU32 colour, float line, float round);
// Draw the rows of the palette editor (gradient_draw.cpp).
void gradient_draw_bar(panel *panel, const panel_row &row, int item, float em);
void gradient_draw_colour(panel *panel, const panel_row &row, int item, float em);
// Returns true if a field has the keyboard.
bool panel_typing(const panel *panel);
void panel_finish(panel *panel);
// Scrolls the current window, whose rows the pointer drags: a finger, or also a mouse if `mouse`.
void panel_drag_rows(panel *panel, bool mouse, float em);
// Finds a part as hud_find_in_panel does.
bool panel_find(const panel *panel, const char *label, double part, double *x, double *y);

// Place of the minimap; all members are 0 if it is not drawn.
struct map_place {
    float x, y, w, h;
};
// Draws the box to zoom to.
void mark_box(const hud_model *model, float em);
// Draws the mark of a recording in the lower left corner.
void mark_recording(float em);
// Draws the minimap and the Julia inset, one above the other, left of the panel, and returns the
// place of the minimap. An inset is left out if there is no room for it, or if it would cover the
// numbers, whose lower right corner is `numbers`.
map_place mark_insets(const hud_model *model, float panel, ImVec2 numbers, float em);

// Lays out and draws the gallery and the dialog that are open, and stores clicks in `collection`.
// (collection_draw.cpp)
void collection_draw(collection *collection, panel *panel, float em);

// Sets the style of Dear ImGui. `scale` is the factor of all sizes, 1 at 96 pixels per inch.
void hud_set_style(float scale);
// Loads a font from its file's contents, or the built-in font if `data` is null or unusable. `data`
// must stay. `scale` is the factor of FONT_PX.
void hud_set_font(char *data, size_t length, double scale);
// Draws a page of the help, from 1, for orbit density or escape time. Returns the number of pages
// at this size of the window.
int help_draw(int page, bool orbit_density, float em);

#endif

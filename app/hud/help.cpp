// Help: the table of keys over the picture, in groups, and in pages if it does not fit.
extern "C" {
#include "app/input/input.h"
}
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <vector>

static const int COLUMNS_MOST = 3;
static const int ROWS_LEAST = 5;   // smaller windows cut off the table
static const float TEXT_LEAST = 5; // smallest width, in heights of the text
static const float GAP = 0.7f;     // gap between groups, in heights of the text

// A line, or a heading, which has no keys. Heights include the spacing below.
struct help_line {
    const char *keys, *text;
    float height;
    int column; // from 0, across all pages
};

struct help_table {
    std::vector<help_line> lines;
    float keys, text; // widths of the longest ones
};

static bool is_heading(const help_line &line) {
    return !line.keys;
}

// Returns true if the picture and the machine have a use for the line.
static bool means_something(enum input_use use, bool orbit_density) {
    switch (use) {
    case INPUT_DENSITY:
        return orbit_density;
    case INPUT_TOUCH:
        return SDL_GetNumTouchDevices() > 0;
    case INPUT_GAMEPAD:
        return gamepads_any();
    default:
        return true;
    }
}

static help_table list_lines(bool orbit_density) {
    help_table table = {{}, 0, 0};
    const char *heading = nullptr;
    struct input_line line;
    for (size_t i = 0; input_help(i, &line); i++) {
        if (!means_something(line.use, orbit_density))
            continue;
        if (line.heading != heading)
            table.lines.push_back({nullptr, line.heading, 0, 0});
        heading = line.heading;
        table.lines.push_back({line.keys, line.text, 0, 0});
        table.keys = std::max(table.keys, ImGui::CalcTextSize(line.keys).x);
        table.text = std::max(table.text, ImGui::CalcTextSize(line.text).x);
    }
    return table;
}

// Measures the lines. Text is wrapped if the window has no room for it.
static void measure(help_table &table, float em) {
    const float room = ImGui::GetIO().DisplaySize.x - table.keys - 3.2f * em;
    table.text = std::min(table.text, std::max(room, TEXT_LEAST * em));
    for (help_line &line : table.lines)
        line.height = ImGui::CalcTextSize(line.text, nullptr, false, table.text).y +
                      ImGui::GetStyle().ItemSpacing.y;
}

static float group_height(const help_table &table, size_t heading) {
    float height = table.lines[heading].height;
    for (size_t i = heading + 1; i < table.lines.size() && !is_heading(table.lines[i]); i++)
        height += table.lines[i].height;
    return height;
}

// Gives the lines their columns. A group is broken only if it is higher than a column. Returns the
// number of columns.
static int assign_columns(help_table &table, float height, float em) {
    int column = 0;
    float y = 0;
    for (size_t i = 0; i < table.lines.size(); i++) {
        help_line &line = table.lines[i];
        const float gap = is_heading(line) && y > 0 ? GAP * em : 0;
        const float whole = is_heading(line) ? group_height(table, i) : line.height;
        const float least = whole > height ? 2 * line.height : whole;
        const bool next = y > 0 && y + gap + least > height;
        column += next;
        y = (next ? 0 : y + gap) + line.height;
        line.column = column;
    }
    return column + 1;
}

// Makes the columns as low as this number of columns allows.
static void balance_columns(help_table &table, int columns, float height, float em) {
    float low = em;
    while (low < height && assign_columns(table, low, em) > columns)
        low += 0.5f * em;
    assign_columns(table, std::min(low, height), em);
}

static void draw_line(const help_table &table, const help_line &line, float em) {
    if (is_heading(line)) {
        ImGui::TextColored(DIM, "%s", line.text);
        return;
    }
    ImGui::TextColored(ACCENT, "%s", line.keys);
    ImGui::SameLine(table.keys + 1.2f * em);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + table.text + 1);
    ImGui::TextUnformatted(line.text);
    ImGui::PopTextWrapPos();
}

static void draw_gap(float em) {
    ImGui::Dummy(ImVec2(0, GAP * em - ImGui::GetStyle().ItemSpacing.y));
}

// Draws the columns from `first` to before `end`, each as a group.
static void draw_columns(const help_table &table, int first, int end, float width, float em) {
    int column = -1;
    for (const help_line &line : table.lines) {
        if (line.column < first || line.column >= end)
            continue;
        if (line.column == column && is_heading(line))
            draw_gap(em);
        if (line.column != column && column >= 0) {
            ImGui::EndGroup();
            ImGui::SameLine(ImGui::GetStyle().WindowPadding.x +
                            (float)(line.column - first) * width);
        }
        if (line.column != column)
            ImGui::BeginGroup();
        column = line.column;
        draw_line(table, line, em);
    }
    ImGui::EndGroup();
}

// Draws a page in as many columns as the height requires and the width allows. Further columns are
// on further pages. Returns the number of pages.
int help_draw(int page, bool orbit_density, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    help_table table = list_lines(orbit_density);
    measure(table, em);
    const float row = ImGui::GetTextLineHeightWithSpacing();
    const float height = std::max(screen.y - 5.0f * em, (float)ROWS_LEAST * row);
    const float width = table.keys + table.text + 3.7f * em;
    const int most = std::max(std::min((int)((screen.x + 1.5f * em) / width), COLUMNS_MOST), 1);
    const int wanted = assign_columns(table, height, em);
    const int pages = (wanted + most - 1) / most;
    if (pages == 1)
        balance_columns(table, std::max(wanted, std::min(most, 2)), height, em);
    page = std::min(page, pages);
    ImGui::SetNextWindowPos(ImVec2(0.5f * screen.x, 0.5f * screen.y), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(0.92f);
    if (ImGui::Begin("help", nullptr, OVERLAY)) {
        draw_columns(table, (page - 1) * most, page * most, width, em);
        draw_gap(em);
        if (page < pages)
            ImGui::TextColored(DIM, "%d of %d   F1: next   Esc: close", page, pages);
        else
            ImGui::TextColored(DIM, "F1 or Esc: close");
    }
    ImGui::End();
    return pages;
}

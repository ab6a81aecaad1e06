// The help: the table of keys over the picture, in pages where it does not fit.
extern "C" {
#include "app/input.h"
}
#include "app/panel_draw.h"
#include <algorithm>
#include <cmath>

static const int ROWS_LEAST = 8;   // smaller windows cut it off
static const float TEXT_LEAST = 8; // likewise, in heights of the text

struct help_size {
    int lines;        // of the table
    int rows;         // that the longest text takes where it is wrapped
    float keys, text; // widths of the longest
};

// Text is wrapped where the window has no room for it.
static help_size measure(float em) {
    help_size size = {0, 1, 0, 0};
    const char *keys, *text;
    for (; input_help((size_t)size.lines, &keys, &text); size.lines++) {
        size.keys = std::max(size.keys, ImGui::CalcTextSize(keys).x);
        size.text = std::max(size.text, ImGui::CalcTextSize(text).x);
    }
    const float room = ImGui::GetIO().DisplaySize.x - size.keys - 4.0f * em;
    size.text = std::min(size.text, std::max(room, TEXT_LEAST * em));
    for (int i = 0; input_help((size_t)i, &keys, &text); i++) {
        const float height = ImGui::CalcTextSize(text, nullptr, false, size.text).y;
        size.rows = std::max(size.rows, (int)std::lround(height / ImGui::GetTextLineHeight()));
    }
    return size;
}

static void draw_line(int i, float x, float keys_width, float text_width) {
    const char *keys, *text;
    if (!input_help((size_t)i, &keys, &text))
        return;
    ImGui::SameLine(x);
    ImGui::TextColored(ACCENT, "%s", keys);
    ImGui::SameLine(x + keys_width);
    ImGui::PushTextWrapPos(x + keys_width + text_width + 1.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

// In as many columns as the height asks for, as far as the width allows; the rest is on further pages.
int help_draw(int page, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const help_size size = measure(em);
    const float keys = size.keys + 1.5f * em, width = keys + size.text + 2.5f * em;
    const int lines = (int)((screen.y - 3.0f * em) / ImGui::GetTextLineHeightWithSpacing());
    const int fit = std::max(std::max(lines, ROWS_LEAST) / size.rows, 1);
    const int wanted = (size.lines + fit - 1) / fit;
    const int columns = std::max(std::min(wanted, (int)((screen.x + 1.0f * em) / width)), 1);
    const int pages = (wanted + columns - 1) / columns;
    const int rows = (size.lines + pages * columns - 1) / (pages * columns);
    const int first = (std::min(page, pages) - 1) * rows * columns;
    ImGui::SetNextWindowPos(ImVec2(0.5f * screen.x, 0.5f * screen.y), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(0.92f);
    if (ImGui::Begin("help", nullptr, OVERLAY)) {
        for (int row = 0; row < rows; row++) {
            ImGui::Dummy(ImVec2(0.0f, (float)size.rows * ImGui::GetTextLineHeight()));
            for (int column = 0; column < columns; column++)
                draw_line(first + column * rows + row, (float)column * width + 0.7f * em, keys,
                          size.text);
        }
        if (pages > 1)
            ImGui::TextColored(DIM, page < pages ? "F1: more" : "F1: close");
    }
    ImGui::End();
    return pages;
}

// SPDX-License-Identifier: Apache-2.0
#include "support/preview.hpp"

namespace examples {
namespace {

void set_colour(std::string& text, char const* which, rgb const& c) {
    text += "\x1b[";
    text += which;
    for (int const part : {int{c.red}, int{c.green}, int{c.blue}}) text += ";" + std::to_string(part);
    text += 'm';
}

} // namespace

std::string half_blocks(image const& picture) {
    std::string text;
    for (std::size_t row = 0; row < picture.rows; row += 2) {
        for (std::size_t column = 0; column < picture.columns; ++column) {
            set_colour(text, "38;2", picture(row, column));
            if (row + 1 < picture.rows) set_colour(text, "48;2", picture(row + 1, column));
            text += "\u2580";
        }
        text += "\x1b[0m\n";
    }
    return text;
}

} // namespace examples

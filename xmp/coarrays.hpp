// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "process.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sode::xmp {

/// Memory that every image has, and all others reach.
struct coarray {
    std::string name;
    std::size_t bytes = 0;
    sode_window* window = nullptr;
    std::vector<char*> images;        ///< where they lie; null: on another machine
    sode_xmp_set const* on = nullptr; ///< whose nodes x:[k] counts; null: the executing ones
    coarray const* host = nullptr;    ///< of what devices have: the coarray itself
};

/// A place in a coarray.
struct place {
    coarray const* in;
    std::size_t offset;
    int image = -1; ///< of the program; -1: none was named
};

/// A new one. Collective.
[[nodiscard]] coarray const& make_coarray(char const* name, std::size_t bytes);
/// Frees it. Collective: all accesses to it are complete before.
void remove_coarray(char const* at, coarray const& c);
/// What lies at `local` here, or null if that is in no coarray.
[[nodiscard]] place find_place(void const* local);
/// The same on image `image` of those that the coarray counts, with an error if it is in none, or if there is no such image.
[[nodiscard]] place place_of(char const* at, int image, void const* local);
/// Ends the program with the message of a function of windows, unless `code` is SODE_OK.
void check_window(char const* at, int code);
/// What `coarray on` said of coarrays that were made since.
void map_coarrays();
/// Makes the next one, if there is none. Collective.
void begin_meetings();
/// What all programs with a local view have: a word for each image, which counts how often it has met this one. Null: it is none.
[[nodiscard]] coarray const* meetings();

/// An int of a coarray that is changed in one piece.
struct atom {
    place where;
    int image;
};
/// Which one a pointer means that the program gave: what sode_xmp_image_atom() returned, or an address of its own. Null: it is in
/// no coarray.
[[nodiscard]] std::optional<atom> atom_of(void const* pointer);
/// What it was before.
std::int64_t operate(char const* at, atom const& a, sode_word_op op, std::int64_t operand = 0, std::int64_t expected = 0);

} // namespace sode::xmp

// SPDX-License-Identifier: Apache-2.0
#include "collective/block_catalogue.hpp"

#include "collective/bruck.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <charconv>

namespace sode::internal {
namespace {

// Of a number behind a colon. \return what is left
std::string_view read_number(std::string_view text, int least, int& number, std::string_view channel) {
    auto const [end, status] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (status != std::errc{} || number < least)
        throw error{error_kind::usage, fmt::format("algorithm \"{}\" is invalid", channel),
                    "bruck takes a radix, 2 or more, and a number of leaders on each machine, 1 or more",
                    "write bruck, bruck:4 or bruck:4:2"};
    return text.substr(static_cast<std::size_t>(end - text.data()));
}

} // namespace

std::optional<bruck_wish> bruck_wish_of(std::string_view channel) {
    constexpr std::string_view name = "bruck";
    if (!channel.starts_with(name)) return {};
    bruck_wish wish;
    auto rest = channel.substr(name.size());
    if (rest.starts_with(':')) rest = read_number(rest, 2, wish.radix, channel);
    if (rest.starts_with(':')) rest = read_number(rest, 1, wish.leaders, channel);
    if (rest.empty()) return wish;
    return {};
}

std::string name_of_bruck(block_terms const& t) {
    return fmt::format("bruck:{}{}", t.radix, t.leaders > 1 ? fmt::format(" by {} leaders", t.leaders) : "");
}

chosen_blocks choose_blocks(block_terms& t, std::optional<bruck_wish> const& wish) {
    if (auto const most = fewest_ranks(t.machines); wish && wish->leaders > most)
        throw error{
            error_kind::usage, fmt::format("{} cannot use algorithm bruck", t.name),
            fmt::format("a machine has only {} {}, so it cannot have that many leaders", most, most == 1 ? "rank" : "ranks"),
            "use fewer leaders, or let the library choose"};
    choose_bruck(t, wish ? wish->radix : 0, wish ? wish->leaders : 0);
    auto const bruck = cost_of_bruck(t), pairs = cost_of_pairs(t);
    if (wish || bruck.total() < pairs.total()) return {.bruck = true, .expected = bruck, .instead = pairs};
    return {.bruck = false, .expected = pairs, .instead = bruck};
}

} // namespace sode::internal

// SPDX-License-Identifier: Apache-2.0
#include <sode/bootstrap.hpp>

#include <algorithm>

namespace sode {

std::vector<std::string> bootstrap::allgather(std::string_view mine) {
    auto const ranks = static_cast<std::size_t>(size());
    std::uint64_t const length = mine.size();
    std::vector<std::uint64_t> lengths(ranks);
    allgather(&length, sizeof length, lengths.data());

    std::size_t const longest = *std::max_element(lengths.begin(), lengths.end());
    std::vector<std::string> texts(ranks);
    if (longest == 0) return texts;
    std::string padded{mine};
    padded.resize(longest);
    std::string all(ranks * longest, '\0');
    allgather(padded.data(), longest, all.data());
    for (std::size_t r = 0; r < ranks; ++r) texts[r] = all.substr(r * longest, lengths[r]);
    return texts;
}

} // namespace sode

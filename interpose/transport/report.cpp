// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/report.hpp"

#include "base/byte_text.hpp"
#include "base/clock.hpp"
#include "interpose/transport/pmpi_bootstrap.hpp"

#include <sode/detail/mpi_envelope.hpp>

#include <bit>
#include <climits>
#include <fmt/format.h>
#include <sstream>

namespace sode::internal::interpose {

namespace {

// One message in so many is packed once more, by MPI.
constexpr std::int64_t sampling = 64;

constexpr std::array<char const*, left_alone_reasons> reasons{"to the sender itself, or to another machine or job",
                                                              "contiguous: MPI is as fast",
                                                              "first uses of a datatype: its layout does not pay yet",
                                                              "no gain was expected or measured",
                                                              "persistent, and within the MPI library's eager limit",
                                                              "a datatype that only MPI understands",
                                                              "no slot or stage was free"};

std::string name_of(MPI_Datatype type) {
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    PMPI_Type_get_name(type, name.data(), &length);
    if (length > 0) return {name.data(), static_cast<std::size_t>(length)};
    switch (detail::mpi_envelope{type}.combiner) {
    case MPI_COMBINER_CONTIGUOUS: return "contiguous";
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: return "vector";
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED: return "indexed";
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: return "indexed block";
    case MPI_COMBINER_STRUCT: return "struct";
    case MPI_COMBINER_SUBARRAY: return "subarray";
    case MPI_COMBINER_DARRAY: return "darray";
    case MPI_COMBINER_RESIZED: return "resized";
    case MPI_COMBINER_DUP: return "dup";
    default: return "other";
    }
}

std::int64_t packing_ns(void const* buffer, MPI_Count count, MPI_Datatype type, std::int64_t bytes) {
    if (bytes > INT_MAX / 2) return 0;
    std::vector<std::byte> room(static_cast<std::size_t>(bytes) + 1024);
    int position = 0;
    auto const begun = now_ns();
    PMPI_Pack(buffer, static_cast<int>(count), type, room.data(), static_cast<int>(room.size()), &position, MPI_COMM_SELF);
    return now_ns() - begun;
}

} // namespace

report::tally& report::tally::operator+=(tally const& other) {
    messages += other.messages;
    bytes += other.bytes;
    spent_ns += other.spent_ns;
    return *this;
}

int report::begin(void const* buffer, MPI_Count count, MPI_Datatype type, std::int64_t bytes) {
    int const size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes) - 1));
    std::string name = name_of(type);
    std::unique_lock lock{mutex_};
    auto const [at, fresh] = places_.try_emplace({name, size_class}, static_cast<int>(rows_.size()));
    if (fresh) {
        rows_.emplace_back();
        rows_.back().type = std::move(name);
        rows_.back().size_class = size_class;
    }
    auto const index = static_cast<std::size_t>(at->second);
    if (rows_[index].begun++ % sampling == 1) { // not the first, which meets cold memory
        lock.unlock();
        auto const took = packing_ns(buffer, count, type, bytes);
        lock.lock();
        rows_[index].samples += took > 0 ? 1 : 0;
        rows_[index].sampled_ns += took;
    }
    return static_cast<int>(index);
}

void report::end(int row, message_path how, std::int64_t bytes, std::int64_t spent_ns) {
    std::lock_guard const lock{mutex_};
    rows_[static_cast<std::size_t>(row)].paths[static_cast<std::size_t>(how)] += {1, bytes, spent_ns};
}

void report::leave(left_alone why, std::int64_t bytes) {
    std::lock_guard const lock{mutex_};
    left_[static_cast<std::size_t>(why)] += {1, bytes, 0};
}

void report::pack_short(std::int64_t bytes) {
    std::lock_guard const lock{mutex_};
    short_ends_[0] += {1, bytes, 0};
}

void report::unpack_short(std::int64_t bytes) {
    std::lock_guard const lock{mutex_};
    short_ends_[1] += {1, bytes, 0};
}

std::string report::text(pmpi_bootstrap& ranks) {
    auto const all = static_cast<bootstrap&>(ranks).allgather(std::string_view{serialised()});
    if (ranks.rank() != 0) return {};
    for (std::size_t r = 1; r < all.size(); ++r) absorb(all[r]);
    return table();
}

// Lines of numbers, then the name of the type.
std::string report::serialised() const {
    std::string s;
    for (tally const& t : left_) s += fmt::format("{} {} ", t.messages, t.bytes);
    for (tally const& t : short_ends_) s += fmt::format("{} {} ", t.messages, t.bytes);
    s += '\n';
    for (row const& r : rows_) {
        s += fmt::format("{} {} {} ", r.size_class, r.samples, r.sampled_ns);
        for (tally const& t : r.paths) s += fmt::format("{} {} {} ", t.messages, t.bytes, t.spent_ns);
        s += r.type + '\n';
    }
    return s;
}

void report::absorb(std::string const& text) {
    std::istringstream in{text};
    auto const add = [&in](tally& t) {
        tally other;
        in >> other.messages >> other.bytes;
        t += other;
    };
    for (tally& t : left_) add(t);
    for (tally& t : short_ends_) add(t);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream words{line};
        row r;
        words >> r.size_class >> r.samples >> r.sampled_ns;
        for (tally& t : r.paths) words >> t.messages >> t.bytes >> t.spent_ns;
        std::getline(words >> std::ws, r.type);
        auto const [at, fresh] = places_.try_emplace({r.type, r.size_class}, static_cast<int>(rows_.size()));
        if (fresh) {
            rows_.push_back(r);
            continue;
        }
        row& own = rows_[static_cast<std::size_t>(at->second)];
        own.samples += r.samples;
        own.sampled_ns += r.sampled_ns;
        for (std::size_t i = 0; i < own.paths.size(); ++i) own.paths[i] += r.paths[i];
    }
}

std::string report::table() const {
    tally moved, left;
    for (row const& r : rows_)
        for (tally const& t : r.paths) moved += t;
    for (tally const& t : left_) left += t;
    auto const all = moved.messages + left.messages;
    std::string s = all == 0 ? "sode: no rank sent long messages\n"
                             : fmt::format("sode: {} of {} long messages of all ranks went by Sode ({} %)\n", moved.messages, all,
                                           100 * moved.messages / all);
    auto const& [packed, unpacked] = short_ends_;
    if (packed.messages + unpacked.messages > 0)
        s += fmt::format("  of the short ones, which MPI carries, Sode packed {} and unpacked {}\n", packed.messages,
                         unpacked.messages);
    if (moved.messages > 0) s += moved_table();
    if (left.messages > 0) s += "  passed on to MPI:\n";
    for (std::size_t i = 0; i < left_.size(); ++i)
        if (left_[i].messages > 0)
            s += fmt::format("  {:>10} messages, {:>12} bytes: {}\n", left_[i].messages, left_[i].bytes, reasons[i]);
    return s;
}

std::string report::moved_table() const {
    constexpr double ms = 1e-6;
    std::string s =
        fmt::format("  {:<24} {:>10} {:>10} {:>12} {:<8} {:>14}\n", "datatype", "up to", "messages", "bytes", "path", "saved [ms]");
    for (auto const& [name, place] : places_) {
        row const& r = rows_[static_cast<std::size_t>(place)];
        for (std::size_t i = 0; i < r.paths.size(); ++i) {
            tally const& t = r.paths[i];
            if (t.messages == 0) continue;
            std::string saved = "not sampled";
            if (r.samples > 0) {
                double const plain = 2.0 * static_cast<double>(r.sampled_ns) / static_cast<double>(r.samples);
                saved = fmt::format("{:.2f}", ms * (plain * static_cast<double>(t.messages) - static_cast<double>(t.spent_ns)));
            }
            s += fmt::format("  {:<24} {:>10} {:>10} {:>12} {:<8} {:>14}\n", r.type, byte_text(std::uint64_t{1} << r.size_class),
                             t.messages, t.bytes, to_string(static_cast<message_path>(i)), saved);
        }
    }
    return s + "  (saved: twice the sampled time of MPI_Pack, minus the time that Sode took)\n";
}

} // namespace sode::internal::interpose

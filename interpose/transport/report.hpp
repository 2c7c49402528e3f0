// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/message_path.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <mpi.h>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace sode::internal::interpose {

class pmpi_bootstrap;

/// Why a long message was left to MPI.
enum class left_alone : std::uint8_t {
    elsewhere,  ///< the receiver is this rank itself, or on another machine, or of another job
    contiguous, ///< MPI copies it as well as anybody
    new_type,   ///< used for the first times: what its layout costs is not yet paid
    no_gain,    ///< by the model, or by what messages took
    buffered,   ///< persistent, and MPI sends it without a receiver: a start of ours may have to wait for room
    unknown,    ///< a datatype that only MPI understands, or one of packed data
    no_room     ///< no slot, or no stage
};
inline constexpr std::size_t left_alone_reasons = 7;

/// What SODE_MPI_REPORT=1 tells at the end: what messages this job sent, how they went, and what that has saved. Kept by the
/// senders. Any thread may call.
class report {
public:
    /// A message of `count` elements that goes by us. Every so many of them, MPI's time for packing the same data is measured.
    /// Returns a name for the row.
    [[nodiscard]] int begin(void const* buffer, MPI_Count count, MPI_Datatype type, std::int64_t bytes);
    /// It has gone: which path it took, and what sender and receiver spent on it.
    void end(int row, message_path how, std::int64_t bytes, std::int64_t spent_ns);
    void leave(left_alone why, std::int64_t bytes);
    /// An end of a short message, which MPI carries, was ours.
    void pack_short(std::int64_t bytes);
    void unpack_short(std::int64_t bytes);

    /// Collective. Rank 0 gets the text for all ranks; the others, nothing.
    [[nodiscard]] std::string text(pmpi_bootstrap& ranks);

private:
    struct tally {
        std::int64_t messages = 0;
        std::int64_t bytes = 0;
        std::int64_t spent_ns = 0;
        tally& operator+=(tally const& other);
    };
    struct row {
        std::string type;
        int size_class = 0;
        std::int64_t begun = 0;
        std::int64_t samples = 0;
        std::int64_t sampled_ns = 0;  ///< of MPI's packing
        std::array<tally, 5> paths{}; ///< by message_path
    };
    using key = std::tuple<std::string, int>;

    [[nodiscard]] std::string serialised() const;
    void absorb(std::string const& text);
    [[nodiscard]] std::string table() const;
    [[nodiscard]] std::string moved_table() const;

    std::mutex mutex_;
    std::vector<row> rows_;
    std::map<key, int> places_;
    std::array<tally, left_alone_reasons> left_{};
    std::array<tally, 2> short_ends_{}; ///< packed, unpacked
};

} // namespace sode::internal::interpose

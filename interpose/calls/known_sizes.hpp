// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/predefined.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <mpi.h>

namespace sode::internal::interpose {

/// How many bytes an element of a datatype of the program has, as long as the program keeps the datatype: MPI takes longer to say
/// so than to send it a few bytes. Of those that were met in a few messages, and in programs that call MPI by one thread at a time;
/// others are unknown.
class known_sizes {
public:
    /// After MPI_Init. Nothing is remembered before.
    void open();
    /// Before MPI_Finalize: all is forgotten.
    void close();

    /// Bytes of one element, without a call; -1: unknown.
    [[nodiscard, gnu::always_inline]] MPI_Count of(MPI_Datatype type) const noexcept {
        one const& o = all_[place(type)];
        return o.type == type ? o.bytes : -1;
    }
    /// MPI has taken a message of that type, without an error.
    void meet(MPI_Datatype type) noexcept {
        if (key_ == MPI_KEYVAL_INVALID || of(type) >= 0 || bytes_of_predefined(type) >= 0) return;
        look_at(type);
    }

    /// It shall stay unknown for now: something is done for its messages, or may be.
    void doubt(MPI_Datatype type) noexcept {
        if (one& o = all_[place(type)]; o.type == type && o.bytes < 0) o.met = 0;
    }

    /// For as long as it lives, no more types are known.
    class pause {
    public:
        explicit pause(known_sizes& all) noexcept : all_(all), key_(all.key_) {
            if (key_ != MPI_KEYVAL_INVALID) all_.key_ = MPI_KEYVAL_INVALID;
        }
        ~pause() {
            if (key_ != MPI_KEYVAL_INVALID) all_.key_ = key_;
        }
        pause(pause const&) = delete;
        pause& operator=(pause const&) = delete;
        pause(pause&&) = delete;
        pause& operator=(pause&&) = delete;

    private:
        known_sizes& all_;
        int key_;
    };

private:
    struct one {
        MPI_Datatype type{};
        MPI_Count bytes = -1;
        int met = 0;
    };
    static constexpr int bits = 6;

    [[nodiscard]] static std::size_t place(MPI_Datatype type) noexcept {
        std::uint64_t handle = 0;
        std::memcpy(&handle, &type, sizeof type); // NOLINT(bugprone-sizeof-expression): the handle itself
        return handle * 0x9E3779B97F4A7C15U >> (64 - bits);
    }
    void look_at(MPI_Datatype type) noexcept;
    static int forget(MPI_Datatype type, int key, void* attribute, void* nothing);

    int key_ = MPI_KEYVAL_INVALID;
    std::array<one, 1U << bits> all_{};
};

inline constinit known_sizes sizes_of_types;

} // namespace sode::internal::interpose

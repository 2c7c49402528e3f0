// SPDX-License-Identifier: Apache-2.0
// Windows: one-sided access.
#include "face_c/handles.hpp"

#include <sode/window_memory.h>
#include <sode/window_memory.hpp>

#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

using sode::error;
using sode::error_kind;
using sode::internal::face_c::guarded;
using sode::internal::face_c::job_of;
using sode::internal::face_c::required;

namespace {

sode::byte_pattern pattern_of(sode_pattern const* given, char const* name) {
    auto const& p = required(given, name);
    if (p.dims < 0 || p.dims > 7)
        throw error{error_kind::usage, std::string{name} + " has " + std::to_string(p.dims) + " dimensions",
                    "a pattern has 0 to 7 dimensions", "pass 0 to 7 as the number of dimensions"};
    sode::byte_pattern pattern{.offset = p.offset, .bytes = p.bytes};
    for (int d = 0; d < p.dims; ++d) pattern.loops.push_back({p.counts[d], p.strides[d]});
    return pattern;
}

// f(window) on one that is there, while the job runs.
template <class F> int on(sode_window* window, F f) {
    if (!window) return SODE_ERROR_USAGE;
    return guarded(*window->owner, [&] {
        (void)job_of(*window->owner);
        f(window->memory);
    });
}

// Memory behind a function of the program.
class called_memory final : public sode::window_memory {
public:
    explicit called_memory(sode_memory_mover const& how) : how_(how) {}
    bool load(sode::byte_pattern const& what, std::byte* packed) override { return move(what, packed, 0); }
    bool store(sode::byte_pattern const& what, std::byte const* packed) override {
        return move(what, const_cast<std::byte*>(packed), 1);
    }

private:
    // Nests of more loops than a sode_pattern has are walked outside.
    bool move(sode::byte_pattern const& what, std::byte*& packed, int to_window, std::size_t outer, std::int64_t at) {
        auto const inner = what.loops.size() - outer;
        if (inner > 7) {
            auto const& [count, stride] = what.loops[outer];
            for (std::int64_t k = 0; k < count; ++k)
                if (!move(what, packed, to_window, outer + 1, at + k * stride)) return false;
            return true;
        }
        sode_pattern p{.offset = at, .bytes = what.bytes, .dims = static_cast<int>(inner), .counts = {}, .strides = {}};
        auto bytes = what.bytes;
        for (std::size_t d = 0; d < inner; ++d) {
            p.counts[d] = what.loops[outer + d].count;
            p.strides[d] = what.loops[outer + d].stride;
            bytes *= p.counts[d];
        }
        bool const there = how_.move(how_.self, &p, packed, to_window) != 0;
        packed += bytes;
        return there;
    }
    bool move(sode::byte_pattern const& what, std::byte* packed, int to_window) {
        return move(what, packed, to_window, 0, what.offset);
    }

    sode_memory_mover const& how_;
};

} // namespace

extern "C" {

int sode_window_create(sode_runtime* rt, size_t bytes, char const* name, sode_window** window) {
    if (!rt || !window) return SODE_ERROR_USAGE;
    *window = nullptr;
    return guarded(*rt->own, [&] {
        auto& job = job_of(*rt->own);
        *window = new sode_window{rt->own, sode::window{job, bytes, name ? name : ""}};
    });
}

int sode_window_of_array(sode_array* array, sode_window** window) {
    if (!array || !window) return SODE_ERROR_USAGE;
    *window = nullptr;
    return guarded(*array->owner, [&] {
        (void)job_of(*array->owner);
        *window = new sode_window{array->owner, sode::window{array->elements.halo()}};
    });
}

int sode_window_of_memory(sode_runtime* rt, size_t bytes, sode_memory_mover const* how, char const* name, sode_window** window) {
    if (!rt || !window) return SODE_ERROR_USAGE;
    *window = nullptr;
    return guarded(*rt->own, [&] {
        auto& job = job_of(*rt->own);
        auto memory = std::make_shared<called_memory>(required(how, "how"));
        *window = new sode_window{rt->own, sode::window{job, bytes, std::move(memory), name ? name : ""}};
    });
}

void sode_window_destroy(sode_window* window) {
    delete window;
}

int sode_window_memory(sode_window* window, int rank, void** memory) {
    if (!memory) return SODE_ERROR_USAGE;
    return on(window, [&](sode::window& w) { *memory = w.memory(rank); });
}

int sode_window_put(sode_window* window, int rank, sode_pattern const* to, void const* data, sode_pattern const* from) {
    return on(window, [&](sode::window& w) { w.put(rank, pattern_of(to, "to"), data, pattern_of(from, "from")); });
}
int sode_window_get(sode_window* window, int rank, sode_pattern const* from, void* data, sode_pattern const* to) {
    return on(window, [&](sode::window& w) { w.get(rank, pattern_of(from, "from"), data, pattern_of(to, "to")); });
}

int sode_window_put_blocks(sode_window* window, int rank, size_t count, int64_t const* offsets, size_t bytes, void const* data) {
    return on(window, [&](sode::window& w) { w.put(rank, std::span{offsets, count}, static_cast<int64_t>(bytes), data); });
}
int sode_window_get_blocks(sode_window* window, int rank, size_t count, int64_t const* offsets, size_t bytes, void* data) {
    return on(window, [&](sode::window& w) { w.get(rank, std::span{offsets, count}, static_cast<int64_t>(bytes), data); });
}

int sode_window_word(sode_window* window, int rank, size_t offset, size_t bytes, sode_word_op op, int64_t operand, int64_t expected,
                     int64_t* before) {
    return on(window, [&](sode::window& w) {
        if (op < SODE_WORD_LOAD || op > SODE_WORD_COMPARE_EXCHANGE)
            throw error{error_kind::usage, fmt::format("there is no operation {} on window words", static_cast<int>(op)),
                        "the value is not a member of sode_word_op", "pass a member of sode_word_op, such as SODE_WORD_ADD"};
        auto const was = w.word(rank, offset, bytes, static_cast<sode::word_operation>(op), operand, expected);
        if (before) *before = was;
    });
}

int sode_window_await(sode_window* window, int rank, size_t offset, size_t bytes, sode_word_relation relation, int64_t value) {
    return on(window, [&](sode::window& w) {
        if (relation < SODE_WORD_EQUAL || relation > SODE_WORD_AT_LEAST)
            throw error{error_kind::usage, fmt::format("there is no comparison {} of window words", static_cast<int>(relation)),
                        "the value is not a member of sode_word_relation",
                        "pass SODE_WORD_EQUAL, SODE_WORD_NOT_EQUAL or SODE_WORD_AT_LEAST"};
        w.await(rank, offset, bytes, static_cast<sode::word_relation>(relation), value);
    });
}

int sode_window_flush(sode_window* window) {
    return on(window, [&](sode::window& w) { w.flush(); });
}
int sode_window_barrier(sode_window* window) {
    return on(window, [&](sode::window& w) { w.barrier(); });
}

} // extern "C"

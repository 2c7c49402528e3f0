// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>
#include <sode/field.hpp>
#include <sode/global_view.hpp>
#include <sode/halo.hpp>
#include <sode/nodes.hpp>
#include <sode/planned.hpp>
#include <sode/runtime.hpp>
#include <sode/sode.h>
#include <sode/window.hpp>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace sode::internal::face_c {

/// What all handles of one runtime share. It lives as long as the last of them, the runtime itself until sode_finalize().
struct shared {
    std::optional<runtime> job;
    std::string text; ///< of the last error
};

[[nodiscard]] inline int code_of(error_kind kind) noexcept {
    return static_cast<int>(kind) + 1;
}
static_assert(static_cast<int>(error_kind::usage) + 1 == SODE_ERROR_USAGE &&
              static_cast<int>(error_kind::environment) + 1 == SODE_ERROR_ENVIRONMENT &&
              static_cast<int>(error_kind::peer) + 1 == SODE_ERROR_PEER &&
              static_cast<int>(error_kind::timeout) + 1 == SODE_ERROR_TIMEOUT &&
              static_cast<int>(error_kind::internal) + 1 == SODE_ERROR_INTERNAL);

/// f(), whose errors become codes and a text.
template <class F> int guarded(shared& s, F f) noexcept {
    try {
        try {
            f();
            return SODE_OK;
        } catch (error const& e) {
            s.text = e.what();
            return code_of(e.kind());
        } catch (std::bad_alloc const&) {
            s.text = error{error_kind::environment, "there is not enough memory", "an allocation failed", "use a smaller problem"}
                         .what();
            return SODE_ERROR_ENVIRONMENT;
        } catch (std::exception const& e) {
            s.text = error{error_kind::internal, "an unexpected exception occurred", e.what(), "report this defect of Sode"}.what();
            return SODE_ERROR_INTERNAL;
        }
    } catch (...) { // no room for the text
        return SODE_ERROR_ENVIRONMENT;
    }
}

/// The job. Errors: usage, after sode_finalize().
[[nodiscard]] inline runtime& job_of(shared& s) {
    if (!s.job) throw error{error_kind::usage, "the job has ended", "sode_finalize() was called", "call sode_finalize() last"};
    return *s.job;
}

/// A pointer that must not be null. Errors: usage.
template <class T> [[nodiscard]] T& required(T* pointer, char const* name) {
    if (!pointer)
        throw error{error_kind::usage, std::string{name} + " is NULL", "a valid pointer is expected",
                    "pass the address of an object"};
    return *pointer;
}

} // namespace sode::internal::face_c

struct sode_runtime {
    std::shared_ptr<sode::internal::face_c::shared> own;
};
struct sode_nodes {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::node_grid nodes;
    sode::detail::place place;
};

struct sode_grid {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::detail::mapping where;
};
struct sode_array {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::detail::field elements;
};
struct sode_exchange {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::reflection halo;
    std::string explanation, plans{};
};
struct sode_window {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::window memory;
};
struct sode_elements {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::detail::global_memory memory;
    std::size_t dims;
};
struct sode_collective {
    std::shared_ptr<sode::internal::face_c::shared> owner;
    sode::planned plan;
    std::string explanation, plans{};
};

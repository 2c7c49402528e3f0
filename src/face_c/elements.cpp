// SPDX-License-Identifier: Apache-2.0
// Elements of arrays by their global indices.
#include "face_c/handles.hpp"

#include <span>

using sode::internal::face_c::guarded;
using sode::internal::face_c::job_of;
using sode::internal::face_c::required;

namespace {

// f(memory) while the job runs.
template <class F> int on(sode_elements* elements, F f) {
    if (!elements) return SODE_ERROR_USAGE;
    return guarded(*elements->owner, [&] {
        (void)job_of(*elements->owner);
        f(elements->memory);
    });
}

} // namespace

extern "C" {

int sode_elements_create(sode_array* array, sode_elements** elements) {
    if (!array || !elements) return SODE_ERROR_USAGE;
    *elements = nullptr;
    return guarded(*array->owner, [&] {
        (void)job_of(*array->owner);
        auto const dims = static_cast<std::size_t>(array->elements.shape().dims);
        *elements = new sode_elements{array->owner, sode::detail::global_memory{array->elements.halo()}, dims};
    });
}

void sode_elements_destroy(sode_elements* elements) {
    delete elements;
}

int sode_elements_get(sode_elements* elements, size_t count, int64_t const* indices, void* values) {
    return on(elements, [&](auto& memory) {
        if (count > 0)
            memory.get({&required(indices, "indices"), count * elements->dims},
                       &required(static_cast<std::byte*>(values), "values"));
    });
}

int sode_elements_put(sode_elements* elements, size_t count, int64_t const* indices, void const* values) {
    return on(elements, [&](auto& memory) {
        if (count > 0)
            memory.put({&required(indices, "indices"), count * elements->dims},
                       &required(static_cast<std::byte const*>(values), "values"));
    });
}

int sode_elements_flush(sode_elements* elements) {
    return on(elements, [](auto& memory) { memory.flush(); });
}

} // extern "C"

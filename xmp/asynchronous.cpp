// SPDX-License-Identifier: Apache-2.0
// `async` of all directives, `wait_async`, xmp_test_async().
#include "asynchronous.hpp"

#include <algorithm>
#include <sode/directives.h>
#include <vector>
#include <xmp.h>

namespace sode::xmp {
namespace {

std::vector<begun>& under_way() {
    static auto* const list = new std::vector<begun>;
    return *list;
}

} // namespace

void keep(begun b) {
    under_way().push_back(std::move(b));
}

void forget(void const* owner) {
    std::erase_if(under_way(), [&](begun const& b) { return b.owner == owner; });
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_wait_async(char const* at, int number) {
    auto const all = under_way();
    std::erase_if(under_way(), [&](begun const& b) { return b.number == number; });
    for (auto const& b : all)
        if (b.number == number) b.finish(at);
}

int xmp_test_async(int async_id) {
    bool over = true;
    for (auto const& b : under_way())
        if (b.number == async_id) over = b.over("xmp_test_async()") && over;
    return over ? 1 : 0;
}

} // extern "C"

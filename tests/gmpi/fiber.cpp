// SPDX-License-Identifier: Apache-2.0
// Jumps between stacks look like errors to the C library's checks.
#undef _FORTIFY_SOURCE
#include "gmpi/fiber.hpp"

#include <cstdint>
#include <utility>

namespace sode::internal::testing {

namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;

/// Stacks whose fibers are gone: a fresh one would be cleared, and its pages brought in, for each schedule.
std::vector<std::unique_ptr<std::byte[]>>& spare_stacks() {
    thread_local std::vector<std::unique_ptr<std::byte[]>> spare;
    return spare;
}

std::unique_ptr<std::byte[]> a_stack() {
    auto& spare = spare_stacks();
    if (spare.empty()) return std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    auto one = std::move(spare.back());
    spare.pop_back();
    return one;
}

} // namespace

fiber::fiber(std::function<void()> body) : body_(std::move(body)), stack_(a_stack()) {
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.get();
    context_.uc_stack.ss_size = stack_bytes;
    context_.uc_link = &resumer_;
    auto const self = reinterpret_cast<std::uintptr_t>(this);
    // makecontext passes ints.
    makecontext(&context_, reinterpret_cast<void (*)()>(&enter), 2, static_cast<unsigned>(self), static_cast<unsigned>(self >> 32));
}

fiber::~fiber() {
    spare_stacks().push_back(std::move(stack_));
}

void fiber::enter(unsigned low, unsigned high) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): in two halves, which is how makecontext takes it
    auto& self = *reinterpret_cast<fiber*>(static_cast<std::uintptr_t>(low) | static_cast<std::uintptr_t>(high) << 32);
    self.body_();
    self.over_ = true;
    self.leave();
}

#if SODE_TEST_FIBERS_JUMP
void fiber::resume() {
    if (_setjmp(outside_) != 0) return;
    if (!std::exchange(begun_, true)) setcontext(&context_);
    _longjmp(inside_, 1);
}

void fiber::leave() {
    if (_setjmp(inside_) == 0) _longjmp(outside_, 1);
}
#else
void fiber::resume() {
    begun_ = true;
    swapcontext(&resumer_, &context_);
}

void fiber::leave() {
    swapcontext(&context_, &resumer_);
}
#endif

} // namespace sode::internal::testing

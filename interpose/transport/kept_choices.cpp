// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/kept_choices.hpp"

#include "base/topology.hpp"
#include "base/warn.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <mpi.h>
#include <utility>

namespace sode::internal::interpose {

namespace {

// By what an MPI moves messages, as far as users choose it.
constexpr std::array transports{"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl",
                                "UCX_TLS",      "FI_PROVIDER",  "MPIR_CVAR_NEMESIS_SHM_EAGER_MAX_SZ"};

std::string this_machine() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    PMPI_Get_library_version(version.data(), &length);
    std::string_view first{version.data(), static_cast<std::size_t>(length)};
    first = first.substr(0, first.find_first_of("\n,"));
    std::string text = fmt::format("{}; {}; Sode {}", topology{}.model(), first, SODE_VERSION);
    for (char const* const name : transports)
        if (char const* const value = std::getenv(name)) text += fmt::format("; {}={}", name, value);
    for (char& c : text)
        if (c == '\t' || c == '\n') c = ' ';
    return text;
}

} // namespace

kept_choices::kept_choices(std::string file, use how, choice_board& board) : file_(std::move(file)), how_(how) {
    if (how_ == use::no) return;
    machine_ = this_machine();
    std::optional<choice_book> book;
    try {
        book = load_choices(file_);
    } catch (error const& e) {
        if (how_ == use::read) throw;
        warn(fmt::format("{} is not used, and stays unchanged", file_), e.what());
        how_ = use::no;
        return;
    }
    if (!book && how_ == use::read)
        throw error{error_kind::usage, fmt::format("cannot read the choices of {}", file_), "there is no such file",
                    "create this file with SODE_CHOICE=learn:FILE"};
    if (!book) return;
    if (auto const* const known = book->of(machine_))
        for (auto const& c : *known) board.put(c);
}

void kept_choices::store(choice_board const& board) noexcept {
    if (how_ != use::read_and_write) return;
    try {
        auto const all = board.all();
        if (!all.empty()) save_choices(file_, machine_, all);
    } catch (std::exception const& e) {
        warn(fmt::format("measured times cannot be stored in {}", file_), e.what());
    }
}

} // namespace sode::internal::interpose

// SPDX-License-Identifier: Apache-2.0
#include "compiler/unit/text_edits.hpp"

#include <algorithm>
#include <utility>

namespace sode::compiler {

std::string line_breaks_of(llvm::StringRef text) {
    return std::string(text.count('\n'), '\n');
}

void text_edits::insert_first(clang::SourceLocation at, std::string const& text) {
    edits_at(at).inserts[files_.getFileOffset(at)].insert(0, text);
}

void text_edits::insert_last(clang::SourceLocation at, std::string const& text) {
    edits_at(at).inserts[files_.getFileOffset(at)] += text;
}

void text_edits::wrap(clang::CharSourceRange range, std::string before, std::string behind) {
    around const all{files_.getFileOffset(range.getEnd()), std::move(before), std::move(behind)};
    edits_at(range.getBegin()).wraps.emplace(files_.getFileOffset(range.getBegin()), all);
}

void text_edits::replace(clang::CharSourceRange range, std::string text, bool wrapped) {
    if (range.getBegin() == range.getEnd()) return insert_last(range.getBegin(), text); // i[a]: what stands before i
    replacement const all{files_.getFileOffset(range.getEnd()), std::move(text), wrapped};
    edits_at(range.getBegin()).replacements.emplace(files_.getFileOffset(range.getBegin()), all);
}

text_edits::replacement const* text_edits::longest(edits_of_file const& edits, unsigned begin, unsigned end) {
    replacement const* found = nullptr;
    for (auto [r, last] = edits.replacements.equal_range(begin); r != last; ++r)
        if (r->second.end <= end && r->second.end > begin && (!found || r->second.end >= found->end)) found = &r->second;
    return found;
}

std::string text_edits::text(clang::CharSourceRange range) const {
    return text(files_.getFileID(range.getBegin()), files_.getFileOffset(range.getBegin()), files_.getFileOffset(range.getEnd()),
                false);
}

std::string text_edits::original(clang::CharSourceRange range) const {
    auto const file = files_.getBufferData(files_.getFileID(range.getBegin()));
    return file.slice(files_.getFileOffset(range.getBegin()), files_.getFileOffset(range.getEnd())).str();
}

std::string text_edits::text(clang::FileID file) const {
    return text(file, 0, static_cast<unsigned>(files_.getBufferData(file).size()), true);
}

std::vector<clang::FileID> text_edits::changed() const {
    std::vector<clang::FileID> all;
    for (auto const& each : edits_)
        if (files_.getFileEntryForID(each.first)) all.push_back(each.first); // and not what `_Pragma("...")` says
    return all;
}

std::string text_edits::text(clang::FileID file, unsigned begin, unsigned end, bool whole) const {
    auto const original = files_.getBufferData(file);
    auto const found = edits_.find(file);
    if (found == edits_.end()) return original.slice(begin, end).str();
    auto const& edits = found->second;
    std::string result;
    std::vector<around const*> open;
    for (auto at = begin;;) {
        for (; !open.empty() && open.back()->end <= at; open.pop_back()) result += open.back()->behind;
        auto const inserted = edits.inserts.lower_bound(at);
        if (inserted != edits.inserts.end() && inserted->first == at && (whole || (at > begin && at < end)))
            result += inserted->second;
        if (at >= end) return result;
        auto const* const instead = longest(edits, at, end);
        std::vector<around const*> opens;
        for (auto [w, last] = edits.wraps.equal_range(at); w != last; ++w)
            if (w->second.end <= end &&
                (!instead || w->second.end > instead->end || (instead->wrapped && w->second.end == instead->end)))
                opens.push_back(&w->second);
        std::ranges::stable_sort(opens, std::ranges::greater{}, &around::end);
        for (auto const* const w : opens) {
            result += w->before;
            open.push_back(w);
        }
        if (instead) {
            result += instead->text;
            at = instead->end;
            continue;
        }
        auto next = open.empty() ? end : open.back()->end;
        auto const nearer = [&](auto const& map) {
            if (auto const n = map.upper_bound(at); n != map.end()) next = std::min(next, n->first);
        };
        nearer(edits.inserts);
        nearer(edits.replacements);
        nearer(edits.wraps);
        result += original.slice(at, next).str();
        at = next;
    }
}

} // namespace sode::compiler

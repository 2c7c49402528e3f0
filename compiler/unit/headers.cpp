// SPDX-License-Identifier: Apache-2.0
#include "compiler/unit/headers.hpp"
#include "compiler/unit/quoted.hpp"

#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/FileSystem.h>

namespace sode::compiler {
namespace {

std::string absolute(clang::FileEntry const& file) {
    llvm::SmallString<256> path(file.getName());
    (void)llvm::sys::fs::make_absolute(path);
    return path.str().str();
}

} // namespace

void headers::watch(clang::Preprocessor& pp) {
    class inclusions : public clang::PPCallbacks {
    public:
        explicit inclusions(std::vector<inclusion>& all) : all_(all) {}
        void InclusionDirective(clang::SourceLocation hash, clang::Token const&, llvm::StringRef, bool angled,
                                clang::CharSourceRange name, clang::FileEntry const* file, llvm::StringRef, llvm::StringRef,
                                clang::Module const*, clang::SrcMgr::CharacteristicKind) override {
            if (file) all_.push_back({hash, name, angled, absolute(*file)});
        }

    private:
        std::vector<inclusion>& all_;
    };
    pp.addPPCallbacks(std::make_unique<inclusions>(all_));
}

std::string headers::first_line(unit const& u, clang::FileID file) {
    return "#line 1 " + quoted(u.files.getFileEntryForID(file)->getName().str()) + "\n";
}

// The #include that this file came by.
headers::inclusion const* headers::of(unit const& u, clang::FileID file) const {
    auto const at = u.files.getDecomposedLoc(u.files.getIncludeLoc(file));
    for (auto const& i : all_) {
        auto const hash = u.files.getDecomposedLoc(i.hash);
        if (hash.first == at.first && u.files.getLineNumber(hash.first, hash.second) == u.files.getLineNumber(at.first, at.second))
            return &i;
    }
    return nullptr;
}

void headers::name(unit& u, std::string const& folder) {
    auto const main = u.files.getMainFileID();
    auto const put = [&](inclusion const& i, std::string const& path) {
        if (i.name.getBegin().isMacroID() || i.name.getEnd().isMacroID())
            return u.error(i.hash, "this header has directives, and a macro has its name; write the name here");
        u.edits.replace({{i.name.getBegin(), i.name.getEnd()}, false}, quoted(path));
    };
    for (bool more = true; more && !u.failed();) {
        more = false;
        std::vector<clang::FileID> changed;
        for (auto const file : u.edits.changed())
            if (file != main && !written_.contains(file)) changed.push_back(file);
        for (auto const file : changed) {
            auto const* const by = of(u, file);
            if (!by) return u.error(u.files.getLocForStartOfFile(file), "this file has directives, and no #include of it is found");
            // Its own path is in the new one: lists of dependencies are to name it.
            auto const path = folder + "/root" + std::to_string(written_.size()) + by->path;
            written_[file] = path;
            put(*by, path);
            more = true;
        }
    }
    // What they include beside them is not beside the new ones.
    for (auto const& [file, path] : written_) {
        for (auto const& i : all_) {
            if (i.angled || u.files.getFileID(i.hash) != file) continue;
            bool is_new = false;
            for (auto const& [other, where] : written_) is_new = is_new || of(u, other) == &i;
            if (!is_new) put(i, i.path);
        }
        u.edits.insert_first(u.files.getLocForStartOfFile(file), first_line(u, file));
    }
}

} // namespace sode::compiler

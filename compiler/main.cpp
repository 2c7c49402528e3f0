// SPDX-License-Identifier: Apache-2.0
// sode-rewrite: one file of C or C++ with directives of XcalableMP becomes one without. `sode cc` runs it.
#include "compiler/accelerators/laid_out.hpp"
#include "compiler/emitter/emitter.hpp"
#include "compiler/unit/headers.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/Sema.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <cstring>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <utility>

namespace sode::compiler {
namespace {

std::string output;        // where the result goes; "-": standard output
bool checked = false;      // -fsode-check
bool accelerators = false; // -acc
bool serial = false;       // --serial
bool openmp = false;       // -fopenmp
/// Files with uses of macros written out, in which something is to be changed. `again`: the unit is to be read with them.
std::map<std::string, std::string> files_of_memory;
bool again = false;

class rewrite : public clang::ASTFrontendAction {
public:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
        return std::make_unique<clang::ASTConsumer>();
    }

    // clang::ParseAST(), with the tokens changed before the parser gets them.
    void ExecuteAction() override {
        auto& compiler = getCompilerInstance();
        auto& pp = compiler.getPreprocessor();
        pp.setPredefines(pp.getPredefines() +
                         "\nint __sode_e(int, int, ...);int __sode_h(int);int __sode_n(int, int);int "
                         "__sode_a(int, ...);long __sode_section(long, long, long);void *__sode_desc(" +
                         (pp.getLangOpts().CPlusPlus ? "..." : "") +
                         ");int __sode_image(int, int, ...);\n"
                         "#define _XCALABLEMP 201811\n" +
                         (accelerators ? "#define _XCALABLEACC 1\n#define _OPENACC 201711\n" : ""));
        compiler.createSema(getTranslationUnitKind(), nullptr);
        clang::Parser parser(pp, compiler.getSema(), false);
        source s{pp, accelerators};
        collect_directives(s);
        headers_.watch(pp);
        pp.EnterMainSourceFile();
        clang::Token t;
        do {
            pp.Lex(t);
            if (!s.lexed.empty()) as_its_library_means(s.lexed.back(), t);
            s.lexed.push_back(t);
        } while (t.isNot(clang::tok::eof));
        inject(s);
        pp.EnterTokenStream(s.stream, true, true);
        parser.Initialize();
        clang::Parser::DeclGroupPtrTy group;
        for (bool end = parser.ParseFirstTopLevelDecl(group); !end; end = parser.ParseTopLevelDecl(group)) {
        }
        compiler.getSema().ActOnEndOfTranslationUnit();
        if (compiler.getDiagnostics().hasErrorOccurred()) return;
        unit u{s, compiler.getASTContext()};
        u.checked = checked;
        u.serial = serial;
        u.openmp = openmp;
        u.resolve();
        map_laid_out(u);
        if (u.macros.empty()) u.check();
        if (u.failed()) return;
        if (u.macros.empty()) emitter{u}.run();
        if (u.failed()) return;
        if (u.macros.empty()) return write(u);
        for (auto& [path, text] : u.macros.files()) files_of_memory[path] = text;
        again = true;
    }

private:
    // libstdc++ has classes named as Clang's builtin traits are, `struct __is_void`. Clang's parser lets such a word be a name from
    // there on; here words are read before the parser sees any.
    static void as_its_library_means(clang::Token const& before, clang::Token& t) {
        auto* const name = t.isAnnotation() ? nullptr : t.getIdentifierInfo();
        if (!name || t.is(clang::tok::identifier) || !name->getName().startswith("__is_")) return;
        if (!before.isOneOf(clang::tok::kw_struct, clang::tok::kw_class, clang::tok::kw_union, clang::tok::kw_bool)) return;
        name->revertTokenIDToIdentifier();
        t.setKind(clang::tok::identifier);
    }
    static void write(unit& u, clang::FileID file, std::string const& path) {
        std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
        llvm::raw_fd_ostream out(path, error);
        if (error) return u.error({}, "cannot write " + path + " (" + error.message() + ")");
        out << u.edits.text(file);
    }
    // The file, and the headers that have directives.
    void write(unit& u) {
        auto const main = u.files.getMainFileID();
        u.edits.insert_first(u.files.getLocForStartOfFile(main),
                             std::string{accelerators ? "#include <sode/accelerator_kernels.h>\n" : ""} +
                                 (u.is_cxx() ? "#include <sode/directives.hpp>\n" : "#include <sode/directives.h>\n") +
                                 (u.checked ? "#include <sode/checked.h>\n" : "") +
                                 (u.openmp ? "#include <sode/dealt_loops.h>\n" : "") + headers::first_line(u, main));
        if (output != "-") headers_.name(u, llvm::sys::path::parent_path(output).str());
        if (u.failed()) return;
        for (auto const& [file, path] : headers_.written()) write(u, file, path);
        write(u, main, output);
    }

    headers headers_;
};

} // namespace
} // namespace sode::compiler

// sode-rewrite -o OUTPUT INPUT [options of the compiler]
int main(int argc, char** argv) {
    if (argc < 4 || std::strcmp(argv[1], "-o") != 0) {
        llvm::errs() << "usage: sode-rewrite -o OUTPUT INPUT [options of the compiler]\n";
        return 2;
    }
    sode::compiler::output = argv[2];
    std::vector<std::string> options{"-fsyntax-only",        "-fblocks",        "-w", "-Wno-non-pod-varargs",
                                     "-Wno-c++11-narrowing", "-ferror-limit=20"};
    for (int i = 4; i < argc; ++i)
        if (std::strcmp(argv[i], "-fsode-check") == 0)
            sode::compiler::checked = true;
        else if (std::strcmp(argv[i], "-acc") == 0)
            sode::compiler::accelerators = true;
        else if (std::strcmp(argv[i], "--serial") == 0)
            sode::compiler::serial = true;
        else if (std::strncmp(argv[i], "-fopenmp", 8) == 0) // pragmas of OpenMP are the compiler's affair
            sode::compiler::openmp = true;
        else
            options.emplace_back(argv[i]);
    clang::tooling::FixedCompilationDatabase const database(".", options);
    for (int readings = 0;; ++readings) { // what is written out has no macro left; what it hid is found in the next reading
        clang::tooling::ClangTool tool(database, {argv[3]});
        auto const files = sode::compiler::files_of_memory;
        for (auto const& [path, text] : files) tool.mapVirtualFile(path, text);
        tool.setPrintErrorMessage(false);
        tool.clearArgumentsAdjusters();
        tool.appendArgumentsAdjuster(clang::tooling::getInsertArgumentAdjuster("-resource-dir=" SODE_CLANG_RESOURCES));
        auto const result = tool.run(clang::tooling::newFrontendActionFactory<sode::compiler::rewrite>().get());
        if (!std::exchange(sode::compiler::again, false)) return result;
        if (readings < 9) continue;
        llvm::errs() << "sode cc: error: macros are nested too deep (a defect of sode cc)\n";
        return 1;
    }
}

// SPDX-License-Identifier: Apache-2.0
// sode-rewrite: one C file with directives of XcalableMP becomes one without. `sode cc` runs it.
#include "emitter.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/Sema.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/raw_ostream.h>
#include <cstring>

namespace sode::compiler {
namespace {

std::string output; // where the result goes; "-": standard output

class rewrite : public clang::ASTFrontendAction {
public:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
        return std::make_unique<clang::ASTConsumer>();
    }

    // clang::ParseAST(), with the tokens changed before the parser gets them.
    void ExecuteAction() override {
        auto& compiler = getCompilerInstance();
        auto& pp = compiler.getPreprocessor();
        pp.setPredefines(pp.getPredefines() + "\nint __sode_e(int, int, ...);int __sode_h(int);int __sode_n(int, int);int __sode_a(int, ...);long __sode_section(long, long, long);\n"
                                              "#define _XCALABLEMP 201811\n");
        compiler.createSema(getTranslationUnitKind(), nullptr);
        clang::Parser parser(pp, compiler.getSema(), false);
        source s{pp};
        collect_directives(s);
        pp.EnterMainSourceFile();
        tokens all;
        clang::Token t;
        do {
            pp.Lex(t);
            all.push_back(t);
        } while (t.isNot(clang::tok::eof));
        inject(s, all);
        pp.EnterTokenStream(s.stream, true, true);
        parser.Initialize();
        clang::Parser::DeclGroupPtrTy group;
        for (bool end = parser.ParseFirstTopLevelDecl(group); !end; end = parser.ParseTopLevelDecl(group)) {}
        compiler.getSema().ActOnEndOfTranslationUnit();
        if (compiler.getDiagnostics().hasErrorOccurred()) return;
        unit u{s, compiler.getASTContext()};
        u.resolve();
        u.check();
        if (u.failed()) return;
        if (s.directives.empty()) return write(u, "");
        emitter{u}.run();
        if (!u.failed()) write(u, "#include <sode/directives.h>\n");
    }

private:
    void write(unit& u, std::string const& head) {
        auto const main = u.files.getMainFileID();
        std::string name;
        for (char const c : u.files.getFileEntryForID(main)->getName()) name += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
        u.rewriter.InsertTextBefore(u.files.getLocForStartOfFile(main), head + "#line 1 \"" + name + "\"\n");
        for (auto buffer = u.rewriter.buffer_begin(); buffer != u.rewriter.buffer_end(); ++buffer)
            if (buffer->first != main)
                u.error(u.files.getLocForStartOfFile(buffer->first), "directives in a header are not supported yet; write them in the .c file");
        if (u.failed()) return;
        std::error_code error;
        llvm::raw_fd_ostream out(output, error);
        if (error) return u.error({}, "cannot write " + output + " (" + error.message() + ")");
        u.rewriter.getEditBuffer(main).write(out);
    }
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
    std::vector<std::string> options{"-fsyntax-only", "-fblocks", "-w", "-ferror-limit=20"};
    for (int i = 4; i < argc; ++i) options.emplace_back(argv[i]);
    clang::tooling::FixedCompilationDatabase const database(".", options);
    clang::tooling::ClangTool tool(database, {argv[3]});
    tool.setPrintErrorMessage(false);
    tool.clearArgumentsAdjusters();
    tool.appendArgumentsAdjuster(clang::tooling::getInsertArgumentAdjuster("-resource-dir=" SODE_CLANG_RESOURCES));
    return tool.run(clang::tooling::newFrontendActionFactory<sode::compiler::rewrite>().get());
}

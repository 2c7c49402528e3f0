# SPDX-License-Identifier: Apache-2.0
"""What programs may name is in namespace sode, and all else in sode::internal.

A private header opens sode or sode::detail only for what a public header declares: to declare it again, or to define a class of which
programs see no more than the name. A public header does no more for sode::internal than declare classes. No header says `using
namespace`, but for what belongs to sode in a private one: there, `using namespace internal;`.
"""
import re

DEFINE = ("src", "hdf5")  # whose sources hold the bodies of what public headers declare

OPENED = re.compile(r"^namespace (sode[\w:]*) \{", re.MULTILINE)
NAMED = re.compile(r"^(?:template <[^{};]*>\s*)?(?:class|struct|enum class|enum) (?:detail::)?(\w+)(?:::\w+)?\b[^;{]*[;{]")


def bare(text):
    """Without comments, texts and lines of the preprocessor."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^#(?:[^\n]*\\\n)*[^\n]*', "", text, flags=re.DOTALL | re.MULTILINE)


def end_of(text, opened):
    """Where the brace is closed that is the last character before `opened`."""
    depth = 1
    for at in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def statements(text):
    """What a block says at its own depth; of what has braces, all up to them."""
    found, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "{":
            found.append(text[start:at + 1].strip())
            start = end_of(text, at + 1) + 1
            at = start - 1
        elif text[at] == ";":
            found.append(text[start:at + 1].strip())
            start = at + 1
        at += 1
    return [one for one in found if one != ";"]


def blocks(text):
    """Pairs of a namespace of Sode and what is said in it."""
    return [(one.group(1), text[one.end():end_of(text, one.end())]) for one in OPENED.finditer(text)]


def private(name, text, public):
    found = []
    for space, block in blocks(text):
        if re.match(r"sode::internal\b", space):
            continue
        if space not in ("sode", "sode::detail"):
            found.append(f"{name}: {space} is in reach of programs (it belongs into sode::internal)")
        elif not name.endswith(".hpp"):
            if name.split("/")[0] not in DEFINE:
                found.append(f"{name}: defines nothing that programs may name, and opens {space} (sode::internal)")
        else:
            for one in statements(block):
                named = NAMED.match(one)
                if not (named and named.group(1) in public) and one != "using namespace internal;":
                    found.append(f"{name}: {space} is for what public headers declare, not for `{one.splitlines()[0]}` (sode::internal)")
    return found


def opens_wide(name, text):
    """A header whose `using namespace` reaches whoever includes it."""
    own = "using namespace internal;"
    return [f"{name}: `{one}` reaches whoever includes this" for one in re.findall(r"^using namespace [\w:]+;", text, re.MULTILINE)
            if one != own or name.startswith("include/")]


def findings(tree):
    public = set()
    found = []
    for name in tree.code("include"):
        text = bare(tree.text(name))
        found += opens_wide(name, text)
        while opened := re.search(r"^namespace (?:sode::)?internal \{", text, re.MULTILINE):
            end = end_of(text, opened.end())
            for one in statements(text[opened.end():end]):
                if not re.fullmatch(r"(class|struct) \w+;", one):
                    found.append(f"{name}: a public header only declares classes of sode::internal, not `{one.splitlines()[0]}`")
            text = text[:opened.start()] + text[end + 1:]
        public |= set(re.findall(r"\b(?:class|struct)(?: SODE_API)? (\w+)", text))
    for name in tree.code("src", "plugins", "interpose", "tasks", "tools", "hdf5", "bench", "tests"):
        text = bare(tree.text(name))
        found += private(name, text, public) + (opens_wide(name, text) if name.endswith(".hpp") else [])
    return found

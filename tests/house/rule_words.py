# SPDX-License-Identifier: Apache-2.0
"""A *node* is a cell of a rank grid, as in XcalableMP; a computer is a *machine*. One word for both confuses readers: ranks of one node
can share memory, and one node of a grid is one rank. What is found here are the compounds that only a computer can be meant by."""
import re

A_COMPUTER = [re.compile(words.replace(" ", r"[\s/#*]+"), re.IGNORECASE) for words in (
    # names
    r"(?:\b|_)(?:other|own|one|on|of|by|small|over|two|reduce|bootstrap|bench|mpi|random)[_-]nodes?(?:\b|_)",
    r"\bnode[_-](?:size|share|socket|terms)\b", r"\bbootstrap::nodes\(\)",
    r"\bnodes\(\) (?:const )?(?:noexcept )?(?:override|= 0)", r"\b(?:boot|bootstrap)_?(?:\.|->)nodes\(\)",
    r"(?:OtherNode|OwnNode|TheirNode|SmallNodes)\b",
    # prose
    r"\bbetween nodes\b", r"\bnode['’]s (?:memory|ranks|tasks|cores|shared)\b",
    r"\b(?:another|the other|different|this|the same|same) nodes?\b(?! of (?:a|the) (?:rank )?grid)",
    r"\b(?:ranks|tasks|cores|memory|root) (?:of|on) (?:a|the|one|each|its|every|this) node\b",
    r"\b(?:MPI|compute) nodes?\b", r"\branks a node\b",
)]
# Two folders were named so, too.
FOLDERS = re.compile(r"(?:^|/)(?:tasks/node|bench/nodes)/")
# Words of others: hwloc's and Linux' NUMA nodes, Slurm's options.
NOT_OURS = re.compile(r"NUMA[\s/#*]+$", re.IGNORECASE)
# A variable and an option have older names.
OLD_NAMES = {"SODE_NODE_SIZE": ("src/base/config.cpp", "docs/environment.md", "CHANGELOG.md", "tests/base/config_test.cpp"),
             "--nodes": ("tools/plan.cpp", "CHANGELOG.md", "tests/tools/plan_test.cpp")}
THE_RULES = "tests/house/"  # they quote what is wrong
DATA = (".png", ".svg", ".json")


def findings(tree):
    found = []
    for name in tree.files():
        if name.startswith(THE_RULES) or name.endswith(DATA):
            continue
        text = tree.text(name)
        if FOLDERS.search(name) or any(words.search(name) for words in A_COMPUTER):
            found.append(f"{name}: a file is named after a node that is a computer (a computer is a machine)")
        for old, places in OLD_NAMES.items():
            if old in text and name not in places:
                found.append(f"{name}: {old} is an old name")
        for words in A_COMPUTER:
            for match in words.finditer(text):
                if not NOT_OURS.search(text[:match.start()][-12:]):
                    line = text.count("\n", 0, match.start()) + 1
                    found.append(f"{name}:{line}: \"{' '.join(match.group().split())}\": a computer is a machine; a node is of a rank grid")
    return found

# SPDX-License-Identifier: Apache-2.0
"""The files of the project, as the rules see them."""
import pathlib
import re
import subprocess

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
CODE = {".cpp", ".hpp", ".c", ".h"}


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self._texts = {}

    def files(self):
        """Paths relative to the root, as text: what git knows or does not ignore; of a tree without git, everything."""
        git = ["git", "-c", "safe.directory=*", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        if (self.root / ".git").exists():
            listed = subprocess.run(git, check=True, capture_output=True, text=True).stdout.split("\0")
            return sorted(name for name in set(listed) if name and (self.root / name).is_file())
        paths = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return sorted(str(path) for path in paths if not path.parts[0].startswith("build"))

    def code(self, *folders):
        """C and C++ files, those of `folders` or all."""
        return [name for name in self.files()
                if pathlib.Path(name).suffix in CODE and (not folders or name.split("/")[0] in folders)]

    def text(self, name):
        if name not in self._texts:
            self._texts[name] = (self.root / name).read_text(encoding="utf-8", errors="replace")
        return self._texts[name]

    def has(self, name):
        return (self.root / name).exists()

    def includes(self, name):
        """Pairs of what is included and whether in quotes."""
        return [(match.group(2), match.group(1) == '"') for match in INCLUDE.finditer(self.text(name))]

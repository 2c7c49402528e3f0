# SPDX-License-Identifier: Apache-2.0
"""repeats.py SODE ROOT: runs every command of docs/reproduced/*.json whose row has a number of the model, with SODE in place of `sode`, and
looks for what the row says that it prints. A row that is stale, or a model that has changed, fails."""
import json
import pathlib
import shlex
import subprocess
import sys

MADE = "build/release/bin/sode"  # how scripts of bench/predictions are told where `sode` is


def said_by(command, sode, root):
    words = [sode if word in ("sode", MADE) else word for word in shlex.split(command)]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=100)
    if done.returncode:
        raise SystemExit(f"{command}\nended with {done.returncode}: {done.stderr}")
    return " ".join(done.stdout.split())


def main(sode, root):
    outputs, stale, looked_for = {}, [], 0
    for file in sorted(pathlib.Path(root, "docs/reproduced").glob("*.json")):
        for row in json.loads(file.read_text(encoding="utf-8"))["rows"]:
            for text in row.get("finds", ()):
                command = row["command"]
                if command not in outputs:
                    outputs[command] = said_by(command, sode, root)
                looked_for += 1
                if text not in outputs[command]:
                    stale.append(f"{file.name}: {row['figure']}, \"{row['what']}\": \"{text}\" is not in what `{command}` prints")
    print("\n".join(stale) or f"{looked_for} numbers of {len(outputs)} commands")
    return 1 if stale or not looked_for else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

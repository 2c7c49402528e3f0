# SPDX-License-Identifier: Apache-2.0
"""predictions.py SODE ROOT: the tables of docs/predictions.md have the rows that scripts of bench/predictions print now, those of
bench/predictions/here_epyc*.json, and no others."""
import json
import pathlib
import subprocess
import sys

PRINTED_BY = ("p3.py", "ha_pacs.py")


def rows_in(text):
    """Lines of tables, without the heads."""
    lines = text.splitlines()
    head = {i for i, line in enumerate(lines) if i + 1 < len(lines) and lines[i + 1].startswith("|---")}
    return [line for i, line in enumerate(lines) if line.startswith("|") and not line.startswith("|---") and i not in head]


def row_of(r):
    error = 100 * (r["predicted_us"] / r["measured_us"] - 1)
    return (f"| {r['operation']} | {r['bytes']} | {r['algorithm']} | {r['predicted_us']:.3f} | {r['measured_us']:.3f} | {r['from_us']:.3f} to {r['to_us']:.3f} | "
            f"{error:+.0f} % |")


def main(sode, root):
    scripts = pathlib.Path(root, "bench/predictions")
    expected = []
    for script in PRINTED_BY:
        expected += rows_in(subprocess.run([sys.executable, "-B", scripts / script, "--sode", sode], check=True, capture_output=True, text=True).stdout)
    page = pathlib.Path(root, "docs/predictions.md").read_text(encoding="utf-8")
    own = {file.name: json.loads(file.read_text(encoding="utf-8"))["rows"] for file in sorted(scripts.glob("here_epyc*.json"))}
    expected += [row_of(r) for rows in own.values() for r in rows]
    wrong = [f"docs/predictions.md: nothing says \"{row}\"" for row in rows_in(page) if row not in expected]
    wrong += [f"docs/predictions.md: has no row \"{row}\"" for row in expected if row not in rows_in(page)]
    for name, rows in own.items():
        within = f"[{name}](../bench/predictions/{name}): {sum(abs(r['predicted_us'] / r['measured_us'] - 1) <= 0.3 for r in rows)} of {len(rows)} predictions"
        wrong += [] if within in page else [f"docs/predictions.md: does not say \"{within}\""]
    print("\n".join(wrong) or f"{len(expected)} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

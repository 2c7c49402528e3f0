# SPDX-License-Identifier: Apache-2.0
"""predictions.py SODE ROOT: the tables of docs/predictions.md are those that scripts of bench/predictions print now and those of
bench/predictions/here_*.json, each of these under its own heading; and what these files predict is what SODE predicts."""
import importlib.util
import pathlib
import subprocess
import sys

PRINTED_BY = ("p3.py", "ha_pacs.py")


def loaded(script):
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tables_in(text):
    """Each table with the last line of text above it."""
    found, above, inside = [], "", False
    for line in text.splitlines():
        if not line.startswith("|"):
            above, inside = line or above, False
        elif inside:
            found[-1][1].append(line)
        else:
            found.append((above, [line]))
            inside = True
    return found


def differences(file, rows, now):
    return [f"{file}: {r['operation']} of {r['bytes']} B is predicted as {n['predicted_us']} us, not {r['predicted_us']} us\n    bench/predictions/here.py --again"
            for r, n in zip(rows, now) if abs(r["predicted_us"] - n["predicted_us"]) > 1e-3 * n["predicted_us"]]


def main(sode, root):
    scripts = pathlib.Path(root, "bench/predictions")
    here = loaded(scripts / "here.py")
    wrong, expected, headed = [], [], {}
    for script in PRINTED_BY:
        expected += [rows for _, rows in
                     tables_in(subprocess.run([sys.executable, "-B", scripts / script, "--sode", sode], check=True, capture_output=True, text=True).stdout)]
    for file in sorted(scripts.glob("here_*.json")):
        found = here.read(file)
        headed[here.heading(file.name, found)] = here.table(found)
        wrong += differences(file.name, found["rows"], here.again(sode, found))
    page = tables_in(pathlib.Path(root, "docs/predictions.md").read_text(encoding="utf-8"))
    for above, rows in page:
        if rows != headed.get(above) and rows not in expected:
            wrong.append(f"docs/predictions.md: no script and no file says what stands below \"{above}\"")
    wrong += [f"docs/predictions.md: has no table \"{above}\"" for above in headed if above not in {a for a, _ in page}]
    wrong += [f"docs/predictions.md: has no table \"{rows[0]}\" as it is printed now" for rows in expected if rows not in [r for _, r in page]]
    print("\n".join(wrong) or f"{len(page)} tables")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

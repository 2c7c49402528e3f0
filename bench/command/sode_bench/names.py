# SPDX-License-Identifier: Apache-2.0
"""Cases as people say them."""
import re


def case_label(name):
    """`3d64_h3_f8_y_per` -> `64³, y faces, halo 3, 8 fields, periodic`."""
    dims, *words = name.split("_")
    shape = re.fullmatch(r"([23])d(\d+)", dims)
    if not shape:
        return name
    power = {"2": "²", "3": "³"}[shape.group(1)]
    parts = [f"{shape.group(2)}{power}"]
    rest = []
    for word in words:
        if word in ("x", "y", "z"):
            parts.append(f"{word} faces")
        elif word == "per":
            rest.append("periodic")
        elif re.fullmatch(r"h\d+", word):
            rest.append(f"halo {word[1:]}")
        elif re.fullmatch(r"f\d+", word):
            rest.append(f"{word[1:]} fields")
        elif re.fullmatch(r"\d{3}", word):
            parts.append("ranks " + "×".join(word if shape.group(1) == "3" else word[1:]))
        else:
            rest.append(word)
    return ", ".join(parts + rest)


def family(name):
    """(what the case has in common with others of another size, its size); None if it is no plain one."""
    found = re.fullmatch(r"([23]d)(\d+)((?:_[a-z0-9]+)*)", name)
    return (found.group(1) + found.group(3), int(found.group(2))) if found else None


def family_label(key):
    dims, *words = key.split("_")
    return case_label("_".join([dims + "0", *words])).replace("0³", "3-D").replace("0²", "2-D")


def time_text(us):
    """Three digits, with a unit."""
    if us < 1:
        return f"{us * 1000:.3g} ns"
    if us < 1000:
        return f"{us:.3g} µs"
    return f"{us / 1000:.3g} ms" if us < 1e6 else f"{us / 1e6:.3g} s"


def bytes_text(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1024
    return ""

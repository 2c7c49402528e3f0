# SPDX-License-Identifier: Apache-2.0
"""What the samples of `sode bench collectives` say: planned collectives against the best form of all MPIs and settings."""
import re

PROGRAM, LAYER = "collectives", "collectives-layer"
OURS = ("own", "shared")  # memory of the program's own, and memory that the other ranks can load
THROUGH_LAYER = "layer blocking"
FORMS = ("blocking", "nonblocking", "persistent")
LIMITS = {"own": ("limit:lines", "limit:staged"), "shared": ("limit:lines", "limit:pull", "limit:slices")}
STEPS = ("init", "start", "wait", "free")


def size_of(case):
    """(operation, bytes of a rank)"""
    found = re.fullmatch(r"(\w+)(?: (\d+) B)?", case)
    return found.group(1), int(found.group(2) or 0)


def fractions(samples, ranks, case, ours, regime):
    """{limit: time of the limit / time of ours}: of bare flags and copies for memory of this kind."""
    return {limit: values for limit, values in samples.limits(PROGRAM, ranks, case, ours, regime).items() if limit in LIMITS[ours]}

# SPDX-License-Identifier: Apache-2.0
"""No floor looks up, and nobody looks into another floor's drawers.

The order of the floors is that of src/CMakeLists.txt. A sub-folder of a floor is private to the floor, except that each folder of
channel/ is a channel of its own: the floors above may use it, another channel may not.

Beside src/, each top folder has a highest floor that it may use, and neighbours that it may look at. The rooms of interpose/ and of
compiler/ have an order, too.
"""
import re

# The public headers that the lower floors share with users; all others are the face of these floors, or of later ones.
LOW_FACE = {"bootstrap", "error", "messages", "range", "types"}
TOP_FLOORS = {"collective", "array", "gmpi", "window", "face_c", "device"}

# Top folder: its highest floor, and the other top folders, or rooms of them, that it may include.
WALLS = {
    "compiler": (None, ()), # what it writes calls <sode/directives.h>
    "hdf5": ("model", ()),
    "interpose": ("array", ()), # whose plans collectives of MPI become
    "plugins": ("base", ()),
    "tasks": ("base", ()),
    "tools": ("collective", ("interpose", "tasks/root")),
}
# In their order. Rooms that are not named come behind these.
ROOMS = {
    "compiler": ("directives", "tokens", "unit"),
    "interpose": ("calls", "datatypes", "transport", "requests", "collective", "wrap"),
}


def floors_of(tree):
    return re.findall(r"^sode_floor\((\w+)", tree.text("src/CMakeLists.txt"), re.MULTILINE)


def complaint(name, included, floors):
    parts = name.split("/")
    target = included.split("/")
    private = target[0] in floors and len(target) > 1
    if parts[0] == "include":
        return "a public header includes a private one" if private else None
    if parts[0] == "examples":
        return "an example uses the library as users do: by <sode/...>" if private else None
    if parts[0] in WALLS:
        return complaint_beside(parts, target, floors)
    if parts[0] != "src" or len(parts) < 3:
        return None
    own = parts[1]
    if target[0] == "sode":
        if own not in TOP_FLOORS and target[1].removesuffix(".hpp") not in LOW_FACE:
            return f"src/{own} looks up: that public header is the face of a higher floor"
        return None
    if not private:
        return None
    if floors.index(target[0]) > floors.index(own):
        return f"src/{own} looks up: {target[0]} is a higher floor"
    if len(target) > 2:
        if target[0] == "channel":
            if own == "channel" and parts[2] != target[1] and len(parts) > 3:
                return f"the channel {parts[2]} includes a header of its sibling {target[1]}"
        elif target[0] != own:
            return f"{target[0]}/{target[1]} is private to src/{target[0]}"
    return None


def complaint_beside(parts, target, floors):
    highest, neighbours = WALLS[parts[0]]
    if target[0] in floors and len(target) > 1:
        if highest is None:
            return f"{parts[0]}/ uses no floor"
        if highest in floors and floors.index(target[0]) > floors.index(highest):
            return f"{parts[0]}/ uses the floors up to {highest}"
        if len(target) > 2:
            return f"{target[0]}/{target[1]} is private to src/{target[0]}"
    if target[0] in WALLS and target[0] != parts[0]:
        if not any("/".join(target).startswith(allowed + "/") for allowed in neighbours):
            return f"{parts[0]}/ has nothing to do with {target[0]}/"
    rooms = ROOMS.get(parts[0], ())
    if parts[0] == target[0] and len(parts) > 2 and len(target) > 2 and parts[1] in rooms:
        if target[1] not in rooms or rooms.index(target[1]) > rooms.index(parts[1]):
            return f"{parts[0]}/{parts[1]} looks up: {target[1]} is a later room"
    return None


def findings(tree):
    floors = floors_of(tree)
    if len(floors) < 3:
        return ["src/CMakeLists.txt: no floors found (this rule reads the sode_floor(...) lines there)"]
    found = []
    for name in tree.code():
        parts = name.split("/")
        if parts[0] == "src" and len(parts) > 2 and parts[1] not in floors:
            found.append(f"{name}: src/{parts[1]} is no floor of src/CMakeLists.txt")
            continue
        for included, _ in tree.includes(name):
            problem = complaint(name, included, floors)
            if problem:
                found.append(f"{name}: includes {included} ({problem})")
    return found

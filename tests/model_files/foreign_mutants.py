"""Damages model files of other libraries in every way we could think of, and loads them.

Run as a program, so that a crash or a hang is seen from outside::

    python foreign_mutants.py KIND FIRST_SEED COUNT

KIND is lightgbm, json, ubj or catboost. Prints one JSON object. Every mutant must raise a
CeibaError or load; a loaded one must predict finite numbers. These formats have no checksum.
"""

from __future__ import annotations

import copy
import faulthandler
import io
import json
import os
import re
import resource
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

import ceiba
from ceiba.errors import CeibaError

FOLDER = Path(__file__).parent / "foreign"
KINDS = {
    "lightgbm": "lightgbm_*.txt",
    "json": "xgboost_*.json",
    "ubj": "xgboost_*.ubj",
    "catboost": "catboost_*.json",
}
SECONDS_EACH = 30
#: Memory that a file of some kilobytes must do with.
MEMORY = 4 * 2**30
NUMBERS = (
    *("-1", "0", "1", "2", "255", "256", "32768", "2147483647", "-2147483648", "4294967295"),
    *("1099511627776", "9223372036854775807", "9" * 30, "9" * 5000, "1e308", "-1e308", "1e999"),
    *("nan", "inf", "-inf", "NaN", "-Infinity", "0.5", "5e-324", "-0.0", "x", "", "1 2", "[", "{"),
)
VALUES = (
    *(None, True, -1, 0, 1, 255, 2**31 - 1, 2**40, 2**63, 10**400, 0.5, 1e308, np.nan, np.inf),
    *("", "x", "1", "-1", "99999999999", "[5E-1,1]", [], {}, [1], [[1]], ["x"], [None], {"a": 1}),
    *([0] * 500, [2**24 - 1] * 50, "9" * 5000),
)
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


# ---- bytes -------------------------------------------------------------------------------------


def cut(random, data, other):
    return data[: int(random.integers(len(data)))]


def flip(random, data, other):
    changed = bytearray(data)
    low, high = (0, 256) if random.random() < 0.5 else (32, 127)
    for _ in range(int(random.integers(1, 9))):
        changed[int(random.integers(len(data)))] = int(random.integers(low, high))
    return bytes(changed)


def splice(random, data, other):
    source = other if random.random() < 0.5 else data
    begin, at = int(random.integers(len(source))), int(random.integers(len(data)))
    piece = source[begin : begin + int(random.integers(1, 400))]
    keep = at if random.random() < 0.5 else at + len(piece)
    return data[:at] + piece + data[keep:]


def replace_numbers(random, data, other):
    """Numbers of a text replaced by hostile ones, or exchanged."""
    places = list(NUMBER.finditer(data))
    chosen = sorted(
        (places[int(i)] for i in random.integers(len(places), size=int(random.integers(1, 5)))),
        key=lambda place: -place.start(),
    )
    for place in chosen:
        new = str(random.choice(NUMBERS)).encode()
        if random.random() < 0.4:
            new = places[int(random.integers(len(places)))].group()
        data = data[: place.start()] + new + data[place.end() :]
    return data


# ---- lines of LightGBM ---------------------------------------------------------------------------


def change_lines(random, data, other):
    """Lines left out, repeated, exchanged or taken from another file; longer or shorter lists."""
    lines = data.split(b"\n")
    for _ in range(int(random.integers(1, 4))):
        at, from_ = int(random.integers(len(lines))), int(random.integers(len(lines)))
        what = int(random.integers(6))
        if what == 0 and len(lines) > 1:
            del lines[at]
        elif what == 1:
            lines.insert(at, lines[from_])
        elif what == 2:
            lines[at], lines[from_] = lines[from_], lines[at]
        elif what == 3:
            pool = other.split(b"\n")
            lines[at] = pool[int(random.integers(len(pool)))]
        elif what == 4:
            key, _, value = lines[at].partition(b"=")
            lines[at] = key + b"=" + b" ".join([value, value][: int(random.integers(3))])
        else:
            key, sign, value = lines[at].partition(b"=")
            words = value.split()
            random.shuffle(words)
            lines[at] = key + sign + b" ".join(words)
    return b"\n".join(lines)


# ---- values of JSON ------------------------------------------------------------------------------


def holders(value, found):
    """Collect every dictionary and list below a value."""
    if isinstance(value, dict | list) and value:
        found.append(value)
        for below in value.values() if isinstance(value, dict) else value:
            holders(below, found)
    return found


def change_values(random, data, other):
    """Values replaced, left out, repeated or taken from elsewhere; nested deeply."""
    model = json.loads(data)
    for _ in range(int(random.integers(1, 4))):
        found = holders(model, [])
        holder = found[int(random.integers(len(found)))]
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            continue
        key = keys[int(random.integers(len(keys)))]
        what = int(random.integers(6))
        if what < 2:
            holder[key] = copy.deepcopy(VALUES[int(random.integers(len(VALUES)))])
        elif what == 2:
            del holder[key]
        elif what == 3:
            holder[key] = copy.deepcopy(found[int(random.integers(len(found)))])
        elif what == 4 and isinstance(holder, list):
            holder.extend(holder[: int(random.integers(1, 50))])
        elif random.random() < 0.1:
            holder[key] = json.loads("[" * 400 + "]" * 400)
        else:
            other_key = keys[int(random.integers(len(keys)))]
            holder[key], holder[other_key] = holder[other_key], holder[key]
    return json.dumps(model).encode()


def nest(random, data, other):
    """More brackets than any reader wants."""
    depth = int(random.choice([100, 5000, 100_000]))
    at = int(random.choice([place.start() for place in NUMBER.finditer(data)]))
    opening, closing = (b"[", b"]") if random.random() < 0.5 else (b'{"a":', b"}")
    return data[:at] + opening * depth + b"1" + closing * depth + data[at:]


# ---- UBJSON --------------------------------------------------------------------------------------

TYPES = b"iUIlLdDSHCZTFN[{"


def change_lengths(random, data, other):
    """Lengths and types that the file does not have."""
    places = [place.start() for place in re.finditer(rb"[#$LSl\[{]", data)]
    changed = bytearray(data)
    for _ in range(int(random.integers(1, 4))):
        at = places[int(random.integers(len(places)))] + 1
        what = int(random.integers(4))
        if what == 0 and at + 8 < len(data):
            size = int(random.choice([0, -1, 1, 2**20, 2**31, 2**40, 2**62, 2**63 - 1, 500]))
            changed[at : at + 8] = size.to_bytes(8, "big", signed=True)
        elif what == 1 and at < len(data):
            changed[at] = int(random.choice(list(TYPES)))
        elif what == 2:
            kind = bytes([int(random.choice(list(TYPES)))])
            size = int(random.choice([5, 2**20, 2**31, 2**62])).to_bytes(8, "big")
            changed[at - 1 : at] = b"[$" + kind + b"#L" + size
        else:
            changed[at:at] = b"[" * int(random.choice([1, 70, 5000]))
    return bytes(changed)


MUTATIONS = {
    "lightgbm": (cut, flip, splice, replace_numbers, change_lines),
    "json": (cut, flip, splice, replace_numbers, change_values, nest),
    "catboost": (cut, flip, splice, replace_numbers, change_values, nest),
    "ubj": (cut, flip, splice, change_lengths),
}


def rows_for(model):
    random = np.random.default_rng(0)
    columns = {}
    for name, kind in zip(model.schema.names, model.schema.kinds, strict=True):
        known = list(model.schema.levels_of(name))[:5]
        values = random.normal(scale=4.0, size=8)
        values[0] = np.nan
        columns[name] = [*known, *[None] * 8][:8] if kind == "category" else values.tolist()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def exercise(model):
    """Use everything that reads a model; return its predictions."""
    rows = rows_for(model)
    model.fingerprint()
    model.feature_importances()
    model.trees_to_frame()
    repr(model)
    file = io.BytesIO()
    model.save(file)
    ceiba.load_model(io.BytesIO(file.getvalue()))
    return np.concatenate([np.ravel(model.predict(row)) for row in rows])


def outcome(mutant):
    try:
        model = ceiba.load_model(io.BytesIO(mutant))
    except CeibaError:
        return "refused"
    return "loaded" if np.isfinite(exercise(model)).all() else "not finite"


def main(kind, first, count):
    faulthandler.enable()
    warnings.simplefilter("error", RuntimeWarning)
    if "LD_PRELOAD" not in os.environ:  # sanitizers take terabytes of addresses of their own
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    files = [path.read_bytes() for path in sorted(FOLDER.glob(KINDS[kind]))]
    assert files
    assert all(outcome(file) == "loaded" for file in files)
    outcomes = Counter()
    for seed in range(first, first + count):
        random = np.random.default_rng(seed)
        mutate = MUTATIONS[kind][seed % len(MUTATIONS[kind])]
        data, other = (files[int(random.integers(len(files)))] for _ in range(2))
        mutant = mutate(random, data, other)
        faulthandler.dump_traceback_later(SECONDS_EACH, exit=True)
        print(seed, mutate.__name__, file=sys.stderr, flush=True)
        outcomes[f"{mutate.__name__}: {outcome(mutant)}"] += 1
        faulthandler.cancel_dump_traceback_later()
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

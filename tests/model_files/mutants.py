"""Damages model files in every way we could think of, and loads them.

Run as a program, so that a crash or a hang is seen from outside::

    python mutants.py FIRST_SEED COUNT

Prints one JSON object. Every mutant must raise a CeibaError or load. One that is not sealed again
(its checksum is wrong) may load only if it predicts what the original does; a sealed one must
predict finite numbers.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ceiba import CeibaForestClassifier, CeibaForestRegressor
from ceiba.data.dataset import Dataset
from ceiba.errors import CeibaError
from ceiba.model.file import seal
from ceiba.model.load import load_model
from ceiba.model.tree_weights import TreeWeights
from ceiba.parameters import BY_NAME
from ceiba.testing.forests import random_model, random_rows
from ceiba.training import train

GOLDEN = Path(__file__).parent / "golden"
SECONDS_EACH = 30
HOSTILE_INTEGERS = (-1, 0, 1, 255, 2**15, 2**31 - 1, -(2**31), 2**32, 2**53, 2**62, 2**63 - 1)
HOSTILE_LEVELS = (None, True, -1, 2**70, 0.5, np.nan, np.inf, "", "x", "\ud800", "\0", [], {}, [1])
HOSTILE_FLOATS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0)


def header_end(data):
    return 8 + int.from_bytes(data[:8], "little")


def place(random, data):
    """A position: half of them in the header, which is where most readers stumble."""
    return int(random.integers(header_end(data) if random.random() < 0.5 else len(data)))


def cut(random, data, other):
    return data[: place(random, data)]


def flip(random, data, other):
    changed = bytearray(data)
    for _ in range(int(random.integers(1, 9))):
        at = place(random, data)
        changed[at] = (
            int(random.integers(256))
            if random.random() < 0.5
            else changed[at] ^ (1 << int(random.integers(8)))
        )
    return bytes(changed)


def splice(random, data, other):
    """A piece of this file or of another one, over or between what is there."""
    source = other if random.random() < 0.5 else data
    begin, at = place(random, source), place(random, data)
    piece = source[begin : begin + int(random.integers(1, 400))]
    keep = at if random.random() < 0.5 else at + len(piece)
    return data[:at] + piece + data[keep:]


def swap_integers(random, data, other):
    """Numbers of the arrays exchanged, or replaced by hostile ones."""
    changed, first = bytearray(data), header_end(data)
    for _ in range(int(random.integers(1, 4))):
        size = int(random.choice([4, 8]))
        slots = (len(data) - first) // size
        a, b = (first + size * int(i) for i in random.integers(slots, size=2))
        if random.random() < 0.5:
            changed[a : a + size], changed[b : b + size] = (
                changed[b : b + size],
                changed[a : a + size],
            )
        elif size == 8 and random.random() < 0.5:
            changed[a : a + 8] = np.float64(random.choice(HOSTILE_FLOATS)).tobytes()
        else:
            value = int(random.choice(HOSTILE_INTEGERS))
            changed[a : a + size] = (value % 2 ** (8 * size)).to_bytes(size, "little")
    return bytes(changed)


def hostile_lengths(random, data, other):
    """Sizes that the file does not have."""
    end = header_end(data)
    if random.random() < 0.3:
        length = int(random.choice([0, 1, 2**20, 2**31, 2**40, 2**62, 2**63, end, len(data)]))
        return length.to_bytes(8, "little") + data[8:]
    header = json.loads(data[8:end])
    name = str(random.choice([key for key in header if key != "__metadata__"]))
    entry = header[name]
    what = random.random()
    if what < 0.35:
        entry["shape"] = [int(random.choice(HOSTILE_INTEGERS))] * int(random.integers(0, 4))
    elif what < 0.7:
        side = int(random.integers(2))
        entry["data_offsets"][side] = int(random.choice(HOSTILE_INTEGERS))
    elif what < 0.85:
        entry["dtype"] = str(random.choice(["I8", "F64", "I64", "BOOL", "F16", "X", ""]))
    else:
        description = json.loads(header["__metadata__"]["ceiba"])
        key = str(random.choice(list(description)))
        deep = json.loads("[" * 400 + "]" * 400)
        description[key] = [None, -1, 2**70, 1e308, "x", [], {}, deep][int(random.integers(8))]
        header["__metadata__"]["ceiba"] = json.dumps(description)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[end:]


def hostile_parameters(random, data, other):
    """Values that the parameters of a training cannot have."""
    end = header_end(data)
    header = json.loads(data[8:end])
    description = json.loads(header["__metadata__"]["ceiba"])
    for _ in range(int(random.integers(1, 4))):
        name = str(random.choice(["missing", "zero_as_missing", *BY_NAME]))
        values = (
            None,
            True,
            -1,
            0,
            2**70,
            1e308,
            np.nan,
            np.inf,
            "x",
            "",
            [],
            [1, "x"],
            {},
            {"a": 1},
        )
        description["parameters"][name] = values[int(random.integers(len(values)))]
    header["__metadata__"]["ceiba"] = json.dumps(description)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[end:]


def hostile_levels(random, data, other):
    """Columns and levels that do not fit the trees, or that no table has."""
    end = header_end(data)
    header = json.loads(data[8:end])
    description = json.loads(header["__metadata__"]["ceiba"])
    schema = description["schema"]
    names, kinds = schema["names"], schema["kinds"]
    levels = schema.setdefault("levels", {})
    for _ in range(int(random.integers(1, 4))):
        name = str(random.choice([*levels, *names]))
        own = levels.get(name)
        what = int(random.integers(8))
        if what == 0:
            kind = str(random.choice(["numeric", "category", "date", "duration", "x"]))
            kinds[int(random.integers(len(kinds)))] = kind
        elif what == 1:
            levels.pop(name, None)
        elif what == 2:
            value = HOSTILE_LEVELS[int(random.integers(len(HOSTILE_LEVELS)))]
            levels[name] = value if random.random() < 0.5 else [value]
        elif what == 3:
            levels[str(random.choice([*names, "no such column"]))] = own
        elif isinstance(own, list) and own:
            at = int(random.integers(len(own)))
            if what == 4:
                del own[at]
            elif what == 5:
                own.insert(at, HOSTILE_LEVELS[int(random.integers(len(HOSTILE_LEVELS)))])
            elif what == 6:
                own[at], own[-1] = own[-1], own[at]
            else:
                own.append(own[at])
    header["__metadata__"]["ceiba"] = json.dumps(description)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[end:]


MUTATIONS = (
    cut,
    flip,
    splice,
    swap_integers,
    hostile_lengths,
    hostile_parameters,
    hostile_levels,
)


def statistics_model():
    """A model that knows categories by their statistics."""
    X = random_rows(3, 300, 4, (0, 9, 3, 40))
    X = np.where(np.isfinite(X), np.floor(X), np.nan)
    y = np.nan_to_num(X[:, 1]) % 2
    parameters = {"n_estimators": 3, "categorical_features": [1, 3], "categorical": "target"}
    return train({**parameters, "max_leaves": 6, "objective": "logistic"}, Dataset(X, y))


def forest_models():
    """A mean of vectors and one of numbers, each from trees without a limit."""
    X = random_rows(4, 200, 4)
    score = np.nan_to_num(X[:, 0], posinf=1.0, neginf=-1.0) + np.arange(200) % 7 / 7
    classes = CeibaForestClassifier(n_estimators=3, n_jobs=1, random_state=0)
    numbers = CeibaForestRegressor(n_estimators=3, n_jobs=1, random_state=0)
    return [
        classes.fit(X, np.digitize(score, [0.2, 0.7])).model_,
        numbers.fit(X, score).model_,
    ]


def originals():
    return [
        *forest_models(),
        statistics_model(),
        random_model(0, n_features=3),
        random_model(1, objective="logistic", n_features=8, n_iterations=6, kind="symmetric"),
        random_model(
            2,
            objective="softmax",
            n_outputs=3,
            n_leaves=6,
            classes=np.array(["setosa", "versicolor", "virginica"]),
        ),
        random_model(3, n_leaves=400, n_iterations=2, n_features=4),
        random_model(4, n_leaves=1, n_iterations=1, n_features=1),
        random_model(8, objective="gini", n_outputs=3, leaf_width=3, n_iterations=1, n_features=4),
        random_model(5, objective="quantile", n_outputs=3, leaf_width=3, n_features=4),
        replace(
            random_model(6, n_features=4, n_iterations=5),
            tree_weights=TreeWeights().changed(2, [0, 1], [0.5, 0.75]).changed(4, [0], [0.25]),
        ),
        random_model(6, n_features=4, n_levels=(0, 70, 3, 300)),
        replace(
            random_model(7, n_features=4, n_iterations=3, n_parallel=3),
            tree_weights=TreeWeights(mean=True),
        ),
        random_model(8, n_features=4, n_levels=(0, 3, 0, 0), lines=True),
        random_model(9, objective="quantile", n_outputs=2, leaf_width=2, n_features=4, lines=True),
        load_model(GOLDEN / "v2_levels.ceiba"),
    ]


def rows_for(model):
    # Numbers of levels among other numbers, whatever the columns of the model are.
    return random_rows(0, 40, model.n_features, (0, 70, 3, 300)[: model.n_features])


def frame_for(model):
    """A frame of the levels that the model says it has, and of one that it does not have."""
    columns = {}
    for name, kind in zip(model.schema.names, model.schema.kinds, strict=True):
        own = model.schema.levels_of(name)
        values = [*own[:6], *own[-6:], None, "never" if kind == "category" else None, *[None] * 12]
        columns[name] = pd.Series(values[:14], dtype="category" if own else np.float64)
    return pd.DataFrame(columns)


def exercise(model):
    """Use everything that reads a model; return its predictions for few and for many rows."""
    X = rows_for(model)
    levels = frame_for(model)
    model.apply(X)
    model.fingerprint()
    model.feature_importances()
    model.trees_to_frame()
    repr(model)
    rows = X, X[:2], levels, levels[:1]
    return np.concatenate([np.ravel(model.predict(some)) for some in rows])


def outcome(path, original, expected, mutant, sealed):
    path.write_bytes(mutant)
    try:
        model = load_model(path)
    except CeibaError:
        return "refused"
    predictions = exercise(model)
    if not np.isfinite(predictions).all():
        return "not finite"
    if mutant == original:
        return "unchanged" if np.array_equal(predictions, expected) else "differs"
    return "loaded" if sealed else "differs"


def main(first, count):
    faulthandler.enable()
    # Far above what these files need: a hostile length that is believed fails here. Sanitizers are
    # preloaded; they take terabytes of addresses of their own and check allocations themselves.
    if "LD_PRELOAD" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))
    models = originals()
    files = [model.to_bytes() for model in models]
    expected = [exercise(model) for model in models]
    outcomes = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ceiba"
        for seed in range(first, first + count):
            random = np.random.default_rng(seed)
            which = int(random.integers(len(files)))
            mutate = MUTATIONS[seed // 2 % len(MUTATIONS)]
            mutant = mutate(random, files[which], files[int(random.integers(len(files)))])
            sealed = seed % 2 == 1
            if sealed:
                try:
                    mutant = seal(mutant)
                except CeibaError:
                    pass  # there is no place for a checksum any more
            faulthandler.dump_traceback_later(SECONDS_EACH, exit=True)
            print(seed, mutate.__name__, file=sys.stderr, flush=True)
            result = outcome(path, files[which], expected[which], mutant, sealed)
            outcomes[f"{mutate.__name__}, {'sealed' if sealed else 'plain'}: {result}"] += 1
            faulthandler.cancel_dump_traceback_later()
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

"""Write a model as one C99 file: constant arrays and a few functions, no dependencies.

The file predicts the same bits as the model if the compiler does not contract multiplications and
additions (``-std=c99`` or ``-ffp-contract=off``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__
from ceiba.errors import ExportError
from ceiba.export import c_parts
from ceiba.export.c_arrays import array, floats
from ceiba.export.described import Column, Described
from ceiba.export.layout import Layout, lay_out
from ceiba.export.probe import round_down
from ceiba.messages import shown
from ceiba.objectives.link import Link

__all__ = ["refuse_unseen_errors", "reads_rows", "write"]

#: Most rows that are predicted together, and most bytes of their columns on the stack.
_MOST_ROWS, _MOST_BYTES = 64, 65536
_LARGEST_INT64 = 2**63 - 1


def write(model: Described, *, dtype: str, name: str) -> bytes:
    """Return the C file of a model."""
    refuse_unseen_errors(model, "C")
    values = {
        "NAME": name,
        "NUMBER": "double" if dtype == "float64" else "float",
        "COLUMNS": str(len(model.columns)),
        "OUTPUTS": str(model.n_outputs),
    }
    single = dtype == "float32" and not reads_rows(model)
    parts = [_comment(model, name), _INCLUDES, c_parts.PUBLIC]
    if any(column.is_category for column in model.columns):
        parts.append(_LEVEL_PROTOTYPES)
    parts += [_sizes(model, single), _trees(model, single)]
    if reads_rows(model):
        parts += _row_reader(model)
    parts += [_finish(model.link, model.shift), c_parts.ADD]
    parts.append(c_parts.PREDICT_READ if reads_rows(model) else c_parts.PREDICT)
    if any(column.is_category for column in model.columns):
        parts += [_levels(model.columns), c_parts.LEVELS]
    text = "\n".join(parts)
    for word, value in values.items():
        text = text.replace(f"@{word}@", value)
    return text.encode()


def refuse_unseen_errors(model: Described, language: str) -> None:
    """Raise if unseen categories must be an error, which only exported Python can raise."""
    if model.refuses_unseen:
        raise ExportError(
            f"unseen_category='error' cannot be exported to {language}, which cannot raise errors. "
            "Use format='python', or train with unseen_category='missing'."
        )


def reads_rows(model: Described) -> bool:
    """Whether rows must be converted before trees read them."""
    plain = not model.lookups and model.missing is None
    return not plain or any(column.is_category for column in model.columns)


# ---- comments and sizes -------------------------------------------------------------------------

_INCLUDES = """\
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
"""

_LEVEL_PROTOTYPES = """\
/* The number of a category of a column, -1 for one that the training table did not have. */
double @NAME@_level(size_t column, const char *text);
double @NAME@_level_of_integer(size_t column, int64_t integer);
"""


def _comment(model: Described, name: str) -> str:
    lines = [
        f"Exported by ceiba {__version__}: {model.title}.",
        "",
        "Compile with -std=c99 or -ffp-contract=off to get the bits of ceiba. The functions do not",
        "allocate and have no state: any number of threads may call them.",
        "",
        "Columns of a row (NAN is a missing value):",
    ]
    for j, column in enumerate(model.columns):
        what = {"date": "days since 1970-01-01", "duration": "days"}.get(column.kind, "number")
        if column.is_category:
            texts = any(isinstance(level, str) for level in column.levels)
            what = f"{name}_level({j}, text)" if texts else f"{name}_level_of_integer({j}, integer)"
        lines.append(f"  {j}  {column.name}: {what}")
    lines += ["", "Output: " + _output(model)]
    # A comment ends at the first */, and a backslash at the end of a line would continue it.
    plain = [line.replace("*/", "* /").replace("/*", "/ *") for line in lines]
    safe = [line.replace("\n", " ").rstrip("\\") for line in plain]
    return "/* " + "\n * ".join(safe).replace(" * \n", " *\n") + "\n */"


def _output(model: Described) -> str:
    labels = [] if model.classes is None else [str(label) for label in model.classes.tolist()]
    if model.task == "binary" and model.n_outputs == 1:
        return f"probability of class {labels[1] if labels else 1}."
    if model.task == "multiclass":
        known = ", ".join(labels[:20] + ["…"] * (len(labels) > 20))
        return "probabilities of the classes" + (f" {known}." if labels else ".")
    return "predictions, as those of Model.predict."


def _sizes(model: Described, single: bool) -> str:
    stride = model.n_tree_columns if reads_rows(model) else len(model.columns)
    rows = max(1, min(_MOST_ROWS, _MOST_BYTES // (8 * max(1, stride))))
    width = model.trees.leaf_width
    return f"""\
enum {{ N_TREES = {model.trees.n_trees}, N_OUTPUTS = {model.n_outputs}, WIDTH = {width} }};
enum {{ STRIDE = {max(1, stride)}, BLOCK = {rows} }};

typedef {"float" if single else "double"} value;
"""


# ---- trees --------------------------------------------------------------------------------------


def _trees(model: Described, single: bool) -> str:
    trees, layout = model.trees, lay_out(model.trees)
    width, linear = trees.leaf_width, trees.linear
    place = f"tree % {model.n_outputs}u"
    if width > 1:
        add = "    for (size_t k = 0; k < WIDTH; ++k) sums[k] += @VALUE@;\n    (void)tree;"
    elif model.n_outputs > 1:
        add = f"    sums[{place}] += @VALUE@;"
    else:
        add = "    sums[0] += @VALUE@;\n    (void)tree;"
    k = "k" if width > 1 else "0"
    own = f"leaves[leaf * WIDTH + {k}]" if linear is None else f"leaf_value(leaf, {k}, x)"
    add = add.replace("@VALUE@", own)
    parts = [
        _nodes(model, layout, single),
        array("double", "leaves", floats(_values(model, layout))),
        array("double", "start", floats(model.start)),
    ]
    parts.append(c_parts.STEP if trees.sets is None else c_parts.STEP_SETS)
    if linear is None:
        parts.append(c_parts.PLAIN_LEAF.replace("@ADD@", add))
    else:
        parts += [_terms(model, layout), c_parts.LINEAR_LEAF.replace("@ADD@", add)]
    return "\n".join(parts)


def _values(model: Described, layout: Layout) -> NDArray[np.float64]:
    """Return the values of leaves in the order of the layout; 0 for splits."""
    trees = model.trees
    values = np.where(trees.is_split[:, None], 0.0, trees.value)[layout.node]
    return values.ravel()


def _nodes(model: Described, layout: Layout, single: bool) -> str:
    trees = model.trees
    split = trees.is_split[layout.node]
    by_set = trees.split_by_set[layout.node]
    thresholds = np.where(split, trees.threshold[layout.node], np.inf)
    missing_right = split & ~trees.missing_left[layout.node]
    columns = np.where(split, trees.feature[layout.node], 0)
    sets = ""
    if trees.sets is not None:
        words, firsts = _set_words(model)
        sets = array("uint32_t", "sets", (f"{word}u" for word in words))
        thresholds = np.where(by_set, firsts[trees.sets.set_of_node[layout.node]], thresholds)
    texts = floats(round_down(thresholds) if single else thresholds)
    rows = (
        f"{{{text},{left},{column},{right},{own}}}"
        for text, left, column, right, own in zip(
            texts,
            layout.left.tolist(),
            columns.tolist(),
            missing_right.astype(int).tolist(),
            by_set.astype(int).tolist(),
            strict=True,
        )
    )
    kind = "uint16_t" if model.n_tree_columns <= 65536 else "uint32_t"
    struct = f"""\
typedef struct {{
    value threshold;
    int32_t left;
    {kind} column;
    uint8_t missing_right, by_set;
}} node;
"""
    roots = array("int32_t", "roots", map(str, layout.roots.tolist()))
    return "\n".join([struct, array("node", "nodes", rows), roots, *([sets] if sets else [])])


def _set_words(model: Described) -> tuple[list[int], NDArray[np.int64]]:
    """Return all sets, each after the number of its words, and the place of each."""
    sets = model.trees.sets
    assert sets is not None
    words: list[int] = []
    firsts = []
    for k in range(len(sets.offsets) - 1):
        own = sets.words[sets.offsets[k] : sets.offsets[k + 1]].astype("<u8").view("<u4")
        firsts.append(len(words))
        words += [len(own), *own.tolist()]
    return words, np.array([*firsts, 0], dtype=np.int64)


def _terms(model: Described, layout: Layout) -> str:
    linear = model.trees.linear
    assert linear is not None
    own = linear.take(layout.node)
    low, high = own.low, own.high
    if own.extrapolates:
        low, high = np.full(len(low), -np.inf), np.full(len(high), np.inf)
    rows = (
        f"{{{a},{b},{c},{column}}}"
        for a, b, c, column in zip(
            floats(low), floats(high), floats(own.mean), own.feature.tolist(), strict=True
        )
    )
    struct = """\
typedef struct {
    double low, high, mean;
    int32_t column;
} term;
"""
    arrays = [
        array("int32_t", "first_term", map(str, own.offsets.tolist())),
        array("term", "terms", rows),
        array("double", "slopes", floats(own.slope.ravel())),
    ]
    return "\n".join([struct, *arrays])


# ---- rows ---------------------------------------------------------------------------------------


def _row_reader(model: Described) -> list[str]:
    n_levels = [len(column.levels) for column in model.columns]
    parts = [
        f"enum {{ N_KEPT = {len(model.kept)} }};\n",
        array("uint32_t", "kept", (f"{j}u" for j in model.kept or [0])),
    ]
    checks = ""
    if any(model.columns[j].is_category for j in model.kept):
        parts.append(
            array("uint32_t", "kept_levels", (f"{n_levels[j]}u" for j in model.kept or [0]))
        )
        checks += "        /* unseen categories count as missing values */\n"
        checks += "        if (kept_levels[k] > 0 && !(v >= 0.0 && v < (double)kept_levels[k]))\n"
        checks += "            x[k] = NAN;\n"
    if model.missing is not None:
        mark = "(@NUMBER@)" + floats([model.missing])[0]
        only = "kept_levels[k] == 0 && " if checks else ""
        checks += f"        if ({only}row[kept[k]] == {mark}) x[k] = NAN;\n"
    lookups = ""
    if model.lookups:
        parts += [array("uint32_t", "n_levels", (f"{n}u" for n in n_levels)), _lookups(model)]
        parts.append(c_parts.LOOKUP)
        place = len(model.kept)
        for k, own in enumerate(model.lookups):
            lookups += f"    look_up(&lookups[{k}], row, x + {place});\n"
            place += len(own.values)
    reader = c_parts.READ_ROW.replace("@CHECKS@", checks).replace("@LOOKUPS@", lookups)
    if not model.kept:
        head, rest = reader.split("    for (size_t k = 0; k < N_KEPT", 1)
        reader = head + rest.split("    }\n", 1)[1]
        parts = parts[2:]
    return [*parts, reader]


def _lookups(model: Described) -> str:
    struct = """\
typedef struct {
    const uint32_t *sources;
    const uint64_t *keys;
    const double *values;
    size_t n_sources, n_keys, n_columns;
} lookup;
"""
    arrays, rows = [], []
    for k, own in enumerate(model.lookups):
        arrays += [
            array("uint32_t", f"sources_{k}", (f"{j}u" for j in own.sources)),
            array("uint64_t", f"keys_{k}", (f"{key}u" for key in own.keys.tolist() or [0])),
            array("double", f"values_{k}", floats(own.values.ravel())),
        ]
        sizes = f"{len(own.sources)}, {len(own.keys)}, {len(own.values)}"
        rows.append(f"{{sources_{k}, keys_{k}, values_{k}, {sizes}}}")
    return "\n".join([*arrays, struct, array("lookup", "lookups", rows)])


def _levels(columns: Sequence[Column]) -> str:
    """Return the tables of categories."""
    integers: list[str] = []
    texts: list[str] = []
    first_integer, n_integers, first_text = [], [], [0]
    for column in columns:
        own = [_integer(column, level) for level in column.levels if not isinstance(level, str)]
        first_integer.append(f"{len(integers)}u")
        n_integers.append(f"{len(own)}u")
        integers += own
        texts += [_quoted(level) for level in column.levels if isinstance(level, str)]
        first_text.append(len(texts))
    return "\n".join(
        [
            array("uint32_t", "first_integer", first_integer),
            array("uint32_t", "n_integers", n_integers),
            array("int64_t", "integers", integers or ["0"]),
            array("uint32_t", "first_text", (f"{n}u" for n in first_text)),
            array("char *const", "texts", texts or ['""']),
        ]
    )


def _integer(column: Column, level: Any) -> str:
    if int(level) != level or abs(level) > _LARGEST_INT64:
        raise ExportError(
            f"Column {column.name!r} has the category {shown(level)}, which C cannot express: "
            "categories must be text or 64-bit integers. Convert the column to text before "
            "training."
        )
    return f"INT64_C({int(level)})"


def _quoted(text: str) -> str:
    """Return a C string: printable ASCII as it is, other bytes as octal numbers."""
    if "\0" in text:
        raise ExportError(
            f"The category {shown(text)} contains a zero byte, which C text cannot. Replace it "
            "before training, or use format='python'."
        )
    plain = [
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?@' else f"\\{byte:03o}"
        for byte in text.encode("utf-8", "surrogatepass")
    ]
    return '"' + "".join(plain) + '"'


# ---- predictions --------------------------------------------------------------------------------


def _finish(link: Link, shift: NDArray[np.float64]) -> str:
    """Return the function that turns raw scores into predictions."""
    functions, body = c_parts.LINKS[link.name]
    lowest = ""
    if np.isfinite(link.lowest):
        low = floats([link.lowest])[0]
        lowest = f"        raw[k] = raw[k] < {low} ? {low} : raw[k];\n"
    scale = "" if link.scale == 1.0 else f"{floats([link.scale])[0]} * "
    body = body.replace("@LOWEST@", lowest).replace("@SCALE@", scale)
    arrays = ""
    if shift.any():
        arrays = array("double", "shift", floats(shift)) + "\n"
        body = "        raw[k] += shift[k];\n" + body
    loop = f"    for (size_t k = 0; k < N_OUTPUTS; ++k) {{\n{body}    }}\n" if body else ""
    call = "    link(raw);\n" if "void link(" in functions else ""
    rest = loop + call or "    (void)raw;\n"
    return f"{functions}\n{arrays}static void finish(double *raw)\n{{\n{rest}}}\n".lstrip("\n")

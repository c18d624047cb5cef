"""What is exported: a typed description of a model that all formats share.

The life of a description:

1. :func:`described` makes one of a :class:`ceiba.Model`; ``hybrids/described.py`` makes one of a
   hybrid. Both say how rows of the table become raw scores, and raw scores predictions.
2. A format (``formats.py``) writes it in its own language, or raises
   :class:`ceiba.errors.ExportError` for a part that the language cannot express.
3. ``probe.py`` makes rows that reach every threshold; the format predicts them, and
   :meth:`Described.predict` says what it should predict.

Rows are matrices of codes [n_rows, n_columns]: numbers as they are, days for dates, level numbers
for categories, NaN for missing values and :data:`UNSEEN` for categories that training did not see.

How a prediction is made::

    row of codes ─► columns that trees read ─► sum of start and trees ─► shift ─► link
                    (kept, then lookups)        ("raw scores")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import MatrixBlock
from ceiba.data.table import Table
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from ceiba.data.schema import Schema
    from ceiba.model.model import Model
    from ceiba.objectives.link import Link

__all__ = [
    "UNSEEN",
    "Column",
    "Described",
    "Lookup",
    "at_least_one",
    "described",
    "input_columns",
]

Floats = NDArray[np.float64]

#: Code of a category that training did not see.
UNSEEN = -1.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    ``kind`` is numeric, date, duration or category. ``levels`` are the categories, sorted.
    ``unseen_is_missing`` says whether unseen categories count as missing values.
    """

    name: str
    kind: str
    levels: tuple[Any, ...]
    unseen_is_missing: bool

    @property
    def is_category(self) -> bool:
        """Whether the column holds categories."""
        return self.kind == "category"


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """Columns that are looked up by the levels of one or more categories, such as target means.

    The key of a row is ``code 1 + (n_levels 1 + 1) * (code 2 + …)``, where a missing value has the
    code n_levels. Rows with an unseen category have no key.
    """

    sources: tuple[int, ...]
    #: Known keys, increasing.
    keys: NDArray[np.uint64]
    #: Values [n_columns, n_keys + 1]; the last ones are for other keys.
    values: Floats


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Described:
    """Everything that predictions need, as plain values.

    Attributes
    ----------
    title : str
        What the model is, for comments in exported files.
    columns : tuple of Column
        Columns of the table.
    missing : float or None
        A number that means missing, besides NaN.
    refuses_unseen : bool
        Whether unseen categories are an error.
    kept : tuple of int
        Table columns that trees read unchanged. They are the first columns of the trees.
    lookups : tuple of Lookup
        The further columns of the trees.
    trees : Trees
        With their weights multiplied in.
    start : array [n_outputs]
        Raw score before the first tree.
    shift : array [n_outputs]
        Added after the last tree (calibration of quantiles).
    link : Link
        How raw scores become predictions.
    task : str
        Task of the objective.
    classes : array or None
        Labels of a classifier.
    even_score : float
        With one raw score per row, the score above which class 1 is predicted.
    several : bool
        Whether the model predicts a matrix even if it has one output.
    predict : callable
        Predictions [n, width] of codes.
    """

    title: str
    columns: tuple[Column, ...]
    missing: float | None
    refuses_unseen: bool
    kept: tuple[int, ...]
    lookups: tuple[Lookup, ...]
    trees: Trees
    start: Floats
    shift: Floats
    link: Link
    task: str
    classes: NDArray[Any] | None
    even_score: float
    several: bool
    predict: Callable[[Floats], Floats]

    @property
    def n_outputs(self) -> int:
        """Raw scores per row."""
        return len(self.start)

    @property
    def n_tree_columns(self) -> int:
        """Number of columns that trees read."""
        return len(self.kept) + sum(len(own.values) for own in self.lookups)

    @property
    def predicts_classes(self) -> bool:
        """Whether predictions are probabilities of classes that exclude each other."""
        return self.task in ("binary", "multiclass")

    @property
    def n_classes(self) -> int:
        """Number of classes of a classifier."""
        return max(2, self.n_outputs)


def described(model: Model) -> Described:
    """Return the description of a model."""
    schema = model.schema
    trees = at_least_one(model.trees().weighted())
    statistics = schema.statistics
    kept: tuple[int, ...] = tuple(range(schema.n_features))
    lookups: tuple[Lookup, ...] = ()
    if statistics is not None:
        kept = statistics.kept
        trees, lookups = _used_lookups(trees, schema)
    shifts = model.correction.shifts
    shift = np.array(shifts[-1]) if shifts else np.zeros(model.n_outputs)

    def predict(codes: Floats) -> Floats:
        return np.reshape(model.predict(_table(codes, schema)), (len(codes), -1))

    return Described(
        title=f"{model.objective.label}, {trees.n_trees} trees",
        columns=input_columns(schema),
        missing=schema.reading.missing,
        refuses_unseen=schema.unseen == "error" and schema.has_categories,
        kept=kept,
        lookups=lookups,
        trees=trees,
        start=model.start_scores,
        shift=shift,
        link=model.objective.link,
        task=model.objective.task,
        classes=model.classes,
        even_score=model.objective.even_score,
        several=model.objective.name == "several",
        predict=predict,
    )


def input_columns(schema: Schema) -> tuple[Column, ...]:
    """Return the columns of a table."""
    return tuple(
        Column(name, schema.kinds[j], schema.levels_of(j), not _tells_unseen(schema, j))
        for j, name in enumerate(schema.names)
    )


def at_least_one(trees: Trees) -> Trees:
    """Return the trees, or one tree that adds nothing if there are none."""
    if trees.n_trees:
        return trees
    zero, leaf = np.zeros(1), np.full(1, -1, dtype=np.int32)
    return Trees(
        n_outputs=trees.n_outputs,
        offsets=np.array([0, 1]),
        feature=leaf,
        left=leaf,
        right=leaf,
        threshold=zero,
        missing_left=np.zeros(1, dtype=np.bool_),
        value=np.zeros((1, 1)),
        gain=zero,
        cover=zero,
        count=zero,
    )


def _tells_unseen(schema: Schema, column: int) -> bool:
    return bool(schema.tells_unseen) and schema.tells_unseen[column]


def _table(codes: Floats, schema: Schema) -> Table:
    """Return codes as a table of the schema."""
    values = codes.copy()
    for j, kind in enumerate(schema.kinds):
        if kind == "category":
            values[codes[:, j] == UNSEEN, j] = schema.unseen_number(j)
        elif schema.reading.missing is not None:
            values[codes[:, j] == schema.reading.missing, j] = np.nan
    return Table((MatrixBlock(values),), schema)


def _used_lookups(trees: Trees, schema: Schema) -> tuple[Trees, tuple[Lookup, ...]]:
    """Return the encoded columns that trees read, and trees that read them at their new places."""
    statistics = schema.statistics
    assert statistics is not None
    n_kept, n_labels = len(statistics.kept), len(statistics.labels)
    used = set(trees.features_read())
    places = np.arange(max(used | {n_kept}) + 1)
    lookups, n_columns = [], n_kept
    for number, own in enumerate(statistics.combinations):
        first = n_kept + number * n_labels
        read = [column for column in range(first, first + n_labels) if column in used]
        if not read:
            continue
        values = np.array([statistics.values_of(column) for column in read])
        lookups.append(Lookup(own.sources, own.keys, values))
        places[read] = range(n_columns, n_columns + len(read))
        n_columns += len(read)
    feature = np.where(trees.is_split, places[trees.feature], -1).astype(np.int32)
    linear = trees.linear
    if linear is not None:
        linear = replace(linear, feature=places[linear.feature].astype(np.int32))
    return replace(trees, feature=feature, linear=linear), tuple(lookups)

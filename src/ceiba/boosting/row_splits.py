"""Split rows: held-out rows, folds, samples.

Use it wherever a part of the rows is trained on or scored:

- :func:`hold_out` takes a fraction of the rows, classes or queries for early stopping;
- :func:`fold_rows` makes the folds of a cross-validation;
- :func:`hashed_fraction` and :func:`row_hashes` choose rows by their contents alone, so that the
  order of rows does not change the choice;
- :func:`sampled_rows` takes about n rows.

:meth:`ceiba.Dataset.take` makes the subsets. With ``share_bins=True`` they use the bin edges of all
rows, so that folds and candidates of one table bin it once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.start import checked_target
from ceiba.data.block import dense_values
from ceiba.data.plain_numbers import read_array
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.messages import shown
from ceiba.parameters.constraints import Boolean, Integer, check_value, is_iterable
from ceiba.random import unit_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.data.queries import Queries
    from ceiba.data.schema import Schema
    from ceiba.objectives import Objective

__all__ = [
    "FoldRequest",
    "checked_groups",
    "fold_rows",
    "hash_columns",
    "hashed_fraction",
    "hold_out",
    "row_hashes",
    "sampled_rows",
]

Fold = tuple["NDArray[np.int64]", "NDArray[np.int64]"]

#: The "round" of the random numbers that hold rows out; no training has so many rounds.
HOLD_OUT_ROUND = 2**62


# ---- held-out rows -------------------------------------------------------------------------------


def hold_out(
    dataset: Dataset, fraction: float, seed: int, n_classes: int = 0
) -> tuple[Dataset, Dataset]:
    """Split a dataset into rows to train on and held-out rows, by a hash of the row number.

    With ``n_classes``, the same fraction of each class is held out, and every class keeps a row to
    train on. With queries, whole queries are held out.
    """
    if dataset.queries is not None:
        is_held = _held_queries(dataset.queries, fraction, seed)
    else:
        is_held = _held_rows(checked_target(dataset), fraction, seed, n_classes)
    numbers = dataset.row_numbers
    return dataset.take(numbers[~is_held]), dataset.take(numbers[is_held])


def _held_rows(
    target: NDArray[np.float64], fraction: float, seed: int, n_classes: int
) -> NDArray[np.bool_]:
    n_rows = len(target)
    if n_rows < 2:
        raise InvalidInputError(
            f"Early stopping holds out a part of the rows and needs at least 2. Got {n_rows}. "
            "Give an eval_set, or set early_stopping_rounds=0."
        )
    numbers = unit_numbers(seed, HOLD_OUT_ROUND, n_rows)
    strata = [target == index for index in range(n_classes)] or [np.ones(n_rows, dtype=bool)]
    is_held = np.zeros(n_rows, dtype=bool)
    for stratum in strata:
        members = np.flatnonzero(stratum)
        n_held = min(len(members) - 1, round(fraction * len(members)))
        is_held[members[np.argsort(numbers[members], kind="stable")[: max(0, n_held)]]] = True
    if not is_held.any():
        # A few rows only: hold out one of the class that has most.
        members = np.flatnonzero(max(strata, key=np.count_nonzero))
        if len(members) < 2:
            raise InvalidInputError(
                "Early stopping holds out a part of the rows, and every class has only one. "
                "Give an eval_set, or set early_stopping_rounds=0."
            )
        is_held[members[np.argmin(numbers[members])]] = True
    return is_held


def _held_queries(queries: Queries, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Return which rows belong to a held-out query, by a hash of the query's number."""
    n_queries = queries.n_queries
    if n_queries < 2:
        raise InvalidInputError(
            "Early stopping holds out a part of the queries and needs at least 2. Got "
            f"{n_queries}. Give an eval_set, or set early_stopping_rounds=0."
        )
    n_held = min(n_queries - 1, max(1, round(fraction * n_queries)))
    held = np.argsort(unit_numbers(seed, HOLD_OUT_ROUND, n_queries), kind="stable")[:n_held]
    is_held: NDArray[np.bool_] = np.isin(queries.numbers, held)
    return is_held


# ---- hashes of contents, samples -----------------------------------------------------------------


def sampled_rows(dataset: Dataset, n_rows: int, seed: int) -> Dataset:
    """Return about ``n_rows`` rows, by a hash of the row number; all if there are no more."""
    if dataset.n_rows <= n_rows:
        return dataset
    return dataset.take(unit_numbers(seed, 0, dataset.n_given) < n_rows / dataset.n_rows)


def hashed_fraction(hashes: NDArray[np.uint64], fraction: float, seed: int) -> NDArray[np.bool_]:
    """Return a mask of about this fraction of rows; rows of equal contents are taken together."""
    mixed = _mixed(hashes ^ _mixed(np.array([seed % 2**64], dtype=np.uint64)))
    return mixed < np.uint64(min(fraction * 2.0**64, 2.0**64 - 2.0**11))


def row_hashes(dataset: Dataset, schema: Schema | None = None) -> NDArray[np.uint64]:
    """Return a hash of the values and target of each row.

    ``schema`` has the order of columns where it is not that of the dataset.
    """
    assert dataset.target is not None
    table = dataset.table if schema is None else dataset.table.arranged(schema)
    parts, begin = [], 0
    for block in table.blocks:
        end = begin + block.shape[0]
        columns = map(dense_values, block.columns())
        parts.append(hash_columns((*columns, *np.atleast_2d(dataset.target[begin:end].T))))
        begin = end
    return np.concatenate(parts)


def hash_columns(columns: Sequence[NDArray[Any]]) -> NDArray[np.uint64]:
    """Return a hash of the numbers of each row of a table, which has a column or more."""
    hashes = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        # One zero and one NaN, whatever the type of the column.
        numbers = column.astype(np.float64) + 0.0
        numbers[np.isnan(numbers)] = np.nan
        hashes = _mixed(hashes ^ numbers.view(np.uint64))
    return hashes


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return hashes of numbers, by the finalizer of splitmix64."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


# ---- folds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoldRequest:
    """How a user asks for folds; ``None`` stands for the default."""

    #: A number of folds, a splitter of scikit-learn, or pairs of rows.
    folds: Any = 5
    groups: Any = None
    stratified: bool | None = None
    shuffle: bool | None = None
    seed: int = 0


def fold_rows(dataset: Dataset, objective: Objective, asked: FoldRequest) -> list[Fold]:
    """Return the numbers of the rows to train on and of the rows to score, for each fold.

    Numbers count all rows that the dataset was made from. A splitter sees rows of positive weight
    only.
    """
    target, n_rows = checked_target(dataset), dataset.n_rows
    folds, groups, stratified, shuffle = asked.folds, asked.groups, asked.stratified, asked.shuffle
    is_number = isinstance(folds, int | np.integer) and not isinstance(folds, bool)
    makes_folds = is_number or hasattr(folds, "split")
    if groups is None and dataset.queries is not None and makes_folds:
        groups = dataset.queries.numbers  # whole queries are trained on or scored
    elif groups is not None:
        groups = checked_groups(groups, dataset)
    if is_number:
        n_folds = check_value("folds", Integer(2), folds)
        by_class = objective.task in ("binary", "multiclass")
        stratified = (
            by_class if stratified is None else check_value("stratified", Boolean(), stratified)
        )
        shuffle = True if shuffle is None else check_value("shuffle", Boolean(), shuffle)
        splitter = _splitter(n_folds, groups is not None, stratified, shuffle, asked.seed)
    elif stratified is not None or shuffle is not None:
        raise InvalidParameterError(
            "stratified and shuffle say how folds are made. Got them with folds that bring their "
            "own rows. Leave stratified and shuffle out."
        )
    else:
        splitter = folds
    if isinstance(splitter, type):
        raise InvalidTypeError(
            "folds must be a number, a splitter of scikit-learn or a list of pairs. Got the class "
            f"{splitter.__name__}. Call it first, as in {splitter.__name__}()."
        )
    if hasattr(splitter, "split") and not isinstance(splitter, str):
        labels = _classes(target) if is_number and stratified else target
        try:
            found: Any = list(splitter.split(np.zeros((n_rows, 1)), labels, groups))
        except (ValueError, TypeError) as error:
            kind = InvalidTypeError if isinstance(error, TypeError) else InvalidInputError
            raise kind(f"The rows cannot be split into folds: {error}") from error
        checked = [_checked(index, pair, n_rows) for index, pair in enumerate(found)]
        numbers = dataset.row_numbers
        return [(numbers[learned], numbers[scored]) for learned, scored in checked]
    if groups is not None:
        raise InvalidParameterError(
            "groups is for a number of folds or a splitter. Got it with a list of folds. Leave "
            "groups out."
        )
    listed = [_checked(index, pair, dataset.n_given) for index, pair in enumerate(_listed(folds))]
    for index, pair in enumerate(listed):
        if not all(np.isin(rows, dataset.row_numbers).any() for rows in pair):
            raise InvalidInputError(
                f"Fold {index} must have rows of positive weight to train on and to score. Got "
                "rows of weight 0 alone. Give others."
            )
    return listed


def checked_groups(given: Any, dataset: Dataset) -> NDArray[Any]:
    """Return the groups of the rows of positive weight."""
    # numpy would convert a list with 1 and "1" to strings, so that both become one group.
    groups = np.asarray(given, dtype=object if isinstance(given, (list, tuple)) else None)
    if groups.shape != (dataset.n_given,):
        raise InvalidInputError(
            f"groups must hold one value for each of the {dataset.n_given} rows. Got shape "
            f"{groups.shape}."
        )
    groups = groups[dataset.row_numbers]
    try:
        np.sort(groups)
    except TypeError:
        kinds = sorted({type(group).__name__ for group in groups.tolist()})
        raise InvalidTypeError(
            "groups must hold values of one kind that can be sorted, such as numbers or strings. "
            f"Got {', '.join(kinds)}. Make strings of them, with [str(x) for x in groups]."
        ) from None
    return groups


def _classes(target: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the class of each row as a number, for stratified folds."""
    fractions = np.flatnonzero(target != np.floor(target))
    if fractions.size:
        first = int(fractions[0])
        raise InvalidInputError(
            "stratified=True needs a target of classes or other whole numbers. Got "
            f"{target[first]:g} in row {first}. Leave stratified out, or give the rows of every "
            "fold as folds."
        )
    return np.unique(target, return_inverse=True)[1].astype(np.int64)


def _splitter(n_folds: int, grouped: bool, stratified: bool, shuffle: bool, seed: int) -> Any:
    from sklearn import model_selection as splitters

    name = f"{'Stratified' if stratified else ''}{'Group' if grouped else ''}KFold"
    state = seed % 2**32 if shuffle else None
    return getattr(splitters, name)(n_folds, shuffle=shuffle, random_state=state)


def _listed(folds: Any) -> list[Any]:
    if isinstance(folds, str | Mapping) or not is_iterable(folds):
        raise InvalidTypeError(
            "folds must be a number, a splitter of scikit-learn or a list of pairs (rows to train "
            f"on, rows to score). Got {shown(folds)}."
        )
    listed = list(folds)
    if not listed:
        raise InvalidInputError("folds must have at least one pair of rows. Got none.")
    return listed


def _checked(index: int, pair: Any, n_rows: int) -> Fold:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidTypeError(
            "Every fold must be a pair (rows to train on, rows to score). "
            f"Fold {index} is {type(pair).__name__}."
        )
    learned, scored = (_row_numbers(index, rows, n_rows) for rows in pair)
    if np.intersect1d(learned, scored).size:
        raise InvalidInputError(
            f"Fold {index} trains on rows that it scores. Use each row for one of the two."
        )
    return learned, scored


def _row_numbers(index: int, rows: Any, n_rows: int) -> NDArray[np.int64]:
    numbers = read_array(rows, f"The rows of fold {index}")
    if numbers.dtype.kind == "b" and numbers.shape == (n_rows,):
        numbers = np.flatnonzero(numbers)
    sound = numbers.ndim == 1 and numbers.dtype.kind in "iu" and numbers.size > 0
    if not sound or numbers.min() < 0 or numbers.max() >= n_rows:
        raise InvalidInputError(
            f"The rows of fold {index} must be row numbers from 0 to {n_rows - 1}, at least one, "
            f"or a mask of {n_rows} booleans. Got {shown(rows)}."
        )
    return numbers.astype(np.int64)

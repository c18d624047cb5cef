"""Read targets, labels and class weights of estimators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ceiba import _core
from ceiba.data.from_frame import check_in_memory
from ceiba.data.plain_numbers import PLAIN_KINDS, check_finite, is_missing_mark, read_array
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.messages import listed, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Integer labels are counted instead of sorted if their range is at most this.
LARGEST_LABEL_RANGE = 2**16


# ---- targets -------------------------------------------------------------------------------------


def read_column(y: Any, estimator: str) -> NDArray[Any]:
    """Return y as a 1D array without missing values; a column of a table is flattened."""
    _check_given(y, estimator)
    if sparse.issparse(y):
        raise InvalidTypeError("y must be a dense 1D array. Got a sparse one. Use y.toarray().")
    try:
        column: NDArray[Any] = column_or_1d(_plain_labels(y), warn=True)
    except ValueError as error:
        raise InvalidInputError(str(error).partition("\n")[0]) from None  # drop later lines
    except TypeError as error:
        raise InvalidTypeError(str(error)) from None
    if column.dtype.kind == "c":
        raise InvalidInputError(f"Complex data not supported. Got y of type {column.dtype}.")
    if column.dtype.kind == "f":
        check_finite(column, "y")
    if column.dtype.kind == "O":
        _refuse_missing([is_missing_mark(value) or _is_nan(value) for value in column])
    return column


def _is_nan(value: Any) -> bool:
    """Whether a value differs from itself; False if the comparison is not a bool."""
    try:
        return bool(value != value)
    except (TypeError, ValueError, ArithmeticError):
        return False


def _check_given(y: Any, estimator: str) -> None:
    if y is None:
        raise InvalidInputError(
            f"This {estimator} estimator requires y to be passed, but the target y is None."
        )
    check_in_memory(y, "y")


def _plain_labels(y: Any) -> Any:
    """Return a nullable pandas column as plain numbers or booleans."""
    if isinstance(y, np.ma.MaskedArray):
        _refuse_missing(np.ma.getmaskarray(y))
        return np.asarray(y)
    if hasattr(y, "iloc") and y.ndim == 2 and y.shape[1] == 1:
        plain = _plain_labels(y.iloc[:, 0])
        return plain[:, None] if isinstance(plain, np.ndarray) else y
    kind = getattr(getattr(y, "dtype", None), "kind", "")
    if isinstance(y, np.ndarray) or kind not in ("b", "i", "u", "f") or not hasattr(y, "isna"):
        return y
    plain = getattr(y.dtype, "numpy_dtype", None)
    if plain is None:
        return y
    _refuse_missing(y.isna())
    return y.to_numpy(dtype=plain)


def _refuse_missing(missing: Any) -> None:
    rows = np.flatnonzero(np.asarray(missing, dtype=bool))
    if len(rows):
        raise InvalidInputError(
            f"y must not hold missing values. Got one in row {rows[0]}. Drop the rows with a "
            "missing target."
        )


def has_several(y: Any) -> bool:
    """Whether a target has two columns or more."""
    if (
        isinstance(y, list | tuple)
        and y
        and isinstance(y[0], list | tuple | np.ndarray)
        and np.ndim(y[0])
    ):
        return len(y[0]) > 1
    shape = getattr(y, "shape", ())
    return isinstance(shape, tuple) and len(shape) == 2 and shape[1] > 1


def read_several(y: Any, estimator: str) -> NDArray[np.float64]:
    """Return targets [n, K]."""
    _check_given(y, estimator)
    if sparse.issparse(y):
        raise InvalidTypeError("y must be a dense array. Got a sparse one. Use y.toarray().")
    if hasattr(y, "iloc") and y.ndim == 2:
        columns = [y.iloc[:, k] for k in range(y.shape[1])]
    else:
        table = y.to_numpy() if hasattr(y, "to_numpy") else read_array(y, "y")
        if table.ndim != 2:
            raise InvalidInputError(
                "y must be a table with a column for each target. Got an array of shape "
                f"{table.shape}. Give the columns that the estimator was fitted to."
            )
        columns = list(table.T)
    return np.column_stack([read_numbers(column, estimator) for column in columns])


def read_labels(y: Any, estimator: str) -> NDArray[np.float64]:
    """Return multilabel targets [n, K] of 0 and 1."""
    _refuse_text_labels(y, estimator)
    labels = read_several(y, estimator)
    wrong = (labels != 0.0) & (labels != 1.0)
    if wrong.any():
        raise InvalidInputError(
            "y with several columns must hold labels of 0 and 1. Got also "
            f"{listed(np.unique(labels[wrong]).tolist())}. Use one 0/1 column per label, or one "
            "column for a single class per row."
        )
    return labels


def _refuse_text_labels(y: Any, estimator: str) -> None:
    """Refuse several columns of text: multilabel targets are 0 and 1."""
    try:
        table = np.asarray(y, dtype=object)
    except ValueError:
        return  # rows of different lengths raise an error when they are read
    text = next((value for value in table.flat if isinstance(value, str | bytes)), None)
    if text is not None:
        raise InvalidInputError(
            f"{estimator} reads y with several columns as labels of 0 and 1, one column per label. "
            f"Got text such as {shown(text)}. For one class per row give one column; for several "
            "labels per row use sklearn.preprocessing.MultiLabelBinarizer."
        )


def read_numbers(y: Any, estimator: str) -> NDArray[np.float64]:
    """Return the target of a regressor."""
    column = read_column(y, estimator)
    try:
        _refuse_text_and_dates(column)
        numbers = np.ascontiguousarray(column, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInputError(
            f"y must hold numbers. Got {shown(column)} of type {column.dtype}. For classes use "
            "CeibaClassifier; give dates as a number of days or seconds."
        ) from None
    if column.dtype.kind == "O":
        check_finite(numbers, "y")
    return numbers


def _refuse_text_and_dates(values: NDArray[Any]) -> None:
    """Raise TypeError for text and dates, which numpy would convert to numbers."""
    plain = values.dtype.kind in PLAIN_KINDS
    if not plain and (
        values.dtype.kind != "O" or any(isinstance(value, str | bytes) for value in values.flat)
    ):
        raise TypeError(values.dtype)


def find_classes(
    y: NDArray[Any], weights: NDArray[np.float64] | None
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return the sorted classes and the class index of every row.

    Rows of weight 0 are ignored; a class that occurs only in such rows is not a class.
    """
    distinct, codes = _distinct(y)
    counted = codes if weights is None else codes[weights > 0]
    used = np.bincount(counted, minlength=len(distinct)) > 0
    classes = distinct[used]
    if len(classes) < 2:
        only = f"only {listed(classes.tolist())}" if len(classes) else "none"
        raise InvalidInputError(
            f"y must hold at least 2 classes among the rows of positive weight. Got {only}. A "
            "classifier cannot learn from one class."
        )
    if used.all():
        return classes, codes.astype(np.float64)
    index = np.maximum(np.cumsum(used) - 1, 0).astype(np.float64)
    return classes, index[codes]


def encode_labels(
    y: NDArray[Any], classes: NDArray[Any], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return class indices of labels, all of which must be known classes.

    Rows of weight 0 may have any label, as in :func:`find_classes`.
    """
    distinct, codes = _sorted_labels(y)
    counted = codes if weights is None else codes[weights > 0]
    used = np.bincount(counted, minlength=len(distinct)) > 0
    known = {label: index for index, label in enumerate(classes.tolist())}
    unknown = [label for label in distinct[used].tolist() if label not in known]
    if unknown:
        raise InvalidInputError(
            f"y holds labels that do not occur in training: {listed(unknown)}. "
            f"The classes are {listed(classes.tolist())}."
        )
    index = np.array([known.get(label, 0) for label in distinct.tolist()], dtype=np.float64)
    return index[codes]


def _distinct(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return sorted labels, some of which may not occur, and the index of each row's label."""
    if y.dtype.kind == "b":
        return np.array([False, True]), y.astype(np.intp)
    if y.dtype.kind in "iu" and len(y):
        lowest, highest = int(y.min()), int(y.max())
        if highest - lowest < LARGEST_LABEL_RANGE and highest < 2**62:
            # Counting is much faster than sorting, and integer labels are usually small.
            codes = y.astype(np.intp)
            codes -= lowest
            return np.arange(lowest, highest + 1).astype(y.dtype), codes
    if y.dtype.kind in "Mm":
        raise InvalidInputError(
            f"Unknown label type: {y.dtype}. CeibaClassifier needs labels: strings, booleans or "
            "whole numbers. Convert dates to strings, for example with y.astype(str)."
        )
    distinct, codes = _sorted_labels(y)
    try:
        check_classification_targets(y)
    except (TypeError, ValueError) as error:
        needed = "CeibaClassifier needs labels: strings, booleans or whole numbers."
        if y.dtype.kind == "O":
            raise InvalidInputError(
                f"Unknown label type: y holds objects of the types {_types(y)}. {needed} Convert "
                "the array, for example with y.astype(int) or y.astype(str)."
            ) from None
        raise InvalidInputError(f"{error} {needed}") from None
    return distinct, codes


def _sorted_labels(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    try:
        return np.unique(y, return_inverse=True)
    except TypeError:
        raise InvalidTypeError(
            "Unknown label type: the labels of y cannot be compared with each other. Got the types "
            f"{_types(y)}. Convert them to all strings or all numbers."
        ) from None


def _types(y: NDArray[Any]) -> str:
    return ", ".join(sorted({type(label).__name__ for label in y.tolist()}))


# ---- weights -------------------------------------------------------------------------------------


def weigh_labels(
    class_weight: str | Mapping[Any, float],
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return the weights times the weights of each row's labels, as in scikit-learn."""
    if not isinstance(class_weight, str) or class_weight == "balanced_subsample":
        got = repr(class_weight) if isinstance(class_weight, str) else type(class_weight).__name__
        raise InvalidParameterError(
            "class_weight with multilabel targets must be 'balanced', 'balanced_up' or "
            f"'sqrt_balanced_up'. Got {got}. Use one of them, or sample_weight."
        )
    factors = np.ones(len(target))
    for column in target.T:
        own = weigh_classes(class_weight, np.array([0, 1]), column, weights)
        assert own is not None
        # Rows of weight 0 keep the factor 1.
        one = np.ones(len(target))
        factors *= own if weights is None else np.divide(own, weights, out=one, where=weights > 0)
    return factors if weights is None else weights * factors


def weigh_classes(
    class_weight: str | Mapping[Any, float] | None,
    classes: NDArray[Any],
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
) -> NDArray[np.float64] | None:
    """Return the weights times the class weights."""
    if class_weight is None or class_weight == "balanced_subsample":  # applied per sample
        return weights
    ones = np.ones(len(target)) if weights is None else weights
    factors = np.ones(len(classes))
    if isinstance(class_weight, str):
        totals = [_core.exact_sum(ones[target == index]) for index in range(len(classes))]
        total = _core.exact_sum(ones)
        # Rows of a continued training need not contain every class of the model.
        n_present = np.count_nonzero(totals)
        for index, of_class in enumerate(totals):
            if of_class:
                factors[index] = total / (n_present * of_class)
                if class_weight != "balanced":
                    factors[index] = max(totals) / of_class
        if class_weight == "sqrt_balanced_up":
            factors = np.sqrt(factors)
    else:
        known = {label: index for index, label in enumerate(classes.tolist())}
        unknown = [label for label in class_weight if label not in known]
        if unknown:
            raise InvalidParameterError(
                f"class_weight names labels that do not occur in y: {listed(unknown)}. "
                f"The classes are {listed(classes.tolist())}."
            )
        for label, weight in class_weight.items():
            factors[known[label]] = weight
    weighed: NDArray[np.float64] = ones * factors[target.astype(np.intp)]
    if not weighed.any():
        raise InvalidParameterError("class_weight and sample_weight set all row weights to zero.")
    return weighed

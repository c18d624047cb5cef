"""What means missing in a table, besides NaN.

The life of a reading:

1. the parameters ``missing`` and ``zero_as_missing``, or the arguments of a Dataset, say it;
2. the training table, every eval set and every table to predict for are read with it;
3. the model records it among its parameters, so a loaded one reads tables in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.plain_numbers import check_integers
from ceiba.errors import InvalidInputError

__all__ = ["PLAIN", "Reading", "without_marks"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that means missing (None: only NaN does), and whether absent entries do."""

    missing: float | None = None
    zero_as_missing: bool = False

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Reading:
        """Return the reading that parameters (of a model, perhaps of an older version) name."""
        return cls(parameters.get("missing"), bool(parameters.get("zero_as_missing")))

    def __str__(self) -> str:
        return f"missing={self.missing}, zero_as_missing={self.zero_as_missing}"

    def check_same(self, given: Reading) -> None:
        """Refuse rows for a model of this reading that were read in another way."""
        if given != self:
            raise InvalidInputError(
                f"The model was trained on tables read with {self}, and the Dataset was read with "
                f"{given}. Make the Dataset with {self}."
            )


#: Only NaN is missing, and absent entries of sparse matrices are zeros.
PLAIN = Reading()


def without_marks(
    block: NDArray[Any] | list[NDArray[Any]], missing: float
) -> NDArray[Any] | list[NDArray[Any]]:
    """Return a block of a table with NaN where ``missing`` stands; itself where it stands nowhere.

    The table of the caller is never changed.
    """
    if isinstance(block, list):
        return [_without_marks(column, missing) for column in block]
    return _without_marks(block, missing)


def _without_marks(numbers: NDArray[Any], missing: float) -> NDArray[Any]:
    kind = numbers.dtype.kind
    mark = missing
    if kind == "f":
        with np.errstate(over="ignore", under="ignore"):
            mark = float(numbers.dtype.type(missing))  # so that 0.1 is found among 32-bit floats
        if np.isinf(mark) or (mark == 0.0) != (missing == 0.0):
            return numbers  # too large or too small to stand in such a column
    marks = numbers == mark
    if not marks.any():
        return numbers
    if kind in "iu" and numbers.dtype.itemsize == 8:
        check_integers("The table", numbers.min(), numbers.max())
    changed = numbers.astype(numbers.dtype if kind == "f" else np.float64)
    changed[marks] = np.nan
    return changed

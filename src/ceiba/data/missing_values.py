"""Missing values of a table besides NaN.

The life of a :class:`Reading`:

1. It holds ``missing`` and ``zero_as_missing`` of an estimator or a Dataset.
2. The schema of the training table stores it, and with the schema the model and its file.
3. Eval sets and tables for predictions are read with the same values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.plain_numbers import check_integers
from ceiba.errors import InvalidInputError

__all__ = ["PLAIN", "Reading", "without_marks"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The missing value besides NaN, if any, and whether implicit zeros are missing."""

    missing: float | None = None
    zero_as_missing: bool = False

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Reading:
        """Return the reading of the parameters of a model, which may be of an older version."""
        return cls(parameters.get("missing"), bool(parameters.get("zero_as_missing")))

    def as_parameters(self) -> dict[str, Any]:
        """Return the parameters that a model file stores."""
        return {} if self == PLAIN else asdict(self)

    def __str__(self) -> str:
        return f"missing={self.missing}, zero_as_missing={self.zero_as_missing}"

    def check_same(self, given: Reading) -> None:
        """Raise if ``given``, the reading of a Dataset, differs from that of the model."""
        if given != self:
            raise InvalidInputError(
                f"The Dataset must have {self}, as in training. Got {given}. Make the Dataset with "
                f"{self}."
            )


#: Only NaN is missing, and implicit entries of sparse matrices are zeros.
PLAIN = Reading()


def without_marks(numbers: NDArray[Any], missing: float) -> NDArray[Any]:
    """Replace the value ``missing`` by NaN.

    Returns a copy, or the array itself if it does not contain the value.
    """
    kind = numbers.dtype.kind
    mark = missing
    if kind == "f":
        with np.errstate(over="ignore", under="ignore"):
            mark = float(numbers.dtype.type(missing))  # so that 0.1 matches 32-bit floats
        if np.isinf(mark) or (mark == 0.0) != (missing == 0.0):
            return numbers  # overflow or underflow: the column cannot contain the value
    marks = numbers == mark
    if not marks.any():
        return numbers
    if kind in "iu" and numbers.dtype.itemsize == 8:
        check_integers("The table", numbers.min(), numbers.max())
    changed = numbers.astype(numbers.dtype if kind == "f" else np.float64)
    changed[marks] = np.nan
    return changed

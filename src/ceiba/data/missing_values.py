"""What means missing in a table, besides NaN.

The life of a reading:

1. the parameters ``missing`` and ``zero_as_missing`` of an estimator, or the arguments of a
   Dataset, say it;
2. the schema of the training table holds it, and with the schema the model and its file;
3. every eval set and every table to predict for is read as the schema says.
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
    """A value that means missing (None: only NaN does), and whether absent entries do."""

    missing: float | None = None
    zero_as_missing: bool = False

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Reading:
        """Return the reading that parameters (of a model, perhaps of an older version) name."""
        return cls(parameters.get("missing"), bool(parameters.get("zero_as_missing")))

    def as_parameters(self) -> dict[str, Any]:
        """Return what a model records of it."""
        return {} if self == PLAIN else asdict(self)

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


def without_marks(numbers: NDArray[Any], missing: float) -> NDArray[Any]:
    """Return numbers with NaN where ``missing`` stands; themselves where it stands nowhere.

    The array of the caller is never changed.
    """
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

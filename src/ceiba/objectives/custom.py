"""A loss given as a function of the user.

The function is called once a round as ``function(y_true, raw_score)`` and returns the gradients and
the hessians of the loss of every row at its raw score. Both have the shape of ``raw_score``: [n],
or [n, K] where ``n_classes`` (or a classifier with more than two classes) asks for K scores. They
are those of the unweighted loss: the engine multiplies by the weights.

>>> def squared(y_true, raw_score):
...     return raw_score - y_true, np.ones_like(raw_score)

Only derivatives are known of such a loss. So training starts at a raw score of 0, or at
``base_score``, which is a raw score here; predictions are raw scores; and there is no metric unless
the user names one. A model file keeps the name of the function, never the function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives._base import (
    Curvature,
    Floats,
    Objective,
    Start,
    Task,
    read_base_score,
)
from ceiba.parameters.user_functions import check_arguments, name_of, noting

Function = Callable[[Floats, Floats], tuple[ArrayLike, ArrayLike]]


@dataclass(frozen=True)
class Custom(Objective):
    """The objective that a function of the user describes; a loaded model has none."""

    name: ClassVar[str] = "custom"
    task: ClassVar[Task] = "custom"
    default_metric: ClassVar[str] = ""
    has_log_odds: ClassVar[bool] = True  # as far as one can know
    curvature: ClassVar[Curvature] = "surrogate"
    start: ClassVar[Start] = "surrogate"

    function: Function | None = field(default=None, compare=False)
    n_classes: int | None = None

    def __post_init__(self) -> None:
        if self.function is not None:
            check_arguments(
                self.function,
                "A custom objective",
                ("y_true", "raw_score"),
                "Weights are multiplied in afterwards; bind other options with functools.partial.",
            )

    @property
    def label(self) -> str:
        return f"custom:{name_of(self.function)}"

    def n_outputs(self, target: Floats) -> int:
        return 1 if self.n_classes is None else self.n_classes

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return np.zeros(self.n_outputs(target))

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        if self.function is None:
            raise InvalidParameterError(
                "A model file does not hold the function of a custom objective. To train, give "
                "objective=your_function again."
            )
        # A copy and a view that cannot be written to: a function that changes its arguments must
        # not change the scores or the target of the training.
        raw = scores[0].copy() if len(scores) == 1 else np.ascontiguousarray(scores.T)
        shown = target.view()
        shown.flags.writeable = False
        with noting(f"Raised by the custom objective {name_of(self.function)}."):
            returned = self.function(shown, raw)
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            raise InvalidInputError(
                f"The custom objective {name_of(self.function)} must return a pair, (gradients, "
                f"hessians). Got {_kind(returned)}."
            )
        for what, values, out in (
            ("gradients", returned[0], out_gradients),
            ("hessians", returned[1], out_hessians),
        ):
            out[:] = self._read(what, values, out.shape, target)

    def _read(self, what: str, values: Any, shape: tuple[int, ...], target: Floats) -> Floats:
        """What the function returned as [K, n], checked."""
        n_outputs, n_rows = shape
        try:
            array = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InvalidInputError(
                f"The custom objective {name_of(self.function)} must return numbers. Got "
                f"{what} of type {type(values).__name__}."
            ) from None
        if n_outputs == 1 and array.shape == (n_rows, 1):
            array = array[:, 0]
        expected = (n_rows,) if n_outputs == 1 else (n_rows, n_outputs)
        if array.shape != expected:
            raise InvalidInputError(
                f"The custom objective {name_of(self.function)} must return {what} of shape "
                f"{expected}, that of raw_score. Got shape {array.shape}."
            )
        wrong = ~np.isfinite(array)
        rule = "be finite"
        if what == "hessians":
            wrong |= array < 0.0
            rule = "be finite and 0 or more"
        if wrong.any():
            place = tuple(int(index) for index in np.argwhere(wrong)[0])
            output = f", output {place[1]}," if n_outputs > 1 else ""
            raise InvalidInputError(
                f"The {what} of the custom objective {name_of(self.function)} must {rule}. Got "
                f"{array[place]:g} in row {place[0]}{output} where y_true is "
                f"{target[place[0]]:g}. Check the function; where a loss is not convex, return a "
                "positive stand-in for its hessian."
            )
        return array[None, :] if n_outputs == 1 else array.T

    def losses(self, scores: Floats, target: Floats) -> Floats:
        raise InvalidInputError(
            "A custom objective gives derivatives and no loss. Give eval_metric a function that "
            "returns it."
        )

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        return read_base_score(base_score, n_outputs, "It is a raw score with a custom objective.")

    def state(self) -> dict[str, Any]:
        return {"name": self.name}


def _kind(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"{len(value)} values"
    if isinstance(value, np.ndarray):
        return f"one array of shape {value.shape}"
    return type(value).__name__

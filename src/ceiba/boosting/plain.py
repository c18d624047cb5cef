"""Plain gradient boosting.

The life of a kind of boosting:

1. it is made once for a training, from the parameters;
2. before each round, ``scores_for_gradients`` says at which scores the gradients are taken;
3. ``tree_weight`` says what the new trees are multiplied by.

Plain boosting takes gradients at the scores of all trees so far and shrinks every tree by the
learning rate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba.parameters.resolving import Parameters

__all__ = ["PlainBoosting"]


class PlainBoosting:
    """Every tree corrects the sum of those before it."""

    def __init__(self, parameters: Parameters) -> None:
        self._rates: float | list[float] = parameters.learning_rate

    def scores_for_gradients(
        self, iteration: int, scores: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the scores [K, n] at which the gradients of a round are taken."""
        return scores

    def tree_weight(self, iteration: int) -> float:
        """Return the factor of the trees of a round."""
        return self._rates[iteration] if isinstance(self._rates, list) else self._rates

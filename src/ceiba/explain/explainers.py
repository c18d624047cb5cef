"""The core's explainer of a model, kept for as long as the model lives.

Taking trees apart costs more than the explanation of a single row, so the last explainer of each
model is kept. A model never changes, and an explainer without a background does not either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ceiba import _core

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["explainer_for"]

Floats = NDArray[np.float64]

_Key = tuple[tuple[int, int], bool]
_kept: WeakKeyDictionary[Model, tuple[_Key, _core.Explainer, Floats]] = WeakKeyDictionary()


def explainer_for(
    model: Model,
    bounds: tuple[int, int],
    interactions: bool,
    background: Floats | None = None,
    n_threads: int = 1,
) -> tuple[_core.Explainer, Floats]:
    """Return an explainer of the trees of some iterations, and what they add without any column."""
    if background is not None:
        explainer = _made(model, bounds, interactions)
        explainer.set_background(background, n_threads)
        return explainer, explainer.base()
    key = bounds, interactions
    kept = _kept.get(model)
    if kept is None or kept[0] != key:
        explainer = _made(model, bounds, interactions)
        kept = _kept[model] = key, explainer, explainer.base()
    return kept[1:]


def _made(model: Model, bounds: tuple[int, int], interactions: bool) -> _core.Explainer:
    n_columns = model.n_features
    forest = model.weighted_forest(bounds[1])
    return _core.Explainer(forest, *bounds, list(range(n_columns)), n_columns, interactions)

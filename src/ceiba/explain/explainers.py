"""Cache of the core's explainers, one per model.

Preparing an explainer costs more than explaining one row, so the last explainer of each model is
cached. Models are immutable, and so are explainers without a background.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ceiba import _core

if TYPE_CHECKING:
    from ceiba.data.block import Block
    from ceiba.model.model import Model

__all__ = ["explainer_for", "players"]

Floats = NDArray[np.float64]

_Key = tuple[tuple[int, int], bool]
_kept: WeakKeyDictionary[Model, tuple[_Key, _core.Explainer, Floats]] = WeakKeyDictionary()


def explainer_for(
    model: Model,
    bounds: tuple[int, int],
    interactions: bool,
    background: Block | None = None,
    n_threads: int = 1,
) -> tuple[_core.Explainer, Floats]:
    """Return an explainer of the trees of some iterations, and their expected value."""
    if background is not None:
        explainer = _made(model, bounds, interactions)
        known = explainer.set_background_matrix, explainer.set_background_columns
        background.hand_to(*known, n_threads)
        return explainer, explainer.base()
    key = bounds, interactions
    kept = _kept.get(model)
    if kept is None or kept[0] != key:
        explainer = _made(model, bounds, interactions)
        kept = _kept[model] = key, explainer, explainer.base()
    return kept[1:]


def _made(model: Model, bounds: tuple[int, int], interactions: bool) -> _core.Explainer:
    own, shared = players(model)
    n_players = model.n_features + len(shared)
    forest = model.weighted_forest(bounds[1], bounds[0])
    return _core.Explainer(forest, *bounds, own, n_players, interactions)


def players(model: Model) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the player of each column that trees read, and the combinations that are players.

    A target statistic of one column belongs to that column. A combination is a player of its own,
    numbered after the columns. Its value is later shared equally by its columns, so the result is
    no longer an exact Shapley value.
    """
    sources, n_columns = model.schema.engine_sources, model.n_features
    shared = list(dict.fromkeys(own for own in sources if len(own) > 1))
    places = {own: n_columns + k for k, own in enumerate(shared)}
    return [places.get(own, own[0]) for own in sources], shared

"""Two small trees, for tests of importers."""

from __future__ import annotations

import numpy as np

from ceiba.imports.raw_trees import RawTrees
from ceiba.model.trees import Trees


def example() -> RawTrees:
    """Return two trees with nodes in no order, and a node that no tree reaches."""
    return RawTrees(
        roots=np.array([3, 5]),
        left=np.array([-1, -1, -1, 1, -1, -1, 0]),
        right=np.array([-1, -1, -1, 6, -1, -1, 2]),
        feature=np.array([9, 9, 9, 1, 9, 9, 0]),
        threshold=np.array([9.0, 9, 9, 0.5, 9, 9, -1.5]),
        missing_left=np.array([1, 1, 1, 1, 1, 1, 0], dtype=bool),
        value=np.array([[10.0], [20], [30], [0], [99], [40], [0]]),
        gain=np.arange(7.0),
        cover=np.array([2.0, 1, 1, 4, 0, 5, 3]),
        count=np.array([2.0, 1, 1, 4, 0, 5, 3]),
    )


def example_trees() -> Trees:
    """Return the trees of :func:`example`."""
    return example().to_trees(1)

"""Cross-entropy of shares: the logistic loss of targets anywhere from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ceiba.errors import InvalidInputError
from ceiba.objectives._base import Domain, Floats, Rates, Task, describe_values
from ceiba.objectives.logistic import Logistic


@dataclass(frozen=True)
class CrossEntropy(Logistic):
    """Cross-entropy of targets between 0 and 1, such as shares or uncertain labels.

    A row with target t is a row of class 1 with weight t beside one of class 0 with weight 1 - t.
    """

    name: ClassVar[str] = "cross_entropy"
    aliases: ClassVar[tuple[str, ...]] = ("reg:logistic", "xentropy", "crossentropy")
    task: ClassVar[Task] = "regression"
    domain: ClassVar[Domain] = "shares"
    default_metric: ClassVar[str] = "cross_entropy"
    meaning: ClassVar[str] = "a share"
    catboost_rates: ClassVar[Rates] = None

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        wrong = (target < 0.0) | (target > 1.0)
        if wrong.any():
            raise InvalidInputError(
                f"The target of objective {self.name} must hold shares, from 0 to 1. Got also "
                f"{describe_values(np.unique(target[wrong]))}. Divide counts by their totals and "
                "give the totals as weights."
            )

"""Every objective. A new one is a file beside this one and a line in this list.

Being in the list is all that is needed for its names to be found, for the reference page, and for
the generated tests of ``tests/unit/objectives``.
"""

from __future__ import annotations

from ceiba.objectives._base import Objective
from ceiba.objectives.absolute_error import AbsoluteError
from ceiba.objectives.cross_entropy import CrossEntropy
from ceiba.objectives.exponential import Exponential
from ceiba.objectives.gamma import Gamma
from ceiba.objectives.gini import Gini
from ceiba.objectives.huber import Huber
from ceiba.objectives.lambdarank_map import LambdarankMap
from ceiba.objectives.lambdarank_ndcg import LambdarankNdcg
from ceiba.objectives.logistic import Logistic
from ceiba.objectives.one_against_rest import OneAgainstRest
from ceiba.objectives.pairwise import Pairwise
from ceiba.objectives.poisson import Poisson
from ceiba.objectives.pseudo_huber import PseudoHuber
from ceiba.objectives.quantile import Quantile
from ceiba.objectives.softmax import Softmax
from ceiba.objectives.squared_error import SquaredError
from ceiba.objectives.squared_log_error import SquaredLogError
from ceiba.objectives.tweedie import Tweedie

OBJECTIVES: tuple[type[Objective], ...] = (
    SquaredError,
    AbsoluteError,
    Huber,
    PseudoHuber,
    Quantile,
    Poisson,
    Gamma,
    Tweedie,
    SquaredLogError,
    CrossEntropy,
    Logistic,
    Exponential,
    Softmax,
    OneAgainstRest,
    Gini,
    Pairwise,
    LambdarankNdcg,
    LambdarankMap,
)

"""Parameters of the boosting mode."""

from __future__ import annotations

from ceiba.parameters._base import Parameter
from ceiba.parameters.constraints import Boolean, Integer, OneOf, Real

SHARE = Real(0.0, 1.0)

BOOSTING: tuple[Parameter, ...] = (
    Parameter(
        "boosting",
        OneOf(("plain", "ordered", "dart", "forest"),
              {"gbdt": "plain", "gbrt": "plain", "gbtree": "plain", "Plain": "plain",
               "Ordered": "ordered", "rf": "forest"}),
        "plain",
        "How trees are combined. 'plain': each tree corrects the sum of the trees before it. "
        "'ordered': plain, with gradients at scores that do not depend on a row's own target, as "
        "CatBoost's Ordered; for small tables, losses of single rows and Newton leaves. 'dart': "
        "each round ignores a random set of earlier trees (dropout). 'forest': trees are "
        "independent, each grown on a sample, and predictions are their mean; there is no "
        "learning rate.",
        "boosting", ("boosting_type", "boost"),
        {"dart": "dart", "tree": "forest", "forest": "forest"},
    ),
    Parameter(
        "ordered_permutations", Integer(1), 3,
        "Number of random permutations of the rows for boosting='ordered'. Each round uses one of "
        "them. More permutations reduce variance and cost time and memory.",
        "boosting",
        applies_to={"boosting": "ordered"},
    ),
    Parameter(
        "num_parallel_tree", Integer(1), 1,
        "Number of trees (per class) that a round grows on different samples of rows and columns. "
        "Each is scaled by learning_rate / num_parallel_tree, as in XGBoost. n_estimators still "
        "counts rounds. It needs some sampling, or all trees of a round are equal.",
        "boosting",
    ),
    Parameter(
        "drop_rate", SHARE, 0.1,
        "Probability that boosting='dart' drops the trees of an earlier round.",
        "boosting", ("rate_drop",), {"xgboost": 0.0},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "skip_drop", SHARE, 0.5,
        "Probability that a round of boosting='dart' drops no trees.",
        "boosting", recipes={"xgboost": 0.0},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "max_drop", Integer(0), 50,
        "Maximum number of rounds whose trees boosting='dart' drops at a time; 0 means unlimited.",
        "boosting", recipes={"xgboost": 0},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "one_drop", Boolean(), False,
        "Whether boosting='dart' drops the trees of at least one round, unless skip_drop skips "
        "dropping.",
        "boosting",
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "drop_sampling", OneOf(("weighted", "uniform")), "weighted",
        "How boosting='dart' chooses the trees to drop: 'weighted' in proportion to their current "
        "weight, or 'uniform' with equal probabilities.",
        "boosting", ("sample_type",), {"xgboost": "uniform"},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "normalize", OneOf(("lightgbm", "tree", "forest")), "lightgbm",
        "How boosting='dart' rescales trees after a round with learning rate r that dropped the "
        "trees of k rounds. 'lightgbm': new trees get the weight r / (k + 1), dropped ones are "
        "multiplied by k / (k + 1). 'tree': r / (k + r) and k / (k + r). 'forest': r / (1 + r) "
        "and 1 / (1 + r). The last two are XGBoost's.",
        "boosting", ("normalize_type",), {"xgboost": "tree"},
        applies_to={"boosting": "dart"},
    ),
)  # fmt: skip

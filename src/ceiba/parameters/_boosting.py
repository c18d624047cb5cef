"""How trees are put together: one after the other, with some of them dropped, or as a mean."""

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
        "How trees are put together: each corrects the sum of those before it (plain), the same "
        "with gradients at scores that do not know the target of their row, as CatBoost's Ordered "
        "(ordered; for losses of single rows with Newton leaves), or the sum without some that are "
        "dropped for the round (dart), or each is grown alone, on a sample, and the model is their "
        "mean (forest, which has no learning rate).",
        "boosting", ("boosting_type", "boost"),
        {"dart": "dart", "tree": "forest", "forest": "forest"},
    ),
    Parameter(
        "ordered_permutations", Integer(1), 3,
        "Permutations of the rows of boosting='ordered'; each round draws one.",
        "boosting",
        applies_to={"boosting": "ordered"},
    ),
    Parameter(
        "num_parallel_tree", Integer(1), 1,
        "Trees (of each class) that a round grows, each on rows and columns of its own. Each "
        "counts the learning rate divided by their number, as in XGBoost. Iterations count rounds.",
        "boosting",
    ),
    Parameter(
        "drop_rate", SHARE, 0.1,
        "Chance of the trees of an earlier round to be dropped, with boosting='dart'.",
        "boosting", ("rate_drop",), {"xgboost": 0.0},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "skip_drop", SHARE, 0.5,
        "Chance of a round to drop nothing, with boosting='dart'.",
        "boosting", recipes={"xgboost": 0.0},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "max_drop", Integer(0), 50,
        "Most rounds whose trees are dropped at a time, with boosting='dart'; 0 means unlimited.",
        "boosting", recipes={"xgboost": 0},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "one_drop", Boolean(), False,
        "Whether a round of boosting='dart' that would drop nothing, and is not skipped by "
        "skip_drop, drops the trees of one round.",
        "boosting",
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "drop_sampling", OneOf(("weighted", "uniform")), "weighted",
        "Whether, with boosting='dart', trees are dropped in proportion to what they count, or all "
        "with the same chance.",
        "boosting", ("sample_type",), {"xgboost": "uniform"},
        applies_to={"boosting": "dart"},
    ),
    Parameter(
        "normalize", OneOf(("lightgbm", "tree", "forest")), "lightgbm",
        "What trees count after a round of boosting='dart' with learning rate r that dropped k "
        "rounds. lightgbm: new ones r / (k + 1), dropped ones k / (k + 1) of before; tree: "
        "r / (k + r) and k / (k + r); forest: r / (1 + r) and 1 / (1 + r). The last two are "
        "XGBoost's.",
        "boosting", ("normalize_type",), {"xgboost": "tree"},
        applies_to={"boosting": "dart"},
    ),
)  # fmt: skip

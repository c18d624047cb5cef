"""Cases of the benchmark: the measured work, its data and settings, and the target ratio."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from benchmarks.settings import Settings

Kind = Literal["train", "memory", "batch", "single_row", "import", "import_estimator"]

# Without scikit-learn's plain gradient boosting, which sorts values and is meant for small tables.
PEERS = ("xgboost", "lightgbm", "lightgbm_quantized", "catboost", "scikit-learn")
OURS = ("ceiba", "ceiba_estimator")


@dataclass(frozen=True)
class Target:
    """A target ratio: the fastest of `peers` (all if empty) divided by ceiba."""

    ratio: float
    peers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """A measurement; `figure` names the compared number, smaller is better."""

    name: str
    title: str
    kind: Kind
    dataset: str | None
    settings: Settings
    targets: tuple[Target, ...]
    peers: tuple[str, ...] = PEERS
    ours: tuple[str, ...] = OURS
    folds: bool = False  # quality by cross-validation instead of held-out rows

    @property
    def figure(self) -> str:
        """Key of the measurement result that the ratio uses."""
        return "peak_mb" if self.kind == "memory" else "seconds"

    def with_threads(self, threads: int) -> Case:
        """Return the same case with another number of threads."""
        return replace(self, settings=replace(self.settings, threads=threads))


BINARY = Settings("binary")
DEPTHWISE = Settings("binary", growth="depthwise", max_leaves=64, max_depth=6)
APPROX = replace(DEPTHWISE, method="approx", learning_rate=0.1)
EXACT = replace(APPROX, method="exact")
SYMMETRIC = Settings("binary", growth="symmetric", max_leaves=64, max_depth=6)
REGRESSION = Settings("regression")
SEVEN = Settings("multiclass", n_classes=7)
BOOSTERS = ("xgboost", "lightgbm")
TAKE_SPARSE = (*BOOSTERS, "catboost")
SPARSE = Settings("binary", learning_rate=0.1)
CATEGORIES = replace(BINARY, categories=True)
FOREST = Settings("binary", max_leaves=0)
WITHOUT_DROPPING = "ceiba_lightgbm_all_columns"
ESTIMATORS = ("xgboost", "lightgbm", "catboost", "scikit-learn")

# Learning rate 0.2 is the best one of 0.1, 0.2 and 0.3 for LightGBM's 100 trees, with and without
# quantized gradients, on the held-out rows of each generated table. On 100k rows 0.1 is best for
# XGBoost and scikit-learn. On the larger tables 100 trees at 0.1 underfit, so that larger steps
# look better; the cases with learning rate 0.1 make this visible.
CASES: dict[str, Case] = {
    case.name: case
    for case in (
        Case(
            "dense_leafwise",
            "train 1M × 28 binary, leafwise 31 leaves",
            "train",
            "dense",
            BINARY,
            (Target(2.0),),
        ),
        Case(
            "dense_depthwise",
            "train 1M × 28 binary, depthwise depth 6",
            "train",
            "dense",
            DEPTHWISE,
            (Target(2.0),),
        ),
        Case(
            "dense_symmetric",
            "train 1M × 28 binary, symmetric depth 6",
            "train",
            "dense",
            SYMMETRIC,
            (Target(1.5), Target(2.0, ("catboost",))),
        ),
        Case(
            "dense_symmetric_slower",
            "train 1M × 28 binary, symmetric depth 6, learning rate 0.1",
            "train",
            "dense",
            replace(SYMMETRIC, learning_rate=0.1),
            (Target(1.5), Target(2.0, ("catboost",))),
        ),
        Case(
            "wide",
            "train 40k × 500 regression, leafwise 31 leaves",
            "train",
            "wide",
            REGRESSION,
            (Target(2.0),),
        ),
        Case(
            "wide_slower",
            "train 40k × 500 regression, leafwise 31 leaves, learning rate 0.1",
            "train",
            "wide",
            replace(REGRESSION, learning_rate=0.1),
            (Target(2.0),),
        ),
        Case(
            "seven_classes",
            "train 80k × 54, 7 classes, leafwise 31 leaves",
            "train",
            "seven_classes",
            SEVEN,
            (Target(2.0),),
        ),
        Case(
            "covertype",
            "train covertype 465k × 54, 7 classes, leafwise 31 leaves",
            "train",
            "covertype",
            SEVEN,
            (Target(1.5),),
        ),
        Case(
            "small",
            "train 569 × 30 binary, leafwise 8 leaves",
            "train",
            "small",
            Settings("binary", max_leaves=8),
            (Target(1.0),),
            folds=True,
        ),
        Case(
            "approx_100k",
            "train 100k × 28 binary, approx, depth 6, learning rate 0.1",
            "train",
            "dense_100k",
            APPROX,
            (Target(3.0),),
            peers=("xgboost",),
        ),
        Case(
            "exact_100k",
            "train 100k × 28 binary, exact, depth 6, learning rate 0.1",
            "train",
            "dense_100k",
            EXACT,
            (Target(3.0, ("xgboost",)), Target(20.0, ("scikit-learn_gbm",))),
            peers=("xgboost", "scikit-learn_gbm"),
        ),
        Case(
            "predict_batch",
            "predict 200k × 28, 100 trees of 31 leaves",
            "batch",
            "dense",
            BINARY,
            (Target(2.0),),
            peers=(*BOOSTERS, "catboost", "scikit-learn"),
        ),
        Case(
            "predict_symmetric",
            "predict 200k × 28, 100 symmetric trees of depth 6",
            "batch",
            "dense",
            SYMMETRIC,
            (Target(1.0, ("catboost",)),),
            peers=("catboost",),
        ),
        Case(
            "predict_row",
            "predict one row at a time, estimators",
            "single_row",
            "dense",
            BINARY,
            (Target(2.0),),
            peers=ESTIMATORS,
            ours=("ceiba_estimator",),
        ),
        Case(
            "categories",
            "train 240k × 10 binary, 8 categories of 5 to 5,000 levels, leafwise 31 leaves",
            "train",
            "categories",
            CATEGORIES,
            (Target(2.0),),
            peers=BOOSTERS,
        ),
        Case(
            "predict_categories",
            "predict 200k rows of 8 categories and 2 numbers, a frame of pandas",
            "batch",
            "categories",
            CATEGORIES,
            (Target(2.0),),
            peers=BOOSTERS,
        ),
        Case(
            "predict_row_categories",
            "predict one row of 8 categories and 2 numbers, a frame of pandas, estimators",
            "single_row",
            "categories",
            CATEGORIES,
            (Target(2.0),),
            peers=BOOSTERS,
            ours=("ceiba_estimator",),
        ),
        Case(
            "memory",
            "peak memory of training 1M × 28",
            "memory",
            "dense",
            BINARY,
            (Target(1.0),),
        ),
        Case(
            "one_hot",
            "train 80k × 10,000 one-hot, CSR, leafwise 31 leaves",
            "train",
            "one_hot",
            SPARSE,
            (Target(4.0),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "one_hot_recipes",
            "train 80k × 10,000 one-hot, CSR, rare levels, recipe lightgbm against others",
            "train",
            "one_hot_rare",
            Settings("binary"),
            (Target(0.5, ("ceiba_xgboost",)), Target(1.0, (WITHOUT_DROPPING,))),
            peers=("ceiba_xgboost", WITHOUT_DROPPING),
            ours=("ceiba_lightgbm",),
        ),
        Case(
            "one_hot_memory",
            "peak memory of training 80k × 10,000 one-hot, CSR",
            "memory",
            "one_hot",
            SPARSE,
            (Target(1.0),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "one_hot_predict",
            "predict 200k × 10,000 one-hot, CSR, 100 trees of 31 leaves",
            "batch",
            "one_hot",
            SPARSE,
            (Target(2.0),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "words",
            "train 20k × 50,000, 0.2 % filled, CSR, leafwise 31 leaves",
            "train",
            "words",
            SPARSE,
            (Target(1.5),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "words_predict",
            "predict 200k × 50,000, 0.2 % filled, CSR, 100 trees of 31 leaves",
            "batch",
            "words",
            SPARSE,
            (Target(2.0),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "words_predict_5",
            "predict 200k × 50,000, 0.2 % filled, CSR, 5 trees of 31 leaves",
            "batch",
            "words",
            replace(SPARSE, n_estimators=5),
            (Target(2.0),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "words_memory",
            "peak memory of training 20k × 50,000, 0.2 % filled, CSR",
            "memory",
            "words",
            SPARSE,
            (Target(1.0),),
            peers=TAKE_SPARSE,
        ),
        Case(
            "forest",
            "train 100k × 28 binary, random forest of 100 trees without a limit",
            "train",
            "dense_100k",
            FOREST,
            (Target(3.0),),
            peers=("scikit-learn_forest",),
            ours=("ceiba_forest",),
        ),
        Case(
            "forest_leaf5",
            "the same with min_samples_leaf 5",
            "train",
            "dense_100k",
            replace(FOREST, min_samples_leaf=5),
            (Target(4.0),),
            peers=("scikit-learn_forest",),
            ours=("ceiba_forest",),
        ),
        Case(
            "predict_forest",
            "predict 200k × 28, random forest of 100 trees without a limit",
            "batch",
            "dense_100k",
            FOREST,
            (Target(5.0),),
            peers=("scikit-learn_forest",),
            ours=("ceiba_forest",),
        ),
        Case(
            "forest_memory",
            "peak memory of training that forest",
            "memory",
            "dense_100k",
            FOREST,
            (Target(1.0),),
            peers=("scikit-learn_forest",),
            ours=("ceiba_forest",),
        ),
        Case(
            "import",
            "import the package",
            "import",
            None,
            BINARY,
            (Target(1.0, ("lightgbm",)),),
            peers=ESTIMATORS,
            ours=("ceiba",),
        ),
        Case(
            "import_estimator",
            "import the classifier",
            "import_estimator",
            None,
            BINARY,
            (Target(1.0, ("lightgbm",)),),
            peers=ESTIMATORS,
            ours=("ceiba",),
        ),
    )
}

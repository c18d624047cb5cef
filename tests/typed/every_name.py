"""Uses every public name as a user would; pyright and mypy, both strict, must find nothing."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ceiba
from ceiba import (
    RECIPES,
    BoostedLinearClassifier,
    BoostedLinearRegressor,
    Callback,
    CeibaClassifier,
    CeibaError,
    CeibaForestClassifier,
    CeibaForestRegressor,
    CeibaRanker,
    CeibaRegressor,
    CeibaTreeClassifier,
    CeibaTreeRegressor,
    Checkpoint,
    CrossValidationInterrupted,
    Dataset,
    EarlyStopping,
    EnhancedForestClassifier,
    EnhancedForestRegressor,
    LinearTreeClassifier,
    LinearTreeRegressor,
    LogRounds,
    Model,
    NotFittedError,
    Params,
    Round,
    TrainingInterrupted,
    __version__,
    cv,
    from_model,
    load_model,
    refit,
    report,
    train,
)

Floats = NDArray[np.float64]


class Watch(Callback):
    """A callback with a state of its own."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def after_round(self, round: Round) -> bool:
        self.seen.append(round.iteration)
        return round.iteration > 10 and round.evals["validation_0"]["rmse"] < 0.1


class Derived(CeibaRegressor):
    """An estimator with a parameter of its own, which hands the others on."""

    def __init__(self, *, note: str = "", **parameters: Any) -> None:
        super().__init__(**parameters)
        self.note = note


def use_estimators(X: Floats, y: Floats, labels: NDArray[Any]) -> None:
    regressor = CeibaRegressor(
        n_estimators=50,
        learning_rate=lambda number: 0.1 * 0.99**number,
        max_leaves=31,
        monotone_constraints=[1, 0, -1],
        interaction_constraints=[[0, 1], [2]],
        objective="quantile",
        quantile=[0.1, 0.5, 0.9],
        random_state=0,
        n_jobs=-1,
    )
    prediction: NDArray[Any] = regressor.fit(X, y).predict(X)
    print(prediction.shape, regressor.score(X, y), regressor.best_score_, regressor.resolved())

    pasted = CeibaClassifier(
        num_leaves=63, eta=0.05, verbosity=0, early_stopping_rounds=20, device="cpu", seed=1
    )
    pasted.fit(X, labels, eval_set=[(X, labels)], eval_metric=["auc", "logloss"], verbose=False)
    probabilities: NDArray[np.float64] = pasted.predict_proba(X, num_iteration=10)
    print(probabilities.sum(), pasted.predict_log_proba(X), pasted.classes_, pasted.get_params())
    print(pasted.evaluate(X, labels, "auc"), pasted.feature_importances_, pasted.n_iter_)
    print(pasted.importances("permutation", X, labels), pasted.partial_dependence(X, 0).average)
    pasted.plot.roc(X, labels).figure.savefig("roc.png")
    pasted.set_params(num_leaves=31)
    pasted.save_model("model.ceiba")
    try:
        CeibaRanker(n_estimators=5).fit(X, y, qid=np.arange(len(y)) // 10).predict(X)
    except NotFittedError as error:
        print(error)
    print(Derived(note="a", n_estimators=5).fit(X, y).note)


def use_trees(X: Floats, y: Floats) -> None:
    tree = CeibaTreeRegressor(max_depth=3, min_samples_leaf=0.1, max_features="sqrt").fit(X, y)
    numbers: Floats = tree.predict(X)
    depth: int = tree.get_depth()
    print(numbers, depth, tree.get_n_leaves(), tree.apply(X), tree.feature_importances_)
    grown = CeibaTreeClassifier(criterion="entropy", class_weight={True: 2.0}, ccp_alpha=0.01)
    text: str = grown.fit(X, y > 0, np.ones(len(y))).export_text(decimals=1)
    print(text, grown.cost_complexity_pruning_path(X, y > 0).ccp_alphas, grown.decision_path(X))


def use_forests(X: Floats, y: Floats) -> None:
    forest = CeibaForestRegressor(20, max_features=0.5, oob_score=True, random_state=1).fit(X, y)
    numbers: Floats = forest.predict(X)
    print(numbers, forest.oob_score_, forest.oob_prediction_, forest.feature_importances_)
    grown = CeibaForestClassifier(criterion="entropy", class_weight="balanced_subsample")
    print(grown.fit(X, y > 0).predict_proba(X), grown.oob_importances(X, y > 0, n_repeats=2))


def use_hybrids(X: Floats, y: Floats) -> None:
    tree = LinearTreeRegressor(penalty="lasso", alpha=0.1, max_depth=2).fit(X, y)
    numbers: Floats = tree.predict(X)
    print(numbers, tree.summary(), tree.leaves_, tree.apply(X))
    forest = EnhancedForestRegressor(alpha=[0.1, 1.0], max_depth=[3, 5], n_folds=3).fit(X, y)
    print(forest.best_params_, forest.coef_, forest.forest_.n_trees)
    print(BoostedLinearRegressor(loss="poisson", n_estimators=5).fit(X, y).rules_)
    shares: Floats = LinearTreeClassifier(C=2.0).fit(X, y > 0).predict_proba(X)
    print(shares, EnhancedForestClassifier(max_features="sqrt").fit(X, y > 0).predict(X))
    rules = BoostedLinearClassifier(loss="log_loss", class_weight="balanced").fit(X, y > 0)
    rules.save_model("rules.ceiba")
    print(BoostedLinearClassifier().load_model("rules.ceiba").fingerprint())


def use_functions(X: Floats, y: Floats) -> Model:
    params: Params = {"objective": "squared_error", "max_leaves": 31, "num_leaves": 31}
    rows = Dataset(X, label=y, weight=np.ones(len(y)))
    watch = Watch()
    model = train(
        params,
        rows,
        50,
        eval_sets=[rows],
        callbacks=[watch, EarlyStopping(5), LogRounds(every=10), Checkpoint("a.ceiba")],
        verbose_eval=False,
        reg_lambda=1.0,
    )
    plain = {"eta": 0.1, "objective": "regression"}
    table: Any = cv(plain, rows, num_boost_round=5, nfold=3, metrics=["mae"], seed=1)
    print(table["test-mae-mean"], RECIPES["xgboost"]["learning_rate"], __version__)
    file = io.BytesIO()
    model.save(file)
    loaded = load_model(io.BytesIO(file.getvalue()))
    print(from_model(loaded))
    scores: NDArray[np.float64] = loaded.predict(X, raw_score=True)
    print(scores, loaded.importances(), loaded.feature_names, loaded.evaluate(X, y, "mae"))
    print(ceiba.plot.waterfall(loaded.explain(X), row=1).get_title())
    print(report(loaded, X, y, "report.html", (X, y), time_budget=5.0).name)
    return refit(model, rows, decay_rate=0.5)


def use_errors(rows: Dataset) -> None:
    try:
        ceiba.train({"n_estimators": 5}, rows)
    except TrainingInterrupted as interrupted:
        print(interrupted.model)
    except CrossValidationInterrupted as interrupted:
        print(interrupted.table, interrupted.models)
    except CeibaError as error:
        print(error)

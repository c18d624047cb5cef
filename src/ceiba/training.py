"""Public functions: train a model, and refit its leaves.

``train`` calls ``boosting/fit.py``, as the estimators do. ``refit`` calls
``boosting/continuation/refit.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ceiba.boosting.continuation.continued import find_earlier
from ceiba.boosting.continuation.refit import refit_model
from ceiba.boosting.eval_sets import EvalSets, named_eval_sets
from ceiba.boosting.fit import check_dataset
from ceiba.data.dataset import Dataset
from ceiba.errors import (
    CeibaError,
    InvalidParameterError,
    InvalidTypeError,
)
from ceiba.messages import shown
from ceiba.model.model import Model
from ceiba.model.predict import count_threads
from ceiba.objectives import find_objective
from ceiba.parameters import BY_NAME
from ceiba.parameters.constraints import Real, check_value
from ceiba.parameters.keywords import TRAIN
from ceiba.parameters.resolving import (
    Parameters,
    Written,
    canonical_names,
    naming_as_written,
    resolve,
)
from ceiba.policy.fit import begin_fit

if TYPE_CHECKING:
    import os
    from typing import Unpack

    from ceiba.parameters.typed import Params, TrainKeywords

__all__ = ["ranking_defaults", "refit", "resolve_for_training", "train"]


def train(
    params: Params | Mapping[str, Any] | None = None,
    dataset: Dataset | None = None,
    n_estimators: int | None = None,
    eval_sets: EvalSets = None,
    *,
    folds: Any = None,
    groups: Any = None,
    callbacks: Iterable[Any] | None = None,
    init_model: Model | str | os.PathLike[str] | None = None,
    resume_from: str | os.PathLike[str] | None = None,
    **parameters: Unpack[TrainKeywords],
) -> Model:
    """Train a model.

    Parameters
    ----------
    params : mapping, optional
        Parameters by any of their names; see docs/parameters.md.
    dataset : Dataset
        Rows, target, and optionally weights, queries and initial scores. With initial scores, the
        model predicts what to add to them.
    n_estimators : int, optional
        The parameter of this name, which other libraries call num_boost_round.
    eval_sets : list of Dataset, or mapping from name to Dataset, optional
        Scored after every round; members of a list are called validation_0, validation_1, …
        The last one decides early stopping. Without eval sets, early stopping holds rows out if
        ``validation_fraction`` is set, or with ``early_stopping_rounds="auto"`` on more than 10,000
        rows.
    folds : int, splitter or list of pairs, optional
        How recipe ``auto`` holds rows out to compare candidates: a number of folds, a splitter
        of scikit-learn such as ``TimeSeriesSplit(5)``, or pairs (rows to train on, rows to
        score). By default, rows are chosen by a hash of their contents. All rows are used in
        the end.
    groups : array of shape (n_rows,), optional
        Rows with equal values are held out together, such as all visits of one patient.
    callbacks : list, optional
        Functions of a :class:`ceiba.Round`, or objects derived from :class:`ceiba.Callback`.
        Callbacks of LightGBM and XGBoost for early stopping, logging, recording and learning rates
        are accepted too.
    init_model : Model or path, optional
        Add ``n_estimators`` rounds to this model. Rows may differ; columns and objective may not.
        With the same rows and parameters, n rounds and then m more give the same model, bit for
        bit, as one training of n + m rounds. Only early stopping starts again.
    resume_from : path, optional
        Resume an interrupted training from a file of :class:`ceiba.Checkpoint`. Pass the same rows,
        eval sets, parameters and callbacks. The model equals that of an uninterrupted training,
        bit for bit. ``n_estimators`` counts the rounds of the checkpoint too.
    **parameters
        Parameters as arguments. Arguments of XGBoost, LightGBM and CatBoost, such as evals,
        valid_sets, feval or verbose_eval, work too. Two names of one parameter with different
        values raise an error.

    Returns
    -------
    Model
        With early stopping, the trees up to the best iteration; otherwise all of them.

    Raises
    ------
    TrainingInterrupted
        On Ctrl-C after at least one complete round; its ``model`` has the complete rounds.

    Examples
    --------
    >>> import numpy as np
    >>> import ceiba
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> rows = ceiba.Dataset(X, X[:, 0] > 99)
    >>> model = ceiba.train({"learning_rate": 0.3}, rows, objective="logistic")
    >>> model.predict(X[[0, -1]]).round(1)
    array([0., 1.])
    """
    given, parts = TRAIN.read_training(
        parameters,
        params,
        {
            "dataset": dataset,
            "n_estimators": n_estimators,
            "eval_sets": eval_sets,
            "folds": folds,
            "groups": groups,
            "callbacks": callbacks,
            "init_model": init_model,
            "resume_from": resume_from,
            "evals_result": None,
        },
    )
    return _train(resolve_for_training(*parts, dataset=given["dataset"]), given)


@naming_as_written
def _train(parameters: Parameters, given: Mapping[str, Any]) -> Model:
    """Train with the arguments of ``train`` by their names."""
    results = given["evals_result"]
    if results is not None and not isinstance(results, dict):
        raise InvalidTypeError(
            "evals_result must be a dictionary, which train fills with the metrics of every round. "
            f"Got {shown(results)}."
        )
    evals = named_eval_sets(given["eval_sets"])
    may_hold_out = parameters.early_stopping_rounds == "auto" or parameters.is_given(
        "validation_fraction"
    )
    fit = begin_fit(
        parameters,
        given["dataset"],
        callbacks=given["callbacks"],
        folds=given["folds"],
        groups=given["groups"],
        earlier=find_earlier(given["init_model"], given["resume_from"]),
        has_eval_sets=bool(evals),
        refusal=None
        if may_hold_out
        else "Got none. Give eval_sets, or validation_fraction to hold rows out.",
    )
    model = fit.run(evals, given["callbacks"])
    if results is not None:
        results.update({name: dict(metrics) for name, metrics in model.history.items()})
    return model


def refit(
    model: Model, dataset: Dataset, *, decay_rate: float = 0.9, n_jobs: int | None = None
) -> Model:
    """Return a model with the same splits and leaf values fitted to new rows.

    Parameters
    ----------
    dataset : Dataset
        Rows with a target (class indices for classification) and the columns of the model, matched
        by name.
    decay_rate : float, default=0.9
        Weight of the old leaf values, from 0 to 1, as in LightGBM: a leaf becomes
        ``decay_rate * old + (1 - decay_rate) * new``. Leaves without rows keep their value. With 0
        and the training rows, the model does not change, provided that training did not sample
        rows and all trees had the same penalties.
    n_jobs : int, optional
        Threads. The default is every core that this process may use.

    Notes
    -----
    Trees are refitted in order, each to the residuals of the refitted trees before it, with the
    learning rate of its round and the penalties in ``parameters``. After ``init_model`` these are
    the penalties of the last training. Start scores stay.

    Quantiles are calibrated again (``calibration_folds``) on folds of the new rows, unless the
    decay rate is 1. On the training rows the shifts are too small, because the splits were chosen
    on these rows. Leaves that violate ``monotone_constraints`` are set to their mean. So in these
    two cases a decay rate of 0 may change the model.

    Linear leaves keep their slopes; only their constants are fitted again. With objectives poisson,
    gamma and tweedie, ``leaf_guard`` or several ``leaf_iterations`` may have shortened slopes in
    training. Then the new constants differ from those of training.

    Examples
    --------
    >>> import numpy as np
    >>> import ceiba
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> model = ceiba.train({"n_estimators": 20}, ceiba.Dataset(X, X[:, 0]))
    >>> fresh = ceiba.refit(model, ceiba.Dataset(X, 2.0 * X[:, 0]), decay_rate=0.5)
    >>> fresh.n_iterations
    20
    """
    if not isinstance(model, Model):
        raise InvalidTypeError(
            f"model must be a ceiba.Model. Got {type(model).__name__}. Train or load one first; a "
            "fitted estimator has it as model_."
        )
    check_dataset(dataset)
    rate = check_value("decay_rate", Real(0.0, 1.0), decay_rate)
    return refit_model(model, dataset, rate, count_threads(n_jobs))


def resolve_for_training(*given: Mapping[str, Any], dataset: object = None) -> Parameters:
    """Resolve parameters; raise for those that only estimators have.

    Arrays in place of ``dataset`` come with other misplaced arguments, so this raises first.
    """
    if dataset is not None:
        check_dataset(dataset)
    are_mappings = all(isinstance(part, Mapping) for part in given)  # otherwise resolve raises
    written = canonical_names(*given) if are_mappings else {}
    parameters = resolve(*given, ranking_defaults(written))
    for name, (called, _) in written.items():
        if BY_NAME[name].stage == "estimator":
            raise InvalidParameterError(
                f"{called} belongs to the estimators. Got it in train or cv. Give weights to the "
                "Dataset, and a model to continue as init_model."
            )
    return parameters


def ranking_defaults(written: Written, *, is_ranking: bool = False) -> dict[str, Any]:
    """Return the defaults that recipe ``single`` changes for ranking.

    Relevance is noisy and queries are few: in cross-validation, symmetric trees of depth 6 ranked
    better than leafwise ones.
    """
    if written.get("recipe", ("", "auto"))[1] != "single" or {"grow_policy", "max_leaves"} & set(
        written
    ):
        return {}
    if not is_ranking:
        called, objective = written.get("objective", ("objective", "squared_error"))
        try:
            is_ranking = find_objective(objective, called=called).task == "ranking"
        except CeibaError:
            return {}  # resolve raises the error
    return {"grow_policy": "symmetric"} if is_ranking else {}

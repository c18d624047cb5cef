"""The public verbs: train a model, and refit the leaves of one.

``boosting/loop.py`` is the loop itself. Here the rounds are read, callbacks are asked, and what was
grown becomes a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.continuation.continued import Earlier, find_earlier
from ceiba.boosting.continuation.refit import refit_model
from ceiba.boosting.eval_sets import EvalSets, named_eval_sets
from ceiba.boosting.loop import boost
from ceiba.boosting.loss_options import check_loss_options
from ceiba.callbacks import (
    Callback,
    CallbackList,
    EarlyStopping,
    LogRounds,
    ProgressBar,
    translated,
)
from ceiba.data.dataset import Dataset
from ceiba.data.identifiers import identifiers
from ceiba.errors import (
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
    TrainingInterrupted,
)
from ceiba.messages import listed, shown, warn
from ceiba.model.model import Model
from ceiba.model.predict import count_threads
from ceiba.parameters import BY_NAME
from ceiba.parameters.constraints import Real, check_value
from ceiba.parameters.keywords import TRAIN
from ceiba.parameters.resolving import Parameters, canonical_names, naming_as_written, resolve

if TYPE_CHECKING:
    import os
    from typing import Unpack

    from numpy.typing import NDArray

    from ceiba.parameters.typed import Params, TrainKeywords

__all__ = [
    "check_dataset",
    "early_stopping_patience",
    "own_callbacks",
    "refit",
    "resolve_for_training",
    "train",
    "train_resolved",
    "with_categories",
]

#: What early_stopping_rounds="auto" stands for, and the number of rows above which it holds.
AUTO_PATIENCE = 10
AUTO_ROWS = 10_000


def train(
    params: Params | Mapping[str, Any] | None = None,
    dataset: Dataset | None = None,
    n_estimators: int | None = None,
    eval_sets: EvalSets = None,
    *,
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
        Rows, target, and optionally weights and initial scores. Where rows have an initial score,
        the model predicts what is to be added to it.
    n_estimators : int, optional
        The parameter of this name, which other libraries call num_boost_round.
    eval_sets : list of Dataset, or mapping from name to Dataset, optional
        Scored after every round; members of a list are called validation_0, validation_1, …
        The last one decides early stopping.
    callbacks : list, optional
        Functions of a :class:`ceiba.Round`, or objects derived from :class:`ceiba.Callback`.
        Callbacks of LightGBM and XGBoost for early stopping, logging, recording and learning rates
        are accepted too.
    init_model : Model or path, optional
        Put ``n_estimators`` further rounds on top of this model. Rows may be others, columns and
        objective may not. On the same rows and with the same parameters, n rounds and then m more
        are the n + m rounds of one training, bit for bit; only early stopping starts afresh.
    resume_from : path, optional
        Go on with a training that was cut off, from a file that :class:`ceiba.Checkpoint` wrote.
        Give the rows, eval sets, parameters and callbacks that the training had; the model is the
        one that it would have made, bit for bit. ``n_estimators`` is the number of rounds in all.
    **parameters
        Parameters may be given as arguments too, and arguments of XGBoost, LightGBM and CatBoost
        such as evals, valid_sets, feval or verbose_eval are understood. Two names of one thing
        with different values are an error.

    Returns
    -------
    Model
        With early stopping, the trees up to the best iteration; otherwise all of them.

    Raises
    ------
    TrainingInterrupted
        A KeyboardInterrupt (Ctrl-C), once there are complete rounds; its ``model`` holds them.

    Examples
    --------
    >>> import numpy as np
    >>> import ceiba
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> rows = ceiba.Dataset(X, X[:, 0] > 99)
    >>> model = ceiba.train({"learning_rate": 0.3}, rows, objective="logistic")
    >>> model.predict(X[[0, -1]]).round(2)
    array([0., 1.])
    """
    given, parts = TRAIN.read_training(
        parameters,
        params,
        {
            "dataset": dataset,
            "n_estimators": n_estimators,
            "eval_sets": eval_sets,
            "callbacks": callbacks,
            "init_model": init_model,
            "resume_from": resume_from,
            "evals_result": None,
        },
    )
    return _train(resolve_for_training(*parts), given)


@naming_as_written
def _train(parameters: Parameters, given: Mapping[str, Any]) -> Model:
    """Train with the arguments of ``train`` by their names."""
    check_loss_options(parameters)
    if given["evals_result"] is not None and not isinstance(given["evals_result"], dict):
        raise InvalidTypeError(
            "evals_result must be a dictionary, which train fills with the metrics of every round. "
            f"Got {shown(given['evals_result'])}."
        )
    model = train_resolved(
        parameters,
        given["dataset"],
        eval_sets=given["eval_sets"],
        callbacks=given["callbacks"],
        earlier=find_earlier(given["init_model"], given["resume_from"]),
    )
    if given["evals_result"] is not None:
        history = {name: dict(metrics) for name, metrics in model.history.items()}
        given["evals_result"].update(history)
    return model


def train_resolved(
    parameters: Parameters,
    dataset: Dataset,
    *,
    eval_sets: EvalSets = None,
    callbacks: Iterable[Any] | None = None,
    classes: NDArray[Any] | None = None,
    earlier: Earlier = Earlier(),  # noqa: B008 (it is immutable)
) -> Model:
    """Train with resolved parameters; ``classes`` are labels for the model to remember."""
    check_dataset(dataset)
    dataset = with_categories(parameters, dataset)
    evals = named_eval_sets(eval_sets)
    found = translated(callbacks, training_sets(dataset, evals))
    parameters = found.with_rates(parameters, 0 if earlier.counts_all else earlier.n_rounds)
    watching = CallbackList([*own_callbacks(parameters, dataset, evals), *found.callbacks])
    rounds = boost(parameters, dataset, evals, watching.state, classes=classes, earlier=earlier)
    make_model = None if earlier.model is None else earlier.make_model
    try:
        watching.before_training(earlier.last_round(parameters))
        earlier.restore(watching)
        for round in rounds:
            make_model = round.make_model
            if watching.after_round(round):
                break
    except KeyboardInterrupt:
        if make_model is None:
            raise
        model = make_model(watching.kept_iteration())
        raise TrainingInterrupted(
            f"Training was interrupted. The model has {model.n_iterations} whole rounds.",
            model,
        ) from None
    finally:
        watching.after_training()
    assert make_model is not None
    return make_model(watching.kept_iteration())


def refit(
    model: Model, dataset: Dataset, *, decay_rate: float = 0.9, n_jobs: int | None = None
) -> Model:
    """Return a model with the same splits and leaf values fitted to new rows.

    Parameters
    ----------
    dataset : Dataset
        Rows with a target (class indices for classes) and the columns of the model, matched by
        name.
    decay_rate : float, default=0.9
        Weight of the old leaf values, from 0 to 1, as in LightGBM: a leaf becomes
        ``decay_rate * old + (1 - decay_rate) * new``. Leaves that no row reaches keep their
        value. With 0, on the rows of the training (if it took no sample of them), nothing
        changes, as long as all trees were trained with the same penalties.
    n_jobs : int, optional
        Threads. The default is every core that this process may use.

    Notes
    -----
    Trees are refitted in their order, each to what the refitted ones before it leave, with the
    learning rate of its round and the penalties that ``parameters`` records: those of the last
    training, if ``init_model`` put rounds with other penalties on top of a model. The start
    scores stay. What calibration adds to quantiles (``calibration_folds``) is found anew from
    folds of the new rows, unless the decay rate is 1; it is too little where those are the rows
    of the training, which the splits know. Leaves of a tree that break
    ``monotone_constraints`` meet half way. So in these two cases something may change even
    with 0. Of lines in leaves the slopes stay, and constants are fitted for them: found again but
    for rounding, unless a leaf of poisson, gamma or tweedie stopped at its minimum
    (``leaf_guard``, or several ``leaf_iterations``), which shortened its slopes too.

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


def resolve_for_training(*given: Mapping[str, Any]) -> Parameters:
    """Resolve parameters, and refuse those that only estimators have."""
    parameters = resolve(*given)
    for name, (written, _) in canonical_names(*given).items():
        if BY_NAME[name].stage == "estimator":
            raise InvalidParameterError(
                f"{written} belongs to the estimators, and train does not take it. Give weights to "
                "the Dataset, and rows to be scored as eval_sets."
            )
    return parameters


def check_dataset(dataset: object) -> None:
    """Refuse what is no Dataset."""
    if not isinstance(dataset, Dataset):
        raise InvalidTypeError(
            f"dataset must be a ceiba.Dataset. Got {type(dataset).__name__}. "
            "Make one with ceiba.Dataset(data, target)."
        )


def with_categories(parameters: Parameters, dataset: Dataset) -> Dataset:
    """Return the rows with the categories that are asked for; warn of those that look like names.

    A category with nearly as many levels as rows tells nothing of new rows.
    """
    dataset = dataset.with_categories(parameters.categorical_features)
    names = identifiers(dataset.table)
    if names:
        said = "category {} has" if len(names) == 1 else "categories {} have"
        warn(
            f"The {said.format(listed(names))} nearly as many levels as rows, as identifiers and "
            "free text have. Leave such columns out, or make columns of few levels of them."
        )
    return dataset


def training_sets(dataset: Dataset, evals: Mapping[str, Dataset]) -> list[str]:
    """Return the names of eval sets that hold the rows of the training, judged by their target."""
    return [
        name
        for name, rows in evals.items()
        if rows.target is not None
        and dataset.target is not None
        and np.array_equal(rows.target, dataset.target)
    ]


def early_stopping_patience(parameters: Parameters, n_rows: int) -> int:
    """Return the rounds that early stopping waits, 0 for no early stopping."""
    if parameters.early_stopping_rounds == "auto":
        return AUTO_PATIENCE if n_rows > AUTO_ROWS else 0
    return int(parameters.early_stopping_rounds)


def own_callbacks(
    parameters: Parameters, dataset: Dataset, evals: Mapping[str, Dataset]
) -> list[Callback]:
    """Return the callbacks that the parameters ask for."""
    asked: list[Callback] = []
    patience = early_stopping_patience(parameters, dataset.n_rows)
    if patience and not evals and parameters.early_stopping_rounds != "auto":
        raise InvalidInputError(
            f"early_stopping_rounds={patience} needs an eval set. Give eval_sets to train, or use "
            "an estimator, which holds out validation_fraction of the rows."
        )
    if patience and evals:
        asked.append(EarlyStopping(patience, parameters.early_stopping_tolerance))
    if parameters.verbose:
        is_bar = parameters.verbose is True
        asked.append(ProgressBar() if is_bar else LogRounds(parameters.verbose))
    return asked

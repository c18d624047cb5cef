"""Cross-validation: models for the folds, trained side by side, and a table of their metrics.

The life of a cross-validation:

1. ``folds`` becomes pairs of rows to learn from and rows to be scored, by a splitter of
   scikit-learn unless the user brings one.
2. Every fold is a training of its own: its bins and start scores come from its own rows.
3. The trainings take their rounds in step. After each, the callbacks see the means over the folds,
   so that early stopping stops all folds at one iteration: the best on average.
4. The table holds mean and standard deviation of every metric after every round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.loop import boost
from ceiba.boosting.loss_options import check_loss_options
from ceiba.boosting.start import checked_target, make_objective
from ceiba.callbacks import CallbackList, Round, translated
from ceiba.data.dataset import Dataset
from ceiba.data.frames import make_frame
from ceiba.data.plain_numbers import read_array
from ceiba.errors import (
    CrossValidationInterrupted,
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
)
from ceiba.messages import shown
from ceiba.metrics import wished_metrics
from ceiba.parameters.constraints import Boolean, Integer, check_value, is_iterable
from ceiba.parameters.keywords import CV
from ceiba.parameters.resolving import naming_as_written
from ceiba.training import check_dataset, own_callbacks, resolve_for_training, with_categories

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters
    from ceiba.parameters.typed import CvKeywords, Params

__all__ = ["cv", "fold_rows"]

Fold = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def cv(
    params: Params | Mapping[str, Any] | None = None,
    dataset: Dataset | None = None,
    n_estimators: int | None = None,
    *,
    folds: Any = None,
    groups: Any = None,
    stratified: bool | None = None,
    shuffle: bool | None = None,
    callbacks: Iterable[Any] | None = None,
    return_models: bool | None = None,
    **parameters: Unpack[CvKeywords],
) -> Any:
    """Train on all folds but one and score the one, for each fold in turn.

    Parameters
    ----------
    params : mapping, optional
        Parameters by any of their names, as for :func:`ceiba.train`. ``random_state`` also
        shuffles.
    dataset : Dataset
        All rows. Each fold finds bins from the rows that it learns from.
    n_estimators : int, optional
        The parameter of this name, which other libraries call num_boost_round.
    folds : int, splitter or list, default=5
        A number of folds; a splitter of scikit-learn, which is shown the rows of a weight above 0;
        or pairs (rows to learn from, rows to be scored), as numbers or masks of all rows.
    groups : array of shape (n_rows,), optional
        Rows of one group come into one fold; by default those of one query do.
    stratified : bool, optional
        Whether every fold has the same share of each class; by default for classes. Other targets
        must be whole numbers for it.
    shuffle : bool, optional
        Whether rows come into the folds by chance; by default they do.
    callbacks : list, optional
        They see the means over the folds, of the eval sets ``train`` and ``test``.
    return_models : bool, default=False
        Whether to return the models of the folds too.
    **parameters
        Parameters may be given as arguments too, such as metrics or early_stopping_rounds, which
        looks at the mean of the last metric over the folds. Arguments of other libraries, such as
        nfold or feval, are understood.

    Returns
    -------
    table
        One row for each round and columns such as ``test-rmse-mean``, ``test-rmse-std`` and
        ``train-rmse-mean``: a DataFrame of pandas, or of polars where there is no pandas, or a
        dictionary of arrays. The standard deviation is that of the folds (divided by their number).
    models : list of Model
        With ``return_models``: the table and this, as a pair.

    Raises
    ------
    CrossValidationInterrupted
        A KeyboardInterrupt (Ctrl-C), once all folds have finished a round; its ``table`` holds the
        rounds that all of them have finished, and its ``models`` theirs with ``return_models``.

    Examples
    --------
    >>> import numpy as np
    >>> import ceiba
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> table = ceiba.cv({"max_leaves": 7}, ceiba.Dataset(X, X[:, 0]), 20, folds=3)
    >>> list(table)
    ['train-rmse-mean', 'train-rmse-std', 'test-rmse-mean', 'test-rmse-std']
    """
    own = {
        "dataset": dataset,
        "n_estimators": n_estimators,
        "folds": folds,
        "groups": groups,
        "stratified": stratified,
        "shuffle": shuffle,
        "callbacks": callbacks,
        "return_models": return_models,
    }
    given, parts = CV.read_training(parameters, params, own)
    return _cross_validate(resolve_for_training(*parts), given)


@naming_as_written
def _cross_validate(parameters: Parameters, given: Mapping[str, Any]) -> Any:
    """Train the folds in step; ``cv`` says what it is given and what it returns."""
    dataset, returns_models = given["dataset"], bool(given["return_models"])
    check_loss_options(parameters)
    check_dataset(dataset)
    dataset = with_categories(parameters, dataset)
    if given["return_models"] is not None:
        check_value("return_models", Boolean(), given["return_models"])
    target = checked_target(dataset)
    objective = make_objective(parameters, target)
    if not (wished_metrics(parameters.eval_metric, objective.default_metric) or returns_models):
        raise InvalidInputError(
            "A cross-validation needs a metric, and there is none. Give eval_metric; a custom "
            "objective has no metric of its own."
        )
    if objective.task == "multiclass":
        # A fold need not have a row of every class.
        parameters = parameters.replace(n_classes=objective.n_outputs(target))
    parameters = parameters.replace(unseen_category="missing")  # nor of every level
    pairs = fold_rows(
        dataset,
        objective,
        5 if given["folds"] is None else given["folds"],
        given["groups"],
        given["stratified"],
        given["shuffle"],
        seed=parameters.random_state,
    )

    found = translated(given["callbacks"], ["train"])
    parameters = found.with_rates(parameters, 0)
    trainings, evals = [], {}
    for learned, scored in pairs:
        evals = {"train": dataset.take(learned), "test": dataset.take(scored)}
        trainings.append(boost(parameters, evals["train"], evals))
    own = own_callbacks(parameters, dataset, evals)
    watching = CallbackList([*own, *found.callbacks])
    lines: list[dict[str, float]] = []  # of the table, one for each round that all folds finished
    last: tuple[Round, ...] = ()

    def results() -> tuple[Any, list[Model]]:
        best = watching.kept_iteration()
        kept = len(lines) - 1 if best is None else best
        names = lines[0] if lines else ()
        table = {name: np.array([line[name] for line in lines[: kept + 1]]) for name in names}
        models = [round.make_model(kept) for round in last] if returns_models else []
        return make_frame(table), models

    try:
        watching.before_training(parameters.n_estimators)
        for rounds in zip(*trainings, strict=True):
            mean, line = _mean_round(rounds)
            last = rounds
            lines.append(line)
            if watching.after_round(mean):
                break
    except KeyboardInterrupt:
        if not lines:
            raise
        raise CrossValidationInterrupted(
            f"Cross-validation was interrupted. All folds have finished {len(lines)} rounds.",
            *results(),
        ) from None
    finally:
        watching.after_training()
    return results() if returns_models else results()[0]


def fold_rows(
    dataset: Dataset,
    objective: Objective,
    folds: Any,
    groups: Any = None,
    stratified: bool | None = None,
    shuffle: bool | None = None,
    seed: int = 0,
) -> list[Fold]:
    """Return, for each fold, the numbers of the rows to learn from and of those to be scored.

    They count all rows that the dataset was made from; folds that are made here are made of the
    rows that have a weight.
    """
    target, n_rows = checked_target(dataset), dataset.n_rows
    is_number = isinstance(folds, int | np.integer) and not isinstance(folds, bool)
    makes_folds = is_number or hasattr(folds, "split")
    if groups is None and dataset.queries is not None and makes_folds:
        groups = dataset.queries.numbers  # a query is learned from or scored, as a whole
    elif groups is not None:
        groups = _checked_groups(groups, dataset)
    if is_number:
        n_folds = check_value("folds", Integer(2), folds)
        by_class = objective.task in ("binary", "multiclass")
        stratified = (
            by_class if stratified is None else check_value("stratified", Boolean(), stratified)
        )
        shuffle = True if shuffle is None else check_value("shuffle", Boolean(), shuffle)
        splitter = _splitter(n_folds, groups is not None, stratified, shuffle, seed)
    elif stratified is not None or shuffle is not None:
        raise InvalidParameterError(
            "stratified and shuffle say how folds are made. Leave them out where folds brings the "
            "rows of every fold."
        )
    else:
        splitter = folds
    if isinstance(splitter, type):
        raise InvalidTypeError(
            "folds must be a number, a splitter of scikit-learn or a list of pairs. Got the class "
            f"{splitter.__name__}. Call it first, as in {splitter.__name__}()."
        )
    if hasattr(splitter, "split") and not isinstance(splitter, str):
        labels = _classes(target) if is_number and stratified else target
        try:
            found: Any = list(splitter.split(np.zeros((n_rows, 1)), labels, groups))
        except (ValueError, TypeError) as error:
            kind = InvalidTypeError if isinstance(error, TypeError) else InvalidInputError
            raise kind(f"The rows cannot be split into folds: {error}") from error
        checked = [_checked(index, pair, n_rows) for index, pair in enumerate(found)]
        numbers = dataset.row_numbers
        return [(numbers[learned], numbers[scored]) for learned, scored in checked]
    if groups is not None:
        raise InvalidParameterError(
            "groups is for a number of folds or a splitter. Leave it out where folds is a list."
        )
    listed = [_checked(index, pair, dataset.n_given) for index, pair in enumerate(_listed(folds))]
    for index, pair in enumerate(listed):
        if not all(np.isin(rows, dataset.row_numbers).any() for rows in pair):
            raise InvalidInputError(
                f"Fold {index} learns from, or is scored on, rows of weight 0 alone. Give others."
            )
    return listed


def _checked_groups(given: Any, dataset: Dataset) -> NDArray[Any]:
    """Return the groups of the rows that have a weight."""
    # A list is read as it is: numpy would make one kind, text, of 1 and "1".
    groups = np.asarray(given, dtype=object if isinstance(given, (list, tuple)) else None)
    if groups.shape != (dataset.n_given,):
        raise InvalidInputError(
            f"groups must hold one value for each of the {dataset.n_given} rows. Got shape "
            f"{groups.shape}."
        )
    groups = groups[dataset.row_numbers]
    try:
        np.sort(groups)
    except TypeError:
        kinds = sorted({type(group).__name__ for group in groups.tolist()})
        raise InvalidTypeError(
            "groups must hold values of one kind, such as numbers or words, that can be put in "
            f"order. Got {', '.join(kinds)}. Make words of them, with [str(x) for x in groups]."
        ) from None
    return groups


def _classes(target: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the class of each row as a number, for folds with the same share of each class."""
    fractions = np.flatnonzero(target != np.floor(target))
    if fractions.size:
        first = int(fractions[0])
        raise InvalidInputError(
            "stratified=True gives every fold the same share of each class, and so the target must "
            f"hold classes or other whole numbers. Got {target[first]:g} in row {first}. Leave "
            "stratified out, or give the rows of every fold as folds."
        )
    return np.unique(target, return_inverse=True)[1].astype(np.int64)


def _splitter(n_folds: int, grouped: bool, stratified: bool, shuffle: bool, seed: int) -> Any:
    from sklearn import model_selection as splitters

    name = f"{'Stratified' if stratified else ''}{'Group' if grouped else ''}KFold"
    state = seed % 2**32 if shuffle else None
    return getattr(splitters, name)(n_folds, shuffle=shuffle, random_state=state)


def _listed(folds: Any) -> list[Any]:
    if isinstance(folds, str | Mapping) or not is_iterable(folds):
        raise InvalidTypeError(
            "folds must be a number, a splitter of scikit-learn or a list of pairs (rows to learn "
            f"from, rows to be scored). Got {folds!r}."
        )
    listed = list(folds)
    if not listed:
        raise InvalidInputError("folds must have at least one pair of rows. Got none.")
    return listed


def _checked(index: int, pair: Any, n_rows: int) -> Fold:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidTypeError(
            "Every fold must be a pair (rows to learn from, rows to be scored). "
            f"Fold {index} is {type(pair).__name__}."
        )
    learned, scored = (_row_numbers(index, rows, n_rows) for rows in pair)
    if np.intersect1d(learned, scored).size:
        raise InvalidInputError(
            f"Fold {index} learns from rows that it is scored on. Give each row one of the two."
        )
    return learned, scored


def _row_numbers(index: int, rows: Any, n_rows: int) -> NDArray[np.int64]:
    numbers = read_array(rows, f"The rows of fold {index}")
    if numbers.dtype.kind == "b" and numbers.shape == (n_rows,):
        numbers = np.flatnonzero(numbers)
    sound = numbers.ndim == 1 and numbers.dtype.kind in "iu" and numbers.size > 0
    if not sound or numbers.min() < 0 or numbers.max() >= n_rows:
        raise InvalidInputError(
            f"The rows of fold {index} must be row numbers from 0 to {n_rows - 1}, at least one, "
            f"or a mask of {n_rows} booleans. Got {shown(rows)}."
        )
    return numbers.astype(np.int64)


def _mean_round(rounds: tuple[Round, ...]) -> tuple[Round, dict[str, float]]:
    """Return the round of all folds, and its line of the table: means and standard deviations."""
    first = rounds[0]
    means: dict[str, dict[str, float]] = {}
    line: dict[str, float] = {}
    for name, metrics in first.evals.items():
        means[name] = {}
        for metric in metrics:
            values = np.array([round.evals[name][metric] for round in rounds])
            finite = bool(np.isfinite(values).all())
            mean = _core.exact_sum(values) / len(values) if finite else np.nan
            means[name][metric] = mean
            line[f"{name}-{metric}-mean"] = mean
            line[f"{name}-{metric}-std"] = float(values.std()) if finite else np.nan

    def refuse(*_: Any) -> Model:
        raise InvalidInputError(
            "A cross-validation has one model for each fold and not one to save. Give checkpoints "
            "to ceiba.train, or return_models=True to ceiba.cv."
        )

    return Round(first.iteration, first.n_rounds, means, first.higher_is_better, refuse), line

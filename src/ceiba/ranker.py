"""CeibaRanker: learning to rank behind the interface of scikit-learn.

Its life is that of the other estimators (see ``estimators.py``); beside the rows, ``fit`` is given
their queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.estimator_base import BaseCeiba, eval_pairs
from ceiba.estimator_parameters import document, make_init
from ceiba.estimator_targets import Rows, check_lengths, read_numbers, read_weights
from ceiba.metrics import find_metric
from ceiba.missing_values import Reading
from ceiba.objectives import find_objective
from ceiba.queries import read_queries, spread_weights
from ceiba.resolving import canonical_names, resolve
from ceiba.tables import read_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba.dataset import Dataset
    from ceiba.model import Model
    from ceiba.resolving import Parameters

__all__ = ["CeibaRanker"]


class CeibaRanker(BaseCeiba):
    """Gradient boosting that puts the documents of a query in order.

    Recipe ``auto`` grows symmetric trees of depth 6 here, unless ``grow_policy`` or ``max_leaves``
    is given: relevance is noisy and queries are few, and in cross-validation they ranked better.
    """

    __init__ = make_init("ranker")

    def _resolve(self) -> Parameters:
        given = self.get_params(deep=False)
        written = canonical_names(given)
        recipe = written.get("recipe", ("recipe", "auto"))[1]
        if recipe == "auto" and not {"grow_policy", "max_leaves"} & set(written):
            given["grow_policy"] = "symmetric"
        return resolve(given)

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
        eval_set: Any = None,
        eval_qid: Any = None,
        eval_group: Any = None,
        callbacks: Iterable[Any] | None = None,
        init_model: Any = None,
        resume_from: Any = None,
    ) -> Self:
        """Train the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            One document of a query in each row: numpy array, pandas, polars or arrow table, scipy
            sparse matrix, or list of rows. NaN means missing.
        y : array of shape (n_rows,)
            Relevance of each document, 0 or more; the larger, the better.
        qid : array of shape (n_rows,)
            The query of each row: whole numbers or words. Rows of a query may stand anywhere.
        group : array of shape (n_queries,)
            The sizes of queries whose rows stand one after the other, instead of ``qid``.
        sample_weight : array of shape (n_rows,) or (n_queries,), optional
            Weights. That of a row multiplies the forces on it; rows of weight 0 are dropped. One
            weight for each query (with ``qid``, in the order of the sorted ids) stands for all its
            rows: a query of weight k counts as k equal queries.
        eval_set : list of (X, y) or (X, y, weights), optional
            Scored after every round. The last one decides early stopping. Without it, early
            stopping holds out whole queries.
        eval_qid, eval_group : list of arrays, optional
            ``qid`` or ``group`` of each eval set; a dictionary where ``eval_set`` is one.
        callbacks : list, optional
            See :mod:`ceiba.callbacks`.
        init_model : Model, fitted estimator or path, optional
            Put ``n_estimators`` further rounds on top of this model; see :func:`ceiba.train`.
        resume_from : path, optional
            Go on with a training that was cut off, from a file of :class:`ceiba.Checkpoint`.
        """
        parameters = self._resolve()
        earlier = self._earlier(init_model, resume_from)
        name = parameters.objective or "lambdarank_ndcg"
        objective = find_objective(name)
        if objective.task != "ranking":
            raise InvalidParameterError(
                f"objective {objective.name!r} is not one for a ranker. Leave objective out, or "
                "use CeibaRegressor or CeibaClassifier."
            )
        parameters = parameters.replace(objective=name)
        reading = Reading.of(dict(parameters.items()))
        rows = self._ranked_rows(X, y, qid, group, sample_weight, reading)
        evals = _with_queries(eval_set, eval_qid, eval_group)
        return self._train(parameters, rows, evals, callbacks, earlier=earlier)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each row; within a query, the larger one is ranked first."""
        model, X = self._ready(X)
        return model.predict(X, n_jobs=self._n_jobs())

    def staged_predict(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the scores after each round."""
        model, X = self._ready(X)
        yield from model.staged_predict(X, n_jobs=self._n_jobs())

    def score(
        self, X: Any, y: Any, *, qid: Any = None, group: Any = None, sample_weight: Any = None
    ) -> float:
        """Return the mean NDCG of the queries; see metric ``ndcg``."""
        scores = self.predict(X)
        rows = self._ranked_rows(X, y, qid, group, sample_weight, self.model_.reading)
        if rows.weights is not None:
            keep = rows.weights > 0
            rows, scores = rows.take(keep), scores[keep]
        metric = find_metric("ndcg", ndcg_exp_gain=self._only("ndcg_exp_gain") is not False)
        bound = metric.for_queries(read_queries(rows.qid, None, len(rows.target)))
        return bound(rows.target, scores[:, None], scores, rows.weights)

    def _ranked_rows(
        self, X: Any, y: Any, qid: Any, group: Any, sample_weight: Any, reading: Reading
    ) -> Rows:
        table = read_table(X, reading=reading)
        target = read_numbers(y, type(self).__name__)
        check_lengths(table, target)
        queries = read_queries(qid, group, len(target))
        if queries is None:
            raise InvalidInputError(
                f"{type(self).__name__} needs the query of each row. Give qid (an id for each row) "
                "or group (sizes of consecutive queries)."
            )
        weights = read_weights(spread_weights(sample_weight, queries), len(target))
        return Rows(table, target, weights, queries.numbers)

    def _read_eval_set(
        self, name: str, entry: Any, dataset: Dataset, classes: NDArray[Any] | None
    ) -> Rows:
        given = entry.given
        try:
            queries = None
            if isinstance(given, tuple | list) and len(given) in (2, 3):
                queries = read_queries(entry.qid, entry.group, _count_rows(given[0], dataset))
                weights = given[2] if len(given) == 3 else None
                given = (given[0], given[1], spread_weights(weights, queries))
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {name!r}: {error}") from None
        rows = super()._read_eval_set(name, given, dataset, classes)
        return rows if queries is None else replace(rows, qid=queries.numbers)

    def _check_model(self, model: Model) -> Model:
        if model.objective.task != "ranking":
            raise InvalidInputError(
                f"The file holds a model of objective {model.objective.name}. Load it with "
                "CeibaRegressor, CeibaClassifier or ceiba.load_model."
            )
        return model


@dataclass(frozen=True, slots=True)
class _RankedEntry:
    """An eval set as the user gave it, with its queries."""

    given: Any
    qid: Any
    group: Any


def _count_rows(data: Any, dataset: Dataset) -> int:
    return read_table(data, reading=dataset.reading).n_rows


def _with_queries(eval_set: Any, eval_qid: Any, eval_group: Any) -> dict[str, Any] | None:
    """Return eval sets by name, each with its queries."""
    if eval_set is None:
        for name, given in (("eval_qid", eval_qid), ("eval_group", eval_group)):
            if given is not None:
                raise InvalidInputError(f"{name} needs an eval_set. Got {name} alone.")
        return None
    pairs = eval_pairs(eval_set)
    alone = len(pairs) == 1 and next(iter(pairs.values())) is eval_set
    ids = _by_name("eval_qid", eval_qid, list(pairs), alone)
    sizes = _by_name("eval_group", eval_group, list(pairs), alone)
    return {name: _RankedEntry(entry, ids[name], sizes[name]) for name, entry in pairs.items()}


def _by_name(what: str, given: Any, names: list[str], alone: bool) -> dict[str, Any]:
    if given is None:
        return dict.fromkeys(names)
    if isinstance(given, Mapping):
        wrong = set(given) ^ set(names)
        if wrong:
            raise InvalidInputError(
                f"{what} must have the names of eval_set, {names}. Got {sorted(map(str, given))}."
            )
        return dict(given)
    if alone and not (isinstance(given, list | tuple) and len(given) == 1):
        return {names[0]: given}
    if not isinstance(given, list | tuple) or len(given) != len(names):
        count = len(given) if hasattr(given, "__len__") else type(given).__name__
        raise InvalidInputError(
            f"{what} must be a list with one array for each of the {len(names)} eval sets. "
            f"Got {count}."
        )
    return dict(zip(names, given, strict=True))


document("ranker", CeibaRanker)

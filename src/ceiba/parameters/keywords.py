"""Translate keyword arguments of other libraries' functions.

The life of a keyword:

1. It is a row of one of the calls below, of the three kinds in ``foreign.py``. Where a call takes
   parameters, their names are keywords too.
2. The function passes unknown keywords to :meth:`Call.read`, which returns canonical arguments and
   parameters or raises an error.
3. The function continues with the translated arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ceiba.errors import CeibaError, InvalidParameterError, UnknownParameterError
from ceiba.parameters import ALIASES, BY_NAME, FOREIGN
from ceiba.parameters._foreign_meanings import several
from ceiba.parameters._keywords_of_data import DATASET_ROWS, FIT_ROWS, PREDICT_ROWS
from ceiba.parameters._keywords_of_training import (
    CV_ROWS,
    EARLY_STOPPING_ROWS,
    LOG_ROWS,
    TRAIN_ROWS,
)
from ceiba.parameters.foreign import Foreign, Settings, assignment, same
from ceiba.parameters.nearest import nearest_words
from ceiba.parameters.resolving import nearest
from ceiba.parameters.swapped import SwappedMetric

__all__ = ["CALLS", "CV", "DATASET", "EARLY_STOPPING", "FIT", "LOG", "PREDICT", "TRAIN", "Call"]


@dataclass(frozen=True)
class Call:
    """A function of ceiba, its own arguments, and the translated ones in reading order."""

    name: str
    own: tuple[str, ...]
    rows: Mapping[str, Foreign]
    #: Whether parameters are keywords too, under each of their names.
    takes_parameters: bool = False

    def read(self, keywords: Mapping[str, Any], given: Settings) -> dict[str, Any]:
        """Translate keywords to canonical names; ``given`` are the other arguments.

        Parameters among them keep the names that the user wrote.
        """
        for name in keywords:
            if name not in self.rows and not self._is_parameter(name):
                raise UnknownParameterError(
                    f"{self.name} has no argument {name!r}. {self._nearest(name)}"
                )
        order = {name: place for place, name in enumerate(self.rows)}
        known = {**keywords, **{name: value for name, value in given.items() if value is not None}}
        meant: dict[str, Any] = {}
        for name in sorted(keywords, key=lambda name: order.get(name, len(order))):
            value, row = keywords[name], self.rows.get(name)
            if value is None:
                continue
            if row is None:
                self._add(meant, name, name, value, known)
                continue
            for ours, setting in row.means(name, value, {**known, **meant}).items():
                self._add(meant, ours, name, setting, {} if row.replaces else known)
        return meant

    @contextmanager
    def naming(self, keywords: Mapping[str, Any]) -> Iterator[None]:
        """Make errors about a translated keyword name the keyword that the user wrote."""
        try:
            yield
        except CeibaError as error:
            text = str(error)
            for name, value in keywords.items():
                row = self.rows.get(name)
                for ours in {} if row is None or value is None else row.read(value, keywords) or {}:
                    if text.startswith((f"{ours} ", f"{ours}=")) and ours != name:
                        raise type(error)(name + text[len(ours) :]) from None
            raise

    def read_training(
        self,
        keywords: Mapping[str, Any],
        params: Mapping[str, Any] | None,
        arguments: Mapping[str, Any],
    ) -> tuple[dict[str, Any], list[Mapping[str, Any]]]:
        """Return the arguments of a training, and the dictionaries with its parameters.

        Metrics of another library's signature are merged with the named metrics.
        """
        known = params if isinstance(params, Mapping) else {}
        meant = self.read(keywords, {**known, **arguments})
        found = {name: meant.pop(name, value) for name, value in arguments.items()}
        parts = [{} if params is None else params, meant]
        if any(isinstance(metric, SwappedMetric) for metric in several(meant.get("eval_metric"))):
            metrics = {"eval_metric": meant["eval_metric"]}
            parts = [
                {name: part[name] for name in part if ALIASES.get(name, name) != "eval_metric"}
                for part in parts
            ]
            parts.append(metrics)
        return found, [*parts, {"n_estimators": found["n_estimators"]}]

    def _add(
        self, meant: dict[str, Any], ours: str, name: str, value: Any, known: Settings
    ) -> None:
        before = meant.get(ours, known.get(ours) if ours != name else None)
        if before is not None and known and not same(before, value):
            raise InvalidParameterError(
                f"{self.name} got {assignment(name, value)} and {assignment(ours, before)}: two "
                "names of one argument with different values. Pass one of them."
            )
        meant[ours] = value

    def _is_parameter(self, name: str) -> bool:
        return self.takes_parameters and (name in BY_NAME or name in ALIASES or name in FOREIGN)

    def _nearest(self, name: str) -> str:
        known = {**dict.fromkeys(self.rows, 0.9), **dict.fromkeys(self.own, 1.0)}
        return nearest(name, known) if self.takes_parameters else nearest_words(name, known)


def _call(name: str, own: str, rows: Iterable[Foreign], takes_parameters: bool = False) -> Call:
    return Call(name, tuple(own.split()), {row.name: row for row in rows}, takes_parameters)


FIT = _call(
    "fit",
    "X y sample_weight init_score eval_set folds groups callbacks init_model resume_from",
    FIT_ROWS,
)
TRAIN = _call(
    "train", "params dataset n_estimators eval_sets folds groups callbacks init_model resume_from",
    TRAIN_ROWS, takes_parameters=True,
)  # fmt: skip
CV = _call(
    "cv", "params dataset n_estimators folds groups stratified shuffle callbacks return_models "
    "share_bins",
    CV_ROWS, takes_parameters=True,
)  # fmt: skip
DATASET = _call(
    "Dataset", "data target weight init_score qid group feature_names missing zero_as_missing "
    "categorical_features",
    DATASET_ROWS,
)  # fmt: skip
PREDICT = _call("predict", "X iteration_range n_jobs", PREDICT_ROWS)
EARLY_STOPPING = _call(
    "EarlyStopping", "rounds tolerance eval_set metric stop keep_best", EARLY_STOPPING_ROWS
)
LOG = _call("LogRounds", "every logger", LOG_ROWS)

CALLS: tuple[Call, ...] = (FIT, TRAIN, CV, DATASET, PREDICT, EARLY_STOPPING, LOG)

"""Every parameter and keyword of the installed peers is known here, with its kind."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import catboost
import lightgbm
import numpy as np
import pytest
import sklearn.ensemble as sk
import xgboost

from ceiba import CeibaClassifier, CeibaRegressor
from ceiba.errors import InvalidParameterError
from ceiba.parameters import ALIASES, BY_NAME, FOREIGN
from ceiba.parameters import keywords as calls

pytestmark = [pytest.mark.parity, pytest.mark.filterwarnings("ignore")]

#: What XGBoost's dump of a booster holds besides parameters.
_NOT_SET_BY_USERS = {
    "num_feature",
    "num_target",
    "updater_seq",
    "specified_updater",
    "rng_state",
}
#: Rows and targets are given by position.
_BY_POSITION = {"self", "X", "y", "data", "kwargs", "params"}


def names_of(function: Callable[..., Any]) -> set[str]:
    return set(inspect.signature(function).parameters) - _BY_POSITION


def leaves(value: Any) -> Iterator[str]:
    for name, entry in value.items() if isinstance(value, dict) else ():
        if isinstance(entry, dict):
            yield from leaves(entry)
        elif isinstance(entry, list):
            for part in entry:
                yield from leaves(part)
        else:
            yield name


def xgboost_dump() -> set[str]:
    """Return the parameters that boosters of every kind have."""
    X = np.random.default_rng(0).random((40, 3))
    y = (X[:, 0] > 0.5).astype(int)
    found: set[str] = set()
    for objective in ("reg:squarederror", "binary:logistic", "rank:ndcg", "reg:pseudohubererror"):
        for booster in ("gbtree", "dart", "gblinear"):
            rows = xgboost.DMatrix(X, y, qid=np.zeros(40) if "rank" in objective else None)
            trained = xgboost.train({"objective": objective, "booster": booster}, rows, 1)
            found |= set(leaves(json.loads(trained.save_config())))
    return found - _NOT_SET_BY_USERS


def lightgbm_dump() -> set[str]:
    aliases = lightgbm.basic._ConfigAliases._get_all_param_aliases()
    return {name for known in aliases.values() for name in known}


PARAMETERS = {
    "XGBClassifier": lambda: set(xgboost.XGBClassifier().get_params()),
    "XGBRegressor": lambda: set(xgboost.XGBRegressor().get_params()),
    "XGBRanker": lambda: set(xgboost.XGBRanker().get_params()),
    "XGBRFClassifier": lambda: set(xgboost.XGBRFClassifier().get_params()),
    "boosters of XGBoost": xgboost_dump,
    "LGBMClassifier": lambda: names_of(lightgbm.LGBMClassifier),
    "LGBMRegressor": lambda: names_of(lightgbm.LGBMRegressor),
    "LGBMRanker": lambda: names_of(lightgbm.LGBMRanker),
    "LightGBM": lightgbm_dump,
    "CatBoostClassifier": lambda: names_of(catboost.CatBoostClassifier),
    "CatBoostRegressor": lambda: names_of(catboost.CatBoostRegressor),
    "CatBoostRanker": lambda: names_of(catboost.CatBoostRanker),
    "HistGradientBoostingClassifier": lambda: names_of(sk.HistGradientBoostingClassifier),
    "HistGradientBoostingRegressor": lambda: names_of(sk.HistGradientBoostingRegressor),
    "GradientBoostingClassifier": lambda: names_of(sk.GradientBoostingClassifier),
    "GradientBoostingRegressor": lambda: names_of(sk.GradientBoostingRegressor),
}


@pytest.mark.parametrize("peer", PARAMETERS)
def test_every_parameter_is_in_the_table(peer: str) -> None:
    names = PARAMETERS[peer]()
    assert len(names) > 15
    unknown = {name for name in names if name not in {*BY_NAME, *ALIASES, *FOREIGN}}
    assert not unknown


KEYWORDS: list[tuple[calls.Call, Callable[..., Any]]] = [
    (calls.FIT, xgboost.XGBClassifier.fit),
    (calls.FIT, xgboost.XGBRanker.fit),
    (calls.FIT, lightgbm.LGBMClassifier.fit),
    (calls.FIT, lightgbm.LGBMRegressor.fit),
    (calls.FIT, lightgbm.LGBMRanker.fit),
    (calls.FIT, catboost.CatBoostClassifier.fit),
    (calls.FIT, catboost.CatBoostRegressor.fit),
    (calls.FIT, catboost.CatBoostRanker.fit),
    (calls.FIT, sk.HistGradientBoostingClassifier.fit),
    (calls.FIT, sk.GradientBoostingClassifier.fit),
    (calls.TRAIN, xgboost.train),
    (calls.TRAIN, lightgbm.train),
    (calls.TRAIN, catboost.train),
    (calls.CV, xgboost.cv),
    (calls.CV, lightgbm.cv),
    (calls.CV, catboost.cv),
    (calls.DATASET, xgboost.DMatrix),
    (calls.DATASET, xgboost.QuantileDMatrix),
    (calls.DATASET, lightgbm.Dataset),
    (calls.DATASET, catboost.Pool),
    (calls.PREDICT, xgboost.XGBClassifier.predict),
    (calls.PREDICT, xgboost.XGBClassifier.predict_proba),
    (calls.PREDICT, xgboost.Booster.predict),
    (calls.PREDICT, lightgbm.LGBMClassifier.predict),
    (calls.PREDICT, lightgbm.Booster.predict),
    (calls.PREDICT, catboost.CatBoostClassifier.predict),
    (calls.PREDICT, catboost.CatBoostRegressor.predict),
    (calls.EARLY_STOPPING, xgboost.callback.EarlyStopping),
    (calls.EARLY_STOPPING, lightgbm.early_stopping),
    (calls.LOG, xgboost.callback.EvaluationMonitor),
    (calls.LOG, lightgbm.log_evaluation),
]


@pytest.mark.parametrize(
    ("call", "function"),
    KEYWORDS,
    ids=[f"{c.name}-{f.__module__}.{f.__name__}" for c, f in KEYWORDS],
)
def test_every_keyword_is_in_the_table(call: calls.Call, function: Callable[..., Any]) -> None:
    known = {*call.own, *call.rows}
    if call.takes_parameters:
        known |= {*BY_NAME, *ALIASES, *FOREIGN}
    assert not names_of(function) - known


@pytest.mark.parametrize(
    ("ours", "peer"),
    [
        (CeibaClassifier, xgboost.XGBClassifier),
        (CeibaRegressor, xgboost.XGBRegressor),
        (CeibaClassifier, lightgbm.LGBMClassifier),
        (CeibaRegressor, lightgbm.LGBMRegressor),
        (CeibaClassifier, catboost.CatBoostClassifier),
        (CeibaClassifier, sk.HistGradientBoostingClassifier),
        (CeibaRegressor, sk.HistGradientBoostingRegressor),
        (CeibaClassifier, sk.GradientBoostingClassifier),
    ],
    ids=lambda kind: kind.__name__,
)
def test_the_defaults_of_a_peer_can_be_pasted(ours: Any, peer: Any) -> None:
    X = np.random.default_rng(0).random((60, 3))
    y = (X[:, 0] > 0.5).astype(int)
    pasted = peer().get_params()
    estimator = ours(**pasted)
    assert {name: estimator.get_params()[name] for name in pasted}.keys() == pasted.keys()
    estimator.set_params(n_jobs=1).fit(X, y)


@pytest.mark.parametrize("row", FOREIGN.values(), ids=lambda row: row.name)
def test_what_is_refused_says_why_and_what_to_do(row: Any) -> None:
    if row.kind == "refused":
        sentences = row.why.rstrip(".").split(". ")
        assert len(sentences) in (1, 2)
        assert len(row.why) < 180
        assert row.why.endswith(".")
        with pytest.raises(InvalidParameterError, match=rf"^{row.name}='so' is not supported:"):
            CeibaRegressor(**{row.name: "so"})

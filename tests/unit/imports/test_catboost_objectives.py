from __future__ import annotations

import pytest

from ceiba.errors import LoadError, ModelFileError
from ceiba.imports.catboost_objectives import read_classes, read_objective


def read(name, n_outputs=1, **params):
    return read_objective({"type": name, "params": params}, n_outputs)


@pytest.mark.parametrize(
    ("name", "n_outputs", "own"),
    [
        ("RMSE", 1, "squared_error"),
        ("Logloss", 1, "logistic"),
        ("Poisson", 1, "poisson"),
        ("MultiClass", 3, "softmax"),
        ("MultiRMSE", 3, "several"),
        ("MAPE", 1, "custom"),
        ("YetiRank", 1, "custom"),
    ],
)
def test_names(name, n_outputs, own):
    assert read(name, n_outputs).name == own
    assert read_objective({}, 1).name == "custom"


def test_options():
    assert read("Quantile", alpha="0.3").quantile == 0.3
    assert read("MultiQuantile", 2, alpha="0.1,0.9").levels == (0.1, 0.9)
    assert read("Huber", delta="2").huber_delta == 2.0
    assert read("Tweedie", variance_power="1.2").tweedie_variance_power == 1.2
    assert read("MultiClassOneVsAll", 3).link.name == "logit"


def test_losses_without_an_equivalent():
    with pytest.raises(LoadError, match="RMSEWithUncertainty"):
        read("RMSEWithUncertainty", 2)


def test_losses_that_do_not_fit_the_outputs():
    for name, n_outputs in (("RMSE", 2), ("MultiClass", 1)):
        with pytest.raises(ModelFileError):
            read(name, n_outputs)


def test_classes():
    objective = read("MultiClass", 3)
    info = {"class_params": {"class_names": ["a", "b", "c"]}}
    assert read_classes(info, objective, 3).tolist() == ["a", "b", "c"]
    assert read_classes({"class_params": {"class_names": ["a"]}}, objective, 3) is None
    assert read_classes({}, objective, 3) is None
    assert read_classes(info, read("RMSE"), 1) is None

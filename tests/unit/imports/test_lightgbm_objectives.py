from __future__ import annotations

import pytest

from ceiba.errors import LoadError, ModelFileError
from ceiba.imports.lightgbm_file import LightgbmText
from ceiba.imports.lightgbm_objectives import read_objective


def read(line, n_outputs=1, **parameters):
    header = {} if line is None else {"objective": line}
    return read_objective(LightgbmText(header, [], parameters), n_outputs)


@pytest.mark.parametrize(
    ("line", "n_outputs", "name"),
    [
        ("regression", 1, "squared_error"),
        ("regression_l1", 1, "absolute_error"),
        ("poisson", 1, "poisson"),
        ("gamma", 1, "gamma"),
        ("binary sigmoid:1", 1, "logistic"),
        ("cross_entropy", 1, "cross_entropy"),
        ("multiclass num_class:4", 4, "softmax"),
        ("lambdarank", 1, "lambdarank_ndcg"),
        ("fair", 1, "custom"),
        ("custom", 3, "custom"),
        (None, 1, "custom"),
    ],
)
def test_names(line, n_outputs, name):
    assert read(line, n_outputs)[0].name == name


def test_options():
    assert read("quantile", alpha="0.3")[0].quantile == 0.3
    assert read("huber", alpha="2")[0].huber_delta == 2.0
    assert read("tweedie", tweedie_variance_power="1.2")[0].tweedie_variance_power == 1.2
    assert read("binary sigmoid:2")[1] == 2.0
    assert read("multiclass num_class:4", 4)[0].hessian_factor == 4 / 3


def test_one_against_rest_predicts_each_class_alone():
    objective, factor = read("multiclassova num_class:3 sigmoid:1.5", 3)
    assert objective.link.name == "logit"
    assert factor == 1.5


@pytest.mark.parametrize("line", ["regression sqrt", "cross_entropy_lambda", "no such objective"])
def test_objectives_without_an_equivalent(line):
    with pytest.raises(LoadError, match=f"objective '{line.split()[0]}"):
        read(line)


@pytest.mark.parametrize(
    ("line", "n_outputs"), [("regression", 2), ("multiclass num_class:3", 1), ("binary", 2)]
)
def test_objectives_that_do_not_fit_the_trees(line, n_outputs):
    with pytest.raises(ModelFileError):
        read(line, n_outputs)

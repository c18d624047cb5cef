from __future__ import annotations

import math

import numpy as np
import pytest

from ceiba.errors import LoadError, ModelFileError
from ceiba.imports.xgboost_objectives import read_objective, start_scores


def read(name, n_outputs=1, **options):
    return read_objective({"name": name, "parameters": options}, n_outputs)


@pytest.mark.parametrize(
    ("name", "n_outputs", "own"),
    [
        ("reg:squarederror", 1, "squared_error"),
        ("reg:squarederror", 2, "several"),
        ("reg:absoluteerror", 2, "custom"),
        ("binary:logistic", 1, "logistic"),
        ("binary:logitraw", 1, "custom"),
        ("multi:softmax", 3, "softmax"),
        ("rank:pairwise", 1, "pairwise"),
        ("reg:logistic", 1, "cross_entropy"),
    ],
)
def test_names(name, n_outputs, own):
    assert read(name, n_outputs).name == own


def test_options():
    assert read("reg:pseudohubererror", huber_slope="2").huber_delta == 2.0
    assert read("reg:tweedie", tweedie_variance_power="1.3").tweedie_variance_power == 1.3
    assert read("count:poisson", max_delta_step="0.25").poisson_max_delta_step == 0.25
    assert read("reg:quantileerror", quantile_alpha="[3E-1]").quantile == 0.3
    assert read("reg:quantileerror", 2, quantile_alpha="[1E-1,9E-1]").levels == (0.1, 0.9)
    assert read("reg:squaredlogerror").score_scale == "prediction"


def test_start_scores():
    assert start_scores(read("reg:squarederror"), "5E-1", 1).tolist() == [0.5]
    assert start_scores(read("binary:logistic"), "[2E-1]", 1) == pytest.approx([math.log(0.25)])
    assert start_scores(read("count:poisson"), "[2]", 1) == pytest.approx([math.log(2.0)])
    assert start_scores(read("multi:softprob", 2), "[1,2]", 2).tolist() == [1.0, 2.0]
    assert start_scores(read("multi:softprob", 3), "5E-1", 3).tolist() == [0.5] * 3
    assert not np.isfinite(start_scores(read("binary:logistic"), "0", 1)).any()  # refused later


@pytest.mark.parametrize("name", ["survival:aft", "survival:cox", "binary:hinge", "no such"])
def test_objectives_without_an_equivalent(name):
    with pytest.raises(LoadError, match=name):
        read(name)


def test_objectives_that_do_not_fit_the_outputs():
    for name, n_outputs, options in (
        ("multi:softprob", 1, {}),
        ("reg:quantileerror", 3, {"quantile_alpha": "[0.1,0.9]"}),
    ):
        with pytest.raises(ModelFileError):
            read(name, n_outputs, **options)

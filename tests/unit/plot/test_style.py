"""One look: axes, names that fit, numbers as people write them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba.errors import InvalidParameterError
from ceiba.plot import style


def test_axes_that_are_given_are_those_that_are_drawn_on():
    from matplotlib import pyplot as plt

    _, axes = plt.subplots(1, 2)
    assert style.new_axes(axes[0]) is axes[0]
    assert style.new_column_of_axes(axes, 1, 2, (4, 3)) == list(axes)
    assert style.new_column_of_axes(axes[0], 1, 1, (4, 3)) == [axes[0]]
    assert len(plt.get_fignums()) == 1
    with pytest.raises(InvalidParameterError, match=r"must be 3 axes\. Got 2"):
        style.new_column_of_axes(axes, 1, 3, (4, 3))


def test_names_that_fit_still_differ():
    assert style.shortened("short") == "short"
    assert style.shortened("x" * 50, 11) == "xxxxxx…xxxx"
    assert style.shortened("cost in $") == r"cost in \$"
    names = [f"measurement number {j} of the whole panel" for j in range(120)]
    short = style.short_names(names, 20)
    assert len(set(short)) == 120
    assert max(map(len, short)) <= 21
    assert style.short_names(["same" * 20] * 2, 20)[0] == style.shortened("same" * 20, 20)
    fitted = style.fitting("a long text that does not fit", 60.0, 9.0)
    assert "…" in fitted
    assert style.fitting("fits", 60.0, 9.0) == "fits"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-1.5, "−1.5"),
        (1234.5, "1,234"),
        (1234567.0, "1.23e+06"),
        (0.00012, "1.20e−04"),
        (np.nan, "missing"),
    ],
)
def test_numbers(value, text):
    assert style.number(value) == text


@given(st.floats(-1e6, 1e6), st.integers(1, 9), st.integers(-8, 8), st.sampled_from([1, 2, 2.5, 5]))
def test_ticks_have_one_notation_and_are_true(start, n, power, unit):
    step = unit * 10.0**power
    values = [(round(start / step) + k) * step for k in range(n)]
    texts = style.tick_texts(values)
    numbers = [float(text.replace("−", "-").replace(",", "")) for text in texts]
    np.testing.assert_allclose(numbers, values, rtol=1e-6, atol=1e-6 * step)
    assert len(set(texts)) == n
    others = [text for text in texts if text != "0"]
    assert len({"e" in text for text in others}) <= 1
    assert len({text.split("e")[0].partition(".")[2].__len__() for text in others}) <= 1


def test_lines_have_looks_of_their_own():
    looks = {tuple(style.colour_of(k).items()) for k in range(26)}
    assert len(looks) == 26


def test_matplotlib_is_loaded_when_a_picture_is_drawn():
    code = (
        "import sys, ceiba, ceiba.plot\n"
        "from ceiba import CeibaRegressor\n"
        "fitted = CeibaRegressor(n_estimators=2).fit([[0.0], [1.0]] * 30, [0.0, 1.0] * 30)\n"
        "plots = fitted.plot\n"
        "print('matplotlib' in sys.modules)\n"
        "sys.modules['matplotlib'] = None\n"
        "try:\n"
        "    plots.importances()\n"
        "except ceiba.errors.MissingDependencyError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "False"
    assert "pip install 'ceiba[plot]'" in done.stdout

"""``ceiba.report``: pages of every kind of model, bad arguments, the file."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from report_cases import (
    OTHERS,
    TASKS,
    judged,
    model_of,
    part,
    rows_of_queries,
    table,
    target_of,
)

import ceiba
from ceiba.errors import CeibaError, MissingDependencyError, SaveError
from ceiba.reporting import write


class Page(HTMLParser):
    """Collects ids, links, images and open tags of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.images, self.open = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.images += [found] if tag == "img" else []
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def arguments(kind, with_train=False):
    how = rows_of_queries() if kind == "ranking" else {}
    if with_train:
        how["train"] = (part(table(), True), part(target_of(kind), True))
    return how


def written(tmp_path, kind, **how):
    X, y = judged(kind)
    path = ceiba.report(model_of(kind), X, y, tmp_path / "page.html", **how)
    return path.read_text("utf-8")


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_every_kind_of_model(kind, tmp_path):
    text = written(tmp_path, kind, **arguments(kind))
    page = Page(text)
    assert not page.open
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert all(own["alt"] and own["src"].startswith("data:") for own in page.images)
    assert len(page.images) >= 5
    assert "nan" not in re.sub(r'src="[^"]*"', "", text).replace("explanation", "")
    assert model_of(kind).fingerprint() in text


@pytest.mark.parametrize("kind", ["binary", "ranking", "targets", "linear_tree"])
def test_with_training_rows(kind, tmp_path):
    if kind == "ranking":
        text = written(tmp_path, kind, **rows_of_queries(), train=part(table(), True))
    else:
        text = written(tmp_path, kind, **arguments(kind, with_train=True))
        assert "Training rows" in text
    assert '<h2 id="drift">Drift</h2>' in text


def test_scores_are_those_of_the_model(tmp_path):
    X, y = judged("binary")
    text = written(tmp_path, "binary")
    for name in ("auc", "logloss", "accuracy"):
        value = model_of("binary").evaluate(X, y, name)
        found = re.search(rf'<th scope="row">{name}</th>\s*<td class="number">([^<]+)<', text)
        assert float(found[1]) == pytest.approx(value, abs=6e-5)


def test_arrays_and_lists(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = ["a" if value > 0 else "b" for value in X[:, 0]]
    model = ceiba.CeibaClassifier(n_estimators=3).fit(X, y)
    path = ceiba.report(model, X.tolist(), y, str(tmp_path / "page.html"), progress=False)
    assert "class b against a" in path.read_text("utf-8")


@pytest.mark.parametrize("n_rows", [1, 3])
@pytest.mark.parametrize("kind", ["binary", "regression", "multiclass"])
def test_few_rows(kind, n_rows, tmp_path):
    X, y = judged(kind)
    ceiba.report(model_of(kind), X[:n_rows], y[:n_rows], tmp_path / "page.html")


def test_a_model_without_splits(tmp_path):
    X = np.zeros((40, 2))
    model = ceiba.CeibaRegressor(n_estimators=2).fit(X, np.arange(40.0))
    path = ceiba.report(model, X, np.arange(40.0), tmp_path / "page.html")
    assert "No column has an effect" in path.read_text("utf-8")


def test_infinite_values_and_weights(tmp_path):
    X = np.random.default_rng(0).normal(size=(80, 2))
    X[:4, 0] = np.inf, -np.inf, np.nan, 1e300
    y = X[:, 1]
    model = ceiba.CeibaRegressor(n_estimators=3).fit(X, y)
    ceiba.report(model, X, y, tmp_path / "page.html", sample_weight=np.arange(80.0), train=X)


def test_the_order_of_the_rows_does_not_matter(tmp_path):
    X, y = judged("binary")
    order = np.random.default_rng(3).permutation(len(X))

    def pages(X, y, name):
        path = ceiba.report(model_of("binary"), X, y, tmp_path / name, time_budget=None)
        text = path.read_text("utf-8")
        text = text[: text.index('<h2 id="worst">')]
        return re.sub(r'src="[^"]*"', "", text)

    assert pages(X, y, "one.html") == pages(X.iloc[order], y[order], "other.html")


def test_large_tables_keep_to_the_budget_and_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(write, "_MOST_ROWS", 120)
    text = written(tmp_path, "regression")
    assert "it uses 120 of them, chosen by a hash" in text
    assert "120 of 300" in text


def test_a_small_budget(tmp_path):
    written(tmp_path, "multiclass", time_budget=0.01)


def test_titles_are_escaped(tmp_path):
    assert "<h1>A &lt; B</h1>" in written(tmp_path, "regression", title="A < B")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"time_budget": 0}, "time_budget"),
        ({"time_budget": "fast"}, "time_budget"),
        ({"progress": 3}, "progress"),
        ({"title": 3}, "title"),
        ({"train": (1, 2, 3)}, "train must be"),
        ({"train": np.ones((3, 9))}, "train: "),
    ],
)
def test_bad_arguments_write_nothing(how, message, tmp_path):
    X, y = judged("regression")
    path = tmp_path / "page.html"
    path.write_text("previous")
    with pytest.raises(CeibaError, match=message):
        ceiba.report(model_of("regression"), X, y, path, **how)
    assert path.read_text() == "previous"
    assert list(tmp_path.iterdir()) == [path]


def test_the_path_is_checked_first(tmp_path, monkeypatch):
    monkeypatch.setattr(write, "subject_of", lambda model: pytest.fail("too late"))
    for path, message in ((tmp_path, "folder"), (tmp_path / "no" / "page.html", "not exist")):
        with pytest.raises(SaveError, match=message):
            ceiba.report(None, None, None, path)


def test_an_interrupted_report_leaves_the_previous_one(tmp_path, monkeypatch):
    def interrupt(case):
        raise KeyboardInterrupt

    monkeypatch.setattr(write, "_SECTIONS", (("scores", interrupt),))
    path = tmp_path / "page.html"
    path.write_text("previous")
    X, y = judged("regression")
    with pytest.raises(KeyboardInterrupt):
        ceiba.report(model_of("regression"), X, y, path)
    assert path.read_text() == "previous"


def test_missing_packages_are_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingDependencyError, match=r"ceiba\[report\]"):
        ceiba.report(None, None, None, tmp_path / "page.html")

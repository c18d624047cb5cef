"""Pictures of classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import classifier, labels, of_letters, regressor, table, target, troubles, wide
from sklearn.metrics import average_precision_score, confusion_matrix, roc_auc_score

from ceiba import plot
from ceiba.errors import CeibaError


class Coin:
    """Another library's classifier."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, X):
        chance = np.random.default_rng(0).random(len(X))
        return np.stack([1 - chance, chance], axis=1)


def legends(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_curves_of_several_models():
    models = {"ceiba": classifier(), "a coin": Coin()}
    chances = classifier().predict_proba(table())[:, 1]
    ax = plot.roc(models, table(), labels())
    assert legends(ax)[0] == f"ceiba, AUC {roc_auc_score(labels() == 'yes', chances):.3f}"
    assert legends(ax)[1].startswith("a coin, AUC 0.")
    assert not troubles(ax.figure)
    ax = plot.precision_recall(models, table(), labels())
    precision = average_precision_score(labels() == "yes", chances)
    assert legends(ax)[0] == f"ceiba, AP {precision:.3f}"
    assert legends(plot.roc([classifier(), classifier().model_], table(), labels()))[1].startswith(
        "Model, AUC"
    )


def test_classes_of_one_model_and_means_of_several():
    from matplotlib import pyplot as plt

    frame, letters = wide()
    ax = plot.roc(of_letters(), frame, letters)
    assert [text[0] for text in legends(ax)] == list("abcdefghijklmnopqrstuvwxyz")
    assert not troubles(ax.figure)
    assert len(legends(plot.roc([of_letters()] * 2, frame, letters))) == 2
    figure, small = plt.subplots(figsize=(3.2, 2.6), layout="constrained")
    plot.precision_recall(of_letters(), frame, letters, ax=small)
    assert not troubles(figure)


def test_precision_has_the_line_of_the_prevalence():
    rare = np.where(np.arange(300) % 20 == 0, "yes", "no")
    ax = plot.precision_recall(Coin(), table(), rare)
    assert legends(ax)[-1] == "prevalence 0.050"
    assert ax.lines[-1].get_ydata()[0] == pytest.approx(0.05)
    weight = np.where(rare == "yes", 19.0, 1.0)
    ax = plot.precision_recall(Coin(), table(), rare, sample_weight=weight)
    assert ax.lines[-1].get_ydata()[0] == pytest.approx(0.5)
    assert legends(plot.precision_recall(of_letters(), *wide()))[-1] == "prevalence"


def test_confusion():
    from matplotlib import pyplot as plt

    ax = plot.confusion(classifier(), table(), labels())
    expected = confusion_matrix(labels(), classifier().predict(table()))
    np.testing.assert_array_equal(ax.images[0].get_array(), expected)
    assert [text.get_text() for text in ax.texts] == [str(n) for n in expected.reshape(-1)]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["no", "yes"]
    shares = plot.confusion(classifier(), table(), labels(), normalize="true").images[0]
    np.testing.assert_allclose(shares.get_array().sum(axis=1), 1)
    many = plot.confusion(of_letters(), *wide())
    assert len(many.texts) == 26 * 26
    assert len(many.get_yticklabels()) == 26
    assert not troubles(many.figure)
    figure, small = plt.subplots(figsize=(3.2, 2.6), layout="constrained")
    plot.confusion(of_letters(), *wide(), ax=small)
    assert not small.texts
    assert not troubles(figure)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.roc(regressor().model_, table(), target()), "a model that predicts classes"),
        (lambda: plot.roc({}, table(), labels()), "at least one model"),
        (lambda: plot.roc(classifier(), table(), ["maybe"] * 300), "only classes of the model"),
        (lambda: plot.confusion(classifier(), table(), labels(), normalize="x"), "normalize"),
        (lambda: plot.calibration(classifier(), table(), labels(), n_bins=0), "n_bins"),
        (
            lambda: plot.regions(classifier(), table(), columns=("age", "colour")),
            "the categorical column",
        ),
        (lambda: plot.regions(classifier(), table(), columns=("age", "age")), "two different"),
        (lambda: plot.regions(classifier(), table(), columns="age"), "two columns"),
    ],
)
def test_what_cannot_be_drawn(draw, message):
    with pytest.raises(CeibaError, match=message):
        draw()


def test_labels_have_a_curve_each():
    import pandas as pd

    from ceiba import CeibaClassifier

    truth = pd.DataFrame({"high": labels() == "yes", "old": table()["age"] > 50}).astype(int)
    fitted = CeibaClassifier(n_estimators=5).fit(table(), truth)
    chances = fitted.predict_proba(table())
    for owner in (fitted, fitted.model_):
        ax = plot.roc(owner, table(), truth)
        assert legends(ax) == [
            f"{name}, AUC {roc_auc_score(truth[name], chances[:, k]):.3f}"
            for k, name in enumerate(truth)
        ]
        ax = plot.precision_recall(owner, table(), truth.to_numpy())
        assert [text.split(",")[0] for text in legends(ax)] == ["label 0", "label 1", "prevalence"]
        for draw in (plot.confusion, plot.calibration):
            with pytest.raises(CeibaError, match="one class for each row"):
                draw(owner, table(), truth)
        with pytest.raises(CeibaError, match="2 columns of 0 and 1"):
            plot.roc(owner, table(), labels())
    assert len(legends(plot.roc([fitted, fitted], table(), truth))) == 2

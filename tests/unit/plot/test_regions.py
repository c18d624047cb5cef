"""Plots of decision regions."""

from __future__ import annotations

from pictures import classifier, labels, of_letters, regressor, table, troubles, wide

from ceiba import plot


def legends(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_regions_of_classes_and_of_numbers():
    ax = plot.regions(classifier(), table(), labels(), ("age", 1), n_points=20)
    assert ax.images[0].get_array().shape == (20, 20, 3)
    assert sum(len(own.get_offsets()) for own in ax.collections) == 300
    assert legends(ax) == ["no", "yes"]
    assert not troubles(ax.figure)
    ax = plot.regions(regressor(), table(), columns=("age", "gaps"), n_points=20)
    assert ax.images[0].get_array().shape == (20, 20)
    assert plot.regions(of_letters(), wide()[0], n_points=10).get_xlabel().startswith("measurement")

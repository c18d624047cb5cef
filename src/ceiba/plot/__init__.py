"""Pictures of models, drawn with matplotlib.

Every function takes axes to draw on, or makes a figure, and returns the axes. All of them are also
methods: ``model.plot.importances()``, ``classifier.plot.roc(X, y)``. matplotlib is loaded when the
first picture is drawn; ``pip install 'ceiba[plot]'`` brings it.
"""

from __future__ import annotations

from ceiba.plot.classes import confusion, precision_recall, regions, roc
from ceiba.plot.curves import steps, training
from ceiba.plot.importance import importances
from ceiba.plot.methods import ModelPlots
from ceiba.plot.partial import partial_dependence
from ceiba.plot.regression import coverage, observed, residuals
from ceiba.plot.reliability import calibration
from ceiba.plot.shap_values import dependence, interactions, waterfall
from ceiba.plot.swarm import beeswarm
from ceiba.plot.trees import tree

__all__ = [
    "ModelPlots",
    "importances",
    "beeswarm",
    "waterfall",
    "dependence",
    "interactions",
    "partial_dependence",
    "tree",
    "training",
    "steps",
    "roc",
    "precision_recall",
    "calibration",
    "confusion",
    "regions",
    "residuals",
    "observed",
    "coverage",
]
